"""The JAX side of the golden harness: the true TPU compiler, without a TPU.

libtpu compiles ahead of time for a described topology. Each JAX version that a case names gets an
environment of its own below `.jax/`, which the first test that needs it makes with pip. Where libtpu cannot
be installed, a walk through the lowered program judges instead (`harness_host_walk`), as far as it sees.
Without a network the tests that need JAX are skipped, and say so.
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
from typing import Literal

from harness_compiler import Outcome, Program, write_tree

LIBTPU = {"0.7.0": "0.0.19.1", "0.10.2": "0.0.42.1"}
"""JAX version -> the libtpu of its time. 0.7.0 is the strictest, 0.10.2 the newest that was measured."""

Oracle = Literal["compile", "walk", "walk-without-libtpu"]
"""compile: libtpu. walk: the walk, of the program for the topology that libtpu describes.
walk-without-libtpu: the walk, of what JAX lowers for a TPU on the devices of the CPU."""
ORACLES: tuple[Oracle, ...] = ("compile", "walk", "walk-without-libtpu")
ORACLE_VARIABLE = "XLAFIX_JAX_ORACLE"
ENVIRONMENTS = Path(__file__).resolve().parent.parent / ".jax"
WORKER = Path(__file__).with_name("harness_jax_worker.py")
SECONDS = 120.0


class Unavailable(RuntimeError):  # noqa: N818 - an answer, not an error
    """There is no such compiler here. str() says why."""


def python_of(version: str, libtpu: bool = True) -> Path:
    """The interpreter of an environment with a JAX version, made if need be. Raises Unavailable.

    Without libtpu it has a folder of its own, so that libtpu is tried again next time.
    """
    full, bare = ENVIRONMENTS / version, ENVIRONMENTS / f"{version}-without-libtpu"
    folder = full if libtpu or (full / "complete").exists() else bare
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        venv.create(folder, with_pip=True, clear=True)
        wanted = [f"jax=={version}", f"jaxlib=={version}", "numpy"]
        wanted += [f"libtpu=={LIBTPU[version]}"] if libtpu else []
        command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *wanted]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            what = f"JAX {version}" + (" with libtpu" if libtpu else "")
            raise Unavailable(f"{what} cannot be installed: {done.stderr.strip()[-200:]}")
        (folder / "complete").touch()
    return python


def chosen_oracle(version: str) -> Oracle:
    """What judges on this machine: the compiler where libtpu installs, else the walk.

    The environment variable XLAFIX_JAX_ORACLE chooses one (to try the walk where libtpu is there).
    """
    forced = os.environ.get(ORACLE_VARIABLE, "")
    for oracle in ORACLES:
        if forced == oracle:
            return oracle
    if forced:
        raise ValueError(f"{ORACLE_VARIABLE} is {forced!r}, not one of {', '.join(ORACLES)}")
    try:
        python_of(version)
    except Unavailable:
        return "walk-without-libtpu"
    return "compile"


@dataclass
class TpuCompiler:
    """A process with one JAX that judges programs for a TPU, or runs them on the CPU for their numbers."""

    version: str
    oracle: Oracle
    _process: subprocess.Popen[bytes]
    _seen: dict[object, Outcome] = field(default_factory=dict)

    def judge(self, program: Program) -> Outcome:
        """What the oracle says. kind "unavailable": it cannot say anything of this program here."""
        return self.run(program, "compile" if self.oracle == "compile" else "walk")

    def run(self, program: Program, mode: str) -> Outcome:
        """mode: "compile" for the TPU; "walk": only lower it, and follow what is on the host;
        "numbers": on the CPU, wherever values are placed."""
        key = (tuple(sorted(program.files.items())), program.entry, program.spec, mode)
        if key not in self._seen:
            with tempfile.TemporaryDirectory(prefix="xlafix-case-") as tree:
                write_tree(Path(tree), program.files)
                job = {"tree": tree, "entry": program.entry, "spec": program.spec, "mode": mode}
                described = self.oracle != "walk-without-libtpu"
                assert self._process.stdin is not None
                assert self._process.stdout is not None
                pickle.dump({**job, "described": described, "seconds": SECONDS}, self._process.stdin)
                self._process.stdin.flush()
                self._seen[key] = Outcome(**pickle.load(self._process.stdout))
        return self._seen[key]


@contextmanager
def tpu_compiler(
    version: str, oracle: Oracle = "compile", python: Path | None = None
) -> Iterator[TpuCompiler]:
    """A compiler for as long as the block runs. Raises Unavailable.

    python: an interpreter that has that JAX, if it is not to be one of `.jax/`.
    """
    python = python or python_of(version, libtpu=oracle != "walk-without-libtpu")
    environment = dict(
        os.environ,
        JAX_PLATFORMS="cpu",
        PYTHONPATH=str(WORKER.parent),
        ALLOW_MULTIPLE_LIBTPU_LOAD="1",  # no TPU is held: its lock would refuse whoever comes second
        TPU_SKIP_MDS_QUERY="1",
        TPU_ACCELERATOR_TYPE="v5litepod-4",
        TPU_WORKER_HOSTNAMES="localhost",
        TPU_WORKER_ID="0",
    )
    if oracle == "walk-without-libtpu":
        environment["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"  # as many as the topology has
    process = subprocess.Popen(
        [str(python), str(WORKER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield TpuCompiler(version, oracle, process)
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()
