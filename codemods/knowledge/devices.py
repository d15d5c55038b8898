"""What makes variables and opens device scopes, and what uses of a variable do not read it.

Measured with TensorFlow 2.21.0 and Keras 3.15.1 on two logical CPU devices, one maker at a time.
Names are canonical, with `compat.v1` folded in.
"""

from __future__ import annotations

import re

WORDS = (b"device(", b"OneDeviceStrategy", b"MirroredStrategy")
"""One of these stands in a program that puts variables on other devices than the default."""

SCOPED = re.compile(rb"(?<!\w)device\(|Strategy\(")
"""What the words above have to be part of."""

SCOPES = frozenset({"tensorflow.device", "keras.device"})
"""Calls that give a device scope; the first argument is the device, and None leaves all scopes."""

SCOPE_ARGUMENTS = frozenset({"device_name", "device_name_or_function", "device", "name"})

ENTERS = frozenset({"enter_context", "__enter__"})
"""Methods that open a scope without `with`: the scope is their argument, or their object."""

VARIABLES = frozenset({
    "tensorflow.Variable", "tensorflow.get_variable", "keras.Variable", "keras.backend.variable",
})  # fmt: skip
"""Calls that make a variable on the device of the innermost scope."""

VARIABLE_METHODS = frozenset({"add_weight", "add_variable"})
"""Methods of Keras layers, models and metrics that do so."""

STATES = ("tensorflow.random.Generator", "tensorflow.random.experimental.Generator")
"""Objects that hold state: the class, or a function of it that makes one."""

STATE_PREFIXES = (
    "keras.optimizers.",
    "keras.metrics.",
    "tensorflow.optimizers.",
    "tensorflow.metrics.",
)
"""Where the classes are whose objects make their variables at once (Keras 3: also the step counter and
the learning rate of an optimizer)."""

NO_STATE = ("schedules.", "serialize", "deserialize", "get")
"""What follows such a prefix in names that make no variables."""

SEEDED = frozenset({
    "keras.random.SeedGenerator", "keras.layers.Dropout", "keras.layers.SpatialDropout1D",
    "keras.layers.SpatialDropout2D", "keras.layers.SpatialDropout3D", "keras.layers.GaussianNoise",
    "keras.layers.GaussianDropout", "keras.layers.AlphaDropout",
})  # fmt: skip
"""Keras objects whose seed is a variable that they make at once."""

SEQUENTIAL = frozenset({"keras.Sequential", "keras.models.Sequential"})
MODELS = frozenset({"keras.Model", "keras.models.Model"})
INPUTS = frozenset({"keras.Input", "keras.layers.Input", "keras.InputLayer", "keras.layers.InputLayer"})
INPUT_KEYWORDS = frozenset({"input_shape", "input_dim", "batch_input_shape"})
"""A Sequential makes its variables at once only where it knows its input; other layers when first called."""

NO_VARIABLES = frozenset({
    "Activation", "Add", "Average", "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "Concatenate",
    "Cropping1D", "Cropping2D", "Cropping3D", "Dot", "ELU", "Flatten", "GlobalAveragePooling1D",
    "GlobalAveragePooling2D", "GlobalAveragePooling3D", "GlobalMaxPooling1D", "GlobalMaxPooling2D",
    "GlobalMaxPooling3D", "Identity", "Input", "InputLayer", "Lambda", "LeakyReLU", "Masking", "MaxPooling1D",
    "MaxPooling2D", "MaxPooling3D", "Maximum", "Minimum", "Multiply", "Permute", "ReLU", "RepeatVector",
    "Rescaling", "Reshape", "Resizing", "Softmax", "Subtract", "UnitNormalization", "UpSampling1D",
    "UpSampling2D", "UpSampling3D", "ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D",
})  # fmt: skip
"""Layers of Keras without variables."""

KERAS_RUNS = frozenset({
    "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch",
})  # fmt: skip
"""Methods of a Keras model that run its compiled steps."""

WRITES = frozenset({
    "assign", "assign_add", "assign_sub", "batch_scatter_update", "scatter_add", "scatter_sub",
    "scatter_update", "scatter_max", "scatter_min", "scatter_mul", "scatter_div", "scatter_nd_add",
    "scatter_nd_sub", "scatter_nd_update", "load", "count_up_to",
})  # fmt: skip
"""Methods of a variable that change it."""

UNREAD = frozenset({
    "shape", "dtype", "name", "device", "trainable", "ndim", "rank", "get_shape", "handle", "path",
    "synchronization", "aggregation", "constraint", "built", "input_shape", "output_shape",
})  # fmt: skip
"""Attributes that do not touch the value."""

STRATEGIES = "tensorflow.distribute."
ONE_DEVICE = frozenset({
    "tensorflow.distribute.OneDeviceStrategy", "tensorflow.distribute.experimental.OneDeviceStrategy",
})  # fmt: skip
"""The strategy whose argument is the device of its variables."""
MIRRORED = frozenset({"tensorflow.distribute.MirroredStrategy"})
"""The strategy whose argument lists the devices of its variables, one copy on each."""

GATHERS = frozenset({
    "tensorflow.gather", "tensorflow.gather_nd", "tensorflow.nn.embedding_lookup",
    "tensorflow.nn.embedding_lookup_sparse", "tensorflow.nn.safe_embedding_lookup_sparse",
})  # fmt: skip
"""Calls that take some rows of a table, which alone could go to another device."""
