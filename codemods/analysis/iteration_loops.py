"""How often a loop that AutoGraph makes runs at most."""

from __future__ import annotations

from codemods.analysis import counters, dtypes, loops, places, spelling, tree
from codemods.analysis.compiled import Program
from codemods.analysis.iterations import Cap, Part, Unbounded, most, updated
from codemods.analysis.linear import linear, number
from codemods.analysis.loops import Loop
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Binding
from codemods.analysis.tree import Node
from codemods.analysis.values import Tensor


def of_loop(loop: Loop, program: Program) -> Cap:
    """The bound of a tensor loop that AutoGraph makes. Raises Unbounded."""
    return _of_while(loop, program) if isinstance(loop.node, tree.While) else _of_for(loop, program)


def _of_while(loop: Loop, program: Program) -> Cap:

    def part(counter: Node, op: type, limit: Node) -> Part | str | None:
        named = isinstance(counter, tree.Name) and _stored(counter.id, loop)
        return _part(counter.id, op, limit, loop, program) if named else None

    tests = counters.conjuncts(loop.node.test, loop.module, program.ev)
    alone = len(tests) == 1 and not loops.exits(loop)
    return most(loop.node, loop.function, program, tests, loop.module, part, alone)


def _stored(name: str, loop: Loop) -> bool:
    return any(
        isinstance(n, tree.Name) and n.id == name and not isinstance(n.ctx, tree.Load)
        for n in loop.body_nodes()
    )


def _part(name: str, op: type, limit: Node, loop: Loop, program: Program) -> Part | str:
    function, module = loop.function, loop.module
    if find_binding_scope(module.enclosing(loop.node.test), name) is not function:
        return f"`{name}` does not change in the loop"
    bindings = function.bindings.get(name, [])
    inside = [b for b in bindings if any(a is loop.node for a in module.ancestors(b.node))]
    outside = [b for b in bindings if b not in inside]
    if not inside:
        return f"`{name}` does not change in the loop"
    if len(inside) > 1:
        return f"`{name}` is assigned in more than one place of the loop"
    update = module.statement(inside[0].node)
    within = next((a for a in module.ancestors(update) if isinstance(a, tree.LOOPS)), None)
    if within is not loop.node or not loops.runs_every_time(update, loop):
        return f"`{name}` is not updated in every iteration"
    if name in {n for scope in module.scope_of.values() for n in scope.elsewhere}:
        return f"`{name}` is also assigned by a nested function"
    following = updated(update, name, module, program)
    if following is None:
        return f"`{name}` does not change by a constant"
    before = [b for b in outside if module.span(b.node).start < module.span(loop.node).start]
    start = _first_value(before, loop)
    if start is None:
        return f"it is not known where the counter `{name}` starts"
    names = {n.id for n in tree.walk(limit) if isinstance(n, tree.Name)}
    if any(_stored(n, loop) for n in names) or not counters.invariant(limit, loop):
        return f"the limit `{module.text(limit)}` changes in the loop"
    early = not isinstance(start, tree.Constant) and not places.stable_between(
        start, start, loop.node, function, program
    )
    return Part(op, limit, module, start, *following, module, early=early)


def _first_value(before: list[Binding], loop: Loop) -> Node | None:
    """What the counter starts with: bound once in front of the loop, in the same round of loops outside."""
    module = loop.module
    if len(before) != 1 or before[0].kind != "assign" or before[0].value is None:
        return None
    value = before[0].value
    if before[0].path:
        if not isinstance(value, (tree.Tuple, tree.List)) or len(before[0].path) != 1:
            return None
        index = before[0].path[0]
        if not 0 <= index < len(value.elts):
            return None
        value = value.elts[index]
    first = module.statement(before[0].node)
    outer = [a for a in module.ancestors(loop.node) if isinstance(a, tree.LOOPS)]
    own = [a for a in module.ancestors(first) if isinstance(a, tree.LOOPS)]
    if any(not any(a is b for b in outer) for a in own):
        return None
    if outer and not any(a is outer[0] for a in own):
        return None  # it goes on from one run of the loop to the next
    if any(
        isinstance(a, tree.If) and a not in list(module.ancestors(loop.node)) for a in module.ancestors(first)
    ):
        return None
    return value


def _of_for(loop: Loop, program: Program) -> Cap:
    """The length of a `for` over a range or a tensor. Raises Unbounded."""
    module = loop.module
    if loop.stop is None:
        return _rows(loop, program)
    if loop.step is None:
        raise Unbounded("the step of the range is not a constant")
    known = loops.trip(loop, program.proof).number
    ends = [node for node in (loop.start, loop.stop) if node is not None]
    if known is not None and all(loops.literal(node) is not None for node in ends):
        return Cap(str(known), known, True)
    assumptions, wide = [], False
    for node in ends:
        shown = module.text(node)
        if not loop.written or not places.is_pure(node, module, program):
            raise Unbounded(f"`{shown}` may have another value at the loop")
        kind = dtypes.kind_of(node, module, program)
        if kind == "other" and not dtypes.is_wide(node, module, program):
            raise Unbounded(f"`{shown}` is not known to be an integer")
        if kind == "unknown":
            assumptions.append(f"`{shown}` is an int32 number")
        wide = wide or kind == "other"
    start = linear(loop.start, loops.literal) if loop.start is not None else number(0)
    stop, size = linear(loop.stop, loops.literal), abs(loop.step)
    distance = stop.plus(start, -1) if loop.step > 0 else start.plus(stop, -1)
    text = distance.plus(number(size - 1)).render(module.text)
    return Cap(text if size == 1 else f"({text}) // {size}", known, True, assumptions, wide)


def _rows(loop: Loop, program: Program) -> Cap:
    base, module = loop.iterable, loop.module
    prefix = spelling.tensorflow(module, loop.node, program.ev)
    if not isinstance(base, (tree.Name, tree.Attribute)) or not prefix:
        raise Unbounded("it is not known how many rows the loop runs over")
    values = program.proof.evaluate(base, module)
    shown = module.text(base)
    certain = bool(values) and all(isinstance(v, Tensor) for v in values)
    return Cap(f"{prefix}shape({shown})[0]", None, True, [] if certain else [f"`{shown}` is a tensor"])
