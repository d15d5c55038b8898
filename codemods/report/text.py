"""Text for people: by root (the default), one line a finding (concise)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from codemods.engine import Report
from codemods.model import Consequence, Diagnostic
from codemods.report.phrases import KINDS, mending
from codemods.report.view import Paint, View

_ROLES = {"safe fix": "good", "unsafe fix": "warn", "fix only by choice": "warn", "no fix": "dim"}
_WIDE = 96  # columns before the kind of fix, at most
Body = Callable[[Diagnostic], list[str]]


def concise(diagnostics: Sequence[Diagnostic], view: View, paint: Paint) -> list[str]:
    """path:line:column: CODE message [kind of fix: what to know]"""
    rows = []
    for one in diagnostics:
        kind, note = mending(one)
        label = f" [{kind}: {note}]" if note else f" [{kind}]" if kind else ""
        text = f"{view.place(one.span)}: {paint(one.code, _role(one))} {one.message}"
        rows.append(text + (paint(label, _ROLES[kind]) if label else ""))
    return rows


def by_root(report: Report, view: View, paint: Paint, body: Body | None = None) -> list[str]:
    """Findings under the root that compiles them, silent damage first; `body` draws one, if given."""
    order = {root.name: number for number, root in reversed(list(enumerate(report.roots)))}
    unknown = [
        one for one in report.diagnostics if not one.chains and one.consequence is not Consequence.TOOL
    ]
    tool = [one for one in report.diagnostics if one.consequence is Consequence.TOOL]
    groups = _groups([one for one in report.diagnostics if one.chains], order)
    wide = _width(report.diagnostics, view)
    lines: list[str] = []
    for name in sorted(
        groups, key=lambda name: (min(d.consequence.rank for d in groups[name]), order.get(name, 0))
    ):
        lines += _group(
            _root_header(name, groups[name], report, view, paint), groups[name], view, paint, wide, body, name
        )
    if unknown:
        head = paint("not known to be compiled", "bold") + _tally(unknown, paint)
        lines += _group(head, unknown, view, paint, wide, body)
    if tool:
        lines += _group(paint("about files and comments", "bold"), tool, view, paint, wide, body)
    return lines


def _groups(found: Sequence[Diagnostic], order: Mapping[str, int]) -> dict[str, list[Diagnostic]]:
    """Root -> its findings, each under one root only: as few roots as possible."""
    left = list(found)
    groups: dict[str, list[Diagnostic]] = {}
    while left:
        counts = Counter(name for one in left for name in {chain.root for chain in one.chains})
        root = min(counts, key=lambda name: (-counts[name], order.get(name, len(order)), name))
        groups[root] = [one for one in left if any(chain.root == root for chain in one.chains)]
        left = [one for one in left if one not in groups[root]]
    return groups


def _group(
    header: str,
    found: Sequence[Diagnostic],
    view: View,
    paint: Paint,
    wide: int,
    body: Body | None,
    root: str = "",
) -> list[str]:
    lines = [header]
    for one in sorted(found, key=lambda d: (d.consequence.rank, d.sort_key)):
        if body is not None:
            lines += ["", *body(one)]
            continue
        kind, note = mending(one)
        place = view.place(one.span)
        line = f"  {place} {paint(one.code, _role(one))} {one.message}"
        pad = " " * max(2, wide - len(place) - len(one.code) - len(one.message))
        lines.append(f"{line}{pad}{paint(kind, _ROLES[kind])}" if kind else line)
        if note:
            lines.append("    " + paint(note, "dim"))
        others = list(dict.fromkeys(chain.root for chain in one.chains if chain.root != root))
        if others:
            names = ", ".join(others[:4]) + (" ..." if len(others) > 4 else "")
            lines.append("    " + paint(f"also reached from {names}", "dim"))
    lines.append("")
    return lines


def _root_header(name: str, found: Sequence[Diagnostic], report: Report, view: View, paint: Paint) -> str:
    info = next((root for root in report.roots if root.name == name), None)
    if info is None:
        return paint(name, "bold") + _tally(found, paint)
    where = view.line(info.span)
    may = f"  {paint('may be compiled', 'warn')} ({info.how})" if info.certainty == "may" else ""
    return f"{paint(f'{where} {short(name, report)}', 'bold')}{_tally(found, paint)}{may}"


def short(name: str, report: Report) -> str:
    """The name of a root without its module."""
    for root in report.program.roots:
        if root.name == name:
            return name.removeprefix(root.function.module.name + ".")
    return name


def _tally(found: Sequence[Diagnostic], paint: Paint) -> str:
    parts = []
    for kind, words in KINDS.items():
        number = sum(d.consequence is kind for d in found)
        if number:
            role = "bad" if kind in (Consequence.SILENT, Consequence.ABORT) else "warn"
            parts.append("   " + paint(f"{words}: {number}", role))
    return "".join(parts)


def _role(one: Diagnostic) -> str:
    return {Consequence.SILENT: "bad", Consequence.ABORT: "bad", Consequence.ERROR: "warn"}.get(
        one.consequence, "code"
    )


def _width(diagnostics: Sequence[Diagnostic], view: View) -> int:
    """Where the kinds of fixes stand: behind nearly all messages."""
    sizes = [len(view.place(d.span)) + len(d.code) + len(d.message) + 2 for d in diagnostics]
    return max((size for size in sizes if size <= _WIDE), default=0)
