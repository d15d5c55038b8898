"""`rules`, `explain`, `roots`, `why`, and the group around the commands."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from harness_cli import GROWS, PROJECT, ROOT, lay, process, xlafix

from codemods import __version__
from codemods.cli.app import COMMANDS
from codemods.registry import RULES, TOOL_CODES


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_help_names_all_commands_and_exit_statuses() -> None:
    text = xlafix("--help").stdout
    for name in COMMANDS:
        assert re.search(rf"^  {name} +\w", text, re.M)
        assert "Usage: " in xlafix(name, "--help").stdout
    for status in ("0  clean", "1  findings", "2  xlafix"):
        assert status in text
    for name in ("check", "fix"):
        assert "Exit status: 0" in xlafix(name, "--help").stdout.replace("\n  ", " ")


def test_version(here: Path) -> None:
    for arguments in (("--version",), ("check", "--version"), ("--version", "x")):
        done = process(here, *arguments)
        if arguments[0] == "--version":
            assert done.stdout == f"xlafix {__version__}\n".encode()


@pytest.mark.parametrize("arguments", [["--help"], ["fix", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    code = (
        f"import sys\nfrom codemods.cli import main\ntry:\n    main({arguments!r})\n"
        "except SystemExit as stop:\n    assert not stop.code\n"
        "heavy = {'gast', 'beniget', 'libcst', 'rich', 'pathspec', 'codemods.engine'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_wrong_usage_is_exit_status_2(here: Path) -> None:
    for arguments in (["chek"], ["check", "--nope"], ["check", "--scope", "none"], ["why"], ["why", "a.py"]):
        done = process(here, *arguments)
        assert (done.returncode, done.stdout) == (2, b""), arguments
        assert b"Usage: " in done.stderr


def test_a_bug_is_exit_status_2(here: Path) -> None:
    lay(here, {"a.py": GROWS})
    code = (
        "from unittest import mock\nfrom codemods import engine\nfrom codemods.cli import main\n"
        "with mock.patch.object(engine, '_check', side_effect=ZeroDivisionError('boom')):\n"
        "    main(['check'])"
    )
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "ZeroDivisionError: boom" in done.stderr
    assert "this is a bug of xlafix" in done.stderr


def test_rules() -> None:
    text = xlafix("rules").stdout
    for rule in RULES:
        assert re.search(rf"^{rule.code}  {rule.name} .*{re.escape(rule.summary)}$", text, re.M)
    rows = json.loads(xlafix("rules", "--output-format", "json").stdout)
    assert {row["code"] for row in rows} == {rule.code for rule in RULES} | set(TOOL_CODES)
    assert all(row["summary"] for row in rows)


def test_explain() -> None:
    for rule in RULES:
        for word in (rule.code, rule.code.lower(), rule.name):
            assert rule.doc.strip() in xlafix("explain", word).stdout
    for code, (name, text) in TOOL_CODES.items():
        assert text in xlafix("explain", code).stdout
        assert text in xlafix("explain", name).stdout
    done = xlafix("explain", "XLA110")
    assert done.exit_code == 2
    assert re.search(r"no rule is called XLA110; did you mean XLA10\d\?", done.stderr)


# --- roots


def test_roots(here: Path) -> None:
    lay(here, PROJECT)
    lines = xlafix("roots").stdout.split("\n")
    assert re.fullmatch(r"grows.py:4 gradient +compiled \(jit_compile=True\), reaches 1 function", lines[0])
    assert re.fullmatch(
        r"train.py:6 train_step +compiled \(jit_compile=True\), reaches 2 functions", lines[1]
    )
    assert lines[-2].startswith("3 roots, 4 functions reached, 0 calls in the project not followed. ")
    assert lines[-2].endswith("xlafix why FILE:LINE")
    assert [line for line in xlafix("roots", "lib", "train.py").stdout.split("\n") if "grows" in line] == []
    found = json.loads(xlafix("roots", "--output-format", "json").stdout)
    assert [row["root"] for row in found["roots"]] == ["grows.gradient", "train.train_step", "train.evaluate"]
    assert (found["functions"], found["unresolved"]) == (4, [])


def test_roots_that_may_be(here: Path) -> None:
    head = "import tensorflow as tf\nimport cfg\n\n\n"
    lay(here, {"a.py": head + "@tf.function(jit_compile=cfg.USE)\ndef f(x):\n    return x\n"})
    assert "a.py:5 f  may be compiled (jit_compile=cfg.USE), reaches 1 function" in xlafix("roots").stdout


def test_no_roots(here: Path) -> None:
    lay(here, {"a.py": "def f(x):\n    return x\n"})
    done = xlafix("roots")
    assert done.exit_code == 0
    assert "Nothing in 1 file is seen to be compiled by XLA" in done.stdout
    assert "a.py:1 f" in xlafix("roots", "--entry", "a:f").stdout
    assert xlafix("roots", "--entry", "a:g").exit_code == 2


# --- why


def test_why_compiled(here: Path) -> None:
    lay(here, PROJECT)
    text = xlafix("why", "lib/helper.py:7").stdout
    assert text.startswith("lib/helper.py:4 spread is compiled\n")
    assert (
        "compiled because of train.py:6 train.train_step\n  -> train.py:8 calls lib.helper.spread\n" in text
    )
    assert (
        "compiled because of train.py:11 train.evaluate\n  -> train.py:13 calls lib.helper.spread\n" in text
    )
    assert text == xlafix("why", "lib/helper.py:4:5").stdout


def test_why_under_a_gradient_and_with_lost_calls(here: Path) -> None:
    program = """\
