"""The journal of `xlafix fix`: what files held before each run, so that it can be undone.

`<root>/.xlafix/journal/<id>/` holds `entry.json` and, named by digest, the bytes from before. An entry
appears in one step, with everything in it safe on the disk; what is damaged is never trusted.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from codemods.source import digest

if sys.platform != "win32":
    import fcntl

_ENTRY = "entry.json"
_UNFINISHED = "unfinished"  # a journal entry that is being made


class ApplyError(Exception):
    """A file that cannot be written or restored, or the journal. message: without the path."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(path, message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class Written(NamedTuple):
    """A file of a run. before, after: SHA-256, hexadecimal."""

    path: str
    before: str
    after: str


@dataclass(frozen=True)
class Entry:
    """One run of `write`, or what `undo` did about it.

    id: its number in the journal, "" where nothing was written; time: ISO 8601, UTC; files: what was
    written (restored, for `undo`), with paths relative to the root where they lie below it, as in
    errors; undone: whether `undo` has finished with it.
    """

    id: str
    time: str
    command: str
    files: tuple[Written, ...]
    errors: tuple[ApplyError, ...] = ()
    undone: bool = False


def history(root: str) -> list[Entry]:
    """The runs in the journal of `root`, newest first; what is damaged is left out.

    Of a run that was cut short, `files` are all that it was going to write.
    """
    journal = place(root)
    loaded = (_load(journal, number) for number in sorted(ids(journal), reverse=True))
    return [entry for entry in loaded if entry is not None]


def relative(root: str, path: str) -> str:
    """A path as entries hold it: relative to the root, where it lies below it."""
    base, full = Path(os.path.abspath(root)), Path(os.path.abspath(path))
    return full.relative_to(base).as_posix() if full.is_relative_to(base) else str(full)


def folders(root: str, files: Iterable[Written]) -> list[str]:
    """The real folders of the files of an entry."""
    return sorted({os.path.dirname(os.path.realpath(os.path.join(root, file.path))) for file in files})


def place(root: str) -> Path:
    """The folder of the journal."""
    return Path(os.path.abspath(root), ".xlafix", "journal")


def ids(journal: Path) -> list[int]:
    """The numbers of all entries."""
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir(journal) if name.isdecimal()]
    return []


def spare_name(root: str, id: str) -> str:  # noqa: A002
    """What a file is called before it takes the place of another."""
    # Its own name for each root, since the lock of one does not bind another.
    return f".xlafix-{digest(os.fsencode(os.path.abspath(root)))[:8]}-{id}.tmp"


@contextlib.contextmanager
def opened(root: str) -> Iterator[Path]:
    """The journal of `root`, made if need be, ours alone, and without what a killed run left."""
    journal = place(root)
    try:
        journal.parent.mkdir(exist_ok=True)  # but not the root
        journal.mkdir(exist_ok=True)
        ignore = journal.parent / ".gitignore"
        if not ignore.exists() or not ignore.read_bytes():
            ignore.write_bytes(b"*\n")
        lock = os.open(journal / "lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise ApplyError(str(journal), _why(error)) from error
    try:
        if sys.platform != "win32":
            with contextlib.suppress(OSError):  # some network file systems have no locks
                fcntl.flock(lock, fcntl.LOCK_EX)
        _sweep(journal, root)
        yield journal
    finally:
        os.close(lock)


def _sweep(journal: Path, root: str) -> None:
    """Remove the temporary file of a run that was killed; the lock names the last run."""
    with contextlib.suppress(OSError, ValueError):
        entry = _load(journal, int((journal / "lock").read_text()))
        if entry:
            for folder in folders(root, entry.files):
                Path(folder, spare_name(root, entry.id)).unlink(missing_ok=True)


def record(journal: Path, entry: Entry, contents: Sequence[bytes]) -> None:
    """Make the entry appear in one step, with everything in it safe on the disk.

    contents: what each of its files holds now. Raises ApplyError, and leaves nothing.
    """
    folder = journal / _UNFINISHED
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir()
        for file, data in zip(entry.files, contents, strict=True):
            _durable(folder / file.before, data)
        save(folder, entry)
        sync(folder)
        os.rename(folder, journal / entry.id)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise ApplyError(str(journal), _why(error)) from error
    sync(journal)


def discard(journal: Path, entry: Entry) -> None:
    """Forget an entry of a run that wrote nothing."""
    shutil.rmtree(journal / entry.id, ignore_errors=True)


def announce(root: str, entry: Entry) -> None:
    """Tell the next run which one is at work, in case that this one is killed. Raises OSError."""
    (place(root) / "lock").write_text(entry.id)


def save(folder: Path, entry: Entry) -> None:
    """Put the facts of an entry into its folder, in one step. Raises OSError."""
    errors = [(error.path, error.message) for error in entry.errors]
    fields = {"time": entry.time, "command": entry.command, "files": entry.files}
    data = json.dumps({**fields, "errors": errors, "undone": entry.undone}, indent=1)
    _durable(folder / (_ENTRY + ".new"), data.encode("ascii"))
    os.replace(folder / (_ENTRY + ".new"), folder / _ENTRY)


def _load(journal: Path, id: int) -> Entry | None:  # noqa: A002
    """The entry, or None where it is damaged."""
    try:
        found = json.loads((journal / str(id) / _ENTRY).read_bytes())
        files = tuple(Written(str(path), str(before), str(after)) for path, before, after in found["files"])
        errors = tuple(ApplyError(str(path), str(message)) for path, message in found["errors"])
        return Entry(str(id), str(found["time"]), str(found["command"]), files, errors, bool(found["undone"]))
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _durable(path: Path, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(folder: str | Path) -> None:
    """Make what a folder lists safe on the disk."""
    # Not every system can sync a directory; then a power cut, not a kill, may undo a rename.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _why(error: OSError) -> str:
    return f"not written: {error.strerror or error}"
