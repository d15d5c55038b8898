"""The condition is imported, and its limit is a constant that has no name in the module of the loop.

SAFE: the number itself is the bound.
"""
import tensorflow as tf

ENTRY = "weather.service:sensitivity"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("weather/model.py", "maximum_iterations=12", "maximum_iterations=11")]


def inputs():
    return [tf.constant([0.5, 1.5])]


def more_inputs():
    return [[tf.constant([0.0])], [tf.constant([[1e-3], [6.0]])]]
