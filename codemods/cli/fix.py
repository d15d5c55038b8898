"""`xlafix fix`: apply what may be applied, and say what was done and what is left."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from codemods.cli import options

if TYPE_CHECKING:
    from codemods.apply import Change, Entry
    from codemods.cli.session import Session
    from codemods.engine import Allow, FixResult


@click.command("fix", short_help="Rewrite the code, with a journal to undo it.")
@options.analysis
@options.output
@click.option("--diff", is_flag=True, help="Only print what would change, as a patch; write nothing.")
@click.option(
    "--unsafe-fixes",
    is_flag=True,
    help="Also apply fixes that are right only under an assumption, which they state.",
)
@click.option(
    "--choose",
    multiple=True,
    metavar="CODE=KEY",
    help="Apply this alternative of a rule, also one that is a choice of intent; repeat for several rules.",
)
@click.option("--allow-dirty", is_flag=True, help="Also write files with changes that are not staged in git.")
@click.option(
    "--commit-per-rule", is_flag=True, help="Commit the fixes to git, those of each rule by itself."
)
def command(
    paths: tuple[str, ...], output_format: str, statistics: bool, diff: bool, unsafe_fixes: bool,
    choose: tuple[str, ...], allow_dirty: bool, commit_per_rule: bool, **chosen: Any,
) -> None:  # fmt: skip
    """Apply safe fixes in files, folders or globs (default: here), until none is left.

    With `-` the text on standard input is fixed and written to standard output. What files held before
    is kept: `xlafix undo` brings it back.

    Exit status: 0 nothing is left to report, 1 findings are left (with --diff: or files would change),
    2 a path, the settings, a file that could not be written, or xlafix itself failed.
    """
    from codemods.cli import frozen
    from codemods.cli.session import echo, open_session
    from codemods.engine import Allow

    choices = _choices(choose)
    chosen["preview"] = chosen["preview"] or _is_preview(choices)
    session = open_session(paths, **chosen)
    allow = Allow(unsafe_fixes, choices, frozen.files(session, diff))
    if commit_per_rule:
        result = _committed(session, allow, diff or allow_dirty)
    else:
        result = session.fix(allow)
    blocked = frozen.blocked(session, result, allow)
    asked = [" --unsafe-fixes"] * unsafe_fixes + [f" --choose {shlex.quote(one)}" for one in choose]
    run = _Run(session, result, output_format, statistics, "".join(asked))
    if session.stdin:
        run.stream(diff)
    elif diff:
        run.show()
    else:
        run.write(allow_dirty)
    problems = [*session.problems(result.report), *run.problems]
    problems += _unoffered(choices, result)
    if session.stdin:  # nothing went wrong: such findings are left, like others without a fix
        echo([f"xlafix: {line}" for line in blocked], err=True)
    else:
        problems += blocked
    echo([f"xlafix: {line}" for line in problems], err=True)
    left = bool(result.report.diagnostics) or (diff and bool(result.changes))
    sys.exit(2 if problems else 1 if left else 0)


def _committed(session: Session, allow: Allow, unfit: bool) -> FixResult:
    """What is left after the commits. unfit: options were given that say the opposite."""
    from codemods.cli import commits
    from codemods.cli.session import echo

    if unfit or session.stdin:
        raise click.UsageError("--commit-per-rule goes with none of --diff, --allow-dirty and standard input")
    result, lines = commits.run(session, allow)
    echo(lines, err=True)
    return result


class _Run:
    """What is done with one result, and how it is told. problems: reasons for exit status 2.

    asked: the options that said which fixes to apply, to repeat them.
    """

    def __init__(
        self, session: Session, result: FixResult, output_format: str, statistics: bool, asked: str
    ) -> None:
        self._asked = asked
        self._session = session
        self._result = result
        self._format = output_format
        self._for_programs = output_format in options.FOR_PROGRAMS  # then nothing else is printed
        self._statistics = statistics
        self._stale = False
        self.problems: list[str] = []
        self._changes = changes(session, result)

    def write(self, allow_dirty: bool) -> None:
        """Write the changes, if none of the files has changes of its own."""
        from codemods.cli import writing

        kept = list(self._changes.values())
        if not allow_dirty:
            writing.refuse_dirty(kept)
        entry: Entry | None = None
        root = self._session.workspace.journal_root
        if kept:
            entry = self._settled(writing.journaled(kept, root), root)
        self._tell(entry, root)

    def show(self) -> None:
        """The patch on standard output, the rest on standard error."""
        self._tell(None, "", patch=True)

    def stream(self, diff: bool) -> None:
        """The text of standard input, fixed, on standard output; nothing is written to files."""
        name = self._session.stdin
        if self._for_programs or diff:
            self._tell(None, "", patch=True)
            return
        original = self._session.workspace.files.raw(name)
        change = self._changes.get(name)
        sys.stdout.buffer.write(change.after if change else original)
        self._tell(None, "", err=True)

    # files that could not be written after all

    def _settled(self, entry: Entry, root: str) -> Entry:
        """After failures: take back the run where half of something that belongs together was written."""
        from codemods import apply
        from codemods.cli import writing

        if not entry.errors:
            return entry
        self.problems += [
            f"{writing.shown(os.path.join(root, error.path))}: {error.message}" for error in entry.errors
        ]
        name = self._session.workspace.files.name
        lost = _together([name(os.path.join(root, error.path)) for error in entry.errors], self._result)
        if not lost & {name(os.path.join(root, file.path)) for file in entry.files}:
            self._forget(lost)
            return entry
        self._forget(self._changes)
        try:
            back = apply.undo(root, entry.id)
        except apply.ApplyError as error:
            self.problems.append(str(error))
            return entry
        self.problems += [str(error) for error in back.errors]
        self.problems.append("everything was taken back: the fixes of these files need each other")
        return apply.Entry("", entry.time, entry.command, ())

    def _forget(self, names: Iterable[str]) -> None:
        """Some files were not written after all: what is left is judged anew."""
        from codemods.edits import fix_edits

        gone = set(names)
        kept = [
            one for one in self._result.applied if gone.isdisjoint(edit.path for edit in fix_edits(one.fix))
        ]
        self._result.applied[:] = kept
        for name in gone:
            self._result.changes.pop(name, None)
        self._stale = True

    # telling

    def _tell(self, entry: Entry | None, root: str, patch: bool = False, err: bool = False) -> None:
        from codemods.cli import writing
        from codemods.cli.session import echo, paint
        from codemods.report import fixed
        from codemods.report.render import render

        session, result = self._session, self._result
        if self._stale:
            result.report = session.recheck()
            result.hidden_unsafe = 0
        after = session.view(result.report)
        if self._for_programs:
            more = fixed.document(result, after, entry.id if entry is not None else None)
            if patch:
                more["diffs"] = {self._path(n): d.decode("utf-8", "replace") for n, d in self._patches()}
            if session.stdin and session.stdin in result.changes:
                more["text"] = result.changes[session.stdin]
            echo(render(self._format, result.report, after, paint, session.about, self._statistics, more))
            return
        if patch:
            _write_patch([data for _, data in self._patches()])
        head = fixed.applied(result, after, paint, would=patch)
        undo = writing.undo_command(root) if entry is not None and entry.id else ""
        run = entry.id if entry is not None else ""
        end = fixed.closing(result, after, session.about, undo, patch, run, self._asked)
        echo(
            render(
                self._format, result.report, after, paint, session.about, self._statistics, None, head, end
            ),
            err or patch,
        )

    def _path(self, name: str) -> str:
        return self._session.view(self._result.report).path(name)

    def _patches(self) -> list[tuple[str, bytes]]:
        from codemods.edits import unified_diff

        return [
            (name, unified_diff(self._path(name).replace(os.sep, "/"), change.before, change.after))
            for name, change in sorted(self._changes.items())
            if name in self._result.changes
        ]


def changes(session: Session, result: FixResult) -> dict[str, Change]:
    """The engine's name of each file to write -> its bytes before and after."""
    from codemods import source
    from codemods.apply import Change
    from codemods.cli import writing
    from codemods.cli.session import Failure
    from codemods.notebook import NotebookError

    files = session.workspace.files
    changes = {}
    for name, text in sorted(result.changes.items()):
        before = files.raw(name)
        try:
            after = files.written(name, source.encode(source.decode(name, files.read(name)), text))
        except NotebookError as error:
            raise Failure(f"{writing.shown(files.absolute(name))}: {error}") from error
        if after != before:
            changes[name] = Change(files.absolute(name), before, after)
    return changes


