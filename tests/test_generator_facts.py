"""The facts about random generators, asked of TensorFlow itself."""

from __future__ import annotations

import pytest
from harness_compiler import Compiler, Program

from codemods.knowledge import generators

SEEDS: list[int | tuple[int, ...]] = [0, 1, 2, -1, 2**63, 2**70 + 5, (7,), (7, 8), (7, 8, 9), (-3, 4)]
CALLS = {
    "tensorflow.random.experimental.index_shuffle": "(tf.range(5), seed, 9)",
    "tensorflow.random.stateless_gamma": "([3], seed, 2.0)",
    "tensorflow.random.stateless_poisson": "([1], seed, [2.0])",
    "tensorflow.random.stateless_binomial": "([1], seed, [2.0], [0.5])",
    f"{generators.GENERATOR}.binomial": "([1], [2.0], [0.5])",
    "tensorflow.image.stateless_random_jpeg_quality": "(tf.zeros([4, 4, 3]), 75, 95, seed)",
    "tensorflow.image.stateless_sample_distorted_bounding_box": "([4, 4, 3], tf.zeros([1, 1, 4]), seed)",
    generators.SPLIT: "(1)[0].state",
    generators.SHUFFLE: "(tf.range(5), seed)",
}


def run(compiler: Compiler, body: str, mode: str = "jit") -> tuple[str, str, list[object]]:
    text = f"import tensorflow as tf\n\nrng = tf.random.Generator.from_seed([1])\n\n{body}\n"
    got = compiler.run(Program({"facts.py": text.encode()}, "facts:f"), "jit" if mode == "jit" else "eager")
    return got.kind, got.detail, [leaf for leaves in got.values for leaf in leaves]


@pytest.mark.slow
def test_state_of_a_seed(compiler: Compiler) -> None:
    made = ", ".join(f"tf.random.Generator.from_seed({s!r}).state" for s in SEEDS)
    kind, detail, states = run(
        compiler, f"def f():\n    return [{made}]\n\n\ndef inputs():\n    return []", "eager"
    )
    assert kind == "ok", detail
    found = [tuple(int(word) % generators.WORD for word in state) for state in states]  # type: ignore[attr-defined]
    assert found == [generators.state(s) for s in SEEDS]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*generators.NO_KERNEL, generators.SHUFFLE])
def test_no_kernel(name: str, compiler: Compiler) -> None:
    short = name.replace(f"{generators.GENERATOR}.", "rng.").replace("tensorflow.", "tf.")
    body = (
        f"@tf.function(jit_compile=True)\ndef f(seed):\n    return {short}{CALLS[name]}\n\n\n"
        "def inputs():\n    return [tf.constant([1, 2])]"
    )
    kind, detail, _ = run(compiler, body)
    assert kind == "error"
    assert "unsupported operations" in detail or "lift variable creations" in detail
    if name != generators.SPLIT:
        assert run(compiler, body, "eager")[0] == "ok"


@pytest.mark.slow
def test_seeds_that_are_near_share_numbers(compiler: Compiler) -> None:
    body = (
        "def f():\n    make = tf.random.Generator.from_seed\n"
        "    return [make(s).uniform([400]) for s in (1, 51, [1], [51])]\n\n\n"
        "def inputs():\n    return []"
    )
    _, detail, drawn = run(compiler, body, "eager")
    first, second, third, fourth = (set(leaf.tolist()) for leaf in drawn)  # type: ignore[attr-defined]
    assert len(first & second) == 200, detail  # 400 numbers, shifted by 4 * 50
    assert not first & third
    assert not third & fourth
