"""Judge programs that draw random numbers: which do not repeat the values of a run without XLA, and must not.

Running twice shows nothing: XLA repeats itself, and ignores the seed. What shows it is another seed, which
must give other numbers, and other functions compiled before, which must not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from harness_compiler import Compiler, Mode, Outcome, Program

CALLS = 150
FEW = 4
MOST = 0.27  # Kolmogorov-Smirnov distance of two samples of CALLS: by chance once in 28,000 comparisons
STATISTICS: dict[str, Callable[[Any], Any]] = {
    "mean": np.mean, "spread": np.std, "least": np.min, "greatest": np.max,
}  # fmt: skip


def judge(
    compiler: Compiler, program: Program, reseeded: Program | None, reference: Program, mode: Mode = "graph"
) -> tuple[str, str]:
    """("runs" | "wrong" | "error" | "abort" | "timeout", why) of a program under XLA.

    reseeded: the program with another seed. reference: what it is measured by, in a mode without XLA.
    """
    got = compiler.run(program, "jit", calls=CALLS)
    if got.kind != "ok":
        return got.kind, got.detail
    want = compiler.run(reference, mode, calls=CALLS)
    assert want.kind == "ok", f"no reference: {want.detail}"
    text = difference(got, want) or unfaithful(compiler, program, reseeded, got)
    return ("wrong", text) if text else ("runs", "follows the seed")


def unfaithful(
    compiler: Compiler, program: Program, reseeded: Program | None, got: Outcome, every: bool = True
) -> str:
    """Why the numbers do not follow the seed; "" if they do. every: must each output follow it?"""
    again = compiler.run(program, "jit", calls=FEW, others_first=True)
    if again.kind != "ok":
        return f"with other functions compiled first: {again.detail}"
    if not _same(got, again):
        return "other numbers where other functions were compiled first"
    if reseeded is not None:
        other = compiler.run(reseeded, "jit", calls=FEW)
        if other.kind != "ok":
            return f"with another seed: {other.detail}"
        for index in range(len(got.values[0]) if every else 0):
            results = [one[index].tobytes() for one in got.values[:FEW]]
            others = [one[index].tobytes() for one in other.values[:FEW]]
            if len(set(results)) > 1 and results == others:
                return f"output {index}: the seed changes nothing"
        if _same(got, other):
            return "the seed changes nothing"
    return ""


def _same(got: Outcome, few: Outcome) -> bool:
    """Are the first calls of both alike, to the bit?"""
    pairs = zip(got.values[:FEW], few.values[:FEW], strict=True)
    return all(
        a.tobytes() == b.tobytes() for mine, theirs in pairs for a, b in zip(mine, theirs, strict=True)
    )


def difference(got: Outcome, want: Outcome) -> str:
    """In what two runs differ, in a sentence: shapes, dtypes, fresh numbers per call, distribution."""
    if len(got.values) != len(want.values):
        return f"{len(got.values)} results instead of {len(want.values)}"
    for mine, theirs in zip(got.values, want.values, strict=True):
        kinds = [[(a.shape, str(a.dtype)) for a in side] for side in (mine, theirs)]
        if kinds[0] != kinds[1]:
            return f"shapes and dtypes {kinds[0]} instead of {kinds[1]}"
    calls = min(CALLS, len(want.values))
    for index in range(len(want.values[0])):
        sides = [[one[index] for one in side.values[:calls]] for side in (got, want)]
        text = _frozen(*sides) or _distributed(*sides)
        if text:
            return f"output {index}: {text}"
    return ""


def _frozen(got: Sequence[Any], want: Sequence[Any]) -> str:
    mine, theirs = (len({one.tobytes() for one in side}) for side in (got, want))
    return f"{mine} different results in {len(got)} calls instead of {theirs}" if mine < theirs / 3 else ""


def _distributed(got: Sequence[Any], want: Sequence[Any]) -> str:
    for name, statistic in STATISTICS.items():
        a, b = (np.sort([float(statistic(one.astype("float64"))) for one in side]) for side in (got, want))
        scale = float(np.abs(b).max()) or 1.0
        a, b = np.round(a / scale, 5), np.round(b / scale, 5)
        grid = np.concatenate([a, b])
        steps = (np.searchsorted(side, grid, "right") / len(side) for side in (a, b))
        distance = float(np.abs(np.subtract(*steps)).max())
        if distance > MOST:
            return (
                f"another {name}: {a.mean() * scale:.4g} instead of {b.mean() * scale:.4g} ({distance:.2f})"
            )
    return ""


def judge_streams(
    compiler: Compiler, program: Program, reseeded: Program | None, reference: Program, mode: Mode = "eager"
) -> tuple[str, str]:
    """The same where a run without XLA is no measure: it repeats numbers, too.

    Shapes and dtypes must be those of the reference, and no float may be drawn twice in all that is run.
    """
    got = compiler.run(program, "jit", calls=FEW)
    if got.kind != "ok":
        return got.kind, got.detail
    want = compiler.run(reference, mode, calls=FEW)
    assert want.kind == "ok", f"no reference: {want.detail}"
    kinds = [[[(a.shape, a.dtype) for a in one] for one in side.values] for side in (got, want)]
    if kinds[0] != kinds[1]:
        return "wrong", "other shapes or dtypes"
    text = _repeated(got) or unfaithful(
        compiler,
        program,
        reseeded,
        got,
        every=False,  # each generator has a seed of its own
    )
    return ("wrong", text) if text else ("runs", "follows the seed")


def _repeated(got: Outcome) -> str:
    """Are numbers drawn twice, in one call or in several? Of ints nobody can tell."""
    leaves = [leaf.ravel() for one in got.values for leaf in one if leaf.dtype.kind == "f"]
    drawn = np.concatenate([*leaves, np.zeros(0)])
    twice = len(drawn) - len(np.unique(drawn))
    return f"{twice} of {len(drawn)} numbers are drawn twice" if twice > len(drawn) / 50 else ""
