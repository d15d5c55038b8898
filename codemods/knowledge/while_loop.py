"""The positional parameters of `tf.while_loop` and of `tf.compat.v1.while_loop` (2.21)."""

from __future__ import annotations

V2 = (
    "cond",
    "body",
    "loop_vars",
    "shape_invariants",
    "parallel_iterations",
    "back_prop",
    "swap_memory",
    "maximum_iterations",
    "name",
)
V1 = (*V2[:7], "name", "maximum_iterations", "return_same_structure")
