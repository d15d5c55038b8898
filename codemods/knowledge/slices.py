"""What happens to a slice whose length depends on the index of a tensor loop, under XLA.

XLA keeps the result of `x[:i]` as an array of the largest possible size with a length beside it, and
some ops read what lies behind the length: they return wrong numbers without a word.

Source: the APIs were applied to `x[:i]` and to `x[i:]` (float32 vector of 5, `tf.range(1, 4)`), then
each of READS to the result, with and without `jit_compile`, and the numbers were compared
(TensorFlow 2.21.0, XLA on CPU). Not measured one by one, but taken from their like: some elementwise
functions (abs, exp, add, multiply, negative, maximum, sigmoid, relu were), `strided_slice` as a
source (subscripts were), the spellings of compat.v1.
For rank 2 the same holds along the sliced axis only. The same arrays come from `tf.boolean_mask`,
`tf.where(c)` and `tf.unique` outside of any loop. Gradients through such a slice are wrong or
refused, or end the process, for most readers of `x[:i]`, also for those that are right forwards.
"""

from __future__ import annotations

READS: dict[str, str] = {
    "reduce": "a reduction: sum, max, mean, ...",
    "first": "y[k] with a constant k >= 0",
    "last": "y[-k]",
    "tail": "y[-k:]",
    "size": "tf.size(y), tf.shape(y), also inside another call",
    "by-size": "y[tf.size(y) - 1]",
    "drop": "y[k:], y[:k], y[:-k] with k >= 0, then a reduction",
    "step": "y[::k] with k != 1, such as y[::-1]",
}
"""Ways to look at a result, by the names that the tables below use."""

REFUSED_READS = frozenset({"step"})
"""Reads of any such slice that XLA refuses to compile; gradients aside, all others compile."""

WRONG_READS = frozenset({"last", "tail"})
"""Reads that are wrong for the slice itself and for whatever `KEEPS` makes of it."""


def _names(both: str, v1: str = "", v2: str = "") -> frozenset[str]:
    """Canonical names: of TensorFlow and compat.v1 alike, of compat.v1 only, of TensorFlow only."""
    return frozenset(
        [f"tensorflow.{name}" for name in f"{both} {v2}".split()]
        + [f"tensorflow.compat.v1.{name}" for name in f"{both} {v1}".split()]
    )


SOURCES = _names("slice strided_slice")
"""APIs that make such a slice, where the size (of `slice`) or an end depends on the index.

A subscript `x[:i]`, `x[i:]`, `x[i:i+k]`, `x[-i:]` is the usual source. `tf.slice(x, [i], [k])` with a
Python k, and `tf.gather(x, i + tf.range(k))`, have a static length and are right.
"""

DATA_SOURCES = _names("boolean_mask where unique")
"""APIs whose result has a length that depends on data (`where` with one argument only)."""

ENDS = _names(
    """
    reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_any reduce_all reduce_logsumexp
    math.reduce_sum math.reduce_mean math.reduce_max math.reduce_min math.reduce_prod math.reduce_any
    math.reduce_all math.reduce_logsumexp math.reduce_std math.reduce_variance math.count_nonzero
    math.zero_fraction nn.zero_fraction nn.moments norm linalg.norm size shape argmax argmin math.argmax
    math.argmin math.top_k nn.top_k gather foldl foldr math.unsorted_segment_sum tensor_scatter_nd_update
    """,
    v1="count_nonzero unsorted_segment_sum",
)
"""Right, and nothing of the padding is left in the result, so it may be read in any way."""

KEEPS = _names(
    """
    identity stop_gradient cast abs negative add subtract multiply divide exp sqrt square tanh sigmoid
    maximum minimum clip_by_value where boolean_mask nn.relu nn.softmax nn.log_softmax nn.l2_normalize
    math.l2_normalize linalg.l2_normalize one_hot sequence_mask range reshape expand_dims squeeze
    transpose stack tile repeat reverse sort argsort map_fn scan vectorized_map matmul linalg.matmul
    einsum tensordot
    """
)
"""The result is again such a slice: right where `WRONG_READS` are avoided, such as `sort(y)[0]`."""

_ALL = frozenset(READS) - REFUSED_READS
_CUMULATIVE = _ALL - {"first", "last"}

SPOILS: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        _names("cumsum math.cumsum math.cumprod math.cumulative_logsumexp", v1="cumprod"), _CUMULATIVE
    ),
    **dict.fromkeys(_names("roll"), _ALL),
    **dict.fromkeys(_names("unique"), _ALL - {"first"}),
    **dict.fromkeys(_names("ones_like"), frozenset({"reduce", "tail", "size", "drop"})),
    **dict.fromkeys(_names("linalg.diag"), frozenset({"reduce", "last", "tail", "size", "by-size", "drop"})),
    # also made from tf.shape(y) or tf.size(y); one value throughout, so only its number can be wrong
    **dict.fromkeys(_names("zeros_like"), frozenset({"tail"})),
    **dict.fromkeys(_names("ones zeros fill"), frozenset({"tail"})),
    # with padding behind the slice only, the last element is right
    **dict.fromkeys(_names("pad concat"), WRONG_READS),
}
"""API -> the reads of its result that are wrong; other reads of it are right."""

SPOILS_LAST_TOO = frozenset({"reverse", "exclusive"})
"""Arguments of the cumulative functions that, if true, make `last` wrong as well."""

CONCAT_FIRST = frozenset({"tail"})
"""The wrong reads of `tf.concat([y, c], 0)`, where the slice is followed by a fixed array only.

Two slices of one array whose lengths add up to its length, `tf.concat([x[i:], x[:i]], 0)`, are wrong
as a whole; `tf.concat([x[:i], x[i:]], 0)` is right.
"""
