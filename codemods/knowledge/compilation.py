"""What XLA does with calls of TensorFlow that a graph outside of XLA may hold.

Names are canonical, with compat.v1 folded in; an entry that ends with a star stands for all that
begin like it. Measured with TensorFlow 2.21 on XLA:CPU ("No registered ... OpKernel"), the families of
host-side functions read from its documentation.
"""

from __future__ import annotations

DOES_NOT_COMPILE = (
    "tensorflow.print",
    "tensorflow.py_function",
    "tensorflow.numpy_function",
    "tensorflow.py_func",
    "tensorflow.as_string",
    "tensorflow.strings.*",
    "tensorflow.summary.*",
    "tensorflow.io.*",
    "tensorflow.data.*",
    "tensorflow.lookup.*",
    "tensorflow.queue.*",
    "tensorflow.train.Checkpoint",
    "tensorflow.saved_model.*",
    "tensorflow.timestamp",
    "tensorflow.unravel_index",
    "tensorflow.histogram_fixed_width",
    "tensorflow.ragged.*",
    "tensorflow.sparse.*",
    "tensorflow.math.reduce_euclidean_norm",
    "tensorflow.image.crop_and_resize",
    "tensorflow.image.extract_glimpse",
    "tensorflow.image.decode_jpeg",
    "tensorflow.image.decode_png",
    "tensorflow.image.decode_image",
    "tensorflow.random.gamma",
    "tensorflow.random.poisson",
    "tensorflow.distribute.*",
    "tensorflow.linalg.eig",
    "tensorflow.linalg.eigvals",
    "tensorflow.linalg.det",
    "tensorflow.linalg.slogdet",
    "tensorflow.linalg.logdet",
    "tensorflow.linalg.logm",
    "tensorflow.linalg.sqrtm",
    "tensorflow.linalg.lu",
    "tensorflow.linalg.lu_solve",
    "tensorflow.linalg.tridiagonal_solve",
    "tensorflow.math.segment_*",
    "tensorflow.math.bessel_*",
    "tensorflow.math.special.*",
    "tensorflow.nn.ctc_*",
    "tensorflow.nn.fractional_max_pool",
    "tensorflow.nn.fractional_avg_pool",
    "tensorflow.nn.max_pool_with_argmax",
    "tensorflow.nn.dilation2d",
    "tensorflow.nn.erosion2d",
    "tensorflow.nn.sampled_softmax_loss",
    "tensorflow.nn.nce_loss",
    "tensorflow.nn.isotonic_regression",
    "tensorflow.quantization.*",
    "tensorflow.image.resize_area",
    "tensorflow.image.resize_bicubic",
    "tensorflow.image.combined_non_max_suppression",
    "tensorflow.image.draw_bounding_boxes",
    "tensorflow.image.adjust_jpeg_quality",
    "tensorflow.image.random_jpeg_quality",
    "tensorflow.image.sample_distorted_bounding_box",
    "tensorflow.sets.*",
    "tensorflow.edit_distance",
    "tensorflow.parallel_stack",
    "tensorflow.unique_with_counts",
    "tensorflow.random.stateless_gamma",
    "tensorflow.random.stateless_poisson",
    "tensorflow.random.experimental.stateless_shuffle",
    "tensorflow.random.uniform_candidate_sampler",
    "tensorflow.random.log_uniform_candidate_sampler",
    "tensorflow.random.learned_unigram_candidate_sampler",
    "tensorflow.audio.*",
    "tensorflow.RaggedTensor.*",
    "tensorflow.raw_ops.ImageProjectiveTransformV3",
    "keras.layers.StringLookup",
    "keras.layers.TextVectorization",
    "keras.layers.Hashing",
)

DRAWS = (
    "tensorflow.random.normal",
    "tensorflow.random.uniform",
    "tensorflow.random.truncated_normal",
    "tensorflow.random.categorical",
    "tensorflow.random.shuffle",
    "tensorflow.random.log_uniform_candidate_sampler",
    "tensorflow.random_normal",
    "tensorflow.random_uniform",
    "tensorflow.truncated_normal",
    "tensorflow.multinomial",
    "tensorflow.random.multinomial",
    "tensorflow.random_shuffle",
    "tensorflow.nn.dropout",
    "tensorflow.image.random_*",
    "tensorflow.image.stateless_sample_distorted_bounding_box",
    "tensorflow.random_crop",
    "tensorflow.image.random_crop",
    "tensorflow.random.stateless_*",
    "tensorflow.random.Generator.*",
    "keras.backend.random_*",
    "keras.random.*",
    "keras.layers.Dropout",
    "keras.layers.SpatialDropout1D",
    "keras.layers.SpatialDropout2D",
    "keras.layers.SpatialDropout3D",
    "keras.layers.GaussianDropout",
    "keras.layers.GaussianNoise",
    "keras.layers.AlphaDropout",
    "keras.layers.Random*",
)
"""Under XLA they draw other numbers; the stateful ones do not even follow the seed."""

MAKES_VARIABLES = (
    "tensorflow.Variable",
    "tensorflow.random.Generator.from_seed",
    "tensorflow.random.Generator.from_non_deterministic_state",
    "keras.optimizers.*",
    "keras.layers.*",
    "keras.metrics.*",
    "keras.Sequential",
    "keras.Model",
)

CHECKS_NOTHING = ("tensorflow.debugging.*", "tensorflow.Assert", "tensorflow.assert_*")
"""Under XLA these pass, whatever the values are."""

DEPENDS_ON_DATA = ("tensorflow.boolean_mask", "tensorflow.unique")
"""Results whose shape depends on data; what consumes them may be silently wrong."""


def listed(name: str, table: tuple[str, ...]) -> bool:
    """Is a canonical name in a table, or does it begin like an entry that ends with a star?"""
    return any(name.startswith(e[:-1]) if e.endswith("*") else name == e for e in table)
