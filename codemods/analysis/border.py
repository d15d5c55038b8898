"""What may cross the border of XLA at one compiled function, and what would keep it inside."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from codemods.analysis import boundary, compilable, outer, recorded, shared_arrays, watched
from codemods.analysis.boundary import Crossing
from codemods.analysis.callers import Site
from codemods.analysis.compilable import Verdict
from codemods.analysis.compiled import Program
from codemods.analysis.outer import Outer
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Scope
from codemods.analysis.shared_arrays import Change
from codemods.analysis.tree import Node
from codemods.model import Reason, Related


class Border:
    """The questions about one function, each answered when it is asked."""

    def __init__(self, function: Scope, program: Program) -> None:
        self.function = function
        self.program = program

    @property
    def is_root(self) -> bool:
        """Does the code ask for XLA at this function?"""
        return any(root.function is self.function for root in self.program.roots)

    @cached_property
    def crossings(self) -> dict[Crossing, str]:
        """Derivatives that are taken outside of XLA, through this (compiled) function.

        Each with the name of what must be a watched value for that, "" where one goes in for certain.
        """
        mine = [c for c in self.program.crossings if c.root.function is self.function]
        sources = {crossing: watched.by_tape(crossing, self.program) for crossing in mine}
        return {crossing: source for crossing, source in sources.items() if source is not None}

    def saving_loops(self) -> list[tuple[Related, str]]:
        """The loops in what this compiled function runs whose derivative needs lists.

        Each with a parameter that must be a tensor, "" where that is known. What is known stands first.
        """
        found = recorded.below(self.function, self.program)
        return [(Related(module.span(node), "the loop"), name) for module, node, name in found]

    def outer(self, crossing: Crossing) -> list[Outer] | Reason:
        """The functions that have to be compiled, too, or why there are none."""
        try:
            return outer.find(crossing, self.program)
        except outer.NoOuter as error:
            return Reason("compile-outer", str(error))

    def compiles(self, found: Outer) -> Verdict:
        """What is known of everything that a function to be compiled calls."""
        verdict = Verdict()
        for function in outer.steps(found, self.program):
            compilable.judge(function, self.program, found.kind == "python", verdict)
        return verdict

    def unknown_to_keras(self, found: Outer) -> str:
        """An argument of a Keras `compile` of which it is not known that it compiles, as text."""
        return outer.known_arguments(found.node, found.module, self.program)

    @property
    def _own_roots(self) -> list[Root]:
        asked = [r for r in self.program.roots if r.function is self.function]
        return [r for r in asked if r.how not in ("--entry", "a comment") and not r.of_keras][:1]

    def returned_arrays(self) -> Iterator[tuple[Node, int]]:
        """TensorArrays that this function returns from XLA, each with its position in the result."""
        for root in self._own_roots:
            if boundary.is_called_outside(self.function, self.program):
                yield from shared_arrays.returned(root, self.program)

    def stacked_result(self, position: int) -> Change | Reason:
        """How to return a tensor instead of a TensorArray."""
        try:
            return shared_arrays.stacked_result(self._own_roots[0], position, self.program)
        except shared_arrays.Kept as error:
            return Reason("stack", str(error))

    def passed_arrays(self) -> Iterator[tuple[Site, Node, str]]:
        """TensorArrays that graphs outside of XLA pass to this function: call, argument, parameter."""
        for root in self._own_roots:
            yield from shared_arrays.passed(root, self.program)

    def stacked_argument(self, name: str) -> Change | Reason:
        """How to pass a tensor instead of a TensorArray."""
        try:
            return shared_arrays.stacked_argument(self._own_roots[0], name, self.program)
        except shared_arrays.Kept as error:
            return Reason("stack", str(error))
