"""JAX in the analysis: its roots and versions, and that the frameworks are kept apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import run_engine

from codemods import engine, pins, settings, source
from codemods.analysis import memory_control
from codemods.analysis.jax_version import JaxVersion
from codemods.knowledge import jax_memory

ROOTS = """\
import functools
from functools import partial
import jax
from jax import jit
from jax.experimental.pjit import pjit
from jax.experimental.shard_map import shard_map
from flax import nnx

@jit
def bare(x): return helper(x)

@partial(jax.jit, static_argnums=0)
def partial_jit(n, x): return x

@functools.partial(jit, donate_argnums=(0,))
def other_partial(x): return x

@nnx.jit
def module_step(model, x): return x

def called(x): return jax.lax.scan(body, x, x)
def body(c, x): return c, x
def helper(x): return x
def not_compiled(x): return x
called_jit = jax.jit(called, static_argnames="n")
spread = jax.pmap(lambda x: x * 2)
old = pjit(not_named := (lambda x: x))

class Model:
    @jax.jit
    def step(self, x): return x
"""

BOTH = """\
import jax
import numpy as np
import tensorflow as tf

@jax.jit
def noisy(x):
    for i in tf.range(3):
        x = tf.gather(x, i, axis=i)
    return x * np.random.rand() + tf.random.normal([2])
"""


def report(text: str, **options: object) -> engine.Report:
    files = {"a.py": source.decode("a.py", text.encode())}
    return engine.check(files, settings.Settings(**options), ["a.py"])  # type: ignore[arg-type]


def test_roots() -> None:
    found = {root.name.partition("a.")[2] for root in report(ROOTS).roots}
    wanted = {"bare", "partial_jit", "other_partial", "module_step", "called", "Model.step"}
    assert wanted <= found
    assert {"helper", "body", "not_compiled"}.isdisjoint(found)
    assert {"helper", "body"} <= {f.name for f in report(ROOTS).program.jax_reached}


def test_rules_of_tensorflow_do_not_look_at_jax() -> None:
    assert report(BOTH).diagnostics == []
    tensorflow = BOTH.replace("@jax.jit", "@tf.function(jit_compile=True)")
    assert report(tensorflow).diagnostics != []


@pytest.mark.parametrize(
    ("clauses", "version"),
    [
        ("==0.7.0", (0, 7, 0)),
        ("==0.4.30", (0, 4, 30)),
        ("~=0.6.1", (0, 6, 1)),
        (">=0.4,<0.7", (0, 7, 0)),
        ("<0.5", (0, 5, 0)),
        (">=0.8", (0, 8, 0)),
        ("~=0.9", (0, 9, 0)),
        (">=0.4.30", None),
        ("<1.0", None),
    ],
)
def test_what_a_pin_settles(clauses: str, version: tuple[int, ...] | None) -> None:
    assert pins.decided(clauses) == version


def test_pins_of_a_project(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("numpy\njax[tpu]==0.6.2  # the last that works\nflax\n")
    assert pins.jax(str(tmp_path)) == JaxVersion((0, 6, 2), "from requirements.txt")
    (tmp_path / "requirements.txt").write_text("jaxtyping==0.2.0\nmy-jax==0.1.0\n")
    found = pins.jax(str(tmp_path))
    assert found is None or found.how.startswith("installed")


NESTED = """\
import jax
from jax.sharding import SingleDeviceSharding

host = SingleDeviceSharding(jax.devices()[0], memory_kind="pinned_host")

@jax.jit
def offload(x): return jax.device_put(x, host)

@jax.jit
def step(x): return x.sum(), offload(x)
"""


def test_the_version_decides_and_is_named() -> None:
    files = {"a.py": NESTED.encode()}
    assert run_engine(files, "nothing", jax="0.10.2").findings == []
    (finding,) = run_engine(files, "nothing", jax="0.7.0").findings
    assert "JAX 0.7.0 (set)" in finding.message


def test_what_the_code_needs_goes_before_what_is_set() -> None:
    old = NESTED + "from jax._src.sharding_impls import TransferToMemoryKind\n"
    (finding,) = run_engine({"a.py": old.encode()}, "nothing", jax="0.10.2").findings
    assert "`TransferToMemoryKind` in a.py needs one before 0.7.1" in finding.message
    new = NESTED + "device = jax.memory.Space.Device\n"
    assert run_engine({"a.py": new.encode()}, "nothing", jax="0.7.0").findings == []


TRIED = """
try:
    from jax._src.sharding_impls import TransferToMemoryKind
