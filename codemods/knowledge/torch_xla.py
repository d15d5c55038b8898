"""PyTorch/XLA: what moves a tensor to host memory or back, and what compiles a function.

The moves become the same custom call as in JAX, and nothing can declare an output to be on the host. The
root of what it compiles is always a tuple of the live tensors, so that even a tensor that is moved and
returned at once is refused (read in its lowering; measured with libtpu 0.0.19 and 0.0.42 on the programs that
it lowers to, PyTorch/XLA itself was not run).
"""

from __future__ import annotations

COMPILERS = frozenset({"torch_xla.compile", "torch_xla.torch_xla.compile"})
"""What compiles the function that it gets. Without one it is a context, of which nothing is known here."""

_CALLS = "torch_xla.experimental.stablehlo_custom_call"
TO_HOST = frozenset({"torch.ops.xla.place_to_host", f"{_CALLS}.place_to_host"})
TO_DEVICE = frozenset({"torch.ops.xla.place_to_device", f"{_CALLS}.place_to_device"})

OPERATIONS = frozenset({"torch", "torch.nn.functional", "torch.linalg", "torch.special"})
"""The modules whose functions compute with tensors; what others do with a tensor is not known."""

FRESH = ("_like", "is_tensor", "numel", "tensor")
"""How the names of functions of `torch` end that only ask, or make something new."""

HERE = b"torch_xla"
MOVES = b"place_to_host"
"""Words that stand in a file which compiles, and in one which moves."""
