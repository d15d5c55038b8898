"""Random generators that a function makes anew on each of its calls, for the compiled function it runs."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.analysis import hoisting, tree
from codemods.analysis.compiled import Program
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.streams import LOOPS
from codemods.analysis.tree import Node
from codemods.analysis.values import ApiObject
from codemods.knowledge.generators import GENERATOR

_ONCE = ("main", "run", "__init__", "setUp", "setup")


def find(function: Scope, program: Program) -> Iterator[tuple[Node, Scope]]:
    """The calls that make a generator in a caller of a compiled function, each time it is called."""
    done: set[Node] = set()
    for site in program.sites_outside(function):
        caller = site.scope.function
        if caller is None or not isinstance(site.node, tree.Call) or site.decorated is not None:
            continue
        given = [*site.node.args, *(kw.value for kw in site.node.keywords)]
        places = {
            (value.origin.path, value.origin.start)
            for argument in given
            for value in program.ev.evaluate(argument, site.module)
            if isinstance(value, ApiObject) and value.name == GENERATOR and value.origin is not None
        }
        for node in hoisting.makers(caller, program) if places else ():
            here = (site.module.path, site.module.span(node).start)
            if here in places and node not in done and _is_fixed(node, caller):
                inner, outer = (_loops(n, site.module, caller) for n in (site.node, node))
                again = bool(outer) or _is_called_again(caller, program)
                if len(inner) == len(outer) and again and not hoisting.is_lazy(node, caller, program):
                    done.add(node)
                    yield node, caller


def _loops(node: Node, module: Module, function: Scope) -> list[Node]:
    found = []
    for ancestor in module.ancestors(node):
        if ancestor is function.node:
            break
        if isinstance(ancestor, LOOPS):
            found.append(ancestor)
    return found


def _is_fixed(node: Node, function: Scope) -> bool:
    """Is the generator the same on each call: has it a seed that the function does not get or compute?"""
    if not node.args and not node.keywords:
        return False
    module = function.module
    for name in tree.walk(node):
        if isinstance(name, tree.Name):
            holder = find_binding_scope(module.enclosing(name), name.id)
            if holder is not None and holder.kind != "module":
                return False
    return True


def _is_called_again(function: Scope, program: Program) -> bool:
    """Is a function called more than once, as far as that can be seen?"""
    if function.name.startswith("test") or function.name in _ONCE:
        return False
    callers = program.callers(function)
    if callers.sites:
        loops = any(
            _loops(s.node, s.module, s.scope.function) if s.scope.function else _in_loop(s.node, s.module)
            for s in callers.sites
        )
        return loops or len(callers.sites) > 1
    return bool(function.params)  # data goes in: nobody knows how often


def _in_loop(node: Node, module: Module) -> bool:
    return any(isinstance(a, LOOPS) for a in module.ancestors(node))
