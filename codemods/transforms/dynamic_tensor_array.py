"""A TensorArray that grows comes back empty under XLA.

## What it does

Finds `tf.TensorArray(..., dynamic_size=True)` in code that XLA compiles, follows the array through its
writes, loops and reads, and derives how many elements it gets.

## Why it fails under XLA

XLA has no lists that grow: the size given at creation is all there is, and a write behind the end goes
to the last slot. An array that starts empty stays empty, without an error and without a warning:

    ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)   # three writes in a loop
    without XLA: ta.stack() -> [2., 4., 6.]      ta.size() -> 3
    with XLA:    ta.stack() -> []                ta.size() -> 0

`scatter`, and `gather` under a gradient, have no XLA kernel at all, whatever the size; they are reported.

Under a gradient the compiler ends the process ("Check failed: state Expected a tuple shape"), or
reports that TensorListResize is not supported. Whole numbers and truth values have no gradient: an array
of those comes back empty there, too.

## Example

    @tf.function(jit_compile=True)
    def running_max(x):
        history = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        best = x[0]
        for t in tf.range(tf.shape(x)[0]):
            best = tf.maximum(best, x[t])
            history = history.write(t, best)
        return history.stack()

## Use instead

    @tf.function(jit_compile=True)
    def running_max(x):
        history = tf.TensorArray(tf.float32, size=tf.shape(x)[0], dynamic_size=False)
        best = x[0]
        for t in tf.range(tf.shape(x)[0]):
            best = tf.maximum(best, x[t])
            history = history.write(t, best)
        return history.stack()

## Fix safety

Safe where each iteration of one loop writes exactly one element and the indices run through 0, 1,
2, ...: then the trip count is the size in every context. Appending with `ta.size()` gets an index of
its own. Unsafe where the number of writes depends on data (a condition, an early exit): the array
gets the size of the loop, a count, an `element_shape`, and `stack()[:count]`. A bound is never guessed,
since one that is too small overwrites the last element in silence: where no bound can be proved, the
finding says why.

## References

- https://www.tensorflow.org/xla/known_issues
- Measured with TensorFlow 2.21 on XLA:CPU: the documentation speaks of an error, the forward pass has none.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemods.knowledge.tensor_array import ARGUMENTS
from codemods.rule import (
    Array,
    CannotRewrite,
    Consequence,
    Context,
    Diagnostic,
    Fix,
    Need,
    Plan,
    Reason,
    Related,
    Sink,
    WhileCall,
    dtypes,
    fresh_name,
    insert_after,
    replace,
    rule,
    set_arguments,
    tree,
)

KEY = "bounded-size"
_CLAMPED = "writes behind the end go to the last slot"


@rule("XLA103", "dynamic-tensor-array", Consequence.SILENT, loose="TensorArray", words=(b"TensorArray",))
def check(ctx: Context) -> Iterator[Diagnostic]:
    for array in ctx.growing_arrays():
        uses = {use.method for use in array.uses}
        if "write" not in uses and "scatter" not in uses and ("unstack" in uses or not array.lost):
            continue  # `unstack` replaces the list, which is right
        finding = _finding(ctx, array)
        if finding is not None:
            yield finding
    if ctx.compiled:
        yield from _without_kernel(ctx)


def _without_kernel(ctx: Context) -> Iterator[Diagnostic]:
    """`scatter`, and the gradient of `gather`, have no XLA kernel, whatever the size of the array."""
    for node in ctx.array_calls("scatter", "gather"):
        name = node.func.attr
        if name == "gather" and not ctx.differentiated(node):
            continue
        what = (
            "TensorArray.scatter has no XLA kernel"
            if name == "scatter"
            else "the gradient of TensorArray.gather has no XLA kernel"
        )
        why = (
            "`unstack` of a `tf.scatter_nd` is the same only if the indices are distinct "
            "and nothing was written before"
            if name == "scatter"
            else "`tf.gather` of `stack()` has the same values, but reads all elements, "
            "which eager mode allows once"
        )
        yield ctx.diagnostic(node, what, (), [Reason("no-kernel", why)], (), Consequence.ERROR)


def _finding(ctx: Context, array: Array) -> Diagnostic | None:
    module = ctx.module
    gradient = ctx.differentiated(array.node)
    plan = ctx.bounded(array)
    size = array.argument("size")
    initial = _number(size)
    large_enough = not isinstance(plan, Reason) and size is not None and _covers(ctx, plan, size)
    fails = gradient and not dtypes.has_no_derivative(array.argument("dtype"), module, ctx.program)
    if large_enough and not fails:
        return None  # the flag is ignored, and the size is right
    written = [Related(use.module.span(use.node), "written here") for use in array.of("write")[:2]]
    if fails:
        message, kind = (
            "a TensorArray that may grow has no gradient under XLA: the compiler fails or aborts",
            Consequence.ABORT,
        )
    elif initial:
        message, kind = f"a TensorArray of size {initial} does not grow under XLA: {_CLAMPED}", None
    elif size is not None and initial is None:
        message, kind = f"a TensorArray does not grow under XLA: {_CLAMPED}", None
    else:
        message, kind = "a TensorArray that grows comes back empty under XLA", None
    if isinstance(plan, Reason):
        return ctx.diagnostic(array.node, message, (), [plan], written, kind)
    try:
        fix = _fix(ctx, array, plan, gradient, large_enough)
    except CannotRewrite as error:
        return ctx.diagnostic(array.node, message, (), [Reason(KEY, str(error))], written, kind)
    assert module is array.module
    return ctx.diagnostic(array.node, message, [fix], (), written, kind)


def _number(node: tree.Node | None) -> int | None:
    if isinstance(node, tree.Constant) and isinstance(node.value, int):
        return int(node.value)
    return None


def _covers(ctx: Context, plan: Plan, size: tree.Node) -> bool:
    """Is the size that stands there at least what is needed?"""
    if plan.sliced or plan.append is not None:
        return False
    given = _number(size)
    if given is not None and plan.size.number is not None:
        return given >= plan.size.number
    return ctx.module.text(size) == plan.size.text


def _fix(ctx: Context, array: Array, plan: Plan, gradient: bool, large_enough: bool) -> Fix:
    values = {"dynamic_size": "False"}
    if not large_enough:
        values = {"size": _size(array, plan), **values}
    if plan.element_shape:
        values["element_shape"] = plan.element_shape
    edits = [set_arguments(ctx.module, array.node, values, ARGUMENTS)]
    count = plan.count
    if plan.counted is not None:
        count = _count_name(ctx, array)
        made, write = ctx.module.statement(array.node), ctx.module.statement(plan.counted.node)
        edits += [
            insert_after(ctx.module, made, [f"{count} = 0"]),
            insert_after(ctx.module, write, [f"{count} += 1"]),
        ]
    if plan.append is not None and plan.append.index is not None:
        edits.append(replace(plan.append.module, plan.append.index, plan.index or count))
    if plan.sliced:
        for use in array.of("stack"):
            why = ctx.spoiled(
                Sink("slice", use.module, use.node, "the result"), gradient or ctx.differentiated(use.node)
            )
            if why:
                raise CannotRewrite(f"the result has a length that depends on data, and {why}")
        edits += [
            replace(use.module, use.node, f"{use.module.text(use.node)}[:{count}]")
            for use in array.of("stack")
        ]
        edits += [
            replace(use.module, use.node, count)
            for use in array.of("size")
            if plan.append is None or use.node is not plan.append.index
        ]
    needs = [_bounded(ctx, call, text) for call, text in plan.while_calls if gradient and not call.bounded]
    title = (
        f"Give the TensorArray the size {values['size']}"
        if "size" in values
        else "Fix the size of the TensorArray"
    )
    return ctx.fix(
        title, KEY, edits, plan.assumptions, _notes(array), [need for need in needs if need is not None]
    )


def _notes(array: Array) -> list[str]:
    inferred = array.argument("infer_shape")
    if isinstance(inferred, tree.Constant) and inferred.value is False:
        return ["XLA takes elements of one shape only, whatever `infer_shape` says"]
    return []


def _size(array: Array, plan: Plan) -> str:
    """The size as text: never below the elements that are there in any case, never negative."""
    bound, given = plan.size, _number(array.argument("size"))
    if given is None and array.argument("size") is not None:
        raise CannotRewrite("the size it starts with is not a literal")
    least = max(plan.least, given or 0)
    if bound.number is not None:
        if bound.number >= least:
            return bound.text
        return str(least)
    if least == 0 and bound.nonnegative:
        return bound.text
    if bound.static and plan.python_max:
        return f"max({bound.text}, {least})"
    if not plan.prefix:
        raise CannotRewrite("the length may be negative, and TensorFlow itself has no name in this file")
    return f"{plan.prefix}maximum({bound.text}, {least})"


def _stem(ctx: Context, array: Array) -> str:
    """The name that the array goes to."""
    parent = ctx.module.parent.get(array.node)
    if isinstance(parent, (tree.AnnAssign, tree.NamedExpr)) and isinstance(parent.target, tree.Name):
        return str(parent.target.id)
    if isinstance(parent, tree.Assign) and isinstance(parent.targets[0], tree.Name):
        return str(parent.targets[0].id)
    if isinstance(parent, (tree.Tuple, tree.List)):
        outer = ctx.module.parent.get(parent)
        target = outer.targets[0] if isinstance(outer, tree.Assign) else None
        if isinstance(target, (tree.Tuple, tree.List)) and len(target.elts) == len(parent.elts):
            name = target.elts[next(i for i, one in enumerate(parent.elts) if one is array.node)]
            return str(name.id) if isinstance(name, tree.Name) else "array"
    return "array"


def _count_name(ctx: Context, array: Array) -> str:
    """A name for a counter that no other array of the function would get."""
    stem = _stem(ctx, array)
    alike = [one.node for one in ctx.growing_arrays() if _stem(ctx, one) == stem]
    before = next((i for i, node in enumerate(alike) if node is array.node), 0)
    return fresh_name(ctx.module, f"{stem}_len" if not before else f"{stem}_{before + 1}_len")


def _bounded(ctx: Context, call: WhileCall, times: str) -> Need | None:
    """Under a gradient the loop needs its bound as well; eager mode wants equal structures for it."""
    if type(call.container) is not type(call.returned):
        return None
    return ctx.bounding(call.node, times)
