"""Loops of a function: what they run over, how often, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from codemods.analysis import calls, library, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.linear import Linear, linear, number
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    Const,
    ListValue,
    Static,
    Tensor,
    TupleValue,
    Values,
    constants,
    one,
)

_HARMLESS = frozenset(
    [
        "name_scope",
        "device",
        "control_dependencies",
        "GradientTape",
        "ForwardAccumulator",
        "init_scope",
        "variable_scope",
        "stop_recording",
        "colocate_with",
        "xla_compile",
        "jit_scope",
        "experimental_jit_scope",
        "scope",
        "summary_writer",
        "as_default",
    ]
)


@dataclass(eq=False)
class Loop:
    """A `for` or `while` statement.

    kind: (asked for when it is first looked at) "range" (`for i in tf.range(...)`, or a Python `range`
    of a tensor, which AutoGraph turns into one), "python" (a Python `range`), "tensor" (the rows of a
    tensor), "items" (a Python container), "while" (runs as a tensor loop), "unknown".
    index: the name of the loop index, if the loop has one. call: the range call. written: the call
    stands in the `for` itself (not behind a name).
    start, stop: None where the loop has no such thing. step: the constant step, None if not constant.
    """

    kind_of: Callable[[], str]
    function: Scope
    node: Node
    index: Node | None = None
    element: Node | None = None
    iterable: Node | None = None
    call: Node | None = None
    written: bool = True
    start: Node | None = None
    stop: Node | None = None
    step: int | None = 1
    parents: list[Loop] = field(default_factory=list)

    @property
    def module(self) -> Module:
        return self.function.module

    @cached_property
    def kind(self) -> str:
        return self.kind_of()

    @property
    def is_tensor_loop(self) -> bool:
        return self.kind in ("range", "tensor", "while")

    @property
    def header(self) -> Node:
        """The expression that says what the loop runs over."""
        return self.node.test if isinstance(self.node, tree.While) else self.node.iter

    def body_nodes(self) -> Iterator[Node]:
        """The nodes of the body, nested functions included."""
        for statement in self.node.body:
            yield from tree.walk(statement)


def find(function: Scope, ev: Evaluator, proof: Evaluator) -> list[Loop]:
    """The loops of a function's own body, outer ones first.

    ev says what compiled callers pass (which loops are tensor loops), proof what is certain for all.
    """
    found: list[Loop] = []
    if isinstance(function.node, tree.Lambda):
        return found
    by_node: dict[Node, Loop] = {}
    for node in calls.own_nodes(function):
        if isinstance(node, (tree.For, tree.While)):
            loop = (
                _while(function, node, ev)
                if isinstance(node, tree.While)
                else _for(function, node, ev, proof)
            )
            loop.parents = [by_node[a] for a in function.module.ancestors(node) if a in by_node]
            by_node[node] = loop
            found.append(loop)
    return found


def _for(function: Scope, node: Node, ev: Evaluator, proof: Evaluator) -> Loop:
    module, iterable = function.module, node.iter
    call, written = iterable, True
    if isinstance(iterable, tree.Name):
        call, written = definition(iterable, module, ev) or iterable, False
    if isinstance(call, tree.Call):
        for value in ev.evaluate(call.func, module):
            name = library.without_v1(value.name) if isinstance(value, Api) else ""
            if name in ("tensorflow.range", "builtins.range"):
                return _over_range(function, node, call, written, name, ev, proof)
            if name == "builtins.enumerate" and call.args and written:
                counted = _enumerated_range(function, node, call.args[0], ev, proof)
                if counted is not None:
                    return counted
                loop = _over_items(function, node, call.args[0], ev, enumerated=True)
                if len(call.args) > 1 or call.keywords:
                    loop.index = None  # it does not count from 0
                return loop
    return _over_items(function, node, iterable, ev, enumerated=False)


def _enumerated_range(
    function: Scope, node: Node, call: Node, ev: Evaluator, proof: Evaluator
) -> Loop | None:
    """`for k, i in enumerate(tf.range(...))`: the element is the index."""
    target = node.target
    if not (isinstance(call, tree.Call) and isinstance(target, tree.Tuple) and len(target.elts) == 2):
        return None
    names = {
        library.without_v1(v.name) for v in ev.evaluate(call.func, function.module) if isinstance(v, Api)
    }
    if names != {"tensorflow.range"} or not isinstance(target.elts[1], tree.Name):
        return None
    loop = _over_range(function, node, call, True, "tensorflow.range", ev, proof)
    loop.index = target.elts[1]
    return loop


def _over_range(
    function: Scope, node: Node, call: Node, written: bool, name: str, ev: Evaluator, proof: Evaluator
) -> Loop:
    module = function.module
    given = dict(zip(("start", "limit", "delta"), call.args, strict=False))
    given.update({kw.arg: kw.value for kw in call.keywords if kw.arg in ("start", "limit", "delta")})
    if "limit" not in given:
        given["limit"] = given.pop("start", None)
    if any(isinstance(arg, tree.Starred) for arg in call.args) or given["limit"] is None:
        return Loop(_unknown, function, node, iterable=node.iter)
    step = constants(proof.evaluate(given["delta"], module)) if "delta" in given else [1]
    index = node.target if isinstance(node.target, tree.Name) else None
    loop = Loop(
        lambda: "range",
        function,
        node,
        index,
        None,
        node.iter,
        call,
        written,
        given.get("start"),
        given["limit"],
    )
    loop.step = step[0] if step is not None and len(step) == 1 and step[0] != 0 else None
    if name == "builtins.range":
        loop.kind_of = lambda: "range" if any(
            isinstance(v, Tensor) for arg in call.args for v in ev.evaluate(arg, module)
        ) else "python"  # fmt: skip
    return loop


def _unknown() -> str:
    return "unknown"


def _over_items(function: Scope, node: Node, iterable: Node, ev: Evaluator, enumerated: bool) -> Loop:
    def kind() -> str:
        values = ev.evaluate(iterable, function.module)
        items = [isinstance(v, (ListValue, TupleValue)) for v in values]
        if any(isinstance(v, Tensor) for v in values):
            return "unknown" if any(items) else "tensor"
        return "items" if values and all(items) else "unknown"

    target, index = node.target, None
    if enumerated:
        if not (
            isinstance(target, tree.Tuple) and len(target.elts) == 2 and isinstance(target.elts[0], tree.Name)
        ):
            return Loop(_unknown, function, node, iterable=iterable)
        index, target = target.elts
    element = target if isinstance(target, tree.Name) else None
    return Loop(kind, function, node, index, element, iterable)


def _while(function: Scope, node: Node, ev: Evaluator) -> Loop:
    def kind() -> str:
        values = ev.evaluate(node.test, function.module)
        return "while" if any(isinstance(v, Tensor) for v in values) else "unknown"

    return Loop(kind, function, node)


def definition(name: Node, module: Module, ev: Evaluator) -> Node | None:
    """The one expression that a local name stands for, if it was assigned exactly once."""
    scope = module.enclosing(name)
    holder = find_binding_scope(scope, name.id)
    if holder is None or holder.module is not module:
        return None
    found = ev.reaching(name, scope, holder)
    if len(found) == 1 and found[0].kind == "assign" and not found[0].path:
        return found[0].value
    return None


# how often


@dataclass(frozen=True)
class Trip:
    """Iterations of a loop that is not left early.

    count: as a sum (only for step 1 or -1, or constants). number: the constant. text: source text of
    the count, "" if it cannot be written. never_negative: the sum cannot be below zero.
    """

    count: Linear | None
    number: int | None = None


def constant_of(ev: Evaluator, module: Module, node: Node) -> int | None:
    """The int that an expression certainly is: a literal, a tensor made from one, or folded."""
    values = ev.evaluate(node, module)
    if len(values) != 1:
        return None
    value = next(iter(values))
    if isinstance(value, Const) and isinstance(value.value, int) and not isinstance(value.value, bool):
        return value.value
    if isinstance(value, Tensor) and isinstance(value.const, int) and isinstance(node, tree.Call):
        return value.const
    return None


def literal(node: Node) -> int | None:
    """The int that is written there, sign included."""
    if isinstance(node, tree.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return int(node.value)
    if isinstance(node, tree.UnaryOp) and isinstance(node.op, tree.USub):
        inner = literal(node.operand)
        return -inner if inner is not None else None
    return None


def trip(loop: Loop, ev: Evaluator) -> Trip:
    """How often a range loop runs; names are atoms, and a constant number is given where it is known."""
    if loop.stop is None or loop.step is None:
        return Trip(None)
    start = linear(loop.start, literal) if loop.start is not None else number(0)
    stop = linear(loop.stop, literal)
    difference = stop.plus(start, -1) if loop.step > 0 else start.plus(stop, -1)
    size = abs(loop.step)
    first = constant_of(ev, loop.module, loop.start) if loop.start is not None else 0
    last = constant_of(ev, loop.module, loop.stop)
    known = None
    if first is not None and last is not None:
        known = max(0, -(-(last - first if loop.step > 0 else first - last) // size))
    if size != 1:
        if not difference.is_constant:
            return Trip(None, known)
        difference = number(max(0, -(-difference.constant // size)))
    return Trip(difference, known)


def is_nonnegative(count: Linear, is_size: Callable[[Node], bool]) -> bool:
    """Is a count certainly not below zero: a literal, or made of sizes?"""
    if count.is_constant:
        return count.constant >= 0
    if count.constant < 0 or any(factor < 0 for _, factor in count.coefficients):
        return False
    return all(is_size(count.nodes[atom]) for atom, _ in count.coefficients)


def size_like(node: Node, module: Module, ev: Evaluator, depth: int = 0) -> bool:
    """Is a value certainly not negative: a size, a dimension, or a known constant?"""
    values = ev.evaluate(node, module)
    numbers = constants(values)
    if numbers is not None:
        return numbers[0] >= 0
    if isinstance(node, tree.Name) and depth < 4:
        inner = definition(node, module, ev)
        return inner is not None and size_like(inner, module, ev, depth + 1)
    if isinstance(node, tree.Subscript):
        base = ev.evaluate(node.value, module)
        return bool(base) and all(
            (isinstance(v, Static) and v.kind == "shape") or (isinstance(v, Tensor) and v.kind == "shape")
            or (isinstance(v, ListValue) and v.element == one(Static("dim")))
            for v in base
        )  # fmt: skip
    if isinstance(node, tree.Call):
        names = {library.without_v1(v.name) for v in ev.evaluate(node.func, module) if isinstance(v, Api)}
        return bool(names) and names <= {"tensorflow.size", "tensorflow.rank", "builtins.len"}
    return isinstance(node, tree.Attribute) and node.attr in ("rank", "ndims", "ndim")


def is_variable(values: Values) -> bool:
    return any(isinstance(v, Tensor) and v.kind == "variable" for v in values)


# how it ends


def exits(loop: Loop) -> list[Node]:
    """The `break`s of this loop and the `return`s in it."""
    found: list[Node] = []

    def look(node: Node, inner: bool) -> None:
        if isinstance(node, (*tree.FUNCTIONS, tree.ClassDef)):
            return
        if isinstance(node, tree.Return) or (isinstance(node, tree.Break) and not inner):
            found.append(node)
        repeated = {id(one) for one in node.body} if isinstance(node, tree.LOOPS) else set()
        for child in tree.children(node):
            if not isinstance(child, tree.expr):
                look(child, inner or id(child) in repeated)

    for statement in loop.node.body:
        look(statement, False)
    return found


def continues(loop: Loop) -> list[Node]:
    """The `continue`s of this loop."""
    return [
        node
        for node in loop.body_nodes()
        if isinstance(node, tree.Continue)
        and next((a for a in loop.module.ancestors(node) if isinstance(a, tree.LOOPS)), None) is loop.node
    ]


def runs_every_time(statement: Node, loop: Loop) -> bool:
    """Does a statement of the body run in each iteration? (It may stand in `with` blocks of TensorFlow.)"""
    module, current = loop.module, statement
    while True:
        parent = module.parent[current]
        if parent is loop.node:
            break
        if not harmless_with(parent):
            return False
        current = parent
    place = module.span(statement).start
    return not any(module.span(node).start < place for node in continues(loop))


def harmless_with(node: Node) -> bool:
    """Is it a `with` whose context managers let every error through?"""
    if not isinstance(node, (tree.With, tree.AsyncWith)):
        return False
    managers = [item.context_expr for item in node.items]
    called = [one.func if isinstance(one, tree.Call) else one for one in managers]
    return all(tree.identifier(func) in _HARMLESS for func in called)


def guards(node: Node, loop: Loop) -> list[Node]:
    """The conditions inside the loop that decide whether a node runs."""
    found = []
    child = node
    for ancestor in loop.module.ancestors(node):
        if ancestor is loop.node:
            break
        if isinstance(ancestor, (tree.If, tree.IfExp)) and child is not ancestor.test:
            found.append(ancestor.test)
        child = ancestor
    return found
