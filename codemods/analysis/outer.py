"""Which function has to be compiled so that a derivative stays inside of XLA, and where that is written."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.analysis import boundary, library, objects, pretraced, tree
from codemods.analysis.boundary import KERAS, Crossing, KerasCompile
from codemods.analysis.compiled import Program
from codemods.analysis.evaluate import may_be_called
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Const, Function


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
    own = _own(taker, program)
    if own is not None:
        return [own]
    found = _callers(taker, program, depth)
    if found:
        return found
    if isinstance(taker.node, tree.AsyncFunctionDef):
        raise NoOuter("the derivative is taken in a coroutine")
    return [Outer("python", taker, taker.module, taker.node)]


def _own(function: Scope, program: Program) -> Outer | None:
    """The decorator or the call that makes a function a tf.function."""
    decorator = pretraced.plain_function(function, program.ev)
    if decorator is not None:
        return Outer("function", function, function.module, decorator, _refuses(decorator))
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
            if "tensorflow.function" in names and any(
                isinstance(v, Function) and v.scope is function for v in meant
            ):
                return Outer("function", function, module, call, _refuses(call))
    return None


def _refuses(node: Node) -> bool:
    keywords = node.keywords if isinstance(node, tree.Call) else []
    return any(k.arg in ("jit_compile", "experimental_compile") for k in keywords)


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
        own = _own(scope, program)
        outers = [own] if own is not None else _callers(scope, program, depth - 1)
        if not outers:
            return []
        found.update({outer.node: outer for outer in outers})
    return list(found.values())


def _keras(taker: Scope, program: Program) -> list[Outer]:
    owner = taker.owner
    found = [c for c in boundary.keras_compiles(program) if not c.compiled and _is_of(c, owner, program)]
    if not found:
        raise NoOuter("no call of `compile` for this Keras model is in sight")
    return [Outer("keras", taker, c.module, c.node, _refuses(c.node)) for c in found]


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
