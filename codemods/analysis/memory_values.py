"""Where the arrays of a JAX program live: abstract values over pytrees, and how they join.

A `Leaf` is an array, or a pytree whose structure is not known and whose arrays are all alike. The
other values are what Python sees when JAX traces a function: containers, functions, shardings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.knowledge import jax_memory as table

if TYPE_CHECKING:
    from codemods.analysis.memory_frame import Frame


@dataclass(frozen=True)
class Place:
    """An expression of a module."""

    module: Module
    node: Node


@dataclass(frozen=True)
class Shard:
    """A sharding or memory space: its kind ("device" where none is said), and how it is written.

    made: the expression that makes it. empty: its partition spec is known to name no axis. partly: it may
    also be one of the device (a setting decides).
    """

    kind: str
    made: Place
    empty: bool = False
    partly: bool = False


@dataclass(frozen=True)
class Source:
    """Why a value is on the host: a move in compiled code, or an argument that is placed there.

    place: the `device_put`, or where the argument is placed. name: of a parameter. shard: where it is.
    declared: `in_shardings` says so, whatever the callers pass.
    """

    kind: str  # move | param
    place: Place
    name: str
    shard: Shard
    declared: bool = False


@dataclass(frozen=True)
class Use:
    """The first operation on a value on the host: the operand, behind the arguments that carry it there."""

    frames: tuple[Place, ...]
    label: str


@dataclass(frozen=True)
class Leaf:
    """An array. host: XLA has it in host memory. typed: JAX says so to XLA, too.

    ndim: 0, 1 (at least one) or None (not known). direct: nothing but views since the move.
    sliced: only slices since then. reduced: a reduction stands on the way. plain: only views and casts do.
    known: False where the place is not known. uses: the first operations on it, empty while there is none.
    rank: its rank changed. partly: the value may also be on the device. branched: every branch of a
    conditional moved it, and nothing has been done with it since. ended: computed in a region that runs on
    the host (`compute_on`), where XLA stops following it: it is on the host for JAX alone.
    """

    host: bool = False
    typed: bool = False
    pinned: bool = True
    ndim: int | None = None
    direct: bool = False
    sliced: bool = False
    reduced: bool = False
    rank: bool = False
    plain: bool = True
    partly: bool = False
    branched: bool = False
    ended: bool = False
    known: bool = True
    sources: frozenset[Source] = frozenset()
    uses: frozenset[Use] = frozenset()

    @property
    def statistic(self) -> bool:
        """Is it a single number that sums something up, which nobody places anywhere?"""
        return self.reduced and self.ndim == 0


@dataclass(frozen=True)
class Tup:
    """A tuple or list of known length."""

    items: tuple[Value, ...]
    kind: str = "tuple"


@dataclass(frozen=True)
class Map:
    """A dict with the keys that are known."""

    items: tuple[tuple[object, Value], ...]

    def get(self, key: object) -> Value | None:
        return next((value for name, value in self.items if name == key), None)


@dataclass(frozen=True)
class Rec:
    """An object of a dataclass or NamedTuple of the project, by its fields.

    Without a class it is some pytree in which only these fields are known: what `replace` changed. rest: the
    tree that they were changed in.
    """

    scope: Scope | None
    items: tuple[tuple[object, Value], ...]
    rest: Value | None = None

    def get(self, key: object) -> Value | None:
        found = next((value for name, value in self.items if name == key), None)
        return found if found is not None or self.rest is None else child(self.rest, key)


@dataclass(frozen=True)
class Seq:
    """A collection of unknown length; of a dict, its values (`keyed`)."""

    element: Value
    keyed: bool = False


@dataclass(frozen=True)
class Const:
    value: object


@dataclass(frozen=True)
class Lib:
    """Something of a library by its canonical dotted name."""

    name: str


@dataclass(frozen=True, eq=False)
class Fn:
    """A function of the project and the frame that it closes over; bound: its first argument."""

    scope: Scope
    frame: Frame | None
    bound: Value | None = None


@dataclass(frozen=True)
class ClassValue:
    scope: Scope


@dataclass(frozen=True)
class Part:
    """`functools.partial`, or a wrapper that waits for its function."""

    target: Value
    args: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]
    place: Place | None = None


@dataclass(frozen=True)
class Wrapped:
    """What a JAX wrapper makes of a function. kind: its library name; place: the call or decorator."""

    kind: str
    function: Value
    place: Place
    options: tuple[tuple[str, Value], ...] = ()

    def option(self, name: str) -> Value | None:
        return next((value for key, value in self.options if key == name), None)


@dataclass(frozen=True)
class Method:
    """A method of a value that is no object of the project."""

    value: Value
    name: str
    place: Place


@dataclass(frozen=True)
class Opaque:
    """Not understood, or nothing that holds arrays."""


Value: TypeAlias = (
    Leaf | Tup | Map | Rec | Seq | Const | Lib | Fn | ClassValue | Part | Wrapped | Method | Shard | Opaque
)
OPAQUE = Opaque()
DEVICE = Leaf()
UNSURE = Leaf(known=False)


def bound(value: Value) -> Value:
    """A method after its decorators, taken from an object."""
    if isinstance(value, Wrapped):
        return replace(value, function=bound(value.function))
    return Fn(value.scope, value.frame, OPAQUE) if isinstance(value, Fn) else value


def leaves(value: Value) -> Iterator[Leaf]:
    """The arrays in a value."""
    for _, leaf in paths(value):
        yield leaf


def paths(value: Value, prefix: tuple[object, ...] = ()) -> Iterator[tuple[tuple[object, ...], Leaf]]:
    """(path, array) for the arrays in a value; "*" stands for any element."""
    if isinstance(value, Leaf):
        yield prefix, value
    elif isinstance(value, Tup):
        for index, item in enumerate(value.items):
            yield from paths(item, (*prefix, index))
    elif isinstance(value, (Map, Rec)):
        for key, item in value.items:
            yield from paths(item, (*prefix, key))
        if isinstance(value, Rec) and value.rest is not None:
            yield from paths(value.rest, (*prefix, "*"))
    elif isinstance(value, Seq):
        yield from paths(value.element, (*prefix, "*"))


def is_array_tree(value: Value) -> bool:
    """Is every part of a pytree an array that is followed here (or nothing)?"""
    if isinstance(value, Tup):
        return all(is_array_tree(item) for item in value.items)
    if isinstance(value, (Map, Rec)):
        rest = value.rest if isinstance(value, Rec) else None
        return all(is_array_tree(item) for _, item in value.items) and (rest is None or is_array_tree(rest))
    if isinstance(value, Seq):
        return is_array_tree(value.element)
    return isinstance(value, Leaf) or value == Const(None)


def transform(value: Value, change: Callable[[Leaf], Value]) -> Value:
    """The same structure with other arrays."""
    if isinstance(value, Leaf):
        return change(value)
    if isinstance(value, Tup):
        return Tup(tuple(transform(item, change) for item in value.items), value.kind)
    if isinstance(value, Map):
        return Map(tuple((key, transform(item, change)) for key, item in value.items))
    if isinstance(value, Rec):
        rest = None if value.rest is None else transform(value.rest, change)
        return Rec(value.scope, tuple((key, transform(item, change)) for key, item in value.items), rest)
    if isinstance(value, Seq):
        return Seq(transform(value.element, change), value.keyed)
    return value


def with_paths(
    value: Value, change: Callable[[tuple[object, ...], Leaf], Leaf], path: tuple[object, ...] = ()
) -> Value:
    """The same structure with other arrays, by where they stand in it."""
    if isinstance(value, Leaf):
        return change(path, value)
    if isinstance(value, Tup):
        items = tuple(with_paths(item, change, (*path, i)) for i, item in enumerate(value.items))
        return Tup(items, value.kind)
    if isinstance(value, (Map, Rec)):
        pairs = tuple((key, with_paths(item, change, (*path, key))) for key, item in value.items)
        if isinstance(value, Rec) and value.rest is not None:
            return Rec(value.scope, pairs, with_paths(value.rest, change, (*path, "*")))
        return replace(value, items=pairs)
    if isinstance(value, Seq):
        return Seq(with_paths(value.element, change, (*path, "*")), value.keyed)
    return value


def join(first: Value, second: Value) -> Value:
    """What is one or the other."""
    if first == second:
        return first
    if isinstance(first, Leaf) and isinstance(second, Leaf):
        return _join_leaves(first, second)
    if isinstance(first, Tup) and isinstance(second, Tup) and len(first.items) == len(second.items):
        return Tup(tuple(join(a, b) for a, b in zip(first.items, second.items, strict=True)), first.kind)
    if isinstance(first, Tup) and isinstance(second, Tup) and "list" in (first.kind, second.kind):
        return Seq(join_all([*first.items, *second.items]))  # it grows in a loop
    if isinstance(first, (Map, Rec)) and type(first) is type(second):
        return _join_keyed(first, second)
    if isinstance(first, Seq) and isinstance(second, Seq):
        return Seq(join(first.element, second.element), first.keyed)
    if isinstance(first, Shard) and isinstance(second, Shard):
        return _join_shards(first, second)
    for one, other in ((first, second), (second, first)):
        if isinstance(one, (Shard, Opaque, Leaf)) and isinstance(other, Rec) and other.rest is not None:
            items = tuple((key, join(one, item)) for key, item in other.items)
            return Rec(other.scope, items, join(one, other.rest))
        vague = isinstance(one, Opaque) or one == UNSURE
        if vague and isinstance(other, Shard) and other.kind in table.HOST_KINDS:
            return replace(other, partly=True)
        if isinstance(one, (Const, Opaque)) and next(leaves(other), None) is not None:
            return other
        if isinstance(one, Seq) and isinstance(other, Tup):
            return Seq(join_all([one.element, *other.items]), one.keyed)
    flat = [*leaves(first), *leaves(second)]
    return join_all(list(flat)) if flat else OPAQUE


def _join_shards(first: Shard, second: Shard) -> Value:
    """The one on the host, which is not sure, where the other is not."""
    on_host = [one for one in (first, second) if one.kind in table.HOST_KINDS]
    if len(on_host) == 2:
        return replace(first, partly=first.partly or second.partly) if first.kind == second.kind else OPAQUE
    return replace(on_host[0], partly=True) if on_host else replace(first, empty=first.empty and second.empty)


def _join_keyed(first: Map | Rec, second: Value) -> Value:
    assert isinstance(second, (Map, Rec))
    merged: dict[object, Value] = dict(first.items)
    for key, value in second.items:
        old = first.get(key)
        merged[key] = join(old, value) if old is not None else value
    if not isinstance(first, Rec) or not isinstance(second, Rec):
        return Map(tuple(merged.items()))
    for key in dict(first.items):
        other = second.get(key)
        merged[key] = join(merged[key], other) if other is not None else merged[key]
    rests = [rest for rest in (first.rest, second.rest) if rest is not None]
    return Rec(first.scope, tuple(merged.items()), join_all(rests) if rests else None)


def _join_leaves(first: Leaf, second: Leaf) -> Leaf:
    if first.host != second.host:
        one, other = (first, second) if first.host else (second, first)
        if one.partly:  # a setting places it, and one decides whether it is moved: perhaps the same
            return Leaf(known=False, ndim=one.ndim if one.ndim == other.ndim else None)
        ndim = one.ndim if one.ndim == other.ndim else None
        return replace(one, direct=False, sliced=False, branched=False, partly=True, ndim=ndim)
    return Leaf(
        host=first.host,
        typed=first.typed and second.typed,
        pinned=first.pinned and second.pinned,
        ndim=first.ndim if first.ndim == second.ndim else None,
        direct=first.direct and second.direct,
        sliced=first.sliced and second.sliced,
        reduced=first.reduced or second.reduced,
        rank=first.rank or second.rank,
        plain=first.plain and second.plain,
        partly=first.partly or second.partly,
        branched=first.branched and second.branched,
        ended=first.ended or second.ended,  # what a loop starts with, is not what it ends with
        known=first.known and second.known,
        sources=first.sources | second.sources,
        uses=first.uses | second.uses,
    )


def join_all(values: list[Value]) -> Value:
    """The join of any number of values."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return OPAQUE if result is None else result


