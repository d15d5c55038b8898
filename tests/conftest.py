from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness_compiler import Compiler


@pytest.fixture(scope="session")
def compiler() -> Iterator[Compiler]:
    """TensorFlow in a process of its own, started by the first test that needs it."""
    with Compiler() as one:
        yield one


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty; no colours. Modules that fill it have a fixture of the same name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no small file system can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, which anybody can enter: not so the folders that pytest makes."""
    with tempfile.TemporaryDirectory() as name, monkeypatch.context() as patch:
        top = Path(name)
        top.chmod(0o755)
        patch.chdir(top)
        yield top
