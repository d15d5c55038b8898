import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(params, state, x):
    p = jax.device_put(params["w"], dev)
    loss, grad = jax.value_and_grad(lambda q: jnp.mean((x @ q) ** 2))(p)
    momentum = 0.9 * jax.device_put(state, dev) + grad
    return {"w": jax.device_put(p - 0.1 * momentum, host)}, jax.device_put(momentum, host), loss


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return {"w": spec((128, 128), sharding=host)}, spec((128, 128), sharding=host), spec((32, 128))


JAX = "0.7.0"
