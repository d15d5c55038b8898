"""What git is asked, and that nothing of the project runs for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from harness_apply import posix

from codemods.apply import Change, unstaged, write


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    place = tmp_path / "re po"
    (place / "pkg").mkdir(parents=True)
    for name in ("clean.py", "é.py", "pkg/deep.py", "staged.py"):
        (place / name).write_bytes(b"x = 1\n")
    git(place, "init", "-q")
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "one")
    return place


def git(place: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=place, check=True, capture_output=True)


def test_unstaged_changes(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["clean.py", "é.py", "pkg/deep.py", "staged.py", "new.py", "ignored.py", "outside.py", "link.py"]
    paths = [str(repository / name) for name in names]
    paths[6] = str(repository.parent / "outside.py")
    for name in ("é.py", "pkg/deep.py", "staged.py", "new.py", "ignored.py", "../outside.py"):
        (repository / name).write_bytes(b"y = 2\n")
    (repository / "link.py").symlink_to("pkg/deep.py")
    (repository / ".gitignore").write_bytes(b"ignored.py\n")
    git(repository, "add", "staged.py")
    assert unstaged(paths) == [paths[1], paths[2], paths[7]]
    assert unstaged([paths[7], paths[0]]) == [paths[7]]
    assert unstaged([]) == []
    monkeypatch.chdir(repository / "pkg")
    assert unstaged(["deep.py", "../clean.py", "../é.py"]) == ["deep.py", "../é.py"]
    (repository / "staged.py").write_bytes(b"z = 3\n")
    assert unstaged([paths[3]]) == [paths[3]]
    (repository / "clean.py").touch()  # only the time
    assert unstaged([paths[0]]) == []
    (repository / "new.py").write_bytes(b"y = 2\n")
    git(repository, "add", "-N", "new.py")
    assert unstaged([paths[4]]) == [paths[4]]


def test_one_call_of_git_per_work_tree(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = repository / "inner"
    inner.mkdir()
    (inner / "a.py").write_bytes(b"1")
    git(inner, "init", "-q")
    git(inner, "add", ".")
    (inner / "a.py").write_bytes(b"2")
    (repository / "clean.py").write_bytes(b"2")
    calls = []
    real = subprocess.run

    def run(command: list[str], **options: object) -> object:
        calls.append(command)
        return real(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", run)
    paths = [str(repository / name) for name in ("clean.py", "staged.py", "inner/a.py", "é.py")]
    assert unstaged(paths) == [paths[0], paths[2]]
    assert len(calls) == 2
    # Too many names for a command line: the same answer without them.
    many = paths + [str(repository / "pkg" / f"{n:0200}.py") for n in range(400)]
    assert unstaged(many) == [paths[0], paths[2]]
    assert sum(map(len, calls[2])) < 10_000


def test_without_git_nothing_is_refused(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = repository / "clean.py"
    path.write_bytes(b"2")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert unstaged([str(path)]) == [str(path)]
    (repository / ".git" / "HEAD").write_bytes(b"broken")
    assert unstaged([str(path)]) == []
    monkeypatch.setenv("PATH", "")
    assert unstaged([str(path)]) == []


@posix
def test_git_runs_no_code_of_the_project(repository: Path) -> None:
    hook = repository / "evil.sh"
    hook.write_text("#!/bin/sh\ntouch ran\n")
    hook.chmod(0o755)
    git(repository, "config", "core.fsmonitor", f"'{hook}'")
    path = repository / "clean.py"
    path.write_bytes(b"2")
    os.utime(repository / "staged.py", (1, 1))  # git would note in the index that it is unchanged
    index = (repository / ".git" / "index").read_bytes()
    assert unstaged([str(path), str(repository / "staged.py")]) == [str(path)]
    assert not (repository / "ran").exists()
    assert (repository / ".git" / "index").read_bytes() == index


def test_git_does_not_see_the_journal(repository: Path) -> None:
    path = repository / "clean.py"
    write([Change(str(path), b"x = 1\n", b"x = 2\n")], root=str(repository), command="c")
    command = ["git", "status", "--porcelain"]
    shown = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True).stdout
    assert shown == " M clean.py\n"
    entry = json.loads((repository / ".xlafix" / "journal" / "1" / "entry.json").read_text())
    assert entry["files"][0][0] == "clean.py"
