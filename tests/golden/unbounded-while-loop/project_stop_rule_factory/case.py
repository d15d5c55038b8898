"""The condition is made by a factory in another module; its limit is the factory's argument.

SAFE: the name of the limit inside of the condition means nothing where the loop starts, the attribute that was given does.
"""
import tensorflow as tf

ENTRY = "solver.meta:run"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("solver/steps.py", "maximum_iterations=self.rounds", "maximum_iterations=self.rounds - 1")]


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0])]


def more_inputs():
    return [[tf.constant([1.0, 3.0]), tf.constant([1.0, 2.0])], [tf.constant(0.0), tf.constant([1.0])]]
