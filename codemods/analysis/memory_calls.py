"""Calls in a JAX program that is run on abstract values: the library, and the functions handed to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codemods.analysis import memory_control, memory_objects, memory_ops, tree
from codemods.analysis.memory_control import Keywords
from codemods.analysis.memory_ops import Operand
from codemods.analysis.memory_values import (
    DEVICE,
    OPAQUE,
    UNSURE,
    ClassValue,
    Const,
    Fn,
    Leaf,
    Lib,
    Map,
    Method,
    Opaque,
    Part,
    Place,
    Rec,
    Seq,
    Shard,
    Source,
    Tup,
    Value,
    Wrapped,
    child,
    elements,
    leaves,
    transform,
)
from codemods.knowledge import jax_memory as table, torch_xla

if TYPE_CHECKING:
    from codemods.analysis.memory_run import Runner

_JAX = ("jax.", "flax.", "numpy.", "math.", "optax.", "chex.", "einops.")


def space(value: Value, place: Place) -> Value:
    """`jax.memory.Space.Host` and its kin as what `device_put` takes; other values as they are."""
    if isinstance(value, Lib) and value.name in (table.SPACE_HOST, table.SPACE_DEVICE):
        return Shard("pinned_host" if value.name == table.SPACE_HOST else "device", place)
    return value


def call(run: Runner, place: Place, callee: Value, args: list[Operand], keywords: Keywords) -> Value:
    """What a call gives."""
    if isinstance(callee, Lib):
        return _library(run, place, callee.name, args, keywords)
    if isinstance(callee, (Fn, Wrapped)):
        return apply(run, callee, args, keywords)
    if isinstance(callee, Part):
        merged = {**{name: (place, value) for name, value in callee.keywords}, **keywords}
        given = [*((place, value) for value in callee.args), *args]
        return call(run, callee.place or place, callee.target, given, merged)
    if isinstance(callee, ClassValue):
        return memory_objects.construct(run, callee, args, keywords)
    if isinstance(callee, Method):
        return memory_objects.method_call(run, place, callee, args, keywords)
    if tree.identifier(getattr(place.node, "func", None)) == "with_memory_kind":
        return memory_objects.with_kind(place, args, keywords, empty=False)
    target = run.converted(place.node.func, place.module) if hasattr(place.node, "func") else OPAQUE
    if isinstance(target, Fn) and target.bound is not None:
        return apply(run, target, args, keywords)
    return memory_ops.unknown([*args, *keywords.values()], run.ops, place, "call")


def apply(run: Runner, function: Value, args: Sequence[Operand], keywords: Keywords) -> Value:
    """Call a function of the project, wrapped or not, with what is known of the arguments."""
    if isinstance(function, (Lib, ClassValue, Method)):
        place = args[0][0] if args else next((where for where, _ in keywords.values()), None)
        return call(run, place, function, list(args), keywords) if place is not None else OPAQUE
    run.ops.calls.append([*args, *keywords.values()])
    try:
        return _apply(run, function, [v for _, v in args], {k: v for k, (_, v) in keywords.items()})
    finally:
        run.ops.calls.pop()


def _apply(run: Runner, function: Value, args: list[Value], keywords: dict[str, Value]) -> Value:
    if isinstance(function, Fn):
        return run.call_function(function, args, keywords)[0]
    if isinstance(function, Part):
        return _apply(run, function.target, [*function.args, *args], {**dict(function.keywords), **keywords})
    if not isinstance(function, Wrapped):
        found = [leaf for value in [*args, *keywords.values()] for leaf in leaves(value) if leaf.host]
        return replace(found[0], known=False, ndim=None) if found else UNSURE
    kind, inner = function.kind, function.function
    if kind in table.COMPUTE_ON:
        return _computed_on(run, function, args, keywords)
    if kind in table.COMPILERS:
        if run.outside is not None and run.ops.on_host:
            return UNSURE  # traced as part of a region that runs on the host
        run.entered.append((function, list(args), dict(keywords)))
        if run.outside is not None:
            return run.outside(function, args, keywords)
        result = _apply(run, inner, args, keywords)
        return result if function.option("inline") == Const(True) else run.ops.behind(result)
    result = _apply(run, inner, args, keywords)
    if kind in table.BOUNDARIES:
        return run.ops.behind(result)
    if kind == "jax.value_and_grad":
        return Tup((result, _gradient(function, args)))
    if kind == "jax.grad":
        return _gradient(function, args)
    return result


def on_host(value: Value) -> bool:
    """Is it `compute_on` of a type that runs on the host, or may be one?"""
    if isinstance(value, Part):
        kind, target = dict(value.keywords).get("compute_type"), value.target
        known = isinstance(target, Lib) and target.name in table.COMPUTE_ON
    else:
        known = isinstance(value, Wrapped) and value.kind in table.COMPUTE_ON
        kind = value.option("compute_type") if isinstance(value, Wrapped) else None
    return known and not (isinstance(kind, Const) and kind.value in table.COMPUTE_DEVICE)


def _computed_on(run: Runner, function: Wrapped, args: list[Value], keywords: dict[str, Value]) -> Value:
    with run.ops.region(on_host(function)):
        result = run.ops.behind(_apply(run, function.function, args, keywords))
    where = function.option("out_memory_spaces")
    return result if where is None else _spread(run, function.place, result, where)


def _spread(run: Runner, place: Place, value: Value, where: Value) -> Value:
    """Results moved to a memory space, or to a tree of them."""
    if isinstance(where, (Shard, Const)):
        return _put(run, place, value, where)
    same = isinstance(where, Tup) and isinstance(value, Tup) and len(where.items) == len(value.items)
    if same and isinstance(where, Tup) and isinstance(value, Tup):
        pairs = zip(value.items, where.items, strict=True)
        return Tup(tuple(_spread(run, place, item, one) for item, one in pairs), value.kind)
    return transform(value, lambda leaf: replace(UNSURE, ndim=leaf.ndim))


def _gradient(function: Wrapped, args: list[Value]) -> Value:
    """A gradient has the form of the argument; it is computed where the computation is."""
    numbers = function.option("argnums")
    chosen = [n.value for n in elements(numbers) or [] if isinstance(n, Const)] if numbers else [0]
    if isinstance(numbers, Const):
        chosen = [numbers.value]
    parts = [args[n] if isinstance(n, int) and n < len(args) else UNSURE for n in chosen]
    grads = [transform(part, lambda leaf: replace(UNSURE, ndim=leaf.ndim)) for part in parts]
    if isinstance(numbers, Tup):
        return Tup(tuple(grads))
    return grads[0] if grads else UNSURE


def _wrap(kind: str, place: Place, args: list[Operand], keywords: Keywords) -> Value:
    """A wrapper called: with its function, or with options, to be called with the function."""
    options = tuple((name, value) for name, (_, value) in keywords.items())
    function = args[0][1] if args else next((v for k, (_, v) in keywords.items() if k in ("f", "fun")), None)
    if function is None:
        return Part(Lib(kind), (), options, place)
    if isinstance(function, (Fn, Wrapped, Part, Lib, Method, Opaque)):
        return Wrapped(kind, function, place, options)
    return OPAQUE


_WRAPPERS = (
    table.COMPILERS
    | table.BOUNDARIES
    | table.INLINED
    | frozenset({"jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.hessian"})
)


def _library(run: Runner, place: Place, name: str, args: list[Operand], keywords: Keywords) -> Value:
    if name == "functools.partial" and args:
        options = tuple((key, value) for key, (_, value) in keywords.items())
        return Part(args[0][1], tuple(v for _, v in args[1:]), options, place)
    if name in table.COMPUTE_ON and not ("compute_type" in keywords and args):
        given = {**dict(zip(("compute_type",), args, strict=False)), **keywords}
        return Part(Lib(name), (), tuple((key, value) for key, (_, value) in given.items()), place)
    if name in _WRAPPERS | table.COMPUTE_ON:
        wrapped = _wrap(name, place, args, keywords)
        if name in table.COMPILERS and isinstance(wrapped, Wrapped):
            run.note(wrapped)
        return wrapped
    if name == table.FUSED:
        return Lib(name) if not args else OPAQUE
    if name in table.DEVICE_PUT and args:
        where = args[1] if len(args) > 1 else keywords.get("device")
        return _put(run, place, args[0][1], where[1] if where is not None else None)
    if name in torch_xla.TO_HOST | torch_xla.TO_DEVICE and args:
        kind = "pinned_host" if name in torch_xla.TO_HOST else "device"
        return run.ops.move(place, args[0][1], Shard(kind, place))
    head, _, last = name.rpartition(".")
    if head.startswith("jax.") and (last in table.SHARDINGS or last in table.TRANSFERS):
        return _sharding(last, place, args, keywords)
    if name == "jax.ShapeDtypeStruct":
        return _spec(args, keywords)
    if head == "builtins":
        return memory_objects.builtin(run, place, last, args, keywords)
    of_trees = head.rpartition(".")[2] == "tree"  # `jax.tree.map` is `jax.tree_util.tree_map`
    if name.startswith(_JAX):
        control = memory_control.handle(f"tree_{last}" if of_trees else last, run, place, args, keywords)
        if control is not None:
            return control
    if last in table.STATIC or name.endswith("()"):
        return OPAQUE
    operands = [*args, *keywords.values()]
    if name.startswith("dataclasses.replace") and args and isinstance(args[0][1], Rec):
        return memory_objects.replace_fields(args[0][1], {k: v for k, (_, v) in keywords.items()})
    if head.startswith("jax.random"):
        shape = args[1] if len(args) > 1 else keywords.get("shape")
        return replace(DEVICE, ndim=memory_ops.rank_of(shape[1]) if shape is not None else None)
    if name.startswith(_JAX):
        axes = {"axis", "axes"} & keywords.keys()
        whole = last == "vdot" or (not axes and len([1 for _, v in args if not isinstance(v, Fn)]) < 2)
        return run.ops.library(place, last, operands if last not in ("norm",) else operands[:1], whole)
    tensors = all(isinstance(v, (Leaf, Tup, Seq, Const)) for _, v in operands)
    if head in torch_xla.OPERATIONS and tensors and not last.endswith(torch_xla.FRESH):
        return run.ops.library(place, last, operands, whole=False)
    return memory_ops.unknown(operands, run.ops, place, last)


def _put(run: Runner, place: Place, value: Value, where: Value | None) -> Value:
    if where is None or isinstance(where, Const):
        return value
    if isinstance(where, Shard):
        return run.ops.move(place, value, where)
    if isinstance(where, Rec) and where.rest is not None and isinstance(value, Leaf):
        rest = _put(run, place, value, where.rest)
        return Rec(None, tuple((key, _put(run, place, value, one)) for key, one in where.items), rest)
    if isinstance(where, (Tup, Map, Rec)) and not isinstance(value, Leaf):
        if isinstance(value, (Map, Rec)) and isinstance(where, (Map, Rec)):
            done = tuple((key, _put(run, place, v, child(where, key) or OPAQUE)) for key, v in value.items)
            if isinstance(value, Rec) and value.rest is not None:
                return replace(value, items=done, rest=_put(run, place, value.rest, OPAQUE))
            return replace(value, items=done)
        if isinstance(value, Tup) and isinstance(where, Tup) and len(value.items) == len(where.items):
            pairs = zip(value.items, where.items, strict=True)
            return Tup(tuple(_put(run, place, v, w) for v, w in pairs), value.kind)
    if isinstance(where, Lib):  # a device: not a move
        return value
    return transform(value, lambda leaf: replace(UNSURE, ndim=leaf.ndim))


def _sharding(name: str, place: Place, args: list[Operand], keywords: Keywords) -> Value:
    given = keywords.get("memory_kind")
    if name in table.TRANSFERS and args:
        given = args[0]
    kind = given[1] if given is not None else Const(None)
    if isinstance(kind, Const) and (kind.value is None or isinstance(kind.value, str)):
        return Shard(kind.value or "device", place, _empty(args) or name in table.TRANSFERS)
    return OPAQUE  # which memory, is not known


def _empty(args: list[Operand]) -> bool:
    """Is the partition spec of a `NamedSharding` written as `P()`?"""
    spec = args[1][0].node if len(args) > 1 else None
    return isinstance(spec, tree.Call) and not spec.args and not spec.keywords


def _spec(args: list[Operand], keywords: Keywords) -> Value:
    """`jax.ShapeDtypeStruct`: an argument that is only described."""
    shape = args[0] if args else keywords.get("shape")
    ndim = None
    if shape is not None:
        items = elements(shape[1])
        ndim = None if items is None else min(len(items), 1)
    where = keywords.get("sharding", args[2] if len(args) > 2 else None)
    return placed(replace(UNSURE, ndim=ndim, known=where is not None), where[1] if where else OPAQUE)


def placed(leaf: Leaf, where: Value, declared: bool = False) -> Value:
    """An array that lives where a sharding says. declared: by `in_shardings`."""
    if not isinstance(where, Shard) or where.kind not in table.HOST_KINDS:
        return replace(leaf, known=leaf.known or isinstance(where, Shard))
    source = Source("param", where.made, "", where, declared)
    pinned = where.kind == "pinned_host"
    return Leaf(True, True, pinned, leaf.ndim, partly=where.partly, sources=frozenset({source}))
