"""The group of commands: one module each, imported when it is run or listed."""

from __future__ import annotations

import contextlib
import importlib
import sys
import traceback
from collections.abc import Sequence

import click

from codemods import __version__

COMMANDS = ("check", "fix", "rules", "explain", "roots", "why", "undo")


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"codemods.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Options may stand in front of the command too."""
        at = next((number for number, arg in enumerate(args) if arg in COMMANDS), 0)
        if at and args[0].startswith("-") and "--" not in args[:at]:
            args = [args[at], *args[:at], *args[at + 1 :]]
        return super().parse_args(ctx, args)


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="xlafix %(version)s")
def app() -> None:
    """Find Python that XLA refuses to compile, or compiles into wrong results, and rewrite it.

    Only code that XLA compiles is reported, with the calls that lead to it; `xlafix roots` shows where
    that starts, `xlafix why FILE:LINE` whether a line is compiled.

    \b
    Exit status:
      0  clean: nothing is left to report
      1  findings are left (with `fix --diff`: or something would change)
      2  xlafix itself failed, or a path, the settings, or writing a file
    """


def run(arguments: Sequence[str]) -> int:
    """Run the command line; the exit status."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):  # names of files need not be text
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app.main(list(arguments), prog_name="xlafix", obj=list(arguments))
    except SystemExit as stop:  # always: that is how click ends
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001  # the last resort, so that a bug never looks like findings
        traceback.print_exc(limit=-12)  # a recursion has thousands
        click.echo("xlafix: this is a bug of xlafix; no file was written by halves", err=True)
        return 2
