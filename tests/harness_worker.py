"""The TensorFlow side of the golden harness: one process that imports TensorFlow and forks per job.

Run as a script by `harness_compiler.Compiler`. It reads pickled jobs (dicts) from standard input and
writes one pickled outcome (a dict) for each to standard output. Importing TensorFlow costs seconds
and is done once; it runs no operation in this process, so that a fork starts from a clean state.
Every job runs in a forked process of its own, in its own process group and under a time limit,
because XLA may abort the process: a dead process is an outcome ("abort"), not a failure here.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import os
import pickle
import random
import re
import resource
import select
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import IO, Any

Outcome = dict[str, Any]
TAIL = 800  # characters of an error text that are kept
SEED = 2026  # of what draws without a seed of its own: a comparison of two samples must not hang on luck
STACK = "Stack trace for op definition|tf2xla conversion failed"  # what is no use to a reader


def forked(work: Callable[[], Outcome], seconds: float) -> Outcome:
    """Run `work` in a forked process and return its outcome, or how the process ended."""
    read, write = os.pipe()
    with tempfile.TemporaryFile() as log:
        pid = os.fork()
        if pid == 0:
            _child(work, write, log)
        with contextlib.suppress(PermissionError, ProcessLookupError):
            os.setpgid(pid, pid)  # here and in the child: whoever comes first
        os.close(write)
        data = _read_all(read, time.monotonic() + seconds)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)  # also what the case itself may have started
        _, status = os.waitpid(pid, 0)
        if data is None:
            return {"kind": "timeout", "detail": f"no answer after {seconds:g} s"}
        with contextlib.suppress(pickle.UnpicklingError, EOFError):
            outcome: Outcome = pickle.loads(data)
            return outcome
        log.seek(0)
        text = log.read().decode(errors="replace")
    found = re.search(r"Check failed[^\n]*", text)
    cause = found.group(0)[:TAIL] if found else f"signal {os.WTERMSIG(status)}\n{text[-TAIL:]}"
    return {"kind": "abort", "detail": f"process aborted: {cause}"}


def _child(work: Callable[[], Outcome], write: int, log: IO[bytes]) -> None:
    """The forked process: never returns."""
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        try:
            outcome = work()
        except BaseException as error:  # noqa: BLE001 - whatever a case raises is its outcome
            text = re.sub(r"\s+", " ", re.split(STACK, str(error))[0])
            outcome = {"kind": "error", "detail": f"{type(error).__name__}: {text[:TAIL]}"}
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(outcome, pipe)
    finally:
        os._exit(0)


def _read_all(fd: int, end: float) -> bytes | None:
    """Everything from `fd` until it is closed, or None where that takes longer than until `end`."""
    data = b""
    try:
        while (left := end - time.monotonic()) > 0:
            if select.select([fd], [], [], left)[0]:
                chunk = os.read(fd, 1 << 16)
                if not chunk:
                    return data
                data += chunk
        return None
    finally:
        os.close(fd)


def patch_function(tf: ModuleType, keep_jit: bool) -> list[str]:
    """Make tf.function record who asks for XLA, and refuse it unless `keep_jit`.

    Returns the list that receives the names of the functions.
    """
    real = tf.function
    compiled: list[str] = []

    @functools.wraps(real)
    def function(func: Any = None, *args: Any, **kwargs: Any) -> Any:
        if func is None:
            return lambda late: function(late, *args, **kwargs)
        keywords = ("jit_compile", "experimental_compile")
        if any(kwargs.get(keyword) for keyword in keywords):
            inner = getattr(func, "func", func)
            compiled.append(getattr(inner, "__name__", type(inner).__name__))
        if not keep_jit:
            kwargs = {key: value for key, value in kwargs.items() if key not in keywords}
        return real(func, *args, **kwargs)

    names = ("tensorflow", "tensorflow.compat.v1", "tensorflow.compat.v2")
    for place in (tf.compat.v1, tf.compat.v2, *map(importlib.import_module, names)):
        place.function = function  # the lazily loaded modules and those of `import` are not the same
    return compiled


def patch_keras(compiled: list[str], keep_jit: bool) -> None:
    """The same for `Model.compile(jit_compile=True)`."""
    trainer = importlib.import_module("keras.src.trainers.trainer").Trainer
    real = trainer.compile

    @functools.wraps(real)
    def recorded(self: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("jit_compile") is True:
            compiled.append("compile")
            kwargs["jit_compile"] = keep_jit
        return real(self, *args, **kwargs)

    trainer.compile = recorded


def flatten(tf: ModuleType, result: Any) -> list[Any]:
    """The leaves of a result as NumPy arrays, in order; None stays None."""
    import numpy as np

    leaves: list[Any] = []
    for leaf in tf.nest.flatten(result):
        dense = tf.convert_to_tensor(leaf) if isinstance(leaf, tf.IndexedSlices) else leaf
        for part in tf.nest.flatten(dense, expand_composites=True):
            value = part.numpy() if hasattr(part, "numpy") else part
            leaves.append(None if part is None else np.asarray(value))
    return leaves


def load_spec(path: str) -> ModuleType:
    """The module of a project's case.py."""
    spec = importlib.util.spec_from_file_location("xlafix_case_spec", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_others(tf: ModuleType, function: Callable[..., Any]) -> None:
    """Compile functions that draw, before the entry is called: XLA counts them for its own random numbers."""
    for size in (3, 5, 7):
        shape = [size]
        draw = function(
            lambda shape=shape: tf.random.normal(shape) + tf.random.uniform(shape), jit_compile=True
        )
        draw()


def run_case(job: dict[str, Any]) -> Outcome:
    """Import the program of `job` and call its entry on all inputs, in the mode of the job."""
    import numpy as np
    import tensorflow as tf

    random.seed(SEED)
    np.random.seed(SEED)
    tf.random.set_seed(SEED)
    sys.dont_write_bytecode = True
    sys.path.insert(0, job["tree"])
    os.chdir(job["tree"])
    real = tf.function
    compiled = patch_function(tf, keep_jit=job["mode"] == "jit")
    if job["devices"] > 1:
        parts = [tf.config.LogicalDeviceConfiguration()] * job["devices"]
        tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], parts)
    if job["keras"]:
        patch_keras(compiled, keep_jit=job["mode"] == "jit")
    if job["mode"] == "eager":
        tf.config.run_functions_eagerly(True)
    module_name, _, name = job["entry"].partition(":")
    module = importlib.import_module(module_name)
    spec = load_spec(job["spec"]) if job["spec"] else module
    getattr(spec, "prepare", lambda: None)()
    if job["others_first"]:  # not before the program has set up its devices
        compile_others(tf, real)
    entry: Any = module
    for part in name.split("."):
        entry = getattr(entry, part)
    arguments = [spec.inputs() for _ in range(job["calls"])]
    if not job["declared"]:
        arguments += getattr(spec, "more_inputs", list)()
    values = [flatten(tf, entry(*one)) for one in arguments]
    return {"kind": "ok", "detail": "", "values": values, "compiled": compiled}


def main() -> None:
    warnings.filterwarnings("ignore")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print must not mix with the answers
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")
    pickle.dump({"kind": "ready", "detail": tf.__version__}, answers)
    answers.flush()
    while True:
        try:
            job = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(forked(functools.partial(run_case, job), job["seconds"]), answers)
        answers.flush()


if __name__ == "__main__":
    main()
