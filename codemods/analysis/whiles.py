"""`tf.while_loop` calls, taken apart: condition, body, loop variables, and the counter among them."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.analysis import calls, library, loops, tree
from codemods.analysis.counters import Counter, comparison, conjuncts, count, step_of, step_of_update
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.linear import linear
from codemods.analysis.names import find_binding_scope, may_be_called
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Class, Const, Function
from codemods.knowledge.while_loop import V1, V2


@dataclass(eq=False)
class WhileCall:
    """A `tf.while_loop` call, taken apart. position: of the counter among the loop variables.

    cond_params, body_params: the parameters that get the loop variables (no `self` of a bound method).
    """

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
    cond_params: list[Node]
    body_params: list[Node]
    why: str = ""

    @property
    def module(self) -> Module:
        return self.function.module


def library_calls(function: Scope, ev: Evaluator) -> list[Node]:
    """The `tf.while_loop` calls of a function, whatever is known of their condition and body."""
    found = []
    for node in calls.own_nodes(function):
        if isinstance(node, tree.Call) and may_be_called(node, function.module, "while_loop"):
            values = ev.evaluate(node.func, function.module)
            if any(
                isinstance(v, Api) and library.without_v1(v.name) == "tensorflow.while_loop" for v in values
            ):
                found.append(node)
    return found


def is_bounded(node: Node, module: Module, ev: Evaluator) -> bool:
    """Has a `tf.while_loop` call a bound, or no derivative at all (`back_prop=False`)?"""
    names = [v.name for v in ev.evaluate(node.func, module) if isinstance(v, Api)]
    signature = V1 if any(name.startswith("tensorflow.compat.v1.") for name in names) else V2
    for name, without in (("maximum_iterations", None), ("back_prop", False)):
        found = given(node, name, signature.index(name))
        if found is None:
            continue
        values = ev.evaluate(found, module)
        given_up = values == {Const(without)}
        if given_up if name == "back_prop" else not given_up:
            return True
    return any(kw.arg is None for kw in node.keywords) or any(isinstance(a, tree.Starred) for a in node.args)


def while_calls(function: Scope, ev: Evaluator, proof: Evaluator) -> list[WhileCall]:
    """The `tf.while_loop` calls of a function whose condition and body are functions in sight."""
    found = (_while_call(function, node, ev, proof) for node in library_calls(function, ev))
    return [call for call in found if call is not None]


def given(node: Node, name: str, position: int) -> Node | None:
    """What a call gives for a parameter, by keyword or by position."""
    for kw in node.keywords:
        if kw.arg == name:
            return kw.value
    return node.args[position] if position < len(node.args) else None


def _while_call(function: Scope, node: Node, ev: Evaluator, proof: Evaluator) -> WhileCall | None:
    condition = _function(given(node, "cond", 0), function, ev, proof)
    repeated = _function(given(node, "body", 1), function, ev, proof)
    variables = given(node, "loop_vars", 2)
    if condition is None or repeated is None or not isinstance(variables, (tree.Tuple, tree.List)):
        return None
    if any(isinstance(item, tree.Starred) for item in variables.elts):
        return None
    cond, body = condition.scope, repeated.scope
    bounded = is_bounded(node, function.module, ev)
    result = WhileCall(
        function, node, cond, body, list(variables.elts), variables, None, -1, bounded, only_return(body),
        parameters(condition), parameters(repeated),
    )  # fmt: skip
    _find_counter(result, proof)
    return result


def _function(node: Node | None, function: Scope, ev: Evaluator, proof: Evaluator) -> Function | None:
    if node is None:
        return None
    found = [v for v in ev.evaluate(node, function.module) if isinstance(v, Function)]
    return found[0] if len(found) == 1 and not others(found[0], node, function.module, proof) else None


def others(function: Function, node: Node, module: Module, proof: Evaluator) -> bool:
    """May an expression be another function as well, in an object of a subclass, say?"""
    known = (v for v in proof.evaluate(node, module) if isinstance(v, Function))
    return any(v.scope is not function.scope for v in known)


def parameters(function: Function) -> list[Node]:
    """The parameters that a call fills, without the `self` that a bound method brings along."""
    scope, bound = function.scope, function.bound
    of_class = isinstance(bound, Class) and "classmethod" not in scope.plain_decorators
    skipped = bound is not None and not of_class and not scope.is_static
    return scope.params[1:] if skipped else list(scope.params)


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
    if test is None or (not isinstance(call.cond.node, tree.Lambda) and len(statements(call.cond)) != 1):
        call.why = "the condition is not a single expression"
        return
    returned = call.returned
    if not isinstance(returned, (tree.Tuple, tree.List)) or len(returned.elts) != len(call.variables):
        call.why = "the body does not return one value for each loop variable"
        return
    parts = conjuncts(test, call.cond.module, ev)
    for part in parts:
        found = comparison(part, call.cond.module, ev)
        position = _position(call.cond_params, found[0]) if found is not None else None
        if found is None or position is None or position >= len(call.variables):
            continue
        name, op, limit = found
        start = loops.constant_of(ev, call.module, call.variables[position])
        params = call.body_params
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


def statements(function: Scope) -> list[Node]:
    """What a function computes: its body without the docstring, and `del` of what it does not use."""
    return [node for node in function.body if not _says_nothing(node)]


def _says_nothing(node: Node) -> bool:
    if isinstance(node, tree.Delete):
        return all(isinstance(target, tree.Name) for target in node.targets)
    return isinstance(node, tree.Expr) and isinstance(node.value, tree.Constant)


def _position(params: list[Node], name: str) -> int | None:
    names = [param.id for param in params]
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
