"""Is a number certainly an int: a Python int, or a scalar of type int32?"""

from __future__ import annotations

from typing import Literal

from codemods.analysis import library, loops, tree
from codemods.analysis.compiled import Program
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Const, Static, Tensor, is_python_int

Kind = Literal["int", "other", "unknown"]
"""other: certainly a float, or an integer of another width."""

_DEPTH = 12
_SAME = frozenset(
    [
        "identity",
        "abs",
        "negative",
        "squeeze",
        "stop_gradient",
        "reduce_sum",
        "reduce_max",
        "reduce_min",
        "reduce_prod",
        "math.reduce_sum",
        "math.reduce_max",
        "math.reduce_min",
        "math.abs",
    ]
)
_JOIN = frozenset(
    [
        "maximum",
        "minimum",
        "add",
        "subtract",
        "multiply",
        "floordiv",
        "math.maximum",
        "math.minimum",
        "math.add",
        "math.subtract",
    ]
)
_DIMENSIONS = frozenset({"tensorflow.TensorShape.num_elements"})


def kind_of(node: Node, module: Module, program: Program, depth: int = 0) -> Kind:
    """What is known about the type of a number, for all callers."""
    if depth > _DEPTH:
        return "unknown"

    def inner(part: Node) -> Kind:
        return kind_of(part, module, program, depth + 1)

    if isinstance(node, tree.Name):
        found = loops.definition(node, module, program.proof)
        if found is not None:
            return kind_of(found, module, program, depth + 1)
    if isinstance(node, tree.UnaryOp):
        return inner(node.operand)
    if isinstance(node, tree.BinOp):
        if isinstance(node.op, tree.Div):
            return "other"
        return join(inner(node.left), inner(node.right))
    if isinstance(node, tree.IfExp):
        return join(inner(node.body), inner(node.orelse))
    if isinstance(node, tree.BoolOp):
        return join(*[inner(part) for part in node.values])
    if isinstance(node, tree.Call):
        return _call(node, module, program, depth)
    values = program.proof.evaluate(node, module)
    if values and all(is_python_int(v) or (isinstance(v, Static) and v.kind == "dim") for v in values):
        return "int"
    if any(isinstance(v, Const) and isinstance(v.value, float) for v in values):
        return "other"
    if isinstance(node, tree.Subscript) and _is_sizes(node.value, module, program):
        return inner(node.value)
    return "unknown"


def join(*kinds: Kind) -> Kind:
    if "other" in kinds:
        return "other"
    return "unknown" if "unknown" in kinds else "int"


def names_int32(node: Node, module: Module, program: Program) -> bool | None:
    """Does an expression name the type int32? None: not known."""
    names = _type_names(node, module, program)
    if len(names) != 1 or None in names:
        return None
    return names == {"int32"}


def _type_names(node: Node, module: Module, program: Program) -> set[object]:
    """The types that an expression may name ("int32"); None among them for what is no type."""
    return {
        v.name.split(".")[-1] if isinstance(v, Api) else v.value if isinstance(v, Const) else None
        for v in program.proof.evaluate(node, module)
    }


_DISCRETE = frozenset({
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
})  # fmt: skip


def has_no_derivative(node: Node | None, module: Module, program: Program) -> bool:
    """Does an expression certainly name a type of whole numbers or truth values?

    Source: TensorFlow 2.21 on XLA:CPU, where a list of such elements passes through the derivative of a loop.
    """
    names = _type_names(node, module, program) if node is not None else set()
    return bool(names) and names <= _DISCRETE


_WIDE = frozenset({"int64", "int16", "int8", "uint8", "uint16", "uint32", "uint64"})


def is_wide(node: Node, module: Module, program: Program, depth: int = 0) -> bool:
    """Is a number certainly an integer tensor of another width than int32?"""
    if depth > _DEPTH:
        return False
    if isinstance(node, tree.Name):
        found = loops.definition(node, module, program.proof)
        return found is not None and is_wide(found, module, program, depth + 1)
    if isinstance(node, (tree.BinOp, tree.Subscript)):
        parts = [node.left, node.right] if isinstance(node, tree.BinOp) else [node.value]
        return any(is_wide(part, module, program, depth + 1) for part in parts)
    if not isinstance(node, tree.Call):
        return False
    given = _argument(node, "dtype", 1) or _argument(node, "out_type", 1)
    if given is None:
        return any(is_wide(arg, module, program, depth + 1) for arg in node.args)
    names = _type_names(given, module, program)
    return bool(names) and names <= _WIDE


def _is_sizes(node: Node, module: Module, program: Program) -> bool:
    values = program.proof.evaluate(node, module)
    return bool(values) and all(isinstance(v, Tensor) and v.kind == "shape" for v in values)


def _argument(node: Node, name: str, position: int) -> Node | None:
    for kw in node.keywords:
        if kw.arg == name:
            return kw.value
    return node.args[position] if position < len(node.args) else None


def _call(node: Node, module: Module, program: Program, depth: int) -> Kind:
    names = {
        library.without_v1(v.name) if isinstance(v, Api) else ""
        for v in program.proof.evaluate(node.func, module)
    }
    if (
        len(names) != 1
        or any(kw.arg is None for kw in node.keywords)
        or any(isinstance(a, tree.Starred) for a in node.args)
    ):
        return "unknown"
    name = next(iter(names))
    short = name.removeprefix("tensorflow.")
    parts = [kind_of(arg, module, program, depth + 1) for arg in node.args]
    if (
        name in ("builtins.len", "builtins.int", "tensorflow.rank", "tensorflow.TensorArray.size")
        or name in _DIMENSIONS
    ):
        return "int"
    if name in ("builtins.max", "builtins.min", "builtins.abs"):
        return join(*parts) if parts else "unknown"
    if short in ("shape", "size"):
        return _typed(_argument(node, "out_type", 1), module, program, "int")
    if short in ("cast", "dtypes.cast"):
        given = _argument(node, "dtype", 1)
        return _typed(given, module, program, "unknown") if given is not None else "unknown"
    if short in ("constant", "convert_to_tensor"):
        return _typed(_argument(node, "dtype", 1), module, program, parts[0] if parts else "unknown")
    if name.startswith("tensorflow.") and short in _SAME:
        return parts[0] if parts else "unknown"
    if name.startswith("tensorflow.") and short in _JOIN and len(parts) == 2 and not node.keywords:
        return join(*parts)
    if short in ("divide", "truediv", "math.divide", "math.ceil", "math.floor"):
        return "other"
    return "unknown"


def _typed(given: Node | None, module: Module, program: Program, default: Kind) -> Kind:
    if given is None:
        return default
    answer = names_int32(given, module, program)
    return "unknown" if answer is None else "int" if answer else "other"
