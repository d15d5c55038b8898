"""The derivative of a while loop without a bound does not compile.

## What it does

Finds `tf.while_loop`, and `while` statements that AutoGraph turns into one, in code that XLA compiles
and that a derivative is taken of, inside of the compiled function or round it. It derives a bound from
the condition and adds it. Loops that TensorFlow bounds by itself (`for` over a range or a tensor,
`tf.map_fn`, `tf.scan`, recurrent Keras layers) are left alone, except in a `tf.function` that may have
been traced before, outside of XLA.

## Why it fails under XLA

For the way back each iteration saves values in a list, and XLA has no lists without a size:

    InvalidArgumentError: XLA compilation requires a fixed tensor list size. Set the max number of
    elements. This could also happen if you're using a TensorArray in a while loop that does not have
    its maximum_iteration set

Without a derivative, or where an iteration only adds and counts, the same loop compiles.

## Example

    @tf.function(jit_compile=True)
    def sensitivity(rate, start):
        with tf.GradientTape() as tape:
            tape.watch(rate)
            _, level = tf.while_loop(
                lambda day, level: day < 30,
                lambda day, level: (day + 1, level * rate),
                (0, start),
            )
        return tape.gradient(level, rate)

## Use instead

    @tf.function(jit_compile=True)
    def sensitivity(rate, start):
        with tf.GradientTape() as tape:
            tape.watch(rate)
            _, level = tf.while_loop(
                lambda day, level: day < 30,
                lambda day, level: (day + 1, level * rate),
                (0, start),
                maximum_iterations=30,
            )
        return tape.gradient(level, rate)

## Fix safety

A bound that is too small cuts the loop short in silence, so it is derived from a counter in the
condition, which starts at a known number and changes once per iteration by a constant, and from a limit
that the loop leaves alone. Safe where the counter is the only exit, or where the bound is at most 1000.
Unsafe where the loop usually ends earlier and the bound is larger or not known, since memory is set
aside for that many iterations; where the limit may be no int32 number; and where eager callers would
meet loop variables and results of different types, which `maximum_iterations` does not accept. Where
only you know a bound, say so behind the loop: `# xlafix: bound=MAX_STEPS`. `back_prop=False` compiles
too, but gives up the derivative: a choice, never made in bulk.

## References

- https://www.tensorflow.org/xla/known_issues
- Measured with TensorFlow 2.21 on XLA:CPU; which loops save values was tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemods.rule import (
    CannotRewrite,
    Cap,
    Consequence,
    Context,
    Diagnostic,
    Edit,
    Fix,
    Loop,
    Reason,
    Related,
    Safety,
    as_display,
    given,
    insert_first,
    rule,
    set_arguments,
    tree,
)

KEY = "maximum-iterations"
FEW = 1000
"""A bound up to here may be larger than the number of iterations without a word."""

_HINT = "state one behind the loop, if you know it: `# xlafix: bound=...`"


@rule(
    "XLA102",
    "unbounded-while-loop",
    Consequence.ERROR,
    loose=r"while_loop",
    words=(b"while_loop",),
)
def check(ctx: Context) -> Iterator[Diagnostic]:
    for node in ctx.unbounded_calls():
        if ctx.differentiated(node) and ctx.may_be_derived(node):
            yield _call(ctx, node)
    for loop in ctx.loops if ctx.compiled else ():
        judge = _while if isinstance(loop.node, tree.While) else _for
        lacking = _is_unbounded(ctx, loop) if judge is _while else _may_be_unbounded(ctx, loop)
        if lacking and ctx.differentiated(loop.node) and ctx.saves(loop):
            yield judge(ctx, loop)


# tf.while_loop


def _call(ctx: Context, node: tree.Node) -> Diagnostic:
    spelled = ctx.module.text(node.func)
    message = f"the derivative of `{spelled}` needs a bound under XLA: it has no `maximum_iterations`"
    given_up = _without_derivative(ctx, node)
    stated = next((k.value for k in node.keywords if k.arg == "maximum_iterations"), None)
    if stated is not None and not (isinstance(stated, tree.Constant) and stated.value is None):
        message = (
            f"the derivative of `{spelled}` needs a bound under XLA: its `maximum_iterations` may be None"
        )
        reason = f"`maximum_iterations={ctx.module.text(stated)}` may be None; the callers decide"
        return ctx.diagnostic(node, message, given_up, [Reason(KEY, reason)])
    cap = _bound(ctx, node, ctx.most_iterations(node))
    if isinstance(cap, Reason):
        return ctx.diagnostic(node, message, given_up, [cap])
    try:
        fix = _with_bound(ctx, node, cap)
    except CannotRewrite as error:
        return ctx.diagnostic(node, message, given_up, [Reason(KEY, str(error))])
    return ctx.diagnostic(node, message, [fix, *given_up])


def _with_bound(ctx: Context, node: tree.Node, cap: Cap) -> Fix:
    assumptions = [*cap.assumptions, *_memory(cap)]
    edits: list[Edit] = []
    kinds = ctx.structures(node)
    if kinds is not None:
        edits, mixed = _alike(ctx, node, *kinds)
        assumptions.append(mixed)
    text = _int32(ctx, node, cap)
    title = f"Bound the loop with maximum_iterations={text}"
    return ctx.fix(title, KEY, edits, assumptions, needs=[ctx.bounding(node, text)])


def _alike(ctx: Context, node: tree.Node, first: str, result: str) -> tuple[list[Edit], str]:
    """Loop variables of the type of the body's result, which eager mode compares; and what that assumes."""
    variables = given(node, "loop_vars", 2)
    if {first, result} == {"tuple", "list"} and isinstance(variables, (tree.Tuple, tree.List)):
        return [as_display(ctx.module, variables, result)], f"nothing needs the result as a {first}"
    return [], "loop variables and the result of the body are both tuples or both lists (eager mode wants it)"


