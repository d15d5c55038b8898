"""Variables of type int32 in compiled code, and the types that all their uses would take instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codemods.analysis import dtypes, library, tree
from codemods.analysis.compiled import Program
from codemods.analysis.devices import Entry, known
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Const, Made, Tensor
from codemods.analysis.variable_uses import Use
from codemods.knowledge import devices as table, int32 as facts

_FILES = 40


@dataclass(frozen=True, eq=False)
class Whole:
    """An int32 variable in compiled code: its first use, the call that made it, and what names its type.

    types: the expressions that say int32; none where Python ints alone decide. typed: the call that
    takes the type then: the one that made it, or the one of its initial value (`tf.range(8)`).
    """

    use: Use
    module: Module
    node: Node
    types: tuple[Node, ...]
    typed: Node


def find(function: Scope, program: Program) -> list[Whole]:
    """Those whose first use in compiled code stands in a function."""
    devices = program.devices
    found: dict[tuple[str, int], Use] = {}
    for root in program.roots:
        for entry in devices.entries(root):
            if not _on_cpu(entry):
                for use in entry.uses:
                    found.setdefault((use.made.path, use.made.start), use)
    result = []
    for use in found.values():
        made = devices.node_of(use.made) if use.function is function and not use.state else None
        types = _types(made[1], made[0], program) if made is not None else None
        if made is not None and types is not None:
            value = _initial(made[1])
            of_ints = value is not None and _is_call_of_ints(value, made[0], program)
            result.append(Whole(use, *made, types, value if of_ints else made[1]))
    return result


def _on_cpu(entry: Entry) -> bool:
    return (known(entry.devices) or "").startswith("/CPU")


def _types(node: Node, module: Module, program: Program) -> tuple[Node, ...] | None:
    """The expressions that make a new variable an int32, () where Python ints do; None if it is none."""
    given = _keyword(node, "dtype")
    method = tree.identifier(node.func) in table.VARIABLE_METHODS
    if given is not None and not dtypes.names_int32(given, module, program):
        return None
    if method:
        return (given,) if given is not None else None
    value = _initial(node)
    if value is None:
        return (given,) if given is not None else None
    inner = _inner_type(value, module, program)
    if inner is not None:
        return tuple(one for one in (given, inner) if one is not None)
    if not _is_python_ints(value, module, program) and not _is_call_of_ints(value, module, program):
        return None
    return (given,) if given is not None else ()


def _initial(node: Node) -> Node | None:
    return node.args[0] if node.args else _keyword(node, "initial_value")


def _is_call_of_ints(value: Node, module: Module, program: Program) -> bool:
    """Is it a call that makes an int32 tensor of Python ints, without a type: `tf.range(8)`?"""
    if not isinstance(value, tree.Call) or not value.args or _keyword(value, "dtype") is not None:
        return False
    callee = program.ev.evaluate(value.func, module)
    names = {library.without_v1(v.name) for v in callee if isinstance(v, Api)}
    return (
        bool(names)
        and names <= facts.OF_INTS
        and all(_is_python_ints(a, module, program) for a in value.args)
    )


def _keyword(node: Node, name: str) -> Node | None:
    return next((k.value for k in node.keywords if k.arg == name), None)


def _inner_type(value: Node, module: Module, program: Program) -> Node | None:
    """The type that the call of an initial value names, if that is int32: `tf.zeros([], tf.int32)`."""
    if not isinstance(value, tree.Call):
        return None
    for argument in [*value.args, *(k.value for k in value.keywords)]:
        if dtypes.names_int32(argument, module, program):
            return argument
    return None


def _is_python_ints(value: Node, module: Module, program: Program) -> bool:
    if isinstance(value, (tree.List, tree.Tuple)):
        return bool(value.elts) and all(_is_python_ints(item, module, program) for item in value.elts)
    values = program.proof.evaluate(value, module)
    return bool(values) and all(isinstance(v, Const) and type(v.value) is int for v in values)


# uses


def objection(found: Whole, wanted: str, program: Program) -> str:
    """A use that may not take another type ("int64", "float32"), in words; "" if all take it."""
    statement = found.module.statement(found.node)
    targets = statement.targets if isinstance(statement, tree.Assign) else []
    if len(targets) != 1 or not isinstance(targets[0], (tree.Name, tree.Attribute)):
        return "it is not followed where it goes"
    if statement.value is not found.node:
        return "it is part of a larger expression"
    name = tree.identifier(targets[0])
    paths = program.project.with_word(name, found.module.path)
    if len(paths) > _FILES:
        return f"`{name}` is mentioned in too many files to follow"
    for module, node in _mentions(name, paths, found.use.made, program):
        if not _takes(node, module, wanted, program):
            place = f"{module.path}:{node.lineno}"
            return f"`{module.text(module.parent.get(node, node))}` at {place} may need an int32"
    return ""


def _mentions(name: str, paths: list[str], made: Made, program: Program) -> Iterator[tuple[Module, Node]]:
    for path in paths:
        module = program.project.module(path)
        for node in module.mentions.get(name, ()) if module is not None else ():
            assert module is not None
            if isinstance(node.ctx, tree.Load):
                for value in program.devices.ev.evaluate(node, module):
                    own = value.made if isinstance(value, Tensor) else None
                    if own is not None and (own.path, own.start) == (made.path, made.start):
                        yield module, node


def _takes(node: Node, module: Module, wanted: str, program: Program) -> bool:
    """Does the place of a value take another type?"""
    parent = module.parent.get(node)
    if isinstance(parent, tree.Attribute):
        call = module.parent.get(parent)
        if parent.attr in table.UNREAD - {"dtype"}:
            return True
        if not (isinstance(call, tree.Call) and call.func is parent):
            return False
        if parent.attr in table.WRITES:
            written = isinstance(module.parent.get(call), tree.Expr) or _takes(call, module, wanted, program)
            return written and all(_is_python_ints(a, module, program) for a in call.args)
        return parent.attr == "numpy" or (
            parent.attr in ("read_value", "value") and _takes(call, module, wanted, program)
        )
    if isinstance(parent, tree.Compare):
        others = [parent.left, *parent.comparators]
        return all(one is node or _is_python_ints(one, module, program) for one in others)
    if isinstance(parent, tree.BinOp):
        other = parent.right if parent.left is node else parent.left
        return _is_python_ints(other, module, program) and _takes(parent, module, wanted, program)
    if isinstance(parent, (tree.Expr, tree.FormattedValue)):
        return True
    if isinstance(parent, tree.Subscript) and parent.slice is node:
        return wanted == "int64"
    if isinstance(parent, tree.keyword):
        parent = module.parent.get(parent)
    if isinstance(parent, tree.Call) and parent.func is not node:
        callee = program.ev.evaluate(parent.func, module)
        names = {library.without_v1(v.name) for v in callee if isinstance(v, Api)}
        return bool(names) and names <= facts.ANY_TYPE | (facts.ANY_INTEGER if wanted == "int64" else set())
    return False
