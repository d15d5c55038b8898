"""The GitHub action: its steps, run by the shell that it names, with the inputs as GitHub hands them over."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from harness_cli import GROWS, ROOT, lay, xlafix

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
INSTALL, CHECK = ACTION["runs"]["steps"]


def check(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    values: dict[str, Any] = {name: row["default"] for name, row in ACTION["inputs"].items()} | inputs
    filled = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: values[match[1]], text)
        for name, text in CHECK["env"].items()
    }
    # GitHub runs `bash -e -o pipefail` on a file with the text of the step.
    script = folder.with_name("step.sh")
    script.write_text(CHECK["run"])
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    found = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **filled, "PATH": found}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work tree"
    folder.mkdir()
    monkeypatch.chdir(folder)
    lay(folder, {"grows.py": GROWS, "a b.py": GROWS})
    return folder


def test_findings_stand_beside_the_lines_and_fail_the_step(here: Path) -> None:
    done = check(here)
    assert done.returncode == 1, done.stderr
    assert [line[:8] for line in done.stdout.splitlines()] == ["::error "] * 2


def test_a_report_goes_to_a_file(here: Path) -> None:
    done = check(
        here, format="sarif", output="out.sarif", paths="a b.py", options="--scope\nall\n--exit-zero"
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    (run,) = json.loads((here / "out.sarif").read_text())["runs"]
    assert [one["ruleId"] for one in run["results"]] == ["XLA103"]


def test_a_baseline_accepts(here: Path) -> None:
    xlafix("check", "--write-baseline", "known.json")
    assert check(here, baseline="known.json").returncode == 0


@pytest.mark.parametrize("name", ["paths", "format", "options", "baseline"])
def test_an_input_is_never_a_command(here: Path, name: str) -> None:
    done = check(here, **{name: '"; touch hacked; $(touch hacked) `touch hacked` #'})
    assert done.returncode == 2
    assert not (here / "hacked").exists()


def test_every_input_is_used_and_described() -> None:
    used = set(re.findall(r"inputs\.(\w+)", " ".join(CHECK["env"].values())))
    assert used == set(ACTION["inputs"])
    assert all(row["description"] for row in ACTION["inputs"].values())
    assert set(re.findall(r"\$\{?([A-Z]+)\b", CHECK["run"])) - {"IFS"} == set(CHECK["env"])
    assert "inputs" not in CHECK["run"]


@pytest.mark.slow
def test_the_first_step_installs_the_command(tmp_path: Path) -> None:
    subprocess.run(["python3", "-m", "venv", tmp_path / "venv"], check=True)
    environment = {**os.environ, "GITHUB_ACTION_PATH": str(ROOT)}
    environment["PATH"] = f"{tmp_path / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", INSTALL["run"]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode and "Could not find a version" in done.stderr:
        pytest.skip("pip reaches no index")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "venv" / "bin" / "xlafix").exists()
