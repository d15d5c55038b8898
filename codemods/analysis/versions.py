"""Is there one TensorArray all the way? A write gives a new one; the old must not be looked at again."""

from __future__ import annotations

from codemods.analysis import tree, whiles
from codemods.analysis.arrays import Array, Use
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node


def forked(array: Array) -> str:
    """Why what a write gives may not be the array from there on; "" if it is."""
    for use in array.of("write"):
        why = _write(use, array)
        if why:
            return why
    return _copied(array)


def _write(use: Use, array: Array) -> str:
    node, function, receiver = use.node, use.function, use.node.func.value
    for frame in reversed(use.frames):
        if not _gives(whiles.only_return(frame.callee), node, frame.callee):
            return f"what the write at line {use.node.lineno} gives is not what `{frame.callee.name}` returns"
        node, function, receiver = frame.call, frame.caller, frame.array
    if use.whiles:
        call = use.whiles[-1]
        position = array.positions.get(call.node, -1)
        elements = getattr(call.returned, "elts", [])
        if not 0 <= position < len(elements) or not _gives(elements[position], node, call.body):
            return f"what the write at line {use.node.lineno} gives is not what the body of the loop returns"
        node, function, receiver = call.node, call.function, call.variables[position]
    module = function.module
    name = receiver.id if isinstance(receiver, tree.Name) else ""
    if any(target == name for target in _targets(node, module)) and name:
        return ""
    if use.loops:
        return f"what the write at line {use.node.lineno} gives does not go to `{name}`"
    if name and _used_after(name, node, function, array):
        return f"`{name}` is used again after the write at line {use.node.lineno} gave a new array"
    return ""


def _targets(node: Node, module: Module) -> list[str]:
    """The names that get the value of an expression; those of all targets where it is taken apart."""
    parent = module.parent.get(node)
    if isinstance(parent, (tree.AnnAssign, tree.NamedExpr)):
        return [parent.target.id] if isinstance(parent.target, tree.Name) else []
    if isinstance(parent, tree.Assign):
        found = []
        for target in parent.targets:
            found += [
                n.id
                for n in tree.walk(target)
                if isinstance(n, tree.Name) and not isinstance(n.ctx, tree.Load)
            ]
        return found
    if isinstance(parent, (tree.Tuple, tree.List)):
        outer = module.parent.get(parent)
        at = next(i for i, one in enumerate(parent.elts) if one is node)
        if isinstance(outer, tree.Assign):
            targets = [
                t.elts[at]
                for t in outer.targets
                if isinstance(t, (tree.Tuple, tree.List)) and len(t.elts) == len(parent.elts)
            ]
            return [t.id for t in targets if isinstance(t, tree.Name)]
    return []


def _gives(value: Node | None, node: Node, function: Scope) -> bool:
    """Is a returned expression what `node` gives: itself, or the one name that it was assigned to?"""
    if value is node:
        return True
    if not isinstance(value, tree.Name) or value.id not in _targets(node, function.module):
        return False
    bindings = [b for b in function.bindings.get(value.id, []) if b.kind != "param"]
    return len(bindings) == 1


def _used_after(name: str, node: Node, function: Scope, array: Array) -> bool:
    module = function.module
    end = module.span(node).end
    holder = find_binding_scope(function, name)
    return any(
        m in array.mentions and module.span(m).start >= end
        and find_binding_scope(module.enclosing(m), name) is holder
        for m in module.mentions.get(name, ())
    )  # fmt: skip


def _copied(array: Array) -> str:
    """`other = array` before the last write keeps an old version at hand."""
    own = array.module
    carriers = {array.node, *(use.node for use in array.of("write")), *(call.node for call in array.whiles)}
    carriers |= {frame.call for use in array.of("write") for frame in use.frames}
    last = max((own.span(node).end for node in carriers if _within(node, array)), default=0)
    for module, function, target in array.stores:
        value = _value(target, module)
        parent = module.parent.get(target)
        several = isinstance(parent, tree.Assign) and len(parent.targets) > 1
        copied = isinstance(value, tree.Name) or (isinstance(value, tree.Call) and value not in carriers)
        if not several and (not copied or value is None or target.id in _names(value)):
            continue
        early = function is not array.function or module.span(target).start < last
        if several or early or _in_loop(target, array):
            return f"`{target.id}` at line {target.lineno} is a second name for it"
    return ""


def _within(node: Node, array: Array) -> bool:
    return (
        array.module.parent.get(node) is not None and array.module.enclosing(node).function is array.function
    )


def _names(value: Node) -> set[str]:
    return {n.id for n in tree.walk(value) if isinstance(n, tree.Name)}


def _value(target: Node, module: Module) -> Node | None:
    parent = module.parent.get(target)
    if isinstance(parent, (tree.Assign, tree.AnnAssign, tree.NamedExpr)):
        return parent.value
    if isinstance(parent, (tree.Tuple, tree.List)):
        outer = module.parent.get(parent)
        if (
            isinstance(outer, tree.Assign)
            and isinstance(outer.value, (tree.Tuple, tree.List))
            and len(outer.value.elts) == len(parent.elts)
        ):
            return outer.value.elts[next(i for i, one in enumerate(parent.elts) if one is target)]
    return None


def _in_loop(target: Node, array: Array) -> bool:
    around = set(array.module.ancestors(array.node))
    return any(isinstance(a, tree.LOOPS) and a not in around for a in array.module.ancestors(target))
