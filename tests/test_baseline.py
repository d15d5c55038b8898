"""The ratchet: what is accepted passes, what is new fails, and so does what is accepted and gone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness_cli import FIXED, GROWS, HELPER, PROJECT, lay, xlafix, xlafix_json

from codemods import baseline

FILE = "known.json"
ENTRY = {"path": "a.py", "code": "XLA103", "fingerprint": "f" * 16, "count": 1}


@pytest.fixture
def here(here: Path) -> Path:
    lay(here, PROJECT)
    done = xlafix("check", "--write-baseline", FILE)
    assert (done.exit_code, done.stdout) == (0, f"{FILE} accepts 2 findings\n")
    return here


def codes(*arguments: str) -> list[tuple[str, str]]:
    return [(row["path"], row["code"]) for row in xlafix_json("check", *arguments)["diagnostics"]]


def test_what_is_accepted_passes_also_where_lines_moved(here: Path) -> None:
    assert len(codes()) == 2
    lay(here, {"grows.py": "# one\n# two\n" + GROWS})
    done = xlafix("check", "--baseline", FILE)
    assert done.exit_code == 0
    assert "2 findings accepted by the baseline." in done.stdout
    assert xlafix_json("check", "--baseline", FILE)["stats"]["accepted"] == 2


def test_what_is_new_fails_alone(here: Path) -> None:
    lay(here, {"more.py": GROWS})
    assert codes("--baseline", FILE) == [("more.py", "XLA103")]
    assert xlafix("check", "--baseline", FILE).exit_code == 1


def test_what_is_gone_fails_until_it_is_forgotten(here: Path) -> None:
    lay(here, {"grows.py": FIXED})
    done = xlafix("check", "--baseline", FILE)
    assert done.exit_code == 1
    assert f"{FILE}: grows.py XLA103 is no longer found: a TensorArray" in done.stderr
    assert f"--write-baseline {FILE}" in done.stderr
    assert xlafix("check", "--baseline", FILE, "--exit-zero").exit_code == 0
    assert xlafix("check", "--write-baseline", FILE).stdout == f"{FILE} accepts 1 finding\n"
    assert xlafix("check", "--baseline", FILE).exit_code == 0


def test_a_deleted_file_is_gone(here: Path) -> None:
    (here / "grows.py").unlink()
    done = xlafix("check", "--baseline", FILE)
    assert done.exit_code == 1
    assert "grows.py XLA103 is no longer found" in done.stderr


def test_equal_statements_are_counted(here: Path) -> None:
    loop = HELPER[HELPER.index("    for axis") : HELPER.index("    return total")]
    lay(here, {"lib/helper.py": HELPER.replace(loop, loop + loop)})
    assert len(codes("--baseline", FILE)) == 1
    xlafix("check", "--write-baseline", FILE)
    assert codes("--baseline", FILE) == []
    lay(here, {"lib/helper.py": HELPER})
    done = xlafix("check", "--baseline", FILE)
    assert done.exit_code == 1
    assert "lib/helper.py XLA101 is no longer found:" in done.stderr


@pytest.mark.parametrize("narrow", [["lib"], ["--select", "XLA101"], ["--ignore", "XLA103"]])
def test_what_was_not_judged_is_neither_gone_nor_forgotten(here: Path, narrow: list[str]) -> None:
    before = (here / FILE).read_bytes()
    assert xlafix("check", "--baseline", FILE, *narrow).exit_code == 0
    assert xlafix("check", "--write-baseline", FILE, *narrow).exit_code == 0
    assert (here / FILE).read_bytes() == before


def test_paths_are_those_from_the_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "lib")
    assert xlafix("check", "--baseline", f"../{FILE}", "..").exit_code == 0


def test_a_file_that_does_not_parse_can_be_accepted(here: Path) -> None:
    lay(here, {"broken.py": "def f(:\n"})
    assert codes("--baseline", FILE) == [("broken.py", "XLA001")]
    xlafix("check", "--write-baseline", FILE)
    assert codes("--baseline", FILE) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not JSON"),
        ("[]", 'has no list "findings"'),
        ('{"version": 2, "findings": []}', "is of version 2"),
        (json.dumps({"version": 1, "findings": [1]}), 'finding 1 lacks one of "path"'),
        (json.dumps({"version": 1, "findings": [ENTRY, {**ENTRY, "code": 3}]}), "finding 2 lacks one of"),
        (json.dumps({"version": 1, "findings": [{**ENTRY, "count": 0}]}), 'finding 1: "count"'),
        (json.dumps({"version": 1, "findings": [{**ENTRY, "count": True}]}), 'finding 1: "count"'),
    ],
)
def test_a_bad_file_is_one_clear_error_and_stays(here: Path, text: str, complaint: str) -> None:
    (here / FILE).write_text(text)
    for option in ("--baseline", "--write-baseline"):
        done = xlafix("check", option, FILE)
        assert done.exit_code == 2
        assert done.stderr.startswith(f"xlafix: {FILE}: {complaint}"), done.stderr
        assert done.stderr.count("\n") == 1
    assert (here / FILE).read_text() == text


def test_a_missing_file_and_a_folder_are_errors(here: Path) -> None:
    done = xlafix("check", "--baseline", "none.json")
    assert (done.exit_code, done.stderr) == (
        2, "xlafix: none.json: there is no such file; --write-baseline none.json makes it\n",
    )  # fmt: skip
    assert xlafix("check", "--write-baseline", "no/such/folder.json").exit_code == 2
    assert xlafix("check", "--baseline", FILE, "--write-baseline", FILE).exit_code == 2
    assert sorted(path.name for path in here.iterdir()) == sorted(
        {Path(name).parts[0] for name in PROJECT} | {FILE}
    )


def test_the_text_does_not_hang_on_the_order() -> None:
    entries = baseline.load(json.dumps({"version": 1, "findings": [{**ENTRY, "path": p} for p in "cäb"]}))
    assert baseline.dump(entries) == baseline.dump(entries[::-1])
    assert baseline.load(baseline.dump(entries)) == sorted(entries)
    assert baseline.load(baseline.dump([])) == []
