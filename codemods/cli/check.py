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
@click.option(
    "--baseline",
    type=click.Path(),
    metavar="FILE",
    help="Fail only on findings that FILE does not accept, and on entries of it that are no longer found.",
)
@click.option(
    "--write-baseline", type=click.Path(), metavar="FILE", help="Accept all findings for now: write FILE."
)
def command(
    paths: tuple[str, ...], output_format: str, statistics: bool, exit_zero: bool, baseline: str | None,
    write_baseline: str | None, **chosen: Any,
) -> None:  # fmt: skip
    """Report what XLA refuses to compile or compiles wrongly, in files, folders or globs (default: here).

    Findings stand under the compiled function that reaches them, silent damage first.
    Exit status: 0 no findings, 1 findings, 2 a path, the settings or xlafix itself failed.
    """
    from codemods.cli import ratchet
    from codemods.cli.session import echo, open_session, paint
    from codemods.report.render import render

    if baseline is not None and write_baseline is not None:
        raise click.UsageError("--baseline and --write-baseline exclude each other")
    session = open_session(paths, **chosen)
    report = session.check()
    stale: list[str] = []
    if write_baseline is not None:
        done = ratchet.write(session, report, write_baseline)
        problems = session.problems(report)
        echo([f"xlafix: {line}" for line in problems], err=True)
        echo([done])
        sys.exit(2 if problems else 0)
    if baseline is not None:
        stale = ratchet.accept(session, report, baseline)
    echo(render(output_format, report, session.view(report), paint, session.about, statistics))
    problems = session.problems(report)
    echo([f"xlafix: {line}" for line in [*problems, *stale]], err=True)
    sys.exit(2 if problems else 1 if (report.diagnostics or stale) and not exit_zero else 0)
