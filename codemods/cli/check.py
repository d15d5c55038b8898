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
@click.option(
    "--add-ignores", is_flag=True, help="Suppress all findings for now: write a comment above each."
)
@click.option("--reason", metavar="TEXT", default="", help="What these comments say.")
@click.option("--allow-dirty", is_flag=True, help="Also write files with changes that are not staged in git.")
def command(
    paths: tuple[str, ...], output_format: str, statistics: bool, exit_zero: bool, baseline: str | None,
    write_baseline: str | None, add_ignores: bool, reason: str, allow_dirty: bool, **chosen: Any,
) -> None:  # fmt: skip
    """Report what XLA refuses to compile or compiles wrongly, in files, folders or globs (default: here).

    Findings stand under the compiled function that reaches them, silent damage first.
    Exit status: 0 no findings, 1 findings, 2 a path, the settings or xlafix itself failed.
    """
    from codemods.cli import ratchet, silence
    from codemods.cli.session import echo, open_session, paint
    from codemods.report.render import render

    if add_ignores + (baseline is not None) + (write_baseline is not None) > 1:
        raise click.UsageError("--baseline, --write-baseline and --add-ignores exclude each other")
    if not add_ignores and (reason or allow_dirty):
        raise click.UsageError("--reason and --allow-dirty go with --add-ignores")
    session = open_session(paths, **chosen)
    if add_ignores and session.stdin:
        raise click.UsageError("--add-ignores writes files; standard input is none")
    report = session.check()
    stale = ratchet.accept(session, report, baseline) if baseline is not None else []
    if write_baseline is not None:
        lines = [ratchet.write(session, report, write_baseline)]
    elif add_ignores:
        lines = silence.write(session, report, reason, allow_dirty)
    else:
        lines = render(output_format, report, session.view(report), paint, session.about, statistics)
    echo(lines)
    problems = session.problems(report)
    echo([f"xlafix: {line}" for line in [*problems, *stale]], err=True)
    wrote = add_ignores or write_baseline is not None
    found = bool(stale or report.diagnostics) and not wrote and not exit_zero
    sys.exit(2 if problems else int(found))
