import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


def build(offload):
    where = dev.with_memory_kind("pinned_host" if offload else "device")

    @jax.jit
    def step(x, y):
        kept = jax.device_put(x * y, where)
        return kept, jnp.mean(kept)  # want: XLA401 `kept` is computed with in host memory

    return step


step = build(offload=True)


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128)), spec((128, 128))


BEFORE = "error"
ERROR = "which is moved to host"
JAX = "0.10.2"
WEAKEN = [("jnp.mean(jax.device_put(kept, dev))", "jnp.mean(kept)")]
