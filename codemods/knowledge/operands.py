"""Operands that XLA needs as compile-time constants.

`CONSTANT_OPERANDS`: every row was measured by compiling a loop whose index reaches exactly that
operand, and by reading the op and the input number back from the message "Input 1 to node `...` with
op Sum must be a compile-time constant" (TensorFlow 2.21.0, Keras 3.15.1, XLA on CPU).
The op is what the message names, which often is not what the user wrote: `tf.linspace` gives Range.

Names are canonical: `tensorflow.X` (which also stands for `tensorflow.compat.v2.X`),
`tensorflow.compat.v1.X`, `keras.ops.X`. Spellings by internal modules are in `aliases`.
The file holds data only and imports nothing.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operand:
    """One argument of an API whose value must be known while tracing.

    argument: the keyword. position: the 0-based index among positional arguments, without `self`;
    None where the argument cannot be given by position (raw ops) or is no argument (subscripts).
    op, input: what the compiler's message names; "" and -1 where tracing fails before.
    kind: "function", "method" (the name ends in Class.method) or "subscript".
    without: the row holds only for calls that do not give the argument of this name:
    in `tf.range(n)` the first argument is the limit, in `tf.range(n, limit=5)` it is the start.
    note: a condition, or what a reader should know.
    """

    argument: str
    position: int | None
    op: str
    input: int
    kind: str = "function"
    without: str = ""
    note: str = ""


Rows = tuple[tuple[str, ...], tuple[Operand, ...]]


def api(names: str, *operands: Operand, v1: str = "", v2: str = "") -> Rows:
    """Rows for `names` (in TensorFlow and in compat.v1 alike), `v2` and `v1` (only there)."""
    return (
        *(f"tensorflow.{name}" for name in (*names.split(), *v2.split())),
        *(f"tensorflow.compat.v1.{name}" for name in (*names.split(), *v1.split())),
    ), operands


def _reduction(name: str, op: str) -> tuple[Rows, Rows]:
    """Rows of a `reduce_*` function; compat.v1 has a second spelling of the axis."""
    axis, old = Operand("axis", 1, op, 1), Operand("reduction_indices", 4, op, 1)
    names = f"{name} math.{name}"
    return api("", axis, v2=names), api("", axis, old, v1=names)


def _extremum(name: str, op: str) -> tuple[Rows, Rows]:
    """Rows of `argmax` and `argmin`; compat.v1 has a second spelling of the axis."""
    axis, old = Operand("axis", 1, op, 1), Operand("dimension", 3, op, 1)
    names = f"{name} math.{name}"
    return api("", axis, v2=names), api("", axis, old, v1=names)


def _segment(name: str, op: str) -> Rows:
    name = f"unsorted_segment_{name}"
    return api(f"math.{name}", Operand("num_segments", 2, op, 2), v1=name)


def _generator(method: str, argument: str, op: str) -> Rows:
    """Rows of a method of `tf.random.Generator`."""
    names = f"random.Generator.{method} random.experimental.Generator.{method}"
    return api(names, Operand(argument, 0, op, 0, kind="method"))


def _raw(name: str, *inputs: tuple[str, int]) -> Rows:
    """Rows of a raw op, which takes keyword arguments only."""
    return api(f"raw_ops.{name}", *(Operand(argument, None, name, i) for argument, i in inputs))


def keras_api(name: str, *operands: Operand) -> Rows:
    """Rows of a function of `keras.ops`; measured with the TensorFlow back end of Keras 3."""
    return (f"keras.ops.{name}", f"tensorflow.keras.ops.{name}"), operands


_REDUCTIONS: tuple[Rows, ...] = (
    *_reduction("reduce_sum", "Sum"),
    *_reduction("reduce_mean", "Mean"),
    *_reduction("reduce_max", "Max"),
    *_reduction("reduce_min", "Min"),
    *_reduction("reduce_prod", "Prod"),
    *_reduction("reduce_logsumexp", "Max"),
    *_reduction("reduce_any", "Any"),
    *_reduction("reduce_all", "All"),
    api("math.reduce_variance", Operand("axis", 1, "Mean", 1)),
    api("math.reduce_std", Operand("axis", 1, "Mean", 1)),
    api("", Operand("axis", 1, "Sum", 1), v2="math.count_nonzero"),
    api(
        "",
        Operand("axis", 1, "Sum", 1),
        Operand("reduction_indices", 5, "Sum", 1),
        v1="count_nonzero math.count_nonzero",
    ),
    *_extremum("argmax", "ArgMax"),
    *_extremum("argmin", "ArgMin"),
    api(
        "linalg.l2_normalize math.l2_normalize nn.l2_normalize",
        Operand("axis", 1, "Sum", 1),
        Operand("dim", 4, "Sum", 1),
    ),
    api("cumsum math.cumsum", Operand("axis", 1, "Cumsum", 1)),
    api("math.cumprod", Operand("axis", 1, "Cumprod", 1), v1="cumprod"),
    api("math.cumulative_logsumexp", Operand("axis", 1, "CumulativeLogsumexp", 1)),
    api("", Operand("k", 2, "InTopKV2", 2), v2="math.in_top_k nn.in_top_k"),
    api("", Operand("k", 2, "InTopKV2", 2), v1="math.in_top_k nn.in_top_k"),
    _segment("sum", "UnsortedSegmentSum"),
    _segment("max", "UnsortedSegmentMax"),
    _segment("min", "UnsortedSegmentMin"),
    _segment("prod", "UnsortedSegmentProd"),
    _segment("mean", "UnsortedSegmentSum"),
    _segment("sqrt_n", "UnsortedSegmentSum"),
    api(
        "",
        Operand("minlength", 2, "DenseBincount", 1),
        Operand("maxlength", 3, "DenseBincount", 1),
        Operand("arr", 0, "DenseBincount", 1, note="data, even with minlength and maxlength given"),
        v2="math.bincount",
    ),
    api(
        "",
        Operand("minlength", 2, "DenseBincount", 1),
        Operand("maxlength", 3, "DenseBincount", 1),
        v1="bincount math.bincount",
    ),
    api("", Operand("num_classes", 2, "ScatterNd", 2), v2="math.confusion_matrix"),
    api("", Operand("num_classes", 2, "ScatterNd", 2), v1="confusion_matrix math.confusion_matrix"),
)

_SHAPES: tuple[Rows, ...] = (
    api("reshape", Operand("shape", 1, "Reshape", 1), v1="manip.reshape"),
    api("", Operand("perm", 1, "Transpose", 1), v2="transpose"),
    api("", Operand("perm", 1, "Transpose", 1), v1="transpose"),
    api("", Operand("axis", 1, "ExpandDims", 1), v2="expand_dims"),
    api("", Operand("axis", 1, "ExpandDims", 1), Operand("dim", 3, "ExpandDims", 1), v1="expand_dims"),
    api("concat", Operand("axis", 1, "ConcatV2", 2)),
    api(
        "split",
        Operand("axis", 2, "Split", 0),
        Operand("num_or_size_splits", 1, "SplitV", 1, note="list of sizes; a single count: python_operands"),
    ),
    api("tile", Operand("multiples", 1, "Tile", 1), v1="manip.tile"),
    api("repeat", Operand("repeats", 1, "Tile", 1)),
    api("broadcast_to", Operand("shape", 1, "BroadcastTo", 1)),
    api(
        "broadcast_dynamic_shape",
        Operand("shape_x", 0, "BroadcastArgs", 0),
        Operand("shape_y", 1, "BroadcastArgs", 1),
    ),
    api("fill", Operand("dims", 0, "Fill", 0)),
    api("zeros", Operand("shape", 0, "Fill", 0)),
    api("ones", Operand("shape", 0, "Fill", 0)),
    api(
        "eye linalg.eye",
        Operand("num_rows", 0, "Fill", 0),
        Operand("num_columns", 1, "Fill", 0),
        Operand("batch_shape", 2, "Fill", 0),
    ),
    api(
        "",
        Operand("paddings", 1, "Pad", 1),
        Operand("paddings", 1, "PadV2", 1, note="constant_values given"),
        Operand("paddings", 1, "MirrorPad", 1, note="mode REFLECT or SYMMETRIC"),
        v2="pad",
    ),
    api("", Operand("paddings", 1, "Pad", 1), v1="pad"),
    api("reverse", Operand("axis", 1, "ReverseV2", 1), v1="reverse_v2 manip.reverse"),
    api("roll", Operand("axis", 2, "Roll", 2), v1="manip.roll"),
    api("one_hot", Operand("depth", 1, "OneHot", 1)),
    api(
        "range",
        Operand("limit", 0, "Range", 1, without="limit", note="tf.range(n): n is the limit"),
        Operand("start", 0, "Range", 0),
        Operand("limit", 1, "Range", 1),
        Operand("delta", 2, "Range", 2),
    ),
    api("linspace", Operand("num", 2, "Range", 1), v1="lin_space"),
    api("sequence_mask", Operand("maxlen", 1, "Range", 1)),
    api("TensorArray", Operand("size", 1, "TensorListReserve", 1)),
)

_INDEXING: tuple[Rows, ...] = (
    api("", Operand("axis", 3, "GatherV2", 2), v2="gather"),
    api("", Operand("axis", 4, "GatherV2", 2), v1="gather"),
    api(
        "strided_slice",
        Operand("strides", 3, "StridedSlice", 3, note="begin and end may depend on the index"),
    ),
    api("scatter_nd", Operand("shape", 2, "ScatterNd", 2), v1="manip.scatter_nd"),
    api("", Operand("output_shape", 1, "SparseToDense", 1), v1="sparse_to_dense"),
    api("dynamic_stitch", Operand("indices", 0, "DynamicStitch", 1)),
    api(
        "",
        Operand("y", 1, "ListDiff", 1, note="either input depending on the index fails"),
        Operand("x", 0, "ListDiff", 0),
        v1="setdiff1d",
    ),
    api(
        "linalg.diag",
        Operand("k", 2, "MatrixDiagV3", 1),
        Operand("num_rows", 3, "MatrixDiagV3", 2),
        Operand("num_cols", 4, "MatrixDiagV3", 3),
        v1="matrix_diag",
    ),
    api("linalg.diag_part", Operand("k", 2, "MatrixDiagPartV3", 1), v1="matrix_diag_part"),
    api("linalg.set_diag", Operand("k", 3, "MatrixSetDiagV3", 2), v1="matrix_set_diag"),
)

_BLOCK = Operand("block_shape", 1, "SpaceToBatchND", 1)
_PADDINGS = Operand("paddings", 2, "SpaceToBatchND", 2)

_CONVOLUTIONS: tuple[Rows, ...] = (
    api("", _BLOCK, _PADDINGS, v2="space_to_batch nn.space_to_batch"),
    api("space_to_batch_nd", _BLOCK, _PADDINGS, v1="manip.space_to_batch_nd"),
    api("", Operand("paddings", 1, "SpaceToBatchND", 2), v1="space_to_batch nn.space_to_batch"),
    api(
        "",
        Operand("block_shape", 1, "BatchToSpaceND", 1),
        Operand("crops", 2, "BatchToSpaceND", 2),
        v2="batch_to_space",
    ),
    api("", Operand("crops", 1, "BatchToSpaceND", 2), v1="batch_to_space"),
    api("", Operand("output_shape", 2, "Conv2DBackpropInput", 0), v2="nn.conv2d_transpose"),
    api("", Operand("output_shape", 2, "Conv2DBackpropInput", 0), v1="nn.conv2d_transpose"),
    api("nn.conv1d_transpose", Operand("output_shape", 2, "Conv2DBackpropInput", 0)),
    api("", Operand("output_shape", 2, "Conv3DBackpropInputV2", 0), v2="nn.conv3d_transpose"),
)

_IMAGES: tuple[Rows, ...] = (
    api(
        "",
        Operand("size", 1, "ResizeBilinear", 1),
        Operand("size", 1, "ResizeNearestNeighbor", 1, note="method='nearest'"),
        v2="image.resize",
    ),
    api("", Operand("size", 1, "ResizeBilinear", 1), v1="image.resize image.resize_images"),
    api("", Operand("size", 1, "ResizeBilinear", 1), v1="image.resize_bilinear"),
    api("", Operand("size", 1, "ResizeNearestNeighbor", 1), v1="image.resize_nearest_neighbor"),
    api(
        "image.pad_to_bounding_box",
        Operand("offset_height", 1, "Pad", 1),
        Operand("offset_width", 2, "Pad", 1),
        Operand("target_height", 3, "Pad", 1),
        Operand("target_width", 4, "Pad", 1),
    ),
    api(
        "image.resize_with_crop_or_pad",
        Operand("target_height", 1, "Pad", 1),
        Operand("target_width", 2, "Pad", 1),
        v1="image.resize_image_with_crop_or_pad",
    ),
    api(
        "",
        Operand("target_height", 1, "ResizeBilinear", 1),
        Operand("target_width", 2, "ResizeBilinear", 1),
        v2="image.resize_with_pad",
    ),
    api(
        "",
        Operand("target_height", 1, "ResizeBilinear", 1),
        Operand("target_width", 2, "ResizeBilinear", 1),
        v1="image.resize_image_with_pad",
    ),
    api("image.non_max_suppression", Operand("max_output_size", 2, "NonMaxSuppressionV3", 2)),
    api("image.non_max_suppression_padded", Operand("max_output_size", 2, "Pad", 1)),
)

_SIGNALS: tuple[Rows, ...] = (
    api("signal.rfft", Operand("fft_length", 1, "Pad", 1), v1="spectral.rfft"),
    api("signal.irfft", Operand("fft_length", 1, "Pad", 1), v1="spectral.irfft"),
    api("signal.frame", Operand("frame_length", 1, "Range", 1), Operand("frame_step", 2, "Range", 1)),
    api(
        "signal.stft",
        Operand("frame_length", 1, "Range", 1),
        Operand("frame_step", 2, "Range", 1),
        Operand("fft_length", 3, "Pad", 1),
    ),
    api("signal.hann_window", Operand("window_length", 0, "Range", 1)),
    api("signal.hamming_window", Operand("window_length", 0, "Range", 1)),
    api("signal.overlap_and_add", Operand("frame_step", 1, "Pad", 1)),
)

_RANDOM: tuple[Rows, ...] = (
    api(
        "random.uniform",
        Operand("shape", 0, "RandomUniform", 0),
        Operand("shape", 0, "RandomUniformInt", 0, note="integer dtype"),
        v1="random_uniform",
    ),
    api("random.normal", Operand("shape", 0, "RandomStandardNormal", 0), v1="random_normal"),
    api("random.truncated_normal", Operand("shape", 0, "TruncatedNormal", 0), v1="truncated_normal"),
    api(
        "random.stateless_uniform",
        Operand("shape", 0, "StatelessRandomUniformV2", 0),
        Operand("shape", 0, "StatelessRandomUniformIntV2", 0, note="integer dtype"),
        Operand("shape", 0, "StatelessRandomUniformFullIntV2", 0, note="full integer range"),
    ),
    api("random.stateless_normal", Operand("shape", 0, "StatelessRandomNormalV2", 0)),
    api("random.stateless_truncated_normal", Operand("shape", 0, "StatelessTruncatedNormalV2", 0)),
    _generator("uniform", "shape", "StatelessRandomUniformV2"),
    _generator("normal", "shape", "StatelessRandomNormalV2"),
    _generator("truncated_normal", "shape", "StatelessTruncatedNormalV2"),
    _generator("uniform_full_int", "shape", "StatelessRandomUniformFullIntV2"),
    _generator("make_seeds", "count", "StatelessRandomUniformFullIntV2"),
    api("random.categorical", Operand("num_samples", 1, "Multinomial", 1)),
    api("", Operand("num_samples", 1, "Multinomial", 1), v1="multinomial random.multinomial"),
    api("random.stateless_categorical", Operand("num_samples", 1, "StatelessMultinomial", 1)),
    api("", Operand("noise_shape", 2, "RandomUniform", 0), v2="nn.dropout"),
    api("", Operand("noise_shape", 2, "RandomUniform", 0), v1="nn.dropout"),
    api("nn.experimental.stateless_dropout", Operand("noise_shape", 4, "StatelessRandomUniformV2", 0)),
)

_RAW: tuple[Rows, ...] = (
    _raw("Bincount", ("size", 1)),
    _raw("Conv2DBackpropFilter", ("filter_sizes", 1)),
    _raw("DepthwiseConv2dNativeBackpropInput", ("input_sizes", 0)),
    _raw("Empty", ("shape", 0)),
    _raw("LinSpace", ("num", 2)),
    _raw("MaxPoolV2", ("ksize", 1), ("strides", 2)),
    _raw("ParallelDynamicStitch", ("indices", 1)),
    _raw("SegmentSumV2", ("num_segments", 2)),
    _raw("StridedSliceGrad", ("shape", 0)),
)

_NUMPY: tuple[Rows, ...] = (  # these two stand for their aliases as methods of ndarray, too
    api("", Operand("axis", 1, "Sum", 1), v2="experimental.numpy.sum"),
    api("", Operand("newshape", 1, "Reshape", 1), v2="experimental.numpy.reshape"),
)

_KERAS: tuple[Rows, ...] = (
    keras_api("sum", Operand("axis", 1, "Sum", 1)),
    keras_api("mean", Operand("axis", 1, "Mean", 1)),
    keras_api("max", Operand("axis", 1, "Max", 1)),
    keras_api("argmax", Operand("axis", 1, "ArgMax", 1)),
    keras_api("logsumexp", Operand("axis", 1, "Max", 1)),
    keras_api("cumsum", Operand("axis", 1, "Cumsum", 1)),
    keras_api("segment_sum", Operand("num_segments", 2, "UnsortedSegmentSum", 2)),
    keras_api("zeros", Operand("shape", 0, "Fill", 0)),
    keras_api("ones", Operand("shape", 0, "Fill", 0)),
    keras_api("full", Operand("shape", 0, "BroadcastTo", 1)),
    keras_api("eye", Operand("N", 0, "Fill", 0)),
    keras_api(
        "arange",
        Operand("start", 0, "Range", 1, without="stop", note="keras.ops.arange(n): n is the stop value"),
        Operand("start", 0, "Range", 0),
        Operand("stop", 1, "Range", 1),
        Operand("step", 2, "Range", 2),
    ),
    keras_api("tile", Operand("repeats", 1, "Tile", 1)),
    keras_api("repeat", Operand("repeats", 1, "Tile", 1)),
    keras_api("concatenate", Operand("axis", 1, "ConcatV2", 2)),
    keras_api("split", Operand("axis", 2, "Split", 0)),
    keras_api("pad", Operand("pad_width", 1, "Pad", 1)),
    keras_api("broadcast_to", Operand("shape", 1, "BroadcastTo", 1)),
    keras_api("one_hot", Operand("num_classes", 1, "OneHot", 1)),
    keras_api("take", Operand("axis", 2, "GatherV2", 2)),
    keras_api("roll", Operand("axis", 2, "Roll", 2)),
    keras_api("reshape", Operand("newshape", 1, "Reshape", 1)),
)

ROWS: tuple[Rows, ...] = (
    *_REDUCTIONS,
    *_SHAPES,
    *_INDEXING,
    *_CONVOLUTIONS,
    *_IMAGES,
    *_SIGNALS,
    *_RANDOM,
    *_RAW,
    *_NUMPY,
    *_KERAS,
)
"""All rows by group of equal names: what `CONSTANT_OPERANDS` is made from."""

CONSTANT_OPERANDS: dict[str, tuple[Operand, ...]] = {
    name: operands for names, operands in ROWS for name in names
}
"""Canonical dotted name -> the operands that must be compile-time constants."""

SUBSCRIPT_STEP = Operand("step", None, "StridedSlice", 3, kind="subscript")
"""The step of a subscript on a tensor, `x[::step]`; start and stop may depend on the index."""

ASSIGN_BEGIN = Operand("begin", None, "ResourceStridedSliceAssign", 1, kind="subscript")
ASSIGN_END = Operand("end", None, "ResourceStridedSliceAssign", 2, kind="subscript")
"""The borders of a sliced assignment to a variable, `v[begin:end].assign(...)`."""
