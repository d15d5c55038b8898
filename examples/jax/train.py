"""A linear model whose optimizer keeps its state in host memory, to leave the device to the parameters."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

RATE, DECAY = 0.1, 0.9

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
on_device = NamedSharding(mesh, P(), memory_kind="device")
on_host = on_device.with_memory_kind("pinned_host")


class State(NamedTuple):
    moment: jax.Array
    count: jax.Array


def loss(params, batch):
    return jnp.mean((batch @ params) ** 2)


@jax.jit
def train_step(params, state, batch):
    value, grads = jax.value_and_grad(loss)(params, batch)
    moment = DECAY * jax.device_put(state.moment, on_device) + (1.0 - DECAY) * grads
    count = state.count + 1
    params = params - RATE * moment / (1.0 - DECAY**count)
    return params, State(jax.device_put(moment, on_host), count), value


def arguments(make):
    """Arguments of `train_step`: make(shape, dtype, sharding) gives one array, or describes it."""
    state = State(make((128, 16), jnp.float32, on_host), make((), jnp.int32, on_host))
    return make((128, 16), jnp.float32, on_device), state, make((32, 128), jnp.float32, on_device)


def inputs():
    """What the step is compiled for, without arrays: works for a device that is not there."""
    return arguments(lambda shape, dtype, place: jax.ShapeDtypeStruct(shape, dtype, sharding=place))


def train(steps):
    params, state, batch = arguments(lambda shape, dtype, place: jax.device_put(jnp.ones(shape, dtype), place))
    for _ in range(steps):
        params, state, value = train_step(params, state, batch)
    return value
