"""Run as a script by `harness_jax`, with the interpreter of one JAX: compiles or runs the cases it is sent.

It forks for each job (libtpu may abort, and its lock belongs to one process at a time), and starts no JAX
backend itself.
"""

from __future__ import annotations

import functools
import importlib
import os
import pickle
import sys
import warnings
from types import ModuleType
from typing import Any

import harness_host_walk
from harness_worker import forked, load_spec

Outcome = dict[str, Any]
TOPOLOGY = "v5e:2x2"
KINDS = {"device", "pinned_host"}  # of memory that a program may name


def describe_devices(jax: ModuleType) -> None:
    """Let the program place things on the devices of a TPU that is only described."""
    topologies = importlib.import_module("jax.experimental.topologies")
    devices = list(topologies.get_topology_desc(TOPOLOGY, platform="tpu").devices)
    jax.devices = jax.local_devices = lambda *_, **__: list(devices)  # type: ignore[attr-defined]
    jax.device_count = lambda *_, **__: len(devices)  # type: ignore[attr-defined]


def lacking(jax: ModuleType) -> str:
    """What the devices that there really are do not know of those of a TPU, or ""."""
    known = {memory.kind for memory in jax.devices()[0].addressable_memories()}
    missing = ", ".join(sorted(KINDS - known))
    return f"without libtpu, JAX {jax.__version__} knows no memory of kind {missing}" if missing else ""


def walk(jax: ModuleType, entry: Any, arguments: Any, described: bool) -> Outcome:
    """What the program leaves on the host, according to its StableHLO for a TPU."""
    if described:
        lowered = entry.lower(*arguments)
    else:
        lowered = entry.trace(*arguments).lower(lowering_platforms=("tpu",))
    verdict = harness_host_walk.judge(lowered.compiler_ir("stablehlo"), newer=jax.__version__ != "0.7.0")
    return {"kind": verdict.kind, "detail": verdict.message}


def ignore_places(jax: Any) -> None:
    """The numbers do not depend on where values live."""
    real = jax.jit

    def jit(fun: Any = None, **options: Any) -> Any:
        if fun is None:
            return functools.partial(jit, **options)
        for key in ("out_shardings", "in_shardings", "donate_argnums", "donate_argnames"):
            options.pop(key, None)
        return real(fun, **options)

    jax.jit = jit
    jax.device_put = lambda x, *_, **__: x


def filled(jax: Any, arguments: Any) -> Any:
    """Numbers in the place of described arguments, the same in every run."""
    import numpy as np

    random = np.random.default_rng(0)

    def make(leaf: Any) -> Any:
        if not isinstance(leaf, jax.ShapeDtypeStruct):
            return leaf
        if not np.issubdtype(leaf.dtype, np.floating):
            return jax.numpy.asarray(random.integers(0, 2, leaf.shape).astype(leaf.dtype))
        return jax.numpy.asarray((random.standard_normal(leaf.shape) * 0.1).astype(leaf.dtype))

    return jax.tree_util.tree_map(make, arguments)


def run_case(job: dict[str, Any]) -> Outcome:
    import jax
    import numpy as np

    sys.dont_write_bytecode = True
    sys.path.insert(0, job["tree"])
    os.chdir(job["tree"])
    if job["described"]:
        describe_devices(jax)
    elif missing := lacking(jax):
        return {"kind": "unavailable", "detail": missing}
    numbers = job["mode"] == "numbers"
    if numbers:
        ignore_places(jax)
    module_name, _, name = job["entry"].partition(":")
    module = importlib.import_module(module_name)
    spec = load_spec(job["spec"]) if job["spec"] else module
    entry: Any = module
    for part in name.split("."):
        entry = getattr(entry, part)
    if not numbers:
        entry = entry if hasattr(entry, "lower") else jax.jit(entry)
        if job["mode"] == "walk":
            return walk(jax, entry, spec.inputs(), job["described"])
        entry.lower(*spec.inputs()).compile()
        return {"kind": "ok", "detail": ""}
    values = [
        [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(entry(*filled(jax, arguments)))]
        for arguments in [spec.inputs(), *getattr(spec, "more_inputs", list)()]
    ]
    return {"kind": "ok", "detail": "", "values": values}


def main() -> None:
    warnings.filterwarnings("ignore")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print must not mix with the answers
    importlib.import_module("jax.numpy")
    while True:
        try:
            job = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(forked(functools.partial(run_case, job), job["seconds"]), answers)
        answers.flush()


if __name__ == "__main__":
    main()
