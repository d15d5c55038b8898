import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


def norm(params):
    return {"norm": jnp.sqrt(sum(jnp.vdot(jax.device_put(p, dev), jax.device_put(p, dev)) for p in params))}  # want: XLA401 `params\[0\]` and


norm_jit = jax.jit(norm, in_shardings=(host,))


ENTRY = "norm_jit"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return ([spec((64, 128), sharding=host), spec((128, 64), sharding=host)],)


BEFORE = "error"
ERROR = "which is moved to host"
WEAKEN = [("jnp.vdot(jax.device_put(p, dev), jax.device_put(p, dev))", "jnp.vdot(p, p)")]