def _without_derivative(ctx: Context, node: tree.Node) -> list[Fix]:
    """The choice to give the derivative up."""
    try:
        edit = ctx.with_arguments(node, {"back_prop": "False"})
    except CannotRewrite:
        return []
    fix = ctx.fix("Give up the derivative: back_prop=False", "back-prop-false", [edit])
    return [fix.demoted(Safety.MANUAL, "the gradient through the loop becomes None")]


# AutoGraph


def _while(ctx: Context, loop: Loop) -> Diagnostic:
    message = "the derivative of a `while` loop needs a bound under XLA: it has no `maximum_iterations`"
    cap = _bound(ctx, loop.node, ctx.most_iterations(loop))
    if isinstance(cap, Reason):
        return ctx.diagnostic(loop.header, message, (), [cap])
    return _optioned(ctx, loop, cap, message, _uncertain(ctx, loop))


def _for(ctx: Context, loop: Loop) -> Diagnostic:
    traced = ctx.pretraced
    assert traced is not None
    name = traced.function.name
    message = f"the derivative of this loop needs a bound, if `{name}` is traced before XLA compiles it"
    related = [Related(traced.site.module.span(traced.site.node), f"`{name}` is called here, outside of XLA")]
    cap = ctx.most_iterations(loop)
    if isinstance(cap, Reason):
        return ctx.diagnostic(loop.header, message, (), [cap], related)
    return _optioned(ctx, loop, cap, message, [], related)


def _optioned(
    ctx: Context, loop: Loop, cap: Cap, message: str, also: list[str], related: list[Related] | None = None
) -> Diagnostic:
    """The finding with `set_loop_options(maximum_iterations=...)` as the first statement of the body."""
    try:
        text = _int32(ctx, loop.node, cap)
        fix = ctx.fix(
            f"Bound the loop at {text} iterations", KEY, [_edit(ctx, loop, text)],
            [*cap.assumptions, *_memory(cap), *also],
        )  # fmt: skip
    except CannotRewrite as error:
        return ctx.diagnostic(loop.header, message, (), [Reason(KEY, str(error))], related or ())
    return ctx.diagnostic(loop.header, message, [fix], (), related or ())


def _edit(ctx: Context, loop: Loop, text: str) -> Edit:
    option = _option(ctx, loop)
    if option is not None:
        return set_arguments(ctx.module, option, {"maximum_iterations": text}, ())
    call = f"{_prefix(ctx, loop.node)}autograph.experimental.set_loop_options(maximum_iterations={text})"
    return insert_first(ctx.module, loop.node, [call])


def _option(ctx: Context, loop: Loop) -> tree.Node | None:
    """The `set_loop_options(...)` that the body starts with."""
    first = loop.node.body[0]
    call = first.value if isinstance(first, tree.Expr) else None
    if isinstance(call, tree.Call) and ctx.module.text(call.func).endswith("set_loop_options"):
        return call
    return None


def _is_unbounded(ctx: Context, loop: Loop) -> bool:
    option = _option(ctx, loop)
    given = (
        next((k.value for k in option.keywords if k.arg == "maximum_iterations"), None) if option else None
    )
    if given is not None and not (isinstance(given, tree.Constant) and given.value is None):
        return False
    return loop.kind == "while" or bool(_uncertain(ctx, loop))


def _may_be_unbounded(ctx: Context, loop: Loop) -> bool:
    """AutoGraph bounds a `for` itself, but not while it traces a plain tf.function outside of XLA."""
    tensor = loop.is_tensor_loop or bool(ctx.unknown_argument(loop))
    return tensor and ctx.pretraced is not None and _option(ctx, loop) is None


def _uncertain(ctx: Context, loop: Loop) -> list[str]:
    """What must be a tensor for the loop to be one, where that is not known."""
    name = ctx.unknown_argument(loop)
    return [f"`{name}` is a tensor"] if name else []


# the bound


def _bound(ctx: Context, node: tree.Node, proved: Cap | Reason) -> Cap | Reason:
    """What is proved, else what the user says."""
    if not isinstance(proved, Reason):
        return proved
    for text in ctx.told_about(node, "bound"):
        missing = ctx.defined(text, node)
        if missing:
            return Reason(KEY, f"`{missing}` in the comment `bound={text}` means nothing here")
        line = ctx.module.statement(node).lineno
        said = f"the loop runs at most {text} times, as the comment at line {line} says"
        return Cap(text, None, True, [said])
    return Reason(KEY, f"no bound can be proved: {proved.why}; {_HINT}")


def _memory(cap: Cap) -> list[str]:
    """A bound that the loop seldom reaches costs memory in proportion."""
    if cap.tight or (cap.number is not None and cap.number <= FEW):
        return []
    times = f"{cap.number:,}" if cap.number is not None else f"`{cap.text}`"
    return [f"there is memory for {times} iterations of every value that the derivative needs"]


def _int32(ctx: Context, node: tree.Node, cap: Cap) -> str:
    """The bound as TensorFlow takes it."""
    if not cap.wide:
        return cap.text
    prefix = _prefix(ctx, node)
    return f"{prefix}cast({cap.text}, {prefix}int32)"


def _prefix(ctx: Context, node: tree.Node) -> str:
    found = ctx.spelled(node)
    if not found:
        raise CannotRewrite("TensorFlow itself has no name in this file")
    return found
