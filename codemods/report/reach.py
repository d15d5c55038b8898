"""What is compiled: the roots, and for one line the calls that lead to it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from codemods.analysis.scopes import Module, Scope
from codemods.engine import Report, RootInfo, chain
from codemods.report import machine
from codemods.report.full import chain_lines
from codemods.report.phrases import counted, examined
from codemods.report.text import short
from codemods.report.view import Paint, View

_CERTAINTY = {"yes": "compiled", "may": "may be compiled"}


def roots(report: Report, view: View, paint: Paint, wanted: Collection[str] | None, calls: bool) -> list[str]:
    """One line a root, and the calls that were not followed, if asked for."""
    shown = _in(report.roots, wanted)
    lines = []
    if shown:
        places = [f"{view.line(one.span)} {short(one.name, report)}" for one in shown]
        wide = min(max(map(len, places)), 72)
        for one, place in zip(shown, places, strict=True):
            role = "good" if one.certainty == "yes" else "warn"
            how = paint(f"{_CERTAINTY[one.certainty]} ({one.how})", role)
            pad = " " * (wide - len(place))
            size = counted(one.functions, "function")
            lines.append(f"{paint(place, 'bold')}{pad}  {how}, reaches {size}")
        lines.append("")
    if calls and report.unresolved:
        lines.append(paint("calls not followed", "bold"))
        lines += [
            f"  {view.path(path)}:{line} {_short(text)}: {why}" for path, line, text, why in report.unresolved
        ]
        lines.append("")
    if not report.roots:
        looked = counted(len(report.project.paths), "file")
        lines.append(
            f"Nothing in {looked} is seen to be compiled by XLA. "
            "A function that another program compiles: xlafix roots --entry package.module:function"
        )
        return lines
    hint = "" if calls else " (--calls lists them)" if report.unresolved else ""
    summary = examined(report).replace(" (xlafix roots --calls)", hint)
    lines.append(f"{summary}. Whether a line is among them: xlafix why FILE:LINE")
    return lines


def roots_json(report: Report, view: View, wanted: Collection[str] | None) -> str:
    return json.dumps(
        {
            "roots": [machine.root(one, view) for one in _in(report.roots, wanted)],
            "functions": report.stats.functions,
            "unresolved": machine.unresolved(report, view),
        },
        indent=1,
    )


def why(report: Report, view: View, paint: Paint, module: Module, line: int) -> list[str]:
    """Is the function that holds a line compiled, by which roots, along which calls?"""
    place = f"{view.path(module.path)}:{line}"
    function = function_at(module, line)
    if function is None:
        return [
            f"{place} stands in no function: it runs when the module is imported, and is not compiled.",
            *(
                []
                if not report.roots
                else [f"The project has {counted(len(report.roots), 'root')}: xlafix roots"]
            ),
        ]
    program = report.program
    name = f"{view.path(module.path)}:{function.node.lineno} {_local(function)}"
    reached = program.reached.get(function)
    lines = []
    if reached is not None:
        gradient = "; a derivative is taken there" if reached.gradient else ""
        certain = any(root.certainty == "yes" and not pred[3] for root, pred in reached.preds.items())
        verdict = "is compiled" if certain else "may be compiled"
        lines.append(paint(f"{name} {verdict}{gradient}", "bold"))
        for root in reached.preds:
            lines += ["", *chain_lines(chain(program, function, root), view, paint)]
            lines.append(f"  {root.how}")
    elif function in program.excluded:
        lines.append(f"{name} is not compiled: a comment says `xlafix: not-compiled`")
    else:
        lines.append(paint(f"{name} is not seen to be compiled", "bold"))
        lines += ["", *_callers(report, view, function)]
    lost = [
        f"  {view.line(other.span(node))} {_short(other.text(node.func))}: {reason}"
        for other, node, reason in program.unresolved.values()
        if other is module and other.enclosing(node).function is function
    ]
    if lost:
        lines += ["", "calls in it that could not be followed:", *lost]
    if reached is None and function not in program.excluded:
        entry = f"--entry {module.name}:{_local(function)}"
        lines += [
            "",
            f"If it is compiled all the same: xlafix check {entry}, or say `# xlafix: compiled` there",
        ]
    return lines


def function_at(module: Module, line: int) -> Scope | None:
    """The innermost function with a name whose text, decorators included, holds a line."""
    best: Scope | None = None
    for function in module.functions:
        node = function.node
        if not hasattr(node, "name"):
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        if first <= line <= node.end_lineno and (best is None or best.node.lineno <= node.lineno):
            best = function
    return best


def _callers(report: Report, view: View, function: Scope) -> list[str]:
    callers = report.program.callers(function)
    lines = []
    for site in callers.sites:
        inside = site.scope.function
        by = f" in {_local(inside)}" if inside is not None else ""
        lines.append(f"called at {view.line(site.module.span(site.node))}{by}")
    if callers.open:
        lines.append(f"{'there may be other callers: ' if lines else ''}{callers.open}")
    return lines


def _local(function: Scope) -> str:
    return function.qualname.removeprefix(function.module.name + ".")


def _short(text: str) -> str:
    """The first line of a call's text."""
    first = text.split("\n")[0].strip()
    return f"`{first if len(first) <= 60 else first[:57] + '...'}`"


def _in(found: Sequence[RootInfo], wanted: Collection[str] | None) -> list[RootInfo]:
    return [one for one in found if wanted is None or one.span.path in wanted]
