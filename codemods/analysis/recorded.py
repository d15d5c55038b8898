"""What a derivative needs of a loop: values that each iteration saves, in a list that XLA must bound.

Measured with TensorFlow 2.21: a loop that only adds names up, or only counts, saves nothing, and its
derivative compiles without a bound and across the border of XLA. Any other float operation saves.
"""

from __future__ import annotations

from codemods.analysis import calls, library, loops, tree
from codemods.analysis.carried import is_whole_number
from codemods.analysis.compiled import Program
from codemods.analysis.evaluate import Evaluator, may_be_called
from codemods.analysis.loops import Loop
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, ApiObject, Tensor

_LOOPS = frozenset({"while_loop", "map_fn", "scan", "foldl", "foldr"})
_RECURRENT = ("LSTM", "GRU", "SimpleRNN", "RNN", "Bidirectional", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D")
_ADDITIVE = (
    tree.Name,
    tree.Attribute,
    tree.Constant,
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


def saves(loop: Loop, ev: Evaluator) -> bool:
    """Does the derivative of a tensor loop need values of its iterations?"""
    nodes = list(loop.body_nodes())
    if all(isinstance(node, _ADDITIVE) and not _is_float(node) for node in nodes):
        return False
    return not _counts_only(loop, nodes, ev)


def _is_float(node: Node) -> bool:
    return isinstance(node, tree.Constant) and isinstance(node.value, float)


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
        if may_be_called(node, function.module, *_LOOPS):
            values = ev.evaluate(node.func, function.module)
            names = {library.without_v1(v.name) for v in values if isinstance(v, Api)}
            looping = any(name == f"tensorflow.{loop}" for name in names for loop in _LOOPS)
            if looping and not _only_whole(node, function, ev):
                found.append(node)
        elif any(
            isinstance(v, ApiObject) and v.name.startswith("keras.") and v.name.split(".")[-1] in _RECURRENT
            for v in ev.evaluate(node.func, function.module)
        ):
            found.append(node)
    return found


def _only_whole(call: Node, function: Scope, ev: Evaluator) -> bool:
    """Are all loop variables of a `tf.while_loop` whole numbers?"""
    variables = next((k.value for k in call.keywords if k.arg == "loop_vars"), None)
    if variables is None and len(call.args) > 2 and "while_loop" in function.module.text(call.func):
        variables = call.args[2]
    if not isinstance(variables, (tree.Tuple, tree.List)) or not variables.elts:
        return False
    values = [ev.evaluate(item, function.module) for item in variables.elts]
    return all(
        is_whole_number(v) or (bool(v) and all(isinstance(x, Tensor) and x.kind == "int" for x in v))
        for v in values
    )


def below(function: Scope, program: Program) -> list[tuple[Module, Node]]:
    """The loops that save values, in a compiled function and in everything that it runs."""
    found = []
    for scope, reached in program.reached.items():
        if any(root.function is function for root in reached.preds):
            for loop in loops.find(scope, program.ev, program.proof):
                if loop.is_tensor_loop and saves(loop, program.ev):
                    found.append((scope.module, loop.header))
            found += [(scope.module, node) for node in calls_that_save(scope, program.ev)]
    return found
