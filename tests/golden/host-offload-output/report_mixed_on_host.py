import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.compute_on import compute_on
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(moment, grad):
    with compute_on("device_host"):
        return 0.9 * moment + 0.1 * grad  # want: XLA401 `moment` in host memory meets arrays of the device


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((256, 256), sharding=host), spec((256, 256))


BEFORE = "error"
ERROR = "memory_space of all inputs"
REASON = "it runs on the host"
JAX = "0.10.2"
