"""Calls that take a number whatever its type, or any integer. TensorFlow 2.21."""

from __future__ import annotations

ANY_TYPE = frozenset({
    "tensorflow.cast", "tensorflow.dtypes.cast", "tensorflow.print", "tensorflow.as_string",
    "builtins.print", "builtins.int", "builtins.float", "builtins.str", "builtins.bool", "builtins.repr",
})  # fmt: skip

ANY_INTEGER = frozenset({
    "tensorflow.gather", "tensorflow.gather_nd", "tensorflow.nn.embedding_lookup", "tensorflow.one_hot",
})  # fmt: skip
"""Where the value is an index."""

OF_INTS = frozenset({"tensorflow.range", "tensorflow.constant", "tensorflow.convert_to_tensor"})
"""Calls that make an int32 of Python ints, where no type is given."""
