import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(x, w):
    y = x @ w
    spilled = jax.lax.optimization_barrier(jax.device_put(y, host))
    return y, jax.device_put(spilled, dev)  # want: XLA401 `spilled` is in host memory, and output \[1\] is not declared .*JAX 0.7.0


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((64, 128)), spec((128, 128))


BEFORE = "error"
ERROR = "which is moved to host"
JAX = "0.7.0"
SAFETY = "unsafe"  # the caller may want it on the host
WEAKEN = [("jax.device_put(spilled, dev)", "spilled")]
