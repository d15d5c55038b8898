"""Objects and functions that a function gets only by way of guesses: a call of one is a guess as well."""

from __future__ import annotations

from codemods.analysis import tree
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Function, Instance, Value, Values


class Hearsay:
    """What came into each function, by calls that are known and by guessed ones."""

    def __init__(self) -> None:
        self._sure: dict[Scope, set[Scope]] = {}
        self._guessed: dict[Scope, set[Scope]] = {}

    def note(self, function: Scope, values: Values, caller: Scope | None, guessed: bool) -> bool:
        """Keep how a function gets these values. True if what was held for a guess is known now."""
        better = False
        for value in values:
            if isinstance(value, (Function, Instance)):
                if guessed or (caller is not None and self._only_guessed(caller, value)):
                    self._guessed.setdefault(function, set()).add(value.scope)
                else:
                    sure = self._sure.setdefault(function, set())
                    better = better or self._only_guessed(function, value)
                    sure.add(value.scope)
        return better

    def taints(self, call: Node, function: Scope, value: Value) -> bool:
        """Is this callee, or the object whose method it is, there by guesses only?"""
        root = call.func
        while isinstance(root, tree.Attribute):
            root = root.value
        if not isinstance(root, tree.Name):
            return False
        holder = find_binding_scope(function, root.id)
        if holder is None or holder.kind != "function":
            return False  # a name of the module
        if isinstance(value, Function) and isinstance(value.bound, Instance):
            value = value.bound
        return self._only_guessed(function, value)

    def _only_guessed(self, function: Scope, value: Value) -> bool:
        return (
            isinstance(value, (Function, Instance))
            and value.scope in self._guessed.get(function, ())
            and value.scope not in self._sure.get(function, ())
        )


__all__ = ["Hearsay"]
