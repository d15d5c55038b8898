import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
dev = NamedSharding(mesh, P(), memory_kind="device")


@partial(jax.tree_util.register_dataclass, data_fields=["step", "params", "moments"], meta_fields=[])
@dataclasses.dataclass(frozen=True)
class TrainState:
    step: jax.Array
    params: dict
    moments: dict

    def replace(self, **changes):
        return dataclasses.replace(self, **changes)


def described():
    weights = {"w": jax.ShapeDtypeStruct((128, 128), jnp.float32), "b": jax.ShapeDtypeStruct((128,), jnp.float32)}
    return TrainState(jax.ShapeDtypeStruct((), jnp.int32), weights, weights)


def shardings_of(state, offload=True):
    shardings = jax.tree.map(lambda _: dev, state)
    if offload:
        moments = jax.tree_util.tree_map(lambda s: s.with_memory_kind(kind="pinned_host"), shardings.moments)
        shardings = shardings.replace(moments=moments)
    return shardings


places = shardings_of(described())


def norm(tree):
    return jnp.sqrt(sum(jnp.sum(jnp.square(leaf)) for leaf in jax.tree.leaves(tree)))


@partial(jax.jit, in_shardings=(places, None), out_shardings=(places, None))
def step(state, grads):
    on_device = jax.device_put(state.moments, jax.tree.map(lambda s: s.with_memory_kind(kind="device"), places.moments))
    moments = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, on_device, grads)
    params = jax.tree.map(lambda p, m: p - 0.1 * m, state.params, moments)
    state = state.replace(step=state.step + 1, params=params, moments=moments)
    return state, {"moments": norm(moments), "params": norm(state.params)}


ENTRY = "step"


def inputs():
    state = described()
    return jax.tree.map(lambda x, s: jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=s), state, places), state.params


JAX = "0.7.0"
