"""What becomes of a slice whose length depends on a loop index: does anything read its padding?"""

from __future__ import annotations

from codemods.analysis import library, loops, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.linear import linear
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.sinks import Sink
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Function
from codemods.knowledge import slices

_DEPTH = 12
_FAITHFUL = frozenset({"reduce_mean", "reduce_max"})  # right for the gradient of a fixed width


def spoiled(sink: Sink, ev: Evaluator, gradient: bool) -> str:
    """Why the compiled result is wrong, in words; "" where it is right (or not known to be wrong)."""
    if gradient and not _stopped(sink, ev):
        if _fixed_width(sink) and _faithful(sink, ev):
            return ""
        return "its gradient reads the padding behind the end"
    return _Follower(sink, ev).follow(sink.module, sink.node, frozenset(slices.WRONG_READS), 0)


def _stopped(sink: Sink, ev: Evaluator) -> bool:
    """Does no derivative flow through the slice, as far as the expression shows?"""
    parent = sink.module.parent.get(sink.node)
    return isinstance(parent, tree.Call) and _last_names(parent, sink.module, ev) <= {
        "stop_gradient",
        "argmax",
        "argmin",
        "shape",
        "size",
    }


def _parts(node: Node) -> list[Node]:
    if not isinstance(node, tree.Subscript):
        return []
    return list(node.slice.elts) if isinstance(node.slice, tree.Tuple) else [node.slice]


def _fixed_width(sink: Sink) -> bool:
    """Are both ends of the slice the index plus a constant?"""
    for part in _parts(sink.node):
        if isinstance(part, tree.Slice) and part.lower is not None and part.upper is not None:
            return linear(part.upper, loops.literal).plus(linear(part.lower, loops.literal), -1).is_constant
    return False


def _faithful(sink: Sink, ev: Evaluator) -> bool:
    """Is the slice (or its square) reduced at once? Those gradients were measured right."""
    module, node = sink.module, sink.node
    parent = module.parent.get(node)
    squared = isinstance(parent, tree.BinOp) and isinstance(parent.op, tree.Pow)
    if isinstance(parent, tree.Call) and _last_names(parent, module, ev) <= {"square"}:
        squared = True
    if squared:
        node, parent = parent, module.parent.get(parent)
    if not isinstance(parent, tree.Call) or node not in parent.args:
        return False
    return _last_names(parent, module, ev) <= ({"reduce_sum", *_FAITHFUL} if squared else _FAITHFUL)


def _last_names(call: Node, module: Module, ev: Evaluator) -> set[str]:
    return {name.split(".")[-1] for name in _names(call, module, ev)} or {""}


def _names(call: Node, module: Module, ev: Evaluator) -> set[str]:
    return {library.without_v1(v.name) for v in ev.evaluate(call.func, module) if isinstance(v, Api)}


