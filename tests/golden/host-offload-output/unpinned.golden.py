import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")

slow = dev.with_memory_kind("pinned_host")


@jax.jit
def forward(x, w):
    h = jnp.tanh(x @ w)
    return h.mean(axis=0), jax.device_put(h, slow)  # want: XLA401 output \[1\] is not declared to be there


ENTRY = "forward"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return spec((64, 256)), spec((256, 256))


BEFORE = "error"
ERROR = "which is moved to host"
SAFETY = "unsafe"  # pinned memory may be scarce
WEAKEN = [('slow = dev.with_memory_kind("pinned_host")', 'slow = dev.with_memory_kind("unpinned_host")')]
