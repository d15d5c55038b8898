"""The random generators that compiled code draws from, and which of them give the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from codemods.analysis import calls, origins, tree
from codemods.analysis.linear import Linear, linear
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import ApiObject, Class, ListValue, Origin, TupleValue, Values, constants
from codemods.knowledge.generators import DRAWS, GENERATOR, NEAR, SEEDED
from codemods.model import Span

if TYPE_CHECKING:
    from codemods.analysis.compiled import Program

LOOPS = (*tree.LOOPS, tree.ListComp, tree.SetComp, tree.GeneratorExp, tree.DictComp)
_DEPTH = 8


@dataclass(eq=False)
class Maker:
    """A call that makes generators which compiled code draws from. users: the functions that draw."""

    module: Module
    node: Node
    seeds: list[Values] = field(default_factory=list)
    users: list[Scope] = field(default_factory=list)

    @property
    def seed(self) -> Node | None:
        """The expression of the seed."""
        given = [kw.value for kw in self.node.keywords if kw.arg == "seed"]
        first = self.node.args[:1] if not any(isinstance(a, tree.Starred) for a in self.node.args) else []
        return (given or first or [None])[0]

    @cached_property
    def states(self) -> list[tuple[int, int, int]] | None:
        """The states that its generators start from; None where a seed is not known."""
        found = [origins.states(seed) for seed in self.seeds]
        if not found or any(one is None for one in found):
            return None
        return sorted({state for one in found for state in one or ()})

    @property
    def is_listed(self) -> bool:
        """May a seed be a list, whose last number is the key of the stream?"""
        return any(isinstance(v, (ListValue, TupleValue)) for seed in self.seeds for v in seed)

    @property
    def is_plain(self) -> bool:
        """Are all seeds certainly Python ints?"""
        return all(origins.is_plain(seed) for seed in self.seeds)


@dataclass(frozen=True, eq=False)
class Clash:
    """Two generators with the same numbers. other: the second maker, None where one makes both.

    apart: by how many numbers the streams are shifted; 0: they are equal; None: not known.
    by_default: several objects leave it to `__init__` what the seed is.
    """

    maker: Maker
    other: Maker | None
    apart: int | None
    by_default: bool = False


class Streams:
    """Asked once per program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._makers: dict[tuple[str, int, int], Maker] = {}
        order = sorted(program.reached, key=lambda f: (f.module.path, getattr(f.node, "lineno", 0), f.number))
        for function in order:
            for origin in self._drawn(function):
                maker = self._maker(origin)
                if maker is not None:
                    maker.seeds.append(origin.seed)
                    if function not in maker.users:
                        maker.users.append(function)
        self.makers = sorted(
            self._makers.values(), key=lambda m: (m.module.path, m.node.lineno, m.node.col_offset)
        )

    def _drawn(self, function: Scope) -> Iterator[Origin]:
        found: dict[Origin, None] = {}
        for node in calls.own_nodes(function):
            if isinstance(node, tree.Attribute) and node.attr in DRAWS:
                for value in self._program.ev.evaluate(node.value, function.module):
                    if isinstance(value, ApiObject) and value.name == GENERATOR and value.origin is not None:
                        found[value.origin] = None
        yield from found

    def _maker(self, origin: Origin) -> Maker | None:
        key = (origin.path, origin.start, origin.end)
        if key not in self._makers:
            module = self._program.project.module(origin.path)
            if module is None:
                return None
            span = Span(*key)
            for node in tree.walk(module.tree):
                if isinstance(node, tree.Call) and module.span(node) == span:
                    self._makers[key] = Maker(module, node)
        return self._makers.get(key)

    def clashes(self, function: Scope) -> Iterator[Clash]:
        """The clashes that are told of at a function: the first one that draws from a generator."""
        for maker in self.makers:
            if maker.users[0] is function and self._is_seeded(maker):
                found = self._clash(maker)
                if found is not None:
                    yield found

    def _is_seeded(self, maker: Maker) -> bool:
        """Is it a seeded generator, and none of traced code, nor of a test, which has it for itself?"""
        names = {getattr(v, "name", "") for v in self._program.ev.evaluate(maker.node.func, maker.module)}
        function = maker.module.enclosing(maker.node).function
        elsewhere = function in self._program.reached or _is_test(function)
        return names == {SEEDED} and maker.seed is not None and not elsewhere

    def _clash(self, maker: Maker) -> Clash | None:
        """The worst one: shifted streams, with itself first; then equal ones."""
        if not maker.is_listed and self._shifts_itself(maker):
            states = maker.states or []
            gaps = [abs(a[0] - b[0]) for a in states for b in states if _near(a, b)]
            return Clash(maker, None, 4 * min(gaps) if gaps else None)
        others = [
            m for m in self.makers if m is not maker and self._is_seeded(m) and self._together(maker, m)
        ]
        for other in others if not maker.is_listed else ():  # else the other one is to change
            apart = self._apart(maker, other)
            if apart:
                return Clash(maker, other, 4 * apart)
        if self._repeats(maker):
            return Clash(maker, None, 0)
        if self._repeats_default(maker):
            return Clash(maker, None, 0, by_default=True)
        for other in others:
            before = self.makers.index(other) < self.makers.index(maker)
            if (
                before
                and self._shared_root(maker, other)
                and set(maker.states or ()) & set(other.states or ())
            ):
                return Clash(maker, other, 0)
        return None

    def _together(self, maker: Maker, other: Maker) -> bool:
        """May two generators be in use at the same time?"""
        if not self._is_seeded(other):
            return False
        if maker.module is not other.module and not self._shared_root(maker, other):
            return False
        scopes = [m.module.enclosing(m.node).function for m in (maker, other)]
        return scopes[0] is scopes[1] or _is_kept(maker) or _is_kept(other)

    def _shared_root(self, maker: Maker, other: Maker) -> bool:
        first, second = (
            {root for user in one.users for root in self._program.reached[user].preds}
            for one in (maker, other)
        )
        return bool(first & second)

    # shifted

    def _shifts_itself(self, maker: Maker) -> bool:
        states = maker.states
        if states is not None:
            return any(_near(a, b) for a in states for b in states)
        assert maker.seed is not None
        return maker.is_plain and self._counts(maker.seed, maker.module)

    def _apart(self, maker: Maker, other: Maker) -> int | None:
        """How far two streams are apart that are one stream; None where they are not."""
        if maker.states is not None and other.states is not None:
            gaps = [abs(a[0] - b[0]) for a in maker.states for b in other.states if _near(a, b)]
            return min(gaps, default=None)
        first, second = maker.seed, other.seed
        assert first is not None
        assert second is not None
        scopes = [m.module.enclosing(m.node) for m in (maker, other)]
        if scopes[0] is not scopes[1] or any(isinstance(s, (tree.List, tree.Tuple)) for s in (first, second)):
            return None
        gap = self._linear(first, maker.module).plus(self._linear(second, maker.module), -1)
        names = [n for node in (first, second) for n in tree.walk(node) if isinstance(n, tree.Name)]
        if not gap.is_constant or not all(self._bound_once(n, maker.module) for n in names):
            return None
        return abs(gap.constant) if 0 < abs(gap.constant) < NEAR else None

    def _linear(self, node: Node, module: Module) -> Linear:
        def constant(part: Node) -> int | None:
            found = constants(self._program.proof.evaluate(part, module))
            return found[0] if found is not None and len(found) == 1 else None

        return linear(node, constant)

    @staticmethod
    def _bound_once(name: Node, module: Module) -> bool:
        holder = find_binding_scope(module.enclosing(name), name.id)
        return holder is not None and len(holder.bindings[name.id]) == 1

    def _counts(self, seed: Node, module: Module, depth: int = 0) -> bool:
        """Does a seed change with a loop, here or where the function is called?"""
        for name in tree.walk(seed) if depth < _DEPTH else ():
            if not isinstance(name, tree.Name):
                continue
            holder = find_binding_scope(module.enclosing(name), name.id)
            for binding in holder.bindings[name.id] if holder is not None else ():
                if binding.kind in ("for", "comp"):
                    return True
                assigned = binding.kind == "assign" and binding.value is not None and not binding.path
                if assigned and self._counts(binding.value, module, depth + 1):
                    return True
                if binding.kind == "param" and holder is not None and self._counted(holder, name.id, depth):
                    return True
        return False

    def _counted(self, function: Scope, name: str, depth: int) -> bool:
        for site in self._program.callers(function).sites:
            if site.decorated is None and isinstance(site.node, tree.Call):
                given = calls.argument(site.node, function, name, site.bound)
                if given is not None and self._counts(given, site.module, depth + 1):
                    return True
        return False

    # equal

    def _repeats(self, maker: Maker) -> bool:
        """Does each of several objects make itself a generator of the same seed?"""
        if maker.states is None or len(maker.states) != 1:
            return False
        return self._most(maker, "") > 1 and all(self._is_fixed(n, maker) for n in tree.walk(maker.seed))

    def _repeats_default(self, maker: Maker) -> bool:
        """Are there several objects that are given no seed, where `__init__` has one for that?"""
        init = maker.module.enclosing(maker.node).function
        name = getattr(maker.seed, "id", "")
        default = init.default(name) if init is not None and self.owner(maker) is not None else None
        number = isinstance(default, tree.Constant) and isinstance(default.value, int)
        return number and self._most(maker, name) > 1

    def _most(self, maker: Maker, unless: str) -> int:
        """How many objects one function, or a module itself, makes; without those given an argument."""
        owner, init = self.owner(maker), maker.module.enclosing(maker.node).function
        made: dict[tuple[str, Scope | None], int] = {}
        if owner is None or init is None:
            return 0
        for site in self._program.callers(init).sites:
            function = site.scope.function
            if _is_test(function) or Class(owner) not in self._program.ev.evaluate(
                site.node.func, site.module
            ):
                continue
            if unless and calls.argument(site.node, init, unless, site.bound) is not None:
                continue
            inside = any(isinstance(a, LOOPS) for a in self._round(site.node, site.module))
            key = (site.module.path, function)
            made[key] = made.get(key, 0) + (2 if inside else 1)
        return max(made.values(), default=0)

    def owner(self, maker: Maker) -> Scope | None:
        """The class whose `__init__` makes the generator."""
        function = maker.module.enclosing(maker.node).function
        return function.owner if function is not None and function.name == "__init__" else None

    def _is_fixed(self, node: Node, maker: Maker) -> bool:
        """Is a part of a seed the same for all objects?"""
        if isinstance(node, tree.Attribute):
            return not isinstance(node.value, tree.Name) or node.value.id != "self"
        if not isinstance(node, tree.Name):
            return True
        holder = find_binding_scope(maker.module.enclosing(node), node.id)
        return holder is not None and holder.kind == "module"

    @staticmethod
    def _round(node: Node, module: Module) -> Iterator[Node]:
        """What stands round a node in its function."""
        for ancestor in module.ancestors(node):
            if isinstance(ancestor, (tree.FunctionDef, tree.AsyncFunctionDef, tree.ClassDef)):
                return
            yield ancestor


def _is_kept(maker: Maker) -> bool:
    """Does a generator outlive the function that makes it?"""
    function = maker.module.enclosing(maker.node).function
    statement = maker.module.statement(maker.node)
    if function is None or function.name == "__init__" or isinstance(statement, tree.Return):
        return True
    targets = statement.targets if isinstance(statement, tree.Assign) else []
    return any(isinstance(target, (tree.Attribute, tree.Subscript)) for target in targets)


def _is_test(function: Scope | None) -> bool:
    return function is not None and function.name.startswith(("test", "setUp"))


def _near(a: tuple[int, int, int], b: tuple[int, int, int]) -> bool:
    return a[1:] == b[1:] and 0 < abs(a[0] - b[0]) < NEAR


__all__ = ["Clash", "Maker", "Streams"]
