"""What XLA compiles: from the roots along calls, with the chain that says why.

Arguments are collected per reached function (`params` join what its compiled callers pass), and the
walk is repeated until nothing new comes in. `proof` evaluates with *all* callers instead, compiled or
not: facts about parameters that a SAFE fix relies on come from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from codemods.analysis import boundary, calls, jax_roots, objects, roots as roots_module
from codemods.analysis.boundary import Crossing, Outside
from codemods.analysis.callers import CallerIndex, Callers, Site
from codemods.analysis.devices import Devices
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.index import Project
from codemods.analysis.jax_version import JaxVersion
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.streams import Streams
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    NOTHING,
    Class,
    Instance,
    Unknown,
    Value,
    Values,
    one,
    union,
    unknown,
)
from codemods.analysis.walk import Reached, Walk

if TYPE_CHECKING:
    from codemods.analysis.generators import Generators
    from codemods.analysis.memory import Memory

_PASSES = 6
_PATIENCE = 40  # files that may mention a function, for proofs
_LITTLE_PATIENCE = 8  # and to see what it may get


class Program:
    """The linked project: roots, reached functions, and evaluation in both views."""

    def __init__(
        self,
        project: Project,
        entry_points: Sequence[str] = (),
        facts: Facts | None = None,
        seed: int | None = None,
        jax: JaxVersion | None = None,
    ) -> None:
        """seed: what random numbers should follow where the program sets no seed. jax: what it runs with."""
        self.project = project
        self._seed = seed
        self._jax = jax or JaxVersion()
        self._facts = facts
        self.ev = Evaluator(project, self._reach_params)
        self.proof = Evaluator(project, self._proof_params, thorough=True)
        self._callers = CallerIndex(project, self.ev, _PATIENCE)
        self._near_callers = CallerIndex(project, self.ev, _LITTLE_PATIENCE)
        self.walk = Walk(project, self.ev, merge=True)
        self.excluded = self.walk.excluded
        self.reached = self.walk.reached
        self.unresolved = self.walk.unresolved
        named, self.missing_entries = roots_module.entries(project, entry_points)
        self.roots = [*roots_module.find(project, self.ev), *named, *self._told()]
        self._walk()
        self.proof.forget()

    # JAX

    @cached_property
    def jax(self) -> JaxVersion:
        """The version that the compiled JAX code runs with."""
        return self._jax.seen_in(self.project, {root.module.path for root in self.jax_roots})

    @cached_property
    def jax_roots(self) -> list[Root]:
        """The functions that JAX or PyTorch/XLA compiles, kept apart: other rules hold in what they reach."""
        return jax_roots.find(self.project, self.ev)

    @cached_property
    def jax_reached(self) -> dict[Scope, Reached]:
        """What compiled JAX code reaches."""
        return self.jax_walk.reached

    @cached_property
    def jax_walk(self) -> Walk:
        """The calls from the JAX roots on."""
        walk = Walk(self.project, self.ev, merge=False)
        walk.excluded = self.excluded
        walk.run(self.jax_roots)
        return walk

    @cached_property
    def memory(self) -> Memory:
        """Which outputs of JAX stay on the host."""
        from codemods.analysis.memory import Memory  # it asks a program itself

        return Memory(self, self.jax.typed)

    # what the user says

    def facts(self, module: Module, node: Node, kind: str) -> list[str]:
        """The values of the comments of a kind about the statement at a node."""
        if self._facts is None:
            return []
        return [value for found, value in self._facts(module.path).get(node.lineno, ()) if found == kind]

    def _told(self) -> list[Root]:
        """Functions that comments call compiled; those called not compiled are left out of the walk."""
        found = []
        for path in self.project.containing("xlafix:") if self._facts is not None else ():
            module = self.project.module(path)
            for function in module.functions if module is not None else ():
                if self.facts(function.module, function.node, "compiled"):
                    bound = Instance(function.owner) if function.owner is not None else None
                    found.append(
                        Root(function, function.module, function.node, "yes", "a comment", False, bound)
                    )
                if self.facts(function.module, function.node, "not-compiled"):
                    self.excluded.add(function)
        return found

    # derivatives

    @cached_property
    def outside(self) -> Outside:
        """The functions that derivatives go through which are taken outside of XLA."""
        return boundary.outside(self)

    @cached_property
    def crossings(self) -> list[Crossing]:
        """Derivatives that are taken outside of XLA, through a compiled function."""
        return boundary.crossings(self.outside) if self.roots else []

    def differentiated(self, function: Scope) -> bool:
        """Is a derivative taken of what a function computes, by its callers or theirs?"""
        reached = self.reached.get(function)
        if reached is None:
            other = self.outside.reached.get(function)
            return other is not None and other.gradient
        return reached.gradient or function in self._crossed

    @cached_property
    def _crossed(self) -> set[Scope]:
        """What the derivatives that are taken outside of XLA go through in compiled code."""
        return self.walk.through({one.root.function for one in self.crossings if not one.guessed})

    @cached_property
    def devices(self) -> Devices:
        """Where variables live, and where compiled functions are called."""
        return Devices(self)

    # random numbers

    @cached_property
    def generators(self) -> Generators:
        """Which seeds and generators the random ops of the project should use."""
        from codemods.analysis.generators import Generators  # it asks a program itself
        from codemods.analysis.seeds import Seeds

        return Generators(Seeds(self, self._seed))

    @cached_property
    def streams(self) -> Streams:
        """The random generators that compiled code draws from."""
        return Streams(self)

    # parameters

    def callers(self, function: Scope) -> Callers:
        return self._callers.callers(function)

    def sites_outside(self, function: Scope) -> list[Site]:
        """The calls of a function in sight that stand in code which XLA does not compile."""
        return [s for s in self.callers(function).sites if s.scope.function not in self.reached]

    def _reach_params(self, function: Scope, name: str) -> Values:
        values = self.walk.merged.get(function, {}).get(name)
        if values is None:
            values = self._from_callers(self.ev, function, name, full=False)
        if not values or any(
            isinstance(value, Unknown) for value in values
        ):  # not all callers are looked for
            likely = _annotation(self.ev, function, name) or self._own_class(function, name)
            return union([values, likely, frozenset(self.ev.given.get((function, name), ()))])
        if any(scope.kind == "function" for scope in function.inner):  # it may make closures outside of XLA
            return union([values, frozenset(self.ev.given.get((function, name), ()))])
        return values

    def _proof_params(self, function: Scope, name: str) -> Values:
        return self._from_callers(self.proof, function, name, full=True)

    def _from_callers(self, ev: Evaluator, function: Scope, name: str, full: bool) -> Values:
        return ev.guarded(
            (("param", function, name), None), lambda: self._ask_callers(ev, function, name, full)
        )

    def _ask_callers(self, ev: Evaluator, function: Scope, name: str, full: bool) -> Values:
        owner = function.owner
        if owner is not None and function.receiver == name:
            if "classmethod" in function.plain_decorators:
                return one(Class(owner))
            selves = self._selves(function, name) or one(Instance(owner))
            if full:  # any object of the class or of a subclass
                selves = union(
                    [selves, one(Instance(owner)), *(one(Instance(c)) for c in objects.subclasses(ev, owner))]
                )
            return selves
        callers = (self._callers if full else self._near_callers).callers(function)
        found: list[Values] = []
        for site in callers.sites:
            found.append(self.argument(ev, function, name, site))
        annotated = _annotation(ev, function, name)
        if callers.open:
            if annotated is not None:
                found.append(annotated)
            default = function.default(name)
            if default is not None:
                found.append(ev.evaluate(default, function.module, None))
            if full or annotated is None:
                found.append(unknown(f"parameter `{name}`: {callers.open}"))
        return union(found) or unknown(f"parameter `{name}`")

    @staticmethod
    def _own_class(function: Scope, name: str) -> Values:
        """The object of a method whose class is not known any better."""
        if function.owner is None or function.receiver != name or "classmethod" in function.plain_decorators:
            return NOTHING
        return one(Instance(function.owner))

    def _selves(self, function: Scope, name: str) -> Values:
        return self.walk.merged.get(function, {}).get(name, NOTHING)

    def argument(self, ev: Evaluator, function: Scope, name: str, site: Site) -> Values:
        """What one call site passes for a parameter."""
        args: list[Values]
        keywords: dict[str, Values]
        if site.decorated is not None:
            args, keywords = [site.decorated], {}
        else:
            args, keywords = calls.arguments(ev, site.node, site.module, None)
        bound: Value | None = None
        if function.owner is not None and site.bound and not function.is_static:
            bound = Instance(function.owner)
        env = calls.bind(ev, function, bound, args, keywords, None)
        given = env.get(name) if env is not None else None
        return given if given is not None else unknown(f"parameter `{name}`")

    # the walk

    def _walk(self) -> None:
        for number in range(_PASSES):
            if number:
                self.ev.forget()
                self._callers.forget()
                self._near_callers.forget()
            if not self.walk.run(self.roots):
                break
        self.ev.forget()


Facts = Callable[[str], Mapping[int, Sequence[tuple[str, str]]]]
"""path -> line -> (kind, value) of what the user says in comments."""


def _annotation(ev: Evaluator, function: Scope, name: str) -> Values | None:
    args = function.node.args
    for param in [*function.params, *args.kwonlyargs]:
        if param.id == name and param.annotation is not None:
            found = objects.from_annotation(ev, param.annotation, function.module)
            return None if any(isinstance(v, Unknown) for v in found) else found
    return None


__all__ = ["Program", "Reached"]
