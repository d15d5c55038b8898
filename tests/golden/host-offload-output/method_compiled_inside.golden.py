import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


class Model:
    @functools.partial(jax.jit, static_argnums=0)
    def offloaded(self, x):
        return jax.device_put(x * 2, host)


model = Model()


@jax.jit
def step(x, y):
    return jax.device_put(model.offloaded(x), dev), y  # want: XLA401 `model.offloaded.x.` is in host memory


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128)), spec((128, 128))


BEFORE = "error"
ERROR = "which is moved to host"
SAFETY = "unsafe"  # the output is wanted on the device
JAX = "0.7.0"
WEAKEN = [("jax.device_put(model.offloaded(x), dev)", "model.offloaded(x)")]
