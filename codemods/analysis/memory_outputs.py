"""What a finding about host memory asks about the outputs of a compiled function, and about its moves."""

from __future__ import annotations

import re
from collections.abc import Collection

from codemods.analysis import places, tree
from codemods.analysis.memory import Escape, Output
from codemods.analysis.memory_values import Leaf, Map, Place, Source, Tup, Value, is_array_tree, paths
from codemods.analysis.names import find_binding_scope
from codemods.analysis.tree import Node
from codemods.knowledge import jax_memory as table

_ADDED = re.compile(r"^(?:new|next|updated|out)_|_(?:new|next|updated|out)$")


def values_of(escape: Escape) -> list[Output]:
    """The outputs but for numbers that sum something up, which nobody wants on the host."""
    return [output for output in escape.outputs if not output.leaf.statistic]


def state(escape: Escape) -> list[Output]:
    """The outputs that are an argument again, after a step: those named like it, else the only one."""
    values = values_of(escape)
    named = [o for o in values if any(_named_like(o, s) for s in escape.sources if s in o.leaf.sources)]
    return named or (values if len({output.place for output in values}) == 1 else [])


def _named_like(output: Output, source: Source) -> bool:
    wanted = re.findall(r"\w+", source.name)[-1:]
    keys = [key for key in output.path if isinstance(key, str) and key != "*"]
    node = output.place.node
    if isinstance(node, tree.Name) and not keys[:1]:
        keys.append(str(node.id))
    plain = [_ADDED.sub("", key) for key in keys[-1:]]
    whole = _ADDED.sub("", str(getattr(node, "id", "")))
    return bool(wanted) and (plain == wanted or whole == re.split(r"\W", source.name)[0])


def prefix(value: Value, found: Collection[tuple[object, ...]], text: str) -> str:
    """A prefix tree for `out_shardings` that says something of some outputs, and nothing of the others.

    Raises ValueError where the structure cannot be written down.
    """
    below = [path for path, _ in paths(value)]
    if is_array_tree(value) and below and all(path in found for path in below):
        return text
    if not any(path in found for path in below):
        return "None"
    if isinstance(value, Tup):
        items = [
            prefix(item, {p[1:] for p in found if p[:1] == (index,)}, text)
            for index, item in enumerate(value.items)
        ]
        if value.kind == "list":
            return f"[{', '.join(items)}]"
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
    if isinstance(value, Map) and all(isinstance(key, str) for key, _ in value.items):
        pairs = [
            f'"{key}": {prefix(item, {p[1:] for p in found if p[:1] == (key,)}, text)}'
            for key, item in value.items
        ]
        return "{" + ", ".join(pairs) + "}"
    raise ValueError("what the function returns cannot be written as a tree of shardings")


def moved_in_branches(escape: Escape) -> list[Node] | str:
    """The moves in the branches of a conditional that one move behind it could replace, or why it cannot."""
    values = values_of(escape)
    if not values or not all(output.leaf.branched for output in values):
        return "not every branch moves it"
    calls = []
    for source in escape.sources:
        module, node = source.place.module, source.place.node
        function = module.enclosing(node).function
        if source.kind != "move" or module is not escape.function.module or function is None:
            return "a branch stands in another module"
        if not isinstance(node, tree.Call) or len(node.args) != 2 or node.keywords:
            return "a move in a branch is not a plain call"
        name, holder = function.name, function.parent
        named = not isinstance(function.node, tree.Lambda)
        if named and holder is not None and len(list(places.reads(holder, name))) > 1:
            return f"`{name}` is used elsewhere, too"
        calls.append(node)
    return calls


def only_for(source: Source, outputs: Collection[Output], uses: Collection[Place]) -> bool:
    """Is a moved value used for nothing but these outputs? Then it need not be moved before."""
    module, node = source.place.module, source.place.node
    statement = module.statement(node)
    plain = isinstance(statement, tree.Assign) and statement.value is node and len(statement.targets) == 1
    if not plain or not isinstance(statement.targets[0], tree.Name):
        return False
    if not isinstance(node, tree.Call) or len(node.args) != 2 or node.keywords:
        return False
    name = statement.targets[0].id
    holder = find_binding_scope(module.enclosing(node), name)
    if holder is None or len(holder.bindings[name]) != 1:
        return False
    allowed = {place.node for place in uses}
    inside = {inner for output in outputs for inner in tree.walk(output.place.node)}
    for read in places.reads(holder, name):
        parent = module.parent.get(read)
        static = isinstance(parent, tree.Attribute) and parent.attr in table.STATIC
        if not static and (read not in allowed or read not in inside):
            return False
    return True


def rank_fits(source: Source, leaf: Leaf) -> bool:
    """May the sharding of a source be used for a value that came from it?"""
    return source.shard.empty or not leaf.rank


def uncertain(escape: Escape) -> bool:
    """Did a call that is not understood stand on the way?"""
    found = [output.leaf for output in escape.outputs]
    return any(not leaf.known or leaf.partly for leaf in found)
