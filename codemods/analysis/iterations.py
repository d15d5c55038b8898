"""How often a `while` runs at most, as text that holds where the loop starts.

A bound that is too small cuts the loop short without a word, so it is proved or not given: from a
part of the condition (all parts are joined by `and`) that compares a counter with something that the
loop does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from codemods.analysis import changes, counters, dtypes, knowable, loops, places, tree
from codemods.analysis.compiled import Program
from codemods.analysis.linear import Linear, Written, linear, number
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Const, Tensor, Unknown

MOST = 1_000_000  # iterations of a counter that is followed step by step
_EXACT = 1 << 24  # whole numbers up to here are exact as float32


class Unbounded(Exception):  # noqa: N818 - it is an answer, not an error
    """Why no bound can be proved; str() is a sentence for people."""


@dataclass
class Cap:
    """The most iterations that a loop makes.

    text: source text. number: the count, where it is known. tight: nothing else ends the loop.
    assumptions: what must hold. wide: the text may be an int64 tensor, and an int32 is wanted.
    """

    text: str
    number: int | None
    tight: bool
    assumptions: list[str] = field(default_factory=list)
    wide: bool = False


@dataclass(frozen=True, eq=False)
class Part:
    """One comparison `counter op limit` of a condition.

    start: the counter's first value. by, operand: how it changes ("+", 1), with the module of the operand.
    limit: as it stands in `module`; written: its text where the loop starts, if that differs.
    early: the first value stands in front of the call, not in it. hidden: the limit has no name there.
    """

    op: type
    limit: Node
    module: Module
    start: Node
    by: type
    operand: Node
    within: Module
    written: str = ""
    early: bool = False
    hidden: bool = False


# counting


def whole(node: Node, module: Module, program: Program) -> int | None:
    """The whole number that an expression certainly is, also as a float that float32 holds exactly."""
    known = loops.constant_of(program.proof, module, node)
    if known is not None:
        return known
    inner = loops.definition(node, module, program.proof) if isinstance(node, tree.Name) else None
    if isinstance(inner, tree.Call):
        return whole(inner, module, program)
    values = program.proof.evaluate(node, module)
    found = next(iter(values)) if len(values) == 1 else None
    value = found.value if isinstance(found, Const) else found.const if isinstance(found, Tensor) else None
    if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
        return int(value)
    return None


def _literal(node: Node) -> int | None:
    if isinstance(node, tree.Constant) and isinstance(node.value, float) and node.value.is_integer():
        return int(node.value)
    return loops.literal(node)


_CALLS = {
    "tensorflow.add": tree.Add,
    "tensorflow.subtract": tree.Sub,
    "tensorflow.multiply": tree.Mult,
    "tensorflow.math.add": tree.Add,
    "tensorflow.math.subtract": tree.Sub,
    "tensorflow.math.multiply": tree.Mult,
    "tensorflow.math.floordiv": tree.FloorDiv,
}
_BY = (tree.Add, tree.Sub, tree.Mult, tree.FloorDiv)


def operation(update: Node, name: str, module: Module, program: Program) -> tuple[type, Node] | None:
    """(operator, operand) of `c + 1`, `c * 2`, `1 + c`, `tf.add(c, 1)`."""
    if isinstance(update, tree.BinOp):
        left, op, right = update.left, type(update.op), update.right
    elif isinstance(update, tree.Call) and len(update.args) == 2 and not update.keywords:
        op = _CALLS.get(counters.library_name(update.func, module, program.ev), tree.Call)
        left, right = update.args
    else:
        return None
    if isinstance(right, tree.Name) and right.id == name and op in (tree.Add, tree.Mult):
        left, right = right, left
    named = isinstance(left, tree.Name) and left.id == name
    return (op, right) if named and op in _BY else None


def updated(update: Node, name: str, module: Module, program: Program) -> tuple[type, Node] | None:
    """How a statement changes a counter: of `c += 1` and `c = c + 1` (+, 1)."""
    if isinstance(update, tree.AugAssign):
        op = type(update.op)
        return (op, update.value) if op in _BY else None
    if isinstance(update, tree.Assign) and len(update.targets) == 1:
        target = update.targets[0]
        if isinstance(target, tree.Name):
            return operation(update.value, name, module, program)
        both = isinstance(target, tree.Tuple) and isinstance(update.value, tree.Tuple)
        if both and len(target.elts) == len(update.value.elts):
            pairs = zip(target.elts, update.value.elts, strict=True)
            found = next((v for t, v in pairs if isinstance(t, tree.Name) and t.id == name), None)
            return operation(found, name, module, program) if found is not None else None
    return None


def _next(value: int, op: type, operand: int) -> int:
    if op is tree.Add:
        return value + operand
    if op is tree.Sub:
        return value - operand
    if op is tree.Mult:
        return value * operand
    return value // operand


def _holds(value: int, op: type, limit: int) -> bool:
    return {
        tree.Lt: value < limit,
        tree.LtE: value <= limit,
        tree.Gt: value > limit,
        tree.GtE: value >= limit,
        tree.NotEq: value != limit,
    }[op]


def simulated(start: int, update: tuple[type, int], op: type, limit: int) -> int | None:
    """How often `while c op limit` runs, step by step; None where it does not end in good time."""
    value, times = start, 0
    by, operand = update
    if by is tree.FloorDiv and operand == 0:
        return None
    while _holds(value, op, limit):
        following = _next(value, by, operand)
        times += 1
        if following == value or times > MOST or abs(following) > 2**31:
            return None
        value = following
    return times


class _Caps:
    """Bounds from the parts of one condition. place: where the text will stand, in `function`."""

    def __init__(
        self, program: Program, function: Scope, place: Node, bodies: Sequence[Scope], nullable: set[str]
    ) -> None:
        self.program = program
        self.function = function
        self.module = function.module
        self.place = place
        self.bodies = bodies
        self.nullable = nullable  # what the condition compares with None first

    def best(self, parts: Iterable[Part | str], alone: bool) -> Cap:
        """The bound that assumes the least, a known number before an expression."""
        found, whys = [], []
        for part in parts:
            try:
                if isinstance(part, str):
                    raise Unbounded(part)
                found.append(self.of(part, alone))
            except Unbounded as error:
                whys.append(str(error))
        if not found:
            raise Unbounded(next(iter(whys), "no part of the condition compares a counter with a limit"))
        return min(found, key=lambda cap: (len(cap.assumptions), cap.number is None, cap.number or 0))

    def of(self, part: Part, alone: bool) -> Cap:
        operand = _literal(part.operand)
        if operand is None:
            operand = whole(part.operand, part.within, self.program)
        if not operand:
            raise Unbounded(f"the step `{part.within.text(part.operand)}` of the counter is not a constant")
        start = whole(part.start, self.module, self.program)
        limit = whole(part.limit, part.module, self.program)
        known = None
        if start is not None and limit is not None:
            known = simulated(start, (part.by, operand), part.op, limit)
            if known is None:
                raise Unbounded("the counter does not reach its limit")
        literal = _literal(part.limit) is not None
        if part.by not in (tree.Add, tree.Sub) or part.op is tree.NotEq or (literal and known is not None):
            if known is None:
                what = "start" if start is None else f"limit `{part.module.text(part.limit)}`"
                raise Unbounded(f"the {what} of the counter is not a constant")
            return Cap(str(known), known, alone)
        step = -operand if part.by is tree.Sub else operand
        try:
            return self.expression(part, step, start, known, alone)
        except Unbounded:
            if known is None:
                raise
            return Cap(str(known), known, alone)

    def expression(self, part: Part, step: int, start: int | None, known: int | None, alone: bool) -> Cap:
        """The bound in terms of the limit as it is written."""
        upwards = part.op in (tree.Lt, tree.LtE)
        if upwards != (step > 0):
            raise Unbounded("the counter moves away from its limit")
        if part.hidden:
            raise Unbounded(f"`{part.module.text(part.limit)}` has no name where the loop starts")
        assumptions: list[str] = []
        wide = self.check(part, assumptions)
        first = number(start) if start is not None else self.beginning(part, assumptions)
        limit = self.limit(part)
        distance = limit.plus(first, -1) if upwards else first.plus(limit, -1)
        size = abs(step)
        if part.op in (tree.LtE, tree.GtE):
            distance = distance.plus(number(size))  # floor(d / k) + 1
        elif size > 1:
            distance = distance.plus(number(size - 1))  # rounded up
        text = distance.render(self.text)
        shown = part.written or part.module.text(part.limit)
        if text != shown and shown in self.nullable:
            raise Unbounded(f"`{shown}` may be None, and there is nothing to compute with then")
        if size > 1:
            single = len(distance.coefficients) == 1 and not distance.constant
            text = f"{text} // {size}" if single else f"({text}) // {size}"
        return Cap(text, known, alone, assumptions, wide)

    def text(self, node: Node) -> str:
        return node.text if isinstance(node, Written) else self.module.text(node)

    def limit(self, part: Part) -> Linear:
        if not part.written:
            return linear(part.limit, _literal)
        return Linear(((part.written, 1),), 0, {part.written: Written(part.written, part.limit)})

    def check(self, part: Part, assumptions: list[str]) -> bool:
        """Hold that the limit can be written in front of the loop; True if it may be an int64 tensor."""
        limit, module, program = part.limit, part.module, self.program
        shown = module.text(limit)
        if not places.is_pure(limit, module, program):
            raise Unbounded(f"`{shown}` is more than a value: evaluating it again may do something")
        if module is self.module and not part.written:
            why = changes.moved(limit, self.place, self.place, self.function, program, self.bodies)
            why = why or knowable.at_runtime(limit, module, self.place, program.ev)
        else:
            mutable = changes.mutable(limit, module, program)
            why = f"`{mutable}` may be changed by the loop" if mutable else ""
        if why:
            raise Unbounded(why)
        kind = dtypes.kind_of(limit, module, program)
        first = dtypes.kind_of(part.start, self.module, program)
        if kind == "int":
            return False
        if first == "int" and kind == "unknown":  # compared with an int32, it is one or can become one
            if self.is_given(limit, module):
                assumptions.append(f"`{shown}` is a single number")
            return False
        values = program.proof.evaluate(limit, module)
        if any(isinstance(v, Const) and isinstance(v.value, float) for v in values):
            raise Unbounded(f"the limit `{shown}` is a float")
        if kind == "other" or first == "other":
            if not any(
                dtypes.is_wide(node, where, program)
                for node, where in ((limit, module), (part.start, self.module))
            ):
                raise Unbounded(f"the counter that `{shown}` limits is not known to be an integer")
            return True
        if isinstance(part.start, tree.Call):
            raise Unbounded(f"the type of the counter that `{shown}` limits is not known")
        assumptions.append(f"`{shown}` is an int32 number")
        return False

    def is_given(self, limit: Node, module: Module) -> bool:
        """Is the limit an argument of the compiled function itself, of which nothing is known?"""
        holder = (
            find_binding_scope(module.enclosing(limit), limit.id) if isinstance(limit, tree.Name) else None
        )
        if holder is None or holder not in (root.function for root in self.program.roots):
            return False
        params = any(b.kind == "param" for b in holder.bindings[limit.id])
        return params and any(isinstance(v, Unknown) for v in self.program.proof.evaluate(limit, module))

    def beginning(self, part: Part, assumptions: list[str]) -> Linear:
        start, shown = part.start, self.module.text(part.start)
        if part.early or not places.is_pure(start, self.module, self.program) or isinstance(start, tree.Call):
            raise Unbounded(f"the counter starts at `{shown}`, which is not a known number")
        kind = dtypes.kind_of(start, self.module, self.program)
        if kind == "other":
            raise Unbounded(f"the counter starts at `{shown}`, which is not an int32 number")
        if kind == "unknown":
            assumptions.append(f"`{shown}` is an int32 number")
        return linear(start, _literal)


_COMPARES = {
    f"tensorflow.{prefix}{name}": op
    for prefix in ("", "math.")
    for name, op in {
        "less": tree.Lt, "less_equal": tree.LtE, "greater": tree.Gt, "greater_equal": tree.GtE,
        "not_equal": tree.NotEq,
    }.items()
}  # fmt: skip


def _compared(test: Node, module: Module, program: Program) -> tuple[Node, type, Node] | None:
    """(left, operator, right) of a comparison with one operator, or of `tf.less(a, b)` and kin."""
    if isinstance(test, tree.Compare) and len(test.ops) == 1:
        return test.left, type(test.ops[0]), test.comparators[0]
    if isinstance(test, tree.Call) and len(test.args) == 2:
        op = _COMPARES.get(counters.library_name(test.func, module, program.ev))
        if op is not None:
            return test.args[0], op, test.args[1]
    return None


_MIRROR = {tree.Lt: tree.Gt, tree.LtE: tree.GtE, tree.Gt: tree.Lt, tree.GtE: tree.LtE, tree.NotEq: tree.NotEq}


def _nullable(tests: Sequence[Node], module: Module) -> set[str]:
    """The expressions of which a condition says that they are not None."""
    return {
        module.text(test.left)
        for test in tests
        if isinstance(test, tree.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], tree.IsNot)
    }


def _branches(node: Node, module: Module, program: Program) -> list[str]:
    """What is assumed of the `if`s round a loop: XLA cannot differentiate a bounded loop in a tensor `if`.

    Raises Unbounded where one of them is certainly decided by a tensor.
    """
    assumed = []
    for ancestor in module.ancestors(node):
        if isinstance(ancestor, tree.FUNCTIONS):
            break
        if isinstance(ancestor, tree.If):
            values = program.ev.evaluate(ancestor.test, module)
            if any(isinstance(v, Tensor) for v in values):
                where = f"the tensor `if` at line {ancestor.lineno}"
                raise Unbounded(f"it stands in {where}, which XLA cannot differentiate")
            if any(isinstance(v, Unknown) for v in values):
                assumed.append(f"no tensor decides the `if` at line {ancestor.lineno}")
    return assumed


def _sides(left: Node, op: type, right: Node) -> list[tuple[Node, type, Node]]:
    """A comparison read from both ends, with the side that may be the counter first."""
    if op not in _MIRROR:
        return []
    return [(left, op, right), (right, _MIRROR[op], left)]


def most(
    place: Node, function: Scope, program: Program, tests: Sequence[Node], module: Module,
    part: Callable[[Node, type, Node], Part | str | None], alone: bool, bodies: Sequence[Scope] = (),
) -> Cap:  # fmt: skip
    """The bound that the parts of a condition prove, as text for `place` in `function`. Raises Unbounded.

    tests: of `module`, joined by `and`. part: what a comparison says, its presumed counter first: why it
    is no bound, None where that is no counter at all. alone: nothing but these parts ends the loop.
    bodies: functions that run in each round.
    """
    assumed = _branches(place, function.module, program)
    parts = []
    for test in tests:
        found = _compared(test, module, program)
        for side in _sides(*found) if found is not None else ():
            one = part(*side)
            if one is not None:
                parts.append(one)
    cap = _Caps(program, function, place, bodies, _nullable(tests, module)).best(parts, alone)
    cap.assumptions += assumed
    return cap
