"""The index of a tensor loop reaches an operand that XLA must know while compiling.

## What it does

Finds `for i in tf.range(...)`, AutoGraph `while` and `tf.while_loop` whose index or counter reaches an
axis, a shape, a depth, a padding, a stride or another operand that has to be a compile-time constant:
directly, through arithmetic, tuples and loop-carried numbers, or inside helpers of the project.

## Why it fails under XLA

A tensor loop is compiled once, with the index as a runtime value. XLA refuses:

    InvalidArgumentError: Input 1 to node `while/Sum` with op Sum must be a compile-time constant.
    XLA compilation requires that operator arguments that represent shapes or dimensions be evaluated
    to concrete values at compile time.

Without XLA the same code runs, so the error appears on the day somebody sets `jit_compile=True`.

## Example

    @tf.function(jit_compile=True)
    def axis_summary(volume):
        total = tf.zeros([])
        for axis in tf.range(3):
            total += tf.reduce_max(tf.reduce_mean(volume, axis=axis))
        return total

## Use instead

    @tf.function(jit_compile=True)
    def axis_summary(volume):
        total = tf.zeros([])
        for axis in range(3):
            total += tf.reduce_max(tf.reduce_mean(volume, axis=axis))
        return total

## Fix safety

Safe where the length is known while tracing for every caller: a literal, a constant, a static
dimension or rank, an attribute that only constructors set. The loop is unrolled, so the graph grows
with its length; more than `unroll-limit` copies are refused. Unsafe where the length is a parameter
of a public function, where `x.shape[k]` may be None, or where the body has effects that would be
repeated. Not offered where the loop ends on a tensor condition, where the length is a tensor
(AutoGraph turns `range(tensor)` back into `tf.range`), or where the index is needed as a tensor.

## References

- https://www.tensorflow.org/xla/known_issues
- Measured with TensorFlow 2.21 on XLA:CPU, one compilation per operand.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemods.rule import (
    RANGE_LOOP,
    CannotRewrite,
    Consequence,
    Context,
    Diagnostic,
    Edit,
    Fix,
    Loop,
    Reason,
    Sink,
    WhileCall,
    fresh_name,
    one_level,
    python_loop,
    related_path,
    replace,
    replace_statement,
    rule,
    tree,
)

KEY = "python-range"
_DEFAULTS = {"swap_memory": False, "back_prop": True, "maximum_iterations": None, "shape_invariants": None}


@rule(
    "XLA101",
    "loop-index-as-constant-operand",
    Consequence.ERROR,
    loose=RANGE_LOOP + "|while_loop",
    words=(b".range(", b"while_loop"),
)
def check(ctx: Context) -> Iterator[Diagnostic]:
    for loop in ctx.loops:
        sinks = _constant(ctx.sinks(loop)) if ctx.spelled_out(loop) and loop.is_tensor_loop else []
        if sinks and isinstance(loop.node, tree.While):
            yield _while(ctx, loop, sinks)
        elif sinks:
            yield _for(ctx, loop, sinks)
    for call in ctx.while_calls:
        sinks = _constant(ctx.sinks(call))
        if sinks:
            yield _while_loop(ctx, call, sinks)
    for node, found in ctx.mapped() if ctx.compiled else ():
        sinks = _constant(found)
        if sinks:
            reason = Reason(
                KEY,
                f"`{ctx.module.text(node.func)}` hands its function a tensor; write a Python loop instead",
            )
            what = f"the index that `{ctx.module.text(node.func)}` passes on is {sinks[0].label}"
            message = f"{what}, where XLA needs a constant"
            yield ctx.diagnostic(node, message, (), [reason], related_path(sinks[0]))


def _constant(sinks: list[Sink]) -> list[Sink]:
    """The operands that fail; those that only tracing refuses count if XLA refuses one too, or alone."""
    return [sink for sink in sinks if sink.kind in ("constant", "python")]


def _for(ctx: Context, loop: Loop, sinks: list[Sink]) -> Diagnostic:
    sink = sinks[0]
    over = f"`{ctx.module.text(loop.call.func)}` loop" if loop.call is not None else "loop over a tensor"
    index = loop.index is not None and sink.source == loop.index.id
    what = f"index `{sink.source}` of" if index else f"`{sink.source}`, a number carried by"
    message = f"{what} the {over} is {sink.label}, where XLA needs a constant"
    plan = ctx.unrolling(loop)
    if isinstance(plan, Reason):
        return ctx.diagnostic(loop.header, message, unavailable=[plan], related=related_path(sink))
    edits = python_loop(ctx.module, plan)
    assumptions = ctx.unrolled_assumptions(loop, plan)
    if all(s.mixed for s in sinks):
        assumptions.append(f"the data in {sink.label} is known to XLA when it compiles")
    fix = ctx.fix("Iterate over a Python `range`", KEY, edits, assumptions, plan.notes)
    return ctx.diagnostic(loop.header, message, [fix], related=related_path(sink))


def _while(ctx: Context, loop: Loop, sinks: list[Sink]) -> Diagnostic:
    """An AutoGraph `while`: with a Python counter it is unrolled while tracing."""
    sink = sinks[0]
    message = f"counter `{sink.source}` of the `while` loop is {sink.label}, where XLA needs a constant"
    plan = ctx.counting(loop)
    if isinstance(plan, Reason):
        return ctx.diagnostic(loop.header, message, (), [plan], related_path(sink))
    edit = replace(ctx.module, plan.start, plan.text)
    fix = ctx.fix(f"Count with a Python int from {plan.text}", KEY, [edit], plan.assumptions, plan.notes)
    return ctx.diagnostic(loop.header, message, [fix], related=related_path(sink))


def _while_loop(ctx: Context, call: WhileCall, sinks: list[Sink]) -> Diagnostic:
    """`tf.while_loop` with a counted condition is a Python `for` over the same body."""
    sink = sinks[0]
    counter = call.counter
    name = counter.name if counter is not None else "the counter"
    message = (
        f"counter `{name}` of `{ctx.module.text(call.node.func)}` is {sink.label}, where XLA needs a constant"
    )
    try:
        fix = _python_for(ctx, call)
    except CannotRewrite as error:
        return ctx.diagnostic(call.node, message, (), [Reason(KEY, str(error))], related_path(sink))
    return ctx.diagnostic(call.node, message, [fix], related=related_path(sink))


def _python_for(ctx: Context, call: WhileCall) -> Fix:
    counter, module = call.counter, ctx.module
    if counter is None:
        raise CannotRewrite(call.why)
    if not counter.tight:
        raise CannotRewrite("the loop also ends on something else, which may be a tensor")
    extra = [
        kw.arg
        for kw in call.node.keywords
        if kw.arg not in ("cond", "body", "loop_vars", "parallel_iterations", "name")
        and not (isinstance(kw.value, tree.Constant) and kw.value.value is _DEFAULTS.get(kw.arg, kw))
    ]
    if extra or len(call.node.args) > 3:
        raise CannotRewrite(
            f"`{extra[0] if extra else 'shape_invariants'}` has no counterpart in a Python loop"
        )
    times, known = ctx.times(call)
    if known is not None and known > ctx.unroll_limit:
        raise CannotRewrite(
            f"unrolling would copy the body {known} times, more than unroll-limit = {ctx.unroll_limit}"
        )
    if len(call.variables) < 2:
        raise CannotRewrite("a single loop variable is returned in another structure")
    statement = module.statement(call.node)
    if not isinstance(statement, (tree.Assign, tree.Return)) or (
        isinstance(statement, tree.Assign) and len(statement.targets) != 1
    ):
        raise CannotRewrite("the call is part of a larger statement")
    if not ctx.means_builtin("range", call.node):
        raise CannotRewrite("`range` means something else in this scope")
    start = call.variables[call.position]
    if isinstance(start, tree.Call) and (len(start.args) != 1 or start.keywords):
        raise CannotRewrite(f"`{module.text(start)}` says more than a number")
    assumptions, replacements = ctx.audit_while_loop(call)
    if replacements:
        raise CannotRewrite("`tf.cond` needs the counter as a tensor")
    body = next((kw.value for kw in call.node.keywords if kw.arg == "body"), None) or call.node.args[1]
    function = (
        module.text(body) if isinstance(body, (tree.Name, tree.Attribute)) else f"({module.text(body)})"
    )
    variables = [module.text(v) for v in call.variables]
    variables[call.position] = (
        module.text(start.args[0]) if isinstance(start, tree.Call) else module.text(start)
    )
    names = [param.id for param in call.body_params][: len(variables)]
    free = all(_only_here(ctx, name, statement) and name.isidentifier() for name in names)
    packed = ", ".join(names) if free and len(set(names)) == len(variables) else None
    step = one_level(module)
    state = packed or fresh_name(module, "loop_vars")
    unused = "_" if _only_here(ctx, "_", statement) else fresh_name(module, "_round")
    lines = [f"{state} = {', '.join(variables)}", f"for {unused} in range({times}):"]
    lines.append(f"{step}{state} = {function}({packed or '*' + state})")
    lines += _result(ctx, statement, call, state)
    edit: Edit = replace_statement(module, statement, lines)
    notes = (
        [] if known is not None and known <= 16 else ["the loop is unrolled: the graph grows with its length"]
    )
    return ctx.fix("Run the loop body in a Python `for`", KEY, [edit], assumptions, notes)


def _result(ctx: Context, statement: tree.Node, call: WhileCall, state: str) -> list[str]:
    """What the statement did with the loop's results."""
    module, whole = ctx.module, ctx.module.text(statement)
    span, place = module.span(statement), module.span(call.node)
    before, after = whole[: place.start - span.start], whole[place.end - span.start :]
    packed = f"({state})" if "," in state else state
    if (
        isinstance(statement, tree.Assign)
        and isinstance(statement.targets[0], (tree.Tuple, tree.List))
        and not after.strip()
    ):
        targets = [module.text(t) for t in statement.targets[0].elts]
        if len(targets) == len(call.variables) and "," in state:
            names = state.split(", ")
            pairs = [(t, n) for t, n in zip(targets, names, strict=True) if t not in (n, "_")]
            if {t for t, _ in pairs} & set(names):
                return [f"{before}{state}"]
            return [f"{', '.join(t for t, _ in pairs)} = {', '.join(n for _, n in pairs)}"] if pairs else []
        return [f"{before}{state}"]
    return [f"{before}{packed}{after}"]


def _only_here(ctx: Context, name: str, statement: tree.Node) -> bool:
    """May a statement bind this name: is it free in the function and its closures, or bound here alone?"""
    found = ctx.function.bindings.get(name, [])
    if not all(ctx.module.statement(b.node) is statement for b in found):
        return False
    return (bool(found) and not ctx.captured(name)) or not ctx.mentioned(name)
