"""Where objects and the functions that make compiled functions say that values live."""

from __future__ import annotations

import pytest
from harness import Finding, run_engine

HEAD = """\
import jax
import jax.numpy as jnp
from jax.sharding import SingleDeviceSharding

dev = SingleDeviceSharding(jax.devices()[0])
host = dev.with_memory_kind("pinned_host")
"""

TRAINER = """
class Trainer:
    def __init__(self, offload):
{stores}
        self.step = jax.jit(self._step)

    def _step(self, x):
        kept = jax.device_put(x * 2, {used})
        return kept, jnp.mean(kept)
"""


def found(text: str, jax: str = "0.10.2") -> list[Finding]:
    return run_engine({"a.py": (HEAD + text).encode()}, "nothing", jax=jax).findings


@pytest.mark.parametrize(
    ("stores", "used"),
    [
        ("        self.where = host", "self.where"),
        ("        self.where = dev.with_memory_kind('pinned_host')", "self.where"),
        ("        self.where = {'kept': host, 'used': dev}", "self.where['kept']"),
        ("        self.mesh = offload\n        self.where = (dev, host)", "self.where[1]"),
    ],
)
def test_a_sharding_that_an_object_keeps(stores: str, used: str) -> None:
    (finding,) = found(TRAINER.format(stores=stores, used=used))
    assert "`kept` is computed with in host memory" in finding.message


@pytest.mark.parametrize(
    "stores",
    [
        "        self.where = dev",
        "        self.where = host\n        self.where = dev",
        "        if offload:\n            self.where = host",
        "        self.where, self.other = host, dev",
        "        self.where = offload",
        "        self.where = host if offload else read()\n        del self.where",
    ],
)
def test_what_an_object_keeps_is_not_guessed(stores: str) -> None:
    assert found(TRAINER.format(stores=stores, used="self.where")) == []


def test_what_a_subclass_keeps_there_is_not_known() -> None:
    text = TRAINER.format(stores="        self.where = host", used="self.where")
    other = "\nclass Other(Trainer):\n    def change(self):\n        self.where = dev\n"
    assert len(found(text)) == 1
    assert found(text + other) == []


BUILD = """
def build(where):
    @jax.jit
    def step(x):
        kept = jax.device_put(x * 2, where)
        return kept, jnp.mean(kept)
    return step

{calls}
"""


@pytest.mark.parametrize(
    ("calls", "count"),
    [
        ("step = build(host)", 1),
        ("step = build(dev)", 0),
        ("steps = [build(dev), build(host)]", 1),
        ("def main(where):\n    return build(where)", 0),
        ("", 0),
    ],
)
def test_a_function_that_another_one_makes(calls: str, count: int) -> None:
    assert len(found(BUILD.format(calls=calls))) == count


LOOP = """
@jax.jit
def step(n, x):
    return jax.lax.fori_loop(0, x.shape[0], lambda i, c: {body}, {start})
step(jax.device_put(jnp.zeros(()), host), jnp.ones(3))
"""


@pytest.mark.parametrize(
    ("body", "start", "moved"),
    [
        ("(c[0] + 1, c[1])", "(n, x)", "(jax.device_put(n, dev), x)"),
        ("[c[0], c[1] + 1]", "[x, n]", "[x, jax.device_put(n, dev)]"),
        ("c + 1", "n", "jax.device_put(n, dev))"),
        ("(c[0], (c[1][0] + 1, c[1][1]))", "(x, (n, x))", "(x, (jax.device_put(n, dev), x))"),
    ],
)
def test_what_a_loop_carries_is_moved_before_it(body: str, start: str, moved: str) -> None:
    files = {"a.py": (HEAD + LOOP.format(body=body, start=start)).encode()}
    assert moved in run_engine(files, "unsafe", jax="0.10.2").files["a.py"].decode()


def test_what_a_loop_carries_with_other_values_is_reported() -> None:
    text = (
        LOOP.format(body="(c[0] + 1, c[1])", start="both(n, x)") + "def both(*values):\n    return values\n"
    )
    (finding,) = found(text)
    assert finding.safeties == ()
    assert "it must be moved before the loop" in finding.reasons


@pytest.mark.parametrize(
    ("other", "count"),
    [
        ("jnp.zeros((3,))", 1),
        ("jnp.zeros(3)", 1),
        ("jnp.ones_like(x)", 1),
        ("jnp.arange(3)", 1),
        ("jax.random.normal(key, (3,))", 1),
        ("jax.random.normal(key, shape=(3,))", 1),
        ("jnp.zeros(())", 0),
        ("jnp.full((), 2.0)", 0),
        ("jnp.ones_like(jnp.sum(x))", 0),
        ("jax.random.uniform(key)", 0),
        ("jnp.ones(key.shape)", 0),
    ],
)
def test_only_arrays_with_dimensions_are_mixed(other: str, count: int) -> None:
    """JAX lets a number from the device meet an array on the host."""
    text = f"""
@jax.jit
def step(x, key):
    return jax.device_put(x, host) * {other}
step(jnp.ones(3), key)
"""
    assert len(found(text)) == count


@pytest.mark.parametrize(
    "returned",
    ["(kept.reshape(-1), kept.mean())", "both(kept.reshape(-1))", "{'a': kept.reshape(-1), 'b': kept.sum()}"],
)
def test_no_statistic_is_moved_to_the_host(returned: str) -> None:
    """It is on the device after every fix, whatever is returned along with it."""
    text = f"""
def both(value):
    return value, value.mean()

@jax.jit
def step(x):
    kept = jax.device_put(x, host)
    return {returned}
"""
    files = {"a.py": (HEAD + text).encode()}
    for mode in ("safe", "unsafe"):
        after = run_engine(files, mode, jax="0.7.0").files["a.py"].decode()  # type: ignore[arg-type]
        for wrong in ("mean(), host", "sum(), host", "both(kept.reshape(-1)), host"):
            assert wrong not in after


@pytest.mark.parametrize(
    ("kind", "reported"),
    [
        ("None or 'pinned_host'", True),
        ("'pinned_host' or 'device'", True),
        ("'device' or 'pinned_host'", False),
        ("True and 'pinned_host'", True),
        ("'' and 'pinned_host' or 'device'", False),
    ],
)
def test_a_choice_by_or_is_the_value_itself(kind: str, reported: bool) -> None:
    text = f"""
place = SingleDeviceSharding(jax.devices()[0], memory_kind={kind})

@jax.jit
def step(x):
    return x, jnp.linalg.norm(jax.device_put(x, place))
"""
    assert bool(found(text)) is reported


UNDERSTOOD = """
import other
from jax.experimental.fused import fused

@fused(out_spaces=(jax.memory.Space.Host, jax.memory.Space.Device))
def both(x, y):
    return x + y, x * y

@jax.jit
def step(kept, x):
    return {value}
step(jax.device_put(jnp.ones(3), host), jnp.ones(3))
"""


@pytest.mark.parametrize(
    ("value", "count"),
    [
        ("kept + x", 1),
        ("other.update(kept, x)", 0),
        ("unknown(kept, x)", 0),
        ("both(kept, x)", 0),
        ("jax.vmap(both)(kept, x)", 0),
        ("jax.jit(both)(kept, x)", 0),
        ("x\nboth_jit = jax.jit(both)\nboth_jit(jax.device_put(jnp.ones(3), host), jnp.ones(3))", 0),
    ],
)
def test_what_is_not_understood_may_move_its_operands(value: str, count: int) -> None:
    assert len(found(UNDERSTOOD.format(value=value))) == count
