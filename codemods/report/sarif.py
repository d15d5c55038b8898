"""SARIF 2.1.0, which code scanning services and editors read.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0. Columns count code points, as everywhere
here, and the log says so (`columnKind`). Paths are relative to the folder that xlafix ran in (`%SRCROOT%`).
"""

from __future__ import annotations

import os
from urllib.parse import quote

from codemods import __version__
from codemods.edits import fix_edits
from codemods.engine import Report
from codemods.model import Chain, Consequence, Diagnostic, Edit, Fix, Related, Safety, Span
from codemods.notebook import SUFFIX
from codemods.registry import RULES, TOOL_CODES
from codemods.report.machine import Json
from codemods.report.phrases import numbered
from codemods.report.view import View

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Consequence.INFO: "note", Consequence.TOOL: "warning"}  # the others are errors
_ROOT = "%SRCROOT%"


def document(report: Report, view: View) -> Json:
    """The log of one check: its rules, and a result for each finding with all its alternatives."""
    rules = _rules()
    places = {rule["id"]: number for number, rule in enumerate(rules)}
    driver = {"name": "xlafix", "version": __version__, "semanticVersion": __version__, "rules": rules}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(one, time, view, places) for one, time in numbered(report.diagnostics)],
            }
        ],
    }


def _rules() -> list[Json]:
    rules = [(r.code, r.name, r.summary, r.doc, r.consequence) for r in sorted(RULES, key=lambda r: r.code)]
    rules += [(code, name, text, text, Consequence.TOOL) for code, (name, text) in TOOL_CODES.items()]
    return [
        {
            "id": code,
            "name": name,
            "shortDescription": {"text": summary},
            "fullDescription": {"text": summary},
            "help": {"text": page, "markdown": page},
            "defaultConfiguration": {"level": _LEVELS.get(consequence, "error")},
            "properties": {"consequence": consequence.value},
        }
        for code, name, summary, page, consequence in rules
    ]


def _result(one: Diagnostic, time: int, view: View, places: dict[str, int]) -> Json:
    """time: how often its fingerprint came up, this one included."""
    found: Json = {
        "ruleId": one.code,
        "ruleIndex": places[one.code],
        "level": _LEVELS.get(one.consequence, "error"),
        "message": {"text": _sentence(one)},
        "locations": [_location(one.span, view)],
        "properties": {
            "consequence": one.consequence.value,
            "unavailable": [{"key": reason.key, "reason": reason.why} for reason in one.unavailable],
        },
    }
    if one.fingerprint:
        found["partialFingerprints"] = {"xlafix/v1": f"{one.fingerprint}:{time}"}
    if one.related:
        found["relatedLocations"] = [_told(each, view) for each in one.related]
    if one.chains:
        found["codeFlows"] = [_flow(each, one.span, view) for each in one.chains]
    fixes = [_fix(each, view) for each in one.fixes if not _in_notebook(each)]
    if fixes:
        found["fixes"] = fixes
    return found


def _sentence(one: Diagnostic) -> str:
    """The message, and why nothing is offered where that is so: viewers show little else."""
    why = "; ".join(reason.why for reason in one.unavailable)
    return f"{one.message}. No fix: {why}." if why and not one.fixes else f"{one.message}."


def _in_notebook(fix: Fix) -> bool:
    """Its places are those of a text that stands escaped in the JSON of the file: no region can say them."""
    return any(edit.path.endswith(SUFFIX) for edit in fix_edits(fix))


def _fix(one: Fix, view: View) -> Json:
    """One alternative. What it shares with other fixes, such as an import, is in each of them."""
    edits = fix_edits(one)
    text = one.title if one.safety is Safety.SAFE else f"{one.title} ({one.safety.value}: {one.note})"
    return {
        "description": {"text": text},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path, view),
                "replacements": [_replacement(edit, view) for edit in sorted(edits) if edit.path == path],
            }
            for path in sorted({edit.path for edit in edits})
        ],
        "properties": {"key": one.key, "safety": one.safety.value, "note": one.note},
    }


def _replacement(edit: Edit, view: View) -> Json:
    return {
        "deletedRegion": _region(Span(edit.path, edit.start, edit.end), view),
        "insertedContent": {"text": edit.text},
    }


def _flow(chain: Chain, end: Span, view: View) -> Json:
    """From the root along the calls to the finding."""
    steps = [
        _step(f"compiled: {chain.root}", chain.root_span, view),
        *(_step(call.message, call.span, view) for call in chain.calls),
        _step("here", end, view),
    ]
    doubt = " (one of the calls is a guess)" if chain.guessed else ""
    message = f"XLA compiles this through {chain.root}{doubt}"
    return {"message": {"text": message}, "threadFlows": [{"locations": steps}]}


def _step(text: str, span: Span, view: View) -> Json:
    return {"location": {**_location(span, view), "message": {"text": text}}}


def _told(one: Related, view: View) -> Json:
    return {**_location(one.span, view), "message": {"text": one.message}}


def _location(span: Span, view: View) -> Json:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(span.path, view),
            "region": _region(span, view),
        }
    }


def _region(span: Span, view: View) -> Json:
    line, column = view.in_file(span.path, span.start)
    end_line, end_column = view.in_file(span.path, span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _artifact(path: str, view: View) -> Json:
    shown = view.path(path)
    uri = "/".join(quote(part, safe="") for part in shown.split(os.sep))
    return {"uri": f"file://{uri}"} if os.path.isabs(shown) else {"uri": uri, "uriBaseId": _ROOT}


__all__ = ["document"]
