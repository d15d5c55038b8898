"""Which outputs of a lowered JAX program are on the host undeclared: a walk through its StableHLO.

The fallback for machines without libtpu. It follows the rule by which XLA's host offloader raises error 1200:
a value on the host stays there through every operation, until something moves it to the device. It needs
the MLIR bindings only of the module that it is given, so it imports nothing of JAX.

Sources: OpenXLA, `xla/hlo/transforms/host_offloader.cc` (seeds, ends, the exemption, the message) and
`xla/service/host_offload_utils.cc` (`GetSuccessors`: what a value goes through), and comparisons with libtpu
(`test_host_walk.py`, `test_golden_jax.py`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

PLACEMENT = "annotate_device_placement"  # what JAX writes: the attribute below says where to
# the partitioner replaces these calls before the offloader sees them
SHARDING_CALLS = {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"}
# operations of which nothing is left once the offloader runs
TRANSPARENT = {"sdy.sharding_constraint", "sdy.reshard"}
# bitcasts or copies for the offloader, the last one where it only adds dimensions
BITCASTS = {"stablehlo.reshape", "stablehlo.transpose", "stablehlo.broadcast_in_dim"}
SLICES = {"stablehlo.slice", "stablehlo.dynamic_slice"}
CALLS = {"func.call", "call"}
BRANCHES = {"stablehlo.case", "stablehlo.if"}


@dataclass(frozen=True)
class Place:
    """Where a value lives. seeds: what brought it to the host, empty for the device.

    last: what happened to it last, bitcasts aside, where XLA may ask no further if it is returned now.
    """

    seeds: frozenset[str] = frozenset()
    last: Literal["move", "slice", ""] = ""


DEVICE = Place()


@dataclass(frozen=True)
class Walk:
    """What is the same for a whole program: its functions by name, whose XLA it is, what that aborts at."""

    functions: Mapping[str, Any]
    newer: bool
    aborts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Output:
    """An output of the program that is on the host.

    name: its place in the result, such as `[1]['norm']`, or "" where the result is one array.
    declared: does the program promise host memory for it? seeds: what brought it there.
    """

    name: str
    declared: bool
    seeds: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What the walk says. message: of an "error", that of error 1200, with the names of the outputs."""

    kind: Literal["ok", "error", "abort"]
    message: str = ""
    outputs: tuple[str, ...] = ()


def judge(module: Any, newer: bool = True) -> Verdict:
    """Would XLA raise error 1200 for a lowered program?

    module: what `jax.jit(f).lower(..).compiler_ir("stablehlo")` returns. newer: as for `host_outputs`.
    Returns a Verdict: "error" where an output is on the host that is not declared to be; "abort" where XLA
    would end the process on the way there. Raises ValueError for a module without an entry function.
    Source of the rule and of the message: host_offloader.cc, `WalkDownHostMemoryOffloadPaths`. The names of
    the outputs, which that message lacks, are those of `jax.result_info`.
    """
    outputs, aborts = host_outputs(module, newer)
    wrong = [output for output in outputs if not output.declared]
    if aborts:
        return Verdict("abort", f"XLA aborts: {'; '.join(aborts)}")
    if not wrong:
        return Verdict("ok")
    names = tuple(output.name for output in wrong)
    seeds = _listed(seed for output in wrong for seed in output.seeds)
    return Verdict(
        "error",
        f"Tensor which is moved to host (starting from {seeds}) is returned from the entry computation but "
        "the layout for this output is not set to host memory. "
        f"Outputs: {', '.join(name or 'the result' for name in names)}",
        names,
    )


def host_outputs(module: Any, newer: bool = True) -> tuple[list[Output], list[str]]:
    """The outputs of a lowered program that are on the host, in the order of the result; what XLA aborts at.

    module: as for `judge`. newer: is it for the XLA of JAX 0.10.2, not that of 0.7.0? Measured: the older one
    takes unpinned_host of an argument or an output for host memory too; the newer one lets a slice be
    returned beside other outputs.
    Returns all of them, declared or not, but for what a program with one output moves there, or slices, as
    its last step: the root has no users, and XLA asks no further (host_offloader.cc,
    `HandleMoveToHostCustomCall` and `SliceLeadsToMoveToDeviceCustomCall`).
    Raises ValueError for a module without an entry function.
    """
    functions = {
        op.attributes["sym_name"].value: op for op in module.body.operations if _name(op) == "func.func"
    }
    if "main" not in functions:
        raise ValueError("the module has no entry function `main`")
    main = functions["main"]
    host_layouts = {"pinned_host"} if newer else {"pinned_host", "unpinned_host"}
    block = main.regions[0].blocks[0]
    arguments = [
        Place(_seeds(argument.location)) if _memory_kind(attributes) in host_layouts else DEVICE
        for argument, attributes in zip(
            block.arguments, _attributes(main, "arg_attrs", len(block.arguments)), strict=True
        )
    ]
    walk = Walk(functions, newer)
    results = _block(walk, block, arguments, {})
    harmless = {"move", "slice"} if len(results) == 1 else {"slice"} if newer else set()
    found = [
        Output(_result_name(attributes), _memory_kind(attributes) in host_layouts, tuple(sorted(place.seeds)))
        for place, attributes in zip(results, _attributes(main, "res_attrs", len(results)), strict=True)
        if place.seeds and place.last not in harmless
    ]
    return found, walk.aborts


