"""Variables that live on another device than the call of the compiled function that uses them.

XLA compiles a function for the device of its call, and cannot reach the variables of another one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from codemods.analysis import boundary, calls, device_names, keras_models, objects, root_calls, spelling, tree
from codemods.analysis.calls import SCOPES
from codemods.analysis.names import find_binding_scope
from codemods.analysis.placing import NO_SCOPE, Placement, open_items
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    Const,
    Env,
    Function,
    Instance,
    Made,
    Partial,
    Value,
    Values,
    one,
    unknown,
)
from codemods.analysis.variable_uses import Follower, Use
from codemods.knowledge import devices as table

if TYPE_CHECKING:
    from codemods.analysis.compiled import Program

_STRATEGY = re.compile(r"strateg|distrib|tpu|mirrored", re.I)  # how the object of `strategy.run` is called
_BY_STRATEGY = unknown("a strategy of tf.distribute runs it")
_CLIMB = 4  # callers above a place that are asked for its device scope
_WITHOUT_GPU = re.compile(
    rb"""(?x) set_(?:logical|virtual)_device_configuration | set_visible_devices\(\s*\[\s*\]
    | CUDA_VISIBLE_DEVICES["'].{0,6}["'](?:-1)?["']"""
)
"""Whoever splits the CPU into several devices, or hides the GPU, computes on the CPU."""


@dataclass(eq=False)
class Entry:
    """One call of a compiled function from outside of XLA; without a place, where none is in sight."""

    module: Module | None
    node: Node | None
    devices: Values
    uses: list[Use]
    makes: bool = False  # `compile` of a Keras model, which makes variables itself

    @property
    def device(self) -> str | None:
        """Where it runs, None where that is not known or not always the same."""
        return known(self.devices)


@dataclass(eq=False)
class Misplaced:
    """A variable out of reach for a compiled function. use: its first use; entries: the calls that fail.

    others: calls of the same function that reach it, or may. model: the use is one of Keras' own models.
    """

    root: Root
    use: Use
    device: str
    entries: list[Entry]
    others: list[Entry]
    without_gpu: bool
    managed: bool = False  # a strategy of tf.distribute made the variable, or runs the function
    model: bool = False

    def apart(self, first: str, second: str) -> bool:
        """Are two devices not the same, here?"""
        return device_names.apart(first, second, self.without_gpu)


def known(devices: Values) -> str | None:
    """The one device that some values name."""
    value = next(iter(devices), None)
    return str(value.value) if len(devices) == 1 and isinstance(value, Const) else None


def _made_at(value: Value, module: Module, node: Node) -> bool:
    made = getattr(value, "made", None)
    return made is not None and (made.path, made.start) == (module.path, module.span(node).start)


class Devices:
    """What a program does with devices; everything is found when first asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.placement = Placement(program)
        self.ev = self.placement.ev
        self._entries: dict[Root, list[Entry]] = {}

    @cached_property
    def misplaced(self) -> dict[Scope, list[Misplaced]]:
        """The findings, each under the reached function that has the first use, or (models) the module."""
        found: dict[Scope, list[Misplaced]] = {}
        project = self.program.project
        if not any(project.matches(path, table.SCOPED, table.WORDS) for path in project.paths):
            return found
        for root in self.program.roots:
            for one_find in self._of_root(root):
                function = one_find.use.function
                home = function if function in self.program.reached else root.function
                same = [m for m in found.get(home, ()) if m.use.node is one_find.use.node]
                if not any(m.use.made == one_find.use.made for m in same):
                    found.setdefault(home, []).append(one_find)
        for model in keras_models.find(self):
            for one_find in self._of_model(model):
                found.setdefault(model.root.function, []).append(one_find)
        return found

    def _of_model(self, model: keras_models.Compiled) -> Iterator[Misplaced]:
        device = known(model.use.made.devices)
        if device is None or not model.runs:
            return
        found = Misplaced(model.root, model.use, device, [], [], False, model=True)
        trained = any(run.trains for run in model.runs)
        calls_of_it = [
            Entry(run.module, run.node, run.devices, [model.use, *(model.others if run.trains else ())])
            for run in model.runs
        ]
        found.without_gpu = self._without_gpu(model.use, calls_of_it)
        for entry in calls_of_it:
            (found.entries if self._fails(found, entry) else found.others).append(entry)
        home = Entry(model.root.module, model.root.node, model.place, [model.use, *model.others], True)
        if trained and self._fails(found, home):
            found.entries.append(home)
        if found.entries:
            found.managed = self._is_managed(model.use.made, model.root)
            yield found

    @staticmethod
    def _fails(found: Misplaced, entry: Entry) -> bool:
        """Does a call certainly not reach the variable, on at least one of the devices it may run on?"""
        given = [str(v.value) for v in entry.devices if isinstance(v, Const)]
        sure = len(given) == len(entry.devices)
        return sure and any(found.apart(found.device, device) for device in given)

    def _of_root(self, root: Root) -> Iterator[Misplaced]:
        entries = self.entries(root)
        firsts: dict[Made, Use] = {}
        for entry in entries:
            for use in entry.uses:
                firsts.setdefault(use.made, use)
        for made, use in firsts.items():
            device = known(made.devices)  # "" is the default one
            if device is None:
                device = self._copies(made, entries)
            if device is None:
                continue
            using = [e for e in entries if any(u.made == made for u in e.uses)]
            found = Misplaced(root, use, device, [], [], self._without_gpu(use, using))
            for entry in using:
                fails = self._fails(found, entry) or known(made.devices) is None
                (found.entries if fails else found.others).append(entry)
            if found.entries:
                found.managed = self._is_managed(made, root)
                yield found

    def _copies(self, made: Made, entries: list[Entry]) -> str | None:
        """The devices of a mirrored variable of which a compiled function reaches only one.

        Measured: so it is where a strategy is given the compiled function itself; called by what the
        strategy runs, each replica reaches its own.
        """
        names = sorted(str(v.value) for v in made.devices if isinstance(v, Const))
        run = any(entry.node is None and entry.devices == _BY_STRATEGY for entry in entries)
        return " and ".join(names) if run and len(names) == len(made.devices) else None

    def _in_strategy(self, function: Scope | None, path: str, depth: int = _CLIMB) -> bool:
        """Does a strategy of tf.distribute run a function, or one that calls it?"""
        if function is None or not depth:
            return False
        for name in self.program.project.with_word("run", path):
            module = self.program.project.module(name)
            for mention in module.mentions.get("run", ()) if module is not None else ():
                assert module is not None
                call = module.parent.get(mention)
                if isinstance(call, tree.Call) and call.func is mention and call.args:
                    given = root_calls.functions(self.ev, self.ev.evaluate(call.args[0], module))
                    if _STRATEGY.search(module.text(mention)) and any(f.scope is function for f in given):
                        return True
        sites = self.program.callers(function).sites
        return any(self._in_strategy(s.scope.function, s.module.path, depth - 1) for s in sites)

    def _is_managed(self, made: Made, root: Root) -> bool:
        place = self.node_of(made)
        items = self.scope_items(*place) if place is not None else []
        if any(self.placement.opens(item, module) == "strategy" for module, _, item in items):
            return True
        return self._in_strategy(root.function, root.module.path)

    def _without_gpu(self, use: Use, entries: list[Entry]) -> bool:
        """Do the modules say that they compute on the CPU?"""
        paths = {use.made.path, use.function.module.path}
        paths.update(entry.module.path for entry in entries if entry.module is not None)
        return any(_WITHOUT_GPU.search(self.program.project.bytes_of(path)) for path in paths)

    # calls of compiled functions

    def entries(self, root: Root) -> list[Entry]:
        """The calls of a compiled function from outside; one without a place, if there is none in sight."""
        if root not in self._entries:
            self._entries[root] = self._find_entries(root)
        return self._entries[root]

    def _find_entries(self, root: Root) -> list[Entry]:
        own = 0 if root.bound is None else 1
        if len(root.function.params) <= own and not self._uses(root.function, self._own_env(root)):
            return []  # it uses none, and gets none as an argument
        found: list[Entry] = []
        inside = False
        for module, node in root_calls.find(self.ev, root):
            caller = module.enclosing(node).function
            if caller in self.program.reached and not boundary.is_outside(caller, self.program):
                inside = True
                continue
            args, keywords = calls.arguments(self.ev, node, module, None)
            place = _BY_STRATEGY if self._in_strategy(caller, module.path) else keywords[SCOPES]
            for env in self._envs(root, node, module, args, keywords):
                found.append(Entry(module, node, place, self._uses(root.function, env)))
        if not found and not inside:
            run = self._in_strategy(root.function, root.module.path)
            uses = self._uses(root.function, self._own_env(root))
            found.append(Entry(None, None, _BY_STRATEGY if run else NO_SCOPE, uses))
        return found

    def _uses(self, function: Scope, env: Env | None) -> list[Use]:
        return Follower(self.ev).follow(function, env)

    def _own_env(self, root: Root) -> Env | None:
        """The arguments as far as the root itself tells them: its object."""
        function = root.function
        if root.bound is None or not function.params:
            return None
        bound = Instance(root.bound.scope) if isinstance(root.bound, Instance) else root.bound
        return Env(function, ((function.params[0].id, one(bound)),))

    def _envs(
        self, root: Root, node: Node, module: Module, args: list[Values], keywords: dict[str, Values]
    ) -> Iterator[Env | None]:
        if root.of_keras:
            for value in self.ev.evaluate(node.func.value, module):
                if self._same_class(value, root):
                    function = root.function
                    yield Env(function, ((function.params[0].id, one(value)),))
            return
        for value, given, named in root_calls.bindings(
            self.ev, self.ev.evaluate(node.func, module), args, keywords
        ):
            if value.scope is root.function:
                yield calls.bind(self.ev, value.scope, value.bound, given, named, value.env)

    def _same_class(self, value: object, root: Root) -> bool:
        if not isinstance(value, Instance) or not isinstance(root.bound, Instance):
            return False
        return root.bound.scope in [getattr(c, "scope", None) for c in objects.order(self.ev, value.scope)]

    def used_elsewhere(self, made: Made, root: Root) -> str:
        """Another compiled function that is called from outside and uses the same variable, or ""."""
        for other in self.program.roots:
            if other.function is not root.function:
                uses = [use for entry in self.entries(other) for use in entry.uses]
                if any((use.made.path, use.made.start) == (made.path, made.start) for use in uses):
                    return other.function.name
        return ""

    def is_plain(self, call: Node, module: Module) -> bool:
        """Is it a call of a library that makes nothing, so that it may run on any device?"""
        if any(getattr(v, "made", None) is not None for v in self.ev.evaluate(call, module)):
            return False
        callee = self.ev.evaluate(call.func, module)
        return bool(callee) and all(isinstance(v, Api) for v in callee)

    def out_of_reach(self, call: Node, module: Module, found: Misplaced, told: Collection[Made] = ()) -> str:
        """What else a call would have to reach that lives on another device than a variable, or "".

        told: what is looked at elsewhere.
        """
        args, keywords = calls.arguments(self.ev, call, module, None)
        for value, given, named in root_calls.bindings(
            self.ev, self.ev.evaluate(call.func, module), args, keywords
        ):
            env = calls.bind(self.ev, value.scope, value.bound, given, named, value.env)
            for use in self._uses(value.scope, env):
                place = known(use.made.devices)
                if place is not None and use.made not in told and found.apart(found.device, place):
                    return use.name
        return ""

    def may_run_more(self, call: Node, module: Module, root: Root) -> bool:
        """May a call run other functions than the compiled one: is that handed in, or kept in an object?"""
        callee = self.ev.evaluate(call.func, module)
        if not callee or not all(isinstance(v, (Function, Instance, Partial)) for v in callee):
            return True
        base = call.func
        while isinstance(base, (tree.Attribute, tree.Subscript)):
            base = base.value
        function = module.enclosing(call).function
        if (
            function is None
            or not isinstance(base, tree.Name)
            or base.id not in [p.id for p in function.params]
        ):
            return False
        if root.bound is not None or root.function.owner is not None:
            return False  # a method, of an object of its class
        return function.owner is not None or bool(self.program.callers(function).open)

    # places

    def spelled(self, module: Module, place: Node) -> str:
        """How a file spells `tf.device`; "" where it has no name for it."""
        prefix = spelling.tensorflow(module, place, self.program.ev)
        if prefix:
            return f"{prefix}device"
        for name, bindings in module.root.bindings.items():
            if any(b.kind == "from" for b in bindings):
                known_as = self.program.ev.dotted(name, module, place)
                if known_as <= {Api("tensorflow.device"), Api("tensorflow.compat.v1.device")} and known_as:
                    return name
        return ""

    def says(self, node: Node, home: Module, device: str, place: Node, module: Module) -> bool:
        """Does an expression name just this device, and the same at another place?"""
        text = known(self.ev.evaluate(node, home))
        named = device_names.parse(text) if text is not None else None
        if named is None or named.text != device:
            return False
        if isinstance(node, tree.Constant):
            return True
        if not isinstance(node, tree.Name) or home is not module:
            return False
        bound = module.root.bindings.get(node.id, [])
        seen = find_binding_scope(module.enclosing(place), node.id)
        same = seen is module.root and find_binding_scope(module.enclosing(node), node.id) is seen
        return same and len(bound) == 1 and bound[0].node.lineno < place.lineno

    def node_of(self, made: Made) -> tuple[Module, Node] | None:
        """The call that made something."""
        module = self.program.project.module(made.path)
        for node in tree.walk(module.tree) if module is not None else ():
            if isinstance(node, tree.Call) and module is not None and module.span(node).start == made.start:
                return module, node
        return None

    def made_in(self, module: Module, node: Node) -> list[Node]:
        """The calls in the statement of a node that make variables."""
        inner = [n for n in tree.walk(module.statement(node)) if isinstance(n, tree.Call)]
        return [n for n in inner if any(_made_at(v, module, n) for v in self.ev.evaluate(n, module))]

    def scope_items(self, module: Module, node: Node, depth: int = _CLIMB) -> list[tuple[Module, Node, Node]]:
        """(module, `with`, item) for the device scopes that decide where a node runs, here or in callers."""
        for statement, item in open_items(node, module):
            if self.placement.opens(item, module):
                return [(module, statement, item)]
        function = module.enclosing(node).function
        found: dict[Node, tuple[Module, Node, Node]] = {}
        if function is not None and depth:
            for site in self.program.callers(function).sites:
                for one_found in self.scope_items(site.module, site.node, depth - 1):
                    found[one_found[2]] = one_found
        return list(found.values())
