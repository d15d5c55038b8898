"""What one operation does with where its operands live: the rules of JAX and of XLA's host offloader.

XLA follows a value on the host through every operation until a move to the device; JAX has to declare
each output that is still on the host. Up to 0.7.0 it only knows of moves at the top level; from 0.7.1 on
the type of an array carries the memory space, but 0-d operands do not count, and `unpinned_host` does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from codemods.analysis.memory_values import (
    DEVICE,
    OPAQUE,
    UNSURE,
    Const,
    Leaf,
    Map,
    Opaque,
    Place,
    Rec,
    Seq,
    Shard,
    Source,
    Tup,
    Use,
    Value,
    child,
    element,
    elements,
    leaves,
    transform,
)
from codemods.knowledge import jax_memory as table

Operand = tuple[Place, Value]


@dataclass(frozen=True)
class Mixed:
    """An operation that gets arrays of both memories: JAX refuses to trace it (from 0.7.1 on).

    sources: of the operand on the host. uses: where it goes into the operation. on_host: it is meant to be
    computed there.
    """

    place: Place
    sources: frozenset[Source]
    uses: frozenset[Use]
    on_host: bool = False


@dataclass
class Operations:
    """Operations under the rules of one JAX. typed: the memory space is part of the type.

    calls: the arguments of the calls that are being followed, outermost first. on_host: inside of a region
    that runs on the host.
    """

    typed: bool
    calls: list[list[Operand]] = field(default_factory=list)
    mixed: dict[Place, Mixed] = field(default_factory=dict)
    on_host: bool = False

    @contextmanager
    def region(self, on_host: bool) -> Iterator[None]:
        """What is done in the block, is done on the host, if `on_host`."""
        before, self.on_host = self.on_host, self.on_host or on_host
        try:
            yield
        finally:
            self.on_host = before

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What mixes both memories in the block, is not noted."""
        before = dict(self.mixed)
        try:
            yield
        finally:
            self.mixed = before

    def move(self, place: Place, value: Value, shard: Shard | None) -> Value:
        """`device_put` of every array; without a sharding nothing moves."""
        if shard is None:
            return value
        if shard.kind not in table.HOST_KINDS:
            return transform(value, lambda leaf: Leaf(ndim=leaf.ndim, reduced=leaf.reduced))
        pinned = shard.kind == "pinned_host"

        def moved(leaf: Leaf) -> Leaf:
            followed = leaf.host and not leaf.ended
            sources = leaf.sources if followed else frozenset({Source("move", place, "", shard)})
            typed = pinned or not self.typed
            return Leaf(
                True,
                typed,
                pinned,
                leaf.ndim,
                direct=not followed,
                partly=shard.partly,
                ended=self.on_host,
                sources=sources,
            )

        return transform(value, moved)

    def behind(self, value: Value) -> Value:
        """What a function gives that is one operation for the jit round it."""
        if self.typed:
            return value
        return transform(value, lambda leaf: replace(leaf, typed=False) if leaf.host else leaf)

    def use(self, place: Place, leaf: Leaf, label: str) -> frozenset[Use]:
        """Where a value on the host is first computed with: kept, or this operand."""
        if leaf.uses:
            return leaf.uses
        frames = []
        for arguments in self.calls:
            at = next((where for where, value in arguments if leaf in leaves(value)), None)
            # nothing else may be moved along with it
            if at is not None and all(other.host for w, v in arguments if w == at for other in leaves(v)):
                frames.append(at)
        return frozenset({Use((*frames, place), label)})

    def compute(
        self, place: Place, operands: Sequence[Operand], label: str, ndim: int | None = None
    ) -> Value:
        """An operation element by element, or of any other kind, on all the arrays of its operands.

        ndim: that of the result; None is the largest of the operands.
        """
        found = [(where, leaf) for where, value in operands for leaf in leaves(value)]
        ranks = [leaf.ndim for _, leaf in found]
        if ndim is None:
            ndim = 1 if 1 in ranks else None if None in ranks else 0
        host = [(where, leaf) for where, leaf in found if leaf.host]
        if not host:
            known = all(leaf.known for _, leaf in found)
            return Leaf(ndim=ndim, known=known, reduced=any(leaf.reduced for _, leaf in found))
        self._check(place, found, label)
        sources: frozenset[Source] = frozenset().union(*(leaf.sources for _, leaf in host))
        uses: frozenset[Use] = frozenset().union(*(self.use(where, leaf, label) for where, leaf in host))
        return Leaf(
            host=True,
            typed=self._is_typed(found),
            pinned=all(leaf.pinned for _, leaf in host),
            ndim=ndim,
            reduced=any(leaf.reduced for _, leaf in host),
            rank=any(leaf.rank for _, leaf in host) or label in table.RANK_CHANGES,
            plain=label in table.CASTS and all(leaf.plain for _, leaf in host),
            partly=any(leaf.partly for _, leaf in host),
            ended=self.on_host or all(leaf.ended for _, leaf in host),
            known=not self.typed or all(leaf.known or leaf.ndim == 0 for _, leaf in found),
            sources=sources,
            uses=uses,
        )

    def _is_typed(self, found: Sequence[tuple[Place, Leaf]]) -> bool:
        if not self.typed:
            return False
        arrays = [leaf for _, leaf in found if leaf.ndim != 0]
        return any(leaf.host and leaf.typed for leaf in arrays)

    def _check(self, place: Place, found: Sequence[tuple[Place, Leaf]], label: str) -> None:
        if not self.typed or label in table.UNCHECKED:
            return
        on_host = [(w, leaf) for w, leaf in found if leaf.host and leaf.typed and leaf.ndim != 0]
        on_device = [leaf for _, leaf in found if not leaf.host and leaf.known and leaf.ndim == 1]
        if on_host and on_device and any(leaf.ndim == 1 for _, leaf in on_host):
            sources: frozenset[Source] = frozenset().union(*(leaf.sources for _, leaf in on_host))
            uses: frozenset[Use] = frozenset().union(*(self.use(w, leaf, label) for w, leaf in on_host))
            self.mixed.setdefault(place, Mixed(place, sources, uses, self.on_host))

    def library(self, place: Place, name: str, operands: Sequence[Operand], whole: bool) -> Value:
        """An operation of JAX by the last part of its name. whole: a reduction has no axis to keep."""
        if name in table.CREATES:
            return replace(DEVICE, ndim=rank_of(operands[0][1], name) if operands else None)
        first = operands[0][1] if operands else DEVICE
        if name in table.STOPS:
            return self.viewed(operands[0][0], first, name) if isinstance(first, Leaf) else first
        if name in table.SAME and name != "astype":
            return first
        if name in table.RELOCATES and isinstance(first, Leaf):
            return self.viewed(operands[0][0], first, name)
        if name in table.SLICES and isinstance(first, Leaf) and first.host:
            return self._slice(operands[0][0], first, name)
        if name in table.UPDATES and isinstance(first, Leaf) and first.host:
            self._check(place, [(w, leaf) for w, v in operands[:2] for leaf in leaves(v)], name)
            changed = self.viewed(operands[0][0], first, name)
            return replace(changed, direct=False, plain=False, uses=first.uses)
        if name in table.REDUCTIONS or name in table.COMPOSED_REDUCTIONS:
            return self._reduce(place, name, operands, whole)
        if name in table.BROADCASTS:
            operands = [(w, _broadcast(v)) for w, v in operands]
        if name in table.MIXES:
            operands = [(where, transform(v, _array)) for where, v in operands]
            return transform(self.compute(place, operands, name), lambda leaf: replace(leaf, ndim=None))
        return self.compute(place, operands, name)

    def viewed(self, place: Place, leaf: Leaf, name: str) -> Leaf:
        """The same bytes under another shape."""
        if not leaf.host:
            return replace(leaf, ndim=None if name in table.RANK_CHANGES else leaf.ndim)
        typed = leaf.typed and self.typed
        rank = leaf.rank or name in table.RANK_CHANGES
        ended = leaf.ended or self.on_host
        return replace(leaf, typed=typed, uses=self.use(place, leaf, name), rank=rank, ended=ended)

    def _slice(self, place: Place, leaf: Leaf, name: str) -> Leaf:
        typed = leaf.typed and self.typed
        uses = self.use(place, leaf, name)
        ended = leaf.ended or self.on_host
        return replace(leaf, typed=typed, direct=False, sliced=True, uses=uses, ndim=None, ended=ended)

    def _reduce(self, place: Place, name: str, operands: Sequence[Operand], whole: bool) -> Value:
        masked = not whole and name in table.MASKED_REDUCTIONS
        if masked or name in table.INDEX_REDUCTIONS:  # they select from an array that they make
            operands = [*operands, (place, DEVICE_ARRAY)]
        result = self.compute(place, operands, name, 0 if whole else None)
        if not isinstance(result, Leaf):
            return result
        result = replace(result, reduced=True, rank=True)
        if whole and result.host and self.typed and name in table.COMPOSED_REDUCTIONS:
            return replace(result, typed=False)
        return result


