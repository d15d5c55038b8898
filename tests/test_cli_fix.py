"""`xlafix fix`, `--diff`, standard input, and `undo`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from harness_apply import posix, root_only
from harness_cli import (
    FIXED,
    GROWS,
    HELPER,
    PROJECT,
    TRAIN,
    UNMASK,
    lay,
    ordinary,
    process,
    snapshot,
    xlafix,
    xlafix_json,
)

from codemods import apply
from codemods.cli.fix import _together
from codemods.engine import Applied, FixResult
from codemods.model import Chain, Consequence, Diagnostic, Edit, Fix, Safety, Span


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def test_fix_and_undo(here: Path) -> None:
    lay(here, PROJECT)
    before = snapshot(here)
    done = xlafix("fix")
    assert done.exit_code == 0, done.output
    after = snapshot(here)
    assert after["grows.py"] == FIXED.encode()
    assert after["lib/helper.py"] == HELPER.replace("tf.range", "range").encode()
    assert {name for name in before if before[name] != after[name]} == {"grows.py", "lib/helper.py"}
    lines = done.stdout.rstrip("\n").split("\n")
    assert lines[0] == "grows.py   fixed"
    assert lines[1] == "  8:16 XLA103 Fix the size of the TensorArray"
    assert lines[2] == "lib/helper.py   fixed"
    assert lines[-1] == "2 findings fixed in 2 files, nothing is left. To take it back (run 1): xlafix undo"
    again = xlafix("fix")
    assert (again.exit_code, snapshot(here)) == (0, after)

    listed = xlafix("undo", "--list").stdout
    assert "2 files" in listed
    assert "xlafix fix" in listed
    back = xlafix("undo")
    assert back.exit_code == 0
    assert "restored grows.py\nrestored lib/helper.py\nRun 1 (" in back.stdout
    assert snapshot(here) == before
    nothing = xlafix("undo")
    assert nothing.exit_code == 2
    assert "there is nothing to undo" in nothing.stderr
    assert "undone" in xlafix("undo", "--list").stdout


def test_undo_by_id_and_where_a_file_changed(here: Path) -> None:
    lay(here, PROJECT)
    xlafix("fix", "lib")
    xlafix("fix", "grows.py")
    assert xlafix("undo", "1").exit_code == 0
    assert (here / "lib/helper.py").read_text() == HELPER
    assert (here / "grows.py").read_text() == FIXED
    (here / "grows.py").write_text(FIXED + "# mine\n")
    done = xlafix("undo")
    assert done.exit_code == 2
    assert "grows.py: has changed since run 2" in done.stderr
    assert (here / "grows.py").read_text() == FIXED + "# mine\n"
    assert xlafix("undo", "7").exit_code == 2


def test_undo_finds_the_journal_from_everywhere(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(here, PROJECT)
    monkeypatch.chdir(here / "lib")
    assert xlafix("fix", str(here)).exit_code == 0
    assert (here / ".xlafix").is_dir()
    assert xlafix("undo").exit_code == 0
    monkeypatch.chdir("/")
    told = xlafix("fix", str(here)).stdout.rstrip("\n").split("\n")[-1]
    assert told.endswith(f": xlafix undo --root {here}")
    assert xlafix("undo", "--root", str(here)).exit_code == 0
    assert (here / "grows.py").read_text() == GROWS


def test_what_is_left_is_told_with_reasons(here: Path) -> None:
    lay(here, {"unmask.py": UNMASK, "grows.py": GROWS})
    done = xlafix("fix")
    assert done.exit_code == 1
    assert (here / "unmask.py").read_text() == UNMASK
    assert "\nLeft:\n" in done.stdout
    assert "no counter bounds the `while`" in done.stdout
    assert "silent damage" in done.stdout
    assert done.stdout.rstrip("\n").endswith(
        "1 finding fixed in 1 file, 2 left. To take it back (run 1): xlafix undo"
    )


def test_unsafe_fixes_are_counted_and_applied_on_demand(here: Path) -> None:
    lay(here, {"helper.py": HELPER})
    done = xlafix("fix", "--scope", "all")
    assert done.exit_code == 1
    assert "1 unsafe fix hidden: xlafix fix --diff --unsafe-fixes --scope all" in done.stdout
    assert (here / "helper.py").read_text() == HELPER
    assert xlafix("fix", "--scope", "all", "--unsafe-fixes").exit_code == 0
    assert (here / "helper.py").read_text() == HELPER.replace("tf.range", "range")


def test_a_patch_says_how_to_write_it(here: Path) -> None:
    lay(here, {"grows.py": GROWS})
    for options in (["--unsafe-fixes"], ["--choose", "XLA103=bounded-size"]):
        told = xlafix("fix", "--diff", *options).stderr.rstrip("\n")
        assert told.endswith(f"To write it: xlafix fix {' '.join(options)}")


def test_choose(here: Path) -> None:
    lay(here, {"unmask.py": UNMASK})
    for wrong in ("XLA101", "XLA101=", "XLA999=x"):
        assert xlafix("fix", "--choose", wrong).exit_code == 2
    none = xlafix("fix", "--choose", "XLA101=nonsense")
    assert none.exit_code == 2
    assert "--choose XLA101=nonsense: no finding offers that; there are: python-range" in none.stderr
    assert (here / "unmask.py").read_text() == UNMASK


def test_json(here: Path) -> None:
    lay(here, PROJECT | {"unmask.py": UNMASK})
    found = xlafix_json("fix")
    assert [(row["code"], row["path"], row["line"], row["key"]) for row in found["applied"]] == [
        ("XLA103", "grows.py", 8, "bounded-size"),
        ("XLA101", "lib/helper.py", 6, "python-range"),
    ]
    assert [row["round"] for row in found["applied"]] == [0, 0]
    assert found["changed"] == ["grows.py", "lib/helper.py"]
    assert found["journal"] == "1"
    assert found["withheld"] == []
    assert {row["path"] for row in found["diagnostics"]} == {"unmask.py"}
    rows = [json.loads(row) for row in xlafix("fix", "--output-format", "json-lines").stdout.splitlines()]
    assert rows[-1]["type"] == "run"
    assert rows[-1]["journal"] is None


# --- patches


def test_diff_is_a_patch_and_writes_nothing(here: Path) -> None:
    lay(
        here,
        PROJECT
        | {
            "crlf.py": GROWS.replace("\n", "\r\n"),
            "latin.py": b"# coding: latin-1\n# \xe9\n" + GROWS.encode(),
        },
    )
    before = snapshot(here)
    done = process(here, "fix", "--diff")
    assert done.returncode == 1
    assert snapshot(here) == before
    assert not (here / ".xlafix").exists()
    assert done.stdout.startswith(b"diff --git a/crlf.py b/crlf.py\n")
    assert b"-        rows = tf.TensorArray(tf.float32, size=3, dynamic_size=True)\r\n" in done.stdout
    assert done.stderr.decode().rstrip("\n").endswith("To write it: xlafix fix")
    (here / "p.diff").write_bytes(done.stdout)
    subprocess.run(["git", "apply", "p.diff"], cwd=here, check=True)
    (here / "p.diff").unlink()
    patched = snapshot(here)
    lay(here, {name: data for name, data in before.items() if name.endswith(".py")})
    xlafix("fix")
    assert snapshot(here) == patched
    clean = process(here, "fix", "--diff")
    assert (clean.returncode, clean.stdout) == (0, b"")


def test_diff_in_json(here: Path) -> None:
    lay(here, PROJECT)
    found = xlafix_json("fix", "--diff", "grows.py")
    assert found["diffs"]["grows.py"].startswith("diff --git a/grows.py")
    assert found["journal"] is None
    assert (here / "grows.py").read_text() == GROWS


# --- standard input


def test_standard_input_goes_to_standard_output(here: Path) -> None:
    done = process(here, "fix", "-", stdin=GROWS.replace("\n", "\r\n").encode())
    assert done.stdout == FIXED.replace("\n", "\r\n").encode()
    assert done.returncode == 0
    assert b"1 finding fixed" in done.stderr
    latin = b"# coding: latin-1\n# \xe9"
    same = process(here, "fix", "-", stdin=latin)
    assert (same.stdout, same.returncode) == (latin, 0)
    patch = process(here, "fix", "-", "--diff", "--stdin-filename", "a/b.py", stdin=GROWS.encode())
    assert patch.stdout.startswith(b"diff --git a/a/b.py b/a/b.py\n")
    assert patch.returncode == 1
    assert list(here.iterdir()) == []


def test_standard_input_in_its_project(here: Path) -> None:
    lay(here, PROJECT)
    done = process(here, "fix", "-", "--stdin-filename", "lib/helper.py", stdin=HELPER.encode())
    assert done.stdout.decode() == HELPER.replace("tf.range", "range")
    assert (here / "lib/helper.py").read_text() == HELPER
    found = json.loads(process(here, "fix", "-", "--output-format", "json", stdin=GROWS.encode()).stdout)
    assert found["text"] == FIXED


def test_standard_input_is_never_fixed_at_the_cost_of_other_files(here: Path) -> None:
    """The mended error would stand before the silent damage of a file that is not to be written."""
    lay(here, BUNDLE)
    before = snapshot(here)
    done = process(here, "fix", "-", "--stdin-filename", "axes.py", stdin=HELPER.encode())
    assert (done.stdout.decode(), done.returncode) == (HELPER, 1)
    assert "the fix of XLA101 was withheld: its fix also changes history.py" in done.stderr.decode()
    inner = process(here, "fix", "-", "--stdin-filename", "history.py", stdin=BUNDLE["history.py"].encode())
    assert inner.returncode == 0
    assert b"dynamic_size=False" in inner.stdout
    assert snapshot(here) == before


# --- what must not be written


def test_unstaged_changes_refuse(here: Path) -> None:
    lay(here, PROJECT)
    git(here, "init", "-q")
    git(here, "add", ".")
    git(here, "commit", "-q", "-m", "x")
    (here / "train.py").write_text(TRAIN + "# mine\n")  # not about to be written: no reason to refuse
    (here / "grows.py").write_text(GROWS + "# mine\n")
    before = snapshot(here)
    done = xlafix("fix")
    assert done.exit_code == 2
    assert done.stderr.split("\n")[1] == "  grows.py"
    assert "--allow-dirty" in done.stderr
    assert snapshot(here) == before
    assert xlafix("fix", "lib").exit_code == 0
    git(here, "add", "grows.py")  # staged: there is a copy of it
    assert xlafix("fix", "grows.py").exit_code == 0
    (here / "grows.py").write_text(GROWS)
    assert xlafix("fix", "--allow-dirty", "grows.py").exit_code == 0
    assert (here / "grows.py").read_text() == FIXED


@posix
def test_a_read_only_file_does_not_cost_the_others(shared: Path) -> None:
    lay(shared, PROJECT)
    (shared / "grows.py").chmod(0o444)
    done = ordinary(shared, "fix")
    assert done.returncode == 2
    assert done.stderr == (
        "xlafix: grows.py: not written: it is read-only; left because of that: grows.py:8:16 XLA103\n"
    )
    assert (shared / "grows.py").read_text() == GROWS
    assert (shared / "lib/helper.py").read_text() != HELPER
    assert "Left:" in done.stdout
    assert "grows.py:8:16 XLA103" in done.stdout
    assert "1 finding fixed in 1 file, 1 left" in done.stdout
    # A patch is no attempt to write.
    patch = ordinary(shared, "fix", "--diff", "grows.py")
    assert (patch.returncode, patch.stdout.split("\n")[0]) == (1, "diff --git a/grows.py b/grows.py")
    # Nor does a read-only file matter where there is nothing to change.
    assert ordinary(shared, "fix", "lib").returncode == 0


@posix
def test_a_folder_that_cannot_be_written(shared: Path) -> None:
    lay(shared, PROJECT)
    (shared / "lib").chmod(0o555)
    done = ordinary(shared, "fix")
    assert done.returncode == 2
    folder = os.path.realpath(shared / "lib")
    assert f"lib/helper.py: not written: the folder {folder} is read-only" in done.stderr
    assert (shared / "grows.py").read_text() == FIXED
    (shared / "lib").chmod(0o755)


@posix
@root_only
def test_the_superuser_may_write_what_is_read_only_for_others(here: Path) -> None:
    lay(here, {"grows.py": GROWS})
    (here / "grows.py").chmod(0o444)
    assert xlafix("fix").exit_code == 0
    assert (here / "grows.py").read_text() == FIXED
    assert (here / "grows.py").stat().st_mode & 0o7777 == 0o444


# Silent damage in one file, the error that stands before it in another, below one root.
BUNDLE = {
    "history.py": """\
