"""The constructor of `tf.TensorArray`, the same in TensorFlow and compat.v1 (2.21)."""

from __future__ import annotations

ARGUMENTS = (
    "dtype",
    "size",
    "dynamic_size",
    "clear_after_read",
    "tensor_array_name",
    "handle",
    "flow",
    "infer_shape",
    "element_shape",
    "colocate_with_first_write_call",
    "name",
)
"""Its parameters, in the order of their positions."""
