"""The hooks, run by the real pre-commit in a repository of their own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from harness_cli import FIXED, GROWS, HELPER, ROOT, lay

pytestmark = pytest.mark.slow
INSTALLED = ("codemods", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)


def repository(folder: Path) -> str:
    """Make the folder a git repository with all that is in it; its commit."""
    for command in (("init", "-q"), ("add", "-A")):
        assert run(folder, "git", *command).returncode == 0
    who = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    assert run(folder, "git", *who, "commit", "-q", "-m", "all").returncode == 0
    return run(folder, "git", "rev-parse", "HEAD").stdout.strip()


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A repository with what the hooks install, and its commit."""
    folder = tmp_path_factory.mktemp("hooks")
    for name in INSTALLED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, folder / name)
    return folder, repository(folder)


@pytest.fixture
def work(tmp_path: Path, hooks: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that uses both hooks; pre-commit keeps its environments beside the hooks."""
    folder, commit = hooks
    monkeypatch.setenv("PRE_COMMIT_HOME", str(folder.with_name("kept")))
    config = (
        f"repos:\n- repo: {folder}\n  rev: {commit}\n  hooks: [{{id: xlafix-fix}}, {{id: xlafix-check}}]\n"
    )
    lay(
        tmp_path,
        {".pre-commit-config.yaml": config, "grows.py": GROWS, "helper.py": HELPER, "notes.txt": "no\n"},
    )
    repository(tmp_path)
    return tmp_path


def hook(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(folder, sys.executable, "-m", "pre_commit", "run", "--all-files", *arguments)


def test_fix_mends_what_is_safe_and_check_passes_then(work: Path) -> None:
    done = hook(work, "xlafix-check")
    if "environment" in done.stdout + done.stderr and "InstallError" in done.stdout + done.stderr:
        pytest.skip(f"pre-commit cannot install: {done.stdout[-300:]}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "XLA103" in done.stdout
    done = hook(work, "xlafix-fix")
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout
    assert (work / "grows.py").read_text() == FIXED
    assert (work / "helper.py").read_text() == HELPER  # nothing compiles it
    assert run(work, "git", "add", "grows.py").returncode == 0
    assert hook(work).returncode == 0


def test_nothing_happens_to_what_is_not_staged(work: Path) -> None:
    """pre-commit puts changes that are not staged aside, and fix neither sees nor loses them."""
    lay(work, {"new.py": GROWS})
    assert run(work, "git", "add", "new.py").returncode == 0
    lay(work, {"new.py": GROWS + "# more\n"})
    done = run(work, sys.executable, "-m", "pre_commit", "run", "xlafix-fix")
    assert done.returncode == 1, done.stdout + done.stderr
    assert (work / "new.py").read_text().endswith("# more\n")
