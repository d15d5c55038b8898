import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(x, flag):
    kept = jax.lax.cond(flag, lambda: jax.device_put(x * 2, host), lambda: jax.device_put(x, host))
    return x + 1, kept, kept.mean()  # want: XLA401 `kept` is computed with in host memory


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128)), spec((), jnp.bool_)


BEFORE = "error"
ERROR = "which is moved to host"
JAX = "0.7.0"
WEAKEN = [("lambda: x * 2, lambda: x)", "lambda: jax.device_put(x * 2, host), lambda: x)")]
