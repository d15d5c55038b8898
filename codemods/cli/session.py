"""From the options of a command to a project, its settings, and a report; and to the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from codemods import notebook, project as project_module, settings as settings_module
from codemods.files import DiskFiles
from codemods.project import Workspace
from codemods.settings import Settings, SettingsError

if TYPE_CHECKING:
    from codemods.analysis.index import Project
    from codemods.engine import Allow, FixResult, Report
    from codemods.model import Diagnostic
    from codemods.report.render import About
    from codemods.report.view import View

STDIN = "-"


class Failure(click.ClickException):
    """Something that ends a command with exit status 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"xlafix: {self.message}", file=file, err=True)


@dataclass(eq=False)
class Session:
    """An opened project. stdin: what the engine calls the text of standard input, or "".

    repeat: the paths and options to give again for the same files and the same scope.
    """

    workspace: Workspace
    settings: Settings
    stdin: str
    repeat: str

    @property
    def filtered(self) -> bool:
        return os.environ.get("XLAFIX_NO_FILTER", "") in ("", "0")

    def check(self) -> Report:
        return self._checked(self.workspace.files)

    def recheck(self) -> Report:
        """The same for what the files hold now."""
        return self._checked(self.workspace.files.afresh())

    def _checked(self, files: DiskFiles) -> Report:
        from codemods import engine

        report = engine.check(files, self.settings, self.workspace.paths, self.filtered)
        return self._with_problems(report)

    def look(self) -> Report:
        """A report about what is compiled, without findings."""
        from codemods import engine

        return engine.check(self.workspace.files, self.settings, (), self.filtered)

    def fix(self, allow: Allow) -> FixResult:
        from codemods import engine

        space = self.workspace
        result = engine.fix(space.files, self.settings, space.paths, allow, self.filtered)
        self._with_problems(result.report)
        return result

    def view(self, report: Report) -> View:
        return self.view_of(report.project)

    def view_of(self, project: Project) -> View:
        from codemods.report.view import View

        files = self.workspace.files
        return View(project, files.base, os.getcwd(), files.books)

    @property
    def about(self) -> About:
        from codemods.report.render import About

        return About(self.repeat, self.settings.scope, self.workspace.narrowed)

    def problems(self, report: Report) -> list[str]:
        """What the user named and cannot be had, one line each: reasons for exit status 2."""
        lines = [f"{problem.path}: {problem.message}" for problem in self.workspace.problems if problem.given]
        lines += [f"--entry {name}: no such function in the project" for name in report.missing_entries]
        return lines

    def _with_problems(self, report: Report) -> Report:
        """The report with XLA001 for what could not be looked into."""
        from codemods.model import Consequence, Diagnostic, Reason, Span
        from codemods.registry import TOOL_CODES

        code, kind = "XLA001", Consequence.TOOL
        name, reason = TOOL_CODES[code][0], (Reason("none", "it was not examined"),)
        problems = self.workspace.problems if settings_module.enabled(self.settings, code) else []
        for problem in problems:
            if not problem.given:
                span = Span(self.workspace.files.name(problem.path), 0, 0)
                found = Diagnostic(code, name, kind, problem.message, span, unavailable=reason)
                report.diagnostics.append(found)
        report.diagnostics[:] = [_in_cells(one, report) for one in report.diagnostics]
        report.diagnostics.sort(key=lambda diagnostic: diagnostic.sort_key)
        return report


def _in_cells(one: Diagnostic, report: Report) -> Diagnostic:
    """A finding in a notebook speaks of the lines of cells."""
    module = report.project.parsed().get(one.span.path) if one.span.path.endswith(notebook.SUFFIX) else None
    if module is None:
        return one
    starts = notebook.cells(module.source.text)
    return replace(
        one,
        message=notebook.said(one.message, starts),
        fixes=tuple(replace(fix, note=notebook.said(fix.note, starts)) for fix in one.fixes),
        unavailable=tuple(replace(r, why=notebook.said(r.why, starts)) for r in one.unavailable),
    )


