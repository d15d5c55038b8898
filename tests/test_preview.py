"""Rules that are not verified on the hardware that they speak of are off unless asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness_cli import lay, xlafix

COUNTER = """\
import tensorflow as tf

step = tf.Variable(0)


@tf.function(jit_compile=True)
def rate(x):
    step.assign_add(1)
    return tf.cast(step, tf.float32) * x
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lay(tmp_path, {"a.py": COUNTER})
    return tmp_path


@pytest.mark.parametrize("options", [[], ["--select", "XLA3"], ["--select", "ALL"]])
def test_off(here: Path, options: list[str]) -> None:
    done = xlafix("check", *options)
    assert done.exit_code == 0
    assert "XLA302" not in done.stdout


ASKED = [["--preview"], ["--select", "XLA302"], ["--select", "int32-variable-on-gpu"]]


@pytest.mark.parametrize("options", ASKED)
def test_asked_for(here: Path, options: list[str]) -> None:
    done = xlafix("check", *options)
    assert done.exit_code == 1
    assert "XLA302" in done.stdout


def test_asked_for_in_the_settings(here: Path) -> None:
    lay(here, {"pyproject.toml": "[tool.xlafix]\npreview = true\n"})
    assert "XLA302" in xlafix("check").stdout


def test_a_choice_asks_for_it(here: Path) -> None:
    done = xlafix("fix", "--choose", "XLA302=int64")
    assert done.exit_code == 0
    assert "step = tf.Variable(0, dtype=tf.int64)\n" in (here / "a.py").read_text()


def test_never_in_bulk(here: Path) -> None:
    xlafix("fix", "--preview", "--unsafe-fixes")
    assert (here / "a.py").read_text() == COUNTER


@pytest.mark.parametrize(("options", "told"), [([], False), (["--preview"], True)])
def test_useless_suppression(here: Path, options: list[str], told: bool) -> None:
    lay(here, {"a.py": "import tensorflow as tf\n\nx = 1  # xlafix: ignore[XLA302] for the GPU\n"})
    done = xlafix("check", "--scope", "all", *options)
    assert ("XLA002" in done.stdout) is told


def test_only_types_that_all_uses_take(here: Path) -> None:
    """A float is no index."""
    lay(here, {"a.py": COUNTER.replace("tf.cast(step, tf.float32)", "rates[step]")})
    rows = json.loads(xlafix("check", "--preview", "--output-format", "json").stdout)["diagnostics"]
    assert [fix["key"] for row in rows for fix in row["fixes"]] == ["int64"]
    assert [why["key"] for row in rows for why in row["unavailable"]] == ["float32"]
