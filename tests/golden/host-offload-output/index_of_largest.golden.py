import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(scores, x):
    return jnp.argmax(jax.device_put(scores, dev)), x * 2  # want: XLA401 `scores` in host memory meets arrays of the device


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128), sharding=host), spec((128, 128))


BEFORE = "error"
ERROR = "memory_space of all inputs"
SAFETY = "unsafe"  # the caller places it on the host
JAX = "0.10.2"
WEAKEN = [("jnp.argmax(jax.device_put(scores, dev))", "jnp.argmax(scores)")]
