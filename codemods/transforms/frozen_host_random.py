"""Random numbers of Python or NumPy are drawn once, while the function is traced.

## What it does

Finds calls of `random`, `numpy.random` and `secrets`, and of the generators that they make, in code that
XLA compiles. It reports them and changes nothing. Left alone: what is drawn outside of the traced
code, in `__init__` and `build`, for the first value of a variable, and from a seed that the function
itself sets, since those numbers are the same on each call in any case.

## Why it fails under XLA

Python runs while the function is traced, and not again: the number becomes a constant of the compiled
program, which returns the same noise on every call, and takes the same branch:

    tf.function(lambda x: x + random.random(), jit_compile=True), called three times
        [0.238] [0.238] [0.238]

Nothing says so. Without XLA a `tf.function` does the same; a function that was run eagerly before, or
under `tf.numpy_function`, drew anew each time.

## Example

    @tf.function(jit_compile=True)
    def jittered(x):
        return x * (1.0 + 0.1 * random.random())

## Use instead

    rng = tf.random.Generator.from_seed([SEED])


    @tf.function(jit_compile=True)
    def jittered(x):
        return x * (1.0 + 0.1 * rng.uniform([]))

or draw outside, and pass the number in as a tensor: as a Python number it would be traced anew each time.

## Fix safety

There is no fix: a number that is drawn once may be meant, other numbers would come from another
generator, and a branch that is taken by chance has to become one that the compiled program takes.

## References

- https://www.tensorflow.org/guide/function
- Measured with TensorFlow 2.21 on XLA:CPU.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from codemods.rule import Consequence, Context, Diagnostic, Reason, host_draws, rule

_NEVER = "(?!)"  # in code that is not traced it is no fault
_WHY = (
    "it is not known whether one number for all calls is meant; for new ones draw from a"
    " `tf.random.Generator` made outside, or pass the number in as a tensor"
)


@rule(
    "XLA203",
    "frozen-host-random",
    Consequence.SILENT,
    loose=_NEVER,
    words=(),
)
def check(ctx: Context) -> Iterator[Diagnostic]:
    for node, name in host_draws.find(ctx.function, ctx.program) if ctx.compiled else ():
        message = f"`{name}` draws once, while the function is traced: the same numbers on every call"
        found = ctx.diagnostic(node, message, (), [Reason("none", _WHY)])
        yield replace(found, without_xla=True)