def _together(names: Iterable[str], result: FixResult) -> set[str]:
    """The files that must be written with `names` or not at all.

    Files hang together by a fix that edits both, and by a compiled function that reaches fixes in both:
    there one fix may be right only because of the other (no silent damage behind a mended error).
    """
    from codemods.edits import fix_edits

    bundles = []
    for one in result.applied:
        files = {edit.path for edit in fix_edits(one.fix)}
        bundles.append(files | {f"root {chain.root}" for chain in one.diagnostic.chains})
    found = set(names)
    grown = True
    while grown:
        grown = False
        for bundle in bundles:
            if bundle & found and not bundle <= found:
                found |= bundle
                grown = True
    return {name for name in found if not name.startswith("root ")}


def _choices(values: Sequence[str]) -> dict[str, str]:
    from codemods.cli.session import codes

    found = {}
    for value in values:
        code, equals, key = value.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"--choose: `{value}` is not CODE=KEY, such as XLA102=back-prop-false")
        found.update(dict.fromkeys(codes([code], "--choose"), key.strip()))
    return found


def _is_preview(choices: Mapping[str, str]) -> bool:
    """Does a choice ask for a rule that is off otherwise?"""
    from codemods.registry import RULES

    return any(rule.preview and rule.code in choices for rule in RULES)


def _unoffered(choices: Mapping[str, str], result: FixResult) -> list[str]:
    """Choices that nothing offered: a typing error must not pass for "nothing to fix"."""
    lines = []
    for code, key in choices.items():
        done = any(one.diagnostic.code == code and one.fix.key == key for one in result.applied)
        keys = sorted({fix.key for d in result.report.diagnostics if d.code == code for fix in d.fixes})
        if not done and key not in keys and keys:
            lines.append(f"--choose {code}={key}: no finding offers that; there are: {', '.join(keys)}")
    return lines


def _write_patch(patches: Sequence[bytes]) -> None:
    """Byte for byte where it goes to a file or a pipe; in colours on a terminal."""
    from codemods.cli.session import echo, paint

    data = b"".join(patches)
    if not data:
        return
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        roles = {"+": "good", "-": "bad", "@": "code", "d": "bold"}
        rows = data.decode("utf-8", "replace").rstrip("\n").split("\n")
        echo(paint(row, roles[row[0]]) if row[:1] in roles else row for row in rows)
        return
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
