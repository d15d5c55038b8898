"""What the interfaces of GitHub and GitLab show beside the lines of a change.

Sources: GitHub, "Workflow commands for GitHub Actions"; GitLab, "Code Quality", format of the report.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from codemods.engine import Report
from codemods.model import Consequence, Diagnostic
from codemods.report.machine import Json
from codemods.report.phrases import mending, numbered
from codemods.report.view import View

_COMMANDS = {Consequence.INFO: "notice", Consequence.TOOL: "warning"}  # the others are errors
_SEVERITIES = {
    Consequence.SILENT: "critical",
    Consequence.ABORT: "critical",
    Consequence.ERROR: "major",
    Consequence.INFO: "info",
    Consequence.TOOL: "minor",
}


def github(report: Report, view: View) -> Iterator[str]:
    """Workflow commands, one line for each finding."""
    for one in report.diagnostics:
        line, column = view.in_file(one.span.path, one.span.start)
        end_line, end_column = view.in_file(one.span.path, one.span.end)
        fields = {"title": f"{one.code} {one.name}", "file": _posix(one, view), "line": line}
        fields |= {"endLine": end_line}
        if end_line == line:  # columns mean something within one line only
            fields |= {"col": column, "endColumn": end_column}
        listed = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in fields.items())
        yield f"::{_COMMANDS.get(one.consequence, 'error')} {listed}::{_escaped(_sentence(one))}"


def gitlab(report: Report, view: View) -> list[Json]:
    """The entries of a code quality report. Their fingerprints tell equal statements of a file apart."""
    rows = []
    for one, time in numbered(report.diagnostics):
        line, _ = view.in_file(one.span.path, one.span.start)
        end_line, _ = view.in_file(one.span.path, one.span.end)
        key = (_posix(one, view), one.code, one.fingerprint, time)
        rows.append(
            {
                "description": _sentence(one),
                "check_name": one.code,
                "fingerprint": hashlib.sha256(repr(key).encode()).hexdigest(),
                "severity": _SEVERITIES[one.consequence],
                "location": {"path": key[0], "lines": {"begin": line, "end": end_line}},
            }
        )
    return rows


def _sentence(one: Diagnostic) -> str:
    fix, _ = mending(one)
    return f"{one.message} ({fix})" if fix else one.message


def _posix(one: Diagnostic, view: View) -> str:
    return view.path(one.span.path).replace(os.sep, "/")


def _escaped(text: str, more: str = "") -> str:
    """Percent signs, line ends, and what else separates fields."""
    return "".join(f"%{ord(one):02X}" if one in "%\r\n" + more else one for one in text)


__all__ = ["github", "gitlab"]
