"""Sizes and seed of the model, in one place."""

SEED = 11
ITEMS = 12
FEATURES = 3
