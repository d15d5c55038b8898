"""Shardings that an object keeps in an attribute: `self.host = NamedSharding(...)`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from codemods.analysis import objects, tree
from codemods.analysis.memory_frame import Frame
from codemods.analysis.memory_values import OPAQUE, UNSURE, Const, Map, Shard, Tup, Value
from codemods.analysis.names import Scope, find_binding_scope
from codemods.analysis.tree import Node

if TYPE_CHECKING:
    from codemods.analysis.memory_run import Runner


def kept(run: Runner, node: Node, frame: Frame) -> Value | None:
    """What an attribute of the object of a method is, if it is a sharding (or a tree of them); else None.

    Only where the class and its subclasses store it once: what another store gives, is not known.
    """
    method = _method(node, frame)
    owner = method.owner if method is not None else None
    if owner is None:
        return None
    known = run.stored
    key = (owner, node.attr)
    if key not in known:
        known[key] = None  # it is made from itself
        stores = [s for one in (owner, *objects.subclasses(run.ev, owner)) for s in _stores(one, node.attr)]
        if len(stores) == 1 and stores[0] is not None:
            where, value = stores[0]
            found = run.eval(value, _frame(where))
            known[key] = found if _places(found) else None
    return known[key]


def _method(node: Node, frame: Frame) -> Scope | None:
    """The method whose object an attribute is asked of."""
    if not isinstance(node.value, tree.Name):
        return None
    holder = find_binding_scope(frame.module.enclosing(node), node.value.id)
    known = holder is not None and holder.kind == "function" and holder.receiver == node.value.id
    return holder if known else None


def _stores(owner: Scope, name: str) -> list[tuple[Scope, Node] | None]:
    """The methods and values of the stores of an attribute; None for one that is no plain assignment."""
    module = owner.module
    found: list[tuple[Scope, Node] | None] = []
    for node in tree.walk(owner.node):
        if isinstance(node, tree.Attribute) and node.attr == name and not isinstance(node.ctx, tree.Load):
            statement = module.parent.get(node)
            plain = isinstance(statement, tree.Assign) and statement.targets == [node]
            method = module.enclosing(node).function
            if statement is not None and plain and method is not None and _always(module.ancestors(node)):
                found.append((method, statement.value))
            else:
                found.append(None)
    return found


def _always(above: Iterable[Node]) -> bool:
    """Does a statement of a function run in every call, as far as conditions and loops go?"""
    for node in above:
        if isinstance(node, (tree.FunctionDef, tree.AsyncFunctionDef)):
            return True
        if isinstance(node, (tree.If, tree.For, tree.AsyncFor, tree.While, tree.Try)):
            return False
    return True


def _frame(scope: Scope) -> Frame:
    frame = Frame(scope.module, scope)
    for param in scope.params:
        frame.names[param.id] = OPAQUE if param.id == scope.receiver else UNSURE
    return frame


def _places(value: Value) -> bool:
    """Is it a sharding, or a tree of them and of nothing else?"""
    if isinstance(value, Tup):
        return bool(value.items) and all(_places(item) for item in value.items)
    if isinstance(value, Map):
        return bool(value.items) and all(_places(item) for _, item in value.items)
    return isinstance(value, Shard) or value == Const(None)
