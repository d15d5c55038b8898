"""Displays and comprehensions in a JAX program that is run on abstract values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemods.analysis import tree
from codemods.analysis.memory_frame import EXACT, Frame
from codemods.analysis.memory_values import (
    OPAQUE,
    Const,
    Map,
    Seq,
    Tup,
    Value,
    element,
    elements,
    join_all,
    leaves,
)
from codemods.analysis.tree import Node

if TYPE_CHECKING:
    from codemods.analysis.memory_run import Runner


def display(run: Runner, node: Node, frame: Frame) -> Value:
    items: list[Value] = []
    for part in node.elts:
        value = run.eval(part, frame)
        if isinstance(part, tree.Starred):
            spread = elements(value)
            if spread is None:
                return Seq(join_all([*items, element(value)]))
            items.extend(spread)
        else:
            items.append(value)
    return Tup(tuple(items), "tuple" if isinstance(node, tree.Tuple) else "list")


def mapping(run: Runner, node: Node, frame: Frame) -> Value:
    items: dict[object, Value] = {}
    for key, value_node in zip(node.keys, node.values, strict=True):
        value = run.eval(value_node, frame)
        if key is None:
            if not isinstance(value, Map):
                return Seq(join_all([*items.values(), *leaves(value)]), True)
            items.update(value.items)
            continue
        name = run.eval(key, frame)
        if not isinstance(name, Const):
            return Seq(join_all([*items.values(), value]), True)
        items[name.value] = value
    return Map(tuple(items.items()))


def comprehension(run: Runner, node: Node, frame: Frame) -> Value:
    inner = Frame(frame.module, frame.module.scope_of[node], frame)
    first = node.generators[0]
    items = elements(run.eval(first.iter, frame))
    exact = items is not None and len(node.generators) == 1 and not first.ifs and len(items) <= EXACT
    if exact:
        assert items is not None
        results = []
        for item in items:
            run.assign(first.target, item, inner)
            results.append(one_item(run, node, inner))
        if not isinstance(node, tree.DictComp):
            return Tup(tuple(value for _, value in results), "list")
        if all(isinstance(key, Const) for key, _ in results):
            return Map(tuple((key.value, value) for key, value in results if isinstance(key, Const)))
        return Seq(join_all([value for _, value in results]), True)
    for generator in node.generators:
        run.assign(generator.target, element(run.eval(generator.iter, inner)), inner)
    return Seq(one_item(run, node, inner)[1], isinstance(node, tree.DictComp))


def one_item(run: Runner, node: Node, inner: Frame) -> tuple[Value, Value]:
    if isinstance(node, tree.DictComp):
        return run.eval(node.key, inner), run.eval(node.value, inner)
    return OPAQUE, run.eval(node.elt, inner)
