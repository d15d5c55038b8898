import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(n, x):
    def body(carry):
        count, value = carry
        return count + 1, value * 2

    n, x = jax.lax.while_loop(lambda carry: carry[0] < 4, body, (jax.device_put(n, dev), x))  # want: XLA401 `n` is computed with in host memory
    return jax.device_put(n, host), x


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((), jnp.int32, host), spec((128, 128))


BEFORE = "error"
ERROR = "int32<host>"
SAFETY = "unsafe"  # the caller places it on the host, and wants it there again
JAX = "0.10.2"
WEAKEN = [("(jax.device_put(n, dev), x)", "(n, x)")]
