import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def layer(stacked, i, x):
    w = jax.device_put(jax.lax.dynamic_index_in_dim(stacked, i, 0, keepdims=False), dev)
    return x @ w, x.sum()


ENTRY = "layer"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((8, 128, 128), sharding=host), spec((), jnp.int32), spec((32, 128))


JAX = "0.7.0"
