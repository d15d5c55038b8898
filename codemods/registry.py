"""The rules, as a list: what is not here does not run."""

from __future__ import annotations

from codemods.rule import Rule
from codemods.transforms import (
    dynamic_tensor_array,
    frozen_host_random,
    generator_misuse,
    host_offload_output,
    int32_variable_on_gpu,
    loop_index_as_constant_operand,
    loop_index_variable_size_slice,
    stateful_random_op,
    tensor_list_crosses_xla_boundary,
    unbounded_while_loop,
    variable_on_another_device,
)

RULES: tuple[Rule, ...] = (
    dynamic_tensor_array.check,
    loop_index_variable_size_slice.check,
    stateful_random_op.check,
    generator_misuse.check,
    frozen_host_random.check,
    loop_index_as_constant_operand.check,
    unbounded_while_loop.check,
    variable_on_another_device.check,
    int32_variable_on_gpu.check,
    host_offload_output.check,
    tensor_list_crosses_xla_boundary.check,
)
"""In the order in which their fixes are applied within a round: silent damage before errors."""

TOOL_CODES: dict[str, tuple[str, str]] = {
    "XLA001": ("unreadable-file", "A file could not be read or parsed, so nothing in it was examined."),
    "XLA002": ("unused-suppression", "A suppression comment that suppresses nothing."),
    "XLA003": ("no-convergence", "The fixes of a file did not come to an end. This is a bug of xlafix."),
    "XLA004": (
        "internal-error",
        "A rule raised an exception; the file was left alone. This is a bug of xlafix.",
    ),
}
"""Findings about the tool and its input: code -> (name, what it means)."""


def by_code(text: str) -> Rule | None:
    """The rule with this code or name."""
    wanted = text.strip().lower()
    return next((rule for rule in RULES if wanted in (rule.code.lower(), rule.name)), None)
