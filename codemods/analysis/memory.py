"""Which outputs of compiled JAX functions stay in host memory without JAX saying so to XLA.

Every compiled function is run on abstract values, once for each way in which it is called: with what the
Python round it passes, with what `in_shardings` says, with the arguments that it is lowered for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codemods.analysis import memory_calls, memory_inputs, tree
from codemods.analysis.memory_frame import Frame
from codemods.analysis.memory_ops import Operations
from codemods.analysis.memory_run import Runner, TooMuch
from codemods.analysis.memory_values import (
    OPAQUE,
    UNSURE,
    Const,
    Fn,
    Leaf,
    Part,
    Place,
    Rec,
    Shard,
    Source,
    Use,
    Value,
    Wrapped,
    bound,
    child,
    is_array_tree,
    leaves,
    paths,
    transform,
)
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Scope
from codemods.analysis.values import Function, Partial
from codemods.knowledge import jax_memory as table, torch_xla

if TYPE_CHECKING:
    from codemods.analysis.compiled import Program

_CONTEXTS = 8  # ways of calling a function that are told apart
Path = tuple[object, ...]


@dataclass(frozen=True)
class Output:
    """An output that stays on the host. path: of the leaf; place: the smallest expression that holds it;
    whole: nothing but host values is in it; sums: it holds statistics of them, and other values."""

    path: Path
    place: Place
    leaf: Leaf
    whole: bool
    sums: bool = False


@dataclass(frozen=True)
class Escape:
    """Values on the host that leave a compiled function, or make an operation mix both memories.

    function: the compiled one. jitted: what compiles it. sources: why they are on the host. uses: where
    they are computed with. outputs: what is left of them on the host. mixed: the operations of which tracing
    fails. returned: what the function returns, as a value and as an expression, if outputs are part of it.
    walled: a wrapper stands between jit and the function, so that moves in it are not seen. on_host: `mixed`
    is meant to be computed on the host.
    """

    function: Scope
    jitted: Wrapped
    sources: tuple[Source, ...]
    uses: tuple[Use, ...]
    outputs: tuple[Output, ...]
    mixed: tuple[Place, ...]
    returned: Value | None
    walled: bool
    on_host: bool = False


class Memory:
    """The answers for a whole program, under the rules of one JAX."""

    def __init__(self, program: Program, typed: bool) -> None:
        """typed: the memory space is part of the type (from JAX 0.7.1 on)."""
        self.program = program
        self.typed = typed
        self.escapes: dict[Scope, list[Escape]] = {}
        self._found: list[Escape] = []
        self._results: dict[tuple[object, ...], Value] = {}
        paths_ = program.project.paths
        if any(program.project.has_any(path, table.WORDS) for path in paths_):
            self._run()
        for escape in self._found:
            self.escapes.setdefault(escape.function, []).append(escape)

    def _run(self) -> None:
        runner = self._runner(traced=False)
        roots = {root: self._jitted(root, runner) for root in self.program.jax_roots}
        entered = memory_inputs.entered(self.program, runner)
        for root, jitted in roots.items():
            if jitted is None or jitted.kind in table.SHARD_MAPS:
                continue
            ways = [(args, kw) for w, args, kw in entered if w.place == jitted.place][:_CONTEXTS]
            if not ways:
                args = memory_inputs.described(self.program, root, roots, runner)
                made = [one for one in runner.made if one.place == jitted.place][:_CONTEXTS]
                for number, one in enumerate(made):
                    self._judge(one, args, {}, number + 1)
                ways = [] if made else [(args, {})]
            for args, keywords in ways:
                self._judge(jitted, args, keywords)

    def _runner(self, traced: bool, typed: bool | None = None) -> Runner:
        operations = Operations(self.typed if typed is None else typed)
        return Runner(self.program.ev, operations, None if traced else self._outside)

    def _jitted(self, root: Root, runner: Runner) -> Wrapped | None:
        """The compiled function as a value."""
        frame = memory_inputs.frame_of(root.module.enclosing(root.node))
        decorated = isinstance(root.module.parent.get(root.node), (tree.FunctionDef, tree.AsyncFunctionDef))
        if decorated:
            value = runner.asked(lambda: runner.decorated(root.function, frame))
            value = bound(value) if value is not None and root.bound is not None else value
        else:
            value = runner.asked(lambda: runner.eval(root.node, frame))
            known = isinstance(value, Wrapped) and _function(value)[0] is not None
            if not known and isinstance(root.node, tree.Call):
                value = self._handed(root, runner, frame) or value
        while isinstance(value, Wrapped) and value.place.node is not root.node:
            if memory_calls.on_host(value):
                return None  # it only ever runs as a part of what calls it
            value = value.function
        return value if isinstance(value, Wrapped) else None

    def _handed(self, root: Root, runner: Runner, frame: Frame) -> Wrapped | None:
        """The compiled function where jit gets it from a caller: what it was made with is not known."""
        node, module = root.node, root.module
        for known in self.program.ev.evaluate(node.args[0], module) if node.args else ():
            count, names, made = 0, set[str](), known
            while isinstance(made, Partial):
                count, names = count + len(made.args), {*names, *dict(made.keywords)}
                made = made.target
            if not isinstance(made, Function) or made.scope is not root.function:
                continue
            own = memory_inputs.frame_of(made.scope.parent or made.scope.module.root)
            if runner.asked(lambda s=made.scope, f=own: runner.decorated(s, f)) == OPAQUE:  # type: ignore[misc]
                continue
            function = Fn(made.scope, None, None if made.bound is None else OPAQUE)
            part = Part(function, (UNSURE,) * count, tuple((name, UNSURE) for name in sorted(names)))
            options = []
            for keyword in filter(lambda one: one.arg is not None, node.keywords):
                value = runner.asked(lambda k=keyword: runner.eval(k.value, frame))  # type: ignore[misc]
                options.append((keyword.arg, OPAQUE if value is None else value))
            return Wrapped(root.how, part, Place(module, node), tuple(options))
        return None

    def _outside(self, jitted: Wrapped, args: list[Value], keywords: dict[str, Value]) -> Value:
        """What a compiled function gives to the Python that calls it."""
        result = self._judge(jitted, args, keywords)
        if of_torch(jitted):
            return transform(result, lambda leaf: replace(UNSURE, ndim=leaf.ndim))
        declared = jitted.option("out_shardings")

        def settled(path: Path, leaf: Leaf) -> Leaf:
            where = _at(declared, path)
            on_host = isinstance(where, Shard) and where.kind in table.HOST_KINDS
            if on_host and not leaf.host and isinstance(where, Shard):
                return replace(memory_inputs.on_host(where, ""), ndim=leaf.ndim)
            if leaf.host and leaf.typed and leaf.known and (where is None or on_host):
                return replace(leaf, typed=True, direct=False, sliced=False, uses=frozenset())
            return Leaf(ndim=leaf.ndim, known=leaf.known)

        return memory_inputs.with_paths(result, settled)

    # one compiled function

    def _judge(self, jitted: Wrapped, args: list[Value], keywords: dict[str, Value], made: int = 0) -> Value:
        """made: tells apart what several calls of the function round it make."""
        function, bound = _function(jitted)
        if function is None:
            return OPAQUE
        params = [param.id for param in function.scope.params][0 if function.bound is None else 1 :]
        given = memory_inputs.arguments(jitted, params[len(bound) :], args)
        named = {name: memory_inputs.entering(value, name) for name, value in keywords.items()}
        key = (jitted.place, made, tuple(given), tuple(named.items()))
        if key in self._results:
            return self._results[key]
        self._results[key] = OPAQUE  # it calls itself
        runner = self._runner(traced=True, typed=self.typed and not of_torch(jitted))
        try:
            with runner.ops.region(_on_host(jitted)):
                result, frame = runner.call_function(function, [*bound, *given], named)
        except TooMuch:
            return OPAQUE
        walled = _walled(jitted)
        mixed = list(runner.ops.mixed.values())
        also = {source for one in mixed for source in one.sources}
        # what fails to compile gives nothing: after a fix it is on the device, or where the caller knows it
        self._results[key] = transform(
            result, lambda leaf: UNSURE if leaf.host and leaf.sources & also and leaf.uses else leaf
        )
        for one in mixed:
            sources = tuple(sorted(one.sources, key=_place_of))
            self._add(
                Escape(
                    function.scope,
                    jitted,
                    sources,
                    tuple(one.uses),
                    (),
                    (one.place,),
                    None,
                    walled,
                    one.on_host,
                )
            )
        for value, node in frame.returns if frame is not None else ():
            value = runner.ops.behind(value) if walled else value
            returned = Place(function.scope.module, node)
            for output in self._outputs(jitted, value, returned, also):
                sources = tuple(sorted(output.leaf.sources, key=_place_of))
                uses = tuple(sorted(output.leaf.uses, key=_order))
                self._add(Escape(function.scope, jitted, sources, uses, (output,), (), value, walled))
        return self._results[key]

    def _outputs(self, jitted: Wrapped, value: Value, returned: Place, also: set[Source]) -> Iterator[Output]:
        """also: sources whose outputs count wherever JAX knows them to be."""
        declared = jitted.option("out_shardings")
        alone = isinstance(value, Leaf)
        for path, leaf in paths(value):
            if of_torch(jitted):  # nothing is declared there; what is not understood, is not followed
                if leaf.host and leaf.sources and leaf.known:
                    yield _located(path, leaf, value, returned)
                continue
            told = leaf.typed and (leaf.pinned or not self.typed)
            if not leaf.host or leaf.ended or (told and not leaf.sources & also) or not leaf.sources:
                continue
            if not told and (leaf.sliced or (alone and leaf.direct)):
                continue
            where = _at(declared, path)
            if where is not None and not (self.typed and _is(where, "unpinned_host")):
                continue
            yield _located(path, leaf, value, returned)

    def _add(self, new: Escape) -> None:
        """Add to the findings; what has a use, an output or a source in common is one."""
        kept = []
        for old in self._found:
            apart = {*old.uses}.isdisjoint(new.uses) and {*old.sources}.isdisjoint(new.sources)
            apart = apart and {o.place for o in old.outputs}.isdisjoint(o.place for o in new.outputs)
            if old.function is new.function and not apart:
                new = _merged(old, new)
            else:
                kept.append(old)
        self._found = [*kept, new]


def _merged(old: Escape, new: Escape) -> Escape:
    return Escape(
        new.function,
        new.jitted,
        tuple(sorted({*old.sources, *new.sources}, key=_place_of)),
        tuple(sorted({*old.uses, *new.uses}, key=_order)),
        tuple(dict.fromkeys([*old.outputs, *new.outputs])),
        tuple(dict.fromkeys([*old.mixed, *new.mixed])),
        old.returned if old.returned is not None else new.returned,
        new.walled,
        old.on_host or new.on_host,
    )


def _place_of(source: Source) -> tuple[str, int, str]:
    span = source.place.module.span(source.place.node)
    return span.path, span.start, source.name


def _walled(value: Value) -> bool:
    """Does a wrapper that is one operation for jit stand between it and the function?"""
    inner = value.function if isinstance(value, Wrapped) else value
    while isinstance(inner, (Wrapped, Part)):
        if isinstance(inner, Wrapped) and inner.kind in table.BOUNDARIES | table.COMPILERS:
            return True
        inner = inner.function if isinstance(inner, Wrapped) else inner.target
    return False


def _on_host(value: Value) -> bool:
    """Does a wrapper below jit say that the function runs on the host?"""
    while isinstance(value, (Wrapped, Part)):
        if memory_calls.on_host(value):
            return True
        value = value.function if isinstance(value, Wrapped) else value.target
    return False


def of_torch(jitted: Wrapped) -> bool:
    """Is it compiled by PyTorch/XLA, where no output can be declared to be on the host?"""
    return jitted.kind in torch_xla.COMPILERS


def _order(use: Use) -> tuple[str, int, int]:
    place = use.frames[0]
    span = place.module.span(place.node)
    return span.path, span.start, span.end


def _function(value: Value) -> tuple[Fn | None, list[Value]]:
    """The function of the project below its wrappers, and what is bound to it."""
    bound: list[Value] = []
    while isinstance(value, (Wrapped, Part)):
        if isinstance(value, Wrapped) and value.kind in ("jax.grad", "jax.value_and_grad"):
            return None, []
        if isinstance(value, Part):
            bound = [*value.args, *bound]
        value = value.function if isinstance(value, Wrapped) else value.target
    return (value, bound) if isinstance(value, Fn) else (None, [])


def _at(declared: Value | None, path: Path) -> Value | None:
    """What a prefix tree of shardings says about an output; None where it says nothing."""
    for key in path:
        if isinstance(declared, (Shard, Const)) or declared is None:
            break
        declared = child(declared, key) or OPAQUE
    return None if isinstance(declared, Const) and declared.value is None else declared


def _is(value: Value, kind: str) -> bool:
    return isinstance(value, Shard) and value.kind == kind


def _located(path: Path, leaf: Leaf, value: Value, returned: Place) -> Output:
    """The smallest expression of a `return` that holds an output."""
    node, rest = returned.node, list(path)
    while rest:
        part = _part(node, rest[0], value)
        if part is None:
            break
        node, value = part, child(value, rest.pop(0)) or OPAQUE
    found = list(leaves(value))
    whole = is_array_tree(value) and all(one.host for one in found)
    sums = len({one.statistic for one in found}) == 2
    return Output(path, Place(returned.module, node), leaf, whole, sums)


def _part(node: tree.Node, key: object, value: Value) -> tree.Node | None:
    if isinstance(value, Rec) and isinstance(node, tree.Call):
        names = [name for name, _ in value.items]
        given = dict(zip(names, node.args, strict=False))
        given.update({keyword.arg: keyword.value for keyword in node.keywords})
        starred = any(isinstance(arg, tree.Starred) for arg in node.args) or None in given
        made = set(names) <= set(given)  # else it is made from another one
        return given.get(key) if made and not starred else None
    if isinstance(node, (tree.Tuple, tree.List)) and isinstance(key, int):
        starred = any(isinstance(one, tree.Starred) for one in node.elts)
        return node.elts[key] if not starred and key < len(node.elts) else None
    if isinstance(node, tree.Dict):
        for name, value in zip(node.keys, node.values, strict=True):
            if isinstance(name, tree.Constant) and name.value == key:
                return value
    return None


__all__ = ["Escape", "Memory", "Output", "of_torch"]
