"""A toy model of a heated room, and its calibration."""
