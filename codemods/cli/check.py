"""`xlafix check`: what is wrong, and what could be done about it."""

from __future__ import annotations

import sys
from typing import Any

import click

from codemods.cli import options


@click.command("check", short_help="Report what XLA refuses to compile or compiles wrongly.")
@options.analysis
@options.output
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also where there are findings.")
def command(
    paths: tuple[str, ...], output_format: str, statistics: bool, exit_zero: bool, **chosen: Any
) -> None:
    """Report what XLA refuses to compile or compiles wrongly, in files, folders or globs (default: here).

    Findings stand under the compiled function that reaches them, silent damage first.
    Exit status: 0 no findings, 1 findings, 2 a path, the settings or xlafix itself failed.
    """
    from codemods.cli.session import echo, open_session, paint
    from codemods.report.render import render

    session = open_session(paths, **chosen)
    report = session.check()
    echo(render(output_format, report, session.view(report), paint, session.about, statistics))
    problems = session.problems(report)
    echo([f"xlafix: {line}" for line in problems], err=True)
    sys.exit(2 if problems else 1 if report.diagnostics and not exit_zero else 0)
