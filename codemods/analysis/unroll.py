"""Can a tensor loop become a Python loop, and at what price?

The semantics of `tf.range` -> `range` were measured form by form (TensorFlow 2.21, eager, graph and
compiled). Under AutoGraph `range(tensor)` is turned back into `tf.range`, so the arguments must be
known when the function is traced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from codemods.analysis import calls, counters, library, loops, tree
from codemods.analysis.compiled import Program
from codemods.analysis.loops import Loop
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.static import StaticText
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Const, Function, Static, Tensor, Unknown, is_static
from codemods.model import Reason

QUIET = 16  # iterations that are unrolled without a remark
_COMPARE = {tree.Eq: "equal", tree.NotEq: "not_equal", tree.Lt: "less", tree.LtE: "less_equal",
            tree.Gt: "greater", tree.GtE: "greater_equal"}  # fmt: skip
_PREDICATES = frozenset({"tensorflow.cond", "tensorflow.case", "tensorflow.switch_case"})
_RANDOM = ("tensorflow.random.", "tensorflow.nn.dropout", "tensorflow.random_")


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


class _Blocked(Exception):
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


def plan_while(loop: Loop, program: Program, limit: int) -> Counting | Reason:
    """The conversion of a `while` with a counter, or why there is none."""
    key, module = "python-range", loop.module
    counter = counters.of_while(loop, program.proof)
    if counter is None or not counter.tight:
        return Reason(key, "no counter with a constant start and step decides alone when the loop ends")
    outside = [b for b in loop.function.bindings[counter.name] if b.kind == "assign" and isinstance(b.value, tree.Call)]
    start = outside[0].value if len(outside) == 1 else None
    if start is None:
        return Reason(key, f"`{counter.name}` does not start as `tf.constant`")
    values = program.proof.evaluate(counter.limit, module)
    if not values or not all(isinstance(v, (Const, Static)) for v in values):
        return Reason(key, f"the limit `{module.text(counter.limit)}` may be a tensor, and then the loop stays one")
    for use in module.mentions.get(counter.name, ()):
        parent = module.parent.get(use)
        if isinstance(parent, tree.Attribute) and module.enclosing(use).function is loop.function:
            return Reason(key, f"`{counter.name}.{parent.attr}` at line {use.lineno} needs a tensor")
    times = counter.count.constant if counter.count.is_constant else None
    if times is None:
        known = loops.constant_of(program.proof, module, counter.limit)
        times = counters.times(counter, known) if known is not None else None
    if times is not None and times > limit:
        return Reason(key, f"unrolling would copy the body {times} times, more than unroll-limit = {limit}")
    notes = [] if times is not None and times <= QUIET else ["the loop is unrolled: the graph grows with its length"]
    return Counting(counter.name, start, str(counter.start), notes)


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
            raise _Blocked("python-range", "the loop does not run over a range of numbers")
        if loop.index is None and not isinstance(loop.node.target, tree.Name):
            raise _Blocked("python-range", "the loop index is not a plain name")
        if self.program.ev.named(self.module, self.module.enclosing(loop.node), "range") != {Api("builtins.range")}:
            raise _Blocked("python-range", "`range` means something else in this scope")
        self.dtype()
        self.arguments()
        self.cost()
        self.leaving()
        self.uses()
        self.effects()
        return self.result

    # what it runs over

    def arguments(self) -> None:
        loop, static = self.loop, StaticText(self.loop, self.program)
        given = [node for node in (loop.start, loop.stop) if node is not None]
        texts = []
        for node in given:
            texts.append(self.argument(static, node))
        if loop.step is None:
            step = next((kw.value for kw in loop.call.keywords if kw.arg == "delta"), None) or loop.call.args[2]
            texts.append(self.argument(static, step))
        elif loop.step != 1 or len(loop.call.args) > 2:
            texts = texts if len(given) == 2 else ["0", *texts]
            texts.append(str(loop.step))
        plain = loop.written and not loop.call.keywords and not static.changed and len(texts) == len(loop.call.args)
        self.result.arguments, self.result.keep_call = texts, plain
        self.result.assumptions.extend(static.assumptions)

    def argument(self, static: StaticText, node: Node) -> str:
        text = static.of(node)
        if text is None:
            raise _Blocked("python-range", static.why)
        return text

    def dtype(self) -> None:
        """A float index is no Python int; an int64 index may show in what is computed from it."""
        call = self.loop.call
        for arg in [*call.args, *[kw.value for kw in call.keywords if kw.arg in ("start", "limit", "delta")]]:
            for value in self.program.proof.evaluate(arg, self.module):
                if isinstance(value, Const) and isinstance(value.value, float):
                    raise _Blocked("python-range", "the range has float arguments, and `range` takes ints only")
        given = next((kw.value for kw in call.keywords if kw.arg == "dtype"), call.args[3] if len(call.args) > 3 else None)
        if given is None:
            return
        kind = self.module.text(given).strip("\"'").split(".")[-1]
        if kind not in ("int32", "int64"):
            raise _Blocked("python-range", f"the index is a {kind}, and `range` gives ints only")
        if kind == "int64":
            for use in self.index_uses():
                if not self.adapts(use):
                    raise _Blocked("python-range", f"the int64 index shows at line {use.lineno}, where it would become int32")

    def adapts(self, use: Node) -> bool:
        """Does a Python int behave like an int64 scalar here?"""
        indices = {one.index.id for one in loops.find(self.loop.function, self.program.ev, self.program.proof) if one.index is not None}
        child, parent = use, self.module.parent.get(use)
        while isinstance(parent, (tree.BinOp, tree.UnaryOp)):
            other = [s for s in (getattr(parent, "left", None), getattr(parent, "right", None)) if s is not None and s is not child]
            if any(isinstance(v, Tensor) for s in other for v in self.program.ev.evaluate(s, self.module)) and not any(
                isinstance(n, tree.Name) and n.id in indices for s in other for n in tree.walk(s)
            ):
                return True  # another int64 tensor: a Python int takes its type
            child, parent = parent, self.module.parent.get(parent)
        if isinstance(parent, (tree.Subscript, tree.Slice, tree.Compare)):
            return True
        call = parent if isinstance(parent, tree.Call) else self.module.parent.get(parent) if isinstance(parent, tree.keyword) else None
        if isinstance(call, tree.Call):
            names = {library.without_v1(v.name).split(".")[-1] for v in self.program.ev.evaluate(call.func, self.module) if isinstance(v, Api)}
            return bool(names) and not names & {"stack", "add", "subtract", "multiply", "constant", "convert_to_tensor", "identity", "print"}
        return False

    def cost(self) -> None:
        number = loops.trip(self.loop, self.program.proof).number
        total = number
        for other in loops.find(self.loop.function, self.program.ev, self.program.proof):
            nested = self.loop.node in [p.node for p in other.parents] or other.node in [p.node for p in self.loop.parents]
            if nested and total is not None and (other.kind == "python" or other.node in [a.node for a in self.also]):
                total *= max(1, loops.trip(other, self.program.proof).number or 1)
        if total is not None and total > self.limit:
            raise _Blocked("python-range", f"unrolling would copy the body {total} times, more than unroll-limit = {self.limit}")
        if number is None:
            self.result.notes.append("the loop is unrolled: the graph grows with its length")
        elif total is not None and total > QUIET:
            self.result.notes.append(f"the loop is unrolled {total} times")

    # the body

    def index_uses(self) -> Iterator[Node]:
        index = self.loop.index
        if index is None:
            return
        for node in self.module.mentions.get(index.id, ()):
            if isinstance(node.ctx, tree.Load) and any(a is self.loop.node for a in self.module.ancestors(node)):
                yield node

    def leaving(self) -> None:
        """A Python loop cannot be left on a condition that is a tensor."""
        for node in loops.exits(self.loop):
            for test in loops.guards(node, self.loop):
                for leaf in tree.walk(test):
                    if isinstance(leaf, tree.Name) and isinstance(leaf.ctx, tree.Load) and leaf.id != getattr(self.loop.index, "id", ""):
                        values = self.program.proof.evaluate(leaf, self.module)
                        if all(is_static(v) or isinstance(v, Unknown) for v in values) and not all(map(is_static, values)):
                            self.result.assumptions.append(f"`{leaf.id}` in the condition at line {leaf.lineno} is no tensor")
                        if not all(is_static(v) or isinstance(v, Unknown) for v in values):
                            word = "return" if isinstance(node, tree.Return) else "break"
                            raise _Blocked(
                                "python-range",
                                f"the loop ends on a tensor condition (`{word}` at line {node.lineno}), which a Python loop cannot do",
                            )

    def uses(self) -> None:
        for use in self.index_uses():
            parent = self.module.parent.get(use)
            if isinstance(parent, tree.Attribute):
                raise _Blocked("python-range", f"`{use.id}.{parent.attr}` at line {use.lineno} needs a tensor")
            self.predicate(use)
            self.division(use)
            if isinstance(parent, tree.Call) and use in parent.args:
                self.passed(parent, parent.args.index(use), use)

    def predicate(self, use: Node) -> None:
        """`tf.cond` and kin take no Python bool."""
        child, parent = use, self.module.parent.get(use)
        compare = None
        while parent is not None and not isinstance(parent, (tree.Call, tree.stmt, tree.Lambda)):
            compare = parent if isinstance(parent, tree.Compare) else compare
            child, parent = parent, self.module.parent.get(parent)
        if not isinstance(parent, tree.Call) or child not in parent.args[:1]:
            return
        names = {library.without_v1(v.name) for v in self.program.ev.evaluate(parent.func, self.module) if isinstance(v, Api)}
        if not names & _PREDICATES:
            return
        prefix, _, last = self.module.text(parent.func).rpartition(".")
        simple = compare is child and compare is not None and len(compare.ops) == 1 and type(compare.ops[0]) in _COMPARE
        if last != "cond" or not simple or not prefix or compare is None:
            raise _Blocked("python-range", f"`{self.module.text(parent.func)}` at line {use.lineno} needs the index as a tensor")
        sides = [compare.left, compare.comparators[0]]
        if any(isinstance(v, Tensor) and v.kind != "int" for s in sides for v in self.program.ev.evaluate(s, self.module)):
            return  # the other side is a tensor: the comparison stays one
        function = _COMPARE[type(compare.ops[0])]
        text = f"{prefix}.{function}({self.module.text(sides[0])}, {self.module.text(sides[1])})"
        if all(node is not compare for node, _ in self.result.replacements):
            self.result.replacements.append((compare, text))

    def division(self, use: Node) -> None:
        parent = self.module.parent.get(use)
        if isinstance(parent, tree.BinOp) and isinstance(parent.op, tree.Div):
            other = parent.right if parent.left is use else parent.left
            if not any(isinstance(v, Tensor) and v.kind != "int" for v in self.program.ev.evaluate(other, self.module)):
                outer = self.module.parent.get(parent)
                if not (isinstance(outer, tree.Call) and self.module.text(outer.func).split(".")[-1] in ("cast", "int", "float")):
                    self.result.assumptions.append(
                        f"`{self.module.text(parent)}` at line {use.lineno} may be a Python float (as a tensor it was float64)"
                    )

    def passed(self, call: Node, position: int, use: Node) -> None:
        """A helper that gets the index must take a Python int."""
        for value in self.program.ev.evaluate(call.func, self.module):
            if isinstance(value, Function):
                name = _parameter(value, position)
                bad = _tensor_only(value.scope, name, self.program) if name else None
                if bad is not None:
                    raise _Blocked(
                        "python-range",
                        f"`{value.scope.name}` ({bad[0].path}:{bad[1].lineno}) needs the index `{use.id}` as a tensor",
                    )
            elif isinstance(value, Unknown):
                self.result.assumptions.append(f"`{self.module.text(call.func)}` at line {use.lineno} takes a Python int")

    def effects(self) -> None:
        """What happens once per trace of a tensor loop happens once per iteration of a Python loop."""
        for node in self.loop.body_nodes():
            if isinstance(node, tree.AugAssign) and isinstance(node.target, tree.Attribute):
                if not any(isinstance(v, Tensor) for v in self.program.ev.evaluate(node.target, self.module)):
                    self.result.assumptions.append(
                        f"`{self.module.text(node.target)}` at line {node.lineno} may be updated in every iteration"
                    )
            elif isinstance(node, tree.Call):
                for value in self.program.ev.evaluate(node.func, self.module):
                    if isinstance(value, Api) and _stateful_random(value.name):
                        self.result.assumptions.append(f"other random numbers may be drawn at line {node.lineno}")


def _stateful_random(name: str) -> bool:
    plain = library.without_v1(name)
    last = plain.split(".")[-1]
    return plain.startswith(_RANDOM) and not last.startswith("stateless") and "Generator" not in plain and last != "set_seed"


def _parameter(value: Function, position: int) -> str | None:
    params = [param.id for param in value.scope.params]
    if value.bound is not None and not value.scope.is_static:
        params = params[1:]
    return params[position] if position < len(params) else None


def _tensor_only(function: Scope, name: str, program: Program, depth: int = 0) -> tuple[Module, Node] | None:
    """Where a function uses a parameter as a tensor: an attribute of it, or a `tf.cond` predicate."""
    module = function.module
    for node in calls.own_nodes(function):
        if not (isinstance(node, tree.Name) and node.id == name and isinstance(node.ctx, tree.Load)):
            continue
        parent = module.parent.get(node)
        if isinstance(parent, tree.Attribute):
            return module, node
        if isinstance(parent, tree.Call) and node in parent.args and depth < 3:
            for value in program.ev.evaluate(parent.func, module):
                if isinstance(value, Api) and library.without_v1(value.name) in _PREDICATES and node is parent.args[0]:
                    return module, node
                if isinstance(value, Function):
                    inner = _parameter(value, parent.args.index(node))
                    found = _tensor_only(value.scope, inner, program, depth + 1) if inner else None
                    if found is not None:
                        return found
    return None


__all__ = ["Reason", "Static", "Unrolling", "plan"]
