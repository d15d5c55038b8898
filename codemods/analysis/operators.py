"""What operators give: Python's arithmetic, with tensors in it."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from codemods.analysis import tree
from codemods.analysis.containers import element
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    HOST,
    INT,
    NOTHING,
    TENSOR,
    UNKNOWN,
    ApiObject,
    Const,
    Instance,
    ListValue,
    Static,
    Tensor,
    TupleValue,
    Unknown,
    Value,
    Values,
    one,
    union,
)

_FOLD = {
    tree.Add: operator.add,
    tree.Sub: operator.sub,
    tree.Mult: operator.mul,
    tree.FloorDiv: operator.floordiv,
    tree.Mod: operator.mod,
    tree.Div: operator.truediv,
}


def binary(op: Node, left: Values, right: Values) -> Values:
    """The values of `left op right`."""
    return union(_binary(op, a, b) for a in left for b in right)


def _binary(op: Node, a: Value, b: Value) -> Values:
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        kinds = {v.kind for v in (a, b) if isinstance(v, Tensor)}
        whole = kinds <= {"int"} and all(isinstance(v, Tensor) or int_like(v) for v in (a, b))
        return one(Tensor("int" if whole and not isinstance(op, tree.Div) else ""))
    if isinstance(a, Const) and isinstance(b, Const):
        if isinstance(op, tree.Pow) and isinstance(a.value, int) and isinstance(b.value, int):
            if b.value < 0:
                return HOST
            return one(Const(a.value**b.value)) if b.value <= 16 and abs(a.value) < 1 << 16 else INT
        fold = _FOLD.get(type(op))
        if fold is not None:
            try:
                result = fold(a.value, b.value)
            except Exception:  # noqa: BLE001 - a type error or division by zero: the program's own fault
                return UNKNOWN
            return one(Const(result)) if isinstance(result, (int, float, str)) and _small(result) else HOST
        return HOST
    if isinstance(op, tree.Mult) and isinstance(a, (ListValue, TupleValue)):
        return one(ListValue(element(a)))
    if (isinstance(a, ListValue) and isinstance(b, (ListValue, TupleValue))) or isinstance(a, TupleValue):
        return one(ListValue(union([element(a), element(b)])))
    if isinstance(a, ListValue) or isinstance(b, ListValue):
        return one(ListValue(element(a if isinstance(a, ListValue) else b)))
    if isinstance(a, (Unknown, Instance, ApiObject)) or isinstance(b, (Unknown, Instance, ApiObject)):
        unknown = a if isinstance(a, Unknown) else b
        return one(unknown) if isinstance(unknown, Unknown) else UNKNOWN
    if int_like(a) and int_like(b):
        return HOST if isinstance(op, tree.Div) else INT
    return HOST


def _small(value: object) -> bool:
    return not (isinstance(value, int) and abs(value) > 1 << 63) and not (
        isinstance(value, str) and len(value) > 200
    )


def int_like(value: Value) -> bool:
    """Is a value an int, or a size that may be None?"""
    if isinstance(value, Const):
        return isinstance(value.value, int)
    # arithmetic on None raises, so what comes out of it is an int
    return isinstance(value, Static) and value.kind in ("int", "dim")


def unary(op: Node, operand: Values) -> Values:
    if isinstance(op, tree.Not):
        return compare([op], [operand])
    result = []
    for value in operand:
        if isinstance(value, Const) and isinstance(value.value, (int, float)) and isinstance(op, tree.USub):
            result.append(one(Const(-value.value)))
        elif isinstance(value, Static) and value.kind == "dim":
            result.append(INT)
        else:
            result.append(one(Tensor(value.kind) if isinstance(value, Tensor) else value))
    return union(result)


def compare(ops: Sequence[Node], sides: Sequence[Values]) -> Values:
    """A comparison, or `not`: a tensor if anything in it is, else a bool known when tracing."""
    if any(isinstance(v, Tensor) for side in sides for v in side) and not all(
        isinstance(op, (tree.Is, tree.IsNot)) for op in ops
    ):
        return TENSOR
    consts = [next(iter(side)) for side in sides if len(side) == 1]
    if isinstance(ops[0], tree.Not) and len(consts) == 1 and isinstance(consts[0], Const):
        return one(Const(not consts[0].value))
    if len(ops) == 1 and len(consts) == 2 and all(isinstance(c, Const) for c in consts):
        a, b = (c.value for c in consts if isinstance(c, Const))
        if isinstance(ops[0], (tree.Eq, tree.Is)):
            return one(Const(a == b))
        if isinstance(ops[0], (tree.NotEq, tree.IsNot)):
            return one(Const(a != b))
    if any(isinstance(v, Unknown) for side in sides for v in side) and not all(
        isinstance(op, (tree.Is, tree.IsNot)) for op in ops
    ):
        return UNKNOWN
    return one(Static("bool"))


def boolean(op: Node, sides: Sequence[Values]) -> Values:
    """`and` / `or`: folded where the sides are constants, else any of the sides."""
    kept: list[Values] = []
    for side in sides:
        value = next(iter(side)) if len(side) == 1 else None
        if isinstance(value, Const):
            if bool(value.value) == isinstance(op, tree.Or):
                kept.append(side)
                return union(kept)
            last = side
        else:
            kept.append(side)
            last = NOTHING
    return union(kept if kept else [last])
