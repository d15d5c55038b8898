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
