"""Conditions of Python that are known when a JAX program is traced: they decide what is moved at all."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from codemods.analysis import tree
from codemods.analysis.memory_values import Const, Map, Tup, Value
from codemods.analysis.tree import Node

_PLAIN = (str, int, float, bool, type(None))
_COMPARE: dict[type, Callable[[object, object], object]] = {
    tree.Eq: operator.eq,
    tree.NotEq: operator.ne,
    tree.Is: operator.is_,
    tree.IsNot: operator.is_not,
}


def known(node: Node, values: Sequence[Value]) -> Const | None:
    """The value of a comparison, or of `not`, `and`, `or`, of plain values; None where it is not known."""
    if isinstance(node, tree.Compare) and len(values) == 2 and isinstance(values[0], Const):
        return _compared(node.ops[0], values[0], values[1])
    plain = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, _PLAIN)]
    if isinstance(node, tree.BoolOp):
        stops = isinstance(node.op, tree.Or)
        for value in values:
            if not (isinstance(value, Const) and isinstance(value.value, _PLAIN)):
                break
            if bool(value.value) is stops or value is values[-1]:
                return value
        # behind something unknown it still decides, though not what the result is but for a condition
        return Const(stops) if any(bool(value) is stops for value in plain) else None
    if isinstance(node, tree.UnaryOp) and isinstance(node.op, tree.Not) and plain:
        return Const(not plain[0])
    return None


def _compared(op: Node, left: Const, right: Value) -> Const | None:
    if not isinstance(left.value, _PLAIN):
        return None
    if isinstance(right, Const) and isinstance(right.value, _PLAIN):
        work = _COMPARE.get(type(op))
        same = type(left.value) is type(right.value) or not isinstance(op, (tree.Is, tree.IsNot))
        return Const(bool(work(left.value, right.value))) if work is not None and same else None
    if not isinstance(op, (tree.In, tree.NotIn)):
        return None
    items: list[Value] = []
    if isinstance(right, Map):
        items += [Const(key) for key, _ in right.items]
    elif isinstance(right, Tup):
        items += right.items
    if not isinstance(right, (Map, Tup)) or not all(isinstance(one, Const) for one in items):
        return None
    found = any(isinstance(one, Const) and one.value == left.value for one in items)
    return Const(found is isinstance(op, tree.In))
