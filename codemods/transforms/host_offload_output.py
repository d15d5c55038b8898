"""A JAX value in host memory leaves a compiled function that promises device memory.

## What it does

Finds values that `jax.device_put` moves to host memory, and arguments that are placed there, which reach an
output of a compiled JAX function without JAX declaring that output to be on the host; also operations that
mix arrays of both memories. Moves the value to the device where it is first computed with, keeps state on
the host that came from there, or declares the output.

## Why it fails under XLA

XLA follows a value on the host through every operation until something moves it to the device. An output
that it reaches must be declared to be in host memory. Up to JAX 0.7.0, `jax.jit` only sees a `device_put`
at the top level of the compiled function: a nested jit, a conditional, a loop, or any operation hides it.
From 0.7.1 on the type of an array carries the memory space, but values without dimensions (norms, means,
counters) and `unpinned_host` are typed as device memory all the same.

    E1200: CompileTimeHostOffloadOutputLocationMismatch: Tensor which is moved to host (starting from
    multiply.18) is returned from the entry computation but the layout for this output is not set to host
    memory.

Where both memories meet in one operation, newer JAX already refuses to trace it:

    ValueError: memory_space of all inputs passed to `add` must be the same. Got one operand with type:
    float32<host>[256,256] and another operand with type: float32[256,256]

PyTorch/XLA cannot declare an output to be on the host at all: what `place_to_host` moved, and a function
that `torch_xla.compile` is given returns, is refused, also where it is returned at once.

## Example

    @jax.jit
    def step(ema, params):
        ema = jax.device_put(0.999 * jax.device_put(ema, dev) + 0.001 * params, host)
        return ema, {"ema_norm": jnp.linalg.norm(ema)}

## Use instead

    @jax.jit
    def step(ema, params):
        ema = jax.device_put(0.999 * jax.device_put(ema, dev) + 0.001 * params, host)
        return ema, {"ema_norm": jnp.linalg.norm(jax.device_put(ema, dev))}

## Fix safety

Safe where the output cannot be meant to be on the host (a statistic of a value that this function moved),
where the value stays on the host and only the move comes later (after a cast, a reshape, or the branches of
a conditional). Unsafe where only the callers know that an argument is on the host, and where the output may
be meant to stay there or not: the default moves a local value back (`move-back`, `move-at-use`) and keeps
the state that came from the host there (`keep-on-host`); `declare-host` is the other choice. The rules
depend on the JAX version, which the finding names: the setting `jax-version`, else what the code can only
run with, the pins of the project, what is installed, or the newest. Moves cost time, and memory of the
device. Running on the CPU shows none of this, nor has it been tried on a GPU. Code for PyTorch/XLA is only
reported: which tensors it keeps across `torch_xla.sync()` is not followed, nor `torch_xla.compile()` as a
context, nor what is done by a call that is not of `torch` or of the project.

## References

- https://openxla.org/xla/errors/error_1200
- Measured by compiling for a TPU topology with libtpu 0.0.19 to 0.0.42 (JAX 0.7.0 and 0.10.2); XLA's
  `host_offloader.cc` says which operations a value on the host goes through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codemods.knowledge import jax_memory as table
from codemods.rule import (
    NOWHERE,
    CannotRewrite,
    Consequence,
    Context,
    Diagnostic,
    Edit,
    Escape,
    Fix,
    MemoryPlace as Place,
    Module,
    Need,
    Output,
    Reason,
    Related,
    Source,
    Spelling,
    insert_above,
    memory_outputs,
    of_torch,
    replace,
    rule,
    set_arguments,
    tree,
    wrap_expressions,
)

AT_USE, BACK, KEEP, DECLARE = "move-at-use", "move-back", "keep-on-host", "declare-host"
LAST, ONCE, PINNED = "move-last", "one-move", "pinned-host"
_STAYS = "the caller wants it on the host again"
_COMES_BACK = "the caller wants the output on the device"

Wraps = list[tuple[Place, str, str]]


@rule(
    "XLA401",
    "host-offload-output",
    Consequence.ERROR,
    loose=NOWHERE,
    words=(),
    framework="jax",
)
def check(ctx: Context) -> Iterator[Diagnostic]:
    for escape in ctx.program.memory.escapes.get(ctx.function, ()):
        yield _finding(ctx, escape)


def _finding(ctx: Context, escape: Escape) -> Diagnostic:
    fixes: list[Fix] = []
    reasons: list[Reason] = []
    torch = of_torch(escape.jitted)
    carried = any(use.label == table.CARRIED for use in escape.uses)
    for key in [] if escape.on_host or torch or carried else _ways(ctx, escape):
        try:
            fixes.append(_MAKERS[key](ctx, escape))
        except CannotRewrite as error:
            reasons.append(Reason(key, str(error)))
    if escape.on_host:
        reasons.append(Reason(AT_USE, "it runs on the host: what it needs must be moved there first"))
    if carried:
        reasons.append(
            Reason(AT_USE, "a loop carries it with other values: it must be moved before the loop")
        )
    if torch:
        why = "PyTorch/XLA declares no output to be on the host: `place_to_device` must bring it back first"
        reasons.append(Reason(BACK, why))
    if not fixes and not reasons:
        reasons.append(Reason(AT_USE, "where the value is used is not in sight"))
    place = _place(ctx, escape)
    return ctx.diagnostic(
        place.node, _message(ctx, escape), fixes, reasons, _related(escape), module=place.module
    )


def _ways(ctx: Context, escape: Escape) -> list[str]:
    """The fixes that fit, the preferred one first."""
    values = memory_outputs.values_of(escape)
    if ctx.program.jax.typed and any(s.shard.kind == "unpinned_host" for s in escape.sources):
        return [PINNED, AT_USE if escape.uses else BACK]
    if not values:
        return [AT_USE]
    if any(source.kind == "param" for source in escape.sources):
        return [KEEP, AT_USE] if memory_outputs.state(escape) else [AT_USE]
    if all(output.leaf.branched for output in values):
        return [ONCE, AT_USE if escape.uses else BACK, DECLARE]
    if not escape.uses:
        return [BACK, DECLARE]
    return [*([LAST] if all(output.leaf.plain for output in values) else []), AT_USE, DECLARE]


# words


def _place(ctx: Context, escape: Escape) -> Place:
    """Where the finding is shown: in the compiled function."""
    own = ctx.function.module
    found = [use.frames[0] for use in escape.uses] + [output.place for output in escape.outputs]
    return next((place for place in found if place.module is own), found[0])


def _short(module: Module, node: tree.Node) -> str:
    text = " ".join(module.text(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def _message(ctx: Context, escape: Escape) -> str:
    names = sorted({f"`{source.name}`" for source in escape.sources if source.kind == "param"})
    if not names:
        place = escape.uses[0].frames[0] if escape.uses else escape.outputs[0].place
        names = [f"`{_short(place.module, place.node)}`"]
    subject = " and ".join(names[:2]) + (f" and {len(names) - 2} more" if len(names) > 2 else "")
    verb = "is" if len(names) == 1 else "are"
    version = "with PyTorch/XLA" if of_torch(escape.jitted) else f"with {ctx.program.jax.words}"
    if escape.mixed:
        place = escape.mixed[0]
        text = _short(place.module, place.node)
        meets = "meets" if len(names) == 1 else "meet"
        return f"{subject} in host memory {meets} arrays of the device in `{text}`, {version}"
    output = escape.outputs[0]
    where = "".join(f"[{key!r}]" for key in output.path)
    what = f"output {where}" if where else "the output"
    subject = f"{subject} {verb} computed with" if escape.uses else f"{subject} {verb}"
    if of_torch(escape.jitted):
        return f"{subject} in host memory, and {what} can only be on the device, {version}"
    return f"{subject} in host memory, and {what} is not declared to be there, {version}"


def _related(escape: Escape) -> list[Related]:
    found = []
    for source in escape.sources:
        place = source.place
        text = "moved to the host here" if source.kind == "move" else f"`{source.name}` is placed here"
        found.append(Related(place.module.span(place.node), text))
    for output in escape.outputs:
        found.append(Related(output.place.module.span(output.place.node), "returned here"))
    return list(dict.fromkeys(found))


def _assumptions(escape: Escape) -> list[str]:
    found = []
    for source in escape.sources:
        if source.kind == "param" and not source.declared:
            place = source.place
            found.append(f"`{source.name}` is on the host, as {place.module.path}:{place.node.lineno} says")
    if memory_outputs.uncertain(escape):
        found.append("the values on the host reach the output")
    return list(dict.fromkeys(found))


# parts of fixes


def _device(ctx: Context, escape: Escape, at: Place) -> tuple[str, str]:
    """What to write before and after an expression to move it to the device."""
    spelling = Spelling(ctx.program)
    put = spelling.put(at)
    found = [spelling.device(source.shard, at) for source in escape.sources]
    if not put or not all(found):
        raise CannotRewrite(f"{at.module.path} has no name for a sharding on the device")
    return f"{put}(", f", {found[0]})"


def _host(ctx: Context, escape: Escape, output: Output) -> tuple[str, str]:
    spelling = Spelling(ctx.program)
    put, text = spelling.put(output.place), _host_text(ctx, escape, output, output.place)
    if not put:
        raise CannotRewrite(f"{output.place.module.path} has no name for `jax.device_put`")
    if escape.walled and not ctx.program.jax.typed:
        raise CannotRewrite("a wrapper hides moves in the function from jit")
    if not output.whole:
        raise CannotRewrite("the expression that is returned also holds values on the device")
    if output.sums:
        raise CannotRewrite("the expression that is returned also holds a number that sums it up")
    return f"{put}(", f", {text})"


def _host_text(ctx: Context, escape: Escape, output: Output, at: Place) -> str:
    sources = [source for source in escape.sources if source in output.leaf.sources]
    for source in sources:
        text = Spelling(ctx.program).host(source.shard, at)
        if text and memory_outputs.rank_fits(source, output.leaf):
            return text
    if any(not memory_outputs.rank_fits(source, output.leaf) for source in sources):
        raise CannotRewrite("its sharding is for an array of another rank")
    raise CannotRewrite(f"{at.module.path} has no name for the sharding on the host")


def _moves(ctx: Context, escape: Escape) -> Wraps:
    """Every first use, on the device."""
    return [(use.frames[0], *_device(ctx, escape, use.frames[0])) for use in escape.uses]


def _told(ctx: Context, output: Output) -> bool:
    """Is it moved to the host again, and does JAX know it?"""
    return ctx.program.jax.typed and output.leaf.typed and output.leaf.pinned and not output.leaf.uses


def _edits(wraps: Wraps) -> list[Edit]:
    modules = dict.fromkeys(place.module for place, _, _ in wraps)
    edits: list[Edit] = []
    for module in modules:
        parts = [(place.node, head, tail) for place, head, tail in wraps if place.module is module]
        edits += wrap_expressions(module, parts)
    return edits


def _named(escape: Escape) -> str:
    names = sorted({source.name for source in escape.sources if source.kind == "param"})
    texts = names or [_short(u.frames[0].module, u.frames[0].node) for u in escape.uses]
    return ", ".join(f"`{text}`" for text in dict.fromkeys(texts)) or "the value"


# fixes


def _at_use(ctx: Context, escape: Escape) -> Fix:
    """Move it to the device where it is first computed with."""
    idle = [output for output in escape.outputs if not output.leaf.uses and not _told(ctx, output)]
    wraps = _moves(ctx, escape) + [(o.place, *_device(ctx, escape, o.place)) for o in idle]
    if not wraps:
        raise CannotRewrite("no operation on it is in sight")
    assumptions = _assumptions(escape)
    if not escape.outputs or any(not output.leaf.statistic for output in escape.outputs):
        assumptions.append("the result is wanted on the device")
    return ctx.fix(
        f"Move {_named(escape)} to the device where it is used", AT_USE, _edits(wraps), assumptions
    )


def _keep(ctx: Context, escape: Escape) -> Fix:
    """Compute on the device, and put what came from the host back there."""
    outputs = [output for output in memory_outputs.state(escape) if not _told(ctx, output)]
    wraps = _moves(ctx, escape)
    assumptions = [*_assumptions(escape), _STAYS]
    title = f"Keep {_named(escape)} on the host, and compute on the device"
    try:
        wraps += [(output.place, *_host(ctx, escape, output)) for output in outputs]
        return ctx.fix(title, KEEP, _edits(wraps), assumptions)
    except CannotRewrite:
        edit, needs = _declaration(ctx, escape, outputs)
        return ctx.fix(title, KEEP, [*_edits(wraps), edit], assumptions, needs=needs)


def _back(ctx: Context, escape: Escape) -> Fix:
    """Move it back to the device where it is returned."""
    if not all(output.whole for output in escape.outputs):
        raise CannotRewrite("the expression that is returned also holds other values")
    wraps = [(output.place, *_device(ctx, escape, output.place)) for output in escape.outputs]
    return ctx.fix(
        "Move the output back to the device", BACK, _edits(wraps), [*_assumptions(escape), _COMES_BACK]
    )


def _declare(ctx: Context, escape: Escape) -> Fix:
    """`out_shardings` for just the outputs that stay on the host."""
    edit, needs = _declaration(ctx, escape, escape.outputs)
    assumptions = [*_assumptions(escape), "the caller wants the output on the host"]
    return ctx.fix("Declare the output to be on the host", DECLARE, [edit], assumptions, needs=needs)


def _declaration(ctx: Context, escape: Escape, outputs: Sequence[Output]) -> tuple[Edit, list[Need]]:
    jitted, returned = escape.jitted, escape.returned
    if jitted.option("out_shardings") is not None:
        raise CannotRewrite("there are `out_shardings` already")
    if returned is None or not outputs:
        raise CannotRewrite("what the function returns is not in sight")
    texts = {_host_text(ctx, escape, output, jitted.place) for output in outputs}
    if len(texts) > 1:
        raise CannotRewrite("the outputs have several shardings on the host")
    try:
        text = memory_outputs.prefix(returned, {output.path for output in outputs}, texts.pop())
    except ValueError as error:
        raise CannotRewrite(str(error)) from error
    module, node = jitted.place.module, jitted.place.node
    if isinstance(node, tree.Call):
        return set_arguments(module, node, {"out_shardings": text}, ()), []
    if not isinstance(node, (tree.Name, tree.Attribute)):
        raise CannotRewrite("what compiles the function is not a plain call or name")
    partial, needs = _partial(module)
    return replace(module, node, f"{partial}({module.text(node)}, out_shardings={text})"), needs


def _partial(module: Module) -> tuple[str, list[Need]]:
    """How a file writes `functools.partial`, and the import for it."""
    for name, bindings in module.root.bindings.items():
        for binding in bindings:
            if binding.kind == "import" and binding.node.name == "functools":
                return f"{name}.partial", []
            origin = module.parent.get(binding.node)
            of_functools = getattr(origin, "module", "") == "functools"
            if binding.kind == "from" and binding.node.name == "partial" and of_functools:
                return name, []
    if "functools" in module.mentions:
        raise CannotRewrite("`functools` means something else in the file")
    imports = [n for n in module.tree.body if isinstance(n, (tree.Import, tree.ImportFrom))]
    plain = [n for n in imports if getattr(n, "module", "") != "__future__"]
    if not plain:
        raise CannotRewrite("the file has no imports")
    edit = insert_above(module, plain[0], ["import functools"])
    return "functools.partial", [Need(f"import functools:{module.path}", (edit,))]


def _last(ctx: Context, escape: Escape) -> Fix:
    """Cast or reshape first, and move last."""
    wraps = [(output.place, *_host(ctx, escape, output)) for output in memory_outputs.values_of(escape)]
    edits: list[Edit] = []
    uses = [use.frames[0] for use in escape.uses]
    if all(memory_outputs.only_for(source, escape.outputs, uses) for source in escape.sources):
        for source in escape.sources:
            edits += _dropped(source)
    else:
        wraps += _moves(ctx, escape)
    edits += _edits(wraps)
    return ctx.fix("Move the result to the host, not what it is made from", LAST, edits, _assumptions(escape))


def _dropped(source: Source) -> list[Edit]:
    """`device_put(x, host)` as `x`."""
    module, call = source.place.module, source.place.node
    whole, kept = module.span(call), module.span(call.args[0])
    if isinstance(call.args[0], (tree.GeneratorExp, tree.NamedExpr)):
        raise CannotRewrite("what is moved needs brackets")
    return [Edit(module.path, whole.start, kept.start, ""), Edit(module.path, kept.end, whole.end, "")]


def _once(ctx: Context, escape: Escape) -> Fix:
    """One move behind the conditional instead of one in each branch."""
    calls = memory_outputs.moved_in_branches(escape)
    if isinstance(calls, str):
        raise CannotRewrite(calls)
    edits = [edit for source in escape.sources for edit in _dropped(source)]
    edits += _edits(
        [(output.place, *_host(ctx, escape, output)) for output in memory_outputs.values_of(escape)]
    )
    return ctx.fix("Move once, behind the conditional", ONCE, edits, _assumptions(escape))


def _pinned(ctx: Context, escape: Escape) -> Fix:
    """Pinned host memory, which JAX knows the type of."""
    edits: list[Edit] = []
    for made in dict.fromkeys(source.shard.made for source in escape.sources):
        kinds = [
            n for n in tree.walk(made.node) if isinstance(n, tree.Constant) and n.value in table.HOST_KINDS
        ]
        if len(kinds) != 1:
            raise CannotRewrite("the memory kind is not written where the sharding is made")
        text = made.module.text(kinds[0])
        edits.append(replace(made.module, kinds[0], text.replace("unpinned_host", "pinned_host")))
    return ctx.fix(
        "Use pinned host memory", PINNED, edits, [*_assumptions(escape), "pinned host memory will do"]
    )


_MAKERS = {
    AT_USE: _at_use,
    BACK: _back,
    KEEP: _keep,
    DECLARE: _declare,
    LAST: _last,
    ONCE: _once,
    PINNED: _pinned,
}
