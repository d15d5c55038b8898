import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.compute_on import compute_on
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@compute_on("device_host")
@jax.jit
def decayed(moment, grad):
    return 0.9 * moment + 0.1 * jax.device_put(grad, host)


@jax.jit
def step(first, second, count, grad):
    with compute_on("device_host"):
        moved = jax.device_put(grad, host)
        first = 0.9 * first + 0.1 * moved
        norm = jnp.linalg.norm(first)
        count = count + 1
    second = decayed(second, grad * grad)
    return first, second, count * 2, norm, jnp.linalg.norm(second), moved * 3


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((256, 256), sharding=host), spec((256, 256), sharding=host), spec((), sharding=host), spec((256, 256))


JAX = "0.7.0"
