import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")

from typing import NamedTuple


class State(NamedTuple):
    momentum: jax.Array
    count: jax.Array


@jax.jit
def update(state, grads):
    momentum = 0.9 * jax.device_put(state.momentum, dev) + 0.1 * grads
    return momentum, State(jax.device_put(momentum, host), jax.device_put(jax.device_put(state.count, dev) + 1, host))  # want: XLA401 `state.count` is computed with


ENTRY = "update"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return State(spec((64, 128), sharding=host), spec((), jnp.int32, host)), spec((64, 128))


BEFORE = "error"
ERROR = "which is moved to host"
SAFETY = "unsafe"  # only the callers know where the state is
WEAKEN = [("jax.device_put(jax.device_put(state.count, dev) + 1, host)", "state.count + 1")]
