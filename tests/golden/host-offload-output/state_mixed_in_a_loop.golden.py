import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")

from functools import partial


@partial(jax.jit, donate_argnums=1)
def train_step(params, momentum, batch):
    grads = jax.grad(lambda p: jnp.mean((batch @ p) ** 2))(params)
    momentum = 0.9 * jax.device_put(momentum, dev) + 0.1 * grads  # want: XLA401 `momentum` in host memory meets arrays of the device
    return params - 0.1 * momentum, jax.device_put(momentum, host)


def main():
    params = jnp.ones((128, 128))
    momentum = jax.device_put(jnp.zeros((128, 128)), host)
    for _ in range(10):
        params, momentum = train_step(params, momentum, jnp.ones((64, 128)))
    return params


ENTRY = "train_step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128)), spec((128, 128), sharding=host), spec((64, 128))


BEFORE = "error"
ERROR = "memory_space of all inputs"
SAFETY = "unsafe"  # the callers decide
WEAKEN = [("0.9 * jax.device_put(momentum, dev)", "0.9 * momentum")]
