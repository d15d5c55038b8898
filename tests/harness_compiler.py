"""Run programs with and without XLA, and say in what their results differ."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np

Mode = Literal["jit", "graph", "eager"]  # as written; without XLA; run_functions_eagerly
SECONDS = 180.0  # for one run of one case; a case needs about one second
RTOL, ATOL = 2e-4, 2e-5  # XLA reassociates sums: about 100 float32 ulps are normal in the cases


@dataclass(frozen=True)
class Program:
    """What is run: files (relative POSIX path -> bytes), "module:function", and who gives the inputs.

    spec: path of a file with `inputs()`; "" if the module of the entry has it.
    """

    files: Mapping[str, bytes]
    entry: str
    spec: str = ""


@dataclass(frozen=True)
class Outcome:
    """How a run ended: ok, error (an exception), abort (the process died) or timeout.

    values: for every list of inputs the leaves of the result, as arrays. compiled: the names of the
    functions for which the program asked for XLA.
    """

    kind: str
    detail: str = ""
    values: Sequence[Sequence[Any]] = ()
    compiled: Sequence[str] = ()


@dataclass
class Compiler:
    """A process with TensorFlow imported that runs programs; use as a context manager.

    Outcomes are remembered for the life of the object: the same reference serves several tests.
    """

    version: str = ""
    _process: subprocess.Popen[bytes] | None = None
    _seen: dict[object, Outcome] = field(default_factory=dict)

    def __enter__(self) -> Compiler:
        environment = dict(
            os.environ, TF_CPP_MIN_LOG_LEVEL="2", CUDA_VISIBLE_DEVICES="-1", TF_ENABLE_ONEDNN_OPTS="0"
        )
        worker = Path(__file__).with_name("harness_worker.py")
        self._process = subprocess.Popen(
            [sys.executable, str(worker)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self.version = str(self._answer()["detail"])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def run(
        self,
        program: Program,
        mode: Mode,
        declared: bool = False,
        calls: int = 1,
        others_first: bool = False,
    ) -> Outcome:
        """declared: on `inputs()` only, without `more_inputs()`.

        calls: how often on `inputs()`. others_first: other functions are compiled before the program.
        """
        options = (mode, declared, calls, others_first)
        key = (tuple(sorted(program.files.items())), program.entry, program.spec, options)
        if key not in self._seen:
            self._seen[key] = self._run(program, *options)
        return self._seen[key]

    def _run(self, program: Program, mode: Mode, declared: bool, calls: int, others_first: bool) -> Outcome:
        assert self._process is not None
        assert self._process.stdin is not None
        with tempfile.TemporaryDirectory(prefix="xlafix-case-") as tree:
            write_tree(Path(tree), program.files)
            keras = any(b"keras" in data for data in program.files.values())
            job = {
                "tree": tree,
                "entry": program.entry,
                "spec": program.spec,
                "mode": mode,
                "keras": keras,
                "declared": declared,
                "calls": calls,
                "others_first": others_first,
            }
            pickle.dump({**job, "seconds": SECONDS}, self._process.stdin)
            self._process.stdin.flush()
            return Outcome(**self._answer())

    def _answer(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            answer: dict[str, Any] = pickle.load(self._process.stdout)
        except EOFError:
            code = self._process.wait(30)
            raise RuntimeError(
                f"the TensorFlow process ended with status {code}; is TensorFlow installed?"
            ) from None
        return answer


def write_tree(top: Path, files: Mapping[str, bytes]) -> None:
    for path, data in files.items():
        target = top / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def difference(got: Outcome, want: Outcome) -> str:
    """In what two finished runs differ, in a sentence; "" if their results are equal."""
    if len(got.values) != len(want.values):
        return f"{len(got.values)} lists of inputs instead of {len(want.values)}"
    for number, (mine, theirs) in enumerate(zip(got.values, want.values, strict=True)):
        if text := _differ(mine, theirs):
            return f"inputs {number}, {text}"
    return ""


def _differ(got: Sequence[Any], want: Sequence[Any]) -> str:
    if len(got) != len(want):
        return f"{len(got)} outputs instead of {len(want)}"
    for index, (a, b) in enumerate(zip(got, want, strict=True)):
        if a is None or b is None:
            if a is not b:
                return f"output {index}: {a} instead of {b}"
        elif a.shape != b.shape:
            return f"output {index}: shape {a.shape} instead of {b.shape}"
        elif a.dtype != b.dtype:
            return f"output {index}: dtype {a.dtype} instead of {b.dtype}"
        elif not _close(a, b):
            return f"output {index}: {a.ravel()[:6].tolist()} instead of {b.ravel()[:6].tolist()}"
    return ""


def _close(a: Any, b: Any) -> bool:
    if a.dtype.kind in "OSU":
        return bool(a.tolist() == b.tolist())
    if a.dtype.kind in "biu":  # also what complex128 could not hold
        return bool(np.array_equal(a, b))
    return bool(
        np.allclose(a.astype("complex128"), b.astype("complex128"), rtol=RTOL, atol=ATOL, equal_nan=True)
    )


def verdict(got: Outcome, want: Outcome) -> tuple[str, str]:
    """Judge a run by the reference: ("runs" | "wrong" | "error" | "abort" | "timeout", why)."""
    if got.kind != "ok":
        return got.kind, got.detail
    text = difference(got, want)
    return ("wrong", text) if text else ("runs", "equal to the run without XLA")
