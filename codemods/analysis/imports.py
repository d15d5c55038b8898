"""What imported names mean: modules of the project, their members, and library symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemods.analysis import library
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import NOTHING, UNKNOWN, Api, ModuleValue, Unknown, Values, one, unknown

if TYPE_CHECKING:
    from codemods.analysis.evaluate import Evaluator

BUILTINS = frozenset({
    "range", "len", "int", "float", "bool", "str", "max", "min", "abs", "sum", "enumerate", "zip", "list",
    "tuple", "dict", "set", "reversed", "sorted", "isinstance", "super", "print", "map", "filter", "getattr",
    "setattr", "hasattr", "type", "property", "any", "all", "round", "pow", "divmod", "slice", "object",
    "iter", "next", "callable", "id", "hash", "repr", "format", "frozenset", "ValueError", "TypeError",
    "NotImplementedError", "RuntimeError", "open", "staticmethod", "classmethod", "Exception", "complex",
    "bytes", "vars", "dir", "globals", "locals",
})  # fmt: skip


def imported(ev: Evaluator, module: Module, name: str) -> Values:
    """What `import name` binds."""
    path = ev.project.find(name, module.path)
    if path is not None:
        return one(ModuleValue(path))
    return one(Api(library.canonical(name)))


def imported_from(ev: Evaluator, module: Module, statement: Node, name: str) -> Values:
    """What `from ... import name` binds."""
    if statement.level:
        path = ev.project.find_relative(module, statement.level, statement.module)
        if path is None:
            base = ev.project.find_relative(module, statement.level, None)
            return unknown("module not found") if base is None or statement.module else UNKNOWN
    else:
        path = ev.project.find(statement.module, module.path)
        if path is None:
            sub = ev.project.find(f"{statement.module}.{name}", module.path)
            if sub is not None:
                return one(ModuleValue(sub))
            return one(Api(library.canonical(f"{statement.module}.{name}")))
    return member(ev, path, name)


def member(ev: Evaluator, path: str, name: str) -> Values:
    """A top-level name of a project module, through re-exports and star re-exports."""
    target = ev.project.module(path)
    if target is None:
        return unknown("module does not parse")
    bindings = target.root.bindings.get(name, [])
    if bindings:
        found = ev.bindings(target.root, name, bindings, None)
        sub = ev.project.submodule(target, name)
        # `from pkg import name` in pkg itself means the submodule, and so does `name: ModuleType`
        if sub is not None and (not found or all(b.kind == "ann" for b in bindings)):
            return one(ModuleValue(sub))
        return found
    starred = star(ev, target, name, as_member=True)
    if starred is not None:
        return starred
    sub = ev.project.submodule(target, name)
    return one(ModuleValue(sub)) if sub is not None else unknown(f"`{name}` not found in {target.name}")


def star(ev: Evaluator, module: Module, name: str, as_member: bool = False) -> Values | None:
    """What star imports give; a builtin keeps its meaning unless the library is known to hide it."""

    def look() -> Values:
        for binding in reversed(module.root.bindings.get("*", [])):
            statement = binding.node
            if statement.level:
                path = ev.project.find_relative(module, statement.level, statement.module)
            else:
                path = ev.project.find(statement.module, module.path)
                if path is None:
                    if builtin and not library.star_hides(statement.module, name):
                        continue
                    return one(Api(library.canonical(f"{statement.module}.{name}")))
            if path is not None:
                found = member(ev, path, name)
                if not all(isinstance(value, Unknown) for value in found):
                    return found
        return NOTHING

    builtin = name in BUILTINS and not as_member
    if "*" not in module.root.bindings:
        return None
    return ev.guarded((("*", module.path, name, as_member), None), look) or None
