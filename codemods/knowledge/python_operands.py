"""Operands that must be Python values: a tensor there fails while tracing, compiled or not.

Every row was traced with the index of a tensor loop in exactly that operand, with and without
`jit_compile`: TypeError, ValueError, NotImplementedError or OperatorNotAllowedInGraphError
(TensorFlow 2.21.0, Keras 3.15.1). Iterating over a Python `range` mends them all.

Not in the table, since no API stands for them: `x.shape[i]`, `pylist[i]`, `pydict[i]`, `int(i)` used
as a number, `range(i)` inside a lambda, `list.append` in the body of a tensor loop with a use after
it, an f-string in `tf.name_scope`.
"""

from __future__ import annotations

from codemods.knowledge.operands import Operand, Rows, api, keras_api


def _py(argument: str, position: int, *, note: str = "") -> Operand:
    return Operand(argument, position, "", -1, note=note)


_AXES: tuple[Rows, ...] = (
    api("norm linalg.norm", _py("axis", 2)),
    api("", _py("axis", 1), v2="nn.softmax nn.log_softmax"),
    api("", _py("axis", 1), _py("dim", 3), v1="nn.softmax nn.log_softmax"),
    api("nn.moments", _py("axes", 1)),
    api("sort argsort", _py("axis", 1)),
    api("", _py("axis", 1), v2="squeeze"),
    api("", _py("axis", 1), _py("squeeze_dims", 3), v1="squeeze"),
    api("stack", _py("axis", 1)),
    api("unstack", _py("num", 1), _py("axis", 2)),
    api("repeat", _py("axis", 2)),
    api("one_hot", _py("axis", 4)),
    api("tensordot linalg.tensordot", _py("axes", 2)),
    api("split", _py("num_or_size_splits", 1, note="a single count")),
    api("", _py("batch_dims", 4), v2="gather"),
    api("", _py("batch_dims", 5), v1="gather"),
    api("", _py("batch_dims", 2), v2="gather_nd"),
    api("", _py("batch_dims", 3), v1="gather_nd"),
)

_WINDOWS: tuple[Rows, ...] = (
    api("nn.max_pool nn.max_pool1d nn.max_pool2d nn.max_pool3d", _py("ksize", 1), _py("strides", 2)),
    api("nn.avg_pool nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d", _py("ksize", 1), _py("strides", 2)),
    api("", _py("window_shape", 1), _py("strides", 3), v2="nn.pool"),
    api("", _py("window_shape", 1), _py("strides", 5), v1="nn.pool"),
    api("nn.conv1d", _py("stride", 2)),
    api("", _py("strides", 2), _py("dilations", 5), v2="nn.conv2d"),
    api("", _py("strides", 2), _py("dilations", 6), v1="nn.conv2d"),
    api("nn.conv3d", _py("strides", 2)),
    api("", _py("strides", 2), v2="nn.convolution"),
    api("", _py("strides", 3), v1="nn.convolution"),
    api("nn.depthwise_conv2d", _py("strides", 2)),
    api("nn.separable_conv2d", _py("strides", 3)),
    api("nn.conv2d_transpose", _py("strides", 3)),
    api("nn.depth_to_space nn.space_to_depth", _py("block_size", 1), v1="depth_to_space space_to_depth"),
    api("signal.dct signal.idct", _py("n", 2), v1="spectral.dct spectral.idct"),
    api("image.extract_patches", _py("sizes", 1), _py("strides", 2), _py("rates", 3)),
    api(
        "",
        _py("ksizes", 1),
        _py("strides", 2),
        _py("rates", 3),
        v1="extract_image_patches image.extract_image_patches",
    ),
)

_KERAS: tuple[Rows, ...] = (
    keras_api("expand_dims", _py("axis", 1)),
    keras_api("transpose", _py("axes", 1)),
    keras_api("softmax", _py("axis", 1)),
    keras_api("linspace", _py("num", 2)),
    keras_api("flip", _py("axis", 1)),
    keras_api("split", _py("indices_or_sections", 1)),
    keras_api("sort", _py("axis", 1)),
    keras_api("image.resize", _py("size", 1)),
)

ROWS: tuple[Rows, ...] = (*_AXES, *_WINDOWS, *_KERAS, (("numpy.zeros",), (_py("shape", 0),)))

PYTHON_ATTRIBUTE_OPERANDS: dict[str, tuple[Operand, ...]] = {
    name: operands for names, operands in ROWS for name in names
}
"""Canonical dotted name -> the operands that must be Python values."""
