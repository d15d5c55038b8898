"""`--baseline` and `--write-baseline`: what of a report is accepted, and what the file says too much."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING

from codemods import baseline, settings as settings_module
from codemods.baseline import Entry
from codemods.cli.session import Failure, Session
from codemods.report.phrases import counted

if TYPE_CHECKING:
    from codemods.engine import Report


def accept(session: Session, report: Report, path: str) -> list[str]:
    """Take the accepted findings out of a report; a line for each stale entry. Raises Failure."""
    entries = _load(path)
    spelled = _names(session, path)
    new, rest = baseline.compare(report.diagnostics, entries, spelled)
    report.accepted += len(report.diagnostics) - len(new)
    report.diagnostics[:] = new
    judged = _judged(session, path)
    stale = [entry for entry in rest if judged(entry)]
    lines = [
        f"{path}: {entry.path} {entry.code} is no longer found"
        + (f", {entry.count} times" if entry.count > 1 else "")
        + (f": {entry.message}" if entry.message else "")
        for entry in stale
    ]
    return [*lines, f"to forget what is gone: --write-baseline {path}"] if lines else []


def write(session: Session, report: Report, path: str) -> str:
    """Accept what was found, keep the entries of what was not judged; a line that says so. Raises Failure."""
    spelled = _names(session, path)
    judged = _judged(session, path)
    kept = [entry for entry in _load(path) if not judged(entry)] if os.path.exists(path) else []
    entries = [*kept, *baseline.entries_of(report.diagnostics, spelled)]
    folder = os.path.dirname(os.path.abspath(path))
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=folder, prefix=".xlafix-", delete=False
        ) as file:
            file.write(baseline.dump(entries))
        os.chmod(file.name, 0o666 & ~_mask())
        os.replace(file.name, path)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror or error}") from error
    return f"{path} accepts {counted(sum(entry.count for entry in entries), 'finding')}"


def _load(path: str) -> list[Entry]:
    try:
        with open(path, encoding="utf-8") as file:
            return baseline.load(file.read())
    except FileNotFoundError as error:
        raise Failure(f"{path}: there is no such file; --write-baseline {path} makes it") from error
    except OSError as error:
        raise Failure(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise Failure(f"{path}: is not UTF-8") from error
    except baseline.BaselineError as error:
        raise Failure(f"{path}: {error}") from error


def _names(session: Session, path: str) -> baseline.Name:
    """Paths from the folder of the file, with slashes: the same wherever the command runs."""
    folder = os.path.dirname(os.path.abspath(path))
    absolute = session.workspace.files.absolute
    return lambda name: os.path.relpath(absolute(name), folder).replace(os.sep, "/")


def _judged(session: Session, path: str) -> Callable[[Entry], bool]:
    """Could this run find an entry again? A file that is gone counts; one that was not named does not."""
    folder = os.path.dirname(os.path.abspath(path))
    named, name = set(session.workspace.paths), session.workspace.files.name

    def judged(entry: Entry) -> bool:
        if not settings_module.enabled(session.settings, entry.code):
            return False
        full = os.path.normpath(os.path.join(folder, entry.path))
        return not os.path.exists(full) or name(full) in named

    return judged


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
