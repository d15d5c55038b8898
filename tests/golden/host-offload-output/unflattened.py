import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(x, y):
    both = {"kept": jax.device_put(x, host), "used": y}
    parts, structure = jax.tree.flatten(both)
    both = jax.tree.unflatten(structure, parts)
    return both["used"] * 2, jnp.linalg.norm(both["kept"])  # want: XLA401 is computed with in host memory


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128)), spec((128, 128))


BEFORE = "error"
ERROR = "which is moved to host"
JAX = "0.10.2"
WEAKEN = [('jax.device_put(both["kept"], dev)', 'both["kept"]')]
