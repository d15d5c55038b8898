"""What happens once per trace in a tensor loop, and once per iteration in a Python loop."""

from __future__ import annotations

from collections.abc import Iterable

from codemods.analysis import library, tree
from codemods.analysis.compiled import Program
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    ApiObject,
    DictValue,
    Function,
    ListValue,
    Tensor,
    TupleValue,
    Unknown,
)

_DRAWS = frozenset({
    "rand", "randn", "randint", "random", "normal", "uniform", "choice", "shuffle", "permutation", "integers",
    "standard_normal", "sample",
})  # fmt: skip
_EFFECTS = frozenset({
    "append", "pop", "add", "update", "extend", "remove", "insert", "clear", "setdefault", "popitem",
    "discard", "write_text", "put",
})  # fmt: skip


def effects(statements: Iterable[Node], module: Module, program: Program, depth: int = 0) -> list[str]:
    """Python effects in a loop body, helpers included: what must not matter if it is repeated."""
    found: list[str] = []
    for statement in statements:
        for node in tree.walk(statement):
            if isinstance(node, tree.AugAssign) and isinstance(node.target, (tree.Attribute, tree.Subscript)):
                if not any(isinstance(v, Tensor) for v in program.ev.evaluate(node.target, module)):
                    target = module.text(node.target)
                    found.append(f"`{target}` at line {node.lineno} may be updated in every iteration")
            elif isinstance(node, (tree.Global, tree.Nonlocal)):
                found.append(f"the outer names at line {node.lineno} may be set in every iteration")
            elif isinstance(node, tree.Call):
                found += _effect(node, module, program, depth)
    return found


def _effect(node: Node, module: Module, program: Program, depth: int) -> list[str]:
    found: list[str] = []
    values = program.ev.evaluate(node.func, module)
    if isinstance(node.func, tree.Attribute) and node.func.attr in _EFFECTS:
        base = program.ev.evaluate(node.func.value, module)
        if any(isinstance(v, (ListValue, DictValue, Unknown, TupleValue)) for v in base):
            return [f"`{module.text(node.func)}` at line {node.lineno} may run in every iteration"]
    if isinstance(node.func, tree.Attribute) and node.func.attr in _DRAWS:
        base = program.ev.evaluate(node.func.value, module)
        if not any(isinstance(v, (Api, Tensor)) for v in base):
            return [f"other random numbers may be drawn at line {node.lineno}"]
    for value in values:
        if isinstance(value, Api):
            plain = library.without_v1(value.name)
            if stateful_random(plain) or plain.startswith(("random.", "numpy.random")):
                found.append(f"other random numbers may be drawn at line {node.lineno}")
            elif plain == "builtins.next" or plain.startswith("time."):
                found.append(f"`{module.text(node.func)}` at line {node.lineno} may run in every iteration")
        elif isinstance(value, ApiObject) and "random" in value.name.lower():
            found.append(f"other random numbers may be drawn at line {node.lineno}")
        elif isinstance(value, Function) and depth < 2:
            found += effects(value.scope.body, value.scope.module, program, depth + 1)
    return found


def stateful_random(name: str) -> bool:
    """Does an op draw from the stateful generator of its graph?"""
    last = name.split(".")[-1]
    drawn = name.startswith(("tensorflow.random.", "tensorflow.nn.dropout", "tensorflow.random_"))
    return drawn and not last.startswith("stateless") and "Generator" not in name and last != "set_seed"
