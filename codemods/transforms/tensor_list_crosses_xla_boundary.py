"""A list of tensors would have to cross the border between XLA and TensorFlow.

## What it does

Finds derivatives that are taken outside of XLA, through a compiled function with a tensor loop, and
compiles the function that takes them: its `tf.function`, the `compile` of its Keras model, or, with your
consent, a plain Python function. Also finds TensorArrays that a compiled function returns or is given.

## Why it fails under XLA

What the iterations of a loop save for the way back is a list of tensors. Inside of one compilation XLA
can hold it, but the way back is a second one:

    UnimplementedError: Support for TensorList crossing the XLA/TF boundary is not implemented

A TensorArray is such a list, too:

    InvalidArgumentError: Unsupported type in DataTypeToPrimitiveType: 'variant'

## Example

    @tf.function(jit_compile=True)
    def total_error(weights, readings):
        level = tf.constant(0.0)
        for t in tf.range(tf.shape(readings)[0]):
            level = weights * level + readings[t]
        return level * level


    @tf.function
    def step(weights, readings):
        with tf.GradientTape() as tape:
            error = total_error(weights, readings)
        return tape.gradient(error, weights)

## Use instead

    @tf.function(jit_compile=True)
    def total_error(weights, readings):
        level = tf.constant(0.0)
        for t in tf.range(tf.shape(readings)[0]):
            level = weights * level + readings[t]
        return level * level


    @tf.function(jit_compile=True)
    def step(weights, readings):
        with tf.GradientTape() as tape:
            error = total_error(weights, readings)
        return tape.gradient(error, weights)

## Fix safety

Safe where the function that takes the derivative is a `tf.function` already and everything that it
calls is known to compile. Unsafe where something in it is not understood, where `jit_compile=False` was
asked for, and for plain Python functions, whose Python effects would run only when they are traced; the
note lists them. Not offered where something in it does not compile, such as a summary. Unsafe where it
draws random numbers, which then come from a generator (XLA201); by hand only where they could no longer
follow the seed. Giving up the compilation of the
inner function always preserves the meaning: a choice, never made in bulk. TensorArrays are replaced by
their `stack()`, unsafe where a caller may not be in sight.

## References

- https://www.tensorflow.org/xla/known_issues
- Measured with TensorFlow 2.21 on XLA:CPU, one loop and one kind of caller at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from codemods.rule import (
    COMPILE_KEYWORDS,
    CannotRewrite,
    Change,
    Consequence,
    Context,
    Crossing,
    Diagnostic,
    Edit,
    Fix,
    Module,
    Outer,
    Reason,
    Related,
    Safety,
    insert_before,
    randomness,
    replace,
    rule,
    set_arguments,
    tree,
)

KEY = "compile-outer"
_STACK = "stack"
_MANY = 6  # places that a note lists


@rule(
    "XLA104",
    "tensor-list-crosses-xla-boundary",
    Consequence.ERROR,
    loose=r"jit_compile",
    words=(b"jit_compile",),
)
def check(ctx: Context) -> Iterator[Diagnostic]:
    loops = ctx.border.saving_loops() if ctx.border.is_root else []  # cheap; who differentiates them is not
    done = set()
    for crossing in ctx.border.crossings if loops else ():
        place = crossing.path[0]
        if place not in done:
            yield _crossing(ctx, crossing, loops)
        done.add(place)
    yield from _returned(ctx)
    yield from _passed(ctx)


# derivatives


def _crossing(ctx: Context, crossing: Crossing, loops: Sequence[tuple[Related, str]]) -> Diagnostic:
    name = crossing.root.function.name
    module, node = crossing.path[0]
    message = f"the derivative of compiled `{name}` is taken outside of XLA, and its loop saves lists for it"
    related = [
        *(Related(m.span(n), "through this call") for m, n in crossing.path[1:]),
        loops[0][0],
    ]
    inner = _without_inner(ctx, crossing)
    found = ctx.border.outer(crossing)
    if isinstance(found, Reason):
        return ctx.diagnostic(node, message, inner, [found], related, module=module)
    try:
        fix = _compiled(ctx, crossing, found, loops[0][1])
    except CannotRewrite as error:
        return ctx.diagnostic(node, message, inner, [Reason(KEY, str(error))], related, module=module)
    alone = fix.safety is Safety.MANUAL
    reasons = [Reason(KEY, fix.note)] if alone else []
    return ctx.diagnostic(node, message, [fix, *inner], reasons, related, module=module)


def _compiled(ctx: Context, crossing: Crossing, outers: Sequence[Outer], argument: str) -> Fix:
    edits: list[Edit] = []
    assumptions, changes, seeds = [], [], []
    if crossing.root.certainty != "yes":
        assumptions.append(f"`{crossing.root.function.name}` is compiled ({crossing.root.how})")
    source = ctx.border.crossings[crossing]
    if source:
        assumptions.append(f"`{source}` is a variable, or the tape watches it in another way")
    if argument:
        assumptions.append(f"`{argument}`, which the loop runs over, is a tensor")
    if crossing.guessed:
        assumptions.append("the guessed call on the way leads there")
    for outer in outers:
        edits.append(_edit(ctx, outer))
        verdict = ctx.border.compiles(outer)
        if verdict.broken:
            raise CannotRewrite(f"`{outer.function.name}` cannot be compiled: {verdict.broken[0]}")
        assumptions += verdict.unknown[:_MANY]
        seeds += verdict.seeds
        for draw in verdict.draws:
            shown = f"`{draw.module.text(draw.node.func)}` at {draw.module.path}:{draw.node.lineno}"
            why = randomness.unfixable(draw, ctx.program)
            if why:
                seeds.append(f"{shown} would no longer follow the seed: {why}")
            else:
                assumptions.append(f"{shown} may draw other numbers")
        changes += verdict.changes[:_MANY]
        if outer.refused:
            assumptions.append(
                f"nothing else speaks against XLA in `{outer.function.name}`, which turns it off"
            )
        if outer.kind == "python":
            assumptions.append(
                f"the arguments of `{outer.function.name}` are tensors, and it returns nothing but tensors"
            )
        if not outer.sure:
            place = f"{outer.module.path}:{outer.node.lineno}"
            assumptions.append(f"the model at {place} holds the layer, and the rest of it compiles")
        if outer.kind == "keras":
            strange = ctx.border.unknown_to_keras(outer)
            if strange:
                assumptions.append(f"`{strange}` compiles")
    if changes:
        assumptions.append("it does no harm that " + ", ".join(dict.fromkeys(changes)))
    fix = ctx.fix(_title(outers), KEY, edits, assumptions)
    if seeds:
        fix = fix.demoted(Safety.MANUAL, "; ".join(dict.fromkeys(seeds)))
    return fix


def _title(outers: Sequence[Outer]) -> str:
    names = ", ".join(dict.fromkeys(f"`{outer.function.name}`" for outer in outers))
    if outers[0].kind == "keras":
        return "Compile the Keras model with XLA"
    return f"Compile {names} with XLA, which takes the derivative"


def _edit(ctx: Context, outer: Outer) -> Edit:
    module, node = outer.module, outer.node
    if outer.kind == "python":
        prefix = ctx.spelled(node, module=module)
        if not prefix or not ctx.bound_before(prefix.split(".")[0], node, module):
            raise CannotRewrite(f"TensorFlow itself has no name at {module.path}:{node.lineno}")
        return insert_before(module, node, [f"@{prefix}function(jit_compile=True)"])
    if not isinstance(node, tree.Call):  # `@tf.function`
        return replace(module, node, f"{module.text(node)}(jit_compile=True)")
    keyword = next((k for k in node.keywords if k.arg == "experimental_compile"), None)
    name = "jit_compile" if keyword is None else "experimental_compile"
    return set_arguments(module, node, {name: "True"}, ())


def _without_inner(ctx: Context, crossing: Crossing) -> list[Fix]:
    """The choice to give up the compilation of the inner function."""
    root = crossing.root
    if not (isinstance(root.node, tree.Call) and root.module.text(root.node.func).endswith("function")):
        return []
    keyword = next((k for k in root.node.keywords if k.arg in COMPILE_KEYWORDS), None)
    if keyword is None:
        return []
    edit = set_arguments(root.module, root.node, {keyword.arg: "False"}, ())
    fix = ctx.fix(f"Do not compile `{root.function.name}`", "drop-inner-jit", [edit])
    return [fix.demoted(Safety.MANUAL, "the function is no longer compiled, wherever it is called")]


# TensorArrays


def _returned(ctx: Context) -> Iterator[Diagnostic]:
    done = set()
    for node, position in ctx.border.returned_arrays():
        if position in done:
            continue
        done.add(position)
        name = ctx.function.name
        message = f"compiled `{name}` returns a TensorArray, which cannot leave XLA"
        yield _stacked(
            ctx,
            node,
            message,
            ctx.border.stacked_result(position),
            f"Return the stacked tensor from `{name}`",
        )


def _passed(ctx: Context) -> Iterator[Diagnostic]:
    for site, argument, name in ctx.border.passed_arrays():
        message = (
            f"compiled `{ctx.function.name}` is given a TensorArray, which cannot enter XLA from a graph"
        )
        title = f"Pass the stacked tensor as `{name}`"
        yield _stacked(ctx, argument, message, ctx.border.stacked_argument(name), title, module=site.module)


def _stacked(
    ctx: Context, node: tree.Node, message: str, change: Change | Reason, title: str,
    module: Module | None = None,
) -> Diagnostic:  # fmt: skip
    if isinstance(change, Reason):
        return ctx.diagnostic(node, message, (), [change], module=module)
    edits = sorted({replace(place, old, new) for place, old, new in change.texts})
    if any(a.path == b.path and b.start < a.end for a, b in pairwise(edits)):
        reason = Reason(_STACK, "one use of the array stands inside of another one")
        return ctx.diagnostic(node, message, (), [reason], module=module)
    fix = ctx.fix(title, _STACK, edits, change.assumptions)
    return ctx.diagnostic(node, message, [fix], (), module=module)
