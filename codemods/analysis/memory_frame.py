"""A running function of a JAX program: its names, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass, field

from codemods.analysis.memory_values import Value
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node

EXACT = 16  # items of a collection that are told apart


@dataclass(eq=False)
class Frame:
    """One running function (or module): its names, and where it returns."""

    module: Module
    scope: Scope
    parent: Frame | None = None
    names: dict[str, Value] = field(default_factory=dict)
    returns: list[tuple[Value, Node]] = field(default_factory=list)
    done: bool = False

    def find(self, name: str) -> Value | None:
        frame: Frame | None = self
        while frame is not None:
            if name in frame.names:
                return frame.names[name]
            frame = frame.parent
        return None
