import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


class Trainer:
    def __init__(self):
        self.host = NamedSharding(mesh, P(), memory_kind="pinned_host")
        self.step = jax.jit(self.update)

    def update(self, ema, params):
        ema = jax.device_put(0.9 * jax.device_put(ema, dev) + 0.1 * params, self.host)
        return ema, jnp.linalg.norm(ema)  # want: XLA401 `ema` is computed with in host memory


step = Trainer().step


ENTRY = "step"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((128, 128), sharding=host), spec((128, 128))


BEFORE = "error"
ERROR = "which is moved to host"
JAX = "0.10.2"
WEAKEN = [('jax.device_put(ema, NamedSharding(mesh, P(), memory_kind="device"))', "ema")]
