import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.compute_on import compute_on
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(moment):
    with compute_on("device_host"):
        new = 0.9 * moment
    return new, jnp.linalg.norm(moment)  # want: XLA401 `moment` is computed with in host memory


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return (spec((256, 256), sharding=host),)


BEFORE = "error"
ERROR = "E1200"
SAFETY = "unsafe"  # that `moment` is on the host, only the caller says
WEAKEN = [("jnp.linalg.norm(jax.device_put(moment, dev))", "jnp.linalg.norm(moment)")]
JAX = "0.10.2"
