import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(x, y):
    kept = jax.device_put(x * y, host)
    flat = kept.reshape(-1)  # want: XLA401 `kept` is computed with in host memory
    return flat, flat.mean()


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128)), spec((128, 128))


BEFORE = "error"
ERROR = "which is moved to host"
JAX = "0.7.0"
WEAKEN = [("jax.device_put(kept, dev).reshape", "kept.reshape")]