class _Follower:
    def __init__(self, sink: Sink, ev: Evaluator) -> None:
        self.ev = ev
        self.path = list(sink.path)
        self.seen: set[tuple[Node, frozenset[str]]] = set()
        parts = _parts(sink.node)
        at = next(
            (
                i
                for i, part in enumerate(parts)
                if isinstance(part, tree.Slice) and (part.lower or part.upper)
            ),
            0,
        )
        clear = not any(isinstance(p, tree.Constant) and p.value in (None, ...) for p in parts[: at + 1])
        self.axis: int | None = at if clear else None

    def follow(self, module: Module, node: Node, wrong: frozenset[str], depth: int) -> str:
        if depth > _DEPTH or (node, wrong) in self.seen:
            return ""
        self.seen.add((node, wrong))
        parent = module.parent.get(node)
        if isinstance(parent, tree.Subscript) and parent.value is node:
            return self.read(module, parent, wrong, depth)
        if isinstance(parent, tree.Call) and parent.func is not node:
            return self.call(module, node, parent, wrong, depth)
        if isinstance(parent, tree.keyword):
            outer = module.parent[parent]
            return (
                self.call(module, parent.value, outer, wrong, depth) if isinstance(outer, tree.Call) else ""
            )
        if isinstance(parent, (tree.BinOp, tree.UnaryOp, tree.IfExp)):
            return self.follow(module, parent, wrong, depth + 1)
        if isinstance(parent, (tree.List, tree.Tuple)):
            outer = module.parent.get(parent)
            if isinstance(outer, tree.keyword):
                outer = module.parent.get(outer)
            return (
                self.listed(module, node, parent, outer, wrong, depth) if isinstance(outer, tree.Call) else ""
            )
        if isinstance(parent, tree.Assign):
            for target in parent.targets:
                if isinstance(target, tree.Name):
                    why = self.name(module, target, wrong, depth)
                    if why:
                        return why
            return ""
        if isinstance(parent, tree.Return) and self.path:
            outer_module, call = self.path[-1]
            return self.follow(outer_module, call, wrong, depth + 1)
        return ""

    def name(self, module: Module, target: Node, wrong: frozenset[str], depth: int) -> str:
        holder = find_binding_scope(module.enclosing(target), target.id)
        for use in module.mentions.get(target.id, ()):
            if isinstance(use.ctx, tree.Load) and find_binding_scope(module.enclosing(use), use.id) is holder:
                if isinstance(holder, Scope) and target not in {
                    b.node for b in self.ev.reaching(use, module.enclosing(use), holder)
                }:
                    continue
                why = self.follow(module, use, wrong, depth + 1)
                if why:
                    return why
        return ""

    def read(self, module: Module, node: Node, wrong: frozenset[str], depth: int) -> str:
        parts = _parts(node)
        if self.axis is None or self.axis >= len(parts):
            return self.follow(module, node, wrong, depth + 1)
        part = parts[self.axis]
        kind = "first"
        if isinstance(part, tree.Slice):
            lower = loops.literal(part.lower) if part.lower is not None else None
            step = loops.literal(part.step) if part.step is not None else 1
            kind = "step" if step != 1 else "tail" if lower is not None and lower < 0 else "drop"
        else:
            index = loops.literal(part)
            kind = "last" if index is not None and index < 0 else "first"
        text = module.text(node)
        if kind in wrong:
            return f"`{text}` at line {node.lineno} reads behind its end"
        return self.follow(module, node, wrong, depth + 1) if kind in ("drop", "tail") else ""

    def call(self, module: Module, node: Node, call: Node, wrong: frozenset[str], depth: int) -> str:
        for name in _names(call, module, self.ev):
            if name in slices.ENDS:
                kind = (
                    "reduce"
                    if "reduce" in name or name.endswith(("norm", "count_nonzero", "moments"))
                    else "size"
                )
                if name.endswith(("size", "shape")):
                    kind = "size"
                if kind in wrong and (kind == "reduce" or name.endswith(("size", "shape"))):
                    return f"`{module.text(call.func)}` at line {call.lineno} counts its padding"
                return ""
            if name in slices.SPOILS:
                spoils = slices.SPOILS[name] - ({"last"} if name.endswith("concat") else set())
                extra = {"last"} if any(kw.arg in slices.SPOILS_LAST_TOO for kw in call.keywords) else set()
                return self.follow(module, call, spoils | extra | slices.WRONG_READS, depth + 1)
            if name in slices.KEEPS:
                return self.follow(module, call, wrong, depth + 1)
        for value in self.ev.evaluate(call.func, module):
            if isinstance(value, Function):
                why = self.into(module, node, call, value, wrong, depth)
                if why:
                    return why
        return ""

    def into(
        self, module: Module, node: Node, call: Node, value: Function, wrong: frozenset[str], depth: int
    ) -> str:
        if node not in call.args:
            return ""
        params = list(value.scope.params)
        if value.bound is not None and not value.scope.is_static:
            params = params[1:]
        position = call.args.index(node)
        if position >= len(params) or depth > _DEPTH // 2:
            return ""
        self.path.append((module, call))
        why = self.name(value.scope.module, params[position], wrong, depth + 1)
        self.path.pop()
        return why

    def listed(
        self, module: Module, node: Node, items: Node, call: Node, wrong: frozenset[str], depth: int
    ) -> str:
        names = _names(call, module, self.ev)
        if "tensorflow.concat" not in names:
            return self.call(module, items, call, wrong, depth)
        first = items.elts[0] is node
        other = [one for one in items.elts if one is not node]
        if (
            first
            and isinstance(node, tree.Subscript)
            and any(
                isinstance(one, tree.Subscript) and tree.unparse(one.value) == tree.unparse(node.value)
                for one in other
            )
        ):
            part = _parts(node)[self.axis or 0]
            if isinstance(part, tree.Slice) and part.lower is not None and part.upper is None:
                return f"`{module.text(call.func)}` at line {call.lineno} puts it before the rest"
            return ""
        return self.follow(
            module, call, (slices.CONCAT_FIRST if first else slices.WRONG_READS) | wrong, depth + 1
        )
