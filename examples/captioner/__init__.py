"""A toy image captioner."""