except ImportError:
    TransferToMemoryKind = None
"""
ASKED = """
if hasattr(jax, "memory"):
    device = jax.memory.Space.Device
else:
    device = jax._src.sharding_impls.TransferToMemoryKind("device")
"""
EITHER = """
def old(): return jax._src.sharding_impls.TransferToMemoryKind("device")
def new(): return jax.memory.Space.Device
"""
SPOKEN = "\n# TransferToMemoryKind or jax.memory.Space\n"


@pytest.mark.parametrize("extra", [TRIED, ASKED, EITHER, SPOKEN])
def test_what_the_code_asks_for_first_is_not_needed(extra: str) -> None:
    files = {"a.py": (NESTED + extra).encode()}
    assert run_engine(files, "nothing", jax="0.10.2").findings == []
    (finding,) = run_engine(files, "nothing", jax="0.7.0").findings
    assert "JAX 0.7.0 (set)" in finding.message


def test_the_setting() -> None:
    assert settings.from_table({"jax-version": "0.7.0"}, "pyproject.toml").jax_version == (0, 7, 0)
    with pytest.raises(settings.SettingsError, match="no version"):
        settings.from_table({"jax-version": "0.7"}, "pyproject.toml")


CALLED = [
    *(f"jax.lax.{name}" for name in memory_control.HANDLERS),
    *(f"jax.tree.{name.removeprefix('tree_')}" for name in memory_control.HANDLERS if "tree_" in name),
    *sorted(jax_memory.COMPILERS | jax_memory.BOUNDARIES | jax_memory.INLINED | jax_memory.SHARD_MAPS),
    *sorted(jax_memory.DEVICE_PUT),
    *(f"jax.sharding.{name}" for name in sorted(jax_memory.SHARDINGS | jax_memory.TRANSFERS)),
    *(f"jax.numpy.{name}" for name in sorted(jax_memory.REDUCTIONS | jax_memory.CASTS | jax_memory.SLICES)),
    *("jax.grad", "jax.value_and_grad", "jax.ShapeDtypeStruct", "functools.partial", "dataclasses.replace"),
    *("sum", "map", "zip", "enumerate", "max", "tuple", "dict", "getattr", "isinstance", "range", "reversed"),
    *("h.astype", "h.reshape", "h.sum", "h.at[0].set", "d.get", "d.pop", "d.items", "x.with_memory_kind"),
    *("s.update", "l.append", "d.update", "h.sharding.with_memory_kind", "[].append", "{}.get"),
]
GIVEN = (
    "",
    "h",
    "*hs",
    "**ks",
    "h, h",
    "f, h",
    "f, *hs",
    "h, h, h, h, h",
    "h, argnums=n",
    "f, argnums=hs",
    "k=h",
)


@pytest.mark.parametrize("called", CALLED)
def test_no_way_to_give_arguments_is_a_crash(called: str) -> None:
    """`*args` may stand for any of them, and programs with a fault are read as well."""
    lines = [f"    a = {called}({given})\n    b = a(h)\n    c = {called}({given})(f)(h)\n" for given in GIVEN]
    text = (
        "import dataclasses, functools, jax\nimport jax.numpy\n"
        'host = jax.sharding.SingleDeviceSharding(jax.devices()[0], memory_kind="pinned_host")\n'
        "def f(*xs): return xs\n"
        "@jax.jit\ndef step(x, *hs, n, **ks):\n    d, s, l = {}, set(), []\n    h = jax.device_put(x, host)\n"
        + "".join(lines)
        + "    return h, a, b, c\n"
    )
    assert [d for d in report(text).diagnostics if d.code == "XLA004"] == []
