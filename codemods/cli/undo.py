"""`xlafix undo`: the way back."""

from __future__ import annotations

import os
import shlex
import sys

import click


@click.command("undo", short_help="Bring back what files held before a fix.")
@click.argument("run", required=False, metavar="[RUN]")
@click.option("--list", "listing", is_flag=True, help="Only list the runs, newest first.")
@click.option(
    "--root",
    type=click.Path(file_okay=False),
    help="The folder with the journal (.xlafix); default: upwards from here.",
)
def command(run: str | None, listing: bool, root: str | None) -> None:
    """Restore the files of the last `xlafix fix`, or of RUN, as they were before it.

    Only what `fix` wrote is restored: where a file has changed since, nothing is touched.
    Exit status: 0 restored (or listed), 2 not.
    """
    from codemods.apply import ApplyError, history, undo
    from codemods.cli.session import Failure, echo, paint

    folder = os.path.abspath(root) if root else _nearest()
    if listing:
        lines = []
        for entry in history(folder):
            state = "  undone" if entry.undone else ""
            files = f"{len(entry.files)} file{'' if len(entry.files) == 1 else 's'}"
            number, by = paint(entry.id.rjust(4), "bold"), paint(entry.command, "dim")
            lines.append(f"{number}  {entry.time}  {files}{state}  {by}")
            lines += [f"        {written.path}" for written in entry.files]
        echo(lines or [f"no runs in {folder}"])
        return
    try:
        entry = undo(folder, run)
    except ApplyError as error:
        raise Failure(str(error)) from error
    where = "" if root is None else f" --root {shlex.quote(root)}"
    echo(f"restored {written.path}" for written in entry.files)
    if entry.errors:
        echo(
            [f"xlafix: {str(error).replace('not written', 'not restored')}" for error in entry.errors],
            err=True,
        )
        sys.exit(2)
    echo([f"Run {entry.id} ({entry.command}) is undone. Earlier ones: xlafix undo{where} --list"])


def _nearest() -> str:
    """The nearest folder upwards that has a journal; else the root of the project here."""
    from codemods.project import find_root

    here = os.getcwd()
    folder = here
    while True:
        if os.path.isdir(os.path.join(folder, ".xlafix", "journal")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return find_root([here]).folder
        folder = parent
