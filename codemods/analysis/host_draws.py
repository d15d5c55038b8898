"""Random numbers of Python and NumPy that code draws while it is traced."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.analysis import calls, library, tree
from codemods.analysis.compiled import Program
from codemods.analysis.hoisting import is_lazy
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api
from codemods.knowledge.host_random import MAKERS, MODULES, NO_DRAWS, SEEDS, STREAMS

_SET_UP = ("__init__", "build")
_VARIABLES = ("Variable", "add_weight", "add_variable", "get_variable")


def find(function: Scope, program: Program) -> Iterator[tuple[Node, str]]:
    """The draws of a function whose numbers its calls should not share, each with its canonical name.

    Left out: what only gives variables and objects their first values, and what starts from a fixed
    seed in the function itself, since that gives the same numbers on each call anyway.
    """
    if function.name in _SET_UP:
        return
    for node in calls.own_nodes(function):
        if not isinstance(node, tree.Call):
            continue
        name = _drawn(node, function.module, program)
        once = name and (
            _is_first_value(node, function, program) or _starts_anew(node, name, function, program)
        )
        if name and not once:
            yield node, name


def _drawn(node: Node, module: Module, program: Program) -> str:
    """The canonical name of what a call draws with; "" where it may be something else."""
    values = program.ev.evaluate(node.func, module)
    names = {library.without_v1(v.name) for v in values if isinstance(v, Api)}
    if len(names) != 1 or len(values) != 1:
        return ""
    name = names.pop()
    last = name.rpartition(".")[2]
    if not name.startswith(MODULES) or name in MAKERS or last in NO_DRAWS or last[:1].isupper():
        return ""
    return name


def _is_first_value(node: Node, function: Scope, program: Program) -> bool:
    module = function.module
    for ancestor in module.ancestors(node):
        if ancestor is function.node:
            break
        if isinstance(ancestor, tree.Call) and tree.identifier(ancestor.func) in _VARIABLES:
            return True
        if isinstance(ancestor, tree.With) and any(
            tree.identifier(getattr(item.context_expr, "func", None)) == "init_scope"
            for item in ancestor.items
        ):
            return True
    return is_lazy(node, function, program)


def _starts_anew(node: Node, name: str, function: Scope, program: Program) -> bool:
    """Does the function itself seed what it draws from, with a number that is the same on each call?"""
    module = function.module
    if name.startswith(STREAMS):
        base = node.func.value if isinstance(node.func, tree.Attribute) else None
        made = [base]
        if isinstance(base, tree.Name):
            holder = find_binding_scope(module.enclosing(base), base.id)
            if holder is None or holder.function is not function:
                return False
            made = [b.value for b in holder.bindings[base.id]]
        return all(isinstance(m, tree.Call) and _is_fixed(m, function) for m in made)
    seeder = f"{name.rpartition('.')[0]}.seed"
    if seeder not in SEEDS:
        return False
    earlier = [n for n in calls.own_nodes(function) if isinstance(n, tree.Call) and n.lineno < node.lineno]
    return any(
        _is_fixed(other, function) and Api(seeder) in program.ev.evaluate(other.func, module)
        for other in earlier
    )


def _is_fixed(call: Node, function: Scope) -> bool:
    """Is it a call with arguments that the function is not given: literals, names of the module?"""
    if not call.args and not call.keywords:
        return False
    for part in [*call.args, *(kw.value for kw in call.keywords)]:
        for inner in tree.walk(part):
            if isinstance(inner, tree.Name):
                holder = find_binding_scope(function.module.enclosing(inner), inner.id)
                if holder is not None and holder.kind != "module":
                    return False
            elif isinstance(inner, tree.Call) and not inner.args:
                return False
    return True
