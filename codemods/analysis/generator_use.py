"""What the rule about random generators asks of one function."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.analysis import boundary, library, origins, per_call, places, seed_types, tree
from codemods.analysis.compiled import Program
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.streams import Clash, Maker
from codemods.analysis.tree import Node
from codemods.analysis.values import Api
from codemods.knowledge.generators import SEEDED


def clashes(function: Scope, program: Program) -> Iterator[Clash]:
    """The generators with the same numbers that are told of at a function."""
    return program.streams.clashes(function)


def made_per_call(function: Scope, program: Program) -> Iterator[tuple[Node, Scope]]:
    """The generators that callers outside of XLA make anew on each call, and those callers."""
    return per_call.find(function, program)


def plain_seed(node: Node, module: Module, program: Program) -> Node | None:
    """The seed of a `from_seed` call, where it certainly is a Python int."""
    names = {library.without_v1(v.name) for v in program.ev.evaluate(node.func, module) if isinstance(v, Api)}
    seed = Maker(module, node).seed
    if names != {SEEDED} or seed is None or isinstance(seed, (tree.List, tree.Tuple)):
        return None
    return seed if origins.is_plain(program.ev.evaluate(seed, module)) else None


def is_int64(node: Node, module: Module, program: Program) -> bool:
    """Is a seed certainly of type int64?"""
    return seed_types.is_int64(node, module, program)


def is_repeatable(node: Node, module: Module, program: Program) -> bool:
    """May an expression be computed twice?"""
    return places.is_pure(node, module, program)


def runs_outside(function: Scope, program: Program) -> bool:
    """May a function run where XLA does not compile it?"""
    return boundary.is_outside(function, program)


__all__ = [
    "Clash",
    "Maker",
    "clashes",
    "is_int64",
    "is_repeatable",
    "made_per_call",
    "plain_seed",
    "runs_outside",
]
