"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_SELECT = "Only these rules: codes, prefixes (XLA1) or names; repeat, or separate by commas."
_SCOPE = "Judge only code that XLA is seen to compile (the default), or all code."
_PREVIEW = "Also the rules that are not verified on the hardware that they speak of."
_STDIN = "The file that the text on standard input (`-`) stands for."
_FORCE = "Leave out what the setting `exclude` names, also if it is named here, as hooks and editors do."
_SEED = "The seed for random ops where the program sets none (XLA201)."
_STATISTICS = "Also show counts per rule, files per treatment, and the slowest files."

FOR_PROGRAMS = ("json", "json-lines", "sarif", "github", "gitlab")
FORMATS = ("default", "concise", "full", *FOR_PROGRAMS)


def entry(function: F) -> F:
    """Functions that the user calls compiled."""
    text = "Also take this function as compiled; `:grad` behind it says that its gradient is taken."
    return click.option("--entry", multiple=True, metavar="MODULE:FUNCTION", help=text)(function)


def analysis(function: F) -> F:
    """The paths, and what of them is judged how."""
    for option in reversed(
        (
            click.argument("paths", nargs=-1, type=click.Path()),
            click.option("--select", multiple=True, metavar="CODE", help=_SELECT),
            click.option("--ignore", multiple=True, metavar="CODE", help="Not these rules."),
            entry,
            click.option("--preview", is_flag=True, help=_PREVIEW),
            click.option("--scope", type=click.Choice(["compiled", "all"]), help=_SCOPE),
            click.option("--seed", type=int, metavar="N", help=_SEED),
            click.option("--stdin-filename", metavar="PATH", help=_STDIN),
            click.option("--force-exclude", is_flag=True, help=_FORCE),
        )
    ):  # fmt: skip
        function = option(function)
    return function


def output(function: F) -> F:
    """How findings are shown."""
    for option in reversed(
        (
            click.option("--output-format", type=click.Choice(FORMATS), default="default", show_default=True),
            click.option("--statistics", is_flag=True, help=_STATISTICS),
        )
    ):  # fmt: skip
        function = option(function)
    return function
