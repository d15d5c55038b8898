"""Functions that a dispatcher chooses among by the types of its arguments.

`functools.singledispatch` and packages like it share one form: `@NAME.register(...)` over each function,
and `NAME(...)` for the call. Which one runs is not known; every one of them may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemods.analysis import tree
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import Env, Function

if TYPE_CHECKING:
    from codemods.analysis.evaluate import Evaluator


def registered(ev: Evaluator, callee: Node, module: Module, env: Env | None = None) -> list[Function]:
    """The functions that are registered with what is called here; none for what is no dispatcher."""
    name = tree.identifier(callee)
    paths = ev.project.registering(name) if name else []
    dispatcher = ev.evaluate(callee, module, env) if paths else frozenset()
    found = []
    for path in paths:
        other = ev.project.module(path)
        for function in other.functions if other is not None else ():
            for decorator in getattr(function.node, "decorator_list", ()):
                given = decorator.func if isinstance(decorator, tree.Call) else decorator
                if (
                    isinstance(given, tree.Attribute)
                    and given.attr == "register"
                    and tree.identifier(given.value) == name
                    and ev.evaluate(given.value, function.module) & dispatcher
                ):
                    found.append(Function(function))
    return found
