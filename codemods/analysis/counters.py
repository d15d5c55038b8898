"""Counters: names that start at a number and change by a constant, and the `while`s that they end."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.analysis import library, loops, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.linear import Linear, linear, number
from codemods.analysis.loops import Loop
from codemods.analysis.scopes import Binding, Module
from codemods.analysis.tree import Node
from codemods.analysis.values import Api

_AND = ("tensorflow.logical_and", "tensorflow.math.logical_and")
_MIRROR = {tree.Lt: tree.Gt, tree.LtE: tree.GtE, tree.Gt: tree.Lt, tree.GtE: tree.LtE}


@dataclass(frozen=True, eq=False)
class Counter:
    """In iteration k (from 0) the counter is start + k * step where the body begins.

    limit: what the condition compares it with. count: iterations until the condition fails, as a sum
    (may be negative, which means none); tight: nothing else ends the loop.
    update: the statement or expression that changes it.
    """

    name: str
    start: int
    step: int
    limit: Node
    count: Linear
    tight: bool
    update: Node


def local_counter(name: str, loop: Loop, ev: Evaluator) -> tuple[int, int, Node] | None:
    """(start, step, update) of a local name that the loop changes once per iteration by a constant."""
    function, module = loop.function, loop.module
    inside: list[Binding] = []
    outside: list[Binding] = []
    for binding in function.bindings.get(name, []):
        within = any(a is loop.node for a in module.ancestors(binding.node))
        (inside if within else outside).append(binding)
    before = [b for b in outside if module.span(b.node).start < module.span(loop.node).start]
    if (
        len(inside) != 1
        or len(before) != 1
        or before[0].kind != "assign"
        or before[0].value is None
        or before[0].path
    ):
        return None
    start = loops.constant_of(ev, module, before[0].value)
    update = module.statement(inside[0].node)
    step = step_of_update(update, name)
    if (
        start is None
        or step is None
        or not loops.runs_every_time(update, loop)
        or not _own_loop(update, loop)
    ):
        return None
    first = module.statement(before[0].node)
    if any(
        isinstance(a, tree.LOOPS) and not any(a is b for b in module.ancestors(loop.node))
        for a in module.ancestors(first)
    ):
        return None
    outer = [a for a in module.ancestors(loop.node) if isinstance(a, tree.LOOPS)]
    if outer and not any(a is outer[0] for a in module.ancestors(first)):
        return None  # it goes on from one run of the loop to the next
    return start, step, update


def _own_loop(statement: Node, loop: Loop) -> bool:
    inner = next((a for a in loop.module.ancestors(statement) if isinstance(a, tree.LOOPS)), None)
    return inner is loop.node


def step_of_update(update: Node, name: str) -> int | None:
    """The constant k of `name += k`, `name -= k`, `name = name + k`."""
    if isinstance(update, tree.AugAssign):
        value = loops.literal(update.value)
        if value is None or not isinstance(update.op, (tree.Add, tree.Sub)):
            return None
        return value if isinstance(update.op, tree.Add) else -value
    if (
        isinstance(update, tree.Assign)
        and len(update.targets) == 1
        and isinstance(update.targets[0], tree.Name)
    ):
        return step_of(update.value, name)
    return None


def step_of(value: Node, name: str) -> int | None:
    """The constant k of an expression `name + k`."""
    if isinstance(value, tree.Call) and len(value.args) == 2 and isinstance(value.func, tree.Attribute):
        if value.func.attr not in ("add", "subtract"):
            return None
        left, right, minus = value.args[0], value.args[1], value.func.attr == "subtract"
    elif isinstance(value, tree.BinOp) and isinstance(value.op, (tree.Add, tree.Sub)):
        left, right, minus = value.left, value.right, isinstance(value.op, tree.Sub)
    else:
        return None
    if isinstance(right, tree.Name) and right.id == name and not minus:
        left, right = right, left
    step = loops.literal(right)
    if not (isinstance(left, tree.Name) and left.id == name) or step is None:
        return None
    return -step if minus else step


def library_name(callee: Node, module: Module, ev: Evaluator) -> str:
    """The one library function that a callee certainly is, v1 folded in; else ""."""
    values = ev.evaluate(callee, module)
    found = next(iter(values)) if len(values) == 1 else None
    return library.without_v1(found.name) if isinstance(found, Api) else ""


def conjuncts(test: Node, module: Module, ev: Evaluator) -> list[Node]:
    """The parts of `a and b`, `tf.logical_and(a, b)`, `(a < b) & (c < d)`."""
    if isinstance(test, tree.BoolOp) and isinstance(test.op, tree.And):
        return [part for value in test.values for part in conjuncts(value, module, ev)]
    if isinstance(test, tree.Call) and library_name(test.func, module, ev) in _AND:
        return [part for value in test.args for part in conjuncts(value, module, ev)]
    if isinstance(test, tree.BinOp) and isinstance(test.op, tree.BitAnd):
        sides = [test.left, test.right]
        if all(isinstance(side, (tree.Compare, tree.BinOp, tree.Call)) for side in sides):
            return [part for side in sides for part in conjuncts(side, module, ev)]
    return [test]


def comparison(test: Node, module: Module, ev: Evaluator) -> tuple[str, type, Node] | None:
    """(counter name, operator type, limit) of `c < L`, `L > c`, `tf.less(c, L)`."""
    calls_by_name = {"less": tree.Lt, "less_equal": tree.LtE, "greater": tree.Gt, "greater_equal": tree.GtE}
    if (
        isinstance(test, tree.Call)
        and isinstance(test.func, tree.Attribute)
        and test.func.attr in calls_by_name
    ):
        if len(test.args) != 2 or not library_name(test.func, module, ev).startswith("tensorflow."):
            return None
        left, op, right = test.args[0], calls_by_name[test.func.attr], test.args[1]
    elif isinstance(test, tree.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _MIRROR:
        left, op, right = test.left, type(test.ops[0]), test.comparators[0]
    else:
        return None
    if isinstance(left, tree.Name):
        return left.id, op, right
    if isinstance(right, tree.Name):
        return right.id, _MIRROR[op], left
    return None


def count(start: int, step: int, op: type, limit: Linear) -> Linear | None:
    """How often `while c op limit` runs: a sum for steps of one, a number for constants."""
    if (op in (tree.Lt, tree.LtE)) != (step > 0) or step == 0:
        return None
    distance = limit.plus(number(start), -1) if step > 0 else number(start).plus(limit, -1)
    if op in (tree.LtE, tree.GtE):
        distance = distance.plus(number(1))
    if abs(step) == 1:
        return distance
    return number(max(0, -(-distance.constant // abs(step)))) if distance.is_constant else None


def times(counter: Counter, limit: int) -> int | None:
    """How often the loop runs if its limit is this number."""
    if counter.count.is_constant:
        return max(0, counter.count.constant)
    atoms = counter.count.coefficients
    if len(atoms) != 1:
        return None
    return max(0, counter.count.constant + atoms[0][1] * limit)


def of_while(loop: Loop, ev: Evaluator) -> Counter | None:
    """The counter that ends an AutoGraph `while`."""
    if not isinstance(loop.node, tree.While):
        return None
    parts = conjuncts(loop.node.test, loop.module, ev)
    for part in parts:
        found = comparison(part, loop.module, ev)
        if found is None:
            continue
        name, op, limit = found
        known = local_counter(name, loop, ev)
        if known is None or not invariant(limit, loop):
            continue
        start, step, update = known
        times = count(start, step, op, linear(limit, loops.literal))
        if times is None:
            times = count(start, step, op, linear(limit, lambda n: loops.constant_of(ev, loop.module, n)))
        if times is not None:
            tight = len(parts) == 1 and not loops.exits(loop)
            return Counter(name, start, step, limit, times, tight, update)
    return None


def invariant(limit: Node, loop: Loop) -> bool:
    """Does the loop leave the names and attributes of an expression alone?"""
    names = {n.id for n in tree.walk(limit) if isinstance(n, tree.Name)}
    attributes = {n.attr for n in tree.walk(limit) if isinstance(n, tree.Attribute)}
    for node in loop.body_nodes():
        if isinstance(node, tree.Name) and isinstance(node.ctx, tree.Store) and node.id in names:
            return False
        if isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Store) and node.attr in attributes:
            return False
    return not any(isinstance(n, (tree.Await, tree.Lambda)) for n in tree.walk(limit))
