"""What `fix` did, what it did not, and why."""

from __future__ import annotations

from typing import Any

from codemods.engine import Applied, FixResult
from codemods.model import Diagnostic, Safety
from codemods.report import machine
from codemods.report.phrases import closing as check_closing, counted, first_fix, next_step
from codemods.report.render import About
from codemods.report.view import Paint, View


def document(result: FixResult, view: View, journal: str | None) -> machine.Json:
    """Further keys of the JSON of `fix`. view: of the state after it; journal: the id of the run.

    The places in `applied` are those in the text of their round, which counts from 0.
    """
    return {
        "applied": [
            {
                **_where(one.diagnostic, view, one.line, one.column, one.cell),
                "round": one.round,
                "title": one.fix.title,
                "key": one.fix.key,
                "safety": one.fix.safety.value,
            }
            for one in result.applied
        ],
        "withheld": [
            {**_where(one, view, *view.position(*at), view.cell(*at)), "reason": why}
            for one, why in _withheld(result)
            for at in [(one.span.path, one.span.start)]
        ],
        "changed": [view.path(path) for path in sorted(result.changes)],
        "hidden_unsafe": result.hidden_unsafe,
        "rounds": result.rounds,
        "journal": journal or None,
    }


def applied(result: FixResult, view: View, paint: Paint, would: bool) -> list[str]:
    """The fixes by file. would: nothing was written."""
    groups: dict[str, list[Applied]] = {}
    for one in result.applied:
        groups.setdefault(one.diagnostic.span.path, []).append(one)
    lines = []
    for path in sorted(groups):
        lines.append(paint(f"{view.path(path)}", "bold") + ("   would be fixed" if would else "   fixed"))
        for one in sorted(groups[path], key=lambda one: (one.round, one.cell or 0, one.line, one.column)):
            fix, code = one.fix, paint(one.diagnostic.code, "code")
            unsafe = f" ({fix.safety.value}: {fix.note})" if fix.safety is not Safety.SAFE else ""
            within = f"cell {one.cell}:" if one.cell is not None else ""
            lines.append(f"  {within}{one.line}:{one.column} {code} {fix.title}{unsafe}")
    if lines:
        lines.append("")
    left = result.report.diagnostics
    if left and lines:
        lines.append(paint("Left:", "bold"))
    return lines


def closing(
    result: FixResult, view: View, about: About, undo: str, would: bool, run: str, asked: str = ""
) -> list[str]:
    """The last lines: what is left and why, what was done, and the way back.

    asked: the options that say which fixes to apply, as text.
    """
    left, again = result.report.diagnostics, about.again
    lines = []
    for one, why in _withheld(result):
        lines.append(f"{view.place(one.span)}: the fix of {one.code} was withheld: {why}.")
    if result.hidden_unsafe:
        lines.append(
            f"{counted(result.hidden_unsafe, 'unsafe fix')} hidden: "
            f"xlafix fix --diff --unsafe-fixes{asked}{again}"
        )
    if not result.applied and not left:
        return check_closing(result.report, again, about.scope, about.narrowed)
    verb = "would be fixed" if would else "fixed"
    done = f"{counted(len(result.applied), 'finding')} {verb} in {counted(len(result.changes), 'file')}"
    rest = f", {len(left)} left" if left else ", nothing is left"
    if left and not result.applied:
        by_hand = [d for d in left if not first_fix(d, Safety.UNSAFE)]
        if by_hand and not result.hidden_unsafe:
            rest += f" ({next_step(left, again)})"
    if would and result.applied:
        step = f". To write it: xlafix fix{asked}{again}"
    else:
        step = f". To take it back (run {run}): {undo}" if undo else "."
    lines.append(done + rest + step)
    return lines


def _withheld(result: FixResult) -> list[tuple[Diagnostic, str]]:
    """Those findings where they stand now: later rounds may have moved them."""
    now = {(one.fingerprint, one.code): one for one in result.report.diagnostics}
    return [(now.get((one.fingerprint, one.code), one), why) for one, why in result.withheld]


def _where(one: Diagnostic, view: View, line: int, column: int, cell: int | None) -> dict[str, Any]:
    return {
        "code": one.code,
        "path": view.path(one.span.path),
        **machine.cell(cell),
        "line": line,
        "column": column,
        "message": one.message,
        "fingerprint": one.fingerprint,
    }
