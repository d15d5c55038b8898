import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")
host = dev.with_memory_kind("pinned_host")


@jax.jit
def iterate(x):
    def body(carry):
        number, kept = carry
        return number + 1, jax.device_put(jnp.sin(jax.device_put(kept, dev)), host)

    # want: XLA401 output \[1\] is not declared to be there
    return jax.lax.while_loop(lambda carry: carry[0] < 4, body, (0, jax.device_put(x, host)))


ENTRY = "iterate"


def spec(shape, dtype=jnp.float32, sharding=dev):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def inputs():
    return (spec((256, 256)),)


BEFORE = "error"
ERROR = "which is moved to host"
JAX = "0.7.0"
SAFETY = "unsafe"  # the caller may want it on the device
WEAKEN = [("(None, host)", "None")]
