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


DECORATED = """
def timed(f):
    def wrapper(*args):
        return f(*args)
    return wrapper

def twice(f):
    def wrapper(x):
        return f(f(x))
    return wrapper

@timed
def inner(x):
    return x

@twice
@timed
def deep(x):
    return x

@timed
def host(x):
    return x

@tf.function(jit_compile=True)
def step(x):
    return inner(deep(x))

def main(x):
    return host(step(x))
"""


def test_a_decorator_does_not_mix_up_what_it_wraps() -> None:
    found = reached({"m.py": DECORATED})
    assert {"m.inner", "m.deep"} <= found.keys()
    assert "m.host" not in found


def test_a_function_that_closes_over_another_one_is_followed_without_its_decorator() -> None:
    text = """
    def scaled(f, x):
        def inside(y):
            return f(y)
        return tf.map_fn(inside, x)

    def leaf(x):
        return x

    @tf.function(jit_compile=True)
    def step(x):
        return scaled(leaf, x)
    """
    assert reached({"m.py": text}).get("m.leaf") is False


LOOP = """
def loop(x):
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y)), (0, x))[1]

"""
NOT_DERIVED = {
    "a gradient of its own, by the project's decorator": """
    from grads import custom_gradient

    def forward(x):
        return loop(x)

    @custom_gradient(vjp_fwd=forward)
    def layer(x):
        return loop(x)
    """,
    "a mapped stop_gradient": """
    def layer(x):
        return tf.nest.map_structure(tf.stop_gradient, loop(x))
    """,
    "a method that is only guessed": """
    class Layer:
        def roll(self, x):
            return loop(x)

    def layer(x):
        return made().roll(x)
    """,
    "another function with the same decorator": """
    def timed(f):
        def wrapper(x):
            return f(x)
        return wrapper

    @timed
    def layer(x):
        return x

    @timed
    def sampled(x):
        return loop(x)
    """,
}
STEP = """
@tf.function(jit_compile=True)
def step(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x)
    return tape.gradient(y, x){more}
"""
OUTSIDE = """
@tf.function(jit_compile=True)
def step(x):
    return layer(x){more}

def fit(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = step(x)
    return tape.gradient(y, x)
"""


@pytest.mark.parametrize("step", [STEP, OUTSIDE], ids=["inside", "outside"])
@pytest.mark.parametrize("kind", NOT_DERIVED)
def test_what_no_derivative_goes_through(kind: str, step: str) -> None:
    more = ", sampled(x)" if "sampled" in NOT_DERIVED[kind] and step is STEP else ""
    texts = {
        "grads.py": "def custom_gradient(vjp_fwd):\n    return lambda f: f\n",
        "m.py": LOOP + dedent(NOT_DERIVED[kind]) + step.format(more=more),
    }
    assert not _derived(texts)
    plain = LOOP + "def layer(x):\n    return loop(x)\n" + step.format(more="")
    assert _derived({"m.py": plain})


def _derived(texts: Mapping[str, str]) -> bool:
    program = Program(Project(Texts({path: HEAD + dedent(text) for path, text in texts.items()}), decode))
    return any(program.differentiated(f) for f in program.reached if f.qualname == "m.loop")


@pytest.mark.parametrize(
    "statement",
    [
        "hasattr(made, 'dtype')",
        "isinstance(made, Layer)",
        "tf.convert_to_tensor(made)",
        "tf.random.normal([2], mean=made)",
        "tf.compat.v1.random_uniform([2], minval=made)",
        "tf.nest.map_structure(tf.sin, made)",
        "tree.flatten(made)",
        "jax.tree.map(jax.numpy.sin, made)",
        "np.asarray(made)",
        "len(made)",
    ],
)
def test_what_a_library_only_looks_at_is_not_called(statement: str) -> None:
    text = f"""
    import jax
    import numpy as np
    import tree

    class Layer:
        def __call__(self, x):
            return x

    @tf.function(jit_compile=True)
    def step(x):
        made = Layer()
        {statement}
        return x
    """
    assert "m.Layer.__call__" not in reached({"m.py": text})
    called = text.replace(statement, "tf.nest.map_structure(made, x), tf.map_fn(made, x)")
    assert "m.Layer.__call__" in reached({"m.py": called})


def test_what_a_guess_brings_along_is_a_guess() -> None:
    text = """
    class Near:
        def forward(self, x):
            return x

    class Far:
        def forward(self, x):
            return -x

    class Runner:
        def run_it(self, x):
            return apply(Far(), x)

    def apply(layer, x):
        return layer.forward(x)

    @tf.function(jit_compile=True)
    def step(x, unknown):
        return apply(Near(), x) + unknown.run_it(x)
    """
    found = reached({"m.py": text})
    assert found["m.Far.forward"]
    assert not found["m.Near.forward"]
    assert not found["m.apply"]
    known = reached({"m.py": text.replace("unknown.run_it(x)", "Runner().run_it(x)")})
    assert not known["m.Far.forward"]
