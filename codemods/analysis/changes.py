"""What may have another value further down: containers that grow, attributes, globals, variables.

`places` looks at the names that a function binds itself; here is what other code may do in between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from codemods.analysis import calls, library, loops, tree
from codemods.analysis.compiled import Program
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, ApiObject, Function, Static, Tensor, TupleValue, Unknown

_MAKES_LIST = frozenset(
    {"tensorflow.unstack", "tensorflow.split", "builtins.list", "builtins.tuple", "builtins.sorted"}
)
_ONLY_LOOKS = frozenset(
    {"len", "enumerate", "zip", "reversed", "list", "tuple", "sum", "max", "min", "isinstance"}
)
_CHANGES = frozenset(
    [
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "sort",
        "reverse",
        "update",
        "setdefault",
        "add",
        "popleft",
        "appendleft",
    ]
)
_REFLECTS = frozenset({"setattr", "delattr", "exec", "eval", "next", "vars"})
_CONSTRUCTORS = frozenset({"__init__", "__post_init__", "__new__"})
_LEAVES = (tree.Return, tree.Raise, tree.Yield, tree.YieldFrom, tree.Continue, tree.Break)
_OF_TENSORS = frozenset({"shape", "rank", "ndims", "ndim", "dtype"})


def moved(
    node: Node, first: Node, last: Node, function: Scope, program: Program, bodies: Sequence[Scope] = ()
) -> str:
    """Why an expression may not be the same all the way from `first` to the end of `last`; "" if it is.

    Both places are in `function`. bodies: functions that run in between.
    """
    module = function.module
    for inner in tree.walk(node):
        base = _container(inner, module, program)
        why = changed_length(base, module, program) if base is not None else ""
        if why:
            return why
    name = mutable(node, module, program)
    if name:
        begin, end = module.span(first).start, module.span(last).end
        noise = _disturbance(begin, end, function, bodies, program)
        if noise:
            return f"`{name}` may be changed by {noise}"
    return ""


# containers


def _container(node: Node, module: Module, program: Program) -> Node | None:
    if isinstance(node, tree.Subscript):
        return node.value
    if (
        isinstance(node, tree.Call)
        and len(node.args) == 1
        and Api("builtins.len") in program.ev.evaluate(node.func, module)
    ):
        return node.args[0]
    return None


def changed_length(base: Node, module: Module, program: Program) -> str:
    """Why a container may not keep its length and items; "" if it does."""
    values = program.proof.evaluate(base, module)
    if values and all(
        isinstance(v, (Tensor, TupleValue)) or (isinstance(v, Static) and v.kind == "shape") for v in values
    ):
        return ""
    text = module.text(base)
    if isinstance(base, tree.Name):
        holder = find_binding_scope(module.enclosing(base), base.id)
        if holder is not None and holder.kind == "function":
            if _display(holder, base.id, program) and _only_read(holder, base.id, program, strict=True):
                return ""
            if values and all(isinstance(v, (Unknown, Tensor, Static)) for v in values):
                return (
                    ""
                    if _only_read(holder, base.id, program, strict=False)
                    else f"the items of `{text}` change"
                )
    elif (
        values
        and not any(isinstance(v, Unknown) for v in values)
        and all(isinstance(v, (Tensor, Static)) for v in values)
    ):
        return ""
    return f"it is not known that `{text}` keeps its length"


def _display(holder: Scope, name: str, program: Program) -> bool:
    """Is a local name bound once, to a list or tuple that is made there (or to `*args`)?"""
    found = holder.bindings[name]
    if len(found) != 1:
        return False
    if found[0].kind == "rest":
        vararg = getattr(holder.node.args, "vararg", None)
        return getattr(vararg, "id", None) == name
    value = found[0].value
    if found[0].kind != "assign" or found[0].path or value is None:
        return False
    if isinstance(value, tree.Call):
        names = {
            library.without_v1(v.name) if isinstance(v, Api) else ""
            for v in program.ev.evaluate(value.func, holder.module)
        }
        return bool(names) and names <= _MAKES_LIST
    return isinstance(value, (tree.List, tree.Tuple, tree.ListComp))


def _only_read(holder: Scope, name: str, program: Program, strict: bool) -> bool:
    """strict: every use is known to leave the container alone; else: no use is known to change it."""
    module = holder.module
    for mention in module.mentions.get(name, ()):
        if (
            not isinstance(mention, tree.Name)
            or find_binding_scope(module.enclosing(mention), name) is not holder
        ):
            continue
        parent = module.parent.get(mention)
        if not isinstance(mention.ctx, tree.Load):
            if isinstance(parent, tree.AugAssign) or isinstance(mention.ctx, tree.Del):
                return False
            continue
        if isinstance(parent, tree.Subscript) and parent.value is mention:
            if not isinstance(parent.ctx, tree.Load):
                return False
            continue
        if isinstance(parent, tree.Attribute) and parent.attr in _CHANGES:
            return False
        if strict and not _looks(mention, parent, module, program):
            return False
    return True


def _looks(mention: Node, parent: Node | None, module: Module, program: Program) -> bool:
    if isinstance(parent, (tree.For, tree.comprehension)):
        return parent.iter is mention
    if isinstance(parent, tree.Call) and mention in parent.args:
        values = program.ev.evaluate(parent.func, module)
        names = {v.name if isinstance(v, Api) else "" for v in values}
        return bool(names) and all(
            name.startswith("tensorflow.") or name.removeprefix("builtins.") in _ONLY_LOOKS for name in names
        )
    return False


# what other code may change


def mutable(node: Node, module: Module, program: Program) -> str:
    """The part of an expression that other code may change while a function runs, as text, or ""."""
    for inner in tree.walk(node):
        if isinstance(inner, tree.Name) and isinstance(inner.ctx, tree.Load):
            if loops.is_variable(program.proof.evaluate(inner, module)) or _told_elsewhere(inner.id, module):
                return str(inner.id)
        elif isinstance(inner, tree.Subscript):
            held = program.proof.evaluate(inner.value, module)
            if not held or not all(isinstance(v, (Tensor, Static, TupleValue)) for v in held):
                return module.text(inner)
        elif isinstance(inner, tree.Attribute) and inner.attr not in _OF_TENSORS:
            base = program.proof.evaluate(inner.value, module)
            if base and all(isinstance(v, (Api, ApiObject, Tensor, Static)) for v in base):
                continue
            if loops.is_variable(program.proof.evaluate(inner, module)) or _stored_outside(
                inner.attr, program
            ):
                return module.text(inner)
    return ""


def _told_elsewhere(name: str, module: Module) -> bool:
    """Does a function declare the name `global` or `nonlocal`?"""
    return any(name in scope.elsewhere for scope in module.scope_of.values())


def _stored_outside(attr: str, program: Program) -> bool:
    """Does any code but a constructor store in an attribute of this name?"""
    for path in program.project.containing(attr):
        module = program.project.module(path)
        for mention in module.mentions.get(attr, ()) if module is not None else ():
            if isinstance(mention, tree.Attribute) and not isinstance(mention.ctx, tree.Load):
                assert module is not None
                function = module.enclosing(mention).function
                if function is None or function.name not in _CONSTRUCTORS:
                    return True
        text = module.source.text if module is not None else ""
        if ("setattr" in text or "__dict__" in text) and re.search(rf"""["']{attr}["']""", text):
            return True
    return False


def _disturbance(begin: int, end: int, function: Scope, bodies: Sequence[Scope], program: Program) -> str:
    """A call in a stretch of a function that may change anything, in words; "" if there is none."""
    for module, node in _calls(begin, end, function, bodies):
        if not _quiet(node, module, program):
            return f"`{module.text(node.func)}` at line {node.lineno}"
    return ""


def _calls(begin: int, end: int, function: Scope, bodies: Sequence[Scope]) -> Iterator[tuple[Module, Node]]:
    for node in tree.walk(function.node):
        if isinstance(node, tree.Call) and begin < function.module.span(node).start < end:
            yield function.module, node
    for body in bodies:
        for node in tree.walk(body.node):
            if isinstance(node, tree.Call):
                yield body.module, node


def _called(call: Node) -> str:
    return str(getattr(call.func, "id", ""))


def _quiet(call: Node, module: Module, program: Program) -> bool:
    name = call.func.attr if isinstance(call.func, tree.Attribute) else ""
    if _called(call) in _REFLECTS:
        return False
    if name.startswith(("assign", "scatter_", "batch_scatter", "set_", "apply")) or name in _CHANGES:
        return False
    values = program.ev.evaluate(call.func, module)
    if not values or not all(
        isinstance(v, Api) and v.name.startswith(("tensorflow.", "builtins.", "numpy.", "math."))
        for v in values
    ):
        return False
    for arg in [*call.args, *(kw.value for kw in call.keywords)]:
        if any(isinstance(v, Function) for v in program.ev.evaluate(arg, module)) and not isinstance(
            arg, tree.Lambda
        ):
            return False  # a lambda is looked at where it stands
    return True


# how a stretch of code may be left


def leaves(first: Node, last: Node, function: Scope) -> Node | None:
    """A statement between two places that may end the function, or the round of a loop round both."""
    module = function.module
    begin, end = module.span(first).end, module.span(last).start
    for node in calls.own_nodes(function):
        if isinstance(node, _LEAVES) or type(node).__name__ == "Assert":
            if not begin <= module.span(node).start < end:
                continue
            if isinstance(node, (tree.Continue, tree.Break)) and not leaves_round(node, begin, module):
                continue
            return node
    return None


def leaves_round(node: Node, begin: int, module: Module) -> bool:
    """Does a `break` or `continue` belong to a loop that begins before a place?"""
    loop = next((a for a in module.ancestors(node) if isinstance(a, tree.LOOPS)), None)
    return loop is not None and module.span(loop).start < begin