def elements(value: Value) -> list[Value] | None:
    """The items of a collection of known length."""
    if isinstance(value, Tup):
        return list(value.items)
    if isinstance(value, Map):
        return [Const(key) for key, _ in value.items]
    if isinstance(value, Rec):
        return [item for _, item in value.items]
    return None


def element(value: Value) -> Value:
    """Any item of a collection, as iteration gives it."""
    known = elements(value)
    if known is not None:
        return join_all(known)
    if isinstance(value, Seq):
        return OPAQUE if value.keyed else value.element
    if isinstance(value, Leaf):
        return replace(value, direct=False, ndim=None)
    return OPAQUE


def child(value: Value, key: object) -> Value | None:
    """The part of a pytree under a key or field; None where the value is no container with it."""
    if isinstance(value, (Map, Rec)):
        found = value.get(key)
        if found is None and isinstance(value, Rec) and isinstance(key, int) and key < len(value.items):
            return value.items[key][1]
        return found
    if isinstance(value, Tup) and isinstance(key, int) and -len(value.items) <= key < len(value.items):
        return value.items[key]
    if isinstance(value, Seq):
        return value.element
    if isinstance(value, Leaf) and isinstance(key, str):
        return value
    return None


def with_items(value: Map, changes: Mapping[object, Value]) -> Map:
    """The dict with other or further entries."""
    return Map(tuple({**dict(value.items), **changes}.items()))
