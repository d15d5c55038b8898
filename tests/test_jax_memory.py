"""What is known of host memory in JAX programs: how it is placed, and what carries it."""

from __future__ import annotations

from unittest import mock

import pytest
from harness import Finding, run_engine

from codemods.analysis import memory_run

PLACES = """\
import functools
import jax
import jax.numpy as jnp
from jax._src.sharding_impls import SingleDeviceSharding

dev = SingleDeviceSharding(jax.devices()[0])
host = dev.with_memory_kind("pinned_host")

def norm(tree):
    return jnp.sqrt(sum(jnp.sum(leaf * leaf) for leaf in jax.tree.leaves(tree)))
"""

STATE = """
def places_of(state, config):
    places = unknown(state)
    if config.offload:
        moments = jax.tree.map(lambda s: s.with_memory_kind(kind="pinned_host"), places.moments)
        places = places.replace(moments=moments)
    return places

places = places_of(start, config)

@functools.partial(jax.jit, in_shardings=(places, None), out_shardings=(places, None))
def step(state, grads):
    moments = state.moments
{moves}
    return state.replace(moments=moments), norm(state.params) + norm(moments)
"""

FIELD = """
@functools.partial(jax.jit, in_shardings=(host, None), out_shardings=(host, None))
def step(state, grads):
    updates, moments = state.tx.update(grads, state.moments, state.params)
    return state.apply_gradients(grads=grads), norm(state.moments)
"""

REPLACED = """
@jax.jit
def step(state, x):
    state = state.replace(kept=jax.device_put(x, host))
    return norm(state.params), norm(state.{field})
"""

BY_PATH = """
def place(path, leaf):
    return jax.device_put(leaf, host)

@jax.jit
def step(x):
    kept = jax.tree_util.tree_map_with_path(place, {"a": x})
    return norm(kept)
"""

NOT_KNOWN = """
@jax.jit
def step(x, kind):
    kept = jax.device_put(x, SingleDeviceSharding(jax.devices()[0], memory_kind=read()))
    return norm(kept), norm(jax.device_put(jax.device_put(x, host), dev.with_memory_kind(read())))
"""

BEHIND = """
@functools.partial(jax.jit, in_shardings=(None, host))
def step(x, kept):
    return x, norm(kept)
"""

CHANGED = """
@functools.partial(jax.jit, in_shardings=(host, None))
def step(model, x):
    {change}
    return x, norm(model.params)
"""

HANDED = """
def step(config, x, rescale=False):
    kept = jax.device_put(x, host)
    return x, norm(kept)

def compiled(function, places):
    return jax.jit(functools.partial(function, read()), out_shardings=places)

compiled(step, read())
"""

MANY = """
def first():
    for i in range(100):
        print([i, i + 1, i + 2], [[j for j in range(i)] for i in range(9)])
    step(jax.device_put(jnp.ones(3), dev))

def second():
    step(jax.device_put(jnp.ones(3), host))

@jax.jit
def step(x):
    return norm(x)
"""


def found(text: str, jax: str = "0.10.2") -> list[Finding]:
    return run_engine({"a.py": (PLACES + text).encode()}, "nothing", jax=jax).findings


def test_a_tree_of_which_only_a_replaced_field_is_known() -> None:
    """A setting decides whether it is on the host, so the fix is not safe."""
    (finding,) = found(STATE.format(moves=""))
    assert "`state.moments` is computed with in host memory" in finding.message
    assert "safe" not in finding.safeties


def test_what_a_setting_places_a_setting_may_move() -> None:
    moves = "    if config.offload:\n        moments = jax.device_put(moments, dev)"
    assert found(STATE.format(moves=moves)) == []


def test_fields_of_a_tree_on_the_host() -> None:
    """What is no array of it, is not taken for one."""
    (finding,) = found(FIELD)
    assert finding.line == PLACES.count("\n") + 5
    assert "output [1]" in finding.message
    after = run_engine({"a.py": (PLACES + FIELD).encode()}, "unsafe", jax="0.10.2").files["a.py"].decode()
    assert "norm(jax.device_put(state.moments, dev))" in after
    assert "state.tx.update(grads, state.moments, state.params)" in after


@pytest.mark.parametrize(("field", "count"), [("kept", 1), ("params", 0)])
def test_replacing_a_field_leaves_the_others_where_they_are(field: str, count: int) -> None:
    assert len(found(REPLACED.format(field=field))) == count


def test_shardings_behind_an_argument_without_one() -> None:
    assert len(found(BEHIND)) == 1


@pytest.mark.parametrize(
    ("change", "count"),
    [
        ("pass", 1),
        ("print(model)", 1),
        ("model.params = jax.device_put(model.params, dev)", 0),
        ("model.other = jax.device_put(model.other, dev)", 1),
        ("model.inner.params = jax.device_put(model.inner.params, dev)", 0),
        ("nnx.update(model, jax.device_put(model.params, dev))", 0),
        ("model.load(x)", 0),
    ],
)
def test_trees_that_are_changed_in_place(change: str, count: int) -> None:
    assert len(found(CHANGED.format(change=change))) == count


def test_a_function_that_jit_gets_from_a_caller() -> None:
    """With `out_shardings` that are not known nothing is said."""
    assert found(HANDED) == []
    assert len(found(HANDED.replace(", out_shardings=places", ""))) == 1


def test_maps_that_know_the_path() -> None:
    assert len(found(BY_PATH)) == 1


def test_a_memory_kind_that_is_not_known_is_not_guessed() -> None:
    assert found(NOT_KNOWN) == []


def test_each_function_has_its_own_steps() -> None:
    with mock.patch.object(memory_run, "ROUND_STEPS", 200):
        assert len(found(MANY)) == 1
