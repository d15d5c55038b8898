"""A library: importing it must not start the runtime."""

from .noise import Dropout, jitter

__all__ = ["Dropout", "jitter"]
