"""What a library call makes of a Python number where it got a tensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemods.analysis import calls, library, tree
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.knowledge.operands import CONSTANT_OPERANDS
from codemods.knowledge.python_operands import PYTHON_ATTRIBUTE_OPERANDS

if TYPE_CHECKING:
    from codemods.analysis.audit import Auditor

_PREDICATES = frozenset({"tensorflow.cond", "tensorflow.case", "tensorflow.switch_case"})
_COMPARE = {tree.Eq: "equal", tree.NotEq: "not_equal", tree.Lt: "less", tree.LtE: "less_equal",
            tree.Gt: "greater", tree.GtE: "greater_equal"}  # fmt: skip
_NUMERIC_BUILTINS = frozenset({"int", "abs", "min", "max", "sum", "round", "pow", "divmod"})
_INT64_SAFE = frozenset({
    "cast", "gather", "gather_nd", "slice", "print", "Assert", "write", "read", "one_hot", "name_scope",
    "roll", "pad", "tile", "range", "fill", "reshape",
})  # fmt: skip


@dataclass(frozen=True)
class Number:
    """kind: int | float | bool; wide: it was an int64 tensor."""

    kind: str
    wide: bool = False


def library_call(
    audit: Auditor, module: Module, node: Node, call: Node, name: str, number: Number, depth: int
) -> None:
    """A library function gets the number, or something that is computed from it."""
    plain = library.without_v1(name)
    head, _, rest = plain.partition(".")
    line, spelled = call.lineno, module.text(call.func)
    if head == "builtins":
        if rest in _NUMERIC_BUILTINS:
            audit.use(module, call, Number("int" if rest == "int" else number.kind, number.wide), depth)
        elif rest == "float":
            audit.use(module, call, Number("float"), depth)
        elif rest == "bool":
            audit.use(module, call, Number("bool"), depth)
        elif rest in ("isinstance", "type", "hasattr", "getattr"):
            audit.block(f"`{spelled}` at line {line} tells a tensor from a Python number")
        elif rest not in ("range", "print", "str", "repr", "len", "format", "enumerate"):
            audit.assume(f"`{spelled}` at line {line} takes a Python {number.kind}")
        return
    if head not in ("tensorflow", "keras"):
        return  # NumPy and the like cannot have got a tensor in a graph
    last = rest.split(".")[-1]
    if plain in _PREDICATES:
        _predicate(audit, module, node, call, plain, number)
        return
    if last in (
        "is_tensor",
        "is_tf_type",
        "py_function",
        "numpy_function",
        "Variable",
    ) or rest.startswith("autograph"):
        audit.block(f"`{spelled}` at line {line} needs the index as a tensor")
        return
    rows = (*CONSTANT_OPERANDS.get(name, ()), *PYTHON_ATTRIBUTE_OPERANDS.get(name, ()))
    if any(calls.operand(call, row) is node for row in rows):
        if number.kind == "float":
            audit.block(f"the operand of `{spelled}` at line {line} would be a Python float")
        return
    if head == "keras" and not rest.startswith("ops."):
        audit.block(f"`{spelled}` at line {line} is called with the index, and may need a tensor")
    elif last == "cast":
        if number.kind == "float":
            kind = module.text(call.args[1] if len(call.args) > 1 else call).strip("\"'").split(".")[-1]
            if kind not in ("float32", "float16", "bfloat16"):
                audit.assume(f"a float32 at line {line} is exact enough where it was float64")
    elif number.kind == "float":
        audit.assume(f"a Python float at line {line} was a float64 tensor")
    elif number.wide and last not in _INT64_SAFE:
        audit.block(f"the int64 index shows at line {line}, where it would become int32")


def _predicate(audit: Auditor, module: Module, node: Node, call: Node, plain: str, number: Number) -> None:
    """`tf.cond` and kin take no Python bool; a plain comparison can be made a tensor again."""
    spelled = module.text(call.func)
    is_predicate = (call.args and node is call.args[0]) or any(
        kw.value is node and kw.arg in ("pred", "branch_index", "pred_fn_pairs") for kw in call.keywords
    )
    if not is_predicate:
        audit.assume(f"`{spelled}` at line {call.lineno} takes a Python {number.kind}")
        return
    prefix = spelled.rpartition(".")[0]
    simple = isinstance(node, tree.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE
    if plain != "tensorflow.cond" or not simple or not prefix or module is not audit.module or number.wide:
        audit.block(f"`{spelled}` at line {call.lineno} needs the index as a tensor")
        return
    name, sides = _COMPARE[type(node.ops[0])], (node.left, node.comparators[0])
    text = f"{prefix}.{name}({', '.join(map(module.text, sides))})"
    if all(old is not node for old, _ in audit.result.replacements):
        audit.result.replacements.append((node, text))
