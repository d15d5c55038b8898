"""TensorArrays that go into or come out of a compiled function, and how to pass tensors instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from codemods.analysis import calls, places, pretraced, spelling, tree
from codemods.analysis.callers import Site
from codemods.analysis.compiled import Program
from codemods.analysis.names import find_binding_scope
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import ApiObject, DictValue, ListValue, TupleValue, Values

_ARRAY = ApiObject("tensorflow.TensorArray")


class Kept(Exception):  # noqa: N818 - it is an answer, not an error
    """Why the array cannot be replaced by a tensor; str() is a sentence for people."""


@dataclass
class Change:
    """texts: (module, expression, its new text). assumptions: what must hold."""

    texts: list[tuple[Module, Node, str]] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)


def is_array(values: Values) -> bool:
    return _ARRAY in values


def _holds_array(values: Values) -> bool:
    """Is an array inside of a tuple, a list or a dictionary?"""
    for value in values:
        if isinstance(value, TupleValue) and any(map(is_array, value.items)):
            return True
        if isinstance(value, (ListValue, DictValue)) and is_array(value.element):
            return True
    return False


# out


def returned(root: Root, program: Program) -> Iterator[tuple[Node, int]]:
    """Arrays that a compiled function returns: the expression, and its position in a tuple (-1: alone)."""
    module = root.function.module
    for node in calls.own_nodes(root.function):
        if not (isinstance(node, tree.Return) and node.value is not None):
            continue
        if isinstance(node.value, tree.Tuple):
            for position, item in enumerate(node.value.elts):
                if is_array(program.ev.evaluate(item, module)):
                    yield item, position
        else:
            values = program.ev.evaluate(node.value, module)
            if is_array(values):
                yield node.value, -1
            elif _holds_array(values):
                yield node.value, -2


def stacked_result(root: Root, position: int, program: Program) -> Change:
    """Return `stack()`, and let the callers in sight take a tensor. Raises Kept."""
    module, change = root.function.module, Change()
    if position == -2:
        raise Kept("it is returned inside of a container")
    for node in calls.own_nodes(root.function):
        if isinstance(node, tree.keyword) and node.arg == "infer_shape":
            raise Kept(
                f"the elements may have different shapes, as `infer_shape` at line {node.value.lineno} says"
            )
    for node in calls.own_nodes(root.function):
        if isinstance(node, tree.Return) and node.value is not None:
            item = node.value
            if position >= 0:
                if not isinstance(item, tree.Tuple) or position >= len(item.elts):
                    raise Kept(f"the return at line {node.lineno} has another form")
                item = item.elts[position]
            if not is_array(program.ev.evaluate(item, module)):
                raise Kept(f"the return at line {node.lineno} gives something else")
            change.texts.append((module, item, f"{_atom(item, module)}.stack()"))
    callers = program.callers(root.function)
    for site in callers.sites:
        _result(site, position, change, program)
    if callers.open or not callers.sites:
        change.assumptions.append(f"no other caller of `{root.function.name}` needs its TensorArray")
    else:
        change.assumptions.append("all callers are in sight")
    return change


def _result(site: Site, position: int, change: Change, program: Program) -> None:
    module, node = site.module, site.node
    parent = module.parent.get(node)
    if position < 0:
        _use(node, parent, module, change, program)
        return
    target = parent.targets[0] if isinstance(parent, tree.Assign) and len(parent.targets) == 1 else None
    if isinstance(target, (tree.Tuple, tree.List)) and position < len(target.elts):
        _bound(target.elts[position], module, change, program)
    elif isinstance(parent, tree.Subscript):
        _use(parent, module.parent.get(parent), module, change, program)
    else:
        raise Kept(f"the result is not taken apart at {module.path}:{node.lineno}")


def _use(node: Node, parent: Node | None, module: Module, change: Change, program: Program) -> None:
    """One expression that was an array and becomes a tensor."""
    call = module.parent.get(parent) if isinstance(parent, tree.Attribute) else None
    if isinstance(parent, tree.Attribute) and isinstance(call, tree.Call) and call.func is parent:
        change.texts.append((module, call, _read(node, parent, call, module, program)))
    elif isinstance(parent, tree.Assign) and len(parent.targets) == 1:
        _bound(parent.targets[0], module, change, program)
    elif not isinstance(parent, tree.Expr):
        raise Kept(f"the array is used at {module.path}:{node.lineno} in a way that is not followed")


def _bound(target: Node, module: Module, change: Change, program: Program) -> None:
    if not isinstance(target, tree.Name):
        raise Kept(f"the array is kept at {module.path}:{target.lineno}")
    holder = find_binding_scope(module.enclosing(target), target.id)
    if holder is None or len(holder.bindings[target.id]) != 1:
        raise Kept(f"`{target.id}` at {module.path}:{target.lineno} is bound more than once")
    for mention in places.reads(holder, target.id):
        _use(mention, module.parent.get(mention), module, change, program)


def _read(node: Node, attribute: Node, call: Node, module: Module, program: Program) -> str:
    """What a read of the array is on the stacked tensor."""
    base = module.text(node)
    arguments = [module.text(a) for a in call.args]
    if attribute.attr == "stack" and not arguments:
        return base
    if attribute.attr == "read" and len(arguments) == 1:
        return f"{base}[{arguments[0]}]"
    prefix = spelling.tensorflow(module, node, program.ev)
    if attribute.attr == "gather" and len(arguments) == 1 and prefix:
        return f"{prefix}gather({base}, {arguments[0]})"
    if attribute.attr == "size" and not arguments and prefix:
        return f"{prefix}shape({base})[0]"
    raise Kept(f"`{attribute.attr}` at {module.path}:{call.lineno} needs the array itself")


def _atom(node: Node, module: Module) -> str:
    text = module.text(node)
    return text if isinstance(node, (tree.Name, tree.Attribute, tree.Call, tree.Subscript)) else f"({text})"


# in


def passed(root: Root, program: Program) -> Iterator[tuple[Site, Node, str]]:
    """Arrays that a graph outside of XLA gives to a compiled function: call, argument, parameter."""
    for site in program.sites_outside(root.function):
        caller = site.scope.function
        if site.decorated is not None or caller is None:
            continue
        if not _in_graph(caller, program):
            continue
        for argument, name in _arguments(site, root.function):
            values = program.ev.evaluate(argument, site.module)
            if is_array(values) or _holds_array(values):
                yield site, argument, name


def _in_graph(function: Scope, program: Program, depth: int = 4) -> bool:
    if pretraced.plain_function(function, program.ev) is not None:
        return True
    sites = program.callers(function).sites if depth else []
    return any(
        s.scope.function is not None and _in_graph(s.scope.function, program, depth - 1) for s in sites
    )


def _arguments(site: Site, function: Scope) -> list[tuple[Node, str]]:
    names = [param.id for param in function.params]
    if function.owner is not None and site.bound and not function.is_static:
        names = names[1:]
    found = list(zip(site.node.args, names, strict=False))
    return found + [(k.value, k.arg) for k in site.node.keywords if k.arg in names]


def stacked_argument(root: Root, name: str, program: Program) -> Change:
    """Pass `stack()` in all calls, and use the parameter as a tensor. Raises Kept."""
    change, function = Change(), root.function
    callers = program.callers(function)
    for site in callers.sites:
        argument = next((a for a, n in _arguments(site, function) if n == name), None)
        if argument is None or not is_array(program.ev.evaluate(argument, site.module)):
            raise Kept(f"the call at {site.module.path}:{site.node.lineno} passes something else")
        change.texts.append((site.module, argument, f"{_atom(argument, site.module)}.stack()"))
    module = function.module
    if len(function.bindings[name]) != 1:
        raise Kept(f"`{name}` is assigned in the function")
    for mention in places.reads(function, name):
        _use(mention, module.parent.get(mention), module, change, program)
    change.assumptions.append(
        f"no other caller of `{function.name}` passes a TensorArray"
        if callers.open
        else "all callers are in sight"
    )
    return change
