import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def forward(x):
    x = jax.device_put(x, jax.memory.Space.Host)
    return {"kept": x, "rms": jnp.sqrt(jnp.mean(x**2))}  # want: XLA401 `x` is computed with in host memory


ENTRY = "forward"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return (spec((64, 256)),)


BEFORE = "error"
ERROR = "which is moved to host"
WEAKEN = [("jax.device_put(x, jax.memory.Space.Device)", "x")]
