"""What JAX hands to XLA: `jax.jit` and its kin, as decorator, call or partial; `torch_xla.compile`, too."""

from __future__ import annotations

import re

from codemods.analysis import objects, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.index import Project
from codemods.analysis.names import find_binding_scope
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Function, Instance, Partial, Value, Values, one
from codemods.knowledge import jax_memory as table, torch_xla

_CALLS = re.compile(rb"\b(?:p?jit|pmap|filter_jit|filter_pmap|shard_map)\b")
_WORDS = (b"jit", b"pmap", b"shard_map")
_NAME = re.compile(r"jit|pmap|shard_map|xmap")
_TORCH_NAME = re.compile(rf"{_NAME.pattern}|compile")


def find(project: Project, ev: Evaluator) -> list[Root]:
    """The functions of a project that JAX compiles, in the order of their places."""
    found: list[Root] = []
    for path in project.paths:
        data = project.bytes_of(path)
        of_jax = b"jax" in data and project.matches(path, _CALLS, _WORDS)
        if of_jax or (torch_xla.HERE in data and b"compile" in data):
            module = project.module(path)
            if module is not None:
                found += _of_module(module, ev)
    unique: dict[tuple[Scope, Node], Root] = {(root.function, root.node): root for root in found}
    return sorted(unique.values(), key=lambda r: (r.module.path, r.node.lineno, r.node.col_offset, r.name))


def _of_module(module: Module, ev: Evaluator) -> list[Root]:
    found: list[Root] = []
    for node in tree.walk(module.tree):
        if isinstance(node, (tree.FunctionDef, tree.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                maker = _maker(decorator, module, ev)
                if maker:
                    found.append(_decorated(module.scope_of[node], decorator, maker))
        elif isinstance(node, tree.Call):
            maker = _maker(node.func, module, ev)
            given = [*node.args[:1], *(kw.value for kw in node.keywords if kw.arg in ("fun", "f"))]
            if maker and given:
                found += _called(ev.evaluate(given[0], module), module, node, maker, ev)
    return found


def _maker(node: Node, module: Module, ev: Evaluator) -> str:
    """The compiler that an expression is, or is with options (`partial(jax.jit, ...)`); "" if none."""
    if not _may_be(node, module):
        return ""
    for value in ev.evaluate(node, module):
        name = _name(value)
        if name:
            return name
    if isinstance(node, tree.Call) and not node.args:
        return next((_name(v) for v in ev.evaluate(node.func, module) if _name(v)), "")
    return ""


def _may_be(node: Node, module: Module) -> bool:
    """Does an expression speak of a compiler, or is it a name that something of the kind was given? Cheap."""
    named = _TORCH_NAME if "torch_xla" in module.mentions else _NAME
    if isinstance(node, tree.Name):
        if named.search(node.id):
            return True
        holder = find_binding_scope(module.enclosing(node), node.id)
        for binding in holder.bindings[node.id] if holder is not None else ():
            if binding.kind == "from" and (binding.node.asname or not binding.node.name[:1].isupper()):
                return True
            if binding.kind in ("assign", "walrus") and binding.value is not None:
                return named.search(module.text(binding.value)) is not None
        return False
    if isinstance(node, tree.Attribute):
        return named.search(node.attr) is not None
    return isinstance(node, tree.Call) and named.search(module.text(node)) is not None


def _name(value: Value) -> str:
    while isinstance(value, Partial):
        value = value.target
    compilers = table.COMPILERS | table.SHARD_MAPS
    return value.name if isinstance(value, Api) and value.name in compilers else ""


def _decorated(function: Scope, node: Node, how: str) -> Root:
    bound = Instance(function.owner) if function.owner is not None and not function.is_static else None
    return Root(function, function.module, node, "yes", how, bound=bound, framework="jax")


def _called(values: Values, module: Module, node: Node, how: str, ev: Evaluator) -> list[Root]:
    found: list[Root] = []
    for value in values:
        if isinstance(value, Function):
            found.append(Root(value.scope, module, node, "yes", how, bound=value.bound, framework="jax"))
        elif isinstance(value, Partial):
            found += _called(one(value.target), module, node, how, ev)
        elif isinstance(value, Instance):
            found += _called(objects.call_method(ev, value), module, node, how, ev)
    return found
