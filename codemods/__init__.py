"""xlafix: rewrites Python that XLA refuses to compile, or compiles into silently wrong results."""

__version__ = "0.1.0"
