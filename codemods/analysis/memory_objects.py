"""Methods, records and builtins in a JAX program that is run on abstract values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from codemods.analysis import memory_ops, objects, tree
from codemods.analysis.memory_control import Keywords
from codemods.analysis.memory_ops import Operand
from codemods.analysis.memory_values import (
    OPAQUE,
    UNSURE,
    ClassValue,
    Const,
    Leaf,
    Map,
    Method,
    Opaque,
    Place,
    Rec,
    Seq,
    Shard,
    Tup,
    Value,
    Wrapped,
    child,
    element,
    elements,
    join_all,
    leaves,
    with_items,
)
from codemods.knowledge import jax_memory as table

if TYPE_CHECKING:
    from codemods.analysis.memory_run import Runner


def method_call(run: Runner, place: Place, method: Method, args: list[Operand], keywords: Keywords) -> Value:
    base, name, at = method.value, method.name, method.place
    if name == "with_memory_kind":
        return with_kind(place, args, keywords, isinstance(base, Shard) and base.empty)
    if isinstance(base, Shard):  # it may stand for a tree of them
        named = {key: value for key, (_, value) in keywords.items()}
        return replace_fields(base, dict(named.items())) if name in ("replace", "_replace") else OPAQUE
    if isinstance(base, Opaque) and name in ("replace", "_replace"):
        changes: dict[object, Value] = {key: value for key, (_, value) in keywords.items()}
        of_trees = any(isinstance(v, (Shard, Map, Rec)) or [*leaves(v)] for v in changes.values())
        return replace_fields(base, changes) if of_trees else OPAQUE
    if isinstance(base, Wrapped):
        if name in ("lower", "trace", "eval_shape") and base.kind in table.COMPILERS:
            values = [value for _, value in args]
            run.entered.append((base, values, {k: v for k, (_, v) in keywords.items()}))
        return OPAQUE
    if isinstance(base, (Map, Seq, Tup, Rec)):
        return _container(base, name, args, keywords)
    if isinstance(base, Method) and base.name == "at":  # x.at[i].set(y)
        target: Value = base.value
        return run.ops.library(place, "scatter", [(base.place, target), *args], False)
    if isinstance(base, Leaf):
        if name in table.STATIC or name in ("unsafe_buffer_pointer", "item", "tolist"):
            return OPAQUE
        if name in ("items", "values", "keys", "get", "pop", "copy", "_replace", "replace"):
            return _opaque_tree(base, name, {k: v for k, (_, v) in keywords.items()})
        if name not in table.ARRAY_METHODS:  # of a tree or its class: what it is and does, is not known
            given = [leaf for _, value in [*args, *keywords.values()] for leaf in leaves(value)]
            return replace(join_all_leaves([base, *given]), known=False, ndim=None)
        whole = not args and not {"axis", "axes"} & keywords.keys()
        return run.ops.library(place, name, [(at, base), *args], whole)
    return memory_ops.unknown([*args, *keywords.values()], run.ops, place, name)


def with_kind(place: Place, args: list[Operand], keywords: Keywords, empty: bool) -> Value:
    """`sharding.with_memory_kind(...)`, whatever the sharding is. empty: it names no axis."""
    given = args[0] if args else keywords.get("kind", keywords.get("memory_kind"))
    kind = given[1].value if given is not None and isinstance(given[1], Const) else OPAQUE
    kind = "device" if kind is None else kind
    return Shard(kind, place, empty) if isinstance(kind, str) else OPAQUE


def _opaque_tree(base: Leaf, name: str, changes: dict[object, Value]) -> Value:
    """A dict or record of unknown structure, all of whose arrays are alike."""
    if name == "items":
        return Seq(Tup((OPAQUE, base)))
    if name == "keys":
        return Seq(OPAQUE)
    if name == "values":
        return Seq(base)
    if name in ("replace", "_replace") and changes:
        return replace_fields(base, changes)
    return join_all([base, *(leaf for value in changes.values() for leaf in leaves(value))])


def join_all_leaves(found: list[Leaf]) -> Leaf:
    """What may be any of some arrays."""
    joined = join_all(list(found))
    return joined if isinstance(joined, Leaf) else UNSURE


def _container(base: Map | Seq | Tup | Rec, name: str, args: list[Operand], keywords: Keywords) -> Value:
    changes: dict[object, Value] = {key: value for key, (_, value) in keywords.items()}
    if isinstance(base, Rec) and name in ("_replace", "replace"):
        return replace_fields(base, changes)
    if isinstance(base, Map):
        if name == "items":
            return Tup(tuple(Tup((Const(key), value)) for key, value in base.items), "list")
        if name == "values":
            return Tup(tuple(value for _, value in base.items), "list")
        if name == "keys":
            return Tup(tuple(Const(key) for key, _ in base.items), "list")
        if name in ("get", "pop") and args and isinstance(args[0][1], Const):
            found = base.get(args[0][1].value)
            return found if found is not None else args[1][1] if len(args) > 1 else Const(None)
        if name == "copy":
            return base
        return with_items(base, dict(changes)) if name == "_replace" else OPAQUE
    if isinstance(base, Seq) and base.keyed:
        if name == "items":
            return Seq(Tup((OPAQUE, base.element)))
        return Seq(base.element) if name == "values" else base.element if name in ("get", "pop") else OPAQUE
    return element(base) if name in ("pop", "get") else OPAQUE


def replace_fields(record: Value, changes: Mapping[object, Value]) -> Rec:
    """The record, or a tree of unknown structure, with other values in some fields."""
    if not isinstance(record, Rec):
        return Rec(None, tuple(changes.items()), record)
    fields: dict[object, Value] = {**dict(record.items), **changes}
    return Rec(record.scope, tuple(fields.items()), record.rest)


def construct(run: Runner, made: ClassValue, args: list[Operand], keywords: Keywords) -> Value:
    """An object of a dataclass or NamedTuple; others are not looked into."""
    names = record_fields(made)
    if names is None or objects.method(run.ev, made.scope, "__init__") is not None:
        return OPAQUE
    values: dict[object, Value] = dict(zip(names, (value for _, value in args), strict=False))
    values.update({name: value for name, (_, value) in keywords.items()})
    defaults = _defaults(made)
    return Rec(made.scope, tuple((name, values.get(name, defaults.get(name, UNSURE))) for name in names))


def _defaults(made: ClassValue) -> dict[str, Value]:
    """The plain defaults of the fields that nothing can change later."""
    node = made.scope.node
    marks = " ".join(tree.unparse(one) for one in [*node.bases, *node.decorator_list])
    if "NamedTuple" not in marks and "frozen=True" not in marks:
        return {}
    return {
        s.target.id: Const(s.value.value)
        for s in node.body
        if isinstance(s, tree.AnnAssign)
        and isinstance(s.target, tree.Name)
        and isinstance(s.value, tree.Constant)
    }


def record_fields(made: ClassValue) -> list[str] | None:
    """The annotated fields of a class, in order; None where it is no record."""
    node = made.scope.node
    marks = [tree.unparse(one) for one in [*node.bases, *node.decorator_list]]
    if not any("NamedTuple" in m or "dataclass" in m or "PyTreeNode" in m for m in marks):
        return None
    return [
        s.target.id for s in node.body if isinstance(s, tree.AnnAssign) and isinstance(s.target, tree.Name)
    ]


def builtin(run: Runner, place: Place, name: str, args: list[Operand], keywords: Keywords) -> Value:
    values = [value for _, value in args]
    changes: dict[object, Value] = {key: value for key, (_, value) in keywords.items()}
    if name in ("tuple", "list", "sorted", "reversed", "iter") and values:
        known = elements(values[0])
        kind = "tuple" if name == "tuple" else "list"
        return Tup(tuple(known), kind) if known is not None else Seq(element(values[0]))
    if name == "dict":
        base = values[0] if values and isinstance(values[0], Map) else Map(())
        if values and not isinstance(values[0], Map):
            return values[0] if isinstance(values[0], Seq) else OPAQUE
        return with_items(base, changes)
    if name in ("zip", "enumerate"):
        return _zipped(([None] if name == "enumerate" else []), values)
    if name == "sum" and values:
        parts = elements(values[0])
        items = parts if parts is not None else [element(values[0])] * 2
        return run.ops.compute(place, [(args[0][0], item) for item in items], "sum")
    if name == "map" and len(values) > 1:
        known = elements(values[1])
        results = [run.call(place, values[0], [(args[1][0], i)], {}) for i in known or [element(values[1])]]
        return Tup(tuple(results), "list") if known is not None else Seq(join_all(results))
    if name == "range":
        return Seq(OPAQUE)
    if name == "getattr" and len(values) > 1 and isinstance(values[1], Const):
        return child(values[0], values[1].value) or OPAQUE
    if name in ("max", "min", "abs", "pow", "divmod") and values:
        return run.ops.compute(place, args, name)
    return OPAQUE


def _zipped(first: list[None], values: list[Value]) -> Value:
    columns = [elements(value) for value in values]
    known = [column for column in columns if column is not None]
    if len(known) == len(columns):
        rows = zip(*known, strict=False)
        return Tup(tuple(Tup((*([Const(i)] * len(first)), *row)) for i, row in enumerate(rows)), "list")
    row = [element(value) for value in values]
    return Seq(Tup((*([OPAQUE] * len(first)), *row)))
