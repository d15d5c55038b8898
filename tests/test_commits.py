"""`fix --commit-per-rule`, in real repositories."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from harness_cli import FIXED, GROWS, PROJECT, lay, snapshot, xlafix


def git(*arguments: str, check: bool = True) -> str:
    who = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    done = subprocess.run(["git", *who, *arguments], capture_output=True, text=True, check=check)
    return done.stdout


@pytest.fixture
def here(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "nobody")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "nobody@example.org")
    lay(here, PROJECT | {"other.txt": "one\n"})
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    return here


def test_one_commit_for_each_rule(here: Path) -> None:
    plain = here.with_name("plain")
    lay(plain, PROJECT)
    assert xlafix("fix", str(plain)).exit_code == 0
    done = xlafix("fix", "--commit-per-rule")
    assert done.exit_code == 0, done.stderr
    subjects = git("log", "--format=%s").splitlines()
    assert subjects == [
        "XLA101 loop-index-as-constant-operand: 1 fix in 1 file",
        "XLA103 dynamic-tensor-array: 1 fix in 1 file",
        "first",
    ]
    assert done.stderr.count("committed: ") == 2
    assert git("show", "--format=", "--name-only", "HEAD").split() == ["lib/helper.py"]
    assert "- lib/helper.py:6: " in git("log", "-1", "--format=%b")
    assert git("status", "--porcelain", "--untracked-files=no") == ""
    assert {path: (here / path).read_bytes() for path in PROJECT} == {
        path: (plain / path).read_bytes() for path in PROJECT
    }


def test_what_is_staged_stays_staged_and_alone(here: Path) -> None:
    lay(here, {"other.txt": "two\n"})
    git("add", "other.txt")
    assert xlafix("fix", "--commit-per-rule").exit_code == 0
    assert git("status", "--porcelain", "--untracked-files=no") == "M  other.txt\n"


def test_a_file_that_differs_from_its_commit_is_not_written(here: Path) -> None:
    lay(here, {"grows.py": GROWS + "# mine\n"})
    git("add", "grows.py")
    before = snapshot(here)
    done = xlafix("fix", "--commit-per-rule")
    assert done.exit_code == 2
    assert "grows.py differs from its last commit" in done.stderr
    assert snapshot(here)["grows.py"] == before["grows.py"]
    assert git("log", "--format=%s") == "first\n"


def test_a_hook_that_refuses_leaves_a_way_back(here: Path) -> None:
    hook = here / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no commits today >&2\nexit 1\n")
    hook.chmod(0o755)
    done = xlafix("fix", "--commit-per-rule")
    assert done.exit_code == 2
    assert "git refuses the commit: no commits today" in done.stderr
    assert (here / "grows.py").read_text() == FIXED
    assert xlafix("undo").exit_code == 0
    assert (here / "grows.py").read_text() == GROWS


def test_outside_of_git_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lay(tmp_path, {"grows.py": GROWS})
    done = xlafix("fix", "--commit-per-rule")
    assert done.exit_code == 2
    assert "is in no git work tree" in done.stderr
    assert (tmp_path / "grows.py").read_text() == GROWS


def test_fixes_that_need_each_other_share_a_commit(here: Path) -> None:
    """An error that hides silent damage: neither rule may go first."""
    root = Path(__file__).parent / "golden" / "stateful-random-op"
    (case,) = sorted(root.glob("project_unmask_*"))[:1]
    files = {
        str(path.relative_to(case)): path.read_text()
        for path in case.rglob("*.py")
        if path.name != "case.py" and not {"fixed", "wrong"} & set(path.relative_to(case).parts)
    }
    for path in PROJECT:
        (here / path).unlink()
    lay(here, files)
    git("add", "-A")
    git("commit", "-q", "-m", "second")
    done = xlafix("fix", "--commit-per-rule", "--unsafe-fixes")
    assert done.exit_code in (0, 1), done.stderr
    assert git("status", "--porcelain", "--untracked-files=no") == ""
    plain = here.with_name("plain")
    lay(plain, files)
    xlafix("fix", "--unsafe-fixes", str(plain))
    assert {p: (here / p).read_bytes() for p in files} == {p: (plain / p).read_bytes() for p in files}


@pytest.mark.parametrize("option", ["--diff", "--allow-dirty", "-"])
def test_options_that_say_the_opposite(here: Path, option: str) -> None:
    assert xlafix("fix", "--commit-per-rule", option).exit_code == 2
    assert git("log", "--format=%s") == "first\n"
