"""Files to write, and what became of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codemods import apply
from codemods.apply import Change

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")
root_only = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs the superuser")


def make(folder: Path, **files: bytes) -> list[Change]:
    """Files `<name>.py` and a change of each, which puts a line at its end."""
    changes = []
    for name, data in files.items():
        path = folder / f"{name}.py"
        path.write_bytes(data)
        changes.append(Change(str(path), data, data + b"# new\n"))
    return changes


def state(changes: list[Change]) -> list[str]:
    """What each file holds: "before", "after", or something else."""
    found = []
    for change in changes:
        data = Path(change.path).read_bytes()
        found.append({change.before: "before", change.after: "after"}.get(data, repr(data)))
    return found


def leftovers(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*") if "tmp" in path.name or "unfinished" in path.name)


def run_python(folder: Path, code: str) -> str:
    """What `code` prints, in a process of its own, with the names of `codemods.apply`."""
    environment = {**os.environ, "PYTHONPATH": str(Path(apply.__file__).parents[1])}
    script = f"import os, resource\nfrom codemods.apply import *\n{code}"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def writing(changes: list[Change]) -> str:
    rows = [(os.path.relpath(change.path), change.before, change.after) for change in changes]
    return f"entry = write([Change(*row) for row in {rows!r}], root='.', command='c')\nprint(*entry.errors)"


NOBODY = "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
"""Python that makes the superuser an ordinary user, for whom modes of files count."""
ORDINARY = NOBODY if hasattr(os, "geteuid") and os.geteuid() == 0 else ""
"""The same, whoever runs the tests."""


def give_away(top: Path) -> None:
    """Let a folder and all that is in it belong to the user that ORDINARY makes of us."""
    for path in (top, *top.rglob("*")):
        if ORDINARY:
            os.chown(path, 65534, 65534, follow_symlinks=False)
