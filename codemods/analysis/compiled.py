"""What XLA compiles: from the roots along calls, with the chain that says why.

Arguments are collected per reached function (`params` join what its compiled callers pass), and the
walk is repeated until nothing new comes in. `proof` evaluates with *all* callers instead, compiled or
not: facts about parameters that a SAFE fix relies on come from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from codemods.analysis import calls, handed, objects, roots as roots_module, tree
from codemods.analysis.callers import CallerIndex, Callers, Site
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.gradients import in_tape, takes_gradient
from codemods.analysis.index import Project
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    NOTHING,
    Api,
    ApiObject,
    Class,
    Const,
    Function,
    Instance,
    Partial,
    Static,
    Tensor,
    Unknown,
    Value,
    Values,
    one,
    union,
    unknown,
)

_PASSES = 6
_PATIENCE = 40  # files that may mention a function, for proofs
_LITTLE_PATIENCE = 4  # and to see what it may get
_MAX_FUNCTIONS = 20_000
_COMMON_METHODS = frozenset({
    "append", "add", "get", "items", "keys", "values", "update", "pop", "copy", "join", "split", "format",
    "write", "read", "stack", "size", "concat", "gather", "unstack", "numpy", "assign", "assign_add",
    "assign_sub", "mean", "sum", "max", "min", "reshape", "astype", "tolist", "index", "count", "sort",
    "extend", "insert", "remove", "clear", "close", "open", "run", "call", "build", "eval", "fit", "predict",
    "save", "load", "shape", "name", "apply", "step", "reset", "map", "batch",
})  # fmt: skip


@dataclass(eq=False)
class Reached:
    """A function that compiled code reaches. preds: per root, the caller and the call that led here."""

    function: Scope
    preds: dict[Root, tuple[Scope | None, Module | None, Node | None, bool]] = field(default_factory=dict)
    gradient: bool = False


class Program:
    """The linked project: roots, reached functions, and evaluation in both views."""

    def __init__(
        self, project: Project, entry_points: Sequence[str] = (), facts: Facts | None = None
    ) -> None:
        self.project = project
        self._facts = facts
        self.excluded: set[Scope] = set()  # what the user says is not compiled
        self.ev = Evaluator(project, self._reach_params)
        self.proof = Evaluator(project, self._proof_params, thorough=True)
        self._callers = CallerIndex(project, self.ev, _PATIENCE)
        self._near_callers = CallerIndex(project, self.ev, _LITTLE_PATIENCE)
        self.reached: dict[Scope, Reached] = {}
        self.merged: dict[Scope, dict[str, Values]] = {}
        self.unresolved: dict[tuple[str, int], tuple[Module, Node, str]] = {}
        self._changed = False
        self._defined: dict[str, str] | None = None  # method name -> the one file that defines it, or ""
        named, self.missing_entries = roots_module.entries(project, entry_points)
        self.roots = [*roots_module.find(project, self.ev), *named, *self._told()]
        self._walk()
        self.proof.forget()

    # what the user says

    def facts(self, module: Module, node: Node, kind: str) -> list[str]:
        """The values of the comments of a kind about the statement at a node."""
        if self._facts is None:
            return []
        return [value for found, value in self._facts(module.path).get(node.lineno, ()) if found == kind]

    def _told(self) -> list[Root]:
        """Functions that comments call compiled; those called not compiled are left out of the walk."""
        found = []
        for path in self.project.containing("xlafix:") if self._facts is not None else ():
            module = self.project.module(path)
            for function in module.functions if module is not None else ():
                if self.facts(function.module, function.node, "compiled"):
                    bound = Instance(function.owner) if function.owner is not None else None
                    found.append(
                        Root(function, function.module, function.node, "yes", "a comment", False, bound)
                    )
                if self.facts(function.module, function.node, "not-compiled"):
                    self.excluded.add(function)
        return found

    # parameters

    def callers(self, function: Scope) -> Callers:
        return self._callers.callers(function)

    def _reach_params(self, function: Scope, name: str) -> Values:
        known = self.merged.get(function, {}).get(name)
        if known is not None:
            return known
        return self._from_callers(self.ev, function, name, full=False)

    def _proof_params(self, function: Scope, name: str) -> Values:
        return self._from_callers(self.proof, function, name, full=True)

    def _from_callers(self, ev: Evaluator, function: Scope, name: str, full: bool) -> Values:
        return ev.guarded(
            (("param", function, name), None), lambda: self._ask_callers(ev, function, name, full)
        )

    def _ask_callers(self, ev: Evaluator, function: Scope, name: str, full: bool) -> Values:
        owner = function.owner
        if owner is not None and function.params and function.params[0].id == name and not function.is_static:
            if "classmethod" in function.plain_decorators:
                return one(Class(owner))
            selves = self._selves(function, name) or one(Instance(owner))
            if full:  # any object of the class or of a subclass
                selves = union(
                    [selves, one(Instance(owner)), *(one(Instance(c)) for c in objects.subclasses(ev, owner))]
                )
            return selves
        callers = (self._callers if full else self._near_callers).callers(function)
        found: list[Values] = []
        for site in callers.sites:
            found.append(self.argument(ev, function, name, site))
        annotated = _annotation(ev, function, name)
        if callers.open:
            if annotated is not None:
                found.append(annotated)
            default = function.default(name)
            if default is not None:
                found.append(ev.evaluate(default, function.module, None))
            if full or annotated is None:
                found.append(unknown(f"parameter `{name}`: {callers.open}"))
        return union(found) or unknown(f"parameter `{name}`")

    def _selves(self, function: Scope, name: str) -> Values:
        return self.merged.get(function, {}).get(name, NOTHING)

    def argument(self, ev: Evaluator, function: Scope, name: str, site: Site) -> Values:
        """What one call site passes for a parameter."""
        args: list[Values]
        keywords: dict[str, Values]
        if site.decorated is not None:
            args, keywords = [site.decorated], {}
        else:
            args, keywords = calls.arguments(ev, site.node, site.module, None)
        bound: Value | None = None
        if function.owner is not None and site.bound and not function.is_static:
            bound = Instance(function.owner)
        env = calls.bind(ev, function, bound, args, keywords, None)
        given = env.get(name) if env is not None else None
        return given if given is not None else unknown(f"parameter `{name}`")

    # the walk

    def _walk(self) -> None:
        for number in range(_PASSES):
            self._changed = False
            if number:
                self.ev.forget()
                self._callers.forget()
                self._near_callers.forget()
            pending: list[Scope] = []
            for root in self.roots:
                self._enter(root.function, root, None, None, None, False, root.gradient, pending)
                if root.bound is not None and root.function.params:
                    self._merge(root.function, root.function.params[0].id, one(root.bound))
            pending.extend(self.reached)
            done: set[Scope] = set()
            while pending and len(self.reached) < _MAX_FUNCTIONS:
                function = pending.pop(0)
                if function not in done:
                    done.add(function)
                    self._function(function, pending)
            if not self._changed:
                break
        self.ev.forget()

    def _enter(
        self, function: Scope, root: Root, caller: Scope | None, module: Module | None, node: Node | None,
        guessed: bool, gradient: bool, pending: list[Scope],
    ) -> None:  # fmt: skip
        if function in self.excluded:
            return
        entry = self.reached.get(function)
        if entry is None:
            entry = self.reached[function] = Reached(function)
            self._changed = True
            pending.append(function)
        if root not in entry.preds:
            entry.preds[root] = (caller, module, node, guessed)
            self._changed = True
        if gradient and not entry.gradient:
            entry.gradient = True
            self._changed = True

    def _merge(self, function: Scope, name: str, values: Values) -> None:
        table = self.merged.setdefault(function, {})
        before = table.get(name, NOTHING)
        after = union([before, values])
        if after != before:
            table[name] = after
            self._changed = True

    def _function(self, function: Scope, pending: list[Scope]) -> None:
        module = function.module
        taped = None
        for node in calls.own_nodes(function):
            if isinstance(node, tree.Call):
                if taped is None:
                    taped = takes_gradient(function, module, self.ev)
                gradient = self.reached[function].gradient or (
                    taped != "" and in_tape(node, module, self.ev, taped)
                )
                self._call(function, node, gradient, pending)
            elif isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Load):
                self._property(function, node, pending)

    def _property(self, function: Scope, node: Node, pending: list[Scope]) -> None:
        if not isinstance(node.value, tree.Name):
            return
        for value in self.ev.evaluate(node.value, function.module):
            if isinstance(value, Instance):
                found = objects.method(self.ev, value.scope, node.attr)
                if found is not None and {"property", "cached_property"} & set(found.plain_decorators):
                    self._edge(function, node, Function(found, value), [], {}, False, False, pending)

    def _call(self, function: Scope, node: Node, gradient: bool, pending: list[Scope]) -> None:
        module = function.module
        callee = self.ev.evaluate(node.func, module)
        args, keywords = calls.arguments(self.ev, node, module, None)
        followed = self._values(function, node, callee, args, keywords, gradient, pending)
        if not followed and any(isinstance(v, Unknown) for v in callee):
            self._guess(function, node, args, keywords, gradient, pending)

    def _values(
        self, function: Scope, node: Node, callee: Values, args: list[Values], keywords: dict[str, Values],
        gradient: bool, pending: list[Scope],
    ) -> bool:  # fmt: skip
        followed = False
        for value in callee:
            if isinstance(value, Function):
                self._edge(function, node, value, args, keywords, gradient, False, pending)
                followed = True
            elif isinstance(value, Class):
                init = objects.method(self.ev, value.scope, "__init__")
                if init is not None:
                    made = Instance(value.scope)
                    self._edge(function, node, Function(init, made), args, keywords, gradient, False, pending)
                followed = True
            elif isinstance(value, Instance):
                target = objects.call_method(self.ev, value)
                self._values(function, node, target, args, keywords, gradient, pending)
                followed = True
            elif isinstance(value, Partial):
                merged = {**dict(value.keywords), **keywords}
                self._values(
                    function, node, one(value.target), [*value.args, *args], merged, gradient, pending
                )
                followed = True
            elif isinstance(value, Api):
                self._library(function, node, value, args, keywords, gradient, pending)
                followed = True
            elif isinstance(value, (ApiObject, Tensor, Const, Static)):
                followed = True
        return followed

    def _library(
        self, function: Scope, node: Node, api: Api, args: list[Values], keywords: dict[str, Values],
        gradient: bool, pending: list[Scope],
    ) -> None:  # fmt: skip
        """Functions handed to a library call run inside the compiled program, with tensors."""
        gradient = gradient or handed.takes_gradient(api)
        for value, params in handed.functions(api, args, keywords):
            self._values(function, node, one(value), params, {}, gradient, pending)

    def _edge(
        self, caller: Scope, node: Node, target: Function, args: list[Values], keywords: dict[str, Values],
        gradient: bool, guessed: bool, pending: list[Scope],
    ) -> None:  # fmt: skip
        scope = target.scope
        env = calls.bind(self.ev, scope, target.bound, args, keywords, target.env)
        while env is not None:
            for name, values in env.items:
                self._merge(env.function, name, values)
            env = env.outer
        if target.bound is not None and scope.params:
            self._merge(scope, scope.params[0].id, one(target.bound))
        for root, (_, _, _, before) in list(self.reached[caller].preds.items()):
            self._enter(scope, root, caller, caller.module, node, guessed or before, gradient, pending)

    def _guess(
        self, function: Scope, node: Node, args: list[Values], keywords: dict[str, Values], gradient: bool,
        pending: list[Scope],
    ) -> None:  # fmt: skip
        """A method name that exactly one project class defines is taken for that method, and marked so."""
        key = (function.module.path, function.module.span(node).start)
        if isinstance(node.func, tree.Attribute) and node.func.attr not in _COMMON_METHODS:
            target = self._only_method(node.func.attr)
            if target is not None and not target.name.startswith("__"):
                bound = Instance(target.owner) if target.owner is not None else None
                method = Function(target, bound)
                self._edge(function, node, method, args, keywords, gradient, True, pending)
                self.unresolved.pop(key, None)
                return
        why = roots_module.unknown_reason(self.ev.evaluate(node.func, function.module))
        self.unresolved[key] = (function.module, node, why)

    def _only_method(self, name: str) -> Scope | None:
        if self._defined is None:
            self._defined = {}
            for path in self.project.paths:
                for found in _METHOD.findall(self.project.bytes_of(path)):
                    word = found.decode()
                    self._defined[word] = "" if word in self._defined else path
        module = self.project.module(self._defined.get(name) or "")
        for function in module.functions if module is not None else ():
            if function.name == name and function.owner is not None:
                return function
        return None


Facts = Callable[[str], Mapping[int, Sequence[tuple[str, str]]]]
"""path -> line -> (kind, value) of what the user says in comments."""

_METHOD = re.compile(rb"^[ \t]+def (\w+)\(", re.M)


def _annotation(ev: Evaluator, function: Scope, name: str) -> Values | None:
    args = function.node.args
    for param in [*function.params, *args.kwonlyargs]:
        if param.id == name and param.annotation is not None:
            found = objects.from_annotation(ev, param.annotation, function.module)
            return None if any(isinstance(v, Unknown) for v in found) else found
    return None


__all__ = ["Program", "Reached"]
