"""Library functions that run a tensor loop over a function of the caller (2.21)."""

from __future__ import annotations

LOOPS = frozenset(f"tensorflow.{name}" for name in ("while_loop", "map_fn", "scan", "foldl", "foldr"))
