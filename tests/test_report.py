"""How single findings are told: places, excerpts, reasons, counts, JSON."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from codemods import engine
from codemods.analysis.index import Project
from codemods.model import Chain, Consequence, Diagnostic, Edit, Fix, Need, Reason, Related, Safety, Span
from codemods.report import machine, phrases, text
from codemods.report.full import full
from codemods.report.view import View
from codemods.source import Source, decode

CODE = "def f(x):\n\treturn naïve🙂(x)  # call\r\nlast = 1"


def plain(words: str, _role: str) -> str:
    return words


def opened(
    base: str = "/base", here: str = "/base", path: str = "pkg/a.py", data: bytes | None = None
) -> View:
    return View(project({path: CODE.encode() if data is None else data}), base, here)


def project(files: dict[str, bytes]) -> Project:
    class Given:
        def paths(self) -> list[str]:
            return list(files)

        def read(self, path: str) -> bytes:
            return files[path]

    return Project(Given(), decode)


def finding(**changes: object) -> Diagnostic:
    start = CODE.index("naï")
    fix = Fix("Do it", "way", (Edit("pkg/a.py", start, start + 6, "g"),), Safety.SAFE)
    one = Diagnostic(
        "XLA999", "some-rule", Consequence.ERROR, "it fails", Span("pkg/a.py", start, start + 9), (fix,)
    )
    return dataclasses.replace(one, **changes)  # type: ignore[arg-type]


# --- places


@pytest.mark.parametrize(
    ("base", "here", "name", "shown"),
    [
        ("/base", "/base", "pkg/a.py", "pkg/a.py"),
        ("/base", "/base/pkg", "pkg/a.py", "a.py"),
        ("/base", "/base/pk", "pkg/a.py", "/base/pkg/a.py"),
        ("/base", "/other", "pkg/a.py", "/base/pkg/a.py"),
        ("/base", "/", "pkg/a.py", "base/pkg/a.py"),
        ("/base", "/base", "/out/b.py", "/out/b.py"),
        ("/base", "/out", "/out/b.py", "b.py"),
    ],
)
def test_paths_are_shown_from_here(base: str, here: str, name: str, shown: str) -> None:
    assert opened(base, here).path(name) == shown


def test_positions_count_from_one_in_code_points() -> None:
    view = opened()
    assert view.position("pkg/a.py", 0) == (1, 1)
    assert view.position("pkg/a.py", CODE.index("(x)  #")) == (2, 15)
    assert view.position("pkg/a.py", CODE.index("last")) == (3, 1)
    assert view.position("pkg/a.py", 10**6) == (3, 9)
    assert view.place(Span("pkg/a.py", 11, 12)) == "pkg/a.py:2:2"
    latin = opened(data="# coding: latin-1\nx = 'é'; y".encode("latin-1"))
    assert latin.position("pkg/a.py", 27) == (2, 10)
    broken = opened(data=b"\xef\xbb\xbfx = '\xff'\n")
    assert broken.position("pkg/a.py", 4) == (1, 5)


# --- words


NO_FIX = {
    "fixes": (),
    "unavailable": (Reason("a", "one thing"), Reason("b", "another"), Reason("c", "one thing")),
}


@pytest.mark.parametrize(
    ("changes", "kind", "note"),
    [
        ({}, "safe fix", ""),
        ({"fixes": (Fix("t", "k", (), Safety.UNSAFE, "assumes x"),)}, "unsafe fix", "assumes x"),
        ({"fixes": (Fix("t", "k", (), Safety.MANUAL, "a choice"),)}, "fix only by choice", "a choice"),
        (NO_FIX, "no fix", "one thing; another"),
        ({**NO_FIX, "consequence": Consequence.TOOL}, "", ""),
    ],
)
def test_mending(changes: dict[str, object], kind: str, note: str) -> None:
    assert phrases.mending(finding(**changes)) == (kind, note)


def test_the_next_command() -> None:
    unsafe = finding(fixes=(Fix("t", "k", (), Safety.UNSAFE, "n"),))
    manual = finding(fixes=(Fix("t", "k", (), Safety.MANUAL, "n"),))
    none = finding(**NO_FIX)
    both = "1 with a safe fix, 1 with an unsafe one (--unsafe-fixes): xlafix fix --diff a.py"
    assert phrases.next_step([finding(), unsafe, none], " a.py") == both
    assert phrases.next_step([unsafe, none], "") == "1 with an unsafe fix: xlafix fix --diff --unsafe-fixes"
    assert phrases.next_step([manual, none], "").endswith("xlafix check --output-format full")
    assert phrases.next_step([none], "") == "none with a fix: xlafix explain XLA999"


def test_counts() -> None:
    assert [phrases.counted(n, "file") for n in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
    assert phrases.listed(list("abcdefg"), 3) == "a, b, c, and 4 more"


# --- formats


def test_concise() -> None:
    lines = text.concise([finding(), finding(**NO_FIX)], opened(), plain)
    assert lines == [
        "pkg/a.py:2:9: XLA999 it fails [safe fix]",
        "pkg/a.py:2:9: XLA999 it fails [no fix: one thing; another]",
    ]


def test_full_marks_the_place_also_behind_tabs() -> None:
    one = finding(
        related=(Related(Span("pkg/a.py", 4, 5), "defined here"),),
        chains=(
            Chain(
                "pkg.a.f", Span("pkg/a.py", 0, 3), "may", (Related(Span("pkg/a.py", 4, 5), "calls g"),), True
            ),
        ),
    )
    lines = full(one, opened(), plain)
    at = next(number for number, line in enumerate(lines) if "naïve🙂" in line)
    assert lines[at] == "      2 |     return naïve🙂(x)  # call"
    assert lines[at + 1] == "        |            ^^^^^^^^^"
    assert "  pkg/a.py:1:5: defined here" in lines
    assert "  compiled (may be) because of pkg/a.py:1 pkg.a.f" in lines
    assert "    -> pkg/a.py:1 calls g" in lines
    assert any("guessed" in line for line in lines)
    assert "    -\treturn naïve🙂(x)  # call" in lines
    assert "    +\treturn g(x)  # call" in lines


def test_full_names_the_way_to_a_choice() -> None:
    lines = full(finding(fixes=(Fix("t", "way", (), Safety.MANUAL, "n"),)), opened(), plain)
    assert "  to apply it: xlafix fix --choose XLA999=way" in lines
    assert "  no a fix: one thing" in full(finding(**NO_FIX), opened(), plain)


def test_machine_shows_everything() -> None:
    need = Need("import tensorflow", (Edit("pkg/a.py", 0, 0, "import tensorflow as tf\n"),))
    fix = dataclasses.replace(finding().fixes[0], needs=(need,), note="n")
    row = machine.diagnostic(finding(fixes=(fix,), unavailable=(Reason("other", "no"),)), opened())
    assert (row["line"], row["column"], row["end_line"], row["end_column"]) == (2, 9, 2, 18)
    assert row["unavailable"] == [{"key": "other", "reason": "no"}]
    (shown,) = row["fixes"]
    assert (shown["title"], shown["key"], shown["safety"], shown["note"]) == ("Do it", "way", "safe", "n")
    assert shown["edits"][0]["text"] == "g"
    assert shown["needs"][0]["edits"][0] == {
        "path": "pkg/a.py", "start": 0, "end": 0, "text": "import tensorflow as tf\n",
        "start_line": 1, "start_column": 1, "end_line": 1, "end_column": 1,
    }  # fmt: skip


def test_machine_lines_carry_their_type() -> None:
    payload = {"version": "1", "diagnostics": [{"code": "X"}], "changed": ["a.py"], "stats": {}}
    rows = list(machine.lines(payload))
    assert rows == [
        '{"type": "diagnostic", "code": "X"}',
        '{"type": "changed", "value": "a.py"}',
        '{"type": "run", "version": "1", "stats": {}}',
    ]


def test_slowest() -> None:
    seconds = {f"{n:02}.py": float(n % 7) for n in range(20)}
    found = machine.slowest(seconds)
    assert next(iter(found)) == ("06.py", 6.0)
    assert len(list(found)) == 10


# --- groups


def report_of(files: dict[str, str]) -> tuple[engine.Report, View]:
    from codemods.settings import Settings

    sources: dict[str, Source] = {path: decode(path, code.encode()) for path, code in files.items()}
    report = engine.check(sources, Settings(scope="all"), sorted(sources))
    return report, View(report.project, str(Path.cwd()), str(Path.cwd()))


def test_a_finding_stands_under_the_root_that_has_most() -> None:
    from harness_cli import HELPER, TRAIN

    many = TRAIN + (
        "\n\n@tf.function(jit_compile=True)\ndef both(image):\n"
        "    for axis in tf.range(2):\n        image = tf.roll(image, 1, axis=axis)\n"
        "    return spread(image)\n"
    )
    report, view = report_of(
        {"lib/helper.py": HELPER, "train.py": many, "loose.py": HELPER.replace("spread", "other")}
    )
    lines = text.by_root(report, view, plain)
    heads = [line for line in lines if line and not line.startswith(" ")]
    assert [head.split("   ")[0] for head in heads] == ["train.py:16 both", "not known to be compiled"]
    assert "    also reached from train.train_step, train.evaluate" in lines
    assert sum("lib/helper.py:6:17" in line for line in lines) == 1
