"""A loop without a bound, and the tape outside of XLA: two errors, one behind the other.

SAFE: the number of rounds is a constant of the module; the outer function is a tf.function.
"""
import tensorflow as tf

ENTRY = "orbits.fit:by_eccentricity"
BEFORE = "error"
ERROR = "fixed tensor list size|TensorList crossing"
WEAKEN = [
    ("orbits/fit.py", "@tf.function(jit_compile=True)", "@tf.function"),
    ("orbits/kepler.py", "maximum_iterations=ROUNDS", "maximum_iterations=ROUNDS - 4"),
]


def inputs():
    return [tf.constant([0.5, 1.5]), tf.constant(0.2)]


def more_inputs():
    return [[tf.constant([0.0]), tf.constant(0.9)]]
