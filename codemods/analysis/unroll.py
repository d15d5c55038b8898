"""Can a tensor loop become a Python loop, and at what price?

The semantics of `tf.range` -> `range` were measured form by form (TensorFlow 2.21, eager, graph and
compiled). Under AutoGraph `range(tensor)` is turned back into `tf.range`, so the arguments must be
known when the function is traced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from codemods.analysis import counters, library, loops, tree
from codemods.analysis.audit import Auditor
from codemods.analysis.compiled import Program
from codemods.analysis.effects import effects
from codemods.analysis.loops import Loop
from codemods.analysis.static import StaticText
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Const, Static, Tensor, Values, is_static
from codemods.model import Reason

QUIET = 16  # iterations that are unrolled without a remark
KEY = "python-range"


@dataclass
class Unrolling:
    """How to turn a loop into a Python loop.

    arguments: source texts for `range(...)`. keep_call: they are the call's own positional
    arguments, so only the name of the function changes. replacements: further expressions to replace.
    assumptions: what must hold for it to be right (none: SAFE). notes: what a reader should know.
    """

    loop: Loop
    arguments: list[str]
    keep_call: bool
    replacements: list[tuple[Node, str]] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class _Blocked(Exception):  # noqa: N818 - an answer, not an error
    def __init__(self, key: str, why: str) -> None:
        super().__init__(why)
        self.reason = Reason(key, why)


def plan(loop: Loop, program: Program, limit: int, also: Sequence[Loop] = ()) -> Unrolling | Reason:
    """The conversion of a `tf.range` loop, or why there is none.

    limit: copies of the body that are accepted. also: other loops of the function that will be unrolled.
    """
    try:
        return _Planner(loop, program, limit, also).plan()
    except _Blocked as blocked:
        return blocked.reason


@dataclass
class Counting:
    """How to let an AutoGraph `while` count with a Python int, so that it is unrolled while tracing.

    start: the expression that makes the counter a tensor; text: what to write instead.
    """

    name: str
    start: Node
    text: str
    notes: list[str]
    assumptions: list[str]


def plan_while(loop: Loop, program: Program, limit: int) -> Counting | Reason:
    """The conversion of a `while` with a counter, or why there is none."""
    key, module = KEY, loop.module
    counter = counters.of_while(loop, program.proof)
    if counter is None or not counter.tight:
        return Reason(key, "no counter with a constant start and step decides alone when the loop ends")
    outside = [
        b
        for b in loop.function.bindings[counter.name]
        if b.kind == "assign" and isinstance(b.value, tree.Call)
    ]
    start = outside[0].value if len(outside) == 1 else None
    if start is None:
        return Reason(key, f"`{counter.name}` does not start as `tf.constant`")
    values = program.proof.evaluate(counter.limit, module)
    if not values or not all(isinstance(v, (Const, Static)) for v in values):
        return Reason(
            key, f"the limit `{module.text(counter.limit)}` may be a tensor, and then the loop stays one"
        )
    plain = len(start.args) == 1 and not start.keywords
    if not plain:
        return Reason(key, f"`{module.text(start)}` says more than a number")
    auditor = Auditor(program, loop.function, False, module.span(start).end)
    found = auditor.run([counter.name, *sorted(python_carried(loop, program))])
    if found.blocked or found.replacements:
        return Reason(key, found.blocked or "`tf.cond` needs the counter as a tensor")
    assumptions = [*found.assumptions, *effects(loop.node.body, module, program)]
    times = counter.count.constant if counter.count.is_constant else None
    if times is None:
        known = loops.constant_of(program.proof, module, counter.limit)
        times = counters.times(counter, known) if known is not None else None
    if times is not None and times > limit:
        return Reason(key, f"unrolling would copy the body {times} times, more than unroll-limit = {limit}")
    notes = (
        []
        if times is not None and times <= QUIET
        else ["the loop is unrolled: the graph grows with its length"]
    )
    return Counting(counter.name, start, module.text(start.args[0]), notes, assumptions)


class _Planner:
    def __init__(self, loop: Loop, program: Program, limit: int, also: Sequence[Loop]) -> None:
        self.also = also
        self.loop = loop
        self.program = program
        self.limit = limit
        self.module = loop.module
        self.result = Unrolling(loop, [], True)

    def plan(self) -> Unrolling:
        loop = self.loop
        if loop.kind != "range" or loop.call is None:
            raise _Blocked(KEY, "the loop does not run over a range of numbers")
        if loop.index is None and not isinstance(loop.node.target, tree.Name):
            raise _Blocked(KEY, "the loop index is not a plain name")
        if self.program.ev.named(self.module, self.module.enclosing(loop.node), "range") != {
            Api("builtins.range")
        }:
            raise _Blocked(KEY, "`range` means something else in this scope")
        wide = self.dtype()
        self.arguments()
        self.cost()
        self.leaving()
        self.audit(wide)
        return self.result

    # what it runs over

    @property
    def call(self) -> Node:
        """The call of the range; `plan` has made sure that there is one."""
        assert self.loop.call is not None
        return self.loop.call

    def arguments(self) -> None:
        loop, static = self.loop, StaticText(self.loop, self.program)
        call = self.call
        given = [node for node in (loop.start, loop.stop) if node is not None]
        texts = []
        for node in given:
            texts.append(self.argument(static, node))
        step = next((kw.value for kw in call.keywords if kw.arg == "delta"), None)
        if loop.step is None:
            texts.append(self.argument(static, step or call.args[2]))
        else:
            step = step if step is not None else call.args[2] if len(call.args) > 2 else None
            if step is not None:
                texts = texts if len(given) == 2 else ["0", *texts]
                texts.append(self.argument(static, step))
        plain = loop.written and not call.keywords and not static.changed and len(texts) == len(call.args)
        self.result.arguments, self.result.keep_call = texts, plain
        self.result.assumptions.extend(static.assumptions)

    def argument(self, static: StaticText, node: Node) -> str:
        text = static.of(node)
        if text is None:
            raise _Blocked(KEY, static.why)
        return text

    def dtype(self) -> bool:
        """Is the index int64? A float index is no Python int, and blocks."""
        call, wide = self.call, False
        for arg in [
            *call.args[:3],
            *[kw.value for kw in call.keywords if kw.arg in ("start", "limit", "delta")],
        ]:
            for value in self.program.proof.evaluate(arg, self.module):
                if isinstance(value, Const) and isinstance(value.value, float):
                    raise _Blocked(KEY, "the range has float arguments, and `range` takes ints only")
            wide = self.typed(arg) or wide
        given = next(
            (kw.value for kw in call.keywords if kw.arg == "dtype"),
            call.args[3] if len(call.args) > 3 else None,
        )
        return self.kind(given) == "int64" if given is not None else wide

    def typed(self, node: Node, depth: int = 0) -> bool:
        """Does an expression say that it is int64? One that says float blocks."""
        wide = False
        for inner in tree.walk(node):
            if isinstance(inner, tree.Call):
                names = {
                    library.without_v1(v.name)
                    for v in self.program.ev.evaluate(inner.func, self.module)
                    if isinstance(v, Api)
                }
                given = next((kw.value for kw in inner.keywords if kw.arg in ("dtype", "out_type")), None)
                if (
                    given is None
                    and names & {"tensorflow.cast", "tensorflow.constant"}
                    and len(inner.args) > 1
                ):
                    given = inner.args[1]
                if given is not None:
                    wide = self.kind(given) == "int64" or wide
            elif isinstance(inner, tree.Name) and depth < 4:
                found = loops.definition(inner, self.module, self.program.ev)
                wide = (found is not None and self.typed(found, depth + 1)) or wide
        return wide

    def kind(self, node: Node) -> str:
        text = self.module.text(node).strip("\"'").split(".")[-1]
        if text not in ("int32", "int64"):
            raise _Blocked(KEY, f"the index is a {text}, and `range` gives ints only")
        return text

    def cost(self) -> None:
        number = loops.trip(self.loop, self.program.proof).number
        total = number
        for other in loops.find(self.loop.function, self.program.ev, self.program.proof):
            nested = self.loop.node in [p.node for p in other.parents] or other.node in [
                p.node for p in self.loop.parents
            ]
            if (
                nested
                and total is not None
                and (other.kind == "python" or other.node in [a.node for a in self.also])
            ):
                total *= max(1, loops.trip(other, self.program.proof).number or 1)
        if total is not None and total > self.limit:
            raise _Blocked(
                KEY, f"unrolling would copy the body {total} times, more than unroll-limit = {self.limit}"
            )
        if number is None:
            self.result.notes.append("the loop is unrolled: the graph grows with its length")
        elif total is not None and total > QUIET:
            self.result.notes.append(f"the loop is unrolled {total} times")

    # the body

    def leaving(self) -> None:
        """A Python loop cannot be left on a condition that is a tensor."""
        for node in loops.exits(self.loop):
            word = "return" if isinstance(node, tree.Return) else "break"
            for test in loops.guards(node, self.loop):
                verdict = self.python_condition(test)
                if verdict == "tensor":
                    raise _Blocked(
                        KEY,
                        f"the loop ends on a tensor condition (`{word}` at line {node.lineno}), "
                        "which a Python loop cannot do",
                    )
                if verdict:
                    self.result.assumptions.append(
                        f"`{verdict}` in the condition at line {test.lineno} is no tensor"
                    )

    def python_condition(self, node: Node) -> str:
        """ "" if a condition is a Python value once the index is one, "tensor", or what must be none."""
        if isinstance(node, (tree.BoolOp, tree.Compare, tree.BinOp, tree.UnaryOp)):
            verdicts = [self.python_condition(c) for c in tree.children(node) if isinstance(c, tree.expr)]
            return "tensor" if "tensor" in verdicts else next((v for v in verdicts if v), "")
        if isinstance(node, tree.Constant) or (
            isinstance(node, tree.Name) and node.id == getattr(self.loop.index, "id", None)
        ):
            return ""
        values = self.program.proof.evaluate(node, self.module)
        if isinstance(node, (tree.Name, tree.Attribute)):
            if any(isinstance(v, Tensor) for v in values):
                return "tensor"
            return "" if values and all(map(is_static, values)) else self.module.text(node)
        return "tensor"

    def audit(self, wide: bool) -> None:
        """Everything that the index, and the numbers carried by the loop, flow to."""
        names = [self.loop.index.id] if self.loop.index is not None else []
        names += sorted(python_carried(self.loop, self.program))
        auditor = Auditor(self.program, self.loop.function, wide, self.module.span(self.loop.node).start)
        found = auditor.run(names, self.loop.index)
        if found.blocked:
            raise _Blocked(KEY, found.blocked)
        self.result.replacements.extend(found.replacements)
        self.result.assumptions.extend(found.assumptions)
        for node in self.loop.body_nodes():
            if isinstance(node, tree.Call) and self.module.text(node.func).endswith("set_loop_options"):
                raise _Blocked(KEY, f"`set_loop_options` at line {node.lineno} does nothing in a Python loop")
        self.result.assumptions.extend(effects(self.loop.node.body, self.module, self.program))


def python_carried(loop: Loop, program: Program) -> set[str]:
    """Names that the loop assigns and that hold Python values before it: tensors inside of a tensor loop."""
    found = set()
    for node in loop.body_nodes():
        if not (isinstance(node, tree.Name) and isinstance(node.ctx, tree.Store)):
            continue
        if loop.module.enclosing(node) is not loop.function or node.id == getattr(loop.index, "id", ""):
            continue
        outside = [
            b
            for b in loop.function.bindings.get(node.id, [])
            if not any(a is loop.node for a in loop.module.ancestors(b.node))
        ]
        before = [b for b in outside if b.kind == "assign" and b.value is not None and not b.path]
        inside = [b for b in loop.function.bindings[node.id] if b not in outside]
        if not before or not all(_python(program.ev.evaluate(b.value, loop.module)) for b in before):
            continue
        if all(
            b.kind == "aug" or (b.value is not None and not _tensor(b.value, loop, program)) for b in inside
        ):
            found.add(node.id)
    return found


def _python(values: Values) -> bool:
    return bool(values) and all(isinstance(v, (Const, Static)) for v in values)


def _tensor(node: Node, loop: Loop, program: Program) -> bool:
    values = program.ev.evaluate(node, loop.module)
    return any(isinstance(v, Tensor) and v.kind != "int" for v in values)


__all__ = ["Counting", "Unrolling", "plan", "plan_while"]
