"""The statements of a JAX program that is run on abstract values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codemods.analysis import memory_calls, memory_objects, tree
from codemods.analysis.memory_frame import EXACT, Frame
from codemods.analysis.memory_values import (
    OPAQUE,
    UNSURE,
    Const,
    Leaf,
    Map,
    Place,
    Rec,
    Seq,
    Tup,
    Value,
    element,
    elements,
    join,
    join_all,
    leaves,
    transform,
)
from codemods.analysis.tree import Node

if TYPE_CHECKING:
    from codemods.analysis.memory_run import Runner

_ROUNDS = 3  # of a loop
_LOOKS = re.compile(r"print|log|debug|assert|check|block_until_ready|callback", re.I)


def block(run: Runner, statements: Sequence[Node], frame: Frame) -> None:
    for one in statements:
        if frame.done:
            return
        statement(run, one, frame)


def statement(run: Runner, node: Node, frame: Frame) -> None:
    if isinstance(node, tree.Assign):
        value = run.eval(node.value, frame)
        for target in node.targets:
            assign(run, target, value, frame)
    elif isinstance(node, tree.AnnAssign):
        if node.value is not None:
            assign(run, node.target, run.eval(node.value, frame), frame)
    elif isinstance(node, tree.AugAssign):
        operands = [(Place(frame.module, part), run.eval(part, frame)) for part in (node.target, node.value)]
        value = run.ops.compute(Place(frame.module, node), operands, "operator")
        assign(run, node.target, value, frame)
    elif isinstance(node, tree.Return):
        value = Const(None) if node.value is None else run.eval(node.value, frame)
        frame.returns.append((value, node.value if node.value is not None else node))
        frame.done = True
    elif isinstance(node, tree.Expr):
        run.eval(node.value, frame)
        if isinstance(node.value, tree.Call):
            forget_changed(run, node.value, frame)
    elif isinstance(node, tree.If):
        test = run.eval(node.test, frame)
        if isinstance(test, Const):  # an argument of the call that is followed, or its default
            block(run, node.body if test.value else node.orelse, frame)
        else:
            branches(run, [node.body, node.orelse], frame)
    elif isinstance(node, (tree.For, tree.AsyncFor, tree.While)):
        loop(run, node, frame)
    elif isinstance(node, (tree.With, tree.AsyncWith)):
        managers = [run.eval(item.context_expr, frame) for item in node.items]
        for item, value in zip(node.items, managers, strict=True):
            if item.optional_vars is not None:
                assign(run, item.optional_vars, value, frame)
        with run.ops.region(any(memory_calls.on_host(value) for value in managers)):
            block(run, node.body, frame)
    elif isinstance(node, tree.Try):
        block(run, [*node.body, *node.orelse], frame)
        branches(run, [[], *(handler.body for handler in node.handlers)], frame)
        block(run, node.finalbody, frame)
    elif isinstance(node, (tree.FunctionDef, tree.AsyncFunctionDef)):
        frame.names[node.name] = run.decorated(frame.module.scope_of[node], frame)
    elif isinstance(node, tree.Raise):
        frame.done = True


def branches(run: Runner, blocks: Sequence[Sequence[Node]], frame: Frame) -> None:
    """Blocks of which one runs."""
    before = dict(frame.names)
    ends: list[dict[str, Value]] = []
    for one in blocks:
        frame.names, frame.done = dict(before), False
        block(run, one, frame)
        if not frame.done:
            ends.append(frame.names)
    frame.done = not ends
    frame.names = ends[0] if ends else before
    for other in ends[1:]:
        for name, value in other.items():
            frame.names[name] = join(frame.names[name], value) if name in frame.names else value


def loop(run: Runner, node: Node, frame: Frame) -> None:
    """Round by round over a collection of known length, else until nothing changes."""
    over = OPAQUE if isinstance(node, tree.While) else run.eval(node.iter, frame)
    items = elements(over)
    exact = items is not None and len(items) <= EXACT
    for item in items if exact and items is not None else [element(over)] * _ROUNDS:
        before = dict(frame.names)
        if isinstance(node, tree.While):
            run.eval(node.test, frame)
        else:
            assign(run, node.target, item, frame)
        block(run, node.body, frame)
        frame.done = False
        if not exact:
            for name, value in before.items():
                frame.names[name] = join(value, frame.names.get(name, value))
    block(run, node.orelse, frame)


def assign(run: Runner, target: Node, value: Value, frame: Frame) -> None:
    if isinstance(target, tree.Name):
        frame.names[target.id] = value
    elif isinstance(target, (tree.Tuple, tree.List)):
        unpack(run, target.elts, value, frame)
    elif isinstance(target, tree.Starred):
        assign(run, target.value, value, frame)
    elif isinstance(target, tree.Subscript):
        store(run, target, value, frame)
    elif isinstance(target, tree.Attribute):
        _set_field(target, value, frame)


def _set_field(target: Node, value: Value, frame: Frame) -> None:
    """`tree.field = value`, where arrays of the tree are followed."""
    name = _root(target)
    old = frame.find(name.id) if name is not None else None
    if name is None or not isinstance(old, (Leaf, Rec)):
        return
    if target.value is name:
        frame.names[name.id] = memory_objects.replace_fields(old, {target.attr: value})
    else:
        frame.names[name.id] = transform(old, lambda leaf: UNSURE if leaf.host else leaf)


def forget_changed(run: Runner, call: Node, frame: Frame) -> None:
    """A call whose result nobody wants may change a tree that it is given (`nnx.update(model, state)`)."""
    if _LOOKS.search(frame.module.text(call.func)):
        return
    if isinstance(call.func, tree.Attribute):
        base = run.eval(call.func.value, frame)
        if isinstance(base, (Tup, Map, Seq)):  # `append` and its kin
            return
    for part in [call.func, *call.args, *(keyword.value for keyword in call.keywords)]:
        name = _root(part)
        old = frame.find(name.id) if name is not None else None
        if name is not None and isinstance(old, (Leaf, Rec)):
            frame.names[name.id] = transform(
                old, lambda leaf: UNSURE if leaf.host and leaf.ndim is None else leaf
            )


def _root(node: Node) -> Node | None:
    """The name that an expression takes parts of."""
    while isinstance(node, (tree.Attribute, tree.Subscript, tree.Starred)):
        node = node.value
    return node if isinstance(node, tree.Name) else None


def unpack(run: Runner, targets: Sequence[Node], value: Value, frame: Frame) -> None:
    items = elements(value)
    starred = next((i for i, one in enumerate(targets) if isinstance(one, tree.Starred)), None)
    if items is not None and starred is None and len(items) == len(targets):
        for one, item in zip(targets, items, strict=True):
            assign(run, one, item, frame)
        return
    if items is not None and starred is not None and len(items) >= len(targets) - 1:
        behind = len(targets) - starred - 1
        rest = Tup(tuple(items[starred : len(items) - behind]), "list")
        parts = [*items[:starred], rest, *items[len(items) - behind :]]
        for one, item in zip(targets, parts, strict=True):
            assign(run, one, item, frame)
        return
    for one in targets:
        assign(run, one, element(value), frame)


def store(run: Runner, target: Node, value: Value, frame: Frame) -> None:
    """`name[key] = value` of a dict or list."""
    base = target.value
    if not isinstance(base, tree.Name):
        return
    old, key = frame.find(base.id), run.eval(target.slice, frame)
    if isinstance(old, Map) and isinstance(key, Const):
        table_ = dict(old.items)
        table_[key.value] = value
        frame.names[base.id] = Map(tuple(table_.items()))
    elif old is not None and not isinstance(old, Leaf):
        keyed = isinstance(old, Map) or (isinstance(old, Seq) and old.keyed)
        frame.names[base.id] = Seq(join_all([*leaves(old), value]), keyed)
