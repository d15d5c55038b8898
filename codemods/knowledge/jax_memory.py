"""Memory spaces in JAX: what moves a value to the host or back, and what an operation does with the place.

Measured by compiling with libtpu for a described topology (JAX 0.5.3 to 0.10.2), the rules of XLA read
in its host offloader. From JAX 0.7.1 on the memory space is part of the type of an array; before, jit
only looks for `device_put` at the top level of what it traces.
"""

from __future__ import annotations

from codemods.knowledge import torch_xla

TYPED_SINCE = (0, 7, 1)
"""The first JAX whose array types know the memory space."""

OLD = (0, 7, 0)
"""The last one before that, and the strictest."""

NEWEST = (0, 10, 2)
"""The newest JAX that the facts here were measured with."""

HOST_KINDS = ("pinned_host", "unpinned_host")

COMPILERS = torch_xla.COMPILERS | frozenset(
    {
        "jax.jit",
        "jax.pjit",
        "jax.experimental.pjit.pjit",
        "jax.pmap",
        "flax.nnx.jit",
        "flax.nnx.pmap",
        "flax.linen.jit",
        "equinox.filter_jit",
        "equinox.filter_pmap",
    }
)
"""What compiles the function that it gets, of PyTorch as well; `shard_map` runs where it stands, and
compiles alone, too."""

SHARD_MAPS = frozenset(
    {
        "jax.shard_map",
        "jax.experimental.shard_map.shard_map",
        "jax.experimental.maps.xmap",
        "flax.nnx.shard_map",
    }
)

BOUNDARIES = frozenset(
    {
        "jax.checkpoint",
        "jax.remat",
        "jax.ad_checkpoint.checkpoint",
        "jax.custom_vjp",
        "jax.custom_jvp",
        "jax.named_call",
        "flax.nnx.remat",
        "flax.linen.remat",
        "flax.linen.jit",
        *SHARD_MAPS,
    }
)
"""Wrappers whose function becomes one operation: up to 0.7.0 jit does not look into it."""

COMPUTE_ON = frozenset({"jax.experimental.compute_on.compute_on", "jax.experimental.compute_on.compute_on2"})
"""Says where operations run: with the type, a context manager and a decorator. On the host ("device_host"),
XLA stops following values: what such a region gives is on the device, whatever JAX takes it for, and may be
returned (0.7.0, 0.10.2). What only passes through, and other types of computing, change nothing. With
`out_memory_spaces` (from 0.8.0 on) results are moved where they say."""

COMPUTE_DEVICE = frozenset({"device", "tpu_sparsecore"})
"""The types of computing that are not on the host."""

FUSED = "jax.experimental.fused.fused"
"""May compute with arrays of both memories; where its results are, it says itself."""

INLINED = frozenset({"jax.vmap", "flax.nnx.vmap", "jax.named_scope", "functools.wraps", "functools.cache"})
"""Wrappers that leave the operations where they are."""

DEVICE_PUT = frozenset({"jax.device_put"})

SHARDINGS = frozenset({"NamedSharding", "SingleDeviceSharding", "PositionalSharding", "GSPMDSharding"})
"""The last name of what makes a sharding, from any module of JAX: programs take them from `jax._src`, too."""

SHARDING_FIELDS = frozenset({"mesh", "spec", "memory_kind", "device_set", "num_devices", "format", "layout"})
"""What a sharding has: any other attribute is a field of a tree of shardings."""

TRANSFERS = frozenset({"TransferToMemoryKind"})
SPACE_HOST = "jax.memory.Space.Host"
SPACE_DEVICE = "jax.memory.Space.Device"

EVIDENCE_OLD = ("TransferToMemoryKind", "jax_enable_memories")
EVIDENCE_NEW = ("jax.memory.", "compute_on2")
"""Texts that only a JAX before, or from, `TYPED_SINCE` can run."""

WORDS = (b"pinned_host", b"Space.Host", b"memory_kind", b"TransferToMemoryKind", torch_xla.MOVES)
"""One of them stands in every program that moves a value to the host."""

CARRIED = "carried with values on the device"
"""The label of a use that no edit of one expression can move to the device."""

REDUCTIONS = frozenset(
    [
        "sum",
        "prod",
        "max",
        "min",
        "any",
        "all",
        "amax",
        "amin",
        "argmax",
        "argmin",
        "nansum",
        "nanmax",
        "nanmin",
        "vdot",
    ]
)
"""The last name of operations that give a 0-d value unless they are told an axis."""

