"""The shape of what is written to a TensorArray, as text, where the code shows it."""

from __future__ import annotations

from codemods.analysis import dtypes, library, loops, tree
from codemods.analysis.bounds import Bounds
from codemods.analysis.loops import Loop
from codemods.analysis.places import stable_between
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Tensor, Unknown

_REDUCE = frozenset({"reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod"})
_KEEP = frozenset(
    {"square", "abs", "sqrt", "exp", "tanh", "sigmoid", "negative", "relu", "sin", "cos", "log"}
)


def shape_of(node: Node, loop: Loop, bounds: Bounds) -> str | None:
    """Source text of a shape, valid where the array is made; adds to the assumptions of `bounds`."""
    module = loop.module
    if isinstance(node, tree.Subscript):
        return _row(node.value, loop, bounds) if _one_row(node.slice, loop, bounds, module) else None
    if isinstance(node, tree.Name):
        if loop.element is not None and node.id == loop.element.id and loop.iterable is not None:
            rebound = any(
                isinstance(n, tree.Name) and n.id == node.id and not isinstance(n.ctx, tree.Load)
                for n in loop.body_nodes()
            )
            return None if rebound else _row(loop.iterable, loop, bounds)
        inner = loops.definition(node, module, bounds.ev)
        return shape_of(inner, loop, bounds) if inner is not None else None
    if isinstance(node, tree.BinOp):
        numbers = [n for n in (node.left, node.right) if loops.literal(n) is None and not _is_float(n)]
        sides = [shape_of(side, loop, bounds) for side in numbers]
        return sides[0] if sides and len(set(sides)) == 1 else None
    if isinstance(node, tree.UnaryOp):
        return shape_of(node.operand, loop, bounds)
    if isinstance(node, tree.Call):
        names = {
            library.without_v1(v.name).split(".")[-1]
            for v in bounds.ev.evaluate(node.func, module)
            if isinstance(v, Api)
        }
        if names and names <= _REDUCE and len(node.args) == 1:
            return "[]" if not node.keywords else None
        if names and names <= _KEEP:
            return shape_of(node.args[0], loop, bounds) if node.args else None
    return None


def _is_float(node: Node) -> bool:
    return isinstance(node, tree.Constant) and isinstance(node.value, float)


def _row(base: Node, loop: Loop, bounds: Bounds) -> str | None:
    """The shape of a row of a tensor that is the same where the array is made."""
    if not isinstance(base, (tree.Name, tree.Attribute)):
        return None
    if not stable_between(base, bounds.array.node, loop.node, loop.function, bounds.program) or bounds.stored(
        base, loop
    ):
        return None
    values = bounds.ev.evaluate(base, loop.module)
    if not all(isinstance(v, (Tensor, Unknown)) for v in values):
        return None
    bounds.assumptions.append(f"`{loop.module.text(base)}` is a tensor whose shape is known")
    return f"{loop.module.text(base)}.shape[1:]"


def _one_row(index: Node, loop: Loop, bounds: Bounds, module: Module) -> bool:
    """Does an index select one row? (`None` adds an axis, a tensor of indices keeps one.)"""
    if isinstance(index, (tree.Slice, tree.Tuple)):
        return False
    if isinstance(index, tree.Name) and loop.index is not None and index.id == loop.index.id:
        return True
    return dtypes.kind_of(index, module, bounds.program) == "int"
