"""Derivatives that cross the border of XLA: taken outside, of what a compiled function computes.

The walk starts at every tape (and `fit`, `minimize`, ...) in code that is not compiled, follows the
calls whose derivative is taken, and stops at the first compiled function.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemods.analysis import calls, gradients, handed, objects, tree
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, ApiObject, Const, Function, Instance
from codemods.analysis.walk import Walk

if TYPE_CHECKING:
    from codemods.analysis.compiled import Program

KERAS = "compile()"
_STEP = "train_step"


@dataclass(frozen=True, eq=False)
class Crossing:
    """root: the compiled function. taker: who takes the derivative, as an entry (`how` says by what).

    caller, call: where the compiled function is called. path: the calls that lead there from the
    taker, outermost first, as (module, call).
    """

    root: Root
    taker: Root
    caller: Scope
    call: Node
    path: tuple[tuple[Module, Node], ...]
    guessed: bool


def outside(program: Program) -> Outside:
    """Follow every derivative that is taken in code that is not compiled."""
    walk = Outside(program)
    walk.run(list(_takers(program)))  # nothing is merged, so a second pass would find the same
    return walk


def crossings(walk: Outside) -> list[Crossing]:
    """The compiled functions that a walk met, in the order of their places."""
    found = {(c.root.function, c.taker.function, c.taker.node, c.call): c for c in walk.found}
    return sorted(
        found.values(), key=lambda c: (c.caller.module.path, c.call.lineno, c.call.col_offset, c.root.name)
    )


class Outside(Walk):
    """The functions that derivatives go through outside of XLA. found: where they meet compiled ones."""

    def __init__(self, program: Program) -> None:
        super().__init__(program.project, program.ev, merge=False)
        self.found: list[Crossing] = []
        self._stops: dict[Scope, list[Root]] = {}
        for root in program.roots:
            if not root.of_keras:
                self._stops.setdefault(root.function, []).append(root)

    def _enter(
        self, function: Scope, root: Root, caller: Scope | None, module: Module | None, node: Node | None,
        guessed: bool, gradient: bool, pending: list[Scope],
    ) -> None:  # fmt: skip
        if caller is not None and not gradient:
            return
        compiled = [one for one in self._stops.get(function, ()) if node is None or through(one, node)]
        if compiled and caller is not None and node is not None:
            steps = [(s.module, s.node) for s in self.climb(caller, root) if s.module is not None]
            path = (*reversed(steps), (caller.module, node))
            self.found.append(Crossing(compiled[0], root, caller, node, path, guessed))
        elif not compiled and not guessed:  # from guess to guess it would wander through the whole project
            super()._enter(function, root, caller, module, node, guessed, gradient, pending)


def through(root: Root, call: Node) -> bool:
    """Does a call that leads to the function of a root lead to its compiled form?

    `f = tf.function(g, jit_compile=True)`: `f(x)` does, `g(x)` does not.
    """
    function = root.function
    if getattr(function.node, "decorator_list", None) or not isinstance(call, tree.Call):
        return True
    if tree.identifier(call.func) != function.name:
        return True
    statement = root.module.statement(root.node)
    targets = statement.targets if isinstance(statement, tree.Assign) else []
    return any(tree.identifier(target) == function.name for target in targets)


# who takes derivatives outside


def is_outside(function: Scope, program: Program) -> bool:
    """May a function run where XLA does not compile it?"""
    reached = program.reached.get(function)
    if reached is None or all(_only_on_accelerators(root) for root in reached.preds):
        return True
    sites = program.sites_outside(function)
    own = [root for root in program.roots if root.function is function]
    if own:  # a call of the function that was given to `tf.function`, not of what that made of it
        return any(not any(through(root, site.node) for root in own) for site in sites)
    return bool(sites)


def is_called_outside(function: Scope, program: Program) -> bool:
    """May code outside of XLA call a function (one that is a root, say)?"""
    return bool(program.callers(function).open or program.sites_outside(function))


def _only_on_accelerators(root: Root) -> bool:
    """Keras' `jit_compile="auto"` compiles nothing on a CPU."""
    return root.certainty == "may" and "auto" in root.how


