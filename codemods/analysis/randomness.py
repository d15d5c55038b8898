"""Random ops in compiled code: what forbids a generator, and which one a draw gets."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.analysis import draws, places, tree
from codemods.analysis.compiled import Program
from codemods.analysis.constructors import NoPlaceError
from codemods.analysis.draws import Draw
from codemods.analysis.generators import Place
from codemods.analysis.present import method_of
from codemods.analysis.programs import TooLarge
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Scope
from codemods.analysis.seeds import NoSeedError
from codemods.analysis.surroundings import Surroundings
from codemods.analysis.tree import Node
from codemods.analysis.values import Const, Unknown

_GRAPHS = ("tensorflow.compat.v1.", "tensorflow.python.", "tensorflow.tpu.", "TPU", "tensorflow.xla.")


@dataclass(frozen=True)
class Plan:
    """Which generator a draw uses. why: why there is none in bulk. asked: the program does set a seed.

    chosen: alternatives that only a person can choose, by key, with what they mean.
    """

    place: Place | None
    why: str = ""
    asked: bool = True
    chosen: tuple[tuple[str, str, Place], ...] = ()


def forbidden(draw: Draw, program: Program) -> str:
    """Why the numbers must not come from a generator there; "" if they may."""
    try:
        around = program.generators.seeds.around(draw.module)
    except TooLarge:
        around = Surroundings()
    if around.strategy:
        return (
            f"the program has replicas (`tf.distribute` at {around.strategy}), which cannot share a generator"
        )
    if around.graph_mode:
        return f"eager execution is off ({around.graph_mode}), and a generator holds a variable"
    for root in _roots(draw.function, program):
        if root.how.startswith(_GRAPHS):
            return f"`{root.how}` builds a graph of TensorFlow 1, in which a generator has to be initialised"
    again = _recomputed(draw, around.recomputed, program)
    if again:
        return (
            f"`{again}` is computed again for its gradient (tf.recompute_grad), and must draw the same then"
        )
    return ""


def _roots(function: Scope, program: Program) -> list[Root]:
    reached = program.reached.get(function)
    return list(reached.preds) if reached is not None else []


def unfixable(draw: Draw, program: Program) -> str:
    """Why a draw could not follow the seed of the program any more, if XLA compiled it; "" if it could."""
    found = plan(draw, program)
    why = draw.unclear or forbidden(draw, program)
    return why or (found.why if found.place is None and found.asked else "")


def _recomputed(draw: Draw, again: set[Scope], program: Program) -> str:
    """The function on the way to a draw that `tf.recompute_grad` runs twice."""
    if not again:
        return ""
    on_the_way: list[Scope] = [draw.function]
    for root in _roots(draw.function, program):
        on_the_way += [step.function for step in program.walk.climb(draw.function, root)]
    for function in on_the_way:
        scope: Scope | None = function
        while scope is not None:
            if scope in again:
                return scope.name
            scope = scope.parent
    return ""


def plan(draw: Draw, program: Program) -> Plan:
    """The generator for a draw, or why there is none."""
    generators = program.generators
    try:
        generators.seeds.check_shared(draw)
        existing = generators.existing(draw)
        if existing is not None:
            return Plan(_fit(existing, draw, program))
        seed = generators.seeds.of(draw)
    except NoSeedError as error:
        return _without_seed(draw, program, error)
    except NoPlaceError as error:
        return Plan(None, str(error))
    try:
        return Plan(_fit(generators.new(draw, seed), draw, program))
    except NoPlaceError as error:
        chosen = []
        try:
            place = _fit(generators.new(draw, seed, at_import=True), draw, program)
            chosen.append(("import-time", "the generator is made when a module is imported", place))
        except NoPlaceError:
            pass
        return Plan(None, str(error), True, tuple(chosen))


def _exported(draw: Draw, program: Program) -> str:
    """The exported class below which a draw lies, where the program calls `tf.saved_model.save`."""
    try:
        saves = program.generators.seeds.around(draw.module).saves
    except TooLarge:
        return ""
    for root in _roots(draw.function, program) if saves else ():
        method = method_of(root.function)
        if method is not None and method.owner is not None and program.generators.is_saved(method.owner):
            return method.owner.name
    return ""


def _fit(place: Place, draw: Draw, program: Program) -> Place:
    """The same place. Raises NoPlaceError where a SavedModel could not hold what uses it."""
    exported = _exported(draw, program) if not place.held else ""
    if exported:
        raise NoPlaceError(
            f"`tf.saved_model.save` can only export `{exported}` with a generator that it holds itself: "
            "make one in its `__init__`, and pass it to what draws"
        )
    return place


def _without_seed(draw: Draw, program: Program, error: NoSeedError) -> Plan:
    generators = program.generators
    try:
        if error.shared:
            existing = generators.existing(draw)
            seed = None if existing is not None else generators.seeds.of(draw)
            place = _fit(existing if existing is not None else generators.new(draw, seed), draw, program)
            return Plan(None, str(error), True, (("own-numbers", "each op draws numbers of its own", place),))
        if error.asked:
            return Plan(None, str(error))
        if generators.seeds.is_deterministic(draw.module):
            return Plan(None, str(error), False)
        place = _fit(generators.new(draw, None), draw, program)
    except (NoPlaceError, NoSeedError) as other:
        return Plan(None, f"{error}; {other}" if not error.asked else str(error), error.asked)
    meaning = "the numbers differ in each run, and cannot be had again"
    return Plan(None, str(error), False, (("non-deterministic", meaning, place),))


def find(function: Scope, program: Program) -> list[Draw]:
    """What a function draws under XLA each time it runs."""
    return list(draws.find(function, program))


def has_no_gradient(node: Node, draw: Draw, program: Program) -> bool:
    """Is an expression certainly made of whole numbers, which have no derivative?"""
    values = program.proof.evaluate(node, draw.module)
    return bool(values) and all(getattr(v, "kind", "") in ("int", "range", "shape") for v in values)


def nothing_before(node: Node, draw: Draw, program: Program) -> bool:
    """May an expression be computed in front of its statement: has nothing an effect there before it?

    Other draws do not count, since their numbers change in any case.
    """
    module = draw.module
    around = [draw.node, *module.ancestors(draw.node)]
    begin = module.span(node).start
    for inner in tree.walk(module.statement(draw.node)):
        if not isinstance(inner, (tree.Call, tree.NamedExpr, tree.Await, tree.Yield, tree.YieldFrom)):
            continue
        before = module.span(inner).start < begin and not any(inner is one for one in around)
        drawn = isinstance(inner, tree.Call) and draws.at(draw.function, inner, program) is not None
        if before and not drawn and not places.is_pure(inner, module, program):
            return False
    return True


def may_be_none(node: Node, draw: Draw, program: Program) -> bool:
    """May an argument be None, so that the op takes its default?"""
    values = program.proof.evaluate(node, draw.module)
    return not values or any(isinstance(v, Unknown) or v == Const(None) for v in values)


def elsewhere(draw: Draw, held: bool, program: Program) -> list[str]:
    """What must be true for nobody to miss the old numbers: those of XLA followed nothing, others did."""
    found = [draws.called_outside(draw.function, program)]
    if draw.argument("seed") is not None and _times_called(draw.function, program) > 1:
        found.append(f"the calls of `{draw.function.name}`, which share one seed, need not draw the same")
    try:
        around = program.generators.seeds.around(draw.module)
    except TooLarge:
        around = Surroundings()
    if around.eager:
        found.append(f"nobody needs the numbers of eager runs ({around.eager})")
    if around.saves and not held:
        found.append(f"`{draw.function.name}` is not part of what `tf.saved_model.save` exports")
    return [one for one in found if one]


def _times_called(function: Scope, program: Program) -> int:
    """How many calls of a function one compiled function holds, at most."""
    callers = [
        program.reached.get(s.scope.function) for s in program.callers(function).sites if s.scope.function
    ]
    roots = _roots(function, program)
    return max((sum(c is not None and root in c.preds for c in callers) for root in roots), default=0)
