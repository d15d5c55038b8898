"""Keras' own models (`Sequential`, functional ones) that are compiled with XLA, and where they run.

They run no function of the project, so nothing is reached from them; what counts is on which devices
their variables are, and those that `compile` makes. Source: measured with TensorFlow 2.21.0 and Keras
3.15.1, all combinations of scopes round model, optimizer, `compile` and the methods that run it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemods.analysis import library, roots, tree
from codemods.analysis.names import find_binding_scope
from codemods.analysis.roots import COMPILE_KEYWORDS, Root
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, ApiObject, Env, Made, Values, union, unknown
from codemods.analysis.variable_uses import Use, held
from codemods.knowledge import devices as table

if TYPE_CHECKING:
    from codemods.analysis.devices import Devices
    from codemods.analysis.placing import Placement

WORDS = (b".compile(",)


@dataclass(frozen=True, eq=False)
class Running:
    """A call of a model that needs its variables. trains: those of its optimizer and metrics, too."""

    module: Module
    node: Node
    devices: Values
    trains: bool


@dataclass(frozen=True, eq=False)
class Compiled:
    """A model that `compile` makes run with XLA. root: stands for it; use: the model in that call.

    others: what `compile` gets that holds variables; place: the scopes round that call.
    """

    root: Root
    use: Use
    place: Values
    others: tuple[Use, ...]
    runs: tuple[Running, ...]


def find(devices: Devices) -> Iterator[Compiled]:
    """The compiled models of a project, as far as it is known where they are made."""
    project = devices.program.project
    for path in project.paths:
        module = project.module(path) if project.has_any(path, WORDS) else None
        for mention in module.mentions.get("compile", ()) if module is not None else ():
            assert module is not None
            call = module.parent.get(mention)
            if isinstance(mention, tree.Attribute) and isinstance(call, tree.Call) and call.func is mention:
                found = _compiled(devices, module, call)
                if found is not None:
                    yield found


def _compiled(devices: Devices, module: Module, call: Node) -> Compiled | None:
    asked = next((k for k in call.keywords if k.arg in COMPILE_KEYWORDS), None)
    sure = roots.certainty(devices.ev.evaluate(asked.value, module)) if asked is not None else "no"
    made = _model(devices, call.func.value, module)
    if asked is None or sure == "no" or made is None:
        return None
    home = module.root
    how = f"compile({asked.arg}={module.text(asked.value)})"
    others = []
    for node in (
        inner for arg in [*call.args, *(k.value for k in call.keywords)] for inner in tree.walk(arg)
    ):
        if isinstance(node, (tree.Name, tree.Attribute)):
            for value in held(devices.ev.evaluate(node, module), True):
                assert value.made is not None
                others.append(Use(home, node, value.made, True, isinstance(value, ApiObject)))
    return Compiled(
        Root(home, module, call, sure, how),
        Use(home, call.func.value, made, True, True),
        devices.placement.scopes(call, module, None),
        tuple(others),
        tuple(_runs(devices, made, module)),
    )


def _model(devices: Devices, node: Node, module: Module) -> Made | None:
    values = devices.ev.evaluate(node, module)
    value = next(iter(values), None)
    if len(values) == 1 and isinstance(value, ApiObject) and value.name in table.SEQUENTIAL | table.MODELS:
        return value.made
    return None


def _runs(devices: Devices, made: Made, home: Module) -> Iterator[Running]:
    project = devices.program.project
    for name in sorted(table.KERAS_RUNS):
        for path in project.with_word(name, home.path):
            module = project.module(path)
            for mention in module.mentions.get(name, ()) if module is not None else ():
                assert module is not None
                call = module.parent.get(mention)
                if not (isinstance(mention, tree.Attribute) and isinstance(call, tree.Call)):
                    continue
                if call.func is mention and _model(devices, mention.value, module) == made:
                    place = devices.placement.scopes(call, module, None)
                    yield Running(module, call, place, not name.startswith("predict"))


# where the variables of a functional model are


def functional(placement: Placement, node: Node, module: Module, env: Env | None) -> Values:
    """The scopes of the calls of layers that lead to the outputs of `keras.Model(inputs, outputs)`."""
    pending: list[Node] = [*node.args, *(k.value for k in node.keywords if k.arg != "name")]
    seen: set[Node] = set()
    found: list[Values] = []
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        if isinstance(current, (tree.List, tree.Tuple)):
            pending.extend(current.elts)
        elif isinstance(current, tree.Name):
            scope = find_binding_scope(module.enclosing(current), current.id)
            bindings = scope.bindings[current.id] if scope is not None else []
            if not bindings or any(b.kind != "assign" or b.value is None or b.path for b in bindings):
                return unknown("layers that are made elsewhere")
            pending.extend(b.value for b in bindings)
        elif isinstance(current, tree.Call):
            callee = placement.ev.evaluate(current.func, module, env)
            names = {library.canonical(v.name) for v in callee if isinstance(v, Api)}
            if names and names <= table.INPUTS:
                continue
            if isinstance(current.func, tree.Call):
                found.append(placement.scopes(current, module, env))
            elif not all(isinstance(v, ApiObject) for v in callee) or not callee:
                return unknown("layers that are called elsewhere")
            else:
                found.extend(v.made.devices for v in callee if isinstance(v, ApiObject) and v.made)
            pending.extend([*current.args, *(k.value for k in current.keywords)])
        else:
            return unknown("a model that is put together in a way that is not understood")
    return union(found) or unknown("a model without layers")


def stacked(placement: Placement, node: Node, module: Module, env: Env | None) -> Values:
    """The scopes of a `Sequential` that knows its input, unless layers of it are made elsewhere."""
    scopes = placement.scopes(node, module, env)
    layers = getattr(node.args[0], "elts", None) if node.args else None
    if layers is None or not all(isinstance(layer, tree.Call) for layer in layers):
        return unknown("layers that are made elsewhere")
    return scopes
