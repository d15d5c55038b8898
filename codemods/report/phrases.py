"""Words that several formats share: how a finding can be mended, counts, and what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from codemods.engine import Report
from codemods.model import Consequence, Diagnostic, Safety

KINDS = {
    Consequence.SILENT: "compiles but wrong",
    Consequence.ABORT: "aborts the process",
    Consequence.ERROR: "will not compile",
    Consequence.INFO: "if compiled",
    Consequence.TOOL: "about the input",
}


def mending(diagnostic: Diagnostic) -> tuple[str, str]:
    """(what kind of fix there is, what a reader must know about it) of a finding."""
    if not diagnostic.fixes and diagnostic.consequence is Consequence.TOOL:
        return "", ""  # the message says it all
    if not diagnostic.fixes:
        return "no fix", "; ".join(dict.fromkeys(reason.why for reason in diagnostic.unavailable))
    fix = diagnostic.fixes[0]
    if fix.safety is Safety.SAFE:
        return "safe fix", ""
    if fix.safety is Safety.UNSAFE:
        return "unsafe fix", fix.note
    why = dict.fromkeys(reason.why for reason in diagnostic.unavailable)
    return "fix only by choice", "; ".join(dict.fromkeys([*why, fix.note]))


def first_fix(diagnostic: Diagnostic, safety: Safety) -> bool:
    return bool(diagnostic.fixes) and diagnostic.fixes[0].safety is safety


def numbered(diagnostics: Sequence[Diagnostic]) -> Iterator[tuple[Diagnostic, int]]:
    """Each finding, and how often its fingerprint came up so far: equal statements stay apart by that."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for one in diagnostics:
        key = (one.span.path, one.code, one.fingerprint)
        seen[key] += 1
        yield one, seen[key]


def counted(number: int, noun: str) -> str:
    """ "1 file", "2 files", "0 fixes"."""
    return f"{number} {noun if number == 1 else noun + ('es' if noun.endswith('x') else 's')}"


def listed(words: Sequence[str], most: int = 5) -> str:
    more = len(words) - most
    return ", ".join([*words[:most], *([f"and {more} more"] if more > 0 else [])])


def next_step(diagnostics: Sequence[Diagnostic], again: str) -> str:
    """The end of the last line: how many findings have a fix, and the command that shows it."""
    safe = sum(first_fix(d, Safety.SAFE) for d in diagnostics)
    unsafe = sum(first_fix(d, Safety.UNSAFE) for d in diagnostics)
    if safe:
        also = f", {unsafe} with an unsafe one (--unsafe-fixes)" if unsafe else ""
        return f"{safe} with a safe fix{also}: xlafix fix --diff{again}"
    if unsafe:
        return f"{unsafe} with an unsafe fix: xlafix fix --diff --unsafe-fixes{again}"
    if any(d.fixes for d in diagnostics):
        return f"fixes only by choice; what they mean: xlafix check --output-format full{again}"
    rule = next((d for d in diagnostics if d.consequence is not Consequence.TOOL), None)
    return f"none with a fix: xlafix explain {(rule or diagnostics[0]).code}"


def examined(report: Report) -> str:
    """What the analysis went through; calls of TensorFlow and other libraries do not count."""
    followed = f"{counted(len(report.unresolved), 'call')} in the project not followed"
    hint = " (xlafix roots --calls)" if report.unresolved else ""
    reached = counted(report.stats.functions, "function")
    return f"{counted(len(report.roots), 'root')}, {reached} reached, {followed}{hint}"


def closing(report: Report, again: str, scope: str, narrowed: bool) -> list[str]:
    """The last lines of a check; the very last one names the next command."""
    stats, found = report.stats, report.diagnostics
    lines = []
    bad = len(stats.unparsed)
    looked = f"{counted(stats.files, 'file')} ({counted(stats.lines, 'line')})"
    if narrowed:
        lines.append("The project has so many files that callers were looked for only in the given folders.")
    if report.suppressed:
        lines.append(f"{counted(report.suppressed, 'finding')} suppressed by comments or settings.")
    if report.accepted:
        lines.append(f"{counted(report.accepted, 'finding')} accepted by the baseline.")
    if not stats.files and not found:
        return ["There is no Python file in what was named."]
    named = {path for path, _ in stats.unparsed}
    blind = sorted(path for path in report.project.problems if path not in named)
    if blind:
        lines.append(f"Calls from files that could not be read or parsed were not seen: {listed(blind, 3)}.")
    if not report.roots and scope == "compiled":
        note = f"; {counted(bad, 'file')} could not be read" if bad else ""
        lines.append(f"Nothing in {looked} is seen to be compiled by XLA{note}, so no code was judged.")
        lines.append(
            "A function that another program compiles: xlafix check --entry package.module:function. "
            f"All code, as if it were compiled ({counted(stats.elsewhere, 'file')} to look at): "
            f"xlafix check --scope all{again}"
        )
        if found:
            lines.append(f"{counted(len(found), 'finding')}, {next_step(found, again)}")
        return lines
    if found:
        lines.append(f"{examined(report)}. {counted(len(found), 'finding')}, {next_step(found, again)}")
        return lines
    rest = (
        f"; {counted(stats.elsewhere, 'file')} with such code outside of it: xlafix check --scope all{again}"
    )
    beyond = rest if scope == "compiled" and stats.elsewhere else ""
    kind = "compiled code" if scope == "compiled" else "code"
    lines.append(f"{examined(report)}. No findings in the {kind} of {looked}{beyond}")
    return lines
