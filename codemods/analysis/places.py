"""May an expression be evaluated at another place of the same function, with the same value?"""

from __future__ import annotations

from collections.abc import Iterator

from codemods.analysis import calls, library, tree
from codemods.analysis.compiled import Program
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, ApiObject, Static, Tensor, Unknown

_PURE_CALLS = frozenset(
    [
        "tensorflow.shape",
        "tensorflow.size",
        "tensorflow.rank",
        "tensorflow.cast",
        "tensorflow.maximum",
        "tensorflow.minimum",
        "tensorflow.constant",
        "tensorflow.math.maximum",
        "tensorflow.math.minimum",
        "tensorflow.identity",
        "builtins.len",
        "builtins.max",
        "builtins.min",
        "builtins.int",
        "builtins.abs",
        "tensorflow.Tensor.get_shape",
        "tensorflow.TensorShape.as_list",
        "tensorflow.TensorShape.num_elements",
        "tensorflow.math.ceil",
        "tensorflow.math.floor",
    ]
)
_NOT_PURE = (
    tree.Lambda,
    tree.NamedExpr,
    tree.Await,
    tree.Yield,
    tree.YieldFrom,
    tree.ListComp,
    tree.GeneratorExp,
    tree.DictComp,
    tree.SetComp,
)


def is_pure(node: Node, module: Module, program: Program) -> bool:
    """Does evaluating an expression have no effect and always give the same for the same names?"""
    for inner in tree.walk(node):
        if isinstance(inner, tree.Call):
            values = program.ev.evaluate(inner.func, module)
            names = {library.without_v1(v.name) for v in values if isinstance(v, Api)}
            if not values or any(not isinstance(v, Api) for v in values) or not names <= _PURE_CALLS:
                return False
        elif isinstance(inner, _NOT_PURE):
            return False
    return True


def stable_between(node: Node, first: Node, second: Node, function: Scope, program: Program) -> bool:
    """Has an expression at `first` the value it has at `second`, further down in its block or inside it?

    Names must be bound before `first` and not again in between; attributes must not be assigned in
    the function, and belong to objects that only their constructors fill.
    """
    module = function.module
    if not is_pure(node, module, program) or not dominates(first, second, module):
        return False
    begin, end = module.span(first).start, module.span(second).start
    for inner in tree.walk(node):
        if isinstance(inner, tree.Name):
            holder = find_binding_scope(module.enclosing(inner), inner.id)
            if holder is None or holder.kind == "module":
                continue
            if holder is not function:
                if holder.kind == "comprehension":
                    return False
                continue
            places = [
                module.span(b.node).start
                for b in holder.bindings[inner.id]
                if b.kind not in ("param", "rest")
            ]
            if any(begin <= place < end for place in places):
                return False
            if all(b.kind not in ("param", "rest") for b in holder.bindings[inner.id]) and not any(
                p < begin for p in places
            ):
                return False
        elif isinstance(inner, tree.Attribute) and not _settled(inner, module, function, program):
            return False
    return True


def dominates(first: Node, second: Node, module: Module) -> bool:
    """Does the statement of `first` stand before `second`, in its block or in one around it?"""
    statement, other = module.statement(first), module.statement(second)
    if statement is other:
        return True
    block = module.block(statement)
    holders = [other, *[a for a in module.ancestors(other) if isinstance(a, tree.stmt)]]
    return (
        any(any(h is one for one in block) for h in holders)
        and module.span(statement).start <= module.span(other).start
    )


def _settled(node: Node, module: Module, function: Scope, program: Program) -> bool:
    """Does an attribute keep its value while the function runs?"""
    if node.attr in ("shape", "rank", "ndims", "ndim", "dtype"):
        return True
    base = program.ev.evaluate(node.value, module)
    if base and all(isinstance(v, (Api, ApiObject, Tensor, Static)) for v in base):
        return True
    for inner in calls.own_nodes(function):
        if (
            isinstance(inner, tree.Attribute)
            and inner.attr == node.attr
            and isinstance(inner.ctx, tree.Store)
        ):
            return False
    values = program.ev.evaluate(node, module)
    return not any(isinstance(v, Unknown) and v.why == "mutated" for v in values)


def reads(holder: Scope, name: str) -> Iterator[Node]:
    """Where a name that a scope binds is read, in nested functions as well."""
    module = holder.module
    for node in module.mentions.get(name, ()):
        read = isinstance(node, tree.Name) and isinstance(node.ctx, tree.Load)
        if read and find_binding_scope(module.enclosing(node), name) is holder:
            yield node


def outer_mentions(function: Scope, name: str) -> Iterator[Node]:
    """Where a function, or one nested in it, uses a name that is not one of a nested function's own."""
    module = function.module
    for node in module.mentions.get(name, ()):
        if isinstance(node, tree.Name) and any(a is function.node for a in module.ancestors(node)):
            holder = find_binding_scope(module.enclosing(node), name)
            scope = holder
            while scope is not None and scope is not function:
                scope = scope.parent
            if holder is function or scope is None:
                yield node
