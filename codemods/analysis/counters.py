"""Counters: names that start at a number and change by a constant, and loops that they end."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.analysis import calls, library, loops, tree
from codemods.analysis.evaluate import Evaluator, find_binding_scope, may_be_called
from codemods.analysis.linear import Linear, linear, number
from codemods.analysis.loops import Loop
from codemods.analysis.scopes import Binding, Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Function

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


@dataclass(eq=False)
class WhileCall:
    """A `tf.while_loop` call, taken apart. position: of the counter among the loop variables."""

    function: Scope
    node: Node
    cond: Scope
    body: Scope
    variables: list[Node]
    container: Node
    counter: Counter | None
    position: int
    bounded: bool
    returned: Node | None
    why: str = ""

    @property
    def module(self) -> Module:
        return self.function.module


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


def conjuncts(test: Node) -> list[Node]:
    """The parts of `a and b`, `tf.logical_and(a, b)`."""
    if isinstance(test, tree.BoolOp) and isinstance(test.op, tree.And):
        return [part for value in test.values for part in conjuncts(value)]
    if (
        isinstance(test, tree.Call)
        and isinstance(test.func, tree.Attribute)
        and test.func.attr == "logical_and"
    ):
        return [part for value in test.args for part in conjuncts(value)]
    return [test]


def comparison(test: Node) -> tuple[str, type, Node] | None:
    """(counter name, operator type, limit) of `c < L`, `L > c`, `tf.less(c, L)`."""
    calls_by_name = {"less": tree.Lt, "less_equal": tree.LtE, "greater": tree.Gt, "greater_equal": tree.GtE}
    if (
        isinstance(test, tree.Call)
        and isinstance(test.func, tree.Attribute)
        and test.func.attr in calls_by_name
    ):
        if len(test.args) != 2:
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
    parts = conjuncts(loop.node.test)
    for part in parts:
        found = comparison(part)
        if found is None:
            continue
        name, op, limit = found
        known = local_counter(name, loop, ev)
        if known is None or not _invariant(limit, loop):
            continue
        start, step, update = known
        times = count(start, step, op, linear(limit, loops.literal))
        if times is None:
            times = count(start, step, op, linear(limit, lambda n: loops.constant_of(ev, loop.module, n)))
        if times is not None:
            tight = len(parts) == 1 and not loops.exits(loop)
            return Counter(name, start, step, limit, times, tight, update)
    return None


def _invariant(limit: Node, loop: Loop) -> bool:
    names = {n.id for n in tree.walk(limit) if isinstance(n, tree.Name)}
    attributes = {n.attr for n in tree.walk(limit) if isinstance(n, tree.Attribute)}
    for node in loop.body_nodes():
        if isinstance(node, tree.Name) and isinstance(node.ctx, tree.Store) and node.id in names:
            return False
        if isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Store) and node.attr in attributes:
            return False
    return not any(isinstance(n, (tree.Await, tree.Lambda)) for n in tree.walk(limit))


# tf.while_loop


def while_calls(function: Scope, ev: Evaluator, proof: Evaluator) -> list[WhileCall]:
    """The `tf.while_loop` calls of a function whose condition and body are functions in sight."""
    found = []
    for node in calls.own_nodes(function):
        if isinstance(node, tree.Call) and may_be_called(node, function.module, "while_loop"):
            values = ev.evaluate(node.func, function.module)
            if any(
                isinstance(v, Api) and library.without_v1(v.name) == "tensorflow.while_loop" for v in values
            ):
                call = _while_call(function, node, ev, proof)
                if call is not None:
                    found.append(call)
    return found


def given(node: Node, name: str, position: int) -> Node | None:
    for kw in node.keywords:
        if kw.arg == name:
            return kw.value
    return node.args[position] if position < len(node.args) else None


def _while_call(function: Scope, node: Node, ev: Evaluator, proof: Evaluator) -> WhileCall | None:
    cond = _function(given(node, "cond", 0), function, ev)
    body = _function(given(node, "body", 1), function, ev)
    variables = given(node, "loop_vars", 2)
    if cond is None or body is None or not isinstance(variables, (tree.Tuple, tree.List)):
        return None
    if any(isinstance(item, tree.Starred) for item in variables.elts):
        return None
    bounded = any(kw.arg in ("maximum_iterations", None) for kw in node.keywords) or len(node.args) > 7
    result = WhileCall(
        function, node, cond, body, list(variables.elts), variables, None, -1, bounded, only_return(body)
    )
    _find_counter(result, proof)
    return result


def _function(node: Node | None, function: Scope, ev: Evaluator) -> Scope | None:
    if node is None:
        return None
    found = [v.scope for v in ev.evaluate(node, function.module) if isinstance(v, Function)]
    return found[0] if len(found) == 1 else None


def only_return(function: Scope) -> Node | None:
    """What a function returns, if there is one return, at its end."""
    if isinstance(function.node, tree.Lambda):
        return function.node.body
    returns = [n for n in calls.own_nodes(function) if isinstance(n, tree.Return)]
    if len(returns) == 1 and returns[0] is function.body[-1]:
        return returns[0].value
    return None


def _find_counter(call: WhileCall, ev: Evaluator) -> None:
    test = only_return(call.cond)
    if test is None or (not isinstance(call.cond.node, tree.Lambda) and len(_statements(call.cond)) != 1):
        call.why = "the condition is not a single expression"
        return
    returned = call.returned
    if not isinstance(returned, (tree.Tuple, tree.List)) or len(returned.elts) != len(call.variables):
        call.why = "the body does not return one value for each loop variable"
        return
    parts = conjuncts(test)
    for part in parts:
        found = comparison(part)
        position = _position(call.cond, found[0]) if found is not None else None
        if found is None or position is None or position >= len(call.variables):
            continue
        name, op, limit = found
        start = loops.constant_of(ev, call.module, call.variables[position])
        params = call.body.params
        step = _returned_step(call, position, params[position].id) if position < len(params) else None
        if start is None or step is None or not _visible(limit, call):
            continue
        times = count(start, step, op, linear(limit, loops.literal))
        if times is None:
            times = count(start, step, op, linear(limit, lambda n: loops.constant_of(ev, call.module, n)))
        if times is not None:
            call.counter = Counter(name, start, step, limit, times, len(parts) == 1, returned.elts[position])
            call.position = position
            return
    call.why = "no counter with a constant start and step bounds the loop"


def _statements(function: Scope) -> list[Node]:
    body = function.body
    if body and isinstance(body[0], tree.Expr) and isinstance(body[0].value, tree.Constant):
        return body[1:]
    return body


def _position(function: Scope, name: str) -> int | None:
    names = [param.id for param in function.params]
    return names.index(name) if name in names else None


def _returned_step(call: WhileCall, position: int, name: str) -> int | None:
    """The step of the counter, from what the body returns for it."""
    value = call.returned.elts[position]  # type: ignore[union-attr]
    if isinstance(value, tree.Name):
        bindings = [b for b in call.body.bindings.get(value.id, []) if b.kind != "param"]
        if value.id == name and len(bindings) == 1 and bindings[0].kind in ("aug", "assign"):
            update = call.body.module.statement(bindings[0].node)
            return step_of_update(update, name) if update in call.body.body else None
        if (
            value.id != name
            and len(bindings) == 1
            and bindings[0].kind == "assign"
            and name_unchanged(call.body, name)
        ):
            return step_of(bindings[0].value, name)
        return None
    return step_of(value, name) if name_unchanged(call.body, name) else None


def name_unchanged(function: Scope, name: str) -> bool:
    """Is a parameter never assigned in its function?"""
    return all(b.kind == "param" for b in function.bindings.get(name, []))


def _visible(limit: Node, call: WhileCall) -> bool:
    """Do the names of the limit mean the same where `tf.while_loop` is called?"""
    if call.cond.module is not call.module:
        return False
    for node in tree.walk(limit):
        if isinstance(node, tree.Name):
            inside = find_binding_scope(call.cond.module.enclosing(node), node.id)
            if inside is call.cond or inside is not find_binding_scope(call.function, node.id):
                return False
    return True
