"""Lists, tuples, dicts and tensors as containers: their items, and what is stored in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codemods.analysis import tree
from codemods.analysis.names import Scope, find_binding_scope
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    HOST,
    NOTHING,
    UNKNOWN,
    Const,
    DictValue,
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


def element(value: Value) -> Values:
    """What iterating over a value gives."""
    if isinstance(value, (ListValue, DictValue)):
        return value.element if isinstance(value, ListValue) else HOST
    if isinstance(value, TupleValue):
        return union(value.items)
    if isinstance(value, Tensor):
        return one(Tensor("int" if value.kind in ("range", "shape") else ""))
    if isinstance(value, Static):
        return one(Static("dim")) if value.kind == "shape" else HOST
    if isinstance(value, Const) and isinstance(value.value, str):
        return HOST
    if isinstance(value, Unknown):
        return one(value)
    return UNKNOWN


def subscript(value: Value, index: Values) -> Values:
    """What `value[index]` gives."""
    if any(isinstance(i, Tensor) for i in index) and not isinstance(value, (Unknown, DictValue)):
        return one(Tensor("int" if isinstance(value, Tensor) and value.kind == "shape" else ""))
    key = next(iter(index)) if len(index) == 1 else None
    if isinstance(value, DictValue):
        if isinstance(key, Const):
            for name, values in value.items:
                if name == key.value:
                    return values
        return value.element
    items = (
        value.exact
        if isinstance(value, ListValue)
        else value.items
        if isinstance(value, TupleValue)
        else None
    )
    if items is not None and isinstance(key, Const) and isinstance(key.value, int):
        return items[key.value] if -len(items) <= key.value < len(items) else NOTHING
    if isinstance(value, Tensor):
        return one(Tensor("int" if value.kind in ("range", "shape") else ""))
    return element(value)


def read(values: Values, method: str, default: Values | None) -> Values | None:
    """What `items`, `get` and other reading methods of a dict give; None for others, or what is no dict.

    default: what the call gives for a missing key, if it does.
    """
    found = [_read(value, method, default) if isinstance(value, DictValue) else None for value in values]
    return union(one for one in found if one is not None) if found and None not in found else None


def _read(value: DictValue, method: str, default: Values | None) -> Values | None:
    keys = frozenset(Const(k) for k, _ in value.items if isinstance(k, (str, int))) or HOST
    if method == "items":
        return one(ListValue(one(TupleValue((keys, value.element)))))
    if method == "values":
        return one(ListValue(value.element))
    if method == "get":
        return union([value.element, one(Const(None)) if default is None else default])
    if method == "pop":
        return union([value.element, default or NOTHING])
    return one(value) if method == "copy" else one(ListValue(keys)) if method == "keys" else None


def sliced(value: Value) -> Values:
    """What `value[a:b]` gives."""
    if isinstance(value, (TupleValue, ListValue)):
        return one(ListValue(element(value)))
    if isinstance(value, Static):
        return one(value)
    return one(Tensor(value.kind)) if isinstance(value, Tensor) else UNKNOWN


def extended(containers: Values, added: Values) -> Values:
    """Containers with further elements."""
    result: list[Value] = []
    for value in containers:
        if isinstance(value, ListValue):
            result.append(ListValue(union([value.element, added])))
        elif isinstance(value, DictValue):
            items = tuple((key, union([values, added])) for key, values in value.items)  # it may replace them
            result.append(DictValue(union([value.element, added]), items))
        else:
            result.append(value)
    return frozenset(result)


def elements(values: Values) -> Values:
    """What iterating gives."""
    return union(element(value) for value in values)


def take(values: Values, path: tuple[int, ...]) -> Values:
    """Destructure: the item at each index of `path` in turn."""
    for index in path:
        values = union(_item(value, index) for value in values)
    return values


def _item(value: Value, index: int) -> Values:
    items = (
        value.items
        if isinstance(value, TupleValue)
        else value.exact
        if isinstance(value, ListValue)
        else None
    )
    if items is not None and -len(items) <= index < len(items):
        return items[index]
    return element(value)


# what is stored


def stores(holder: Scope, name: str) -> Iterator[tuple[Stored, Scope]]:
    """What is stored in the container that a name of a scope stands for, with the scope of the store."""
    module = holder.module
    for mention in module.mentions.get(name, ()):
        if isinstance(mention, tree.Name) and isinstance(mention.ctx, tree.Load):
            scope = module.enclosing(mention)
            for stored in stored_by(module, mention):
                if find_binding_scope(scope, name) is holder:
                    yield stored, scope


@dataclass(frozen=True, eq=False)
class Stored:
    """An expression whose value goes into a container. spread: its elements do (`extend`, `update`)."""

    node: Node
    spread: bool = False

    def added(self, values: Values) -> Values:
        """What comes in, if the expression has these values."""
        if not self.spread:
            return values
        return union(v.element if isinstance(v, (ListValue, DictValue)) else element(v) for v in values)


def stored_by(module: Module, mention: Node) -> Iterator[Stored]:
    """What `mention.append(v)`, `.insert`, `.extend`, `.update` or `mention[k] = v` adds to a container."""
    parent = module.parent.get(mention)
    if isinstance(parent, tree.Attribute):
        call = module.parent.get(parent)
        if not (isinstance(call, tree.Call) and call.func is parent):
            return
        if parent.attr in ("append", "add", "insert", "setdefault") and call.args:
            yield Stored(call.args[-1])
        elif parent.attr in ("extend", "update"):
            yield from (Stored(arg, True) for arg in call.args)
            yield from (Stored(kw.value, kw.arg is None) for kw in call.keywords)
    if isinstance(parent, tree.Subscript) and isinstance(parent.ctx, tree.Store):
        statement = module.parent.get(parent)
        if isinstance(statement, tree.Assign):
            yield Stored(statement.value)
