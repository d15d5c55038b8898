"""Numbers that a tensor loop carries from one iteration to the next."""

from __future__ import annotations

from codemods.analysis import tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.loops import Loop
from codemods.analysis.tree import Node
from codemods.analysis.values import Const, Static, Tensor, Values, constants


def carried_counters(loop: Loop, ev: Evaluator) -> set[str]:
    """Python numbers that the loop updates from themselves: inside a tensor loop they are tensors."""
    found = set()
    for node in loop.body_nodes():
        if isinstance(node, tree.AugAssign) and isinstance(node.target, tree.Name):
            name, value = node.target.id, node.value
        elif (
            isinstance(node, tree.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], tree.Name)
        ):
            name, value = node.targets[0].id, node.value
            if not any(isinstance(n, tree.Name) and n.id == name for n in tree.walk(value)):
                continue
        else:
            continue
        outside = [
            b
            for b in loop.function.bindings.get(name, [])
            if b.kind == "assign" and not _within(loop, b.node)
        ]
        if not outside or loop.module.enclosing(node) is not loop.function:
            continue
        start = [ev.evaluate(b.value, loop.module) for b in outside if b.value is not None and not b.path]
        step = [
            n for n in tree.walk(value) if isinstance(n, (tree.Call, tree.Subscript)) and not _arithmetic(n)
        ]
        if start and all(is_whole_number(values) for values in start) and not step:
            bases = {n.func.value for n in tree.walk(value) if isinstance(n, tree.Call)}
            operands = [
                n for n in tree.walk(value) if isinstance(n, tree.Name) and n.id != name and n not in bases
            ]
            if all(
                is_whole_number(ev.evaluate(n, loop.module)) or n.id == getattr(loop.index, "id", "")
                for n in operands
            ):
                found.add(name)
    return found


def _arithmetic(node: Node) -> bool:
    """`tf.add(i, 1)` and kin."""
    names = ("add", "subtract", "multiply")
    return isinstance(node, tree.Call) and isinstance(node.func, tree.Attribute) and node.func.attr in names


def _within(loop: Loop, node: Node) -> bool:
    return any(a is loop.node for a in loop.module.ancestors(node))


def is_whole_number(values: Values) -> bool:
    """Is a value an int that is known while tracing, or a tensor made from one?"""
    if constants(values) is not None:
        return True
    return bool(values) and all(
        (isinstance(v, Static) and v.kind in ("int", "dim"))
        or (isinstance(v, Const) and isinstance(v.value, int))
        or (isinstance(v, Tensor) and v.kind == "int" and v.const is not None)
        for v in values
    )
