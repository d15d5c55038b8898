"""How large must a growing TensorArray be? Exactly, or at most; and which index each write has.

XLA clamps a write behind the end to the last slot without a word, so a size is never too small here:
what cannot be proved is a reason, not a guess.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from codemods.analysis import counters, loops, shapes, tree, whiles
from codemods.analysis.arrays import Array, Use
from codemods.analysis.bounds import Blocked, Bound, Bounds
from codemods.analysis.compiled import Program
from codemods.analysis.indices import ROUND, Indices
from codemods.analysis.linear import Linear, number
from codemods.analysis.loops import Loop
from codemods.analysis.order import INLINE, Order
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.whiles import WhileCall
from codemods.model import Reason


@dataclass
class Plan:
    """size: the size to give. least: further elements that are there in any case (writes before the loop).

    append: the write whose index is `size()`; index: the text to put there ("" for a new counter).
    counted: the write that a new counter has to count.
    sliced: fewer elements may be written than `size`: a count is needed, and `stack()[:count]`;
    count: the name that has it already. element_shape: text, where it has to be added.
    while_calls: `tf.while_loop`s that the array runs through, with their trip count.
    prefix: how the file spells TensorFlow ("tf."), "" where it has no name.
    python_max: `max` is the builtin there.
    """

    size: Bound
    least: int = 0
    append: Use | None = None
    index: str = ""
    counted: Use | None = None
    sliced: bool = False
    count: str = ""
    element_shape: str = ""
    assumptions: list[str] = field(default_factory=list)
    write: Use | None = None
    while_calls: list[tuple[WhileCall, str]] = field(default_factory=list)
    prefix: str = ""
    python_max: bool = True


def plan(array: Array, program: Program) -> Plan | Reason:
    """The bounded form of an array that grows, or why there is none."""
    planner = _Planner(array, program)
    try:
        found = planner.plan()
    except Blocked as blocked:
        return blocked.reason
    found.prefix = planner.bounds.spelled()
    found.python_max = planner.bounds.is_builtin("max")
    return found


class _Planner:
    def __init__(self, array: Array, program: Program) -> None:
        self.array = array
        self.program = program
        self.proof = program.proof
        self.module = array.module
        self.bounds = Bounds(array, program)
        self.indices = Indices(array, self.bounds)
        self.order = Order(array, self.bounds)

    @property
    def assumptions(self) -> list[str]:
        return self.bounds.assumptions

    def plan(self) -> Plan:
        array = self.array
        if array.lost:
            raise Blocked(array.lost)
        for use in array.of("scatter"):
            raise Blocked(f"`scatter` at line {use.node.lineno} has no XLA kernel, whatever the size")
        for use in array.of("unstack", "split", "grad"):
            raise Blocked(f"`{use.method}` at line {use.node.lineno} sets its size")
        writes = array.of("write")
        if not writes:
            raise Blocked("no write to it is in sight")
        self.order.followed(writes)
        first = [w for w in writes if not w.loops and not w.whiles]
        inside = [w for w in writes if w.loops or w.whiles]
        least = self.order.prelude(first)
        if not inside:
            self.order.reads(False)
            return Plan(Bound(str(least), least, True, True), assumptions=self.assumptions)
        if any(self.order.place(w) > self.order.place(inside[0]) for w in first):
            raise Blocked("it is written to before and after a loop")
        write = self.order.only(inside)
        result = self.in_whiles(write, least) if write.whiles else self.in_loops(write, inside, least)
        start = array.argument("size")
        if (result.append is not None or result.sliced) and start is not None and loops.literal(start) != 0:
            raise Blocked(f"it starts with {self.module.text(start)} elements, and more are appended")
        return result

    # loops of Python syntax

    def in_loops(self, write: Use, writes: list[Use], least: int) -> Plan:
        statement: Node = self.module.statement(self.order.anchor(write))
        if len(writes) == 2:
            statement = self.module.parent[statement]
        if any(one.function is not self.array.function for one in write.loops):
            raise Blocked("a helper writes to it in a loop of its own")
        every_time, early = True, False
        for loop in reversed(write.loops):
            every_time = every_time and loops.runs_every_time(statement, loop)
            early = early or bool(loops.exits(loop))
            statement = loop.node
        self.order.surely(statement)
        if every_time and not early:
            tight = all(self.tight(loop) for loop in write.loops)
            if tight:
                return self.exact(write, least)
        if least or len(writes) == 2:
            raise Blocked("the number of writes depends on data")
        return self.at_most(write, every_time)

    def tight(self, loop: Loop) -> bool:
        if not isinstance(loop.node, tree.While):
            return True
        counter = counters.of_while(loop, self.proof)
        return counter is not None and counter.tight

    def exact(self, write: Use, least: int) -> Plan:
        loop = write.loops[-1]
        if self.order.is_append(write):
            times = [self.bounds.times(one) for one in write.loops]
            if write.frames:
                raise Blocked("a helper appends to it")
            self.order.reads(False, write)
            if least:
                raise Blocked("it is written to before the loop and appended to in it")
            index = self.indices.own_index(write)
            size = self.bounds.product(times, write.loops)
            return Plan(
                size, 0, write, index, None if index else write, assumptions=self.assumptions, write=write
            )
        if len(write.loops) > 1:
            if self.indices.counter_index(write) and not least:
                times = [self.bounds.times(one) for one in write.loops]
                self.order.reads(False)
                return Plan(
                    self.bounds.product(times, write.loops), 0, assumptions=self.assumptions, write=write
                )
            raise Blocked("it is written to in nested loops, and the index is not a plain count")
        sum_, cast = self.indices.index(write)
        count = self.bounds.times(loop, self.indices.direct(sum_, cast, loop))
        position = self.indices.position(sum_, self.indices.rounds(loop, write, sum_), loop)
        low = self.indices.covered(position, count, write)
        if low != least:
            raise Blocked(f"the first index written in the loop is {low}, after {least} writes before it")
        self.order.reads(False)
        size = self.bounds.of_loop(count.plus(number(least)), loop)
        return Plan(size, least, assumptions=self.assumptions, write=write)

    # tf.while_loop

    def in_whiles(self, write: Use, least: int) -> Plan:
        call = write.whiles[-1]
        if len(write.whiles) > 1 or write.loops:
            raise Blocked("it is written to in nested loops")
        self.order.surely(call.node)
        counter = call.counter
        if counter is None:
            raise Blocked(f"`tf.while_loop` at line {call.node.lineno}: {call.why}")
        if call.bounded:
            raise Blocked(f"`tf.while_loop` at line {call.node.lineno} has `maximum_iterations` of its own")
        if not counter.tight:
            raise Blocked(
                "the loop may end earlier than its counter, so the number of writes depends on data"
            )
        outer = write.frames[0].call if write.frames else write.node
        body = call.body
        statement = body.module.statement(outer) if not isinstance(body.node, tree.Lambda) else None
        if statement is not None and not any(statement is s for s in body.body):
            raise Blocked(f"the write at line {write.node.lineno} is conditional")
        if self.guarded(outer, body.node, body.module):
            raise Blocked(f"the write at line {write.node.lineno} is conditional")
        append = self.order.is_append(write)
        name = call.body_params[call.position].id
        if not whiles.name_unchanged(body, name):
            raise Blocked("the counter is changed in the body before it is used")
        index = name if append and counter.start == 0 and counter.step == 1 else ""
        if append:
            if least:
                raise Blocked("it is written to before the loop and appended to in it")
            if not index or write.frames:
                raise Blocked("it is appended to, and no counter from zero stands ready")
            self.bounds.whole(counter.limit, False)
        else:
            sum_, cast = self.indices.index(write)
            self.indices.seen_alike(sum_, name, body, self.array.function)
            self.bounds.whole(counter.limit, not cast and sum_.coefficient(name) != 0)
            rounds = {name: number(counter.start).plus(ROUND, counter.step)}
            low = self.indices.covered(self.indices.position(sum_, rounds), counter.count, write)
            if low != least:
                raise Blocked(f"the first index written in the loop is {low}, after {least} writes before it")
        self.order.reads(False, write if append else None)
        size = self.bounds.of_call(counter.count.plus(number(least)), call)
        times = self.bounds.of_call(counter.count, call)
        plan_ = Plan(size, least, write if append else None, index, assumptions=self.assumptions, write=write)
        plan_.while_calls.append((call, times.text))
        return plan_

    def guarded(self, node: Node, function: Node, module: Module) -> bool:
        """Does an expression decide whether the write runs (`x if c else y`, a lambda of `tf.cond`)?"""
        for ancestor in module.ancestors(node):
            if ancestor is function:
                return False
            if isinstance(ancestor, (*INLINE, tree.If, *tree.LOOPS)):
                return True
        return False

    # fewer writes than iterations

    def at_most(self, write: Use, every_time: bool) -> Plan:
        if write.frames:
            raise Blocked("the number of writes depends on data, and a helper makes them")
        append = self.order.is_append(write)
        count = "" if append else self.indices.user_count(write)
        self.order.reads(True, write if append else None)
        times = [self.bounds.times(loop) for loop in write.loops]
        size = self.bounds.product(times, write.loops)
        shape = "" if self.array.argument("element_shape") is not None else self.element_shape(write)
        counted = write if append else None
        if not append and not count:
            if not every_time or len(write.loops) > 1 or not self.fills(write, times[0]):
                raise Blocked("the number of writes depends on data, and nothing counts them")
            counted = write
        result = Plan(
            size, 0, write if append else None, "", counted, True, count, shape, self.assumptions, write
        )
        result.assumptions.append("a result whose length depends on data is accepted by what uses it")
        return result

    def fills(self, write: Use, times: Linear) -> bool:
        """Do the writes run upwards from 0, as long as the loop goes on?"""
        loop = write.loops[-1]
        index, _ = self.indices.index(write)
        position = self.indices.position(index, self.indices.rounds(loop, write, index), loop)
        return self.indices.covered(position, times, write) == 0 and self.indices.counts_up(position)

    def element_shape(self, write: Use) -> str:
        """The shape of what is written, where the code shows it."""
        text = shapes.shape_of(write.value, write.loops[-1], self.bounds) if write.value is not None else None
        if text is None:
            raise Blocked(
                "conditional writes need an element_shape, and the shape of what is written is not known"
            )
        return text
