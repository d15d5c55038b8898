"""Stateful random ops: their arguments, and the form that follows a seed under XLA.

Under XLA these ops ignore both the global seed and their own. Methods of a generator follow it, and so
do stateless ops that are given a seed drawn from one. Names are canonical; v1 and v2 are told apart,
because the order of their arguments differs. Ops that are not here are left alone: stateless ones,
`keras.random`, the layers of Keras and initialisers.

Source: measured with TensorFlow 2.21 on XLA:CPU, op by op: does it compile before and after, does a
seed change the numbers, are shape, dtype and distribution the same.
"""

from __future__ import annotations

from dataclasses import dataclass

GENERATOR = "tensorflow.random.Generator"

RNG = "{rng}"
"""In the texts of a replacement: the generator."""
SEED = "{seed}"
"""In the texts of a replacement: a seed for a stateless op, drawn from the generator."""


@dataclass(frozen=True)
class Replacement:
    """What to call instead.

    callee: a method of the generator, or a name of TensorFlow. arguments: those of the new call, in
    positional order. renamed: (old, new). added: (argument, text). form: "" for a plain call, else one
    of the shapes that are not: "shuffle" (a gather of sorted random keys), "bernoulli" (a comparison
    with uniform numbers), "keep-prob" (the probability is the other one). floatx: an absent dtype
    means that of `keras.backend.floatx()`. v2_only: not exported below tensorflow.compat.v1.
    """

    callee: str
    arguments: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    form: str = ""
    floatx: bool = False
    v2_only: bool = False


@dataclass(frozen=True)
class RandomOp:
    """A stateful random op. arguments: in positional order.

    replacement: None where `why` says what to do instead. compiles: without a change; where not, there
    is no kernel for it. harmless_with: an argument that, if given, leaves nothing to draw.
    """

    arguments: tuple[str, ...]
    replacement: Replacement | None
    why: str = ""
    compiles: bool = True
    harmless_with: str = ""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_SEEDED = (("seed", SEED),)
_MEAN = _words("shape mean stddev dtype name")
_RANGE = _words("shape minval maxval dtype name")
_DROPOUT = Replacement(
    "nn.experimental.general_dropout",
    _words("x rate uniform_sampler noise_shape name"),
    added=(("uniform_sampler", f"{RNG}.uniform"),),
)
_CATEGORICAL = Replacement(
    "random.stateless_categorical", _words("logits num_samples seed dtype name"), added=_SEEDED
)


def _keras(method: str, arguments: tuple[str, ...]) -> Replacement:
    return Replacement(f"{RNG}.{method}", arguments, floatx=True)


def _image(name: str, arguments: str) -> Replacement:
    """The stateless image ops take the seed behind the arguments of the old ones."""
    return Replacement(f"image.stateless_{name}", _words(arguments), added=_SEEDED, v2_only=True)


_OUTSIDE = "draw it outside of the compiled function and pass it in"
_SAMPLES = "draw the samples outside of the compiled function and pass them in"
_PIPELINE = "it belongs into the input pipeline"
_SAMPLER = _words("true_classes num_true num_sampled unique range_max seed name")
_LOSS = _words(
    "weights biases labels inputs num_sampled num_classes num_true sampled_values remove_accidental_hits"
)
_POOL = "no fractional pooling has one"

