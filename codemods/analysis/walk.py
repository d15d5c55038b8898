"""From entries along calls: which functions run, and what their parameters get on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from codemods.analysis import calls, dispatch, handed, objects, roots as roots_module, tree
from codemods.analysis.candidates import COMMON_METHODS, Candidates, is_property, place
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.gradients import Recording, has_own_gradient, is_stopped
from codemods.analysis.hearsay import Hearsay
from codemods.analysis.index import Project
from codemods.analysis.names import find_binding_scope
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    NOTHING,
    Api,
    ApiObject,
    Class,
    Const,
    Env,
    Function,
    Instance,
    Partial,
    Static,
    Tensor,
    Unknown,
    Values,
    callables,
    one,
    union,
)

_MAX_FUNCTIONS = 20_000
_MAX_WRAPPERS = 8  # decorators on top of each other


@dataclass(eq=False)
class Reached:
    """A function that compiled code reaches. preds: per root, the caller and the call that led here."""

    function: Scope
    preds: dict[Root, tuple[Scope | None, Module | None, Node | None, bool]] = field(default_factory=dict)
    gradient: bool = False


@dataclass(frozen=True, eq=False)
class Step:
    """A function on the way from a root, and the call that led into it (None for the root)."""

    function: Scope
    module: Module | None
    node: Node | None
    guessed: bool


class Walk:
    """Follows calls from entries. `merged` joins what the callers found give to each parameter."""

    def __init__(self, project: Project, ev: Evaluator, merge: bool) -> None:
        self.project = project
        self.ev = ev
        self.excluded: set[Scope] = set()  # what the user says is not compiled
        self.reached: dict[Scope, Reached] = {}
        self.merged: dict[Scope, dict[str, Values]] = {}
        self.unresolved: dict[tuple[str, int], tuple[Module, Node, str]] = {}
        self._merges = merge
        self._changed = False
        self._recordings: dict[Scope, Recording] = {}
        self._sure: dict[Scope, set[Scope]] = {}  # what a function calls, without guesses
        self._wrapping = 0
        self._open: dict[Scope, bool] = {}  # called with a closure that is not known: only by guesses?
        self._doubtful = False  # a call goes to one of many functions, and nobody knows to which
        self._hearsay = Hearsay()
        self.may_be = Candidates(project, ev)

    def run(self, entries: Sequence[Root]) -> bool:
        """One pass over everything that can be reached; True if something new came in."""
        self._changed = False
        self._recordings.clear()
        pending: list[Scope] = []
        for root in entries:
            self._enter(root.function, root, None, None, None, False, root.gradient, pending)
            self._open[root.function] = False
            if root.bound is not None and root.function.params:
                self._merge(root.function, root.function.params[0].id, one(root.bound), None, False)
        pending.extend(self.reached)
        done: set[Scope] = set()
        while pending and len(self.reached) < _MAX_FUNCTIONS:
            function = pending.pop(0)
            if function not in done:
                done.add(function)
                self._function(function, pending)
        return self._changed

    def climb(self, function: Scope, root: Root) -> Iterator[Step]:
        """The calls that lead from a root to a function, innermost first; the root itself comes last."""
        current: Scope | None = function
        seen: set[Scope] = set()
        while current is not None and current not in seen:
            seen.add(current)
            caller, module, node, guessed = self.reached[current].preds.get(root, (None, None, None, False))
            yield Step(current, module, node, guessed)
            current = caller

    def recording(self, function: Scope) -> Recording:
        """What a function takes the derivative of."""
        if function not in self._recordings:
            self._recordings[function] = Recording(function, self.ev)
        return self._recordings[function]

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
        known = entry.preds.get(root)
        if known is None or (known[3] and not guessed):  # a sure way is worth more than the first one
            entry.preds[root] = (caller, module, node, guessed)
            self._changed = True
        # What a guess leads to is not said to be differentiated on top of it.
        if gradient and not guessed and not entry.gradient and not has_own_gradient(function, self.ev):
            entry.gradient = True
            self._changed = True

    def through(self, functions: Iterable[Scope]) -> set[Scope]:
        """What a derivative of these functions goes through, along calls that are no guesses."""
        found: set[Scope] = set()
        pending = list(functions)
        while pending:
            function = pending.pop()
            if function not in found and not has_own_gradient(function, self.ev):
                found.add(function)
                pending += self._sure.get(function, ())
        return found

    def _merge(self, function: Scope, name: str, values: Values, caller: Scope | None, guessed: bool) -> None:
        if not self._merges:
            return
        if self._hearsay.note(function, values, caller, guessed):
            self._changed = True
        if called := callables(values):
            self.ev.given.setdefault((function, name), set()).update(called)
        table = self.merged.setdefault(function, {})
        before = table.get(name, NOTHING)
        after = union([before, values])
        if after != before:
            table[name] = after
            self._changed = True

    def _function(self, function: Scope, pending: list[Scope]) -> None:
        for node in calls.own_nodes(function):
            if isinstance(node, tree.Call):
                closed_over = _is_closed_over(node, function)
                if closed_over and function not in self._open:
                    continue  # whoever called this function knows which one that is
                self._doubtful = closed_over and self._is_doubtful(function, node)
                gradient = self.reached[function].gradient and not is_stopped(node, function.module)
                gradient = gradient or self.recording(function).covers(node)
                self._call(function, node, gradient, pending)
                self._doubtful = False
            elif isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Load):
                self._property(function, node, pending)
        for target in sorted(self.ev.wrapped.get(function, ()), key=place):
            if target.scope not in self.reached:
                gradient = self.reached[function].gradient
                self._edge(function, function.node, target, [], {}, gradient, True, pending)

    def _is_doubtful(self, function: Scope, node: Node) -> bool:
        """Is it unknown which of several functions a closure runs? All instances of a root are compiled."""
        if any(root.function is function for root in self.reached[function].preds):
            return False
        return self._open[function] or len(callables(self.ev.evaluate(node.func, function.module))) > 1

    def _property(self, function: Scope, node: Node, pending: list[Scope]) -> None:
        if node.attr not in self.may_be.properties():
            return
        values = self.ev.evaluate(node.value, function.module)
        known = [v for v in values if isinstance(v, Instance)]
        unknown = any(isinstance(v, Unknown) for v in values)
        for value in known or self.may_be.tested(function, node.value):
            found = objects.method(self.ev, value.scope, node.attr)
            if found is not None and is_property(found):
                self._edge(function, node, Function(found, value), [], {}, False, not known, pending)
        targets = [
            *self.may_be.overriders(node, function.module),
            *self.may_be.template(function, node, values),
        ]
        if not known and not targets and unknown:
            targets = self.may_be.family(node.attr, function.module)
        for target in targets:
            if is_property(target.scope):
                self._edge(function, node, target, [], {}, False, True, pending)

    def _call(self, function: Scope, node: Node, gradient: bool, pending: list[Scope]) -> None:
        module = function.module
        callee = self.may_be.all(node.func, module)
        args, keywords = calls.arguments(self.ev, node, module, None)
        followed = self._values(function, node, callee, args, keywords, gradient, pending)
        if not followed and handed.differentiates(node):  # an optimizer that nobody knows
            followed = any(isinstance(v, Function) for values in [*args, *keywords.values()] for v in values)
            self._library(function, node, Api(str(node.func.attr)), args, keywords, True, pending)
        below = self.may_be.overriders(node.func, module)
        if isinstance(node.func, tree.Attribute):
            below += self.may_be.template(function, node.func, callee)
        for method in below:
            self._edge(function, node, method, args, keywords, gradient, True, pending)
        if not followed and not below and (not callee or any(isinstance(v, Unknown) for v in callee)):
            self._guess(function, node, args, keywords, gradient, pending)
        for target in dispatch.registered(self.ev, node.func, module):
            self._edge(function, node, target, args, keywords, gradient, True, pending)

    def _values(
        self, function: Scope, node: Node, callee: Values, args: list[Values], keywords: dict[str, Values],
        gradient: bool, pending: list[Scope],
    ) -> bool:  # fmt: skip
        followed = False
        for value in callee:
            if isinstance(value, Function):
                guessed = self._hearsay.taints(node, function, value)
                self._edge(function, node, value, args, keywords, gradient, guessed, pending)
                followed = True
            elif isinstance(value, Class):
                made_by = (objects.method(self.ev, value.scope, name) for name in ("__new__", "__init__"))
                for init in filter(None, made_by):
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
        guessed = guessed or self._doubtful
        by_guess = guessed or all(before for _, _, _, before in self.reached[caller].preds.values())
        env = calls.bind(self.ev, scope, target.bound, args, keywords, target.env)
        while env is not None:
            for name, values in env.items:
                self._merge(env.function, name, values, caller, by_guess)
            env = env.outer
        if target.bound is not None and scope.params:
            self._merge(scope, scope.params[0].id, one(target.bound), caller, by_guess)
        if not guessed and not is_stopped(node, caller.module):
            self._sure.setdefault(caller, set()).add(scope)
        for root, (_, _, _, before) in list(self.reached[caller].preds.items()):
            self._enter(scope, root, caller, caller.module, node, guessed or before, gradient, pending)
        self._through_wrapper(caller, node, target, gradient, guessed, pending)

    def _through_wrapper(
        self, caller: Scope, node: Node, target: Function, gradient: bool, guessed: bool, pending: list[Scope]
    ) -> None:
        """A function made by a decorator calls what was decorated: this one, not all that ever were."""
        scope = target.scope
        inside = [n for n in calls.own_nodes(scope) if isinstance(n, tree.Call) and _is_closed_over(n, scope)]
        env = Env(scope, (), target.env, target.env.depth + 1) if target.env is not None else None
        own = has_own_gradient(scope, self.ev) if inside else False
        for call in inside:
            values = self.ev.evaluate(call.func, scope.module, env) if env is not None else NOTHING
            if not values or any(isinstance(v, Unknown) for v in values) or self._wrapping >= _MAX_WRAPPERS:
                before = self._open.get(scope)
                self._open[scope] = guessed and before is not False
                self._changed = self._changed or self._open[scope] is not before
                continue
            args, keywords = calls.arguments(self.ev, call, scope.module, env)
            through = gradient and not own and not is_stopped(call, scope.module)
            through = through or self.recording(scope).covers(call)
            self._wrapping += 1
            for value in values:
                if isinstance(value, Function):
                    self._edge(caller, node, value, args, keywords, through, guessed, pending)
                elif not guessed:
                    self._values(caller, node, one(value), args, keywords, through, pending)
            self._wrapping -= 1

    def _guess(
        self, function: Scope, node: Node, args: list[Values], keywords: dict[str, Values], gradient: bool,
        pending: list[Scope],
    ) -> None:  # fmt: skip
        """What an unknown call may mean, marked as a guess.

        A method of a class that the function asks about, or else one that a single family of classes defines.
        """
        key = (function.module.path, function.module.span(node).start)
        if isinstance(node.func, tree.Attribute):
            targets: list[Function] = []
            for value in self.may_be.tested(function, node.func.value):
                own = objects.method(self.ev, value.scope, node.func.attr)
                targets += [Function(own, value)] if own is not None else []
            if not targets and node.func.attr not in COMMON_METHODS:
                targets = self.may_be.family(node.func.attr, function.module)
            for method in targets:
                self._edge(function, node, method, args, keywords, gradient, True, pending)
            if targets:
                self.unresolved.pop(key, None)
                return
        why = roots_module.unknown_reason(self.ev.evaluate(node.func, function.module))
        self.unresolved[key] = (function.module, node, why)


def _is_closed_over(call: Node, function: Scope) -> bool:
    """Does a call run a value of a function round this one, as the result of a decorator does?"""
    if not isinstance(call.func, tree.Name):
        return False
    holder = find_binding_scope(function, call.func.id)
    return (
        holder is not None
        and holder is not function
        and holder.kind == "function"
        and all(binding.kind in ("param", "assign") for binding in holder.bindings[call.func.id])
    )


__all__ = ["Reached", "Step", "Walk"]
