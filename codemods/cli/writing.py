"""What the commands that write files have in common: what stops them, the journal, and the way back."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

import click

from codemods import apply
from codemods.apply import Change, Entry
from codemods.cli.session import Failure


def refuse_dirty(changes: Sequence[Change]) -> None:
    """Raises Failure where a file to be written has changes that are not staged in git."""
    dirty = apply.unstaged([change.path for change in changes])
    if dirty:
        listed = "\n".join(f"  {shown(path)}" for path in dirty)
        raise Failure(
            "nothing was written: these files have changes that are not staged\n"
            f"{listed}\ncommit or stage them, or use --allow-dirty"
        )


def journaled(changes: Sequence[Change], root: str) -> Entry:
    """Write the changes, with the command that the user gave in the journal. Raises Failure."""
    arguments = click.get_current_context().find_root().obj
    name = click.get_current_context().info_name or ""
    try:
        return apply.write(changes, root=root, command=shlex.join(["xlafix", *(arguments or [name])]))
    except apply.ApplyError as error:
        raise Failure(str(error)) from error


def undo_command(root: str) -> str:
    """The command that takes back a run of the journal in `root`."""
    return "xlafix undo" + ("" if root == os.getcwd() else f" --root {shlex.quote(root)}")


def shown(path: str) -> str:
    """An absolute path as it is seen from the current folder, if it lies in it."""
    here = os.getcwd() + os.sep
    return path[len(here) :] if path.startswith(here) else path
