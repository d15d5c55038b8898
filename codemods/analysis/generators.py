"""Which generator a draw uses: the one that is there, or a new one, and where that is made.

A generator is a variable. Made while a function is traced it is an error, made in each call it repeats
its numbers, made when a library is imported it starts the runtime before the program has set up its
devices, and made for a module it stands in the way of `tf.saved_model.save`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from codemods.analysis import calls, constructors, making, objects, present, programs, spelling, tree
from codemods.analysis.constructors import Insertion, NoPlaceError
from codemods.analysis.draws import Draw
from codemods.analysis.names import Scope
from codemods.analysis.programs import TooLarge
from codemods.analysis.scopes import Module
from codemods.analysis.seeds import Seed, Seeds
from codemods.analysis.surroundings import Setter, environment
from codemods.analysis.tree import Node
from codemods.analysis.values import Api

_NAME = "_rng"
_DEEP = 4  # calls that are followed from the top level of a module
_NO_LAYERS = tuple(
    f"keras.{name}"
    for name in ("callbacks", "losses", "initializers", "optimizers", "constraints", "regularizers", "utils")
)


@dataclass(frozen=True)
class Place:
    """rng: the generator, as text at the draw. insertions: what has to be there for it.

    held: an object has it, or the caller gives it: it is no generator of a module.
    """

    rng: str
    insertions: tuple[Insertion, ...] = ()
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    held: bool = False


class Generators:
    """Answers for one state of the project."""

    def __init__(self, seeds: Seeds) -> None:
        self.seeds = seeds
        self.program = seeds.program

    # what is there

    def existing(self, draw: Draw) -> Place | None:
        """A generator that the function gets, its object holds, or its module has."""
        seeded = self.seeds.is_set(draw.module)
        found = present.in_function(draw, self.program) or present.of_object(draw, self.program, seeded)
        if found is not None:
            shared = f"whoever else draws from `{found}` may get other numbers"
            return Place(found, (), (shared,), held=True)
        found = present.of_module(draw.module, self.program, seeded)
        if found is None:
            return None
        shared = f"whoever else draws from `{found}` may get other numbers"
        owner = self._holder(draw)
        if owner is None:
            return Place(found, (), (shared,))
        place = self._attribute(draw, owner, f"{found}.split(1)[0]", None)
        return replace(place, assumptions=(*place.assumptions, shared))

    # a new one

    def new(self, draw: Draw, seed: Seed | None, at_import: bool = False) -> Place:
        """seed: None for numbers that never repeat. at_import: also in a library. Raises NoPlaceError."""
        owner = self._holder(draw)
        if seed is not None and seed.attribute:
            method = present.method_of(draw.function)
            assert method is not None and method.owner is not None  # noqa: PT018 - as `Seeds` found it
            maker, needed = self._maker(draw.module, seed)
            place = self._attribute(draw, method.owner, maker, seed)
            return replace(
                place,
                insertions=(*needed, *place.insertions),
                assumptions=(*seed.assumptions, *place.assumptions),
            )
        base = self._base(draw, seed, at_import)
        if owner is None:
            return base
        place = self._attribute(draw, owner, f"{base.rng}.split(1)[0]", None)
        return replace(
            place,
            insertions=(*base.insertions, *place.insertions),
            assumptions=(*base.assumptions, *place.assumptions),
            notes=(*base.notes, *place.notes),
        )

    def _base(self, draw: Draw, seed: Seed | None, at_import: bool) -> Place:
        module = draw.module
        setter = seed.place if seed is not None else None
        if setter is not None and not (setter.plain and setter.module is module):
            return self._global(module, seed, setter, at_import)
        if not at_import and (self.is_library(module) or self._set_up_later(module)):
            return self._lazy(module, seed)
        return self._at_top(draw, seed, setter)

    def is_library(self, module: Module) -> bool:
        """Is a module imported by others, or made for that?"""
        try:
            if self.seeds.programs.importers(module):
                return True
            own = [s for s in self.seeds.around(module).setters if s.module is module]
        except TooLarge:
            return True
        started = own or any(programs.is_main_guard(node) for node in module.tree.body)
        return not started and "." in module.name

    def _set_up_later(self, module: Module) -> bool:
        """Are devices set up elsewhere than at the top level of the module?"""
        return any(
            home is not module or programs.top_level(node, module) is None
            for home, node in self.seeds.around(module).device_setups
        )

    def _maker(self, module: Module, seed: Seed | None) -> tuple[str, tuple[Insertion, ...]]:
        """The text that makes a generator, and the import that it needs."""
        cls, needed = self.spelled(module, "random.Generator")
        made = "from_non_deterministic_state()" if seed is None else f"from_seed([{seed.text}])"
        return f"{cls}.{made}", needed

    def spelled(
        self, module: Module, name: str, place: Node | None = None, v2: bool = False
    ) -> tuple[str, tuple[Insertion, ...]]:
        """A name of TensorFlow as text (at the top level, or at `place`), and the import that it needs.

        v2: it is not exported below tensorflow.compat.v1. Raises NoPlaceError.
        """
        home = self._import(module)
        found = spelling.member(module, place or home, self.program.ev, name, v2)
        if found:
            return found, ()
        alias = spelling.fresh_name(module, "tf")
        line = f"import tensorflow as {alias}"
        return f"{alias}.{name}", (Insertion(f"import:{module.path}", module, "above", home, (line,)),)

    def _import(self, module: Module) -> Node:
        """The statement that imports TensorFlow whenever the module is loaded."""
        for statement in module.imports:
            if module.parent.get(statement) is not module.tree:
                continue
            for alias in statement.names:
                name = alias.asname or alias.name.split(".")[0]
                bound = self.program.ev.named(module, module.root, name) if name != "*" else frozenset()
                star = name == "*" and (statement.module or "").startswith("tensorflow")
                if star or any(
                    isinstance(v, Api) and v.name.split(".")[0] in ("tensorflow", "keras") for v in bound
                ):
                    return statement
        raise NoPlaceError("the file does not import TensorFlow at its top level, or only in some cases")

    def _at_top(self, draw: Draw, seed: Seed | None, setter: Setter | None) -> Place:
        """A generator of the module, made behind the seed, the imports and the set-up of devices."""
        module = draw.module
        maker, needed = self._maker(module, seed)
        anchors = [self._import(module)]
        if setter is not None:
            anchors.append(module.statement(setter.node))
        else:
            anchors += [self._header(module), *self._defined(module, seed)]
        for home, node in self.seeds.around(module).device_setups:
            top = programs.top_level(node, module) if home is module else None
            if top is not None and not programs.is_main_guard(top):
                anchors.append(top)
        drawn = module.span(draw.node).start
        anchors += [node for node in environment(module) if module.span(node).start < drawn]
        anchor = _end_of_line(max(anchors, key=lambda node: node.lineno), module)
        self._used_before(draw, anchor)
        name = spelling.fresh_name(module, _NAME)
        gap = ("",) if isinstance(anchor, (tree.Import, tree.ImportFrom)) else ()
        lines = (*gap, f"{name} = {maker}")
        return Place(name, (*needed, Insertion(f"generator:{module.path}", module, "after", anchor, lines)))

    @staticmethod
    def _defined(module: Module, seed: Seed | None) -> Iterator[Node]:
        """The statements that bind what the text of a seed mentions."""
        names = (
            {n.id for n in tree.walk(tree.parse_expression(seed.text)) if isinstance(n, tree.Name)}
            if seed
            else ()
        )
        for name in sorted(names):
            for binding in module.root.bindings.get(name, ()):
                statement = module.statement(binding.node)
                if module.parent.get(statement) is not module.tree:
                    raise NoPlaceError(f"`{name}` is not set in any case")
                yield statement

    def _used_before(self, draw: Draw, anchor: Node) -> None:
        """Raises NoPlaceError where something needs the generator before it can be there."""
        module, ev = draw.module, self.program.ev
        owner = present.method_of(draw.function)
        needs = {draw.function, *([owner.owner] if owner is not None and owner.owner is not None else [])}
        for statement in module.tree.body:
            if statement is anchor:
                return
            for callee in _called_at_import(statement, module):
                for value in ev.evaluate(callee, module):
                    scope = getattr(value, "scope", None)
                    if scope is not None and needs & self._runs(scope, 0):
                        where = f"`{module.text(callee)}` is called at line {callee.lineno}"
                        raise NoPlaceError(f"{where}, before the seed is set")

    def _runs(self, scope: Scope, depth: int) -> set[Scope]:
        """A function or class with what it calls and makes, as far as that is in sight."""
        found = {scope}
        functions = [scope]
        if scope.kind == "class":
            for name in ("__init__", "__call__", "call"):
                method = objects.method(self.program.ev, scope, name)
                functions += [method] if method is not None else []
        for function in functions if depth < _DEEP else ():
            for node in calls.own_nodes(function) if function.kind == "function" else ():
                if isinstance(node, tree.Call):
                    for value in self.program.ev.evaluate(node.func, function.module):
                        inner = getattr(value, "scope", None)
                        if inner is not None and inner not in found:
                            found |= self._runs(inner, depth + 1)
        return found

    def _header(self, module: Module) -> Node:
        """The last import before the first definition."""
        found = self._import(module)
        for statement in module.tree.body:
            if isinstance(statement, (*tree.FUNCTIONS, tree.ClassDef)):
                break
            if isinstance(statement, (tree.Import, tree.ImportFrom)):
                found = max(found, statement, key=lambda node: node.lineno)
        return found

    def _last_of_header(self, module: Module) -> Node:
        """The last statement before the first definition, but behind the imports."""
        found = self._import(module)
        for statement in module.tree.body:
            if isinstance(statement, (*tree.FUNCTIONS, tree.ClassDef)) and statement.lineno > found.lineno:
                break
            found = max(found, statement, key=lambda node: node.lineno)
        return found

    def _lazy(self, module: Module, seed: Seed | None) -> Place:
        """A function that makes the generator when it is first asked, outside of whatever is traced."""
        maker, needed = self._maker(module, seed)
        scope, _ = self.spelled(module, "init_scope")
        name, function = spelling.fresh_name(module, _NAME), spelling.fresh_name(module, "_generator")
        anchor = self._last_of_header(module)
        gap = ("",) if isinstance(anchor, (tree.Import, tree.ImportFrom)) else ()
        lines = (*gap, *making.getter(function, name, maker, scope))
        key = f"generator:{module.path}"
        return Place(f"{function}()", (*needed, Insertion(key, module, "after", anchor, lines)))

    def _global(self, module: Module, seed: Seed | None, setter: Setter, at_import: bool) -> Place:
        """The generator that all code can ask for, set where the seed is set."""
        assert seed is not None
        found, needed = self.spelled(module, "random.get_global_generator")
        around = self.seeds.around(module)
        rng = f"{found}()"
        if around.global_generators:
            home, node = around.global_generators[0]
            where = f"{home.path}:{node.lineno}"
            return Place(rng, needed, (f"the generator set at {where} is the one to use",))
        needs, assumptions = list(needed), []
        for text, one in ((seed.text, setter), *seed.others):
            where = f"{one.module.path}:{one.node.lineno}"
            assumptions.append(f"the seed at {where} is set before anything that draws is traced")
            needs += self._setting(text, one, at_import)
        return Place(rng, tuple(needs), tuple(assumptions))

    def _setting(self, text: str, setter: Setter, at_import: bool) -> list[Insertion]:
        """The global generator, set behind the global seed."""
        home = setter.module
        loaded = setter.top is not None and not programs.is_main_guard(setter.top)
        if loaded and not at_import and self.seeds.programs.importers(home):
            where = f"{home.path}:{setter.node.lineno}"
            raise NoPlaceError(
                f"the seed is set when {home.name} is imported ({where}), and a generator made there "
                "would start the runtime"
            )
        maker, also = self._maker(home, Seed(text))
        setting, more = self.spelled(home, "random.set_global_generator")
        anchor = self._behind_set_up(home, home.statement(setter.node))
        insertion = Insertion(
            f"global-generator:{home.path}", home, "after", anchor, (f"{setting}({maker})",)
        )
        return [*dict.fromkeys((*also, *more)), insertion]

    def _behind_set_up(self, module: Module, statement: Node) -> Node:
        """The statement, or the last one in its block that sets up devices."""
        block = module.block(statement)
        found = statement
        for home, node in self.seeds.around(module).device_setups:
            if home is module:
                for other in block:
                    if other.lineno > found.lineno and any(inner is node for inner in tree.walk(other)):
                        found = other
        return found

    # objects

    def _holder(self, draw: Draw) -> Scope | None:
        """The class whose objects should hold a generator of their own: what TensorFlow saves and exports."""
        method = present.method_of(draw.function)
        if method is None or method.owner is None or not method.params or method.is_static:
            return None
        if "classmethod" in method.plain_decorators:
            return None
        return method.owner if self.is_saved(method.owner) else None

    def is_saved(self, cls: Scope) -> bool:
        """Are objects of a class what TensorFlow saves and exports: modules, layers, models?"""
        return any(
            isinstance(base, Api)
            and (
                base.name == "tensorflow.Module"
                or (base.name.startswith("keras.") and not base.name.startswith(_NO_LAYERS))
            )
            for base in objects.order(self.program.ev, cls)
        )

    def _attribute(self, draw: Draw, cls: Scope, text: str, seed: Seed | None) -> Place:
        """`self._rng`, set in `__init__`. seed: of the object, where it is what `text` uses."""
        method = present.method_of(draw.function)
        assert method is not None
        me, name = method.params[0].id, constructors.free_attribute(cls, _NAME, self.program)
        behind = seed.text.rpartition(".")[2] if seed is not None else ""
        text = text.replace(f"{me}.", "self.") if behind else text
        insertion = constructors.attribute(cls, name, text, behind, self.program)
        saved = f"no code depends on what the checkpoints of `{cls.name}` hold"
        note = f"checkpoints of `{cls.name}` will also hold its generator, so older ones do not match exactly"
        return Place(f"{me}.{name}", (insertion,), (saved,), (note,), held=True)


def _called_at_import(statement: Node, module: Module) -> Iterator[Node]:
    """What a statement calls when its module is loaded: in bodies of classes, defaults, decorators, too."""
    for node in tree.walk(statement):
        if isinstance(node, tree.Call) and module.enclosing(node).function is None:
            yield node.func
        for decorator in getattr(node, "decorator_list", ()):
            if module.enclosing(decorator).function is None:
                yield decorator


def _end_of_line(statement: Node, module: Module) -> Node:
    """The last statement that stands on the line on which one ends."""
    for other in module.block(statement):
        if other.lineno == statement.end_lineno:
            statement = other
    return statement
