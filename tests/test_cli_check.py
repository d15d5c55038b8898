"""`xlafix check`: what is shown, in each format, and the exit status."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from harness_apply import posix
from harness_cli import (
    GROWS,
    HELPER,
    PROJECT,
    ROOT,
    UNMASK,
    lay,
    process,
    snapshot,
    xlafix,
    xlafix_json,
)


def test_the_default_output_is_by_root(here: Path) -> None:
    lay(here, PROJECT | {"unmask.py": UNMASK})
    done = xlafix("check")
    assert done.exit_code == 1
    lines = done.stdout.rstrip("\n").split("\n")
    heads = [line for line in lines if line and not line.startswith(" ")]
    # Silent damage first, then what aborts, then what does not compile; the last line names the next command.
    assert re.fullmatch(r"unmask.py:4 shrink   compiles but wrong: 1   will not compile: 1", heads[0])
    assert re.fullmatch(r"grows.py:4 gradient   aborts the process: 1", heads[1])
    assert re.fullmatch(r"train.py:\d+ train_step   will not compile: 1", heads[2])
    assert re.fullmatch(
        r"4 roots, 5 functions reached, 0 calls in the project not followed\. "
        r"4 findings, 2 with a safe fix: xlafix fix --diff",
        heads[3],
    )
    assert len(heads) == 4
    assert sum("lib/helper.py:6:17 XLA101" in line for line in lines) == 1  # once, though two roots reach it
    at = next(number for number, line in enumerate(lines) if "lib/helper.py" in line)
    assert lines[at].endswith("  safe fix")
    assert lines[at + 1] == "    also reached from train.evaluate"
    shown = "\n".join(lines)
    assert re.search(r"unmask.py:6:15 XLA103 .*  no fix\n    no counter bounds the `while`", shown)
    assert re.search(r"unmask.py:13:17 XLA101 .*  fix only by choice\n    .*silent damage", shown)


def test_only_what_is_named_is_judged_but_the_whole_project_calls(here: Path) -> None:
    lay(here, PROJECT)
    found = xlafix_json("check", "lib/helper.py")
    assert [(row["code"], row["path"], row["line"]) for row in found["diagnostics"]] == [
        ("XLA101", "lib/helper.py", 6)
    ]
    assert found["stats"]["files"] == 1
    assert xlafix_json("check", "train.py")["diagnostics"] == []


def test_paths_are_shown_from_where_the_user_stands(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(here, PROJECT)
    fingerprint = xlafix_json("check", "lib")["diagnostics"][0]["fingerprint"]
    monkeypatch.chdir(here / "lib")
    row = xlafix_json("check", ".")["diagnostics"][0]
    assert (row["path"], row["fingerprint"]) == ("helper.py", fingerprint)
    assert row["chains"][0]["path"] == str(here / "train.py")
    assert xlafix("check", "helper.py").exit_code == 1
    monkeypatch.chdir("/")
    assert xlafix_json("check", str(here / "lib"))["diagnostics"][0]["path"].endswith("lib/helper.py")


def test_concise(here: Path) -> None:
    lay(here, PROJECT)
    lines = xlafix("check", "--output-format", "concise").stdout.split("\n")
    assert re.fullmatch(r"grows\.py:8:16: XLA103 .+ \[safe fix\]", lines[0])
    assert re.fullmatch(r"lib/helper\.py:6:17: XLA101 .+ \[safe fix\]", lines[1])


def test_full_shows_source_chain_and_fix(here: Path) -> None:
    lay(here, PROJECT)
    text = xlafix("check", "--output-format", "full", "lib").stdout
    assert "    6 |     for axis in tf.range(3):\n" in text
    assert "        |                 ^^^^^^^^^^^\n" in text
    assert "-> train.py:8 calls lib.helper.spread" in text
    assert "    +    for axis in range(3):" in text
    assert "safe fix (python-range): " in text


def test_json(here: Path) -> None:
    lay(here, {"a.py": "# naïve 🙂\r\n" + GROWS.replace("\n", "\r\n")})
    payload = xlafix_json("check", "a.py")
    assert payload["version"]
    (row,) = payload["diagnostics"]
    assert (row["code"], row["name"], row["consequence"]) == ("XLA103", "dynamic-tensor-array", "abort")
    assert (row["path"], row["line"], row["column"], row["end_line"]) == ("a.py", 9, 16, 9)
    assert re.fullmatch(r"[0-9a-f]{16}", row["fingerprint"])
    (fix,) = row["fixes"]
    assert (fix["key"], fix["safety"], fix["needs"]) == ("bounded-size", "safe", [])
    text = (here / "a.py").read_bytes().decode()
    for edit in fix["edits"]:
        assert edit["path"] == "a.py"
        lines = text[: edit["start"]].split("\n")
        assert (edit["start_line"], edit["start_column"]) == (len(lines), len(lines[-1]) + 1)
        text = text[: edit["start"]] + edit["text"] + text[edit["end"] :]
    assert "dynamic_size=False" in text
    assert row["related"][0].keys() == {"path", "line", "column", "message"}
    (chain,) = row["chains"]
    assert (chain["root"], chain["line"], chain["certainty"], chain["guessed"], chain["calls"]) == (
        "a.gradient", 5, "yes", False, [],
    )  # fmt: skip
    (root,) = payload["roots"]
    assert (root["root"], root["how"], root["functions"]) == ("a.gradient", "jit_compile=True", 1)
    assert payload["stats"]["files"] == 1
    assert payload["stats"]["lines"] == 13
    assert payload["stats"]["tiers"]["finding"] == 1
    assert payload["unresolved"] == []
    # Nothing in it changes from run to run, but for what --statistics adds.
    assert xlafix_json("check", "a.py") == payload
    assert xlafix_json("check", "a.py", "--statistics")["stats"]["slowest"][0][0] == "a.py"


def test_json_lines(here: Path) -> None:
    lay(here, PROJECT)
    done = xlafix("check", "--output-format", "json-lines")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [row["type"] for row in rows]
    assert kinds == ["diagnostic"] * 2 + ["root"] * 3 + ["run"]
    assert rows[-1]["stats"]["files"] == 4


def test_unresolved_calls_are_counted_and_listed(here: Path) -> None:
    text = (
        "import tensorflow as tf\n\n\n@tf.function(jit_compile=True)\ndef f(x, g):\n    return g.run_it(x)\n"
    )
    lay(here, {"a.py": text})
    told = "1 root, 1 function reached, 1 call in the project not followed (xlafix roots --calls)."
    assert told in xlafix("check").stdout
    (row,) = xlafix_json("check")["unresolved"]
    assert (row["path"], row["line"], row["call"]) == ("a.py", 6, "g.run_it")
    assert "a.py:6 `g.run_it`: " in xlafix("roots", "--calls").stdout


# --- a clean run says what it looked at


def test_no_root(here: Path) -> None:
    lay(here, {"lib/helper.py": HELPER, "other.py": "x = 1\n"})
    done = xlafix("check")
    assert done.exit_code == 0
    assert "Nothing in 2 files (13 lines) is seen to be compiled by XLA" in done.stdout
    assert "xlafix check --entry package.module:function" in done.stdout
    assert "(1 file to look at): xlafix check --scope all" in done.stdout


def test_no_finding(here: Path) -> None:
    lay(here, PROJECT | {"lib/helper.py": HELPER.replace("tf.range", "range")})
    done = xlafix("check", "lib", "train.py")
    assert done.exit_code == 0
    assert done.stdout.startswith("3 roots, ")
    assert "No findings in the compiled code of 3 files" in done.stdout


def test_scope_all(here: Path) -> None:
    lay(here, {"lib/helper.py": HELPER})
    done = xlafix("check", "--scope", "all")
    assert done.exit_code == 1
    assert done.stdout.startswith("not known to be compiled   if compiled: 1\n")
    (row,) = xlafix_json("check", "--scope", "all")["diagnostics"]
    assert (row["consequence"], row["fixes"][0]["safety"]) == ("info", "unsafe")
    assert done.stdout.endswith("xlafix fix --diff --unsafe-fixes --scope all\n")


def test_entry(here: Path) -> None:
    lay(here, {"lib/__init__.py": "", "lib/helper.py": HELPER})
    done = xlafix("check", "--entry", "lib.helper:spread")
    assert done.exit_code == 1
    assert done.stdout.startswith("lib/helper.py:4 spread   will not compile: 1\n")
    missing = xlafix("check", "--entry", "lib.helper:sprea")
    assert missing.exit_code == 2
    assert "--entry lib.helper:sprea: no such function" in missing.stderr
    wrong = xlafix("check", "--entry", "lib.helper.spread")
    assert wrong.exit_code == 2
    assert "is not `package.module:function`" in wrong.stderr


# --- choosing rules


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        (("--select", "XLA101"), {"XLA101"}),
        (("--select", "xla1", "--ignore", "XLA103"), {"XLA101"}),
        (("--select", "dynamic-tensor-array"), {"XLA103"}),
        (("--select", "XLA101,XLA103"), {"XLA101", "XLA103"}),
        (("--ignore", "ALL"), set()),
    ],
)
def test_select_and_ignore(here: Path, options: tuple[str, ...], codes: set[str]) -> None:
    lay(here, PROJECT)
    assert {row["code"] for row in xlafix_json("check", *options)["diagnostics"]} == codes


def test_a_wrong_code_is_an_error(here: Path) -> None:
    for value, words in (("XLA99", "no rule is called XLA99"), ("E501", "is no rule code such as")):
        done = xlafix("check", "--select", value)
        assert done.exit_code == 2
        assert words in done.stderr


def test_settings_count(here: Path) -> None:
    table = "[tool.xlafix]\nignore = ['XLA103']\n[tool.xlafix.per-file-ignores]\n'lib/*' = ['XLA1']\n"
    lay(here, PROJECT | {"pyproject.toml": table, "again.py": GROWS})
    assert xlafix("check").exit_code == 0
    assert "suppressed by comments or settings" in xlafix("check").stdout
    assert [row["path"] for row in xlafix_json("check", "--select", "XLA103")["diagnostics"]] == []
    (here / "pyproject.toml").write_text("[tool.xlafix]\nignor = []\n")
    done = xlafix("check")
    assert done.exit_code == 2
    assert "unknown key `tool.xlafix.ignor`; did you mean `ignore`?" in done.stderr


def test_per_file_ignores_hold_from_every_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(here, PROJECT | {"pyproject.toml": "[tool.xlafix.per-file-ignores]\n'/lib/helper.py' = ['XLA101']\n"})
    monkeypatch.chdir(here / "lib")
    assert xlafix_json("check", "helper.py")["diagnostics"] == []
    monkeypatch.chdir("/")
    assert xlafix_json("check", str(here / "lib"))["diagnostics"] == []


# --- around the command


def test_options_may_stand_in_front(here: Path) -> None:
    lay(here, PROJECT)
    one = xlafix("--output-format", "concise", "--select", "XLA101", "check", "lib")
    assert one.stdout == xlafix("check", "lib", "--select", "XLA101", "--output-format", "concise").stdout
    assert one.stdout.startswith("lib/helper.py:6:17: XLA101")


def test_exit_zero(here: Path) -> None:
    lay(here, PROJECT)
    assert xlafix("check", "--exit-zero").exit_code == 0


def test_statistics(here: Path) -> None:
    lay(here, PROJECT)
    text = xlafix("check", "--statistics").stdout
    assert "       1  XLA101 loop-index-as-constant-operand (error), safe fix" in text
    assert "       2  finding" in text
    assert "slowest files" in text


def test_standard_input(here: Path) -> None:
    lay(here, PROJECT | {"lib/helper.py": "def spread(image):\n    return image\n"})
    done = xlafix(
        "check", "-", "--stdin-filename", "lib/helper.py", "--output-format", "concise", stdin=HELPER
    )
    assert done.exit_code == 1
    assert done.stdout.startswith("lib/helper.py:6:17: XLA101")
    alone = xlafix("check", "-", "--output-format", "concise", stdin=GROWS)
    assert alone.stdout.startswith("<stdin>:8:16: XLA103")
    assert xlafix("check", "-", "lib").exit_code == 2
    assert xlafix("check", "lib", "--stdin-filename", "x.py").exit_code == 2


def test_the_trigger_filter_can_be_switched_off(here: Path) -> None:
    lay(here, PROJECT | {"plain.py": "def f(x):\n    return x\n"})
    with_filter = json.loads(process(here, "check", "--scope", "all", "--output-format", "json").stdout)
    without = json.loads(
        process(here, "check", "--scope", "all", "--output-format", "json", XLAFIX_NO_FILTER="1").stdout
    )
    assert with_filter["diagnostics"] == without["diagnostics"]
    assert without["stats"]["tiers"]["filtered"] < with_filter["stats"]["tiers"]["filtered"]


def on_a_terminal(folder: Path, **environment: str) -> bytes:
    """What `xlafix check` writes to a terminal."""
    leader, follower = os.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "NO_COLOR": "", **environment}
    command = [sys.executable, "-m", "codemods", "check"]
    data = b""
    with subprocess.Popen(command, cwd=folder, env=env, stdout=follower) as running:
        os.close(follower)
        with contextlib.suppress(OSError):  # that is how the end of a terminal looks
            while piece := os.read(leader, 65536):
                data += piece
        running.wait()
    os.close(leader)
    return data


@posix
def test_colours_only_on_a_terminal(here: Path) -> None:
    lay(here, {"grows.py": GROWS})
    assert b"\x1b" not in process(here, "check", NO_COLOR="").stdout
    assert b"\x1b[" in on_a_terminal(here)
    assert b"\x1b[" not in on_a_terminal(here, NO_COLOR="1")


def test_nothing_is_written(here: Path) -> None:
    lay(here, PROJECT)
    before = snapshot(here)
    xlafix("check")
    assert snapshot(here) == before
    assert not (here / ".xlafix").exists()


def test_what_is_excluded_counts_only_as_context_if_that_is_asked_for(here: Path) -> None:
    table = "[tool.xlafix]\nexclude = ['lib']\n"
    lay(here, PROJECT | {"pyproject.toml": table})
    assert [row["path"] for row in xlafix_json("check", "lib")["diagnostics"]] == ["lib/helper.py"]
    for named in ("lib", "lib/helper.py"):
        assert xlafix_json("check", "--force-exclude", named)["diagnostics"] == []
        assert xlafix("fix", "--force-exclude", named).exit_code == 0
    assert (here / "lib" / "helper.py").read_text() == HELPER
    done = xlafix("fix", "--force-exclude", "-", "--stdin-filename", "lib/helper.py", stdin=HELPER)
    assert (done.exit_code, done.stdout) == (0, HELPER)
