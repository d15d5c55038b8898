"""Small projects, and `xlafix` run over them: in this process, or as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from harness_apply import ORDINARY, give_away

from codemods.cli.app import app

ROOT = Path(__file__).resolve().parent.parent

# An array that may grow, under a gradient: one finding, with a safe fix.
GROWS = """\
import tensorflow as tf


@tf.function(jit_compile=True)
def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.TensorArray(tf.float32, size=3, dynamic_size=True)
        for i in tf.range(3):
            rows = rows.write(i, x[i] ** 2)
        loss = tf.reduce_sum(rows.stack())
    return tape.gradient(loss, x)
"""
FIXED = GROWS.replace("dynamic_size=True", "dynamic_size=False")

# An index that must be a constant, in a helper that the training step of another module reaches.
HELPER = """\
import tensorflow as tf


def spread(image):
    total = tf.constant(0.0)
    for axis in tf.range(3):
        total += tf.reduce_max(tf.reduce_mean(image, axis=axis))
    return total


def unused(x):
    return x
"""
TRAIN = """\
import tensorflow as tf

from lib.helper import spread


@tf.function(jit_compile=True)
def train_step(image):
    return spread(image) * 2.0


@tf.function(jit_compile=True)
def evaluate(image):
    return spread(image)
"""
# The error hides silent damage that has no fix: `fix` must leave both alone.
UNMASK = """\
import tensorflow as tf


@tf.function(jit_compile=True)
def shrink(x):
    history = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    step = 0
    while tf.reduce_max(x) > 0.5:
        x = x * 0.5
        history = history.write(step, tf.reduce_max(x))
        step += 1
    total = tf.constant(0.0)
    for axis in tf.range(2):
        total += tf.reduce_sum(tf.reduce_mean(x, axis=axis))
    return history.stack(), total
"""
PROJECT = {
    "pyproject.toml": "[project]\nname = 'p'\n",
    "lib/__init__.py": "",
    "lib/helper.py": HELPER,
    "train.py": TRAIN,
    "grows.py": GROWS,
}


def lay(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Make files below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def snapshot(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".xlafix" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def xlafix(*arguments: str, stdin: str | bytes | None = None) -> Result:
    """Run a command in this process, in the current folder."""
    return CliRunner().invoke(app, list(arguments), input=stdin, catch_exceptions=False)


def xlafix_json(*arguments: str) -> dict[str, Any]:
    done = xlafix(*arguments, "--output-format", "json")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def ordinary(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as an ordinary user, to whom the folder is given."""
    give_away(folder)
    # All is imported before, since another user may not be able to read the environment.
    code = (
        f"import os, sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom codemods.cli.app import run\n"
        f"run(['fix', '--diff'])\nimport codemods.git, codemods.journal\n{ORDINARY}"
        "for stream in (sys.stdout, sys.stderr):\n    print(end='\\f', file=stream, flush=True)\n"
        f"sys.exit(run({list(arguments)!r}))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    done.stdout, done.stderr = done.stdout.rpartition("\f")[2], done.stderr.rpartition("\f")[2]
    return done


def process(
    folder: Path, *arguments: str, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the real command in a folder."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-m", "codemods", *arguments]
    return subprocess.run(
        command, cwd=folder, env=env, input=stdin, capture_output=True, timeout=120, check=False
    )
