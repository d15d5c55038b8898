"""A model that recommends items: its table of items is too large for the accelerator."""
