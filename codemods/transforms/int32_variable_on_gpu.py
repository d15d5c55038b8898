"""A compiled function uses an int32 variable, which TensorFlow keeps on the host of a GPU.

## What it does

Finds variables of type int32 (`tf.Variable` of Python ints or with `dtype=tf.int32`, `add_weight` with
that type: counters, states of metrics, permutations) that a compiled function reads or writes, unless it
is called under a scope of the CPU. A preview: off unless asked for.

## Why it fails under XLA

On a machine with a GPU, TensorFlow places int32 variables in the memory of the host, whatever the device
scope says. A function that XLA compiles for the GPU cannot reach them there. On a CPU nothing is wrong.

    InvalidArgumentError: Trying to access resource step/0 (defined @ model.py:3) located in device
    /job:localhost/replica:0/task:0/device:CPU:0 from device /job:localhost/replica:0/task:0/device:GPU:0

## Example

    step = tf.Variable(0, dtype=tf.int32)
    rates = tf.constant([0.1, 0.01])


    @tf.function(jit_compile=True)
    def rate():
        step.assign_add(1)
        return tf.gather(rates, step)

## Use instead

    step = tf.Variable(0, dtype=tf.int64)
    rates = tf.constant([0.1, 0.01])


    @tf.function(jit_compile=True)
    def rate():
        step.assign_add(1)
        return tf.gather(rates, step)

## Fix safety

By hand only, with `--choose XLA302=int64` or `--choose XLA302=float32`, each offered where every use in
sight takes that type. Checkpoints hold the old type, and what is returned has the new one.

## References

- https://www.tensorflow.org/xla/known_issues
- From public reports. Not measured, since it takes a GPU: on two CPU devices int32 and int64 are alike.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemods.rule import (
    NOWHERE,
    CannotRewrite,
    Consequence,
    Context,
    Diagnostic,
    Fix,
    Reason,
    Related,
    Safety,
    Whole,
    int32_variables,
    replace,
    rule,
    set_arguments,
)

TYPES = ("int64", "float32")


@rule(
    "XLA302",
    "int32-variable-on-gpu",
    Consequence.ERROR,
    loose=NOWHERE,
    words=(),
    preview=True,
)
def check(ctx: Context) -> Iterator[Diagnostic]:
    for found in int32_variables.find(ctx.function, ctx.program):
        yield _finding(ctx, found)


def _finding(ctx: Context, found: Whole) -> Diagnostic:
    fixes: list[Fix] = []
    reasons: list[Reason] = []
    for wanted in TYPES:
        why = int32_variables.objection(found, wanted, ctx.program)
        try:
            if not why:
                fixes.append(_retyped(ctx, found, wanted))
        except CannotRewrite as error:
            why = str(error)
        if why:
            reasons.append(Reason(wanted, why))
    message = f"`{found.use.name}` is an int32 variable, which compiled code cannot reach on a GPU"
    related = [Related(found.module.span(found.node), "made here")]
    return ctx.diagnostic(found.use.node, message, fixes, reasons, related)


def _retyped(ctx: Context, found: Whole, wanted: str) -> Fix:
    module = found.module
    edits = []
    if found.types:
        edits = [replace(module, node, module.text(node).replace("int32", wanted)) for node in found.types]
        if any("int32" not in module.text(node) for node in found.types):
            raise CannotRewrite("its type is named elsewhere")
    if not found.types or found.typed is not found.node:
        prefix = ctx.spelled(found.node, module=module)
        name = f"{prefix}{wanted}" if prefix else f'"{wanted}"'
        edits += [set_arguments(module, found.typed, {"dtype": name}, ())]
    fix = ctx.fix(f"Make it {wanted}", wanted, edits)
    return fix.demoted(Safety.MANUAL, "checkpoints hold the old type, and what is returned has the new one")
