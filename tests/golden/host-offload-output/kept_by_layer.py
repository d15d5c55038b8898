import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def step(x, weights):
    kept = {}
    for layer, weight in enumerate([weights, weights * 2]):
        x = jnp.tanh(x @ weight)
        kept[layer] = jax.device_put(x, host)
    largest = {layer: jnp.max(jnp.abs(value)) for layer, value in kept.items()}  # want: XLA401 `value` is computed with
    return x, largest


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128)), spec((128, 128))


BEFORE = "error"
ERROR = "which is moved to host"
JAX = "0.7.0"
WEAKEN = [("jnp.abs(jax.device_put(value, dev))", "jnp.abs(value)")]
