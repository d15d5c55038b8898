"""Which seed the random numbers of a module should follow: what the program sets, or its ops are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codemods.analysis import draws, guards, places, programs, tree
from codemods.analysis.compiled import Program
from codemods.analysis.draws import Draw
from codemods.analysis.programs import Programs, TooLarge
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.surroundings import Setter, Surroundings, look
from codemods.analysis.tree import Node

_LARGE = 2**63
_DEEP = 5


class NoSeedError(Exception):
    """Why there is no seed to take. asked: the program does set one. shared: ops share the same one."""

    def __init__(self, why: str, asked: bool, shared: bool = False) -> None:
        super().__init__(why)
        self.asked = asked
        self.shared = shared


@dataclass(frozen=True)
class Seed:
    """text: the seed, as source that means the same behind `place` (in the module itself without one).

    others: where other programs that draw in the module set theirs, with the texts. attribute: it belongs
    to the object, and is no seed for anything else.
    """

    text: str
    place: Setter | None = None
    others: tuple[tuple[str, Setter], ...] = ()
    assumptions: tuple[str, ...] = ()
    attribute: bool = False


class Seeds:
    """Answers for one state of the project. option: the seed that the user gives for want of another."""

    def __init__(self, program: Program, option: int | None) -> None:
        self.program = program
        self.option = option
        self.programs = Programs(program.project)
        self._known: dict[str, Surroundings] = {}
        self._draws: dict[str, list[Draw]] = {}

    def around(self, module: Module) -> Surroundings:
        """Raises TooLarge."""
        if module.path not in self._known:
            self._known[module.path] = look(self.programs.together(module), self.program)
        return self._known[module.path]

    def draws_of(self, module: Module) -> list[Draw]:
        """All that compiled code draws in a module, in source order."""
        if module.path not in self._draws:
            functions = [f for f in module.functions if f in self.program.reached]
            found = [draw for function in functions for draw in draws.find(function, self.program)]
            self._draws[module.path] = sorted(found, key=lambda draw: module.span(draw.node).start)
        return self._draws[module.path]

    # the seed

    def of(self, draw: Draw) -> Seed:
        """The seed for the generator that a draw should use. Raises NoSeedError."""
        own = self._own(draw)
        try:
            setters = self._distinct(self.around(draw.module).setters)
            single = len(setters) > 1 and self._one_each(draw.module, setters)
        except TooLarge as error:
            if self.option is not None:
                return Seed(str(self.option))
            why = f"`{error}` is imported in too many places to see where the seed is set"
            raise NoSeedError(why, False) from error
        if setters:
            try:
                if single:
                    seeds = [self._set([setter]) for setter in setters]
                    others = tuple((one.text, one.place) for one in seeds[1:] if one.place is not None)
                    return Seed(seeds[0].text, seeds[0].place, others)
                return self._set(setters)
            except NoSeedError:
                if self.option is None:
                    raise
        if own is not None and own.attribute:
            return own
        for other in self.draws_of(draw.module):  # the first one, so that all share a generator
            found = self._own(other, quiet=True)
            if found is not None and not found.attribute:
                return found
        if self.option is not None:
            return Seed(str(self.option))
        raise NoSeedError("no seed is set: give one (`--seed N`), or take numbers that never repeat", False)

    def is_deterministic(self, module: Module) -> bool:
        """Does the program ask TensorFlow for ops that give the same in each run?"""
        try:
            return self.around(module).deterministic
        except TooLarge:
            return False

    def is_set(self, module: Module) -> bool:
        """Does the program set a seed, which its numbers should follow?"""
        try:
            return bool(self.around(module).setters)
        except TooLarge:
            return False

    def check_shared(self, draw: Draw) -> None:
        """Ops that share an op seed draw the same numbers without XLA: perhaps that is meant.

        Raises NoSeedError.
        """
        mine = self._number(draw)
        if mine is None:
            return
        for other in self.draws_of(draw.module):
            if other.node is not draw.node and self._number(other) == mine:
                line = other.node.lineno
                raise NoSeedError(
                    f"the op at line {line} has the same seed {mine}: perhaps both must draw the same",
                    True,
                    True,
                )

    def _number(self, draw: Draw) -> int | None:
        node = draw.argument("seed")
        return None if node is None else draws.number(self.program.proof.evaluate(node, draw.module))

    def _own(self, draw: Draw, quiet: bool = False) -> Seed | None:
        """The seed of the op itself; None where it has none. Raises NoSeedError."""
        node = draw.argument("seed")
        if node is None:
            return None
        values = self.program.proof.evaluate(node, draw.module)
        if draws.is_absent(values):
            return None
        text = draw.module.text(node)
        function = draw.function
        while function.owner is None and function.parent is not None and function.parent.kind == "function":
            function = function.parent
        of_self = (
            isinstance(node, tree.Attribute)
            and isinstance(node.value, tree.Name)
            and function.owner is not None
            and function.params
            and node.value.id == function.params[0].id
        )
        if of_self:
            reached = self.program.ev.evaluate(node, draw.module)
            if any(getattr(v, "value", v) is None for v in (*values, *reached)) and not quiet:
                raise NoSeedError(f"`{text}` may be None", True)
            return Seed(text, assumptions=(f"`{text}` is a number",), attribute=True)
        found = draws.number(values)
        if found is not None and abs(found) < _LARGE and self._means_same(node, draw.module):
            return Seed(text)
        if found is not None and abs(found) < _LARGE:
            return Seed(str(found))
        if quiet:
            return None
        raise NoSeedError(
            f"its seed `{text}` is known only at run time: a stateless op with that seed would keep it", True
        )

    def _means_same(self, node: Node, module: Module) -> bool:
        """Does an expression mean the same at the top level of its module?"""
        for inner in tree.walk(node):
            if isinstance(inner, tree.Name) and inner.id in module.root.bindings:
                scope: Scope | None = module.enclosing(inner)
                while scope is not None and scope is not module.root:
                    if inner.id in scope.bindings:
                        return False
                    scope = scope.parent
            elif isinstance(inner, (tree.Name, tree.Call)):
                return False
        return True

    def _distinct(self, setters: Sequence[Setter]) -> list[Setter]:
        """Without those that another one repeats in the same block, and those that nobody calls."""
        found: list[Setter] = []
        for setter in setters:
            function = setter.module.enclosing(setter.node).function
            if function is not None and self._idle(function, setter):
                continue
            if setter.value is None or draws.is_absent(
                self.program.proof.evaluate(setter.value, setter.module)
            ):
                continue
            last = found[-1] if found else None
            if last is not None and last.module is setter.module:
                block = setter.module.block(setter.module.statement(setter.node))
                beside = any(last.module.statement(last.node) is one for one in block)
                same = last.module.text(last.value) == setter.module.text(setter.value)
                if beside and same:
                    found[-1] = max(last, setter, key=lambda one: one.node.lineno)
                    continue
            found.append(setter)
        return found

    def _one_each(self, module: Module, setters: Sequence[Setter]) -> bool:
        """Does each program that draws in a module set one seed, outside of the module itself?"""
        parts = self.programs.each(module)
        counts = [sum(setter.module.path in paths for setter in setters) for paths in parts]
        return max(counts, default=0) == 1 and all(setter.module is not module for setter in setters)

    def _idle(self, function: Scope, setter: Setter) -> bool:
        """Is it a helper that sets the seed it is given, and nobody calls it?"""
        names = {param.id for param in function.params}
        given = isinstance(setter.value, tree.Name) and setter.value.id in names
        return given and not self.program.callers(function).sites

    def _set(self, setters: Sequence[Setter]) -> Seed:
        setter = setters[0]
        where = f"{setter.module.path}:{setter.node.lineno}"
        if len(setters) > 1:
            other = setters[1]
            raise NoSeedError(
                f"the seed is set in several places ({where}, {other.module.path}:{other.node.lineno}): "
                "a generator that is already in use does not follow",
                True,
            )
        assert setter.value is not None
        why = self._again(setter)
        if why:
            raise NoSeedError(f"{why}: each time the numbers would have to start anew", True)
        found = draws.number(self.program.proof.evaluate(setter.value, setter.module))
        text = setter.module.text(setter.value)
        if found is None or not places.is_pure(setter.value, setter.module, self.program):
            raise NoSeedError(f"the seed `{text}` at {where} is known only at run time", True)
        if abs(found) >= _LARGE:
            raise NoSeedError(f"the seed `{text}` at {where} has more than 64 bits", True)
        return Seed(text, setter)

    def _again(self, setter: Setter) -> str:
        """Why the seed may be set more than once; "" if it is not."""
        module, node = setter.module, setter.node
        for above in module.ancestors(node):
            if isinstance(above, tree.LOOPS):
                return f"the seed is set in a loop ({module.path}:{node.lineno})"
            if isinstance(above, tree.FUNCTIONS):
                break
        function = module.enclosing(node).function
        if function is None:
            return ""
        return self._repeated(function, node, 0)

    def _repeated(self, function: Scope, node: Node, depth: int) -> str:
        """Why a place in a function may be passed more than once."""
        module = function.module
        if guards.first_time(node, module):
            return ""
        if function in self.program.reached:
            return f"the seed is set in `{function.name}`, which is compiled"
        callers = self.program.callers(function)
        if function.name == "main" and not callers.sites:
            return ""
        again = f"`{function.name}`, which sets the seed, may run several times"
        if len(callers.sites) != 1 or depth > _DEEP or (callers.open and function.name != "main"):
            return again
        site = callers.sites[0]
        for above in site.module.ancestors(site.node):
            if isinstance(above, (*tree.LOOPS, tree.ListComp, tree.GeneratorExp)):
                return again
            if isinstance(above, tree.FUNCTIONS):
                break
        caller = site.scope.function
        if caller is None:
            return "" if site.module is module or not programs.is_test(site.module.path) else again
        return self._repeated(caller, site.node, depth + 1)
