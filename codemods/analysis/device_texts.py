"""Texts that name devices where no plain constant does: `f"/CPU:{n}"`, `v.device`, `devices[1].name`.

Source: measured with TensorFlow 2.21.0. The names of logical devices are "/device:CPU:1", `tf.device`
takes such a device itself, too, and the `device` of a variable is the full name of where it lives.
"""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING

from codemods.analysis import library, tree
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    ApiObject,
    Const,
    Env,
    Made,
    Tensor,
    TupleValue,
    Values,
    one,
    union,
    unknown,
)

if TYPE_CHECKING:
    from codemods.analysis.evaluate import Evaluator

_LISTS = frozenset({
    "tensorflow.config.list_logical_devices", "tensorflow.config.experimental.list_logical_devices",
})  # fmt: skip
_SPEC = "tensorflow.DeviceSpec.from_string"
_SEVERAL, _SINGLE = "tensorflow.device.several", "tensorflow.device.single"


def told(ev: Evaluator, node: Node, module: Module, env: Env | None, result: Values) -> Values:
    """What an expression gives: `result`, or more exactly where it is about the name of a device."""
    if isinstance(node, tree.JoinedStr):
        return _joined(ev, node, module, env) or result
    if isinstance(node, tree.Attribute):
        return _attribute(ev.evaluate(node.value, module, env), node.attr) or result
    if isinstance(node, tree.Subscript) and not isinstance(node.slice, tree.Slice):
        base, index = ev.evaluate(node.value, module, env), ev.evaluate(node.slice, module, env)
        return _item(base, index) or result
    if isinstance(node, tree.BinOp) and isinstance(node.op, tree.Mod):
        return _percent(ev.evaluate(node.left, module, env), ev.evaluate(node.right, module, env)) or result
    if isinstance(node, tree.Call):
        return _call(ev, node, module, env) or result
    return result


def plain(values: Values) -> Values:
    """The names that stand for devices given to `tf.device`: a logical device stands for its own."""
    return union(
        value.made.devices
        if isinstance(value, ApiObject) and value.name == _SINGLE and value.made is not None
        else one(value)
        for value in values
    )


def _is(value: object, name: str) -> bool:
    return isinstance(value, ApiObject) and value.name == name


def _constant(values: Values) -> Const | None:
    """The one text or number that some values are."""
    value = next(iter(values), None)
    single = len(values) == 1 and isinstance(value, Const) and isinstance(value.value, (str, int))
    return value if single and isinstance(value, Const) else None


def _joined(ev: Evaluator, node: Node, module: Module, env: Env | None) -> Values | None:
    text = ""
    for part in node.values:
        value = part
        if isinstance(part, tree.FormattedValue):
            if part.format_spec is not None or part.conversion not in (-1, ord("s")):
                return None
            value = part.value
        found = _constant(ev.evaluate(value, module, env))
        if found is None:
            return None
        text += str(found.value)
    return one(Const(text))


def _attribute(base: Values, attr: str) -> Values | None:
    """`variable.device`, `device.name`."""
    if attr == "device" and base and all(isinstance(v, Tensor) and v.made is not None for v in base):
        places = union(v.made.devices for v in base if isinstance(v, Tensor) and v.made is not None)
        return frozenset(Const(v.value or None) if isinstance(v, Const) else v for v in places)
    if attr == "name" and base and all(_is(v, _SINGLE) for v in base):
        return plain(base)
    return None


def _item(base: Values, index: Values) -> Values | None:
    listed, key = next(iter(base), None), _constant(index)
    if len(base) != 1 or not (isinstance(listed, ApiObject) and listed.name == _SEVERAL and listed.made):
        return None
    kind = _constant(listed.made.devices)
    if kind is None or key is None or not isinstance(key.value, int) or key.value < 0:
        return unknown("one of several devices")
    return one(ApiObject(_SINGLE, Made("", 0, one(Const(f"/device:{kind.value!s}:{key.value}")))))


def _percent(left: Values, right: Values) -> Values | None:
    text, given = _constant(left), next(iter(right), None)
    if text is None or not isinstance(text.value, str) or not isinstance(given, TupleValue):
        return None
    if not re.fullmatch(r"(?:[^%]|%[sd])*", text.value):
        return None
    items = [_constant(item) for item in given.items] if len(right) == 1 else [None]
    try:
        return one(Const(text.value % tuple(i.value for i in items if i is not None))) if all(items) else None
    except (TypeError, ValueError):  # the program's own fault
        return None


def _call(ev: Evaluator, node: Node, module: Module, env: Env | None) -> Values | None:
    """`str(n)`, `"/CPU:{}".format(n)`, `spec.to_string()`, a list of devices."""
    if len(node.args) <= 1 and isinstance(node.func, tree.Attribute):
        text = _constant(ev.evaluate(node.func.value, module, env))
        if node.func.attr == "to_string" and text is not None:
            return one(text)
    given = [_constant(ev.evaluate(arg, module, env)) for arg in node.args]
    named = {k.arg: _constant(ev.evaluate(k.value, module, env)) for k in node.keywords}
    known = all(given) and all(named.values()) and None not in named
    if isinstance(node.func, tree.Attribute) and node.func.attr == "format" and known:
        text = _constant(ev.evaluate(node.func.value, module, env))
        if text is not None and isinstance(text.value, str) and _is_simple(text.value):
            keywords = {str(name): value.value for name, value in named.items() if value is not None}
            try:
                return one(Const(text.value.format(*(g.value for g in given if g is not None), **keywords)))
            except (IndexError, KeyError, ValueError, AttributeError):  # the program's own fault
                return None
    first = next(iter([*given, *named.values()]), None)
    names = {library.without_v1(v.name) for v in ev.evaluate(node.func, module, env) if isinstance(v, Api)}
    if names == {"builtins.str"} and first is not None:
        return one(Const(str(first.value)))
    if names == {_SPEC} and first is not None:
        return one(first)
    if names and names <= _LISTS:
        kind = one(first) if first is not None else unknown("devices of any kind")
        return one(ApiObject(_SEVERAL, Made("", 0, kind)))
    return None


def _is_simple(text: str) -> bool:
    """Does a text for `format` only put values in, without widths and attributes?"""
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return False
    return all(
        not spec and not conversion and re.fullmatch(r"\w*", name or "")
        for _, name, spec, conversion in parts
    )
