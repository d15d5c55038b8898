"""Which arguments of compiled JAX functions live on the host: from calls, `in_shardings` and descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from codemods.analysis import memory_calls, tree
from codemods.analysis.memory_frame import Frame
from codemods.analysis.memory_run import Runner
from codemods.analysis.memory_values import (
    OPAQUE,
    UNSURE,
    Const,
    Leaf,
    Map,
    Rec,
    Shard,
    Source,
    Tup,
    Value,
    Wrapped,
    child,
    leaves,
    transform,
    with_paths,
)
from codemods.analysis.names import Scope
from codemods.analysis.roots import Root
from codemods.knowledge import jax_memory as table

if TYPE_CHECKING:
    from codemods.analysis.compiled import Program

Entered = list[tuple[Wrapped, list[Value], dict[str, Value]]]


def entered(program: Program, runner: Runner) -> Entered:
    """The calls of compiled functions in the Python round them, with what they pass."""
    modules = {root.module.path for root in program.jax_roots}
    modules.update(p for p in program.project.paths if program.project.has_any(p, table.WORDS))
    names = {root.function.name for root in program.jax_roots}
    for root in program.jax_roots:
        statement = root.module.statement(root.node)
        names.update(tree.identifier(target) for target in getattr(statement, "targets", ()))
    for name in sorted(names - {"", "<lambda>"}):
        for root in program.jax_roots:
            if len(found := program.project.with_word(name, root.module.path)) <= 40:
                modules.update(found)
    # where values are placed comes first: there may be more code than can be run
    for path in sorted(modules, key=lambda path: (not program.project.has_any(path, table.WORDS), path)):
        module = program.project.module(path)
        if module is None:
            continue
        frame = Frame(module, module.root)
        runner.asked(lambda m=module, f=frame: runner.block(m.tree.body, f))  # type: ignore[misc]
        for function in module.functions:
            python = function not in program.jax_reached and not isinstance(function.node, tree.Lambda)
            if python and any(name in module.mentions for name in names):
                inner = frame_of(function)
                runner.asked(lambda f=inner, s=function: runner.block(s.node.body, f))  # type: ignore[misc]
    return runner.entered


def frame_of(scope: Scope) -> Frame:
    """A frame for code of which it is not known how it was called."""
    frame = Frame(scope.module, scope)
    if scope.kind == "function":
        args = scope.node.args
        for param in [*scope.params, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]:
            frame.names[param.id] = OPAQUE if param.id == scope.receiver else UNSURE
    return frame


def arguments(jitted: Wrapped, params: list[str], args: list[Value]) -> list[Value]:
    """The arguments as the compiled function sees them: what is on the host, is there as an argument."""
    where = jitted.option("in_shardings")
    given = [args[i] if i < len(args) else None for i in range(max(len(params), len(args)))]
    found: list[Value] = []
    for index, value in enumerate(given):
        name = params[index] if index < len(params) else f"argument {index}"
        said = where if isinstance(where, Shard) else child(where, index) if where is not None else None
        told = index < len(where.items) if isinstance(where, Tup) else isinstance(said, Shard)
        if value is None and not told:
            break  # its default, or not known
        placed = value if value is not None else UNSURE
        found.append(entering(_prefixed(placed, said), name))
    if not args and len(found) < len(params):
        found += [UNSURE] * (len(params) - len(found))
    return found


def _prefixed(value: Value, where: Value | None) -> Value:
    """A value placed by a prefix tree of shardings."""
    if isinstance(where, Shard):
        return transform(value, lambda leaf: memory_calls.placed(leaf, where, True))
    if where is None or isinstance(where, Const):
        return value
    if isinstance(value, Tup):
        items = tuple(_prefixed(item, child(where, i)) for i, item in enumerate(value.items))
        return Tup(items, value.kind)
    if isinstance(value, (Map, Rec)):
        pairs = tuple((key, _prefixed(item, child(where, key))) for key, item in value.items)
        return replace(value, items=pairs)
    if isinstance(value, Leaf) and isinstance(where, Rec) and where.rest is not None:
        rest = _prefixed(value, where.rest)
        return Rec(None, tuple((key, _prefixed(value, one)) for key, one in where.items), rest)
    if isinstance(value, Leaf) and isinstance(where, (Map, Rec)):
        return Map(tuple((key, _prefixed(UNSURE, one)) for key, one in where.items))
    if isinstance(value, Leaf) and isinstance(where, Tup):
        return Tup(tuple(_prefixed(UNSURE, one) for one in where.items))
    return value


def entering(value: Value, name: str) -> Value:
    """A value on the host becomes an argument that is there."""

    def entered_(path: tuple[object, ...], leaf: Leaf) -> Leaf:
        if not leaf.host:
            return replace(leaf, reduced=False, rank=False)
        text = name + "".join(f".{k}" if isinstance(k, str) and k.isidentifier() else f"[{k}]" for k in path)
        sources = frozenset(Source("param", s.place, text, s.shard, s.declared) for s in leaf.sources)
        return Leaf(True, True, leaf.pinned, leaf.ndim, partly=leaf.partly, sources=sources)

    return with_paths(value, entered_)


def on_host(shard: Shard, name: str) -> Leaf:
    source = Source("param", shard.made, name, shard)
    return Leaf(True, True, shard.kind == "pinned_host", sources=frozenset({source}))


def described(
    program: Program, root: Root, roots: Mapping[Root, Wrapped | None], runner: Runner
) -> list[Value]:
    """The arguments of a compiled function that nothing calls, as another function describes them.

    A `jax.ShapeDtypeStruct` has no use but to stand for an argument. Where one function of the module
    returns such descriptions, in the number that the only compiled function without a call takes, they
    are taken for its arguments; the fix says so.
    """
    module = root.module
    entry = [r for r in roots if r.module is module and not _called(program, r)]
    if entry != [root]:
        return []
    count = len(root.function.params) - (root.bound is not None)
    found: list[list[Value]] = []
    for function in module.functions:
        if function.parent is not module.root or function in program.jax_reached or function.params:
            continue
        frame = frame_of(function)
        runner.asked(lambda f=frame, s=function: runner.block(s.node.body, f))  # type: ignore[misc]
        for value, _ in frame.returns:
            if isinstance(value, Tup) and len(value.items) == count and _describes(value):
                found.append(list(value.items))
    return found[0] if len(found) == 1 else []


def _called(program: Program, root: Root) -> bool:
    """Does compiled code, or anything in sight, call the function?"""
    reached = program.jax_reached.get(root.function)
    from_others = reached is not None and any(other is not root for other in reached.preds)
    return from_others or bool(program.callers(root.function).sites)


def _describes(value: Value) -> bool:
    found = list(leaves(value))
    return bool(found) and any(leaf.host for leaf in found)


__all__ = ["OPAQUE", "arguments", "described", "entered", "entering", "frame_of", "on_host", "with_paths"]
