"""The arguments of a TensorArray: may it grow?"""

from __future__ import annotations

from collections.abc import Iterator

from codemods.analysis import tree, whiles
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import Const, DictValue, Value
from codemods.knowledge.tensor_array import ARGUMENTS


def argument(call: Node, name: str) -> Node | None:
    """An argument of `tf.TensorArray(...)`, by keyword or position."""
    return whiles.given(call, name, ARGUMENTS.index(name))


def may_grow(call: Node, module: Module, ev: Evaluator) -> tuple[bool, str]:
    """Is `dynamic_size` given, and not certainly False? And why it cannot be changed, "" if it can."""
    given = argument(call, "dynamic_size")
    if given is None:
        return _in_a_dictionary(call, module, ev)
    values = ev.evaluate(given, module)
    if values and all(isinstance(v, Const) and not v.value for v in values):
        return False, ""
    certain = bool(values) and all(isinstance(v, Const) and v.value for v in values)
    return True, "" if certain else f"`dynamic_size={module.text(given)}` may be False"


def _in_a_dictionary(call: Node, module: Module, ev: Evaluator) -> tuple[bool, str]:
    """Does `**options` hold the flag?"""
    for kw in call.keywords:
        if kw.arg is None and any(
            not isinstance(flag, Const) or flag.value
            for flag in _values_of("dynamic_size", kw.value, module, ev)
        ):
            return True, f"its arguments stand in `**{module.text(kw.value)}`"
    return False, ""


def _values_of(key: str, node: Node, module: Module, ev: Evaluator) -> Iterator[Value]:
    """What a dictionary that stands there, or is made under a name, has under a key."""
    if isinstance(node, tree.Name):
        holder = find_binding_scope(module.enclosing(node), node.id)
        for binding in holder.bindings[node.id] if holder is not None else ():
            value = binding.value if binding.kind == "assign" else None
            if value is not None and not isinstance(value, tree.Name):
                yield from _values_of(key, value, module, ev)
    if isinstance(node, tree.Call):
        for kw in node.keywords:
            if kw.arg == key:
                yield from ev.evaluate(kw.value, module)
        return
    for value in ev.evaluate(node, module):
        if isinstance(value, DictValue):
            for name, values in value.items:
                if name == key:
                    yield from values
