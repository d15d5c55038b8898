"""Random generators of TensorFlow: how they are made, what their seeds mean, and what has no XLA kernel.

Source: measured with TensorFlow 2.21 on XLA:CPU. Seeds were given as arguments: with literal ones some
of the ops without a kernel are folded to a constant before XLA sees them.
"""

from __future__ import annotations

GENERATOR = "tensorflow.random.Generator"
SEEDED = f"{GENERATOR}.from_seed"
SPLIT = f"{GENERATOR}.split"
UNSEEDED = "from_non_deterministic_state"
GLOBAL = "tensorflow.random.get_global_generator"

MAKERS: frozenset[str] = frozenset(
    {
        GENERATOR,
        SEEDED,
        f"{GENERATOR}.from_state",
        f"{GENERATOR}.from_key_counter",
        f"{GENERATOR}.from_non_deterministic_state",
    }
)
"""Calls that make a generator, and so a variable: not allowed while a function is traced."""

DRAWS: frozenset[str] = frozenset(
    {
        "normal",
        "uniform",
        "truncated_normal",
        "uniform_full_int",
        "binomial",
        "make_seeds",
        "split",
    }
)
"""Methods that take numbers from the stream of a generator."""

WORD = 2**64
NEAR = 2**20
"""Blocks of four float32 numbers. A draw of n numbers reads n / 4 of them, and the stream moves on by 256 n:
streams that begin further apart than this share numbers only by accident."""


def state(seed: int | tuple[int, ...]) -> tuple[int, int, int]:
    """The state that `from_seed` makes of a seed: two words of a counter, and the key of the stream.

    A Python int becomes the counter: seeds that differ by one are one stream, four numbers apart.
    Lists are filled up from the left: the last number is the key.
    """
    if isinstance(seed, int):
        return (seed % WORD, (seed // WORD) % WORD, (seed // WORD**2) % WORD)
    words = [0, 0, 0, *(word % WORD for word in seed[:3])]
    return (words[-3], words[-2], words[-1])


SHUFFLE = "tensorflow.random.experimental.stateless_shuffle"
SHUFFLE_ARGUMENTS = ("value", "seed", "alg", "name")

CATEGORICAL = "tensorflow.random.stateless_categorical"
CATEGORICAL_ARGUMENTS = ("logits", "num_samples", "seed", "dtype", "name")

NO_KERNEL: dict[str, str] = {
    "tensorflow.random.experimental.index_shuffle": "draw it outside of the compiled function and pass it in",
    "tensorflow.random.stateless_gamma": "draw it outside of the compiled function and pass it in",
    "tensorflow.random.stateless_poisson": "draw it outside of the compiled function and pass it in",
    "tensorflow.random.stateless_binomial": (
        "draw it outside of the compiled function and pass it in; a small fixed number of trials is a sum"
        " of comparisons with uniform draws"
    ),
    f"{GENERATOR}.binomial": (
        "draw it outside of the compiled function and pass it in; a small fixed number of trials is a sum"
        " of comparisons with uniform draws"
    ),
    "tensorflow.image.stateless_random_jpeg_quality": "it belongs in the input pipeline",
    "tensorflow.image.stateless_sample_distorted_bounding_box": "it belongs in the input pipeline",
    SPLIT: "it makes new generators, which must exist before the function is traced: split outside",
}
"""Random ops with a seed of their own that XLA cannot compile, and what to do instead."""

DEVICE_SETUP: tuple[str, ...] = (
    "set_logical_device_configuration",
    "set_virtual_device_configuration",
    "set_visible_devices",
    "set_memory_growth",
    "set_inter_op_parallelism_threads",
    "set_intra_op_parallelism_threads",
    "experimental_connect_to_cluster",
    "initialize_tpu_system",
)
"""Calls that fail once the runtime is up, which the first generator starts."""

GRAPH_MODE: tuple[str, ...] = ("disable_eager_execution", "disable_v2_behavior")
"""Calls after which the variable of a generator would have to be initialised by hand."""

REPLICAS: tuple[str, ...] = ("distribute.", "Strategy(")
"""Texts of programs with replicas, for which it matters where a generator is made."""
