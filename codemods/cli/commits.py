"""`fix --commit-per-rule`: one commit for each rule, so that each can be read, and taken back, alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codemods import apply, git
from codemods.cli import writing
from codemods.cli.fix import changes
from codemods.cli.session import Failure, Session
from codemods.registry import RULES
from codemods.report.phrases import counted

if TYPE_CHECKING:
    from codemods.engine import Allow, FixResult


def run(session: Session, allow: Allow) -> tuple[FixResult, list[str]]:
    """Apply the fixes of one rule after the other, in the order of a run of all, until none is left.

    Returns the last result, which changes nothing, and a line for each commit. Raises Failure where a file
    to be written is in no git work tree or differs from its last commit, and where git refuses to commit;
    what was committed before stays.
    """
    lines: list[str] = []
    while True:
        session.workspace.files = session.workspace.files.afresh()
        result = session.fix(allow)
        if not result.changes:
            return result, lines
        codes = {one.diagnostic.code for one in result.applied}
        alone = (_alone(session, rule.code, allow) for rule in RULES if rule.code in codes)
        done = [line for line in alone if line]
        lines += done or [_commit(session, result)]  # else they need each other


def _alone(session: Session, code: str, allow: Allow) -> str:
    """What was committed of one rule, or "" if it has no fix that stands alone."""
    space = replace(session.workspace, files=session.workspace.files.afresh())
    narrowed = replace(session, workspace=space, settings=replace(session.settings, select=(code,)))
    result = narrowed.fix(allow)
    return _commit(narrowed, result) if result.changes else ""


def _commit(session: Session, result: FixResult) -> str:
    """Write and commit the changes; what was committed."""
    written, root = list(changes(session, result).values()), session.workspace.journal_root
    paths = [change.path for change in written]
    if reason := git.uncommitted(paths):
        raise Failure(f"--commit-per-rule: {_codes(result)} was not applied: {reason}")
    entry = writing.journaled(written, root)
    if entry.errors:
        apply.undo(root, entry.id)
        failed = "; ".join(f"{error.path}: {error.message}" for error in entry.errors)
        raise Failure(f"--commit-per-rule: {_codes(result)} was not applied: {failed}")
    if reason := git.commit(paths, _message(session, result)):
        raise Failure(
            f"--commit-per-rule: {_codes(result)} is written, but git refuses the commit: {reason}\n"
            f"to take it back: xlafix undo {entry.id}"
        )
    return f"committed: {_subject(result)}"


def _codes(result: FixResult) -> str:
    return ", ".join(sorted({one.diagnostic.code for one in result.applied}))


def _subject(result: FixResult) -> str:
    names = ", ".join(sorted({f"{one.diagnostic.code} {one.diagnostic.name}" for one in result.applied}))
    return f"{names}: {counted(len(result.applied), 'fix')} in {counted(len(result.changes), 'file')}"


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
