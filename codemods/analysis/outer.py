"""Which function has to be compiled so that a derivative stays inside of XLA, and where that is written."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.analysis import boundary, library, objects, pretraced, tree
from codemods.analysis.boundary import KERAS, Crossing, KerasCompile
from codemods.analysis.compiled import Program
from codemods.analysis.names import may_be_called
from codemods.analysis.roots import COMPILE_KEYWORDS
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Const, Function, Partial


class NoOuter(Exception):  # noqa: N818 - it is an answer, not an error
    """Why nothing can be compiled instead; str() is a sentence for people."""


@dataclass(frozen=True, eq=False)
class Outer:
    """A function to compile. kind: "function" (it is a tf.function: `node` is its decorator, or the call
    that makes it one), "python" (a plain function; `node` is its `def`), "keras" (`node` is the call of
    `compile`). refused: `jit_compile=False` stands there.
    """

    kind: str
    function: Scope
    module: Module
    node: Node
    refused: bool = False
    sure: bool = True  # False: a model of Keras' own class, which may not hold the layer


def find(crossing: Crossing, program: Program) -> list[Outer]:
    """All the functions that have to be compiled for one crossing. Raises NoOuter."""
    taker = crossing.taker.function
    if crossing.taker.how == KERAS:
        return _keras(taker, program)
    if taker.kind != "function":
        raise NoOuter("the derivative is taken at module level; put it into a function and compile that")
    if isinstance(taker.node, tree.Lambda):
        raise NoOuter("the derivative is taken in a lambda; give it a name and compile that")
    if boundary.is_training_step(taker, program):
        return _keras(taker, program)
    return _functions(taker, program, 5)


def _functions(taker: Scope, program: Program, depth: int) -> list[Outer]:
    """The tf.functions that run it, innermost first found; else itself, as plain Python."""
    found = _own(taker, program) or _callers(taker, program, depth)
    if found:
        return found
    why = _not_plain(taker, program)
    if why:
        raise NoOuter(f"`{taker.name}` {why}; compile what calls it, or a part of it")
    return [Outer("python", taker, taker.module, taker.node)]


_BINDERS = frozenset({"staticmethod", "classmethod", "abstractmethod", "abc.abstractmethod"})


def _not_plain(function: Scope, program: Program) -> str:
    """Why a decorator on a plain function would not do what it should."""
    if isinstance(function.node, tree.AsyncFunctionDef):
        return "is a coroutine"
    decorators = [function.module.text(d) for d in function.node.decorator_list]
    strange = next((text for text in decorators if text not in _BINDERS), "")
    if strange:
        return f"is decorated with `@{strange}`"
    owner = function.owner
    if owner is not None and not function.is_static:
        compared = "__eq__" in owner.bindings and "__hash__" not in owner.bindings
        if compared or objects.dataclass_fields(program.ev, owner) is not None:
            return f"is a method of `{owner.name}`, whose objects may have no hash"
    return ""


def _own(function: Scope, program: Program) -> list[Outer]:
    """The decorator, or the calls, that make a function a tf.function."""
    decorator = pretraced.plain_function(function, program.ev)
    if decorator is not None:
        called = decorator.func if isinstance(decorator, tree.Call) else decorator
        values = program.ev.evaluate(called, function.module)
        given = {name for v in values if isinstance(v, Partial) for name, _ in v.keywords}
        said = not given.isdisjoint(COMPILE_KEYWORDS)
        return [Outer("function", function, function.module, decorator, said or _refuses(decorator))]
    found = []
    for path in program.project.with_word(function.name, function.module.path)[:40]:
        module = program.project.module(path)
        for mention in module.mentions.get(function.name, ()) if module is not None else ():
            assert module is not None
            call = module.parent.get(mention)
            if not (isinstance(call, tree.Call) and call.args and call.args[0] is mention):
                continue
            if not may_be_called(call, module, "function"):
                continue
            callee = program.ev.evaluate(call.func, module)
            names = {library.without_v1(v.name) for v in callee if isinstance(v, Api)}
            meant = program.ev.evaluate(mention, module)
            same = any(isinstance(v, Function) and v.scope is function for v in meant)
            if "tensorflow.function" in names and same and not _asks(call):
                found.append(Outer("function", function, module, call, _refuses(call)))
    return found


def _asks(call: Node) -> bool:
    """Does a call of `tf.function` ask for XLA already?"""
    given = [k.value for k in call.keywords if k.arg in COMPILE_KEYWORDS]
    return any(isinstance(value, tree.Constant) and value.value is True for value in given)


def _refuses(node: Node) -> bool:
    keywords = node.keywords if isinstance(node, tree.Call) else []
    return any(k.arg in COMPILE_KEYWORDS for k in keywords)


def _callers(function: Scope, program: Program, depth: int) -> list[Outer]:
    """The tf.functions from which a function is called, if every call comes from one."""
    callers = program.callers(function)
    if callers.open or depth == 0:
        return []
    found: dict[Node, Outer] = {}
    for site in callers.sites:
        scope = site.scope.function
        if scope is None or isinstance(scope.node, tree.Lambda):
            return []
        if scope in program.reached:
            continue
        outers = _own(scope, program) or _callers(scope, program, depth - 1)
        if not outers:
            return []
        found.update({outer.node: outer for outer in outers})
    return list(found.values())


def _keras(taker: Scope, program: Program) -> list[Outer]:
    owner = taker.owner
    calls = [c for c in boundary.keras_compiles(program) if not c.compiled]
    found = [c for c in calls if _is_of(c, owner, program)] or [c for c in calls if c.model is None]
    if not found:
        raise NoOuter("no call of `compile` for this Keras model is in sight")
    if any(k.arg == "run_eagerly" for c in found for k in c.node.keywords):
        raise NoOuter("`run_eagerly` stands at the call of `compile`, and then Keras compiles nothing")
    return [Outer("keras", taker, c.module, c.node, _refuses(c.node), c.model is not None) for c in found]


_STEPS = ("train_step", "test_step", "predict_step", "call", "compute_loss", "compute_metrics")


def steps(found: Outer, program: Program) -> list[Scope]:
    """All that is compiled with an outer function: of a Keras model every kind of step."""
    if found.kind != "keras" or found.function.owner is None:
        return [found.function]
    methods = [objects.method(program.ev, found.function.owner, name) for name in _STEPS]
    return [method for method in methods if method is not None]


def _is_of(call: KerasCompile, owner: Scope | None, program: Program) -> bool:
    if call.model is None or owner is None:
        return False
    return any(getattr(base, "scope", None) is owner for base in objects.order(program.ev, call.model.scope))


def known_arguments(call: Node, module: Module, program: Program) -> str:
    """The first argument of `compile` of which it is not known that it compiles; "" if all are known."""
    for argument in [*call.args, *(k.value for k in call.keywords)]:
        values = program.ev.evaluate(argument, module)
        if not values or not all(
            isinstance(v, Const) or getattr(v, "name", "").startswith("keras.") for v in values
        ):
            return module.text(argument)
    return ""