DEVICE_ARRAY = Leaf(ndim=1)


def _array(leaf: Leaf) -> Leaf:
    return replace(leaf, ndim=1) if leaf.ndim is None else leaf


def _broadcast(value: Value) -> Value:
    return replace(value, ndim=1) if isinstance(value, Leaf) and value.known else DEVICE_ARRAY


def rank_of(shape: Value, name: str = "") -> int | None:
    """How many dimensions something new has (0, or at least 1), by its shape or what it is like."""
    if name.endswith("_like"):
        return shape.ndim if isinstance(shape, Leaf) else None
    if name in table.LINES:
        return 1
    items = elements(shape)
    if items is None:
        return 1 if isinstance(shape, Const) and isinstance(shape.value, int) else None
    return min(len(items), 1)


def unknown(operands: Sequence[Operand], operations: Operations, place: Place, label: str) -> Value:
    """A call that is not understood: its result may hold what its arguments hold."""
    found = [leaf for _, value in operands for leaf in leaves(value)]
    if not any(leaf.host for leaf in found):
        return UNSURE
    with operations.aside():  # it may move them itself
        result = operations.compute(place, operands, label)
    return transform(result, lambda leaf: replace(leaf, known=False, ndim=None))


def mapped(function: Callable[[list[Value]], Value], trees: Sequence[Value]) -> Value:
    """`tree_map`: the function on the arrays at each place of the first tree."""
    first = trees[0]
    if isinstance(first, Tup):
        items = [
            mapped(function, [item, *(_part(tree, index) for tree in trees[1:])])
            for index, item in enumerate(first.items)
        ]
        return Tup(tuple(items), first.kind)
    if isinstance(first, (Map, Rec)):
        pairs = tuple(
            (key, mapped(function, [item, *(_part(tree, key) for tree in trees[1:])]))
            for key, item in first.items
        )
        if isinstance(first, Rec) and first.rest is not None:
            rest = mapped(function, [first.rest, *(_part(tree, "*") for tree in trees[1:])])
            return replace(first, items=pairs, rest=rest)
        return replace(first, items=pairs)
    if isinstance(first, Seq):
        inner = mapped(function, [first.element, *(_part(tree, "*") for tree in trees[1:])])
        return Seq(inner, first.keyed)
    if isinstance(first, (Opaque, Shard)):  # a tree of shardings may be one, or is not known
        result = function(list(trees))
        return result if isinstance(result, Shard) else first if isinstance(first, Opaque) else OPAQUE
    return function(list(trees)) if isinstance(first, Leaf) else first


def _part(tree: Value, key: object) -> Value:
    if isinstance(tree, (Leaf, Shard)):
        return tree
    if isinstance(tree, Rec) and key == "*":
        return tree.rest if tree.rest is not None else UNSURE
    found = child(tree, key)
    return element(tree) if found is None else found


__all__ = ["Mixed", "Operand", "Operations", "mapped", "unknown"]
