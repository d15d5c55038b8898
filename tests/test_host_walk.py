"""The walk through StableHLO (`harness_host_walk`): programs of each kind, and its agreement with libtpu."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from harness_cases import discover
from harness_compiler import Outcome, Program
from harness_jax import (
    ENVIRONMENTS,
    LIBTPU,
    ORACLE_VARIABLE,
    TpuCompiler,
    Unavailable,
    chosen_oracle,
    tpu_compiler,
)

OLD, NEW = LIBTPU
HEADER = """\
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental.compute_on import compute_on
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")
slow = dev.with_memory_kind("unpinned_host")
put = jax.device_put
norm = lambda a: jnp.sqrt(jnp.sum(a))  # a value without dimensions: JAX 0.10.2 types it as on the device
spec = lambda shape, sharding, dtype=jnp.float32: jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)
x, h, c = spec((8, 128), dev), spec((8, 128), host), spec((), host, jnp.int32)

"""


@dataclass(frozen=True)
class Kind:
    """A program, and what the walk says of it: the outputs, "" where there are none, or "abort".

    code: defines `f`. arguments: of HEADER. new, old: with JAX 0.10.2, and 0.7.0 if that differs.
    """

    code: str
    arguments: str
    new: str
    old: str | None = None

    @property
    def program(self) -> Program:
        text = f"{HEADER}{self.code}\n\ndef inputs():\n    return ({self.arguments},)\n"
        return Program({"kind.py": text.encode()}, "kind:f")

    def expected(self, version: str) -> str:
        return self.old if version == OLD and self.old is not None else self.new


KINDS = {
    "nested jit": Kind("f = lambda x: (x, jax.jit(lambda a: a * 2)(put(x, host)))", "x", "", "[1]"),
    "nested jit, norm": Kind("f = lambda x: (x, norm(jax.jit(lambda a: a * 2)(put(x, host))))", "x", "[1]"),
    "nested jit, once with each memory": Kind(
        "g = jax.jit(norm)\nf = lambda x: (g(x), put(g(put(x, host)), dev), g(put(x, host)))", "x", "[2]"
    ),
    "while, moved back inside": Kind(
        "loop = lambda b: lax.fori_loop(0, 4, lambda i, b: put(put(b, dev) * 2, host), b)\n"
        "f = lambda x: (x, norm(loop(put(x, host))))",
        "x",
        "[1]",
    ),
    "while, a carry of several": Kind(
        "loop = lambda a, b: lax.fori_loop(0, 4, lambda i, c: (c[0], c[1] + put(c[0], dev)), (a, b))\n"
        "f = lambda x: (lambda a, b: {'host': norm(a), 'device': norm(b)})(*loop(put(x, host), x))",
        "x",
        "['host']",
    ),
    "while, a value of its surroundings": Kind(
        "f = lambda x, h: (x, lax.fori_loop(0, 4, lambda i, s: norm(h), 0.0))", "x, h", "[1]"
    ),
    "while, only the next round": Kind(
        "f = lambda h: lax.fori_loop(0, 4, lambda i, c: (norm(h), c[1] + c[0]), (0.0, 0.0))", "h", "[0]"
    ),
    "scan, stacked results": Kind(
        "stack = jax.jit(lambda x: lax.scan(lambda s, a: (s, put(a, host)), 0.0, x)[1])\n"
        "f = lambda x: (x, stack(x), norm(stack(x)))",
        "x",
        "[2]",
        "[1], [2]",
    ),
    "scan, rows moved in": Kind(
        "f = lambda h: lax.scan(lambda s, a: (s + put(a, dev).sum(), put(a, dev) * 2), 0.0, h)", "h", ""
    ),
    "cond, both branches offload": Kind(
        "spill = lambda x: lax.cond(x[0, 0] > 0, lambda a: put(a, host), lambda a: put(a * 2, host), x)\n"
        "f = lambda x: (x, spill(x), norm(spill(x)), put(spill(x), dev))",
        "x",
        "[2]",
        "[1], [2]",
    ),
    "cond, one branch computes there": Kind(
        "f = lambda x, h: (x, lax.cond(x[0, 0] > 0, lambda: norm(h), lambda: 1.0))", "x, h", "[1]"
    ),
    "cond, decided on the host": Kind(
        "f = lambda x, c: (x, lax.cond(c + 1 > 3, lambda: x, lambda: x * 2))", "x, c", "abort"
    ),
    "while, decided on the host": Kind(
        "f = lambda x, h: lax.while_loop(lambda s: s[0] < norm(h), lambda s: (s[0] + 1, s[1] * 2), (0.0, x))",
        "x, h",
        "abort",
    ),
    "while, decided and carried on the host": Kind(
        "double = lambda a: put(put(a, dev) * 2, slow)\n"
        "f = lambda x: (1, lax.while_loop(lambda a: a.sum() < 9, double, put(x, slow)))",
        "x",
        "abort",
    ),
    "sort": Kind("f = lambda x: (x, put(jnp.sort(put(x, slow)), dev))", "x", "abort"),
    "argmax": Kind("f = lambda x: (x, put(jnp.argmax(put(x, slow)), dev))", "x", "abort"),
    "optimization barrier": Kind(
        "f = lambda x: lax.optimization_barrier((put(x, host), x * 2))", "x", "", "[0]"
    ),
    "optimization barrier, norm": Kind(
        "f = lambda x: (x, norm(lax.optimization_barrier(put(x, host))))", "x", "[1]"
    ),
    "rematerialized": Kind(
        "f = lambda x: (x, norm(jax.checkpoint(lambda a: put(a, host) * 2)(x)))", "x", "[1]"
    ),
    "slice moved to the device": Kind(
        "f = lambda h: (put(h[2:4], dev) * 2, put(lax.dynamic_slice_in_dim(h, 1, 2), dev))", "h", ""
    ),
    "slice moved, and computed with": Kind(
        "rows = lambda h: h[2:4]\nf = lambda h: (lambda s: (put(s, dev) * 2, norm(s)))(rows(h))", "h", "[1]"
    ),
    "slice returned": Kind("f = lambda x: (x, put(x, slow)[2:4])", "x", "", "[1]"),
    "slice returned alone": Kind("f = lambda x: put(x, slow)[2]", "x", ""),
    "slice returned and computed with": Kind(
        "f = lambda x: (lambda s: (s, put(s * 2, dev)))(put(x, slow)[2:4])", "x", "[0]"
    ),
    "slice returned twice": Kind("f = lambda x: (lambda s: (s, s))(put(x, slow)[2:4])", "x", "", "[0], [1]"),
    "slice behind a barrier": Kind(
        "f = lambda x: (x, lax.optimization_barrier(put(x, slow)[2:4]))", "x", "", "[1]"
    ),
    "slice around a loop": Kind(
        "rows = lambda x: put(x, slow)[2:4]\n"
        "f = lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1]), (0, rows(x)))",
        "x",
        "[1]",
    ),
    "update of a host buffer": Kind(
        "f = lambda x, h: (x, norm(lax.dynamic_update_slice(h, put(x[:1], host), (1, 0))))", "x, h", "[1]"
    ),
    "several outputs, one of them on the host": Kind(
        "f = lambda x: {'a': x * 2, 'kept': put(x, host), 'm': {'norm': norm(put(x, host)), 'sum': x.sum()}}",
        "x",
        "['m']['norm']",
    ),
    "alone": Kind("f = lambda x: put(x, slow)", "x", ""),
    "alone in a dict": Kind("f = lambda x: {'a': jax.jit(lambda a: put(a, slow))(x)}", "x", ""),
    "alone, of another shape": Kind("f = lambda x: put(x, slow).reshape(2, 4, 128)[None]", "x", ""),
    "alone, computed with": Kind("f = lambda x: put(x, slow) * 2", "x", "the result"),
    "alone, after a loop": Kind(
        "f = lambda x: lax.fori_loop(0, 3, lambda i, a: put(put(a, dev) * 2, slow), x)", "x", "the result", ""
    ),
    "alone, moved twice": Kind("f = lambda x: put(put(x, slow), slow)", "x", "the result", ""),
    "not alone": Kind("f = lambda x: (x, put(x, slow))", "x", "[1]", ""),
    "input on the host": Kind(
        "f = lambda h, c: (h, h * 2, {'mean': jnp.mean(h), 'count': c + 1})",
        "h, c",
        "[2]['count'], [2]['mean']",
        "[1], [2]['count'], [2]['mean']",
    ),
    "input by in_shardings": Kind(
        "f = jax.jit(lambda a: (put(a, dev) * 2, norm(a)), in_shardings=(host,))",
        "jax.ShapeDtypeStruct((8, 128), jnp.float32)",
        "[1]",
    ),
    "donated": Kind(
        "f = jax.jit(lambda h, c: (put(put(h, dev) * 2, host), c + 1), donate_argnums=(0, 1))", "h, c", "[1]"
    ),
    "declared on the host": Kind(
        "f = jax.jit(lambda h: (h * 2, norm(h)), out_shardings=(host, None))", "h", "[1]"
    ),
    "declared on the device": Kind("f = jax.jit(lambda h: (h * 2, norm(h)), out_shardings=dev)", "h", ""),
    "not used": Kind("f = lambda x: (x, jnp.zeros((put(x, host) * 2).shape))", "x", ""),
    "computed on the host, brought back": Kind(
        "f = lambda h: (1, compute_on('device_host')(jax.jit(norm))(h))", "h", ""
    ),
    "across devices": Kind(
        "all_dev = NamedSharding(Mesh(np.array(jax.devices()), ('data',)), P('data'), memory_kind='device')\n"
        "all_host = all_dev.with_memory_kind('pinned_host')\n"
        "part = jax.shard_map(lambda a, b: (norm(a)[None], norm(b)[None]), mesh=all_dev.mesh,\n"
        "                     in_specs=(P('data'), P('data')), out_specs=(P('data'), P('data')))\n"
        "whole = lambda a: norm(lax.with_sharding_constraint(a, all_host))\n"
        "f = lambda a, b: (*(norms.sum() * 2 for norms in part(a, b)), whole(a))",
        "spec((8, 128), all_host), spec((8, 128), all_dev)",
        "[0], [2]",
    ),
    "Cholesky decomposition": Kind("f = lambda x: (1, lax.linalg.cholesky(put(x[:, :8], slow)))", "x", "[1]"),
}

BOTH = "both faults are there, and XLA meets the output first"
LATER = "the compiler expands it first, and fails at what that becomes"
DIFFER = {
    # (JAX version, program): what the compiler says, where the walk says something else, and why
    (OLD, "while, decided and carried on the host"): ("E1200", BOTH),
    (NEW, "while, decided and carried on the host"): ("E1200", BOTH),
    (NEW, "slice around a loop"): ("ok", "the slice has two uses, and the walk looks at one of them only"),
    (OLD, "Cholesky decomposition"): ("abort", LATER),
    (NEW, "Cholesky decomposition"): ("error", LATER),
}


def said(outcome: Outcome) -> str:
    """The outputs of an error 1200, or else the kind of the outcome, "" for "ok"."""
    names = re.search(r"Outputs: (.*)", outcome.detail)
    return names[1] if names else "" if outcome.kind == "ok" else outcome.kind


def verdict(outcome: Outcome) -> str:
    """ "E1200", or the kind of the outcome."""
    return "E1200" if "which is moved to host" in outcome.detail else outcome.kind


@pytest.fixture(scope="module")
def bare_walk() -> Iterator[TpuCompiler]:
    """The walk on the devices of the CPU, with the JAX of this interpreter or of the slow tests."""
    version = next((one.version for one in importlib.metadata.distributions(name="jax")), "")
    made = [folder / "complete" for folder in (ENVIRONMENTS / NEW, ENVIRONMENTS / f"{NEW}-without-libtpu")]
    if version != NEW and not any(mark.exists() for mark in made):
        pytest.skip(f"JAX {NEW} is not here yet; the slow tests install it")
    python = Path(sys.executable) if version == NEW else None
    with tpu_compiler(NEW, "walk-without-libtpu", python) as walk:
        yield walk


@pytest.mark.parametrize("name", KINDS)
def test_kind(name: str, bare_walk: TpuCompiler) -> None:
    """Which outputs the walk names, without libtpu."""
    got = bare_walk.judge(KINDS[name].program)
    assert said(got) == KINDS[name].new, got.detail
    assert ("which is moved to host (starting from " in got.detail) == (got.kind == "error")


def test_message_names_what_was_moved(bare_walk: TpuCompiler) -> None:
    got = bare_walk.judge(KINDS["several outputs, one of them on the host"].program)
    assert got.detail == (
        "Tensor which is moved to host (starting from jit(<lambda>)/device_put) is returned from the entry "
        "computation but the layout for this output is not set to host memory. Outputs: ['m']['norm']"
    )
    assert "(starting from c, h)" in bare_walk.judge(KINDS["input on the host"].program).detail


def test_custom_calls(bare_walk: TpuCompiler) -> None:
    """What they return is elsewhere, unless it shares the buffer of an operand."""
    code = """