COMPOSED_REDUCTIONS = frozenset(
    [
        "mean",
        "var",
        "std",
        "norm",
        "average",
        "median",
        "nanmean",
        "nanvar",
        "nanstd",
        "logsumexp",
        "global_norm",
        "ptp",
        "quantile",
    ]
)
"""The same, with further operations on the 0-d value: from 0.7.1 on their type says device."""

RELOCATES = frozenset({
    "reshape", "ravel", "transpose", "swapaxes", "squeeze", "expand_dims", "flatten",
    "bitcast_convert",
})  # fmt: skip
"""Only another view of the same bytes, as far as XLA is concerned."""

RANK_CHANGES = frozenset(
    [
        "reshape",
        "ravel",
        "squeeze",
        "expand_dims",
        "flatten",
        "broadcast_to",
        "broadcast_in_dim",
        "stack",
        "concatenate",
        "take",
    ]
)

SLICES = frozenset({
    "dynamic_slice", "dynamic_index_in_dim", "dynamic_slice_in_dim", "index_in_dim", "slice",
    "slice_in_dim",
})  # fmt: skip
"""XLA lets a slice of a host buffer pass where all its uses move it to the device."""

UPDATES = frozenset({
    "dynamic_update_slice", "dynamic_update_slice_in_dim", "dynamic_update_index_in_dim",
})  # fmt: skip
"""XLA writes into a host buffer in place."""

CASTS = frozenset({
    "astype",
})  # fmt: skip

UNCHECKED = frozenset({
    "scatter",
})  # fmt: skip
"""JAX lets these have operands in both memories (0.10.2)."""

BROADCASTS = frozenset({
    "where", "select", "select_n",
})  # fmt: skip
"""0-d operands become arrays on the device first."""

MASKED_REDUCTIONS = frozenset({
    "var", "std", "nanvar", "nanstd", "nanmean",
})  # fmt: skip
"""With an axis they mix the operand with an array on the device."""

INDEX_REDUCTIONS = frozenset({
    "argmax", "argmin",
})  # fmt: skip
"""They always do: the array is that of the indices."""

SAME = frozenset(
    [
        "device_get",
        "block_until_ready",
        "asarray",
        "array",
        "astype",
        "copy",
        "stop_gradient",
        "checkpoint_name",
        "pvary",
    ]
)
"""Gives the same values where they are. (`astype` to the same dtype; to another it computes.)"""

STOPS = frozenset({
    "stop_gradient",
})  # fmt: skip
"""An operation of its own for JAX, nothing for XLA."""

ARRAY_METHODS = frozenset({
    "T", "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "at", "choose", "clip",
    "compress", "conj", "conjugate", "cumprod", "cumsum", "diagonal", "dot", "flatten", "imag", "mT", "max",
    "mean", "min", "nonzero", "prod", "ptp", "ravel", "real", "repeat", "reshape", "round", "searchsorted",
    "sort", "squeeze", "std", "sum", "swapaxes", "take", "trace", "transpose", "var", "view",
    "block_until_ready", "addressable_data", "copy_to_host_async", "with_memory_kind", "items", "values",
    "keys", "get", "pop", "copy", "replace", "_replace",
})  # fmt: skip
"""What an array has, or a dict or record of arrays: any other attribute is a field of a tree."""

MIXES = frozenset({
    "matmul", "dot", "einsum", "tensordot", "dot_general", "conv_general_dilated",
})  # fmt: skip
"""Operands of these are never 0-d."""

CREATES = frozenset(
    [
        "zeros",
        "ones",
        "full",
        "empty",
        "arange",
        "linspace",
        "eye",
        "zeros_like",
        "ones_like",
        "full_like",
        "empty_like",
        "iota",
    ]
)

LINES = frozenset({
    "arange", "linspace", "eye", "iota",
})  # fmt: skip
"""Of these, what never has no dimension."""

STATIC = frozenset(
    [
        "shape",
        "ndim",
        "size",
        "dtype",
        "sharding",
        "itemsize",
        "nbytes",
        "aval",
        "weak_type",
        "issubdtype",
        "result_type",
        "isdtype",
        "process_index",
        "process_count",
        "devices",
        "local_devices",
        "device_count",
        "local_device_count",
        "default_backend",
        "tree_structure",
        "structure",
        "make_mesh",
        "Mesh",
        "PartitionSpec",
        "eval_shape",
        "typeof",
        "finfo",
        "iinfo",
    ]
)
"""Attributes and calls that give what is known when tracing."""
