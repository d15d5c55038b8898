"""Random numbers of Python and NumPy, which traced code draws once, while it is traced.

Source: the documentation of both, and TensorFlow 2.21: the numbers become constants of the graph, with
`jit_compile` and without.
"""

from __future__ import annotations

MODULES: tuple[str, ...] = ("random.", "numpy.random.", "secrets.")
"""Canonical names of what draws begin like this."""

STREAMS: tuple[str, ...] = (
    "random.Random",
    "random.SystemRandom",
    "numpy.random.Generator",
    "numpy.random.RandomState",
)
"""Classes whose methods draw."""

MAKERS: dict[str, str] = {
    "random.Random": "random.Random",
    "random.SystemRandom": "random.SystemRandom",
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.Generator": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random.RandomState",
    "numpy.random.mtrand.RandomState": "numpy.random.RandomState",
}
"""Calls that make such an object, and its class."""

SEEDS: frozenset[str] = frozenset({"random.seed", "numpy.random.seed"})
"""Calls after which the draws of their module start anew."""

NO_DRAWS: frozenset[str] = frozenset(
    {
        "seed",
        "get_state",
        "set_state",
        "getstate",
        "setstate",
        "default_rng",
        "spawn",
        "bit_generator",
        "get_bit_generator",
        "set_bit_generator",
        "compare_digest",
    }
)
"""Functions and methods that draw nothing."""
