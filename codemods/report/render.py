"""One report in one of the formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codemods.engine import Report
from codemods.report import ci, machine, sarif, text
from codemods.report.full import full
from codemods.report.phrases import closing, counted, mending
from codemods.report.view import Paint, View


@dataclass(frozen=True)
class About:
    """What the report itself does not know. again: paths and options of the command, to repeat it."""

    again: str
    scope: str
    narrowed: bool


def render(
    format_name: str, report: Report, view: View, paint: Paint, about: About, statistics: bool,
    more: Mapping[str, Any] | None = None, head: Sequence[str] = (), end: Sequence[str] | None = None,
) -> list[str]:  # fmt: skip
    """The lines of a report.

    more: further keys for JSON; head: lines in front; end: the closing lines, if not the usual ones.
    """
    if format_name == "json":
        return [machine.dump(machine.document(report, view, statistics, more))]
    if format_name == "json-lines":
        return list(machine.lines(machine.document(report, view, statistics, more)))
    if format_name == "sarif":
        return [machine.dump(sarif.document(report, view))]
    if format_name == "gitlab":
        return [machine.dump(ci.gitlab(report, view))]
    if format_name == "github":
        return list(ci.github(report, view))
    if format_name == "concise":
        lines = text.concise(report.diagnostics, view, paint)
    elif format_name == "full":
        lines = text.by_root(report, view, paint, lambda one: full(one, view, paint))
    else:
        lines = text.by_root(report, view, paint)
    if statistics:
        lines += [*table(report, view), ""]
    last = list(end) if end is not None else closing(report, about.again, about.scope, about.narrowed)
    return [*head, *lines, *last[:-1], paint(last[-1], "bold")]


def table(report: Report, view: View) -> list[str]:
    """Counts per rule and kind of fix, files per treatment, and the slowest files."""
    counts = Counter((d.code, d.name, d.consequence.value, mending(d)[0]) for d in report.diagnostics)
    lines = ["findings:"]
    lines += [
        f"  {number:6}  {code} {name} ({kind}), {fix or 'no fix'}"
        for (code, name, kind, fix), number in sorted(counts.items())
    ]
    lines += ["files:", *(f"  {number:6}  {tier}" for tier, number in report.stats.tiers.items())]
    lines.append(
        f"{counted(report.stats.lines, 'line')}, {counted(report.stats.functions, 'function')} reached"
    )
    slow = list(machine.slowest(report.stats.seconds))
    if slow:
        lines += ["slowest files (CPU seconds in rules):"]
        lines += [f"  {seconds:6.3f}  {view.path(path)}" for path, seconds in slow]
    return lines
