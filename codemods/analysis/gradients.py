"""Where a derivative is taken: under a gradient tape, or in a function that calls `tf.gradients`."""

from __future__ import annotations

from codemods.analysis import calls, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, ApiObject

_TAPES = ("tensorflow.GradientTape", "tensorflow.autodiff.ForwardAccumulator")


def takes_gradient(function: Scope, module: Module, ev: Evaluator) -> str:
    """ "all" if `tf.gradients` is called in the function, "tape" if it opens a tape, else ""."""
    found = ""
    for node in calls.own_nodes(function):
        if isinstance(node, (tree.With, tree.AsyncWith)):
            for item in node.items:
                if any(
                    isinstance(v, ApiObject) and v.name in _TAPES
                    for v in ev.evaluate(item.context_expr, module)
                ):
                    found = found or "tape"
        elif (
            isinstance(node, tree.Call)
            and isinstance(node.func, tree.Attribute)
            and node.func.attr == "gradients"
        ):
            values = ev.evaluate(node.func, module)
            if any(isinstance(v, Api) and v.name.endswith("gradients") for v in values):
                found = "all"
    return found


def in_tape(node: Node, module: Module, ev: Evaluator, taped: str) -> bool:
    """Does a tape record this place (or does `tf.gradients` see it)?"""
    if taped == "all":
        return True
    for ancestor in module.ancestors(node):
        if isinstance(ancestor, tree.FUNCTIONS):
            return False
        if isinstance(ancestor, (tree.With, tree.AsyncWith)):
            for item in ancestor.items:
                if any(
                    isinstance(v, ApiObject) and v.name in _TAPES
                    for v in ev.evaluate(item.context_expr, module)
                ):
                    return True
    return False
