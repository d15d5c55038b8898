"""An operand or a slice that the index of a loop reaches."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.knowledge.operands import Operand


@dataclass(frozen=True, eq=False)
class Sink:
    """An operand that the index reaches.

    kind: "constant" (XLA needs a constant), "python" (tracing needs a Python value), "slice" (a
    slice whose length depends on the index). node: the operand, or the slice expression.
    label: what it is, in words. path: the calls from the loop to it, outermost first.
    mixed: data takes part in the value, so a Python index may not make it a constant.
    source: the name that it all comes from: the index, or a counter that the loop carries.
    """

    kind: str
    module: Module
    node: Node
    label: str
    path: tuple[tuple[Module, Node], ...] = ()
    mixed: bool = False
    operand: Operand | None = None
    source: str = ""
