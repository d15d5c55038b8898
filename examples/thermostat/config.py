"""Limits of the model, in one place."""

MAX_ROUNDS = 40
TOLERANCE = 1e-3