own = jax.ffi.ffi_call("any", jax.ShapeDtypeStruct((), jnp.float32))
shared = jax.ffi.ffi_call("any", jax.ShapeDtypeStruct((8, 128), jnp.float32), input_output_aliases={0: 0})
f = lambda x: (own(put(x, slow)), shared(put(x, slow)))
"""
    got = bare_walk.judge(Kind(code, "x", "").program)
    assert said(got) == "[1]", got.detail


def test_the_oracle_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ORACLE_VARIABLE, "walk")
    assert chosen_oracle(NEW) == "walk"
    monkeypatch.setenv(ORACLE_VARIABLE, "guess")
    with pytest.raises(ValueError, match="XLAFIX_JAX_ORACLE is 'guess', not one of compile, walk"):
        chosen_oracle(NEW)


def test_without_libtpu_the_walk_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(version: str, libtpu: bool = True) -> Path:
        raise Unavailable("no libtpu")

    monkeypatch.delenv(ORACLE_VARIABLE, raising=False)
    monkeypatch.setattr("harness_jax.python_of", refuse)
    assert chosen_oracle(NEW) == "walk-without-libtpu"


@pytest.fixture(scope="module", params=LIBTPU)
def compiler(request: pytest.FixtureRequest) -> Iterator[TpuCompiler]:
    try:
        with tpu_compiler(request.param) as one:
            yield one
    except Unavailable as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_kind_of_each_version(name: str, compiler: TpuCompiler) -> None:
    """Which outputs the walk names, with the topology that libtpu describes."""
    got = compiler.run(KINDS[name].program, "walk")
    assert said(got) == KINDS[name].expected(compiler.version), got.detail


def everything() -> dict[str, Program]:
    """All programs that both oracles can judge: inputs, goldens, weakened goldens, and KINDS."""
    programs = {name: kind.program for name, kind in KINDS.items()}
    for case in discover():
        if case.framework == "jax":
            programs[case.id] = case.program(case.files)
            if case.kind == "fix":
                programs[f"{case.id} golden"] = case.program(case.fixed)
            for label in case.weak_labels:
                programs[f"{case.id} {label}"] = case.program(case.weakened(label))
    return programs


@pytest.mark.slow
def test_the_walk_agrees_with_the_compiler(compiler: TpuCompiler) -> None:
    """With both versions, whatever a case is for. DIFFER lists what the walk gets wrong, nothing else."""
    differing = {}
    for name, program in everything().items():
        real, walked = (verdict(compiler.run(program, mode)) for mode in ("compile", "walk"))
        if real != walked:
            differing[compiler.version, name] = real
    known = {key: real for key, (real, _) in DIFFER.items() if key[0] == compiler.version}
    assert differing == known