def _block(walk: Walk, block: Any, arguments: Sequence[Place], outer: dict[Any, Place]) -> list[Place]:
    """The places of what a block returns. outer: those of the values around it, which it may use."""
    places = outer | dict(zip(block.arguments, arguments, strict=True))
    *operations, end = block.operations
    for op in operations:
        for value, place in zip(op.results, _results(walk, op, places), strict=True):
            # a slice ends its path only if all of its uses do
            users = [use.owner for use in value.uses] if place.last == "slice" else []
            ends = len(users) <= 1 or all(user == end for user in users)
            places[value] = place if ends else _computed([place])
    return [places[value] for value in end.operands]


def _results(walk: Walk, op: Any, places: dict[Any, Place]) -> list[Place]:
    """The places of the results of an operation."""
    name, operands = _name(op), [places[value] for value in op.operands]
    if name in CALLS:  # inlined before the offloader runs: each call is a function of its own
        callee = walk.functions[op.attributes["callee"].value]
        results = _block(walk, callee.regions[0].blocks[0], operands, {})
    elif name in BRANCHES:
        _check_decision(walk, op, operands[0])
        branches = [_block(walk, region.blocks[0], [], places) for region in op.regions]
        results = [_computed(choices) for choices in zip(*branches, strict=True)]
    elif name == "stablehlo.while":
        # a path goes from the operands into the body, and from there to the results: not around once more
        condition, body = (_block(walk, region.blocks[0], operands, places) for region in op.regions)
        _check_decision(walk, op, *condition)
        results = [_computed([place]) for place in body]
    elif name == "sdy.manual_computation":
        results = _block(walk, op.regions[0].blocks[0], operands, places)
    elif name == "stablehlo.custom_call":
        results = _custom_call(op, operands)
    elif name == "stablehlo.optimization_barrier":
        # only the newer XLA looks for the use of a slice beyond it
        results = [
            place if place.last == "slice" and walk.newer else _computed([place]) for place in operands
        ]
    elif name in TRANSPARENT or (name in BITCASTS and _size(op.results[0]) == _size(op.operands[0])):
        results = operands
    else:
        place = _computed(operands, "slice" if name in SLICES else "")
        if place.seeds and (name == "stablehlo.sort" or (name == "stablehlo.reduce" and len(op.results) > 1)):
            # it becomes one instruction with several results, of which XLA does not know which it follows
            walk.aborts.append(f"{name} of a value on the host ({_listed(place.seeds)})")
        results = [place] * len(op.results)
    on_host = _frontend(op).get("_xla_compute_type") == "host"  # computed there, and brought back
    return [DEVICE] * len(results) if on_host else results


def _custom_call(op: Any, operands: list[Place]) -> list[Place]:
    target = op.attributes["call_target_name"].value
    if target == PLACEMENT:
        target = "MoveToDevice" if _frontend(op)["_xla_buffer_placement"] == "device" else "MoveToHost"
    if target == "MoveToDevice":
        return [DEVICE]
    if target == "MoveToHost":  # what is there already stays there
        return [_computed(operands) if operands[0].seeds else Place(_seeds(op.location), "move")]
    if target in SHARDING_CALLS:
        return operands
    key = "output_operand_aliases"
    shares = key in op.attributes and len(op.attributes[key]) > 0  # else it has buffers of its own
    return [_computed(operands) if shares else DEVICE] * len(op.results)


def _check_decision(walk: Walk, op: Any, decision: Place) -> None:
    """XLA follows the value that chooses a branch, or ends a loop, out of bounds (host_offload_utils.cc)."""
    if decision.seeds:
        walk.aborts.append(f"a value on the host ({_listed(decision.seeds)}) decides in {_name(op)}")


def _computed(places: Iterable[Place], last: Literal["slice", ""] = "") -> Place:
    """The place of what is computed from values, or is one of them."""
    seeds: frozenset[str] = frozenset().union(*(place.seeds for place in places))
    return Place(seeds, last if seeds else "")


def _seeds(location: Any) -> frozenset[str]:
    """The name of an argument on the host, or of what was just moved there."""
    name = re.search(r'"([^"]+)"', str(location))
    return frozenset({name[1] if name else "?"})


def _name(op: Any) -> str:
    return str(op.operation.name)


def _size(value: Any) -> int:
    return math.prod(value.type.shape)


def _listed(seeds: Iterable[str]) -> str:
    return ", ".join(sorted(set(seeds)))


def _frontend(op: Any) -> dict[str, str]:
    """What JAX tells XLA about an operation."""
    key = "mhlo.frontend_attributes"
    if key not in op.attributes:
        return {}
    return {attribute.name: attribute.attr.value for attribute in op.attributes[key]}


def _attributes(function: Any, key: str, count: int) -> list[Any]:
    """The attributes of the arguments or results of a function, one dictionary for each."""
    return list(function.attributes[key]) if key in function.attributes else [{}] * count


def _memory_kind(attributes: Any) -> str:
    return str(attributes["mhlo.memory_kind"].value) if "mhlo.memory_kind" in attributes else "device"


def _result_name(attributes: Any) -> str:
    info = str(attributes["jax.result_info"].value) if "jax.result_info" in attributes else ""
    return info.removeprefix("result")
