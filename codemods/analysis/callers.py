"""Who calls a function, over the whole project: found by name, decided by evaluation.

The answer says whether it is complete. It is *open* where the function is public API, is handed on
as a value, is called by a framework, or may be meant by a call on an object that is not understood.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from codemods.analysis import calls, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.index import Project
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    ApiObject,
    Class,
    Const,
    Function,
    Partial,
    Static,
    Tensor,
    Unknown,
    Values,
    one,
)

_MANY = 400  # mentions of a name that are looked at
_FRAMEWORK_METHODS = frozenset({
    "call", "build", "train_step", "test_step", "predict_step", "compute_loss", "get_config",
    "compute_output_shape", "__call__", "__init_subclass__", "__getattr__", "__enter__", "__exit__", "setup",
    "forward", "on_epoch_end", "on_train_batch_end",
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Site:
    """One call of a function. args: the evaluated function itself where the call is a decorator."""

    module: Module
    node: Node
    bound: bool  # the callee carries its `self`
    decorated: Values | None = None

    @property
    def scope(self) -> Scope:
        return self.module.enclosing(self.node)


@dataclass(eq=False)
class Callers:
    sites: list[Site] = field(default_factory=list)
    open: str = ""  # why there may be callers that are not in `sites`

    def leak(self, why: str) -> None:
        self.open = self.open or why


class CallerIndex:
    """Answers `callers` once per function."""

    def __init__(self, project: Project, evaluator: Evaluator, patience: int) -> None:
        """patience: the number of files that may mention a name; beyond it the answer is open."""
        self._project = project
        self._evaluator = evaluator
        self._patience = patience
        self._known: dict[Scope, Callers] = {}

    def forget(self) -> None:
        self._known.clear()

    def callers(self, function: Scope) -> Callers:
        """The call sites of a function, and whether there may be others."""
        if function not in self._known:
            self._known[function] = Callers(open="still looking")  # a cycle is no proof
            self._known[function] = self._find(function)
        return self._known[function]

    def _find(self, function: Scope) -> Callers:
        result = Callers()
        if isinstance(function.node, tree.Lambda):
            return self._lambda(function, result)
        module, name = function.module, function.name
        if function.owner is not None and (name in _FRAMEWORK_METHODS and name != "__init__"):
            result.leak(f"`{name}` is called by the framework")
        if self._handed_on(function):
            result.leak(f"a decorator may hand `{name}` on")
        if function.owner is not None and name == "__init__":
            if self._handed_on(function.owner):
                result.leak(f"a decorator may hand class `{function.owner.name}` on")
            self._constructions(function.owner, result)
        local = function.parent is not None and function.parent.kind == "function"
        paths = [module.path] if local else self._project.with_word(name, module.path)
        if len(paths) > self._patience:
            result.leak(f"`{name}` is mentioned in too many files to follow")
            return result
        names = {name}
        for path in paths:
            other = self._project.module(path)
            if other is not None:
                self._imports(other, names, function, result)
        if len(names) > 1:
            paths = sorted({p for one_name in names for p in self._project.with_word(one_name, module.path)})[
                : self._patience
            ]
        seen = 0
        for path in paths:
            other = self._project.module(path)
            if other is None:
                continue
            for one_name in names:
                for node in other.mentions.get(one_name, ()):
                    seen += 1
                    if seen > _MANY:
                        result.leak(f"`{name}` is mentioned too often to follow")
                        return result
                    self._mention(other, node, function, result)
        if not result.sites:
            result.leak("no caller is in sight")
        return result

    def _handed_on(self, scope: Scope) -> bool:
        """Is there a decorator that could keep the function or class, and call it with anything?"""
        for decorator in getattr(scope.node, "decorator_list", []):
            values = self._evaluator.evaluate(decorator, scope.module)
            for value in values:
                name = (
                    value.target.name
                    if isinstance(value, Partial) and isinstance(value.target, Api)
                    else getattr(value, "name", "")
                )
                harmless = name in calls.TRANSPARENT or name.split(".")[0] in (
                    "dataclasses",
                    "attr",
                    "attrs",
                    "abc",
                    "typing",
                )
                if not harmless and name not in ("builtins.property", "functools.cached_property"):
                    return True
        return False

    def _imports(self, module: Module, names: set[str], function: Scope, result: Callers) -> None:
        """Other names the function goes by, and whether a package hands it on as its own."""
        if module is function.module and module.exports is not None and function.name in module.exports:
            result.leak(f"`{function.name}` is in `__all__` of {module.name}")
        for statement in module.imports:
            for alias in statement.names:
                if isinstance(statement, tree.ImportFrom) and alias.name in names:
                    if os.path.basename(module.path) == "__init__.py" and function.owner is None:
                        result.leak(f"`{function.name}` is public in {module.name}")
                    if alias.asname:
                        names.add(alias.asname)

    def _mention(self, module: Module, node: Node, function: Scope, result: Callers) -> None:
        if not isinstance(node.ctx, tree.Load):
            return
        if (
            isinstance(node, tree.Attribute)
            and function.owner is None
            and function.parent is not function.module.root
        ):
            return  # a nested function is never an attribute
        values = self._evaluator.evaluate(node, module)
        found = [v for v in values if isinstance(v, Function) and v.scope is function]
        if not found:
            lost = any(isinstance(v, Unknown) for v in values) and isinstance(node, tree.Attribute)
            if lost and function.owner is not None and not self._foreign(node, module):
                result.leak(f"`.{node.attr}` at {module.path}:{node.lineno} may mean it")
            return
        parent = module.parent.get(node)
        if isinstance(parent, tree.Call) and parent.func is node:
            result.sites.append(Site(module, parent, found[0].bound is not None))
        elif isinstance(parent, (tree.FunctionDef, tree.AsyncFunctionDef)) and any(
            node is d for d in parent.decorator_list
        ):
            given = one(Function(module.scope_of[parent]))
            result.sites.append(Site(module, node, found[0].bound is not None, given))
        elif isinstance(parent, tree.Call) and self._transparent(parent, module):
            statement = module.statement(parent)
            if not (isinstance(statement, tree.Assign) and isinstance(statement.targets[0], tree.Name)):
                result.leak(f"it is handed on at {module.path}:{node.lineno}")
                return
            alias = statement.targets[0].id
            for other in module.mentions.get(alias, ()):
                call = module.parent.get(other)
                if isinstance(call, tree.Call) and call.func is other:
                    result.sites.append(Site(module, call, False))
        elif (
            isinstance(parent, tree.Return)
            and function.parent is not None
            and function.parent.kind == "function"
        ):
            self._returned(function.parent, result)
        else:
            result.leak(f"it is handed on at {module.path}:{node.lineno}")

    def _returned(self, maker: Scope, result: Callers) -> None:
        """A nested function that its maker returns: `maker(...)(x)`, or `@maker(...)` over a function."""
        makers = self.callers(maker)
        if makers.open:
            result.leak(f"`{maker.name}` returns it: {makers.open}")
        for site in makers.sites:
            parent = site.module.parent.get(site.node)
            if isinstance(parent, tree.Call) and parent.func is site.node:
                result.sites.append(Site(site.module, parent, False))
            elif (
                isinstance(parent, (tree.FunctionDef, tree.AsyncFunctionDef))
                and site.node in parent.decorator_list
            ):
                given = one(Function(site.module.scope_of[parent]))
                result.sites.append(Site(site.module, site.node, False, given))
            else:
                result.leak(f"it is handed on at {site.module.path}:{site.node.lineno}")

    def _foreign(self, node: Node, module: Module) -> bool:
        """Is the object certainly not one of ours?"""
        values = self._evaluator.evaluate(node.value, module)
        return bool(values) and all(isinstance(v, (Api, ApiObject, Tensor, Const, Static)) for v in values)

    def _transparent(self, node: Node, module: Module) -> bool:
        values = self._evaluator.evaluate(node.func, module)
        return any(isinstance(v, Api) and v.name in calls.TRANSPARENT for v in values)

    def _constructions(self, cls: Scope, result: Callers) -> None:
        """Calls of a class and of the subclasses that inherit its `__init__`."""
        pending, seen = [cls], {cls}
        while pending:
            current = pending.pop()
            paths = self._project.with_word(current.name, current.module.path)
            if len(paths) > self._patience:
                result.leak(f"class `{current.name}` is mentioned in too many files to follow")
                return
            for path in paths:
                module = self._project.module(path)
                if module is None:
                    continue
                for node in module.mentions.get(current.name, ()):
                    if not isinstance(node.ctx, tree.Load):
                        continue
                    if Class(current) not in self._evaluator.evaluate(node, module):
                        continue
                    parent = module.parent.get(node)
                    if isinstance(parent, tree.Call) and parent.func is node:
                        result.sites.append(Site(module, parent, True))
                    elif isinstance(parent, tree.ClassDef):
                        sub = module.scope_of[parent]
                        if sub not in seen and "__init__" not in sub.bindings:
                            pending.append(sub)
                        seen.add(sub)
                    elif isinstance(parent, tree.Attribute) or self._harmless(parent, node):
                        continue
                    else:
                        result.leak(f"class `{current.name}` is handed on at {module.path}:{node.lineno}")

    @staticmethod
    def _harmless(parent: Node | None, node: Node) -> bool:
        """Type tests, `super(Class, self)` and annotations make no object."""
        if isinstance(parent, tree.Call) and isinstance(parent.func, tree.Name):
            return parent.func.id in ("isinstance", "issubclass", "super")
        return getattr(parent, "annotation", None) is node or getattr(parent, "returns", None) is node

    def _lambda(self, function: Scope, result: Callers) -> Callers:
        """A lambda bound to a local name is called through it; any other is handed on."""
        module = function.module
        statement = module.parent.get(function.node)
        if isinstance(statement, tree.Assign) and isinstance(statement.targets[0], tree.Name):
            for node in module.mentions.get(statement.targets[0].id, ()):
                self._mention(module, node, function, result)
        else:
            result.leak("a lambda is handed on")
        return result
