"""Loop variables and what the body returns: of one type?

Eager mode compares the two structures as soon as a `tf.while_loop` has `maximum_iterations`, and a
list is no tuple to it. Graphs and XLA do not care.
"""

from __future__ import annotations

from typing import Literal

from codemods.analysis import tree, whiles
from codemods.analysis.compiled import Program
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import ApiObject, Function, ListValue, Tensor, TupleValue

Kind = Literal["tuple", "list", "bare", "unknown"]


def kinds(call: Node, function: Scope, program: Program) -> tuple[Kind, Kind]:
    """(of the loop variables, of the body's result)."""
    variables = whiles.given(call, "loop_vars", 2)
    body = whiles.given(call, "body", 1)
    values = program.ev.evaluate(body, function.module) if body is not None else frozenset()
    found = [v.scope for v in values if isinstance(v, Function)]
    returned = whiles.only_return(found[0]) if len(found) == 1 else None
    first = _kind(variables, function.module, program) if variables is not None else "unknown"
    return first, _kind(returned, found[0].module, program) if returned is not None else "unknown"


def _kind(node: Node, module: Module, program: Program) -> Kind:
    if isinstance(node, tree.Tuple):
        return "tuple"
    if isinstance(node, tree.List):
        return "list"
    values = program.ev.evaluate(node, module)
    seen: set[Kind] = {
        "tuple"
        if isinstance(v, TupleValue)
        else "list"
        if isinstance(v, ListValue)
        else "bare"
        if isinstance(v, (Tensor, ApiObject))
        else "unknown"
        for v in values
    }
    return seen.pop() if len(seen) == 1 else "unknown"
