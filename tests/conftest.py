from __future__ import annotations

from collections.abc import Iterator

import pytest
from harness_compiler import Compiler


@pytest.fixture(scope="session")
def compiler() -> Iterator[Compiler]:
    """TensorFlow in a process of its own, started by the first test that needs it."""
    with Compiler() as one:
        yield one
