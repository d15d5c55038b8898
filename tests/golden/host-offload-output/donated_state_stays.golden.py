import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


class State(NamedTuple):
    params: jax.Array
    moment: jax.Array

    def apply(self, grads):
        moment = 0.9 * jax.device_put(self.moment, dev) + grads  # want: XLA401 `state.moment` in host memory meets arrays
        return State(self.params - moment, jax.device_put(moment, host))


@functools.partial(jax.jit, donate_argnums=0)
def step(state, grads):
    new = state.apply(grads)
    return new, jnp.linalg.norm(grads)


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return State(spec((128, 128)), spec((128, 128), sharding=host)), spec((128, 128))


BEFORE = "error"
ERROR = "memory_space of all inputs"
SAFETY = "unsafe"  # the caller places it on the host, and wants it there again
JAX = "0.10.2"
WEAKEN = [("jax.device_put(self.moment, dev)", "self.moment")]
