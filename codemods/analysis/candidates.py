"""Which functions a call or an attribute may mean where evaluation alone does not say.

Methods of classes below, methods by their name, functions that a parameter gets. What comes from here is
likely, not certain: the walk marks it as a guess, and no fix counts as safe on the strength of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from codemods.analysis import calls, objects, tree
from codemods.analysis.attributes import attribute
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.index import Project
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Class,
    Function,
    Instance,
    ModuleValue,
    Super,
    Unknown,
    Values,
)

COMMON_METHODS = frozenset({
    "append", "add", "get", "items", "keys", "values", "update", "pop", "copy", "join", "split", "format",
    "write", "read", "stack", "size", "concat", "gather", "unstack", "numpy", "assign", "assign_add",
    "assign_sub", "mean", "sum", "max", "min", "reshape", "astype", "tolist", "index", "count", "sort",
    "extend", "insert", "remove", "clear", "close", "open", "run", "call", "build", "eval", "fit", "predict",
    "save", "load", "shape", "name", "apply", "step", "reset", "map", "batch",
})  # fmt: skip
_METHOD = re.compile(rb"^[ \t]+def (\w+)\(", re.M)
_PROPERTY = re.compile(rb"^[ \t]+@[\w.]*property\b(?:.*\n){1,12}?[ \t]*def (\w+)\(", re.M)
_FAMILY = 60  # files with a definition of a method that a guess may mean
_FAMILIES = 3


class Candidates:
    """Answers from the classes of a project, remembered."""

    def __init__(self, project: Project, ev: Evaluator) -> None:
        self.project = project
        self.ev = ev
        self._derived: dict[Scope, list[Scope]] = {}
        self._defined: dict[str, list[str]] | None = None
        self._named: frozenset[str] | None = None
        self._methods: dict[str, dict[Scope, Scope]] = {}
        self._near: dict[str, set[str]] = {}

    def all(self, node: Node, module: Module) -> Values:
        """What a callee may be; a parameter, or a method of one, may be more than evaluation can hold."""
        values = self.ev.evaluate(node, module)
        receiver = node.value if isinstance(node, tree.Attribute) else node
        if not isinstance(receiver, tree.Name) or not any(isinstance(v, Unknown) for v in values):
            return values
        holder = find_binding_scope(module.enclosing(receiver), receiver.id)
        given = self.ev.given.get((holder, receiver.id), set()) if holder is not None else set()
        if receiver is node:
            return values | given
        scopes = {v.scope: None for v in given if isinstance(v, Instance)}
        return values.union(*(attribute(self.ev, Instance(scope), node.attr) for scope in scopes))

    def _below(self, function: Scope, callee: Node) -> list[Function]:
        """`self.name`, as the classes see it that derive from the one whose method says so."""
        owner = function.owner
        if owner is None or not isinstance(callee.value, tree.Name) or callee.value.id != function.receiver:
            return []
        return self._in_subclasses(owner, callee.attr)

    def template(self, function: Scope, callee: Node, values: Values) -> list[Function]:
        """`self.name` where the class leaves the method to the classes below, or self is not all known."""
        own = objects.method(self.ev, function.owner, callee.attr) if function.owner is not None else None
        open_ = any(isinstance(v, Unknown) for v in values) or own is None or _is_abstract(own)
        return self._below(function, callee) if open_ else []

    def overriders(self, callee: Node, module: Module) -> list[Function]:
        """What a method means that has no body of its own: what the classes below define."""
        bound = [v for v in self.ev.evaluate(callee, module) if isinstance(v, Function)]
        abstract = {
            (v.bound.scope, v.scope.name)
            for v in bound
            if isinstance(v.bound, Instance) and _is_abstract(v.scope)
        }
        for value in self.ev.evaluate(callee.value, module) if isinstance(callee, tree.Attribute) else ():
            if isinstance(value, Super) and callee.attr == "__call__":  # of Keras: it runs `call`
                own = objects.method(self.ev, value.instance.scope, "call")
                if own is None or _is_abstract(own):
                    abstract.add((value.instance.scope, "call"))
            elif isinstance(value, Instance):
                own = objects.method(self.ev, value.scope, callee.attr)
                if own is not None and _is_abstract(own):
                    abstract.add((value.scope, callee.attr))
        return [
            target
            for scope, name in sorted(abstract, key=lambda one: (one[0].qualname, one[1]))
            for target in self._in_subclasses(scope, name)
        ]

    def tested(self, function: Scope, receiver: Node) -> list[Instance]:
        """The classes that a function asks a name about: `isinstance(name, Class)`."""
        found = []
        for node in calls.own_nodes(function) if isinstance(receiver, tree.Name) else ():
            if (
                isinstance(node, tree.Call)
                and tree.identifier(node.func) == "isinstance"
                and len(node.args) == 2
                and tree.identifier(node.args[0]) == receiver.id
            ):
                classes = self.ev.evaluate(node.args[1], function.module)
                found += [Instance(v.scope) for v in classes if isinstance(v, Class)]
        return found

    def _in_subclasses(self, cls: Scope, name: str) -> list[Function]:
        if cls not in self._derived:
            self._derived[cls] = objects.subclasses(self.ev, cls)
        found: dict[Scope, list[Function]] = {}
        for below in self._derived[cls]:
            method = objects.method(self.ev, below, name)
            if method is not None and method.owner is not cls and method not in found:
                plain = Function(method, Instance(below))
                values = {plain, *objects.bound(self.ev, method, Instance(below))}
                found[method] = sorted((v for v in values if isinstance(v, Function)), key=place)
        return [target for targets in found.values() for target in targets]

    def _definitions(self) -> dict[str, list[str]]:
        """Method name -> the files that define one."""
        if self._defined is None:
            self._defined = self.project.by_word(_METHOD.findall)
        return self._defined

    def properties(self) -> frozenset[str]:
        """The names of all properties in the project."""
        if self._named is None:
            self._named = frozenset(
                self.project.by_word(lambda data: _PROPERTY.findall(data) if b"property" in data else ())
            )
        return self._named

    def family(self, name: str, module: Module) -> list[Function]:
        """The methods of a name that few families of classes define: among what `module` imports, or in all.

        A family is a class that defines the method, and the classes below it that do, too.
        """
        if name.startswith("__"):
            return []
        if name not in self._methods:
            self._methods[name] = self._found_methods(name)
        everywhere = self._methods[name]
        near = self._imported(module)
        imported = {owner: f for owner, f in everywhere.items() if owner.module.path in near}
        for found in (imported, everywhere):
            if 0 < self._families(found) <= _FAMILIES:
                return [Function(f, Instance(owner)) for owner, f in found.items()]
        return []

    def _found_methods(self, name: str) -> dict[Scope, Scope]:
        """Class -> its method of a name; nothing where too many files define one."""
        paths = self._definitions().get(name, [])
        modules = [self.project.module(path) for path in paths] if len(paths) <= _FAMILY else []
        return {
            f.owner: f
            for module in modules
            for f in (module.functions if module is not None else ())
            if f.name == name and f.owner is not None
        }

    def _families(self, owners: Collection[Scope]) -> int:
        """How many of these classes have no base among them."""
        bases = ({v.scope for v in objects.order(self.ev, c)[1:] if isinstance(v, Class)} for c in owners)
        return sum(found.isdisjoint(owners) for found in bases)

    def _imported(self, module: Module) -> set[str]:
        """The paths of the modules of the project that a module names in its imports, and its own."""
        if module.path not in self._near:
            names = [
                b for found in module.root.bindings.values() for b in found if b.kind in ("import", "from")
            ]
            values = [v for b in names for v in self.ev.binding(module.root, "", b, None)]
            self._near[module.path] = {module.path} | {
                v.name if isinstance(v, ModuleValue) else v.scope.module.path
                for v in values
                if isinstance(v, (ModuleValue, Class, Function))
            }
        return self._near[module.path]


def place(function: Function) -> tuple[str, int]:
    return function.scope.module.path, function.scope.node.lineno


def is_property(function: Scope) -> bool:
    return bool({"property", "cached_property"} & set(function.plain_decorators))


def _is_abstract(function: Scope) -> bool:
    """Does a method only say that a subclass has to define it?"""
    body = [
        statement
        for statement in function.body
        if not (isinstance(statement, tree.Expr) and isinstance(statement.value, tree.Constant))
    ]
    return not body or (len(body) == 1 and isinstance(body[0], (tree.Raise, tree.Pass)))
