"""Sizes of the model, in one place."""

from dataclasses import dataclass

IMAGE_AXES = 3  # height, width, channels


@dataclass(frozen=True)
class CaptionerConfig:
    hidden: int = 4
    max_length: int = 5
    learning_rate: float = 0.05
