"""`tf.map_fn` and kin over a range of numbers: loops whose body is a function."""

from __future__ import annotations

from codemods.analysis import library
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.names import may_be_called
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Function, Tensor

_MAPPERS = {
    "tensorflow.map_fn": (0, 1),
    "tensorflow.scan": (1, 1),
    "tensorflow.foldl": (1, 1),
    "tensorflow.foldr": (1, 1),
}


def mapped_function(node: Node, module: Module, ev: Evaluator) -> tuple[Scope, list[str]] | None:
    """The function and the parameter that get the numbers, where a call maps over a `tf.range`."""
    if not may_be_called(node, module, "map_fn", "scan", "foldl", "foldr"):
        return None
    for value in ev.evaluate(node.func, module):
        place = _MAPPERS.get(library.without_v1(value.name)) if isinstance(value, Api) else None
        if place is None:
            continue
        given = {kw.arg: kw.value for kw in node.keywords}
        fn = given.get("fn", node.args[0] if node.args else None)
        elems = given.get("elems", node.args[1] if len(node.args) > 1 else None)
        if fn is None or elems is None:
            return None
        ranged = any(isinstance(v, Tensor) and v.kind == "range" for v in ev.evaluate(elems, module))
        functions = [v.scope for v in ev.evaluate(fn, module) if isinstance(v, Function)]
        if ranged and len(functions) == 1 and len(functions[0].params) > place[0]:
            return functions[0], [functions[0].params[place[0]].id]
    return None