_ROWS: tuple[tuple[str, str, Replacement | None, str], ...] = (
    (
        "random.normal v1.random.normal v1.random_normal",
        "shape mean stddev dtype seed name",
        Replacement(f"{RNG}.normal", _MEAN),
        "",
    ),
    (
        "random.uniform v1.random.uniform v1.random_uniform",
        "shape minval maxval dtype seed name",
        Replacement(f"{RNG}.uniform", _RANGE),
        "",
    ),
    (
        "random.truncated_normal v1.random.truncated_normal v1.truncated_normal",
        "shape mean stddev dtype seed name",
        Replacement(f"{RNG}.truncated_normal", _MEAN),
        "",
    ),
    (
        "random.categorical v1.random.categorical",
        "logits num_samples dtype seed name",
        _CATEGORICAL,
        "",
    ),
    (
        "v1.multinomial v1.random.multinomial",
        "logits num_samples seed name output_dtype",
        Replacement(
            _CATEGORICAL.callee,
            _CATEGORICAL.arguments,
            renamed=(("output_dtype", "dtype"),),
            added=_SEEDED,
        ),
        "",
    ),
    (
        "random.shuffle v1.random.shuffle v1.random_shuffle",
        "value seed name",
        Replacement("", ("value",), form="shuffle"),
        "",
    ),
    ("nn.dropout", "x rate noise_shape seed name", _DROPOUT, ""),
    (
        "v1.nn.dropout",
        "x keep_prob noise_shape seed name rate",
        Replacement(_DROPOUT.callee, _DROPOUT.arguments, added=_DROPOUT.added, form="keep-prob"),
        "",
    ),
    (
        "image.random_brightness v1.image.random_brightness",
        "image max_delta seed",
        _image("random_brightness", "image max_delta seed"),
        "",
    ),
    (
        "image.random_contrast v1.image.random_contrast",
        "image lower upper seed",
        _image("random_contrast", "image lower upper seed"),
        "",
    ),
    (
        "image.random_hue v1.image.random_hue",
        "image max_delta seed",
        _image("random_hue", "image max_delta seed"),
        "",
    ),
    (
        "image.random_saturation v1.image.random_saturation",
        "image lower upper seed",
        _image("random_saturation", "image lower upper seed"),
        "",
    ),
    (
        "image.random_flip_left_right v1.image.random_flip_left_right",
        "image seed",
        _image("random_flip_left_right", "image seed"),
        "",
    ),
    (
        "image.random_flip_up_down v1.image.random_flip_up_down",
        "image seed",
        _image("random_flip_up_down", "image seed"),
        "",
    ),
    (
        "image.random_crop v1.image.random_crop v1.random_crop",
        "value size seed name",
        _image("random_crop", "value size seed name"),
        "",
    ),
    ("K.random_normal", "shape mean stddev dtype seed", _keras("normal", _MEAN), ""),
    ("K.random_uniform", "shape minval maxval dtype seed", _keras("uniform", _RANGE), ""),
    ("K.truncated_normal", "shape mean stddev dtype seed", _keras("truncated_normal", _MEAN), ""),
    (
        "K.random_bernoulli",
        "shape p dtype seed",
        Replacement(f"{RNG}.uniform", _RANGE, form="bernoulli", floatx=True),
        "",
    ),
    (
        "K.dropout",
        "x level noise_shape seed",
        Replacement(_DROPOUT.callee, _DROPOUT.arguments, renamed=(("level", "rate"),), added=_DROPOUT.added),
        "",
    ),
    (
        (
            "raw_ops.RandomStandardNormal raw_ops.RandomUniform raw_ops.RandomUniformInt "
            "raw_ops.TruncatedNormal raw_ops.ParameterizedTruncatedNormal"
        ),
        "",
        None,
        "there is no rewrite for raw ops",
    ),
)

