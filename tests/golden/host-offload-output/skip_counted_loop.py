import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def iterate(x):
    def body(i, kept):
        return jax.device_put(jnp.sin(jax.device_put(kept, dev)), host)

    return x.sum(), jax.lax.fori_loop(0, 4, body, jax.device_put(x, host))


ENTRY = "iterate"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return (spec((256, 256)),)


JAX = "0.7.0"
