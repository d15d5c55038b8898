"""How a file spells TensorFlow: the text to write in front of a name of the library."""

from __future__ import annotations

from codemods.analysis.evaluate import Evaluator
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import Api


def tensorflow(module: Module, place: Node, ev: Evaluator, written: str = "") -> str:
    """The text before a name ("tf."), valid where `place` stands; "" where TensorFlow has no name.

    written: a spelling that is used there already ("tf.compat.v1"), tried first.
    """
    for name in (written, written.removesuffix(".compat.v1"), written.removesuffix(".compat.v2")):
        known = ev.dotted(name, module, place) if name else frozenset()
        if known & {Api("tensorflow"), Api("tensorflow.compat.v1")}:
            return name + "."
    for name, bindings in module.root.bindings.items():
        imported = any(b.kind in ("import", "from") for b in bindings)
        if imported and ev.dotted(name, module, place) in (
            {Api("tensorflow")},
            {Api("tensorflow.compat.v1")},
        ):
            return name + "."
    return ""


def member(module: Module, place: Node, ev: Evaluator, name: str, v2: bool = False) -> str:
    """How a file spells a name of TensorFlow ("random.Generator"); "" where it cannot.

    v2: the name is not exported below tensorflow.compat.v1.
    """
    prefix = tensorflow(module, place, ev)
    if prefix:
        old = v2 and ev.dotted(prefix[:-1], module, place) == {Api("tensorflow.compat.v1")}
        return f"{prefix}compat.v2.{name}" if old else prefix + name
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        wanted = {Api("tensorflow." + ".".join(parts[:count]))}
        for bound, bindings in module.root.bindings.items():
            unconditional = all(b.kind in ("import", "from") and _at_top(module, b.node) for b in bindings)
            if bound != "*" and unconditional and ev.named(module, module.root, bound) == wanted:
                return ".".join([bound, *parts[count:]])
    return ""


def _at_top(module: Module, alias: Node) -> bool:
    return module.parent.get(module.parent[alias]) is module.tree


def fresh_name(module: Module, wanted: str, *others: Module) -> str:
    """A name that neither the module uses yet, nor the others."""
    name, number = wanted, 2
    taken = {n for one in (module, *others) for n in one.mentions}
    taken |= {n for one in (module, *others) for scope in one.scope_of.values() for n in scope.bindings}
    while name in taken:
        name, number = f"{wanted}{number}", number + 1
    return name
