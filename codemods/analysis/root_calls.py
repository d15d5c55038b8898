"""The calls that lead to a compiled function, in files that may know it: found by name, then evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from codemods.analysis import boundary, objects, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.index import Project
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Function, Instance, Partial, Values, one
from codemods.knowledge import devices as table

_FILES = 40


def find(ev: Evaluator, root: Root) -> Iterator[tuple[Module, Node]]:
    """Each call, with its module; of a Keras model those that run it (`fit`, ...)."""
    for module in modules(ev.project, root):
        names = table.KERAS_RUNS if root.of_keras else _names_in(root, module)
        for node in tree.walk(module.tree):
            if not isinstance(node, tree.Call) or (names and tree.identifier(node.func) not in names):
                continue
            if isinstance(node.func, tree.Attribute) if root.of_keras else _leads_to(ev, root, node, module):
                yield module, node


def _leads_to(ev: Evaluator, root: Root, node: Node, module: Module) -> bool:
    found = functions(ev, ev.evaluate(node.func, module))
    return any(f.scope is root.function for f in found) and boundary.through(root, node)


def functions(ev: Evaluator, values: Values) -> Iterator[Function]:
    """The functions that a call of some values runs."""
    for value, _, _ in bindings(ev, values, [], {}):
        yield value


def bindings(
    ev: Evaluator, values: Values, args: Sequence[Values], keywords: Mapping[str, Values]
) -> Iterator[tuple[Function, list[Values], dict[str, Values]]]:
    """The same, each with its arguments."""
    for value in values:
        if isinstance(value, Function):
            yield value, list(args), dict(keywords)
        elif isinstance(value, Instance):
            yield from bindings(ev, objects.call_method(ev, value), args, keywords)
        elif isinstance(value, Partial):
            merged = {**dict(value.keywords), **keywords}
            yield from bindings(ev, one(value.target), [*value.args, *args], merged)


def modules(project: Project, root: Root) -> list[Module]:
    """The modules that may know a compiled function."""
    paths = {root.module.path, root.function.module.path}
    for name in sorted(_names(root)):
        found = project.with_word(name, root.module.path)
        paths.update(found if len(found) <= _FILES else ())
    loaded = [project.module(path) for path in sorted(paths)]
    return [module for module in loaded if module is not None]


def _names(root: Root) -> frozenset[str]:
    """The names of a compiled function, of what it is made in, and of what is made of it."""
    scope: Scope | None = root.function
    names = {root.function.name}
    while scope is not None and scope.kind != "module":
        names.add(scope.name)  # the class of a method, the maker of a nested function
        scope = scope.parent
    statement = root.module.statement(root.node)
    names.update(tree.identifier(target) for target in getattr(statement, "targets", ()))
    return frozenset(names - {"", "<lambda>", "lambda"})


def _names_in(root: Root, module: Module) -> frozenset[str]:
    """The names by which a module may call a compiled function; none where any name may do."""
    if root.function.name in ("call", "__call__", "", "<lambda>"):
        return frozenset()
    # what is called may have no name, or be a parameter that gets the function
    names = _names(root) | {""}.union(param.id for f in module.functions for param in f.params)
    known = names - {""}
    for _ in range(2):  # names for it, and names for those
        for node in tree.walk(module.tree):
            value = node.value if isinstance(node, (tree.Assign, tree.AnnAssign)) else None
            if value is not None and any(tree.identifier(part) in known for part in tree.walk(value)):
                targets = node.targets if isinstance(node, tree.Assign) else [node.target]
                names = names | {tree.identifier(part) for t in targets for part in tree.walk(t)}
    return names