import tensorflow as tf


def loss(x, hook):
    return tf.reduce_sum(hook.run_it(x))


@tf.function(jit_compile=True)
def step(x, hook):
    with tf.GradientTape() as tape:
        value = loss(x, hook)
    return tape.gradient(value, x)
"""
    lay(here, {"a.py": program})
    text = xlafix("why", "a.py:5").stdout
    assert text.startswith("a.py:4 loss is compiled; a derivative is taken there\n")
    assert "calls in it that could not be followed:\n  a.py:5 `hook.run_it`: " in text


def test_why_not_compiled(here: Path) -> None:
    lay(here, PROJECT | {"use.py": "from lib.helper import unused\n\n\ndef f():\n    return unused(1)\n"})
    text = xlafix("why", "lib/helper.py:12").stdout
    assert text.startswith("lib/helper.py:11 unused is not seen to be compiled\n")
    assert "called at use.py:5 in f\n" in text
    assert "xlafix check --entry lib.helper:unused" in text
    assert "stands in no function" in xlafix("why", "lib/helper.py:1").stdout
    told = PROJECT | {
        "grows.py": GROWS.replace("jit_compile=True)", "jit_compile=True)  # xlafix: not-compiled")
    }
    lay(here, told)
    assert "a comment says `xlafix: not-compiled`" in xlafix("why", "grows.py:7").stdout


def test_why_by_guess(here: Path) -> None:
    program = """\
import tensorflow as tf


class Head:
    def very_own_name(self, x):
        return x


@tf.function(jit_compile=True)
def step(x, head):
    return head.very_own_name(x)
"""
    lay(here, {"a.py": program})
    text = xlafix("why", "a.py:6").stdout
    assert text.startswith("a.py:5 Head.very_own_name may be compiled\n")
    assert "guessed from a method name" in text


def test_why_refuses_what_it_cannot_answer(here: Path) -> None:
    lay(here, {"a.py": GROWS, "bad.py": "def f(:\n"})
    for place, words in (
        ("no.py:1", "no.py: no such file"),
        ("a.py:99", "a.py has 13 lines, not 99"),
        ("a.py:0", "not 0"),
        ("bad.py:1", "bad.py: does not parse"),
    ):
        done = xlafix("why", place)
        assert (done.exit_code, done.stdout) == (2, "")
        assert words in done.stderr
