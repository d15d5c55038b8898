"""Which functions the analysis reaches from a compiled one: each way that a call can hide, by kind.

The kinds are those that the measurement of `scripts/reach_oracle.py` found missing in real packages. What
is likely but not proved has to be marked as a guess, since no fix may rest on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import dedent

import pytest

from codemods.analysis.compiled import Program
from codemods.analysis.index import Project
from codemods.source import decode

HEAD = "import tensorflow as tf\n"


class Texts:
    """The files of a project, in memory."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def paths(self) -> Iterable[str]:
        return self.texts

    def read(self, path: str) -> bytes:
        return self.texts[path].encode()


def reached(texts: Mapping[str, str]) -> dict[str, bool]:
    """Qualified name of each function reached -> whether only by a guess."""
    program = Program(Project(Texts({path: HEAD + dedent(text) for path, text in texts.items()}), decode))
    return {
        function.qualname: all(guessed for _, _, _, guessed in entry.preds.values())
        for function, entry in program.reached.items()
    }


SURE = {
    "a function that a decorator calls with what it wraps": (
        """
        def timed(f):
            def wrapper(*args):
                return f(*args)
            return wrapper

        @timed
        def inner(x):
            return x

        @tf.function(jit_compile=True)
        def step(x):
            return inner(x)
        """,
        "m.inner",
    ),
    "the `decorator` package": (
        """
        import decorator

        @decorator.decorator
        def logged(wrapped, *args):
            return wrapped(*args)

        @logged
        def inner(x):
            return x

        @tf.function(jit_compile=True)
        def step(x):
            return inner(x)
        """,
        "m.logged",
    ),
    "functions in a dict": (
        """
        def double(x):
            return x + x

        TABLE = {"double": double}

        @tf.function(jit_compile=True)
        def step(x):
            for name, operation in TABLE.items():
                x = operation(x)
            return x
        """,
        "m.double",
    ),
    "functions in pairs": (
        """
        def one(x):
            return tf.case([(x > 0.0, lambda: left(x))], default=lambda: x)

        def left(x):
            return -x

        @tf.function(jit_compile=True)
        def step(x):
            return one(x)
        """,
        "m.left",
    ),
    "the parameter of a lambda under map": (
        """
        def pad(x):
            return x

        @tf.function(jit_compile=True)
        def step(x):
            return list(map(lambda f: f(x), [pad] * 2))
        """,
        "m.pad",
    ),
    "the result of a function that says its type": (
        """
        class Weight:
            def value(self):
                return 1.0

        class Other:
            def value(self):
                return 2.0

        def weights(model) -> list[Weight]:
            return model.look_up("weights")

        @tf.function(jit_compile=True)
        def step(x, model):
            return [w.value() for w in weights(model)]
        """,
        "m.Weight.value",
    ),
    "a parameter that says its type": (
        """
        from typing import Optional, Sequence, Tuple

        class Weight:
            @property
            def value(self):
                return 1.0

        @tf.function(jit_compile=True)
        def step(x, weights: Sequence[Tuple[Optional[Weight], int]]):
            for weight, _ in weights:
                x = x + weight.value
            return x
        """,
        "m.Weight.value",
    ),
    "the constructor `__new__`": (
        """
        class Pair:
            def __new__(cls, x):
                return super().__new__(cls)

        @tf.function(jit_compile=True)
        def step(x):
            return Pair(x)
        """,
        "m.Pair.__new__",
    ),
    "`call` behind `super().__call__` of Keras": (
        """
        class Network(tf.keras.layers.Layer):
            def __call__(self, x):
                return super(Network, self).__call__(x)

            def call(self, x):
                return x

        @tf.function(jit_compile=True)
        def step(x):
            return Network()(x)
        """,
        "m.Network.call",
    ),
    "more functions than are told apart": (
        """
        def choose(f):
            return f()

        """
        + "".join(f"def f{i}():\n            return {i}\n\n        " for i in range(20))
        + """
        @tf.function(jit_compile=True)
        def step(x):
            """
        + "; ".join(f"choose(f{i})" for i in range(20)),
        "m.f19",
    ),
}
GUESSED = {
    "a method that the classes below define": (
        """
        class Base:
            def __call__(self, x):
                return self.apply_one(x)

            def apply_one(self, x):
                raise NotImplementedError

        class Below(Base):
            def apply_one(self, x):
                return x

        @tf.function(jit_compile=True)
        def step(x, layer: Base):
            return layer(x)
        """,
        "m.Below.apply_one",
    ),
    "a property that the classes below define": (
        """
        import abc

        class Base:
            @property
            @abc.abstractmethod
            def width(self):
                raise NotImplementedError

        class Below(Base):
            @property
            def width(self):
                return 3

        @tf.function(jit_compile=True)
        def step(x, layer: Base):
            return x * layer.width
        """,
        "m.Below.width",
    ),
    "a method that one family of classes defines": (
        """
        class Kernel:
            def distance(self, x):
                return x

        class Matern(Kernel):
            def distance(self, x):
                return -x

        @tf.function(jit_compile=True)
        def step(x, kernel):
            return kernel.distance(x)
        """,
        "m.Matern.distance",
    ),
    "what a function asks about": (
        """
        class Weight:
            @property
            def name(self):
                return "w"

        @tf.function(jit_compile=True)
        def step(x, weight):
            return x if isinstance(weight, Weight) and weight.name else -x
        """,
        "m.Weight.name",
    ),
    "a dispatcher by type": (
        """
        import functools

        @functools.singledispatch
        def covariance(kernel, x):
            raise NotImplementedError

        @covariance.register(int)
        def _constant(kernel, x):
            return x

        @tf.function(jit_compile=True)
        def step(x):
            return covariance(3, x)
        """,
        "m._constant",
    ),
}


@pytest.mark.parametrize("kind", SURE)
def test_reached(kind: str) -> None:
    text, name = SURE[kind]
    assert reached({"m.py": text}).get(name) is False


@pytest.mark.parametrize("kind", GUESSED)
def test_reached_by_a_guess(kind: str) -> None:
    text, name = GUESSED[kind]
    assert reached({"m.py": text}).get(name) is True


def test_of_many_families_only_imported_ones_are_guessed() -> None:
    classes = "".join(f"class C{i}:\n    def measure(self, x):\n        return x\n\n" for i in range(4))
    step = "@tf.function(jit_compile=True)\ndef step(x, c):\n    return c.measure(x)\n"
    assert set(reached({"m.py": classes + step})) == {"m.step"}
    near = "class D:\n    def measure(self, x):\n        return x\n"
    found = reached({"a.py": classes, "b.py": near, "m.py": "from b import D\n" + step})
    assert found == {"m.step": False, "b.D.measure": True}


def test_a_wrapper_that_forgets_its_function_calls_it_all_the_same() -> None:
    found = reached(
        {
            "m.py": """
        from registry import look_up

        def named(name):
            def decorate(f):
                def wrapper(*args):
                    return look_up(name)(*args)
                return wrapper
            return decorate

        @named("inner")
        def inner(x):
            return x

        @tf.function(jit_compile=True)
        def step(x):
            return inner(x)
        """
        }
    )
    assert found["m.inner"] is True


def test_a_method_without_a_named_object_is_no_trouble() -> None:
    found = reached(
        {
            "m.py": """
        class Layer:
            def scaled(*parts, factor):
                return factor(parts)

        @tf.function(jit_compile=True)
        def step(x, unknown):
            return Layer().scaled(x, factor=unknown)
        """
        }
    )
    assert "m.Layer.scaled" in found
