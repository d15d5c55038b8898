"""JSON. Lines and columns count from 1, columns and offsets in code points of the text without BOM."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from codemods import __version__
from codemods.engine import Report, RootInfo
from codemods.model import Chain, Diagnostic, Edit, Fix, Related, Span
from codemods.report.view import View

Json = dict[str, Any]
_SLOWEST = 10


def document(report: Report, view: View, statistics: bool, more: Mapping[str, Any] | None = None) -> Json:
    """Everything about a check. more: further keys, such as what `fix` has done."""
    return {
        "version": __version__,
        **(more or {}),
        "diagnostics": [diagnostic(one, view) for one in report.diagnostics],
        "roots": [root(one, view) for one in report.roots],
        "unresolved": unresolved(report, view),
        "stats": stats(report, view, statistics),
    }


def dump(payload: Json | list[Json]) -> str:
    return json.dumps(payload, indent=1)


def lines(payload: Json) -> Iterator[str]:
    """The document as JSON lines: one object per finding, root, ...; the last one is about the run."""
    singular = {"diagnostics": "diagnostic", "roots": "root", "unresolved": "unresolved"}
    rest: Json = {}
    for key, value in payload.items():
        if isinstance(value, list):
            for item in value:
                row = item if isinstance(item, dict) else {"value": item}
                yield json.dumps({"type": singular.get(key, key), **row})
        else:
            rest[key] = value
    yield json.dumps({"type": "run", **rest})


def diagnostic(one: Diagnostic, view: View) -> Json:
    return {
        "code": one.code,
        "name": one.name,
        "consequence": one.consequence.value,
        "message": one.message,
        **place(one.span, view),
        "fingerprint": one.fingerprint,
        "fixes": [fix(each, view) for each in one.fixes],
        "unavailable": [{"key": reason.key, "reason": reason.why} for reason in one.unavailable],
        "related": [related(each, view) for each in one.related],
        "chains": [chain(each, view) for each in one.chains],
    }


def fix(one: Fix, view: View) -> Json:
    return {
        "title": one.title,
        "key": one.key,
        "safety": one.safety.value,
        "note": one.note,
        "edits": [edit(each, view) for each in one.edits],
        "needs": [
            {"key": need.key, "edits": [edit(each, view) for each in need.edits]} for need in one.needs
        ],
    }


def edit(one: Edit, view: View) -> Json:
    line, column = view.position(one.path, one.start)
    end_line, end_column = view.position(one.path, one.end)
    return {
        "path": view.path(one.path),
        **cell(view.cell(one.path, one.start)),
        "start": one.start,
        "end": one.end,
        "text": one.text,
        "start_line": line,
        "start_column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


def place(span: Span, view: View) -> Json:
    line, column = view.position(span.path, span.start)
    end_line, end_column = view.position(span.path, span.end)
    return {
        "path": view.path(span.path),
        **cell(view.cell(span.path, span.start)),
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


def cell(number: int | None) -> Json:
    """In a notebook the number of the cell, from 1 over cells of all kinds; lines count in it."""
    return {"cell": number} if number is not None else {}


def related(one: Related, view: View) -> Json:
    line, column = view.position(one.span.path, one.span.start)
    return {
        "path": view.path(one.span.path),
        **cell(view.cell(one.span.path, one.span.start)),
        "line": line,
        "column": column,
        "message": one.message,
    }


def chain(one: Chain, view: View) -> Json:
    line, _ = view.position(one.root_span.path, one.root_span.start)
    return {
        "root": one.root,
        "path": view.path(one.root_span.path),
        **cell(view.cell(one.root_span.path, one.root_span.start)),
        "line": line,
        "certainty": one.certainty,
        "guessed": one.guessed,
        "calls": [related(call, view) for call in one.calls],
    }


def root(one: RootInfo, view: View) -> Json:
    line, column = view.position(one.span.path, one.span.start)
    return {
        "root": one.name,
        "path": view.path(one.span.path),
        **cell(view.cell(one.span.path, one.span.start)),
        "line": line,
        "column": column,
        "certainty": one.certainty,
        "how": one.how,
        "functions": one.functions,
    }


def unresolved(report: Report, view: View) -> list[Json]:
    return [
        {"path": view.path(path), "line": line, "call": text, "reason": why}
        for path, line, text, why in report.unresolved
    ]


def stats(report: Report, view: View, statistics: bool) -> Json:
    """Counts; the slowest files (in CPU seconds) only if asked for, since they differ from run to run."""
    found = report.stats
    counts: Json = {
        "files": found.files,
        "lines": found.lines,
        "functions": found.functions,
        "roots": len(report.roots),
        "unresolved": len(report.unresolved),
        "suppressed": report.suppressed,
        "accepted": report.accepted,
        "elsewhere": found.elsewhere,
        "tiers": found.tiers,
        "unparsed": [[view.path(path), reason] for path, reason in found.unparsed],
    }
    if statistics:
        counts["slowest"] = [[view.path(path), round(seconds, 6)] for path, seconds in slowest(found.seconds)]
    return counts


def slowest(seconds: Mapping[str, float]) -> Iterable[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda item: (-item[1], item[0]))[:_SLOWEST]
