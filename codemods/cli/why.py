"""`xlafix why`: is this line compiled, and by whom?"""

from __future__ import annotations

import os
import re
import sys

import click

from codemods.cli import options


@click.command("why", short_help="Tell whether a line is compiled, and why.")
@click.argument("place", metavar="PATH:LINE")
@options.entry
def command(place: str, entry: tuple[str, ...]) -> None:
    """Tell whether XLA compiles the function at PATH:LINE: the calls that lead there, outermost first.

    Also: whether a derivative is taken there, and which of its calls could not be followed. If nothing
    compiled is seen to reach it: who calls it.
    """
    from codemods.cli.session import Failure, echo, open_session, paint
    from codemods.report import reach

    match = re.fullmatch(r"(.+?):(\d+)(?::\d+)?:?", place)
    if match is None:
        raise click.UsageError(f"`{place}` is not PATH:LINE, such as model.py:44")
    path, line = match[1], int(match[2])
    if not os.path.isfile(path):
        raise Failure(f"{path}: no such file")
    session = open_session([path], entry=entry)
    report = session.look()
    name = session.workspace.paths[0]
    module = report.project.module(name)
    if module is None:
        raise Failure(f"{path}: {report.project.problems[name][1]}")
    if not 1 <= line <= module.lines.line_count:
        raise Failure(f"{path} has {module.lines.line_count} lines, not {line}")
    echo(reach.why(report, session.view(report), paint, module, line))
    problems = session.problems(report)
    echo([f"xlafix: {one}" for one in problems], err=True)
    sys.exit(2 if problems else 0)
