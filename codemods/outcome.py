"""What a run gives: findings, reports and fixes, and which fixes may be applied."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codemods import edits as edits_module
from codemods.model import Diagnostic, Fix, Safety, Span

if TYPE_CHECKING:
    from codemods.analysis.compiled import Program
    from codemods.analysis.index import Project
    from codemods.analysis.scopes import Scope


@dataclass(frozen=True)
class Allow:
    """Which fixes `fix` applies.

    choose: code -> key of the alternative to take, also a MANUAL one. frozen: files that no fix may
    touch (read-only ones; all others, when one file comes from standard input).
    """

    unsafe: bool = False
    choose: Mapping[str, str] = field(default_factory=dict)
    frozen: Collection[str] = ()


@dataclass(frozen=True)
class RootInfo:
    """A compiled root, for people. functions: how many functions it reaches."""

    name: str
    span: Span
    certainty: str
    how: str
    functions: int


@dataclass
class Stats:
    """What was examined. seconds: CPU time per path; tiers: files per treatment."""

    files: int = 0
    lines: int = 0
    functions: int = 0
    tiers: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    unparsed: list[tuple[str, str]] = field(default_factory=list)
    elsewhere: int = 0  # places that `--scope all` would look at


@dataclass(eq=False)
class Finding:
    """A diagnostic with what the gate has to know: the function and the names of the roots that reach it."""

    diagnostic: Diagnostic
    function: Scope | None
    roots: frozenset[str]


@dataclass(eq=False)
class Report:
    """diagnostics: what to show, sorted. unresolved: calls that were not followed (path, line, text, why).

    suppressed: findings that comments or settings hide. missing_entries: entry points not found.
    accepted: findings that a baseline hides.
    """

    diagnostics: list[Diagnostic]
    roots: list[RootInfo]
    stats: Stats
    unresolved: list[tuple[str, int, str, str]]
    suppressed: int
    missing_entries: list[str]
    findings: list[Finding]
    program: Program
    project: Project
    accepted: int = 0


@dataclass(frozen=True)
class Applied:
    """A fix that was applied. round: from 0. line, column: where the finding stood in its text, from 1.

    cell: in a notebook the number of the cell, from 1, which line counts in.
    """

    diagnostic: Diagnostic
    fix: Fix
    round: int
    line: int
    column: int
    cell: int | None = None


@dataclass(eq=False)
class FixResult:
    """changes: path -> new text. applied: what was fixed, in order. report: the state after it.

    hidden_unsafe: findings left whose first fix is UNSAFE and was not asked for.
    withheld: (diagnostic, reason) of error fixes that would have exposed silent damage.
    """

    changes: dict[str, str]
    applied: list[Applied]
    report: Report
    hidden_unsafe: int
    rounds: int
    withheld: list[tuple[Diagnostic, str]] = field(default_factory=list)


def pick(diagnostic: Diagnostic, allow: Allow) -> Fix | None:
    """The first alternative that may be applied, or the one that the user chose by its key."""
    key = allow.choose.get(diagnostic.code)
    levels = (Safety.SAFE, Safety.UNSAFE) if allow.unsafe else (Safety.SAFE,)
    for offered in diagnostic.fixes:
        if any(edit.path in allow.frozen for edit in edits_module.fix_edits(offered)):
            continue
        if offered.key == key if key is not None else offered.safety in levels:
            return offered
    return None
