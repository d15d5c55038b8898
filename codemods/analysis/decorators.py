"""What a function is after its decorators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemods.analysis import calls, objects
from codemods.analysis.names import Scope
from codemods.analysis.values import Const, Env, Function, Instance, Static, Tensor, Unknown, Values, one

if TYPE_CHECKING:
    from codemods.analysis.evaluate import Evaluator


def decorated(ev: Evaluator, function: Scope, env: Env | None) -> Values:
    """A function after its decorators; a decorator that is not understood leaves it as it is."""
    result = one(Function(function, env=env))
    for decorator in reversed(function.node.decorator_list):
        after = calls.call(ev, ev.evaluate(decorator, function.module, env), [result], {})
        useful = frozenset(v for v in after if not isinstance(v, (Unknown, Tensor, Const, Static)))
        if useful:
            _note(ev, result, useful)
            result = useful
    return result


def _note(ev: Evaluator, before: Values, after: Values) -> None:
    """Remember what stands for a function now: whatever a wrapper does, it was made to call that function."""
    functions = {v for v in before if isinstance(v, Function)}
    for value in after - before:
        scope = value.scope if isinstance(value, Function) else None
        if isinstance(value, Instance):
            scope = objects.method(ev, value.scope, "__call__")
        if scope is not None:
            ev.wrapped.setdefault(scope, set()).update(functions)
