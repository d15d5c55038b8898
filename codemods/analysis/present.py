"""Generators that are there already: of the function, of its object, of its module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codemods.analysis import draws, objects, tree
from codemods.analysis.compiled import Program
from codemods.analysis.draws import Draw
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Class, Origin, Values
from codemods.knowledge.generators import UNSEEDED
from codemods.knowledge.random_ops import GENERATOR


def repeats(values: Values, program: Program) -> bool:
    """Do generators start from something that a person chose, as far as that is in sight?"""
    for value in values:
        origin: Origin | None = getattr(value, "origin", None)
        module = program.project.module(origin.path) if origin is not None else None
        if (
            origin is not None
            and module is not None
            and UNSEEDED in module.source.text[origin.start : origin.end]
        ):
            return False
    return True


def in_function(draw: Draw, program: Program) -> str | None:
    """A parameter, or a name of a function round it."""
    scope: Scope | None = draw.function
    while scope is not None and scope.kind != "module":
        for name, bindings in scope.bindings.items() if scope.kind == "function" else ():
            if len(bindings) != 1 or bindings[0].kind not in ("param", "assign"):
                continue
            binding = bindings[0]
            if binding.kind == "assign" and scope is draw.function:
                continue  # made in each call, or an alias of something that is found by itself
            values = program.ev.binding(scope, name, binding, None)
            if draws.is_generator(values) or _annotated(scope, name, program):
                return str(name)
        scope = scope.parent
    return None


def _annotated(function: Scope, name: str, program: Program) -> bool:
    for param in [*function.params, *function.node.args.kwonlyargs]:
        if param.id == name and param.annotation is not None and function.default(name) is None:
            return program.ev.evaluate(param.annotation, function.module) == {Api(GENERATOR)}
    return False


def of_object(draw: Draw, program: Program, seeded: bool) -> str | None:
    """An attribute that `__init__` sets in any case. seeded: only one that repeats its numbers will do."""
    method = method_of(draw.function)
    if method is None or method.owner is None or not method.params:
        return None
    for cls in objects.order(program.ev, method.owner):
        init = cls.scope if isinstance(cls, Class) else None
        for name, value in _stored(init) if init is not None else ():
            values = program.ev.evaluate(value, init.module)  # type: ignore[union-attr]
            if draws.is_generator(values) and (not seeded or repeats(values, program)):
                return f"{method.params[0].id}.{name}"
    return None


def of_module(module: Module, program: Program, seeded: bool) -> str | None:
    """A name of the module that is bound once, at its top level. seeded: as for `of_object`."""
    for name, bindings in module.root.bindings.items():
        if len(bindings) != 1 or bindings[0].kind not in ("assign", "from"):
            continue
        statement = module.statement(bindings[0].node)
        values = program.ev.bindings(module.root, name, bindings, None)
        fits = draws.is_generator(values) and (not seeded or repeats(values, program))
        if fits and module.parent.get(statement) is module.tree:
            return name
    return None


def method_of(function: Scope) -> Scope | None:
    """The method that a function is, or is nested in."""
    scope: Scope | None = function
    while scope is not None and scope.kind in ("function", "comprehension"):
        if scope.kind == "function" and scope.owner is not None:
            return scope
        scope = scope.parent
    return None


def _stored(cls: Scope) -> Iterator[tuple[str, Node]]:
    """(attribute, value) of what `__init__` stores in the object, once and in any case."""
    init = next((b.node for b in cls.bindings.get("__init__", []) if b.kind == "def"), None)
    found: dict[str, list[Node]] = {}
    for statement in init.body if init is not None else ():
        for name, value in stored_by(statement):
            found.setdefault(name, []).append(value)
    yield from ((name, values[0]) for name, values in found.items() if len(values) == 1)


def stored_by(statement: Node) -> Iterator[tuple[str, Node]]:
    """(attribute, value) of `self.x = value`."""
    targets: Sequence[Node] = ()
    if isinstance(statement, tree.Assign):
        targets = statement.targets
    elif isinstance(statement, tree.AnnAssign) and statement.value is not None:
        targets = [statement.target]
    for target in targets:
        if isinstance(target, tree.Attribute) and isinstance(target.value, tree.Name):
            yield target.attr, statement.value