import tensorflow as tf


def collect(x):
    rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(3):
        rows = rows.write(i, tf.reduce_sum(x))
    return rows.stack()
""",
    "axes.py": HELPER,
    "serve.py": """\
import tensorflow as tf

from axes import spread
from history import collect


@tf.function(jit_compile=True)
def serve(x):
    return spread(x), collect(x)
""",
}


@posix
@pytest.mark.parametrize(
    ("name", "written"), [("history.py", ["grows.py"]), ("axes.py", ["grows.py", "history.py"])]
)
def test_a_read_only_file_never_turns_an_error_into_silent_damage(
    shared: Path, name: str, written: list[str]
) -> None:
    lay(shared, BUNDLE | {"grows.py": GROWS})
    (shared / name).chmod(0o444)
    before = snapshot(shared)
    done = ordinary(shared, "fix")
    assert done.returncode == 2
    after = snapshot(shared)
    assert sorted(file for file in before if before[file] != after[file]) == written
    (line,) = done.stderr.splitlines()
    start = f"xlafix: {name}: not written: it is read-only; left because of that: axes.py:6:17"
    assert line.startswith(start)
    assert ("history.py" in line.partition("left")[2]) == (name == "history.py")
    (shared / name).chmod(0o644)
    assert ordinary(shared, "fix").returncode == 0


def test_files_hang_together_by_fixes_and_by_roots() -> None:
    def fixed(root: str, *paths: str) -> Applied:
        fix = Fix("t", "k", tuple(Edit(path, 0, 0, "x") for path in paths), Safety.SAFE)
        span = Span(paths[0], 0, 0)
        chains = (Chain(root, span, "yes"),)
        one = Diagnostic("XLA101", "n", Consequence.ERROR, "m", span, (fix,), chains=chains)
        return Applied(one, fix, 0, 1, 1)

    applied = [
        fixed("r1", "a", "b"),
        fixed("r2", "b", "c"),
        fixed("r2", "d"),
        fixed("r3", "e"),
        fixed("r3", "f"),
    ]
    result = cast("FixResult", SimpleNamespace(applied=applied))
    assert _together(["a"], result) == {"a", "b", "c", "d"}
    assert _together(["f"], result) == {"e", "f"}
    assert _together(["other"], result) == {"other"}


def test_a_failure_while_writing_takes_back_what_belongs_together(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(here, BUNDLE)
    before = snapshot(here)
    real = apply._replace

    def fail(path: str, data: bytes, *rest: str) -> None:
        if path.endswith("history.py"):
            raise OSError(28, "No space left on device")
        real(path, data, *rest)

    monkeypatch.setattr(apply, "_replace", fail)
    done = xlafix("fix")
    assert done.exit_code == 2
    assert "history.py: not written: No space left on device" in done.stderr
    assert "taken back" in done.stderr
    assert snapshot(here) == before
    assert "XLA103" in done.stdout  # what is left is what was there


def test_a_file_that_changes_meanwhile_is_left_alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(here, PROJECT)
    real = apply.write

    def write(*args: object, **options: object) -> object:
        (here / "grows.py").write_text("mine")
        return real(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(apply, "write", write)
    done = xlafix("fix")
    assert done.exit_code == 2
    assert "grows.py: not written: it has changed since it was read" in done.stderr
    assert (here / "grows.py").read_text() == "mine"
    assert (here / "lib/helper.py").read_text() != HELPER


@posix
def test_links_and_modes_are_kept(here: Path) -> None:
    lay(here, {"real/grows.py": GROWS})
    os.chmod(here / "real/grows.py", 0o750)
    (here / "link.py").symlink_to("real/grows.py")
    assert xlafix("fix", "link.py").exit_code == 0
    assert (here / "link.py").is_symlink()
    assert (here / "real/grows.py").read_text() == FIXED
    assert (here / "real/grows.py").stat().st_mode & 0o777 == 0o750
    assert xlafix("fix").exit_code == 0


def test_a_full_disk(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(small_disk)
    lay(small_disk, {"a.py": GROWS, "b.py": GROWS + "#" * 100_000 + "\n", "c.py": GROWS})
    before = snapshot(small_disk)
    done = xlafix("fix")
    assert done.exit_code == 2
    assert "No space left on device" in done.stderr
    for name, data in snapshot(small_disk).items():
        assert data in (before[name], before[name].replace(b"=True)\n        for", b"=False)\n        for"))
    (small_disk / "b.py").unlink()
    assert xlafix("fix").exit_code == 0


@pytest.mark.slow
def test_a_killed_fix_loses_nothing() -> None:
    script = Path(__file__).resolve().parent.parent / "scripts" / "kill_fix.py"
    done = subprocess.run(
        [sys.executable, str(script), "--moments", "12"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
