"""Writing files, so that nothing is ever half-written or lost, and undoing it.

`write` first puts what the files hold into a journal, `<root>/.xlafix/journal/<id>/`, and only then
touches a file. Each file is replaced atomically: a process that is killed at any moment leaves every
file as it was before or as it is after, and a journal from which `undo` brings back the former.
Of a run that was cut short, `undo` restores what was written and leaves the rest.

What is kept: mode, owner where the system lets us, and a symbolic link (its target is written). What
is not: a hard link to the file keeps the old content, since only a new file can appear in one step.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from codemods import journal
from codemods.git import unstaged
from codemods.journal import ApplyError, Entry, Written, history
from codemods.source import digest


@dataclass(frozen=True)
class Change:
    """One file to write. before: the bytes that were read; they must still be there."""

    path: str
    before: bytes
    after: bytes


def write(changes: Sequence[Change], *, root: str, command: str) -> Entry:
    """Journal and write `changes`; a file that fails is in `Entry.errors`, the others go on.

    A file whose bytes are not `before` any more is such a failure. Changes that change nothing are
    left out. command: what the user ran, for `history`. Raises ApplyError where the journal below
    `root` cannot be written; then no file was touched.
    """
    with journal.opened(root) as place:
        ready, errors = _ready(changes, root)
        names = [journal.relative(root, one.path) for one in ready]
        files = [
            Written(n, digest(one.before), digest(one.after)) for n, one in zip(names, ready, strict=True)
        ]
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        entry = Entry(str(max(journal.ids(place), default=0) + 1), now, command, tuple(files), tuple(errors))
        if not ready:
            return replace(entry, id="")
        journal.record(place, entry, [change.before for change in ready])
        work = [(file, one.after) for file, one in zip(files, ready, strict=True)]
        done, failed = _replace_all(root, entry, work)
        entry = replace(entry, files=done, errors=(*errors, *failed))
        if not done:
            journal.discard(place, entry)
            return replace(entry, id="")
        # A disk that is full by now costs the list of errors, not the way back.
        with contextlib.suppress(OSError):
            journal.save(place / entry.id, entry)
        return entry


def undo(root: str, id: str | None = None) -> Entry:  # noqa: A002
    """Bring back what the files held before run `id`, or before the newest run not undone yet.

    A file that still holds what it held before the run is left alone. Returns the run with the files
    that were restored, and in `errors` those that could not be; then it can be undone again.

    Raises ApplyError, with nothing restored, where there is no such run, its journal is damaged, or
    a file has changed since; the error names the file.
    """
    if not journal.ids(journal.place(root)):
        raise ApplyError(str(journal.place(root)), "there is nothing to undo")
    with journal.opened(root) as place:
        runs = [run for run in history(root) if (run.id == id if id is not None else not run.undone)]
        if not runs:
            raise ApplyError(str(place), f"there is no run {id}" if id else "there is nothing to undo")
        entry = runs[0]
        if entry.undone:
            raise ApplyError(str(place), f"run {entry.id} has been undone already")
        restored, failed = _replace_all(root, entry, _pending(place, entry, root), back=True)
        entry = replace(entry, undone=not failed)
        # Where this fails, a second undo finds that all is restored, and marks the run then.
        with contextlib.suppress(OSError):
            journal.save(place / entry.id, entry)
        return replace(entry, files=restored, errors=failed)


def refusal(path: str) -> str:
    """Why a file cannot be written, as far as can be seen without trying; "" if nothing speaks against it."""
    try:
        target = os.path.realpath(path)
        mode = os.stat(target).st_mode
    except OSError as error:
        return _why(error)
    if not stat.S_ISREG(mode):
        return "not written: it is not a regular file"
    if not os.access(target, os.W_OK):  # a rename asks the directory only
        return "not written: it is read-only"
    folder = os.path.dirname(target)
    return "" if os.access(folder, os.W_OK) else f"not written: the folder {folder} is read-only"


class _RefusalError(OSError):
    """Our own reason not to write a file."""


def _replace_all(
    root: str, entry: Entry, work: Sequence[tuple[Written, bytes]], *, back: bool = False
) -> tuple[tuple[Written, ...], tuple[ApplyError, ...]]:
    """Give each file its new bytes (`back`: those from before the run): what was done, what failed."""
    done: list[Written] = []
    failed: list[ApplyError] = []
    with contextlib.suppress(OSError):
        journal.announce(root, entry)
    for file, data in work:
        expected = file.after if back else file.before
        try:
            _replace(os.path.join(root, file.path), data, expected, journal.spare_name(root, entry.id))
        except OSError as error:
            failed.append(ApplyError(file.path, _why(error)))
        else:
            done.append(file)
    for folder in journal.folders(root, done):
        journal.sync(folder)
    return tuple(done), tuple(failed)


def _replace(path: str, data: bytes, expected: str, spare_name: str) -> None:
    """Put `data` in the place of a file whose digest is `expected`. Raises OSError."""
    target = os.path.realpath(path)
    found = os.stat(target)
    mode = stat.S_IMODE(found.st_mode)
    if not os.access(target, os.W_OK):
        raise _RefusalError("not written: it is read-only")
    spare = Path(target).with_name(spare_name)
    spare.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(spare, flags, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if sys.platform != "win32":
                with contextlib.suppress(OSError):  # only the superuser gives files away
                    os.fchown(descriptor, found.st_uid, found.st_gid)
                os.fchmod(descriptor, mode)  # after fchown, which clears bits
            os.fsync(descriptor)
        _expect(target, expected)  # as late as can be
        os.replace(spare, target)
    except BaseException:
        spare.unlink(missing_ok=True)
        raise


def _ready(changes: Sequence[Change], root: str) -> tuple[list[Change], list[ApplyError]]:
    """What can be written as far as can be seen beforehand, once per file, and why not the rest."""
    ready: dict[str, Change] = {}
    errors: list[ApplyError] = []
    for change in changes:
        target = os.path.realpath(change.path)
        first = ready.get(target)
        if change.before == change.after or (first and first.after == change.after):
            continue
        try:
            if first:
                raise _RefusalError(f"not written: {first.path} is the same file, with another change")
            _expect(target, digest(change.before))
            ready[target] = change
        except OSError as error:
            errors.append(ApplyError(journal.relative(root, change.path), _why(error)))
    return list(ready.values()), errors


def _expect(path: str, expected: str) -> None:
    if digest(_read(path)) != expected:
        raise _RefusalError("not written: it has changed since it was read")


def _read(path: str) -> bytes:
    # A pipe or a device must not be opened: that could block, or do something.
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise _RefusalError("not written: it is not a regular file")
    with open(path, "rb") as file:
        return file.read()


def _why(error: OSError) -> str:
    return str(error) if isinstance(error, _RefusalError) else f"not written: {error.strerror or error}"


def _pending(place: Path, entry: Entry, root: str) -> list[tuple[Written, bytes]]:
    """(file, bytes to bring back) for each file that holds what the run wrote."""
    pending: list[tuple[Written, bytes]] = []
    changed: list[str] = []
    for file in entry.files:
        kept = place / entry.id / file.before
        try:
            now = digest(_read(os.path.join(root, file.path)))
        except OSError:
            now = ""
        if now == file.after:
            try:
                _expect(str(kept), file.before)
                pending.append((file, kept.read_bytes()))
            except OSError as error:
                raise ApplyError(str(kept), "the journal is damaged; nothing was restored") from error
        elif now != file.before:
            changed.append(file.path)
    if changed:
        others = f"; so have {', '.join(changed[1:])}" if changed[1:] else ""
        raise ApplyError(changed[0], f"has changed since run {entry.id}{others}; nothing was restored")
    return pending


__all__ = ["ApplyError", "Change", "Entry", "Written", "history", "refusal", "undo", "unstaged", "write"]
