"""Names of devices. The facts were measured with TensorFlow 2.21 on two logical CPU devices."""

from __future__ import annotations

import pytest

from codemods.analysis.device_names import apart, inside, needs_gpu, parse


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("", ""),
        ("/CPU:1", "/CPU:1"),
        ("cpu:1", "/CPU:1"),
        ("/device:GPU:0", "/GPU:0"),
        ("GPU", "/GPU:0"),
        ("/gpu:*", "/GPU:0"),
        ("/job:localhost/replica:0/task:0/device:CPU:1", "/CPU:1"),
        ("/job:worker/task:2/device:GPU:3", "/job:worker/task:2/GPU:3"),
        ("/job:worker", "/job:worker/task:0"),
    ],
)
def test_names(text: str, short: str) -> None:
    device = parse(text)
    assert device is not None
    assert device.text == short


@pytest.mark.parametrize("text", ["gpu 0", "/GPU:one", "/CPU:1:2"])
def test_no_names(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    ("outer", "inner", "both"),
    [
        ("/CPU:1", "/CPU", "/CPU:1"),  # what is left open stays
        ("/CPU:1", "/task:0", "/CPU:1"),
        ("/job:worker/task:1", "/GPU:0", "/job:worker/task:1/GPU:0"),
        ("/CPU:0", "/CPU:1", "/CPU:1"),
        ("/CPU:1", "/GPU", None),
        ("/CPU:1", "nonsense here", None),
    ],
)
def test_nested(outer: str, inner: str, both: str | None) -> None:
    assert inside(outer, inner) == both


@pytest.mark.parametrize(
    ("first", "second", "without_gpu", "verdict"),
    [
        ("/CPU:1", "/CPU:0", False, True),
        ("/CPU:1", "", False, True),
        ("/CPU:1", "", True, True),
        ("/CPU:0", "", False, True),  # the default is a GPU where there is one
        ("/CPU:0", "", True, False),
        ("/GPU:0", "", False, False),
        ("/GPU:1", "", False, True),
        ("/GPU:0", "/CPU:0", False, True),
        ("/job:worker/task:1/GPU:0", "/GPU:0", False, True),
        ("", "", False, False),
    ],
)
def test_apart(first: str, second: str, without_gpu: bool, verdict: bool) -> None:
    assert apart(first, second, without_gpu) is verdict
    assert apart(second, first, without_gpu) is verdict


def test_needs_gpu() -> None:
    assert needs_gpu("/CPU:0", "")
    assert not needs_gpu("/CPU:1", "")
    assert not needs_gpu("/GPU:0", "")
