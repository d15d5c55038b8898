"""What a derivative needs of a loop: values that each iteration saves, in a list that XLA must bound.

Measured with TensorFlow 2.21: a loop that only adds names up, or only counts, saves nothing, and its
derivative compiles without a bound and across the border of XLA. Any other float operation saves.
"""

from __future__ import annotations

from codemods.analysis import calls, library, loops, pretraced, tree
from codemods.analysis.carried import is_whole_number
from codemods.analysis.compiled import Program
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.loop_results import ADDITIVE, may_be_derived
from codemods.analysis.loops import Loop
from codemods.analysis.names import may_be_called
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, ApiObject, Unknown
from codemods.knowledge.loops import LOOPS

_NAMES = tuple(name.rpartition(".")[2] for name in LOOPS)
_RECURRENT = ("LSTM", "GRU", "SimpleRNN", "RNN", "Bidirectional", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D")


def saves(loop: Loop, ev: Evaluator) -> bool:
    """Does the derivative of a tensor loop need values of its iterations?"""
    nodes = list(loop.body_nodes())
    if all(isinstance(node, ADDITIVE) for node in nodes):
        return False
    return not _counts_only(loop, nodes, ev)


def _counts_only(loop: Loop, nodes: list[Node], ev: Evaluator) -> bool:
    """Are all names that the loop binds whole numbers? Then there is nothing to differentiate."""
    stored = {n.id for n in nodes if isinstance(n, tree.Name) and isinstance(n.ctx, tree.Store)}
    if not stored or any(isinstance(n, (tree.Expr, *tree.FUNCTIONS)) for n in nodes):
        return False
    for name in stored:
        starts = [
            b.value
            for b in loop.function.bindings.get(name, ())
            if b.kind == "assign"
            and b.value is not None
            and not any(a is loop.node for a in loop.module.ancestors(b.node))
        ]
        if not starts or not all(is_whole_number(ev.evaluate(v, loop.module)) for v in starts):
            return False
    return True


def calls_that_save(function: Scope, ev: Evaluator) -> list[Node]:
    """Library calls of a function that run a tensor loop: `tf.while_loop`, `tf.map_fn`, a Keras LSTM."""
    found = []
    for node in calls.own_nodes(function):
        if not isinstance(node, tree.Call):
            continue
        if may_be_called(node, function.module, *_NAMES):
            values = ev.evaluate(node.func, function.module)
            names = {library.without_v1(v.name) for v in values if isinstance(v, Api)}
            if names & LOOPS and may_be_derived(node, function, ev):
                found.append(node)
        elif any(
            isinstance(v, ApiObject) and v.name.startswith("keras.") and v.name.split(".")[-1] in _RECURRENT
            for v in ev.evaluate(node.func, function.module)
        ):
            found.append(node)
    return found


def unknown_argument(loop: Loop, program: Program) -> str:
    """What must be a tensor for a loop to be a tensor loop, where nothing is known of it.

    Only in a function that is a `tf.function` itself: its arguments are tensors as a rule.
    """
    function, ev = loop.function, program.ev
    if loop.kind != "unknown" or not _is_traced(function, program):
        return ""
    if not isinstance(loop.node, tree.While):
        return _unknown_name(loop.node.iter, loop, ev)
    for node in tree.walk(loop.node.test):
        name = _unknown_name(node, loop, ev)
        if name:
            return name
    return ""


def _is_traced(function: Scope, program: Program) -> bool:
    roots = (root.function for root in program.roots)
    return function in roots or pretraced.plain_function(function, program.ev) is not None


def _unknown_name(node: Node, loop: Loop, ev: Evaluator) -> str:
    """The name of a value of which only that is known: it comes from an argument."""
    if not isinstance(node, tree.Name) or not isinstance(node.ctx, tree.Load):
        return ""
    values = ev.evaluate(node, loop.module)
    params = {param.id for param in loop.function.params}
    found = [b.value for b in loop.function.bindings.get(node.id, ()) if b.value is not None]
    named = {n.id for value in found for n in tree.walk(value) if isinstance(n, tree.Name)}
    from_argument = node.id in params or bool(named & params)
    unknown = bool(values) and all(isinstance(v, Unknown) for v in values)
    return str(node.id) if unknown and from_argument else ""


def below(function: Scope, program: Program) -> list[tuple[Module, Node, str]]:
    """The loops that save values, in a compiled function and in everything that it runs.

    Each with the parameter that must be a tensor for it, "" where it is known to run over tensors.
    """
    found = []
    for scope, reached in program.reached.items():
        if any(root.function is function for root in reached.preds):
            for loop in loops.find(scope, program.ev, program.proof):
                name = unknown_argument(loop, program)
                if (loop.is_tensor_loop or name) and saves(loop, program.ev):
                    found.append((scope.module, loop.header, name))
            found += [(scope.module, node, "") for node in calls_that_save(scope, program.ev)]
    return sorted(found, key=lambda one: bool(one[2]))
