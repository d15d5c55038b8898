"""Which variables a compiled function reads and writes, along its calls, and where they were made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from codemods.analysis import calls, handed, objects, tree
from codemods.analysis.calls import SCOPES
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    ApiObject,
    Class,
    DictValue,
    Env,
    Function,
    Instance,
    ListValue,
    Made,
    Partial,
    Tensor,
    TupleValue,
    Value,
    Values,
    one,
)
from codemods.knowledge import devices as table

_NO_VARIABLES = ("tensorflow.device", table.STRATEGIES)
_MANY = 2_000  # functions, each with its arguments, that are followed for one call


@dataclass(frozen=True, eq=False)
class Use:
    """A place in compiled code that reads a variable, or an object with variables; or writes it."""

    function: Scope
    node: Node
    made: Made
    written: bool
    state: bool  # an object that holds variables (a generator, an optimizer, a metric), not one itself

    @property
    def name(self) -> str:
        return self.function.module.text(self.node)


class Follower:
    """Collects the uses below one call. env: its arguments."""

    def __init__(self, ev: Evaluator) -> None:
        self._ev = ev
        self._seen: set[tuple[Scope, Env | None]] = set()
        self.found: list[Use] = []

    def follow(self, function: Scope, env: Env | None) -> list[Use]:
        pending: list[tuple[Scope, Env | None]] = [(function, env)]
        while pending and len(self._seen) < _MANY:
            current = pending.pop(0)
            if current not in self._seen:
                self._seen.add(current)
                pending.extend(self._function(*current))
        return self.found

    def _function(self, function: Scope, env: Env | None) -> Iterator[tuple[Scope, Env | None]]:
        module = function.module
        for node in calls.own_nodes(function):
            if isinstance(node, tree.Call):
                yield from self._called(node, module, env)
            elif _is_read(node) and not self._is_handed_on(node, module, env):
                self._use(function, node, env)

    def _use(self, function: Scope, node: Node, env: Env | None) -> None:
        for value in held(self._ev.evaluate(node, function.module, env), _whole(node, function.module)):
            assert value.made is not None
            state = isinstance(value, ApiObject)
            self.found.append(
                Use(function, node, value.made, state or _is_written(node, function.module), state)
            )

    def _is_handed_on(self, node: Node, module: Module, env: Env | None) -> bool:
        """Is it only given another name, asked what it is like, or passed to a function that is followed?"""
        parent = module.parent.get(node)
        if isinstance(parent, tree.Attribute):
            return parent.attr in table.UNREAD
        if isinstance(parent, tree.Assign):
            return parent.value is node
        if isinstance(parent, tree.Compare):
            return all(isinstance(op, (tree.Is, tree.IsNot)) for op in parent.ops)
        if isinstance(parent, tree.keyword):
            parent = module.parent.get(parent)
        if isinstance(parent, tree.Call) and parent.func is not node:
            callee = self._ev.evaluate(parent.func, module, env)
            return bool(callee) and all(isinstance(v, (Function, Class, Instance, Partial)) for v in callee)
        return False

    def _called(self, node: Node, module: Module, env: Env | None) -> Iterator[tuple[Scope, Env | None]]:
        callee = self._ev.evaluate(node.func, module, env)
        args, keywords = calls.arguments(self._ev, node, module, env)
        yield from self._targets(callee, args, keywords)

    def _targets(
        self, callee: Values, args: Sequence[Values], keywords: Mapping[str, Values]
    ) -> Iterator[tuple[Scope, Env | None]]:
        for value in callee:
            if isinstance(value, Function):
                env = calls.bind(self._ev, value.scope, value.bound, args, keywords, value.env)
                yield value.scope, env
            elif isinstance(value, Instance):
                yield from self._targets(objects.call_method(self._ev, value), args, keywords)
            elif isinstance(value, Partial):
                merged = {**dict(value.keywords), **keywords}
                yield from self._targets(one(value.target), [*value.args, *args], merged)
            elif isinstance(value, Api):
                given = {name: values for name, values in keywords.items() if name != SCOPES}
                scopes = {SCOPES: keywords[SCOPES]} if SCOPES in keywords else {}
                for function, params in handed.functions(value, args, given):
                    yield from self._targets(one(function), params, scopes)


def _is_read(node: Node) -> bool:
    return isinstance(node, (tree.Name, tree.Attribute, tree.Subscript)) and isinstance(node.ctx, tree.Load)


def held(values: Values, inside: bool) -> Iterator[Tensor | ApiObject]:
    """The variables among values; inside: also those in lists and the like."""
    for value in values:
        if isinstance(value, (Tensor, ApiObject)) and value.made is not None:
            if not (isinstance(value, ApiObject) and value.name.startswith(_NO_VARIABLES)):
                yield value
        elif inside:
            for items in _items(value):
                yield from held(items, False)


def _items(value: Value) -> Sequence[Values]:
    if isinstance(value, TupleValue):
        return value.items
    return [value.element] if isinstance(value, (ListValue, DictValue)) else []


def _whole(node: Node, module: Module) -> bool:
    """Is a container used as a whole, not just one item or a method of it?"""
    parent = module.parent.get(node)
    return not isinstance(parent, (tree.Subscript, tree.Attribute, tree.For, tree.comprehension))


def _is_written(node: Node, module: Module) -> bool:
    parent = module.parent.get(node)
    return isinstance(parent, tree.Attribute) and parent.attr in table.WRITES
