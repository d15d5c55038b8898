"""XLA ignores the seed of a stateful random op.

## What it does

Finds stateful random ops in code that XLA compiles (`tf.random.normal`, `uniform`, `categorical`,
`shuffle`, dropout, `tf.image.random_*`, their v1 names, the functions of the Keras backend), and lets
them draw from a `tf.random.Generator` that has the seed of the program. Left alone are initial values
of variables, `build`, data pipelines, code that is not compiled, stateless ops and `keras.random`.

## Why it fails under XLA

Neither `tf.random.set_seed` nor the seed of the op has any effect. On the CPU the numbers depend on how
many functions were compiled before, and calling `set_seed` again does not start them anew:

    tf.random.normal([3]), compiled       set_seed(1):   -0.6379 -1.6188  0.4352
                                          set_seed(999): -0.6379 -1.6188  0.4352
    after an unrelated compiled function  set_seed(1):    1.1853 -1.8514  0.6293

Some random ops have no kernel at all (gamma, poisson, the samplers of candidates): "No registered ...
OpKernel for XLA_CPU_JIT devices".

## Example

    tf.random.set_seed(7)


    @tf.function(jit_compile=True)
    def corrupt(images):
        return images + tf.random.normal(tf.shape(images), stddev=0.1)

## Use instead

    tf.random.set_seed(7)
    _rng = tf.random.Generator.from_seed([7])


    @tf.function(jit_compile=True)
    def corrupt(images):
        return images + _rng.normal(tf.shape(images), stddev=0.1)

## Fix safety

Safe where all callers are compiled and the seed is known: the numbers change, but the old ones followed
nothing. Unsafe where eager code may draw as well, where an object
gets a generator of its own (old checkpoints no longer match exactly), where the generator is shared, and
for `shuffle`, which had no gradient. The generator is the one that the function, the object or the module
already has. A new one stands behind the seed and the set-up of the devices; layers, models and modules
hold one that is split off; a library gets it when it first needs one, or asks for the global one, which is
set where the program sets its seed. The seed is a list, `from_seed([7])`, since plain numbers that are
neighbours give the same stream.

Not fixed: no seed (give one with `--seed N`, or choose `non-deterministic`), a seed known only at run
time, set again later, or shared by ops that perhaps must draw the same (choose `own-numbers`); programs
with `tf.distribute`, without eager execution, or with `tf.recompute_grad`; ops without a kernel.

## References

- https://www.tensorflow.org/xla/known_issues
- https://www.tensorflow.org/guide/random_numbers
- Measured with TensorFlow 2.21 on XLA:CPU, op by op; the distributions were compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codemods.knowledge.random_ops import RNG, SEED, Replacement
from codemods.rule import (
    CannotRewrite,
    Consequence,
    Context,
    Diagnostic,
    Draw,
    Edit,
    Fix,
    Insertion,
    Need,
    NoPlaceError,
    Place,
    Reason,
    Recall,
    Safety,
    fresh_name,
    insert_above,
    insert_after,
    insert_before,
    one_level,
    randomness,
    recall,
    replace,
    rule,
    tree,
)

KEY = "generator"
_NEVER = "(?!)"  # code that is not compiled has no finding
_ATOMS = (tree.Name, tree.Attribute, tree.Constant, tree.Call, tree.Subscript)


@rule("XLA201", "stateful-random-op", Consequence.SILENT, loose=_NEVER, words=())
def check(ctx: Context) -> Iterator[Diagnostic]:
    for draw in randomness.find(ctx.function, ctx.program) if ctx.compiled else ():
        yield _without_rewrite(ctx, draw) if draw.op.replacement is None else _finding(ctx, draw)


def _without_rewrite(ctx: Context, draw: Draw) -> Diagnostic:
    shown = ctx.module.text(draw.node.func)
    if draw.op.compiles:
        return ctx.diagnostic(
            draw.node, f"`{shown}` ignores its seed under XLA", (), [Reason(KEY, draw.op.why)]
        )
    message = f"`{shown}` has no XLA kernel, and neither has its stateless form"
    reason = Reason("no-kernel", draw.op.why)
    return ctx.diagnostic(draw.node, message, (), [reason], consequence=Consequence.ERROR)


def _finding(ctx: Context, draw: Draw) -> Diagnostic:
    message = f"`{ctx.module.text(draw.node.func)}` ignores the seed under XLA"
    why = draw.unclear or randomness.forbidden(draw, ctx.program)
    if why:
        return ctx.diagnostic(draw.node, message, (), [Reason(KEY, why)])
    plan = randomness.plan(draw, ctx.program)
    kind = None if plan.asked else Consequence.INFO  # nobody asked for numbers that repeat
    if not plan.asked:
        message = f"`{ctx.module.text(draw.node.func)}` follows no seed, and could not under XLA"
    try:
        if plan.place is not None:
            return ctx.diagnostic(draw.node, message, [_fix(ctx, draw, plan.place)], consequence=kind)
        fixes = [
            _fix(ctx, draw, place, key).demoted(Safety.MANUAL, meaning) for key, meaning, place in plan.chosen
        ]
    except (CannotRewrite, NoPlaceError) as error:
        reasons = [Reason(KEY, text) for text in (plan.why, str(error)) if text]
        return ctx.diagnostic(draw.node, message, (), reasons, consequence=kind)
    return ctx.diagnostic(draw.node, message, fixes, [Reason(KEY, plan.why)], consequence=kind)


def _fix(ctx: Context, draw: Draw, place: Place, key: str = KEY) -> Fix:
    rewriter = _Rewriter(ctx, draw, place)
    edits = rewriter.edits()
    assumptions = [
        *randomness.elsewhere(draw, place.held, ctx.program),
        *place.assumptions,
        *rewriter.assumptions,
    ]
    needs = [_need(one) for one in dict.fromkeys([*place.insertions, *rewriter.needed])]
    title = f"Draw from the generator `{place.rng}`"
    return ctx.fix(title, key, edits, assumptions, place.notes, needs)


def _need(insertion: Insertion) -> Need:
    """New lines as a prerequisite that many fixes may share."""
    module, step = insertion.module, one_level(insertion.module)
    lines = [line.replace("\t", step) for line in insertion.lines]
    insert = insert_after if insertion.where == "after" else insert_above
    return Need(insertion.key, (insert(module, insertion.node, lines),))


class _Rewriter:
    """One call, written anew. needed: imports. assumptions: what the new form assumes."""

    def __init__(self, ctx: Context, draw: Draw, place: Place) -> None:
        assert draw.op.replacement is not None
        self.ctx = ctx
        self.draw = draw
        self.module = draw.module
        self.rng = place.rng
        self.new: Replacement = draw.op.replacement
        self.needed: list[Insertion] = []
        self.assumptions: list[str] = []

    def edits(self) -> list[Edit]:
        """Raises CannotRewrite and NoPlaceError."""
        if self.new.form == "shuffle":
            return self.shuffle()
        if self.new.form == "bernoulli":
            return self.bernoulli()
        self.callee(self.new.callee)  # first, since it may need an import
        renamed, wrapped = dict(self.new.renamed), {}
        added = [(name, self.filled(text)) for name, text in self.new.added]
        if self.new.form == "keep-prob":
            value = self.draw.argument("keep_prob")
            if value is not None and not _is_none(value):
                if self.draw.argument("rate") is not None:
                    raise CannotRewrite("both `keep_prob` and `rate` are given")
                renamed["keep_prob"] = "rate"
                wrapped["keep_prob"] = "1 - {}" if isinstance(value, _ATOMS) else "1 - ({})"
            elif value is not None:
                return self.plain(renamed, wrapped, added, ("seed", "keep_prob"))
        if self.new.floatx:
            text = self.dtype()
            if text and self.draw.argument("dtype") is None:
                added.append(("dtype", text))
            elif text:
                wrapped["dtype"] = text
        return self.plain(renamed, wrapped, added, ("seed",))

    def plain(
        self, renamed: dict[str, str], wrapped: dict[str, str], added: Sequence[tuple[str, str]],
        dropped: Sequence[str],
    ) -> list[Edit]:  # fmt: skip
        old, new = self.draw.op.arguments, self.new.arguments
        callee = self.callee(self.new.callee)
        plan = Recall(callee, old, new, renamed, frozenset(dropped), added, wrapped)
        return recall(self.module, self.draw.node, plan)

    def callee(self, name: str) -> str:
        if name.startswith(RNG):
            return name.replace(RNG, self.rng)
        return self.spelled(name)

    def spelled(self, name: str) -> str:
        generators = self.ctx.program.generators
        v2 = self.new.v2_only and name == self.new.callee
        text, needed = generators.spelled(self.module, name, self.draw.node, v2)
        self.needed += needed
        return text

    def int32(self) -> str:
        """The dtype, by name where TensorFlow has none in the file."""
        named = self.needed or self.ctx.spelled(self.draw.node)
        return self.spelled("int32") if named else '"int32"'

    def filled(self, text: str) -> str:
        if text == SEED:
            return f"{self.rng}.uniform_full_int([2], dtype={self.int32()})"
        return text.replace(RNG, self.rng)

    # what an absent dtype means in the Keras backend

    def dtype(self) -> str:
        """The dtype to write, with `{}` for the one that is given; "" where that one stays."""
        given = self.draw.argument("dtype")
        if given is not None and not _is_none(given):
            if randomness.may_be_none(given, self.draw, self.ctx.program):
                raise CannotRewrite(f"`dtype={self.module.text(given)}` may be None")
            return ""
        callee = self.draw.node.func
        if isinstance(callee, tree.Attribute):
            text = f"{self.module.text(callee.value)}.floatx()"
        else:
            text = f"{self.spelled('keras.backend.floatx')}()"
        return text

    def bernoulli(self) -> list[Edit]:
        """`random_bernoulli(shape, p)`: are uniform numbers at most p?"""
        if any(isinstance(arg, tree.Starred) for arg in self.draw.node.args) or any(
            keyword.arg is None for keyword in self.draw.node.keywords
        ):
            raise CannotRewrite("the call has starred arguments")
        shape, p, given = (self.draw.argument(name) for name in ("shape", "p", "dtype"))
        if shape is None:
            raise CannotRewrite("the call has no shape")
        dtype = self.dtype() or self.module.text(given)
        least = self.module.text(p) if p is not None else "0.0"
        least = least if p is None or isinstance(p, _ATOMS) else f"({least})"
        cast = self.spelled("cast")
        text = f"{cast}({self.rng}.uniform({self.module.text(shape)}, dtype={dtype}) <= {least}, {dtype})"
        return [replace(self.module, self.draw.node, text)]

    # shuffle

    def shuffle(self) -> list[Edit]:
        """The rows in the order of random keys; a name stands for what is needed twice."""
        value = self.draw.argument("value")
        if value is None:
            raise CannotRewrite("the call has starred arguments")
        if not randomness.has_no_gradient(value, self.draw, self.ctx.program):
            self.assumptions.append("nothing depends on `shuffle` having no gradient")
        edits, name = [], self.module.text(value)
        wrapped: dict[str, str] = {}
        if not isinstance(value, (tree.Name, tree.Attribute)):
            name = fresh_name(self.module, "unshuffled")
            edits.append(self.bound(name, value))
            wrapped["value"] = name
        shape = f"{self.spelled('shape')}({name})[:1]"
        keys = f"{self.rng}.uniform_full_int({shape}, dtype={self.int32()})"
        order = f"{self.spelled('argsort')}({keys}, stable=True)"
        by_name = any(keyword.arg == "value" for keyword in self.draw.node.keywords)
        added = [("indices" if by_name else "", order)]
        plan = Recall(
            self.spelled("gather"), self.draw.op.arguments, ("params",), {"value": "params"},
            frozenset({"seed"}), added, wrapped,
        )  # fmt: skip
        if self.draw.argument("name") is not None:
            raise CannotRewrite("the op has a name, and there are several in its place")
        return edits + recall(self.module, self.draw.node, plan)

    def bound(self, name: str, value: tree.Node) -> Edit:
        """A statement in front that binds a name."""
        statement = self.module.statement(self.draw.node)
        for above in self.module.ancestors(self.draw.node):
            later = isinstance(
                above,
                (
                    tree.Lambda,
                    tree.IfExp,
                    tree.BoolOp,
                    tree.ListComp,
                    tree.GeneratorExp,
                    tree.DictComp,
                    tree.SetComp,
                ),
            )
            if later or (
                above is statement and isinstance(above, (tree.While, tree.For, tree.If, tree.With))
            ):
                raise CannotRewrite("what is shuffled has no name, and is not computed in any case")
            if above is statement:
                break
        if not randomness.nothing_before(value, self.draw, self.ctx.program):
            raise CannotRewrite("what is shuffled has no name, and something else is computed before it")
        return insert_before(self.module, statement, [f"{name} = {self.module.text(value)}"])


def _is_none(node: tree.Node) -> bool:
    return isinstance(node, tree.Constant) and node.value is None
