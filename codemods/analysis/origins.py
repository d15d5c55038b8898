"""Where random generators come from: the call that makes one is part of its value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from codemods.analysis import library
from codemods.analysis.values import (
    UNKNOWN,
    Api,
    ApiObject,
    Const,
    ListValue,
    Origin,
    Static,
    TupleValue,
    Values,
)
from codemods.knowledge import generators
from codemods.model import Span


def located(
    made: Values, callee: Values, span: Span, args: Sequence[Values], keywords: Mapping[str, Values]
) -> Values:
    """What a call gives, where it makes a generator: with the place of the call, and its seed."""
    names = {library.without_v1(v.name) for v in callee if isinstance(v, Api)}
    if not names & generators.MAKERS:
        return made
    seed = keywords.get("seed", args[0] if args else UNKNOWN) if generators.SEEDED in names else UNKNOWN
    origin = Origin(span.path, span.start, span.end, seed)
    return frozenset(
        replace(v, origin=origin) if isinstance(v, ApiObject) and v.origin is None else v for v in made
    )


def states(seed: Values) -> list[tuple[int, int, int]] | None:
    """The states that `from_seed` makes of what a seed may be; None where it is not all numbers."""
    found = []
    for value in seed:
        if isinstance(value, Const) and isinstance(value.value, int):
            found.append(generators.state(int(value.value)))
            continue
        items = value.items if isinstance(value, TupleValue) else getattr(value, "exact", None)
        if not isinstance(value, (TupleValue, ListValue)) or not items:
            return None
        words = [next(iter(item)) if len(item) == 1 else None for item in items]
        numbers = [w.value for w in words if isinstance(w, Const) and isinstance(w.value, int)]
        if len(numbers) < len(items):
            return None
        found.append(generators.state(tuple(numbers)))
    return sorted(found) or None


def is_plain(seed: Values) -> bool:
    """Is a seed certainly a Python int, which becomes the counter of the stream?"""
    return bool(seed) and all(
        (isinstance(v, Const) and isinstance(v.value, int)) or v == Static("int") for v in seed
    )