def open_session(
    paths: Sequence[str],
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    entry: Sequence[str] = (),
    preview: bool = False,
    scope: str | None = None,
    seed: int | None = None,
    stdin_filename: str | None = None,
    force_exclude: bool = False,
) -> Session:
    """Open what the user named. Raises Failure and click.UsageError."""
    stdin: tuple[str, bytes] | None = None
    named = list(paths) or [os.curdir]
    if STDIN in named:
        if len(named) > 1:
            raise click.UsageError("`-` (standard input) cannot be combined with other paths")
        stdin = (stdin_filename or "<stdin>", sys.stdin.buffer.read())
        named = []
    elif stdin_filename is not None:
        raise click.UsageError("--stdin-filename goes with `-` (standard input)")
    root = project_module.find_root([os.path.abspath(stdin[0])] if stdin else named)
    try:
        settings = settings_module.load(root.folder)
        if entry:
            settings_module.from_table({"entry-points": list(entry)}, "--entry")
        if seed is not None:
            settings_module.from_table({"seed": seed}, "--seed")
    except SettingsError as error:
        message = error.message
        for option, key in (("--entry", "entry-points"), ("--seed", "seed")):
            if error.path == option:
                message = message.replace(f"`tool.xlafix.{key}`", "").lstrip(": ")
        raise Failure(f"{error.path}: {message}") from error
    changed: dict[str, Any] = {
        "select": tuple(codes(select, "--select")) or settings.select,
        "ignore": (*settings.ignore, *codes(ignore, "--ignore")),
        "entry_points": (*settings.entry_points, *entry),
        "scope": scope or settings.scope,
        "preview": preview or settings.preview,
        "seed": settings.seed if seed is None else seed,
    }
    from codemods import pins

    if settings.jax_version is None and (found := pins.jax(root.folder)) is not None:
        changed["jax_version"], changed["jax_from"] = found.version, found.how
    settings = replace(settings, **changed)
    space = project_module.open_workspace(
        named, settings, root, stdin if stdin_filename or not stdin else None, force_exclude
    )
    if stdin is not None and stdin_filename is None:  # it belongs to no project
        files = DiskFiles(os.getcwd(), (), {os.path.abspath(stdin[0]): stdin[1]})
        space = Workspace(root, files, list(files.paths()), [])
    # The engine asks about paths relative to the base.
    settings = replace(settings, root="" if space.files.base == settings.root else settings.root)
    again = [quoted(path) for path in paths if path != os.curdir]
    again += [f"--scope {scope}"] if scope else []
    again += ["--preview"] if preview else []
    again += ["--force-exclude"] if force_exclude else []
    again += [f"--seed {seed}"] if seed is not None else []
    again += [f"--entry {quoted(one)}" for one in entry]
    again += [f"--select {quoted(one)}" for one in select] + [f"--ignore {quoted(one)}" for one in ignore]
    name = space.files.name(os.path.abspath(stdin[0])) if stdin is not None else ""
    return Session(space, settings, name, "".join(f" {word}" for word in again))


def codes(values: Iterable[str], option: str) -> list[str]:
    """Codes and prefixes from an option; a name of a rule becomes its code. Raises click.UsageError."""
    from codemods.registry import RULES, TOOL_CODES, by_code

    known = [rule.code for rule in RULES] + list(TOOL_CODES)
    found = []
    for value in (part.strip() for text in values for part in text.split(",")):
        rule = by_code(value)
        code = rule.code if rule is not None else value.upper()
        if not value:
            continue
        if problem := settings_module.code_problem(code):
            raise click.UsageError(f"{option}: {problem.replace(code, value)}")
        if code != "ALL" and not any(one.startswith(code) for one in known):
            raise click.UsageError(f"{option}: no rule is called {value}; `xlafix rules` lists them")
        found.append(code)
    return found


def quoted(word: str) -> str:
    import shlex

    return shlex.quote(word)


def paint(text: str, role: str) -> str:
    """Colour for a terminal; click takes it out elsewhere (see `echo`)."""
    style = _STYLES[role]
    return click.style(text, **style)


_STYLES: dict[str, dict[str, Any]] = {
    "bold": {"bold": True},
    "dim": {"dim": True},
    "bad": {"fg": "red", "bold": True},
    "warn": {"fg": "yellow"},
    "good": {"fg": "green"},
    "code": {"fg": "cyan"},
}


def echo(lines: Iterable[str], err: bool = False) -> None:
    """Print lines; without colours if that is no terminal, or NO_COLOR is set."""
    colour = False if os.environ.get("NO_COLOR") else None
    text = "\n".join(lines)
    if text:
        click.echo(text, err=err, color=colour)
