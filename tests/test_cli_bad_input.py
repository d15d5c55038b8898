"""Bad input costs one clear message with the path, never the other files."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from harness_apply import NOBODY, posix, root_only
from harness_cli import FIXED, GROWS, ROOT, lay, process, xlafix, xlafix_json

from codemods import registry
from codemods.model import Diagnostic
from codemods.rule import Context

JIT = "import tensorflow as tf\n\n\n@tf.function(jit_compile=True)\ndef g(x):\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def nested_blocks(depth: int) -> str:
    rows = [" " * (4 + level) + "if x:\n" for level in range(depth)]
    return JIT + "".join(rows) + " " * (5 + depth) + "x += 1\n    return x\n"


BAD: dict[str, tuple[str | bytes, str]] = {
    "syntax": ("def f(:\n", "does not parse"),
    "old": ("print 'x'\n", "does not parse"),
    "encoding": (b'import tensorflow as tf\nx = "\xff"\n', "is not UTF-8 and declares no other encoding"),
    "cookie": (b"# coding: nonsense\nx = 1\n", "unknown encoding, 'nonsense'"),
    "wrong-cookie": (b"# coding: ascii\nx = '\xc3\xa9'\n", "is not ascii, the encoding that it declares"),
    "bom-and-cookie": (b"\xef\xbb\xbf# coding: latin-1\n", "byte order mark"),
    "nul": ("x = 1\0\n", "holds a NUL byte"),
    "parentheses": (JIT + f"    return {'(' * 300}x{')' * 300}\n", "nested parentheses"),
    "minus": (JIT + f"    return {'-' * 5000}x\n", "nested too deeply"),
    "blocks": (nested_blocks(120), "does not parse"),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("command", ["check", "fix"])
def test_a_bad_file_is_a_finding_and_the_others_go_on(here: Path, kind: str, command: str) -> None:
    data, words = BAD[kind]
    lay(here, {"bad.py": data, "grows.py": GROWS})
    before = (here / "bad.py").read_bytes()
    done = xlafix(command, "--output-format", "concise")
    assert done.exit_code == 1
    (line,) = [line for line in done.stdout.split("\n") if line.startswith("bad.py:")]
    assert "XLA001" in line
    assert words in line
    assert (
        "grows.py:8:16: XLA103" in done.stdout
        if command == "check"
        else (here / "grows.py").read_text() == FIXED
    )
    assert (here / "bad.py").read_bytes() == before
    assert xlafix("check", "bad.py").exit_code == 1
    assert xlafix("check", "--ignore", "XLA001", "bad.py").exit_code == 0
    found = xlafix_json("check", "bad.py")
    assert found["stats"]["unparsed"][0][0] == "bad.py"
    assert xlafix("check", "-", stdin=before).exit_code == 1


def test_good_files_of_unusual_size(here: Path) -> None:
    lay(
        here,
        {
            "empty.py": "",
            "newlines.py": "\n\n\n",
            "comment.py": "# only",
            "bom.py": b"\xef\xbb\xbf",
            "cr.py": GROWS.replace("\n", "\r"),
            "deep.py": nested_blocks(60),
            "sum.py": JIT + f"    return x{'+ x' * 400}\n",
            "long.py": "x = '" + "a" * 2_000_000 + "'\n",
        },
    )
    done = xlafix("check", "--output-format", "concise")
    assert [line.split(":")[0] for line in done.stdout.split("\n")[:-2]] == ["cr.py"]


def test_fifty_thousand_lines(here: Path) -> None:
    middle = "".join(f"def f{n}(x):\n    return x + {n}\n" for n in range(25_000))
    lay(here, {"huge.py": GROWS.replace("@tf", middle + "\n\n@tf")})
    done = process(here, "fix")
    assert done.returncode == 0, done.stderr
    assert (here / "huge.py").read_text() == FIXED.replace("@tf", middle + "\n\n@tf")


@posix
def test_odd_directory_entries(here: Path) -> None:
    lay(here, {"grows.py": GROWS, "x.py/inner.py": "x = 1\n", "d/e.py": ""})
    (here / "loop.py").symlink_to("loop.py")
    (here / "dangling.py").symlink_to("nowhere")
    (here / "d" / "up").symlink_to("..")
    done = xlafix("check", "--output-format", "concise")
    assert done.exit_code == 1
    rows = dict(line.split(":1:1: XLA001 ") for line in done.stdout.split("\n") if "XLA001" in line)
    assert rows == {
        "dangling.py": "cannot be read: No such file or directory, so it was not examined",
        "loop.py": "cannot be read: Too many levels of symbolic links, so it was not examined",
        "x.py": "is a folder, though it is named like a Python file",
    }
    assert "grows.py:8:16: XLA103" in done.stdout
    os.mkfifo(here / "pipe.py")
    assert (
        "pipe.py:1:1: XLA001 cannot be read: it is not a regular file"
        in process(here, "check", "pipe.py", "--output-format", "concise").stdout.decode()
    )


def test_paths_that_are_not_there(here: Path) -> None:
    lay(here, {"grows.py": GROWS})
    done = xlafix("check", "nope.py", "*.rs", "grows.py")
    assert done.exit_code == 2
    assert done.stderr == "xlafix: *.rs: no Python file matches\nxlafix: nope.py: no such file or folder\n"
    assert "grows.py:8:16 XLA103" in done.stdout
    fixed = xlafix("fix", "nope.py", "grows.py")
    assert (fixed.exit_code, (here / "grows.py").read_text()) == (2, FIXED)
    (here / "none").mkdir()
    empty = xlafix("check", "none")
    assert (empty.exit_code, empty.stdout) == (0, "There is no Python file in what was named.\n")


def test_a_file_that_vanishes(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(here, {"gone.py": GROWS, "grows.py": GROWS})
    from codemods import project

    real = project.discover

    def discover(*arguments: object) -> object:
        found = real(*arguments)  # type: ignore[arg-type]
        (here / "gone.py").unlink(missing_ok=True)
        return found

    monkeypatch.setattr(project, "discover", discover)
    done = xlafix("fix", "--output-format", "concise")
    assert done.exit_code == 1
    assert "gone.py:1:1: XLA001 cannot be read: No such file or directory" in done.stdout
    assert (here / "grows.py").read_text() == FIXED


@posix
@root_only
def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as name:  # others cannot enter the folders that pytest makes
        top = Path(name)
        top.chmod(0o777)
        lay(top, {"secret.py": GROWS, "grows.py": GROWS})
        (top / "secret.py").chmod(0o600)
        (top / "grows.py").chmod(0o666)
        monkeypatch.chdir(top)
        # Everything is imported before, since another user may not be able to read the environment.
        code = f"import os, sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom codemods.cli.app import run\n"
        code += f"run(['check', 'grows.py'])\n{NOBODY}sys.exit(run(['check', '--output-format', 'concise']))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "secret.py:1:1: XLA001 cannot be read: Permission denied" in done.stdout, done.stderr
        assert "\ngrows.py:8:16: XLA103" in done.stdout
        assert done.returncode == 1
        monkeypatch.undo()


def test_names_that_are_not_text(here: Path) -> None:
    name = b"b\xe9.py"
    try:
        (here / os.fsdecode(name)).write_text(GROWS)
    except (OSError, UnicodeError):
        pytest.skip("this file system has no such names")
    for options in ([], ["--output-format", "json"], ["--output-format", "full"]):
        done = process(here, "check", *options)
        assert done.returncode == 1, done.stderr
        assert b"XLA103" in done.stdout
    assert process(here, "fix").returncode == 0
    assert (here / os.fsdecode(name)).read_text() == FIXED
    assert process(here, "undo").returncode == 0


def test_names_with_blanks_and_brackets(here: Path) -> None:
    (here / "with space and [x].py").write_text(GROWS)
    assert b"a/with space and [x].py" in process(here, "fix", "--diff", "with space and [x].py").stdout


Check = Callable[[Context], Iterable[Diagnostic]]


def broken(find: Check) -> Check:
    def check(ctx: Context) -> list[Diagnostic]:
        if "bad" in ctx.module.path:
            raise KeyError("boom")
        return list(find(ctx))

    return check


def test_a_rule_that_raises_is_our_bug(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import dataclasses

    from codemods import engine

    rules = tuple(dataclasses.replace(rule, check=broken(rule.check)) for rule in registry.RULES)
    monkeypatch.setattr(engine, "RULES", rules)
    lay(here, {"bad.py": GROWS, "good.py": GROWS})
    done = xlafix("fix", "--output-format", "concise")
    assert done.exit_code == 1
    assert "bad.py:4:1: XLA004 rule XLA10" in done.stdout or "bad.py:5:1: XLA004 rule XLA10" in done.stdout
    assert "raised KeyError: 'boom' (a bug of xlafix; the file was left alone)" in done.stdout
    assert (here / "bad.py").read_text() == GROWS
    assert (here / "good.py").read_text() == FIXED


def test_a_closed_pipe_is_no_traceback(here: Path) -> None:
    lay(here, {f"m{n}.py": GROWS for n in range(40)})
    command = f"{sys.executable} -m codemods check --output-format full | head -1"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, shell=True, cwd=here, env=env, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
