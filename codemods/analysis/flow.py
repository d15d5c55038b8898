"""Which definitions of a local name reach a use: beniget, one function at a time.

beniget fails on some inputs and warns on standard output; both stay here. No answer means "all the
definitions of that name in the function".
"""

from __future__ import annotations

from typing import Any

from codemods.analysis import tree
from codemods.analysis.scopes import Scope
from codemods.analysis.tree import Node


class Flow:
    """Reaching definitions, computed once per function when first asked for."""

    def __init__(self) -> None:
        self._known: dict[Scope, dict[Node, set[Node]] | None] = {}

    def definitions(self, function: Scope, use: Node) -> set[Node] | None:
        """The nodes that define what `use` (a name in `function`) sees; None: not known."""
        table = self._table(function)
        return table.get(use) if table is not None else None

    def known(self, function: Scope) -> bool:
        """Could the definitions of a function be computed?"""
        return self._table(function) is not None

    def _table(self, function: Scope) -> dict[Node, set[Node]] | None:
        if function not in self._known:
            self._known[function] = _reaching(function)
        return self._known[function]


def _reaching(function: Scope) -> dict[Node, set[Node]] | None:
    if isinstance(function.node, tree.Lambda):
        return None
    import beniget

    class Quiet(beniget.DefUseChains):  # type: ignore[misc]
        def warn(self, message: str, node: Any) -> None:
            """Unbound names are expected: the function stands alone here."""

    chains = Quiet()
    decorators, function.node.decorator_list = function.node.decorator_list, []
    try:
        with tree.deep_recursion():
            chains.visit(tree.isolated(function.node))
    except Exception:  # noqa: BLE001 - it crashes on some legal code (`case None:`); then nothing is known
        return None
    finally:
        function.node.decorator_list = decorators
    uses: dict[Node, set[Node]] = {}
    for node, definition in chains.chains.items():
        for user in definition.users():
            uses.setdefault(user.node, set()).add(node)
    return uses
