"""`fix --commit-per-rule`: one commit for each rule, so that each can be read, and taken back, alone."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from codemods import apply, git, settings as settings_module
from codemods.cli import frozen
from codemods.cli.fix import changes
from codemods.cli.session import Failure, Session
from codemods.registry import RULES
from codemods.report.phrases import counted

if TYPE_CHECKING:
    from codemods.engine import Allow, FixResult
    from codemods.settings import Settings


def run(session: Session, allow: Allow) -> list[str]:
    """Apply the fixes of one rule after the other, in the order of a run of all; a line for each commit.

    Raises Failure where a file to be written is in no git work tree or differs from its last commit, and
    where git refuses to commit; what was committed before stays.
    """
    lines: list[str] = []
    found = True
    while found:  # a fix may make way for one of a rule that had its turn
        found = False
        for rule in RULES:
            if settings_module.enabled(session.settings, rule.code):
                line = _commit(session, replace(session.settings, select=(rule.code,)), allow)
                lines += [line] if line else []
                found = found or bool(line)
    line = _commit(session, session.settings, allow)  # what needs each other
    return [*lines, line] if line else lines


def _commit(session: Session, settings: Settings, allow: Allow) -> str:
    """What was committed, or "" if nothing was to be fixed."""
    space = replace(session.workspace, files=session.workspace.files.afresh())
    narrowed = replace(session, workspace=space, settings=settings)
    allow = replace(allow, frozen=frozen.files(narrowed, diff=False))
    result = narrowed.fix(allow)
    written = list(changes(narrowed, result).values())
    if not written:
        return ""
    paths = [change.path for change in written]
    if reason := git.uncommitted(paths):
        raise Failure(f"--commit-per-rule: {_codes(result)} was not applied: {reason}")
    arguments = click.get_current_context().find_root().obj
    command = shlex.join(["xlafix", *(arguments or ["fix"])])
    try:
        entry = apply.write(written, root=space.journal_root, command=command)
    except apply.ApplyError as error:
        raise Failure(str(error)) from error
    if entry.errors:
        apply.undo(space.journal_root, entry.id)
        failed = "; ".join(f"{error.path}: {error.message}" for error in entry.errors)
        raise Failure(f"--commit-per-rule: {_codes(result)} was not applied: {failed}")
    if reason := git.commit(paths, _message(narrowed, result)):
        raise Failure(
            f"--commit-per-rule: {_codes(result)} is written, but git refuses the commit: {reason}\n"
            f"to take it back: xlafix undo {entry.id}"
        )
    return f"committed: {_subject(result)}"


def _codes(result: FixResult) -> str:
    return ", ".join(sorted({one.diagnostic.code for one in result.applied}))


def _subject(result: FixResult) -> str:
    names = {f"{one.diagnostic.code} {one.diagnostic.name}" for one in result.applied}
    fixes = counted(len(result.applied), "fix").replace("fixs", "fixes")
    return f"{', '.join(sorted(names))}: {fixes} in {counted(len(result.changes), 'file')}"


def _message(session: Session, result: FixResult) -> str:
    view = session.view(result.report)
    codes = {one.diagnostic.code for one in result.applied}
    rows = [
        f"- {view.path(one.diagnostic.span.path)}:{one.line}: {one.fix.title}"
        + (f" ({one.fix.safety.value}: {one.fix.note})" if one.fix.note else "")
        for one in result.applied
    ]
    summaries = [rule.summary for rule in RULES if rule.code in codes]
    return "\n".join([_subject(result), "", *summaries, "", *rows]) + "\n"


__all__ = ["run"]
