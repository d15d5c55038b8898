"""`--add-ignores`: a comment for each finding that stays for now."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codemods import apply, edits, ignoring, source
from codemods.cli import writing
from codemods.cli.session import Failure, Session
from codemods.model import Consequence
from codemods.report.phrases import counted

if TYPE_CHECKING:
    from codemods.engine import Report


def write(session: Session, report: Report, reason: str, allow_dirty: bool) -> list[str]:
    """Write the comments, with a journal entry; the lines that say what was done. Raises Failure."""
    if any(mark in reason for mark in "\r\n"):
        raise Failure("--reason: a comment ends with its line")
    view, files = session.view(report), session.workspace.files
    found: dict[str, dict[int, set[str]]] = {}
    for one in report.diagnostics:
        if one.consequence is not Consequence.TOOL:
            line, _ = view.index(one.span.path).position(one.span.start)
            found.setdefault(one.span.path, {}).setdefault(line, set()).add(one.code)
    changes = []
    for name, lines in sorted(found.items()):
        before = files.raw(name)
        try:
            text = source.decode(name, files.read(name))
            added = ignoring.additions(text.text, name, lines, reason)
            after = files.written(name, source.encode(text, edits.apply(text.text, added)))
        except source.SourceError as error:
            raise Failure(f"--reason: {error}") from error
        changes.append(apply.Change(files.absolute(name), before, after))
    if not allow_dirty:
        writing.refuse_dirty(changes)
    if not changes:
        return ["no finding is left to suppress"]
    root = session.workspace.journal_root
    entry = writing.journaled(changes, root)
    if entry.errors:
        raise Failure("\n".join(f"{os.path.join(root, one.path)}: {one.message}" for one in entry.errors))
    done = sum(len(lines) for lines in found.values())
    left = [one for one in session.recheck().diagnostics if one.consequence is not Consequence.TOOL]
    told = f"{counted(done, 'line')} in {counted(len(changes), 'file')} suppressed"
    rest = f"{counted(len(left), 'finding')} left"
    return [f"{told}, {rest}. To take it back (run {entry.id}): {writing.undo_command(root)}"]