def _takers(program: Program) -> Iterator[Root]:
    ev = program.ev
    for path in program.project.paths:
        if not program.project.has_any(path, gradients.WORDS):
            continue
        module = program.project.module(path)
        for function in [module.root, *module.functions] if module is not None else ():
            recording = gradients.Recording(function, ev)
            place = recording.place() or _handed(function, program)
            if place is not None and is_outside(function, program):
                yield Root(function, function.module, place, "yes", "a derivative")
    for call in keras_compiles(program):
        if not call.compiled and call.model is None:
            for layer in _layers(program):
                yield Root(layer, call.module, call.node, "yes", KERAS, True, Instance(layer.owner))  # type: ignore[arg-type]
        if not call.compiled and call.model is not None:
            step = objects.method(ev, call.model.scope, _STEP)
            inner = objects.method(ev, call.model.scope, "call")
            if step is None and inner is not None:
                yield Root(inner, call.module, call.node, "yes", KERAS, True, call.model)


def _layers(program: Program) -> list[Scope]:
    """The `call` methods of the project's Keras layers (not of its models)."""
    found = []
    for path in program.project.containing("Layer"):
        module = program.project.module(path)
        for cls in module.classes if module is not None else ():
            method = objects.method(program.ev, cls, "call")
            models = ("keras.Model", "keras.models.")
            if method is None or method.owner is not cls or objects.derives_from(program.ev, cls, models):
                continue
            if objects.is_keras(program.ev, cls):
                found.append(method)
    return found


def _handed(function: Scope, program: Program) -> Node | None:
    """A call that takes the derivative of a function that it is given."""
    for node in calls.own_nodes(function):
        if isinstance(node, tree.Call) and isinstance(node.func, (tree.Attribute, tree.Name)):
            if not handed.takes_gradient(Api(tree.identifier(node.func))):
                continue
            callee = program.ev.evaluate(node.func, function.module)
            if callee and all(isinstance(v, Api) and not handed.takes_gradient(v) for v in callee):
                continue  # `scipy.optimize.minimize`
            values = [program.ev.evaluate(a, function.module) for a in node.args]
            if any(isinstance(v, Function) for found in values for v in found):
                return node
    return None


# Keras


@dataclass(frozen=True, eq=False)
class KerasCompile:
    """A call of `model.compile(...)`. compiled: with XLA, whatever the device.

    model: an object of a project class, or None for one of Keras' own classes, which may hold any layer.
    """

    module: Module
    node: Node
    model: Instance | None
    compiled: bool


def keras_compiles(program: Program) -> list[KerasCompile]:
    """The calls of `compile` on Keras models."""
    found = []
    for path in program.project.paths:
        if not program.project.has_any(path, (b".compile(",)):
            continue
        module = program.project.module(path)
        if module is None:
            continue
        for node in module.mentions.get("compile", ()):
            call = module.parent.get(node)
            if not (isinstance(call, tree.Call) and call.func is node):
                continue
            for value in program.ev.evaluate(node.value, module) if isinstance(node, tree.Attribute) else ():
                asks = _asks_for_xla(call, module, program)
                if isinstance(value, Instance) and objects.is_keras(program.ev, value.scope):
                    found.append(KerasCompile(module, call, value, asks))
                elif isinstance(value, ApiObject) and value.name.startswith("keras."):
                    found.append(KerasCompile(module, call, None, asks))
    return found


def _asks_for_xla(call: Node, module: Module, program: Program) -> bool:
    for keyword in call.keywords:
        if keyword.arg == "jit_compile":
            values = program.ev.evaluate(keyword.value, module)
            return not all(isinstance(v, Const) and (not v.value or v.value == "auto") for v in values)
        if keyword.arg is None:
            return True  # nobody knows: not accused
    return False


def is_training_step(function: Scope, program: Program) -> bool:
    """Is it the `train_step` of a Keras model, which `fit` runs?"""
    owner = function.owner
    return function.name == _STEP and owner is not None and objects.is_keras(program.ev, owner)
