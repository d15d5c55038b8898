"""A slice whose length depends on the index of a tensor loop is silently wrong.

## What it does

Finds slices such as `x[:i]`, `x[i:]` or `tf.slice(x, [0], [i])` with the index of a tensor loop, where a
derivative is taken through them, or where they flow into an operation that looks at the end or at the
order of the data (`y[-1]`, `tf.concat`, `tf.cumsum`, `tf.sort`, `tf.ones_like`, `tf.roll`, ...).

## Why it fails under XLA

XLA keeps the slice as an array of the largest possible size with a length beside it. Several
operations, and most gradients, read the padding behind the length. There is no error and no warning:

    without XLA: tf.concat([x[i:], x[:i]], 0) summed up -> [10, 10, 10, 10]
    with XLA:    the same                               -> [10, 9, 7, 4]

Some forms end differently: with a RET_CHECK failure in dynamic_padder.cc, or an aborted process.

## Example

    @tf.function(jit_compile=True)
    def prefix_penalty(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.constant(0.0)
            for i in tf.range(1, 4):
                total += tf.reduce_sum(x[:i] ** 2)
        return tape.gradient(total, x)

## Use instead

    @tf.function(jit_compile=True)
    def prefix_penalty(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.constant(0.0)
            for i in range(1, 4):
                total += tf.reduce_sum(x[:i] ** 2)
        return tape.gradient(total, x)

## Fix safety

As for XLA101: safe where the length of the loop is known while tracing for every caller. Where it is
not, mask instead of slicing: `tf.where(tf.range(n) < i, x, 0.)`; that changes the algorithm, so it
is not offered as a fix.

## References

- https://github.com/tensorflow/tensorflow/issues/120241
- https://github.com/openxla/xla/issues/43451
- Measured with TensorFlow 2.21 on XLA:CPU, against the run without XLA.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemods.rule import (
    RANGE_LOOP,
    Consequence,
    Context,
    Diagnostic,
    Loop,
    Reason,
    Sink,
    python_loop,
    related_path,
    replace,
    rule,
    tree,
)

KEY = "python-range"


@rule(
    "XLA105",
    "loop-index-variable-size-slice",
    Consequence.SILENT,
    loose=RANGE_LOOP + "|while_loop",
    words=(b".range(", b"while_loop"),
)
def check(ctx: Context) -> Iterator[Diagnostic]:
    for loop in ctx.loops:
        if ctx.spelled_out(loop) and loop.is_tensor_loop:
            sinks = [sink for sink in ctx.sinks(loop) if sink.kind == "slice"]
            wrong = _first_wrong(ctx, loop.node, sinks)
            if wrong is not None:
                yield _finding(ctx, loop, *wrong)
    for call in ctx.while_calls:
        sinks = [sink for sink in ctx.sinks(call) if sink.kind == "slice"]
        wrong = _first_wrong(ctx, call.node, sinks)
        if wrong is not None:
            sink, why = wrong
            reason = Reason(
                KEY, "a `tf.while_loop` is not turned into a Python loop for this; mask instead of slicing"
            )
            message = f"{sink.label} with the counter of the loop as an end is wrong under XLA: {why}"
            yield ctx.diagnostic(call.node, message, (), [reason], related_path(sink))
    for node, found in ctx.mapped() if ctx.compiled else ():
        wrong = _first_wrong(ctx, node, [sink for sink in found if sink.kind == "slice"])
        if wrong is not None:
            sink, why = wrong
            reason = Reason(
                KEY, f"`{ctx.module.text(node.func)}` hands its function a tensor; mask instead of slicing"
            )
            yield ctx.diagnostic(
                node,
                f"{sink.label} up to or from a mapped index is wrong under XLA: {why}",
                (),
                [reason],
                related_path(sink),
            )


def _first_wrong(ctx: Context, place: tree.Node, sinks: list[Sink]) -> tuple[Sink, str] | None:
    for sink in sinks:
        why = ctx.spoiled(sink, ctx.differentiated(place))
        if why:
            return sink, why
    return None


def _finding(ctx: Context, loop: Loop, sink: Sink, why: str) -> Diagnostic:
    message = f"{sink.label} up to or from the loop index `{sink.source}` is wrong under XLA: {why}"
    if isinstance(loop.node, tree.While):
        counting = ctx.counting(loop)
        if isinstance(counting, Reason):
            return ctx.diagnostic(loop.header, message, (), [counting], related_path(sink))
        edit = replace(ctx.module, counting.start, counting.text)
        fix = ctx.fix(
            f"Count with a Python int from {counting.text}", KEY, [edit], counting.assumptions, counting.notes
        )
        return ctx.diagnostic(loop.header, message, [fix], (), related_path(sink))
    plan = ctx.unrolling(loop)
    if isinstance(plan, Reason):
        return ctx.diagnostic(loop.header, message, (), [plan], related_path(sink))
    edits = python_loop(ctx.module, plan)
    fix = ctx.fix(
        "Iterate over a Python `range`", KEY, edits, ctx.unrolled_assumptions(loop, plan), plan.notes
    )
    return ctx.diagnostic(loop.header, message, [fix], related=related_path(sink))
