"""What `fix` did, what it did not, and why."""

from __future__ import annotations

from typing import Any

from codemods.engine import FixResult
from codemods.model import Diagnostic, Fix, Safety
from codemods.report import machine
from codemods.report.phrases import closing as check_closing
from codemods.report.phrases import counted, first_fix, next_step
from codemods.report.view import Paint, View


def document(result: FixResult, view: View, journal: str | None) -> machine.Json:
    """Further keys of the JSON of `fix`. view: of the state before it; journal: the id of the run."""
    return {
        "applied": [
            {**_where(one, view), "title": fix.title, "key": fix.key, "safety": fix.safety.value}
            for one, fix in result.applied
        ],
        "withheld": [{**_where(one, view), "reason": why} for one, why in result.withheld],
        "changed": [view.path(path) for path in sorted(result.changes)],
        "hidden_unsafe": result.hidden_unsafe,
        "rounds": result.rounds,
        "journal": journal or None,
    }


def applied(result: FixResult, view: View, paint: Paint, would: bool) -> list[str]:
    """The fixes by file. would: nothing was written."""
    groups: dict[str, list[tuple[Diagnostic, Fix]]] = {}
    for one, fix in result.applied:
        groups.setdefault(one.span.path, []).append((one, fix))
    lines = []
    for path in sorted(groups):
        lines.append(paint(f"{view.path(path)}", "bold") + ("   would be fixed" if would else "   fixed"))
        for one, fix in sorted(groups[path], key=lambda pair: pair[0].sort_key):
            line, column = view.position(path, one.span.start)
            unsafe = f" ({fix.safety.value}: {fix.note})" if fix.safety is not Safety.SAFE else ""
            lines.append(f"  {line}:{column} {paint(one.code, 'code')} {fix.title}{unsafe}")
    if lines:
        lines.append("")
    left = result.report.diagnostics
    if left and lines:
        lines.append(paint("Left:", "bold"))
    return lines


def closing(result: FixResult, again: str, scope: str, undo: str, would: bool, run: str) -> list[str]:
    """The last lines: what is left and why, what was done, and the way back."""
    left = result.report.diagnostics
    lines = []
    for one, why in result.withheld:
        lines.append(f"{one.code} in {one.span.path} was withheld: {why}.")
    if result.hidden_unsafe:
        lines.append(
            f"{counted(result.hidden_unsafe, 'unsafe fix')}".replace("fixs", "fixes")
            + f" hidden: xlafix fix --diff --unsafe-fixes{again}"
        )
    if not result.applied and not left:
        return check_closing(result.report, again, scope, False)
    verb = "would be fixed" if would else "fixed"
    done = f"{counted(len(result.applied), 'finding')} {verb} in {counted(len(result.changes), 'file')}"
    rest = f", {len(left)} left" if left else ", nothing is left"
    if left and not result.applied:
        by_hand = [d for d in left if not first_fix(d, Safety.UNSAFE)]
        if by_hand and not result.hidden_unsafe:
            rest += f" ({next_step(left, again)})"
    if would and result.applied:
        step = f". To write it: xlafix fix{again}"
    else:
        step = f". To take it back (run {run}): {undo}" if undo else "."
    lines.append(done + rest + step)
    return lines


def _where(one: Diagnostic, view: View) -> dict[str, Any]:
    line, column = view.position(one.span.path, one.span.start)
    return {
        "code": one.code,
        "path": view.path(one.span.path),
        "line": line,
        "column": column,
        "message": one.message,
        "fingerprint": one.fingerprint,
    }
