"""Rounds of fixes: each round is judged anew, and taken back where it would leave damage behind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import TypeAlias

from codemods import edits as edits_module, notebook, source as source_module
from codemods.analysis.index import Project
from codemods.gate import exposed
from codemods.model import Consequence, Diagnostic, Fix, Reason, Safety
from codemods.outcome import Allow, Applied, FixResult, Report, pick
from codemods.registry import RULES, TOOL_CODES

MAX_ROUNDS = 20

_Choice: TypeAlias = tuple[Diagnostic, Fix]
_Withheld: TypeAlias = dict[str, tuple[Diagnostic, str]]
"""fingerprint and code -> a finding and why its fix is not applied."""


class _Frozen(Collection[str]):
    """What the caller has frozen (which may be decided only when it is asked), and the files not named."""

    def __init__(self, given: Collection[str], unnamed: Collection[str]) -> None:
        self._given = given
        self._unnamed = unnamed

    def __contains__(self, path: object) -> bool:
        return path in self._unnamed or path in self._given

    def __iter__(self) -> Iterator[str]:
        return iter({*self._given, *self._unnamed})

    def __len__(self) -> int:
        return len({*self._given, *self._unnamed})


def run(
    project: Project, judge: Callable[[Project], Report], paths: Collection[str], allow: Allow, gated: bool
) -> FixResult:
    """Rounds of judging and applying; gated: no error is fixed that hides silent damage."""
    report = judge(project)
    named = set(paths)
    allow = replace(allow, frozen=_Frozen(allow.frozen, {p for p in project.paths if p not in named}))
    changes: dict[str, str] = {}
    applied: list[Applied] = []
    withheld: _Withheld = {}
    rounds = 0
    while rounds < MAX_ROUNDS:
        chosen = [(d, f) for d, f in _chosen(report, allow) if d.fingerprint + d.code not in withheld]
        taken, done = _attempt(project, report, judge, chosen, allow, gated, withheld)
        if done is None:
            break
        applied += [_applied(project, d, f, rounds) for d, f in taken]
        report, texts = done
        project = report.project
        changes.update(texts)
        rounds += 1
    if rounds == MAX_ROUNDS:
        report.diagnostics += [_endless(d) for d, _ in _chosen(report, allow)[:1]]
    _unnamed(report, allow, named, withheld)
    for diagnostic, why in withheld.values():
        report.diagnostics = [
            replace(d, fixes=tuple(f.demoted(Safety.MANUAL, why) for f in d.fixes))
            if (d.fingerprint, d.code) == (diagnostic.fingerprint, diagnostic.code) else d
            for d in report.diagnostics
        ]  # fmt: skip
    unsafe = [d for d in report.diagnostics if d.fixes and d.fixes[0].safety is Safety.UNSAFE]
    hidden = 0 if allow.unsafe else len(unsafe)
    return FixResult(changes, applied, report, hidden, rounds, list(withheld.values()))


def _attempt(
    project: Project, report: Report, judge: Callable[[Project], Report], chosen: list[_Choice], allow: Allow,
    gated: bool, withheld: _Withheld,
) -> tuple[list[_Choice], tuple[Report, dict[str, str]] | None]:  # fmt: skip
    """Apply what can be applied together; what must not be is withheld, and the rest tried again."""
    while chosen:
        accepted, _ = edits_module.select([f for _, f in chosen])
        taken = [(d, f) for d, f in chosen if any(f is a for a in accepted)]
        after, texts = _round(project, judge, taken)
        back = exposed(taken, report, after, allow) if gated else {}
        broken = [path for path in texts if path in after.project.problems]
        if not back and not broken:
            return taken, (after, texts)
        for diagnostic, fix in taken:
            key = diagnostic.fingerprint + diagnostic.code
            if diagnostic.fingerprint in back:
                withheld[key] = (diagnostic, back[diagnostic.fingerprint])
            elif any(e.path in broken for e in edits_module.fix_edits(fix)):
                withheld[key] = (diagnostic, "the result would not parse (a bug of xlafix)")
        chosen = [(d, f) for d, f in chosen if d.fingerprint + d.code not in withheld]
    return [], None


def _unnamed(report: Report, allow: Allow, named: set[str], withheld: _Withheld) -> None:
    """Withhold the fixes that would be applied if they did not change files that were not named."""
    everywhere = replace(allow, frozen=())
    for diagnostic in report.diagnostics:
        others = sorted({e.path for f in diagnostic.fixes[:1] for e in edits_module.fix_edits(f)} - named)
        if others and pick(diagnostic, allow) is None and pick(diagnostic, everywhere) is not None:
            why = f"its fix also changes {', '.join(others)}, which was not named"
            withheld[diagnostic.fingerprint + diagnostic.code] = (diagnostic, why)


def _applied(project: Project, diagnostic: Diagnostic, fix: Fix, number: int) -> Applied:
    module = project.module(diagnostic.span.path)
    line, column = module.lines.position(diagnostic.span.start) if module is not None else (1, 0)
    cell = None
    if module is not None and diagnostic.span.path.endswith(notebook.SUFFIX):
        cell, line = notebook.place(notebook.cells(module.source.text), line)
    return Applied(diagnostic, fix, number, line, column + 1, cell)


def _chosen(report: Report, allow: Allow) -> list[_Choice]:
    """The alternatives to apply: of silent rules first, then of errors from the innermost outwards."""
    picked = []
    for diagnostic in report.diagnostics:
        found = pick(diagnostic, allow)
        if found is not None:
            picked.append((diagnostic, found))
    rank = {rule.code: number for number, rule in enumerate(RULES)}

    def order(item: _Choice) -> tuple[int, int, tuple[str, int, int, str]]:
        depth = max((len(c.calls) for c in item[0].chains), default=0)
        return rank.get(item[0].code, 99), -depth, item[0].sort_key

    return sorted(picked, key=order)


def _round(
    project: Project, judge: Callable[[Project], Report], taken: list[_Choice]
) -> tuple[Report, dict[str, str]]:
    """The state after some fixes, judged anew."""
    texts, contents = {}, {}
    for path, edits in edits_module.merge([f for _, f in taken]).items():
        source = source_module.decode(path, project.bytes_of(path))
        texts[path] = edits_module.apply(source.text, edits)
        contents[path] = source_module.encode(source, texts[path])
    return judge(project.changed(contents)), texts


def _endless(diagnostic: Diagnostic) -> Diagnostic:
    name, _ = TOOL_CODES["XLA003"]
    message = f"fixing {diagnostic.code} did not come to an end after {MAX_ROUNDS} rounds (a bug of xlafix)"
    return Diagnostic(
        "XLA003",
        name,
        Consequence.TOOL,
        message,
        diagnostic.span,
        unavailable=(Reason("none", "a bug of xlafix"),),
    )
