import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


def spill(x):
    return jax.device_put(x * 0.5, host)


@jax.jit
def step(x):
    spilled = jax.lax.cond(x.max() > 1.0, spill, lambda x: jax.device_put(x, host), x)
    return x + 1.0, spilled  # want: XLA401 `spilled` is in host memory


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return (spec((128, 256)),)


BEFORE = "error"
ERROR = "which is moved to host"
JAX = "0.7.0"
WEAKEN = [("jax.device_put(spilled, host)", "spilled + 0 * jax.device_put(x, host)")]
