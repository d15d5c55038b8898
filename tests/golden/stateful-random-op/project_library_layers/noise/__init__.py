"""Noise layers."""

from .layers import Grain, gain

__all__ = ["Grain", "gain"]