_WITHOUT_KERNEL: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    (
        "random.gamma v1.random.gamma v1.random_gamma",
        _words("shape alpha beta dtype seed name"),
        _OUTSIDE,
        "",
    ),
    ("random.poisson", _words("shape lam dtype seed name"), _OUTSIDE, ""),
    ("v1.random_poisson v1.random.poisson", _words("lam shape dtype seed name"), _OUTSIDE, ""),
    (
        "image.random_jpeg_quality v1.image.random_jpeg_quality",
        _words("image min_jpeg_quality max_jpeg_quality seed"),
        _PIPELINE,
        "",
    ),
    (
        "image.sample_distorted_bounding_box",
        _words(
            "image_size bounding_boxes seed min_object_covered aspect_ratio_range area_range "
            "max_attempts use_image_if_no_bounding_boxes name"
        ),
        _PIPELINE,
        "",
    ),
    (
        "v1.image.sample_distorted_bounding_box",
        _words(
            "image_size bounding_boxes seed seed2 min_object_covered aspect_ratio_range area_range "
            "max_attempts use_image_if_no_bounding_boxes name"
        ),
        _PIPELINE,
        "",
    ),
    (
        (
            "random.uniform_candidate_sampler v1.random.uniform_candidate_sampler "
            "v1.nn.uniform_candidate_sampler random.log_uniform_candidate_sampler "
            "v1.random.log_uniform_candidate_sampler v1.nn.log_uniform_candidate_sampler "
            "nn.learned_unigram_candidate_sampler random.learned_unigram_candidate_sampler "
            "v1.random.learned_unigram_candidate_sampler v1.nn.learned_unigram_candidate_sampler"
        ),
        _SAMPLER,
        _SAMPLES,
        "",
    ),
    (
        (
            "nn.fixed_unigram_candidate_sampler random.fixed_unigram_candidate_sampler "
            "v1.random.fixed_unigram_candidate_sampler v1.nn.fixed_unigram_candidate_sampler"
        ),
        _words(
            "true_classes num_true num_sampled unique range_max vocab_file distortion num_reserved_ids "
            "num_shards shard unigrams seed name"
        ),
        _SAMPLES,
        "",
    ),
    (
        (
            "nn.all_candidate_sampler random.all_candidate_sampler v1.random.all_candidate_sampler "
            "v1.nn.all_candidate_sampler"
        ),
        _words("true_classes num_true num_sampled unique seed name"),
        _SAMPLES,
        "",
    ),
    (
        "nn.nce_loss v1.nn.nce_loss",
        _LOSS,
        "draw `sampled_values` outside of the compiled function and pass them in",
        "sampled_values",
    ),
    (
        "nn.sampled_softmax_loss v1.nn.sampled_softmax_loss",
        _LOSS,
        (
            "draw `sampled_values` outside of the compiled function and pass them in, with "
            "`remove_accidental_hits=False`: the search for hits has no kernel either"
        ),
        "",
    ),
    (
        "nn.fractional_max_pool nn.fractional_avg_pool",
        _words("value pooling_ratio pseudo_random overlapping seed name"),
        _POOL,
        "",
    ),
    (
        "v1.nn.fractional_max_pool v1.nn.fractional_avg_pool",
        _words("value pooling_ratio pseudo_random overlapping deterministic seed seed2 name"),
        _POOL,
        "",
    ),
)

_PREFIXES = (("v1.", "tensorflow.compat.v1."), ("K.", "keras.backend."))


def _full(name: str) -> str:
    for short, long in _PREFIXES:
        if name.startswith(short):
            return long + name[len(short) :]
    return f"tensorflow.{name}"


def _table() -> dict[str, RandomOp]:
    found: dict[str, RandomOp] = {}
    for names, arguments, replacement, why in _ROWS:
        op = RandomOp(_words(arguments), replacement, why)
        found.update((_full(name), op) for name in names.split())
    for names, positional, why, harmless in _WITHOUT_KERNEL:
        op = RandomOp(positional, None, why, compiles=False, harmless_with=harmless)
        found.update((_full(name), op) for name in names.split())
    return found


RANDOM_OPS: dict[str, RandomOp] = _table()
"""Canonical name -> the op. The v1 names that TensorFlow exports under both are all listed."""

SETS_SEED: frozenset[str] = frozenset(
    {
        "tensorflow.random.set_seed",
        "tensorflow.compat.v1.set_random_seed",
        "tensorflow.compat.v1.random.set_random_seed",
        "keras.utils.set_random_seed",
    }
)
"""Calls that set the global seed, which is their first argument; none reaches a generator."""

SETS_GLOBAL_GENERATOR = "tensorflow.random.set_global_generator"

DEVICE_SETUP: frozenset[str] = frozenset(
    {
        "set_logical_device_configuration",
        "set_virtual_device_configuration",
        "set_visible_devices",
        "set_memory_growth",
        "set_inter_op_parallelism_threads",
        "set_intra_op_parallelism_threads",
        "experimental_connect_to_cluster",
        "initialize_tpu_system",
    }
)
"""Calls that fail once the runtime is up, which the first generator starts."""

GRAPH_MODE: frozenset[str] = frozenset({"disable_eager_execution", "disable_v2_behavior"})
"""Calls after which the variable of a generator would have to be initialised by hand."""

MAKES_VARIABLE: frozenset[str] = frozenset(
    {"Variable", "get_variable", "add_weight", "add_variable", "init_scope"}
)
"""Calls whose arguments or blocks run outside of XLA, once: an initial value follows the seed as it is."""
