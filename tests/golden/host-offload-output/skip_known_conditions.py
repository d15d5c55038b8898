import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


OFFLOADED = ("a",)


def place(value, where):
    if where == "host" and value is not None:
        return jax.device_put(value, host)
    return value


@functools.partial(jax.jit, inline=True)
def inlined(value):
    return jax.device_put(value, host)


@jax.jit
def step(x, y):
    both = {"a": x, "b": y}
    both = {key: jax.device_put(one, host) if key in OFFLOADED else one for key, one in both.items()}
    on_device = place(y, "device")
    return both["b"] * 2, jnp.mean(both["b"]), jnp.mean(on_device), place(x, "host"), inlined(x)


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128)), spec((128, 128))


JAX = "0.7.0"
