"""The JAX side of the golden harness: the true TPU compiler, without a TPU.

libtpu compiles ahead of time for a described topology. Each JAX version that a case names gets an
environment of its own below `.jax/`, which the first test that needs it makes with pip. Without a network
the tests that need it are skipped, and say so.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from harness_compiler import Outcome, Program, write_tree

LIBTPU = {"0.7.0": "0.0.19.1", "0.10.2": "0.0.42.1"}
"""JAX version -> the libtpu of its time. 0.7.0 is the strictest, 0.10.2 the newest that was measured."""

ENVIRONMENTS = Path(__file__).resolve().parent.parent / ".jax"
WORKER = Path(__file__).with_name("harness_jax_worker.py")
SECONDS = 120.0


class Unavailable(RuntimeError):  # noqa: N818 - an answer, not an error
    """There is no such compiler here. str() says why."""


def python_of(version: str) -> Path:
    """The interpreter of an environment with a JAX version, made if need be. Raises Unavailable."""
    folder = ENVIRONMENTS / version
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        venv.create(folder, with_pip=True, clear=True)
        wanted = [f"jax=={version}", f"jaxlib=={version}", f"libtpu=={LIBTPU[version]}", "numpy"]
        command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *wanted]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Unavailable(f"JAX {version} with libtpu cannot be installed: {done.stderr.strip()[-200:]}")
        (folder / "complete").touch()
    return python


@dataclass
class TpuCompiler:
    """A process with one JAX that compiles programs for a TPU, or runs them on the CPU for their numbers."""

    version: str
    _process: subprocess.Popen[bytes]
    _seen: dict[object, Outcome] = field(default_factory=dict)

    def run(self, program: Program, mode: str) -> Outcome:
        """mode: "compile" for the TPU; "numbers": on the CPU, wherever values are placed."""
        key = (tuple(sorted(program.files.items())), program.entry, program.spec, mode)
        if key not in self._seen:
            with tempfile.TemporaryDirectory(prefix="xlafix-case-") as tree:
                write_tree(Path(tree), program.files)
                job = {"tree": tree, "entry": program.entry, "spec": program.spec, "mode": mode}
                assert self._process.stdin is not None
                assert self._process.stdout is not None
                pickle.dump({**job, "seconds": SECONDS}, self._process.stdin)
                self._process.stdin.flush()
                self._seen[key] = Outcome(**pickle.load(self._process.stdout))
        return self._seen[key]


@contextmanager
def tpu_compiler(version: str) -> Iterator[TpuCompiler]:
    """A compiler for as long as the block runs. Raises Unavailable."""
    environment = dict(
        os.environ,
        JAX_PLATFORMS="cpu",
        PYTHONPATH=str(WORKER.parent),
        TPU_SKIP_MDS_QUERY="1",
        TPU_ACCELERATOR_TYPE="v5litepod-4",
        TPU_WORKER_HOSTNAMES="localhost",
        TPU_WORKER_ID="0",
    )
    process = subprocess.Popen(
        [str(python_of(version)), str(WORKER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield TpuCompiler(version, process)
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()
