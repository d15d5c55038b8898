"""`xlafix roots`: where compiled code starts, and what is reached from there."""

from __future__ import annotations

import sys

import click

from codemods.cli import options


@click.command("roots", short_help="Show which functions XLA compiles.")
@click.argument("paths", nargs=-1, type=click.Path())
@options.entry
@click.option("--calls", is_flag=True, help="Also list the calls that could not be followed.")
@click.option("--output-format", type=click.Choice(["default", "json"]), default="default", show_default=True)
def command(paths: tuple[str, ...], entry: tuple[str, ...], calls: bool, output_format: str) -> None:
    """Show the functions that XLA compiles: where that is asked for, how certain it is, what they reach.

    Given paths, only roots in them; callers and callees of the whole project count.
    """
    from codemods.cli.session import echo, open_session, paint
    from codemods.report import reach

    session = open_session(paths, entry=entry)
    report = session.look()
    view = session.view(report)
    wanted = set(session.workspace.paths) if paths else None
    if output_format == "json":
        echo([reach.roots_json(report, view, wanted)])
    else:
        echo(reach.roots(report, view, paint, wanted, calls))
    problems = session.problems(report)
    echo([f"xlafix: {line}" for line in problems], err=True)
    sys.exit(2 if problems else 0)
