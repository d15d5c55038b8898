"""`check --add-ignores`: afterwards nothing is reported, and nothing but comments was written."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from harness_cli import GROWS, HELPER, PROJECT, UNMASK, lay, snapshot, xlafix, xlafix_json

from codemods import ignoring
from codemods.edits import apply
from codemods.source import LineIndex
from codemods.suppress import parse

REASON = "until the next release"


@pytest.fixture
def here(here: Path) -> Path:
    lay(here, PROJECT | {"unmask.py": UNMASK})
    (here / "wide.py").write_bytes(("\ufeff" + GROWS).replace("\n", "\r\n").encode())
    return here


def test_nothing_is_reported_afterwards_and_undo_brings_all_back(here: Path) -> None:
    before = snapshot(here)
    found = xlafix_json("check")["diagnostics"]
    assert len(found) > 4
    done = xlafix("check", "--add-ignores", "--reason", REASON)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "0 findings left" in done.stdout or "no findings left" in done.stdout
    after = xlafix_json("check")
    assert (after["diagnostics"], after["stats"]["suppressed"]) == ([], len(found))
    for path in {row["path"] for row in found}:
        text = (here / path).read_bytes().decode().removeprefix("\ufeff")
        old = before[path].decode().removeprefix("\ufeff")
        assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(old))
        assert [line for line in text.split("\n") if REASON not in line] == old.split("\n")
    assert (here / "wide.py").read_bytes().count(b"\n") == (here / "wide.py").read_bytes().count(b"\r\n")
    assert xlafix("check", "--add-ignores").stdout == "no finding is left to suppress\n"
    assert xlafix("undo").exit_code == 0
    assert {path: data for path, data in snapshot(here).items() if path in before} == before


def test_a_comment_that_is_there_gets_the_code_too(here: Path) -> None:
    line = next(line for line in HELPER.split("\n") if "for axis" in line)
    lay(here, {"lib/helper.py": HELPER.replace(line, f"{line}  # xlafix: ignore[XLA105] why")})
    assert xlafix("check", "lib", "--add-ignores").exit_code == 0
    assert f"{line}  # xlafix: ignore[XLA105, XLA101] why" in (here / "lib" / "helper.py").read_text()


@pytest.mark.parametrize(
    "options",
    [
        ["--reason", "x"],
        ["--allow-dirty"],
        ["--add-ignores", "--write-baseline", "f"],
        ["--add-ignores", "-"],
    ],
)
def test_options_that_do_not_go_together(here: Path, options: list[str]) -> None:
    before = snapshot(here)
    assert xlafix("check", *options).exit_code == 2
    assert snapshot(here) == before


def test_a_reason_that_the_file_cannot_hold_writes_nothing(here: Path) -> None:
    (here / "latin.py").write_bytes(("# coding: latin-1\n# é\n" + GROWS).encode("latin-1"))
    before = snapshot(here)
    done = xlafix("check", "--add-ignores", "--reason", "später 🙂")
    assert done.exit_code == 2
    assert "latin.py" in done.stderr
    assert xlafix("check", "--add-ignores", "--reason", "two\nlines").exit_code == 2
    assert snapshot(here) == before


STATEMENTS = {
    "ends in a backslash": ("a = 1\nb = 1 + \\\n    f(x)\n", 3),
    "several on a line": ("if x: a = f(x); b = f(x)\n", 1),
    "decorated": ("class A:\n    @f\n    @g(\n        1)\n    def h(self): return f(x)\n", 3),
    "in a string of many lines": ('x = """\n# no comment\n""" + f(x)\n', 2),
    "after a form feed": ("\fa = f(x)\n", 1),
    "the last line without an end": ("a = 1\r\nb = f(x)", 2),
    "indented with tabs": ("if x:\n\tif y:\n\t\ta = f(\n\t\t\tx)\n", 4),
    "below a comment of its own": ("# xlafix: ignore[XLA999]\na = f(x)\n", 2),
    "in a branch": ("if x:\n    pass\nelif f(x):\n    pass\n", 3),
}


@pytest.mark.parametrize("kind", STATEMENTS)
def test_the_comment_covers_its_statement(kind: str) -> None:
    text, line = STATEMENTS[kind]
    edits = ignoring.additions(text, "m.py", {line: {"XLA101", "XLA103"}}, REASON)
    after = apply(text, edits)
    compile(after, "m.py", "exec")
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    moved = line + LineIndex(after).line_count - LineIndex(text).line_count
    covering = [one for one in parse(after, "m.py").ignores if one.covers(moved)]
    assert covering
    assert {"XLA101", "XLA103"} <= {code for one in covering for code in one.codes}


def test_lines_in_no_statement_are_left_out() -> None:
    assert ignoring.additions("# only a comment\n", "m.py", {1: {"XLA101"}}, "") == []
    assert ignoring.additions("def f(:\n", "m.py", {1: {"XLA101"}}, "") == []
