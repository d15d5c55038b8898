"""Whether a derivative can go through a library loop: through none of its results, it asks for no bound."""

from __future__ import annotations

from codemods.analysis import calls, places, tree, whiles
from codemods.analysis.carried import is_whole_number
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.gradients import is_stopped
from codemods.analysis.scopes import Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Function, Tensor

ADDITIVE = (
    tree.Name,
    tree.Attribute,
    tree.Constant,
    tree.Tuple,
    tree.BinOp,
    tree.UnaryOp,
    tree.Add,
    tree.Sub,
    tree.USub,
    tree.Assign,
    tree.AugAssign,
    tree.Pass,
    tree.Load,
    tree.Store,
)
"""What a body that saves nothing for its derivative consists of: it adds names up."""

_BITWISE = (tree.BitOr, tree.BitAnd, tree.BitXor)
_DISCRETE = frozenset({
    *("reduce_all", "reduce_any", "logical_and", "logical_or", "logical_not", "logical_xor"),
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "is_finite", "is_nan"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"),
    *("argmax", "argmin", "argsort", "searchsorted"),
})  # fmt: skip


def may_be_derived(call: Node, function: Scope, ev: Evaluator) -> bool:
    """May a derivative of a `tf.while_loop`, `tf.map_fn` or kin need what its iterations compute?"""
    return not (_only_adds(call, function, ev) or _ends_here(call, function, ev))


def _only_adds(call: Node, function: Scope, ev: Evaluator) -> bool:
    body = _body(call, function, ev)
    if body is None:
        return False
    own = [n for n in calls.own_nodes(body) if not isinstance(n, (tree.Return, tree.List))]
    return all(isinstance(node, ADDITIVE) for node in own)


def _ends_here(call: Node, function: Scope, ev: Evaluator) -> bool:
    """Is each result a whole number or a truth value, or only used inside of `tf.stop_gradient`?"""
    starts = _starts(call, function)
    if starts and all(_is_discrete(call, place, function, ev) for place in range(len(starts))):
        return True
    module = function.module
    statement = module.parent.get(call)
    if not (isinstance(statement, tree.Assign) and len(statement.targets) == 1):
        return False
    targets = {n for n in tree.walk(statement.targets[0]) if isinstance(n, tree.Name)}
    if isinstance(statement.targets[0], tree.Tuple) and len(statement.targets[0].elts) == len(starts):
        targets -= {
            target
            for place, target in enumerate(statement.targets[0].elts)
            if _is_discrete(call, place, function, ev)
        }
    uses = [use for name in {target.id for target in targets} for use in places.reads(function, name)]
    if not uses or not ev.flow.known(function) or any(module.enclosing(m) is not function for m in uses):
        return False
    seen = [m for m in uses if targets & (ev.flow.definitions(function, m) or targets)]
    return all(is_stopped(m, module) for m in seen)


def _is_discrete(call: Node, place: int, function: Scope, ev: Evaluator) -> bool:
    """Is a loop variable a whole number or a truth value, by its start or by what the body makes of it?"""
    values = ev.evaluate(_starts(call, function)[place], function.module)
    if is_whole_number(values) or (
        bool(values) and all(isinstance(x, Tensor) and x.kind == "int" for x in values)
    ):
        return True
    body = _body(call, function, ev)
    returned = whiles.only_return(body) if body is not None else None
    if body is None or not isinstance(returned, (tree.Tuple, tree.List)) or len(returned.elts) <= place:
        return False
    made = returned.elts[place]
    if isinstance(made, tree.Name):
        given = [b for b in body.bindings.get(made.id, ()) if b.kind != "param"]
        if len(given) != 1 or given[0].kind != "assign" or given[0].path or given[0].value is None:
            return False
        made = given[0].value
    return _makes_discrete(made, body, ev)


def _makes_discrete(made: Node, body: Scope, ev: Evaluator) -> bool:
    """Only truth values and whole numbers come out of these operations, if they are those of a library."""
    if isinstance(made, tree.BinOp):
        return isinstance(made.op, _BITWISE)
    if isinstance(made, tree.UnaryOp):
        return isinstance(made.op, (tree.Invert, tree.Not))
    return isinstance(made, tree.Compare) or (
        isinstance(made, tree.Call)
        and tree.identifier(made.func) in _DISCRETE
        and any(isinstance(value, Api) for value in ev.evaluate(made.func, body.module))
    )


def _starts(call: Node, function: Scope) -> list[Node]:
    if "while_loop" not in function.module.text(call.func):
        return []
    variables = whiles.given(call, "loop_vars", 2)
    return list(variables.elts) if isinstance(variables, (tree.Tuple, tree.List)) else []


def _body(call: Node, function: Scope, ev: Evaluator) -> Scope | None:
    """The body of a `tf.while_loop`, where it is one known function."""
    if "while_loop" not in function.module.text(call.func):
        return None
    body = whiles.given(call, "body", 1)
    values = ev.evaluate(body, function.module) if body is not None else frozenset()
    found = [v.scope for v in values if isinstance(v, Function)]
    return found[0] if len(found) == 1 == len(values) else None
