import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(kept, y, row, key):
    kept = kept * jnp.zeros(()) + jnp.full((), 2.0)
    kept = kept * jnp.dot(row, row) + row @ row + jnp.einsum("ij,ij->", y, y)
    return kept * jax.random.uniform(key) + jnp.ones_like(jnp.sum(y))


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128), sharding=host), spec((128, 128)), spec((128,)), spec((2,), jnp.uint32)


JAX = "0.10.2"
