import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.compute_on import compute_on2
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@compute_on2(compute_type="device_host", out_memory_spaces=jax.memory.Space.Host)
def halved(x):
    return x * 0.5


@jax.jit
def step(x):
    kept = halved(x)
    return kept, jnp.linalg.norm(kept)  # want: XLA401 `kept` is computed with in host memory


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return (spec((256, 256)),)


BEFORE = "error"
ERROR = "E1200"
WEAKEN = [("jnp.linalg.norm(jax.device_put(kept, jax.memory.Space.Device))", "jnp.linalg.norm(kept)")]
JAX = "0.10.2"
