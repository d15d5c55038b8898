"""Does a derivative really go into a compiled function that is called under a tape?

A tape follows what it watches: trainable variables, what was handed to `watch`, and what is computed
from them. Data that goes through a compiled function under a tape is no concern of it.
"""

from __future__ import annotations

from codemods.analysis import calls, tree
from codemods.analysis.boundary import KERAS, Crossing
from codemods.analysis.compiled import Program
from codemods.analysis.gradients import Recording, is_stopped
from codemods.analysis.scopes import Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import ApiObject, Tensor, Unknown

_ASKS = ("gradient", "jacobian", "batch_jacobian")


def by_tape(crossing: Crossing, program: Program) -> str | None:
    """ "" if something that is watched goes in, the name of what must be watched, or None: nothing is."""
    taker, call = crossing.taker.function, crossing.call
    recording = Recording(taker, program.ev)
    plain = crossing.caller is taker and (crossing.taker.how == KERAS or recording.blocks)
    if not plain or recording.whole is not None or not isinstance(call, tree.Call):
        return ""
    if _holds_variables(crossing, program):
        return ""
    sources = _sources(taker)
    params = {param.id for param in taker.params}
    maybe: str | None = None
    for argument in [*call.args, *(k.value for k in call.keywords)]:
        if isinstance(argument, tree.Call) and is_stopped(
            argument.args[0] if argument.args else argument, taker.module
        ):
            continue
        if not (isinstance(argument, tree.Name) and argument.id in params):
            if not isinstance(argument, tree.Constant):
                return ""
            continue
        if argument.id in sources or len(taker.bindings[argument.id]) > 1:
            return ""
        values = program.ev.evaluate(argument, taker.module)
        if any(isinstance(v, Tensor) and v.kind == "variable" for v in values):
            return ""
        if crossing.taker.how != KERAS and any(isinstance(v, Unknown) for v in values):
            maybe = maybe or argument.id
    return maybe


def _sources(taker: Scope) -> set[str]:
    """The names in what the tape watches, and in what the derivative is taken by."""
    found: set[str] = set()
    for node in calls.own_nodes(taker):
        if not isinstance(node, tree.Call):
            continue
        name = tree.identifier(node.func)
        given: list[Node] = []
        if name in ("watch", "ForwardAccumulator"):
            given = [*node.args, *(k.value for k in node.keywords)]
        elif name in _ASKS:
            given = [*node.args[1:], *(k.value for k in node.keywords if k.arg == "sources")]
        found |= {n.id for one in given for n in tree.walk(one) if isinstance(n, tree.Name)}
    return found


def _holds_variables(crossing: Crossing, program: Program) -> bool:
    """Does the compiled function, or what it runs, read a variable of its own?"""
    for scope, reached in program.reached.items():
        if crossing.root not in reached.preds:
            continue
        for node in calls.own_nodes(scope):
            if isinstance(node, (tree.Name, tree.Attribute)) and isinstance(node.ctx, tree.Load):
                values = program.ev.evaluate(node, scope.module)
                if any(isinstance(v, Tensor) and v.kind == "variable" for v in values):
                    return True
                if any(isinstance(v, ApiObject) and v.name.startswith("keras.") for v in values):
                    return True
                if isinstance(node, tree.Attribute) and any(isinstance(v, Unknown) for v in values):
                    return True
    return False
