import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


def global_norm(tree):
    return jnp.sqrt(sum(jnp.sum(jnp.square(x)) for x in jax.tree.leaves(tree)))


@jax.jit
def step(params, grads):
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    params = jax.device_put(params, host)
    return {"params": params, "norm": global_norm(jax.device_put(params, dev))}  # want: XLA401 output \['norm'\] is not declared


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return {"w": spec((128, 128)), "b": spec((2, 128))}, {"w": spec((128, 128)), "b": spec((2, 128))}


BEFORE = "error"
ERROR = "which is moved to host"
WEAKEN = [("global_norm(jax.device_put(params, dev))", "global_norm(params)")]
