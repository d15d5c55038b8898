"""A random generator that repeats numbers, or that XLA cannot compile.

## What it does

Finds, in code that XLA compiles and in its callers: generators whose streams overlap, since
`tf.random.Generator.from_seed` makes a Python int the place in the stream; generators made anew on each
call; seeds of type int64 where XLA takes int32 alone; and stateless random ops that have no XLA kernel.

## Why it fails under XLA

`from_seed(1)` and `from_seed(2)` are one stream: the second starts four numbers later, with XLA and
without. A seed in a list becomes the key of the stream, and other keys give other numbers:

    from_seed(1).state    [1, 0, 0]      from_seed(2).state    [2, 0, 0]      36 of 40 numbers shared
    from_seed([1]).state  [0, 0, 1]      from_seed([2]).state  [0, 0, 2]      none

A generator holds a variable, which cannot be made while a function is traced:

    ValueError: tf.function only supports singleton tf.Variables created on the first call.

Made outside, but anew for each call, it gives the same numbers each time, and is traced anew as well.
`tf.random.stateless_categorical` takes no int64 seed (such as `make_seeds` gives), and
`stateless_shuffle`, `index_shuffle`, `stateless_gamma`, `stateless_poisson` and `stateless_binomial` have
no kernel:

    InvalidArgumentError: Detected unsupported operations when trying to compile graph

## Example

    @tf.function(jit_compile=True)
    def noisy(x):
        rng = tf.random.Generator.from_seed(5)
        return x + rng.normal(tf.shape(x))

## Use instead

    _stream = tf.random.Generator.from_seed([5])


    @tf.function(jit_compile=True)
    def noisy(x):
        return x + _stream.normal(tf.shape(x))

## Fix safety

Casts of seeds and shuffles written with `argsort` are safe where the code runs under XLA alone, where it
never ran; elsewhere they change numbers, so they are unsafe. Seeds in lists change numbers everywhere:
always unsafe, and nothing is said of a single generator. A generator moved out of a traced function goes
on where it started anew: unsafe; it moves into the function round it, into `__init__`, or to the top of
the module. In a module that others import, or above the configuration of devices, it is made when it is
first needed, since the first generator starts the runtime. Equal seeds may be meant, and so may a
generator that is made anew for each call: choices.

## References

- https://www.tensorflow.org/guide/random_numbers
- https://www.tensorflow.org/api_docs/python/tf/random/Generator
- Measured with TensorFlow 2.21 on XLA:CPU; the documentation calls streams of different seeds independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace as changed

from codemods.knowledge.generators import (
    CATEGORICAL,
    CATEGORICAL_ARGUMENTS,
    NO_KERNEL,
    SHUFFLE,
    SHUFFLE_ARGUMENTS,
)
from codemods.rule import (
    CannotRewrite,
    Consequence,
    Context,
    Diagnostic,
    Edit,
    Fix,
    Module,
    Need,
    Reason,
    Related,
    Safety,
    calls,
    free_name,
    fresh_name,
    generator_use,
    given,
    hoisting,
    insert_after,
    insert_at_top,
    insert_before,
    insert_on_top,
    making,
    one_level,
    remove_statement,
    replace,
    rule,
    tree,
)

LISTED = "seed-in-a-list"
SPLIT = "split"
OWN = "own-stream"
STREAM = "stream"
INT32 = "int32-seed"
ARGSORT = "argsort"

_WHERE = {
    "object": "in `__init__`",
    "class": "in a new `__init__`",
    "module": "at the top of the module",
    "function": "outside of the function",
}
_OTHER_NUMBERS = "nobody needs the numbers drawn so far, which change outside of XLA, too"


@rule(
    "XLA202",
    "generator-misuse",
    Consequence.SILENT,
    loose=r"stateless_|index_shuffle",
    words=(b"stateless_", b"index_shuffle"),
)
def check(ctx: Context) -> Iterator[Diagnostic]:
    if ctx.compiled:
        for clash in generator_use.clashes(ctx.function, ctx.program):
            yield _clash(ctx, clash)
        for node, caller in generator_use.made_per_call(ctx.function, ctx.program):
            yield _made_per_call(ctx, node, caller.module, caller.name)
        for node in hoisting.makers(ctx.function, ctx.program):
            if not hoisting.is_lazy(node, ctx.function, ctx.program):
                yield _made_inside(ctx, node)
    for node in calls.own_nodes(ctx.function):
        if isinstance(node, tree.Call):
            yield from _op(ctx, node)


# streams


def _clash(ctx: Context, clash: generator_use.Clash) -> Diagnostic:
    maker, other = clash.maker, clash.other
    text = maker.module.text(maker.node)
    related = [Related(other.module.span(other.node), "the other generator")] if other is not None else []
    if clash.apart == 0:
        found = _equal(ctx, clash, text)
    else:
        found = _shifted(ctx, clash, text)
    return changed(found, related=(*related, *found.related), without_xla=True)


def _shifted(ctx: Context, clash: generator_use.Clash, text: str) -> Diagnostic:
    maker, other = clash.maker, clash.other
    assert maker.seed is not None
    how = f"{clash.apart} numbers apart" if clash.apart is not None else "a few numbers apart"
    if other is None:
        message = f"the generators that `{text}` makes draw from one stream, {how}"
    else:
        message = f"`{text}` and `{other.module.text(other.node)}` draw from one stream, {how}"
    assumptions = [_OTHER_NUMBERS]
    if not maker.is_plain:
        assumptions.append(f"`{maker.module.text(maker.seed)}` is a Python int")
    fix = ctx.fix(f"Give it a stream of its own: `{_listed(maker)}`", LISTED, [_in_list(maker)], assumptions)
    return ctx.diagnostic(maker.node, message, [fix], module=maker.module)


def _in_list(maker: generator_use.Maker) -> Edit:
    assert maker.seed is not None
    return replace(maker.module, maker.seed, f"[{maker.module.text(maker.seed)}]")


def _listed(maker: generator_use.Maker, first: str = "") -> str:
    """The call with its seed in a list."""
    assert maker.seed is not None
    module, seed = maker.module, maker.seed
    text = module.text(seed)
    if isinstance(seed, (tree.List, tree.Tuple)):
        return module.text(maker.node)
    start = module.span(maker.node).start
    span = module.span(seed)
    call = module.text(maker.node)
    return f"{call[: span.start - start]}[{first}{text}]{call[span.end - start :]}"


def _equal(ctx: Context, clash: generator_use.Clash, text: str) -> Diagnostic:
    maker, other = clash.maker, clash.other
    if clash.by_default:
        message = f"several objects are given no seed, so `{text}` draws the same numbers for them"
        reason = Reason(SPLIT, "give each of them a seed of its own where it is made")
        return ctx.diagnostic(maker.node, message, (), [reason], module=maker.module)
    if other is None:
        message = f"each object makes itself `{text}`, so all of them draw the same numbers"
        try:
            fixes, reasons = [_split(ctx, maker)], []
        except (hoisting.NoPlaceError, CannotRewrite) as error:
            fixes, reasons = [], [Reason(SPLIT, str(error))]
        return ctx.diagnostic(maker.node, message, fixes, reasons, module=maker.module)
    message = f"`{text}` gives the same numbers as the generator made at line {other.node.lineno}"
    reason = Reason(OWN, "equal seeds may be meant to give equal numbers")
    if maker.seed is None or isinstance(maker.seed, (tree.List, tree.Tuple)):
        return ctx.diagnostic(maker.node, message, (), [reason], module=maker.module)
    edit = replace(maker.module, maker.seed, f"[1, {maker.module.text(maker.seed)}]")
    fix = ctx.fix(f"Give it a stream of its own: `{_listed(maker, '1, ')}`", OWN, [edit])
    fix = fix.demoted(Safety.MANUAL, "the numbers change")
    return ctx.diagnostic(maker.node, message, [fix], [reason], module=maker.module)


def _split(ctx: Context, maker: generator_use.Maker) -> Fix:
    """A part of one generator for each object. Raises NoPlaceError and CannotRewrite."""
    place = hoisting.at_top(maker.node, ctx.program, maker.module)
    name, need = _definition(ctx, maker.node, place, _listed(maker))
    edits = [replace(maker.module, maker.node, f"{name}.split(1)[0]")]
    assumptions = ["no two of the objects are meant to draw the same numbers", _OTHER_NUMBERS]
    title = f"Split it off `{name}`, which all objects share"
    return ctx.fix(title, SPLIT, edits, assumptions, _late(place), [need])


def _late(place: hoisting.Place) -> list[str]:
    return [f"made when it is first needed, since {place.late}"] if place.late else []


# generators made too often


def _made_inside(ctx: Context, node: tree.Node) -> Diagnostic:
    message = f"`{ctx.module.text(node.func)}` makes a variable, which is not allowed in a traced function"
    assumptions = ["its numbers may go on from call to call, instead of starting anew where it ran eagerly"]
    fixes, reasons = _moved(ctx, node, ctx.module, assumptions)
    return ctx.diagnostic(node, message, fixes, reasons, consequence=Consequence.ERROR)


def _made_per_call(ctx: Context, node: tree.Node, module: Module, name: str) -> Diagnostic:
    message = f"each call of `{name}` makes this generator anew: the same numbers, and another trace"
    why = "whether each call is meant to repeat its numbers is for you to say"
    fixes, reasons = _moved(ctx, node, module, [])
    fixes = [fix.demoted(Safety.MANUAL, "the calls get other numbers from then on") for fix in fixes]
    found = ctx.diagnostic(node, message, fixes, [*reasons, Reason(STREAM, why)], module=module)
    return changed(found, without_xla=True)


def _moved(
    ctx: Context, node: tree.Node, module: Module, assumptions: Sequence[str]
) -> tuple[list[Fix], list[Reason]]:
    """The generator made once, outside of the function."""
    function = module.enclosing(node).function
    assert function is not None
    try:
        if function.name == "__init__":
            raise hoisting.NoPlaceError("the object itself has to be made outside of the traced function")
        place = hoisting.find(node, function, ctx.program)
        plain = generator_use.plain_seed(node, module, ctx.program)
        text = _listed(generator_use.Maker(module, node)) if plain else module.text(node)
        single = None if place.late else hoisting.single_name(node, function)
        kept = single is not None and hoisting.keeps_name(single[0], place, function)
        name, need = _definition(ctx, node, place, text, single[0] if single and kept else "")
        edits = _uses(node, module, name, single)
    except (hoisting.NoPlaceError, CannotRewrite) as error:
        return [], [Reason(STREAM, f"it cannot be moved out of the function: {error}")]
    notes = _late(place)
    if place.kind in ("object", "class"):
        notes.append("older checkpoints of the object lack the state of the generator")
    elif place.kind == "module":
        notes.append("a SavedModel cannot hold a function that uses a generator of the module")
    title = f"Make the generator once, {_WHERE[place.kind]}"
    return [ctx.fix(title, STREAM, edits, assumptions, notes, [need])], []


def _definition(
    ctx: Context, node: tree.Node, place: hoisting.Place, text: str, name: str = ""
) -> tuple[str, Need]:
    """What the generator is called from outside, and the statements that make it."""
    module = place.owner.module
    number = hoisting.number(node, place, ctx.program)
    name = name or place.prefix + free_name(module, "_stream", number)
    key = f"generator:{module.path}:{place.owner.number}:{name}:{text}"
    statement = f"{name} = {text}"
    if place.late:
        function = free_name(module, "_get_stream", number)
        before, found, _ = module.text(node.func).partition("random.Generator")
        prefix = before if found else ctx.spelled(place.anchor, module)
        if not prefix:
            raise CannotRewrite("TensorFlow itself has no name in this file")
        lines = _indented(making.getter(function, name, text, f"{prefix}init_scope"), module)
        return f"{function}()", Need(key, (insert_at_top(module, place.anchor, lines, True),))
    if place.kind == "module":
        return name, Need(key, (insert_at_top(module, place.anchor, [statement], False),))
    if place.kind == "class":
        lines = _indented(making.constructor(statement), module)
        return name, Need(key, (insert_on_top(module, place.anchor, lines),))
    if place.kind == "object":
        insert = insert_after if place.behind else insert_before
        return name, Need(key, (insert(module, place.anchor, [statement]),))
    lines = [statement, ""] if isinstance(place.anchor, (*tree.FUNCTIONS, tree.ClassDef)) else [statement]
    return name, Need(key, (insert_on_top(module, place.anchor, lines),))


def _indented(lines: Sequence[str], module: Module) -> list[str]:
    return [line.replace("\t", one_level(module)) for line in lines]


def _uses(
    node: tree.Node, module: Module, name: str, single: tuple[str, tree.Node, list[tree.Node]] | None
) -> list[Edit]:
    """The generator under its new name; a statement that only named it goes."""
    if single is not None:
        old, statement, reads = single
        try:
            gone = remove_statement(module, statement)
        except CannotRewrite:
            return [replace(module, node, name)]
        return [gone, *(replace(module, read, name) for read in reads if old != name)]
    return [replace(module, node, name)]


# ops


def _op(ctx: Context, node: tree.Node) -> Iterator[Diagnostic]:
    names = ctx.api_names(node.func)
    if CATEGORICAL in names:
        yield from _categorical(ctx, node)
    elif SHUFFLE in names:
        yield _shuffle(ctx, node)
    else:
        for name in sorted(names & NO_KERNEL.keys()):
            message = f"`{ctx.module.text(node.func)}` has no XLA kernel"
            reason = [Reason("none", NO_KERNEL[name])]
            yield ctx.diagnostic(node, message, (), reason, consequence=Consequence.ERROR)


def _numbers(ctx: Context) -> list[str]:
    """What a fix that changes numbers assumes, where the function also runs without XLA."""
    return [_OTHER_NUMBERS] if generator_use.runs_outside(ctx.function, ctx.program) else []


def _categorical(ctx: Context, node: tree.Node) -> Iterator[Diagnostic]:
    seed = given(node, "seed", CATEGORICAL_ARGUMENTS.index("seed"))
    if seed is None or not generator_use.is_int64(seed, ctx.module, ctx.program):
        return
    message = "`stateless_categorical` takes no int64 seed under XLA"
    prefix = ctx.spelled(node)
    if not prefix:
        reason = [Reason(INT32, "TensorFlow itself has no name in this file")]
        yield ctx.diagnostic(seed, message, (), reason, consequence=Consequence.ERROR)
        return
    edit = replace(ctx.module, seed, f"{prefix}cast({ctx.module.text(seed)}, {prefix}int32)")
    fix = ctx.fix("Cast the seed to int32", INT32, [edit], _numbers(ctx))
    yield ctx.diagnostic(seed, message, [fix], consequence=Consequence.ERROR)


def _shuffle(ctx: Context, node: tree.Node) -> Diagnostic:
    message = "`stateless_shuffle` has no XLA kernel"
    try:
        fix = _sorted(ctx, node)
    except CannotRewrite as error:
        reason = [Reason(ARGSORT, str(error))]
        return ctx.diagnostic(node, message, (), reason, consequence=Consequence.ERROR)
    return ctx.diagnostic(node, message, [fix], consequence=Consequence.ERROR)


def _sorted(ctx: Context, node: tree.Node) -> Fix:
    """The same permutation for the same seed: rows in the order of random numbers."""
    module = ctx.module
    prefix = ctx.spelled(node)
    if not prefix:
        raise CannotRewrite("TensorFlow itself has no name in this file")
    if any(isinstance(a, tree.Starred) for a in node.args) or any(kw.arg is None for kw in node.keywords):
        raise CannotRewrite("the call has starred arguments")
    parts = {name: given(node, name, at) for at, name in enumerate(SHUFFLE_ARGUMENTS)}
    value, seed = parts["value"], parts["seed"]
    if value is None or seed is None:
        raise CannotRewrite("the call has no value or no seed")
    edits: list[Edit] = []
    text = module.text(value)
    if not generator_use.is_repeatable(value, module, ctx.program):
        edits.append(_named(module, node, value))
        text = edits[0].text.split(" = ")[0]
    alg = f", alg={module.text(parts['alg'])}" if parts["alg"] is not None else ""
    name = f", name={module.text(parts['name'])}" if parts["name"] is not None else ""
    keys = (
        f"{prefix}random.stateless_uniform({prefix}shape({text})[:1], seed={module.text(seed)},"
        f" minval=None, maxval=None, dtype={prefix}int32{alg})"
    )
    new = f"{prefix}gather({text}, {prefix}argsort({keys}, stable=True){name})"
    edits.append(replace(module, node, new))
    return ctx.fix("Sort by random keys instead", ARGSORT, edits, _numbers(ctx))


def _named(module: Module, node: tree.Node, value: tree.Node) -> Edit:
    """A statement in front that gives what is shuffled a name, so that it is computed once."""
    statement = module.parent[node]
    if not isinstance(statement, (tree.Assign, tree.AnnAssign, tree.Return, tree.Expr)):
        raise CannotRewrite(f"`{module.text(value)}` would be computed twice: give it a name first")
    name = fresh_name(module, "unshuffled")
    return insert_before(module, statement, [f"{name} = {module.text(value)}"])
