"""How large must a growing TensorArray be? Exactly, or at most; and which index each write has.

XLA clamps a write behind the end to the last slot without a word, so a size is never too small here:
what cannot be proved is a reason, not a guess.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from codemods.analysis import counters, library, loops, tree
from codemods.analysis.arrays import Array, Use
from codemods.analysis.compiled import Program
from codemods.analysis.counters import WhileCall
from codemods.analysis.linear import Linear, linear, number
from codemods.analysis.loops import Loop
from codemods.analysis.places import dominates, is_pure, stable_between
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Tensor, is_static
from codemods.model import Reason

KEY = "bounded-size"
_ROUND = "#"  # the number of the iteration, as an atom


@dataclass
class Bound:
    """A number of elements: source text, and what is known about it."""

    text: str
    number: int | None
    nonnegative: bool
    static: bool  # made of Python values only


@dataclass
class Plan:
    """size: the size to give. least: further elements that are there in any case (writes before the loop).

    append: the write whose index is `size()`; index: the text to put there ("" for a new counter).
    counted: the write that a new counter has to count.
    sliced: fewer elements may be written than `size`: a count is needed, and `stack()[:count]`;
    count: the name that has it already. element_shape: text, where it has to be added.
    while_calls: `tf.while_loop`s that the array runs through, with their trip count.
    prefix: how the file spells TensorFlow ("tf."), "" where it has no name.
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


class _Blocked(Exception):
    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.reason = Reason(KEY, why)


def plan(array: Array, program: Program) -> Plan | Reason:
    """The bounded form of an array that grows, or why there is none."""
    planner = _Planner(array, program)
    try:
        found = planner.plan()
        found.prefix = planner.spelled()
        return found
    except _Blocked as blocked:
        return blocked.reason


class _Planner:
    def __init__(self, array: Array, program: Program) -> None:
        self.array = array
        self.program = program
        self.ev = program.ev
        self.proof = program.proof
        self.module = array.module
        self.assumptions: list[str] = []

    def plan(self) -> Plan:
        array = self.array
        if array.lost:
            raise _Blocked(array.lost)
        for use in array.of("unstack", "scatter", "split", "grad"):
            raise _Blocked(f"`{use.method}` at line {use.node.lineno} sets its size")
        writes = array.of("write")
        if not writes:
            raise _Blocked("no write to it is in sight")
        first = [w for w in writes if not w.loops and not w.whiles]
        inside = [w for w in writes if w.loops or w.whiles]
        least = self.prelude(first)
        if not inside:
            self.reads([], False)
            return Plan(Bound(str(least), least, True, True), assumptions=self.assumptions)
        if any(self.place(w) > self.place(inside[0]) for w in first):
            raise _Blocked("it is written to before and after a loop")
        write = self.only(inside)
        return self.in_whiles(write, least) if write.whiles else self.in_loops(write, inside, least)

    def place(self, use: Use) -> int:
        return self.module.span(self.anchor(use)).start

    def anchor(self, use: Use) -> Node:
        """The node in the function that makes the array: the use itself, or the call that leads to it."""
        if use.whiles and not use.frames:
            return use.whiles[0].node
        if not use.frames:
            return use.node
        for frame in use.frames:
            inner = use.node if frame is use.frames[-1] else use.frames[use.frames.index(frame) + 1].call
            module = frame.callee.module
            lambda_ = isinstance(frame.callee.node, tree.Lambda)
            if use.method == "write" and not lambda_ and not any(module.statement(inner) is s for s in frame.callee.body):
                raise _Blocked(f"the write in `{frame.callee.name}` is conditional")
        return use.frames[0].call

    # writes outside of loops

    def prelude(self, writes: list[Use]) -> int:
        """Writes before the loop must fill 0, 1, 2, ... in order, in any case."""
        made = self.module.statement(self.array.node)
        for number_, use in enumerate(sorted(writes, key=self.place)):
            index = use.index
            append = self.is_append(use)
            value = loops.constant_of(self.proof, use.module, index) if index is not None and not append else number_
            if use.frames:
                raise _Blocked(f"the write at line {use.node.lineno} stands in a helper, outside of a loop")
            if value != number_:
                raise _Blocked(f"the write at line {use.node.lineno} is not at index {number_}")
            if self.module.block(self.module.statement(use.node)) is not self.module.block(made):
                raise _Blocked(f"the write at line {use.node.lineno} is conditional")
            if append:
                raise _Blocked(f"the write at line {use.node.lineno} is at `size()` outside of a loop")
        return len(writes)

    def only(self, writes: list[Use]) -> Use:
        """The one write per iteration; the two branches of an `if` count as one."""
        if len(writes) == 1:
            return writes[0]
        if len({tuple(w.loops) for w in writes}) > 1 or any(w.whiles for w in writes):
            raise _Blocked("several loops write to it")
        if len(writes) == 2 and self.both_branches(writes[0], writes[1]):
            return writes[0]
        raise _Blocked(f"{len(writes)} writes per iteration")

    def both_branches(self, a: Use, b: Use) -> bool:
        """Do two writes stand in the two branches of one `if`, at the same index?"""
        if a.frames or b.frames:
            return False
        module = a.module
        first, second = module.statement(a.node), module.statement(b.node)
        branch = module.parent.get(first)
        if branch is not module.parent.get(second) or not isinstance(branch, tree.If) or a.index is None or b.index is None:
            return False
        split = any(first is s for s in branch.body) != any(second is s for s in branch.body)
        return split and tree.unparse(a.index) == tree.unparse(b.index) and not self.is_append(a)

    def is_append(self, use: Use) -> bool:
        return any(other.node is use.index for other in self.array.of("size"))

    # loops of Python syntax

    def in_loops(self, write: Use, writes: list[Use], least: int) -> Plan:
        statement: Node = self.module.statement(self.anchor(write))
        if len(writes) == 2:
            statement = self.module.parent[statement]
        every_time, early = True, False
        for loop in reversed(write.loops):
            every_time = every_time and loops.runs_every_time(statement, loop)
            early = early or bool(loops.exits(loop))
            statement = loop.node
        if self.module.block(statement) is not self.module.block(self.module.statement(self.array.node)):
            if not dominates(self.array.node, statement, self.module) or not self.unconditional(statement):
                every_time = every_time and not self.is_append(write)
                if not self.unconditional(statement):
                    raise _Blocked("the loop that writes to it is conditional")
        if every_time and not early:
            tight = all(self.tight(loop) for loop in write.loops)
            if tight:
                return self.exact(write, least)
        if least or len(writes) == 2:
            raise _Blocked("the number of writes depends on data")
        return self.at_most(write, every_time)

    def unconditional(self, statement: Node) -> bool:
        """Is there no `if` or `try` between the block of the creation and a loop?"""
        block = self.module.block(self.module.statement(self.array.node))
        current = statement
        while not any(current is one for one in block):
            parent = self.module.parent[current]
            if not isinstance(parent, (tree.With, tree.AsyncWith)):
                return False
            current = parent
        return True

    def tight(self, loop: Loop) -> bool:
        if not isinstance(loop.node, tree.While):
            return True
        counter = counters.of_while(loop, self.proof)
        return counter is not None and counter.tight

    def exact(self, write: Use, least: int) -> Plan:
        loop = write.loops[-1]
        if any(one.function is not self.array.function for one in write.loops):
            raise _Blocked("a helper writes to it in a loop of its own")
        times = [self.times(one) for one in write.loops]
        if self.is_append(write):
            if write.frames:
                raise _Blocked("a helper appends to it")
            self.reads(write.loops, False, write)
            if least:
                raise _Blocked("it is written to before the loop and appended to in it")
            index = self.own_index(write)
            size = self.product(write, times)
            return Plan(size, 0, write, index, None if index else write, assumptions=self.assumptions, write=write)
        if len(write.loops) > 1:
            if self.counter_index(write):
                self.reads(write.loops, False)
                return Plan(self.product(write, times), 0, assumptions=self.assumptions, write=write)
            raise _Blocked("it is written to in nested loops, and the index is not a plain count")
        position = self.position(self.index(write), self.rounds(loop, write))
        low = self.covered(position, times[0], write)
        if low != least:
            raise _Blocked(f"the first index written in the loop is {low}, after {least} writes before it")
        self.reads(write.loops, False)
        size = self.bound(times[0].plus(number(least)), loop.node)
        return Plan(size, least, assumptions=self.assumptions, write=write)

    def times(self, loop: Loop) -> Linear:
        """The trip count of a loop, as a sum that may be negative (no iteration)."""
        if isinstance(loop.node, tree.While):
            counter = counters.of_while(loop, self.proof)
            if counter is None:
                raise _Blocked(f"no counter bounds the `while` at line {loop.node.lineno}")
            return counter.count
        if loop.stop is not None:
            found = loops.trip(loop, self.proof)
            if found.count is not None:
                return found.count
            if found.number is not None:
                return number(found.number)
            raise _Blocked(f"the number of iterations of the loop at line {loop.node.lineno} is not a plain difference")
        return self.items(loop)

    def items(self, loop: Loop) -> Linear:
        """Rows of a tensor, or the items of a Python container."""
        base = loop.iterable
        if base is None or not isinstance(base, (tree.Name, tree.Attribute)) or not is_pure(base, self.module, self.program):
            raise _Blocked(f"it is not known how often the loop at line {loop.node.lineno} runs")
        values = self.proof.evaluate(base, self.module)
        text = self.module.text(base)
        if values and all(isinstance(v, Tensor) for v in values) and not loops.is_variable(values):
            rendered = f"{self.prefix()}shape({text})[0]"
        elif loop.kind == "items" and values and all(is_static(v) for v in values):
            rendered = f"len({text})"
        elif loop.kind in ("tensor", "unknown"):
            rendered = f"{self.prefix()}shape({text})[0]"
            self.assumptions.append(f"`{text}` is a tensor or an array")
        else:
            raise _Blocked(f"it is not known how often the loop at line {loop.node.lineno} runs")
        node = _Written(rendered, base)
        return Linear(((rendered, 1),), 0, {rendered: node})

    def prefix(self) -> str:
        found = self.spelled()
        if not found:
            raise _Blocked("TensorFlow itself has no name in this file")
        return found

    def spelled(self) -> str:
        """How this file spells TensorFlow: the text before `TensorArray(`, or a module's alias."""
        text = self.module.text(self.array.node.func)
        base = text.rpartition(".")[0]
        for name in (base, base.removesuffix(".compat.v1"), base.removesuffix(".compat.v2")):
            if name and self.ev.dotted(name, self.module, self.array.node) & {Api("tensorflow"), Api("tensorflow.compat.v1")}:
                return name + "."
        for name, bindings in self.module.root.bindings.items():
            if any(b.kind == "import" for b in bindings) and self.ev.dotted(name, self.module, self.array.node) == {Api("tensorflow")}:
                return name + "."
        return ""

    # indices

    def rounds(self, loop: Loop, write: Use) -> dict[str, Linear]:
        """Names that count iterations, as sums over the iteration number."""
        atom = Linear(((_ROUND, 1),), 0, {})
        found: dict[str, Linear] = {}
        if loop.index is not None and not isinstance(loop.node, tree.While) and self.assigned_once(loop, loop.index.id):
            if loop.stop is None:
                found[loop.index.id] = atom
            elif loop.step is not None:
                start = linear(loop.start, loops.literal) if loop.start is not None else number(0)
                found[loop.index.id] = start.plus(atom, loop.step)
        for name in {atom for atom, _ in self.index(write).coefficients} - set(found):
            known = counters.local_counter(name, loop, self.proof)
            if known is not None:
                start_, step, update = known
                after = self.module.span(update).start < self.place(write)
                found[name] = number(start_ + (step if after else 0)).plus(atom, step)
        return found

    def assigned_once(self, loop: Loop, name: str) -> bool:
        return not any(
            isinstance(n, tree.Name) and n.id == name and not isinstance(n.ctx, tree.Load) for n in loop.body_nodes()
        )

    def index(self, write: Use) -> Linear:
        """The index of a write as a sum, in terms of the function that makes the array."""
        node = write.index
        if node is None:
            raise _Blocked("the write has no index")
        result = self.plain(node, write.module)
        for frame in reversed(write.frames):
            given = dict(frame.params)
            outer = number(result.constant)
            for atom, factor in result.coefficients:
                term = Linear(((atom, 1),), 0, result.nodes)
                if atom in given:
                    if not counters.name_unchanged(frame.callee, atom):
                        raise _Blocked(f"`{frame.callee.name}` changes `{atom}`")
                    term = self.plain(given[atom], frame.caller.module)
                outer = outer.plus(term, factor)
            result = outer
        return result

    def plain(self, node: Node, module: Module) -> Linear:
        while isinstance(node, tree.Call) and module.text(node.func).endswith(("cast", "int")) and node.args:
            node = node.args[0]
        return linear(node, loops.literal)

    def position(self, index: Linear, rounds: dict[str, Linear]) -> Linear:
        """The index of a write, as a sum over the iteration number."""
        result = number(index.constant)
        for atom, factor in index.coefficients:
            replaced = rounds.get(atom)
            if replaced is None and any(isinstance(n, tree.Name) and n.id in rounds for n in tree.walk(index.nodes[atom])):
                raise _Blocked(f"the index `{tree.unparse(index.nodes[atom])}` is not a plain count")
            result = result.plus(replaced if replaced is not None else Linear(((atom, 1),), 0, index.nodes), factor)
        return result

    def covered(self, position: Linear, times: Linear, write: Use) -> int:
        """The lowest index, if the writes cover a row of indices without a gap, each once."""
        factor = position.coefficient(_ROUND)
        base = position.without(_ROUND)
        if factor == 1 and base.is_constant:
            return base.constant
        if factor == -1:
            low = base.plus(times, -1).plus(number(1))
            if low.is_constant:
                return low.constant
        text = write.module.text(write.index) if write.index is not None else ""
        raise _Blocked(f"the index `{text}` does not run through 0, 1, 2, ...")

    def counter_index(self, write: Use) -> bool:
        """Is the index a counter that all the nested loops advance by one for each write?"""
        index = write.index
        if not isinstance(index, tree.Name) or write.frames:
            return False
        bindings = write.function.bindings.get(index.id, [])
        updates = [b for b in bindings if b.kind == "aug"]
        starts = [b for b in bindings if b.kind == "assign"]
        if len(bindings) != 2 or len(updates) != 1 or len(starts) != 1 or starts[0].value is None:
            return False
        update = self.module.statement(updates[0].node)
        same = self.module.block(update) is self.module.block(self.module.statement(write.node))
        one = loops.literal(update.value) == 1 and isinstance(update.op, tree.Add)
        zero = loops.constant_of(self.proof, self.module, starts[0].value) == 0
        before = dominates(starts[0].node, write.loops[0].node, self.module)
        around = {a for a in self.module.ancestors(starts[0].node) if isinstance(a, tree.LOOPS)}
        return same and one and zero and before and not around & {loop.node for loop in write.loops} and (
            self.module.span(update).start > self.place(write)
        )

    def own_index(self, write: Use) -> str:
        """A name that already counts what is appended, "" if a counter has to be made."""
        if len(write.loops) != 1:
            return ""
        loop = write.loops[0]
        if loop.index is None or isinstance(loop.node, tree.While) or not self.assigned_once(loop, loop.index.id):
            return ""
        if loop.index.id.startswith("_"):
            return ""  # the author says that nobody looks at it
        start = loops.literal(loop.start) if loop.start is not None else 0
        if loop.stop is None or (start == 0 and loop.step == 1):
            return str(loop.index.id)
        return ""

    # bounds as text

    def product(self, write: Use, times: list[Linear]) -> Bound:
        bounds = [self.bound(one, loop.node) for one, loop in zip(times, write.loops, strict=True)]
        if len(bounds) == 1:
            return bounds[0]
        for bound in bounds:
            if not bound.nonnegative:
                raise _Blocked("a loop length that may be negative is multiplied")
        known = [b.number for b in bounds]
        total = None
        if all(n is not None for n in known):
            total = 1
            for n in known:
                total *= n or 0
        text = " * ".join(b.text if b.text.isidentifier() or b.number is not None else f"({b.text})" for b in bounds)
        return Bound(text, total, True, all(b.static for b in bounds))

    def bound(self, count: Linear, loop: Node) -> Bound:
        """A trip count as text that holds where the array is made."""
        moved = self.hoisted(count, loop)
        text = moved.render(self.text)
        folded = moved.constant if moved.is_constant else None
        nodes = [moved.nodes[atom] for atom, _ in moved.coefficients]
        if folded is None and nodes:
            numbers = [loops.constant_of(self.proof, self.module, n) for n in nodes if not isinstance(n, _Written)]
            if len(numbers) == len(nodes) and all(n is not None for n in numbers):
                folded = moved.constant + sum(f * (n or 0) for (_, f), n in zip(moved.coefficients, numbers, strict=True))
        nonnegative = (folded is not None and folded >= 0) or loops.is_nonnegative(moved, self.size_like)
        static = all(not isinstance(n, _Written) and self.python(n) for n in nodes)
        return Bound(text, folded, nonnegative, static)

    def size_like(self, node: Node) -> bool:
        return isinstance(node, _Written) or loops.size_like(node, self.module, self.proof)

    def python(self, node: Node) -> bool:
        values = self.proof.evaluate(node, self.module)
        return bool(values) and all(is_static(v) for v in values)

    def text(self, node: Node) -> str:
        return node.text if isinstance(node, _Written) else self.module.text(node)

    def hoisted(self, count: Linear, loop: Node, depth: int = 0) -> Linear:
        """The same sum with atoms that have the same value where the array is made."""
        result = number(count.constant)
        for atom, factor in count.coefficients:
            node = count.nodes[atom]
            checked = node.base if isinstance(node, _Written) else node
            if stable_between(checked, self.array.node, loop, self.array.function, self.program):
                result = result.plus(Linear(((atom, 1),), 0, {atom: node}), factor)
                continue
            inner = loops.definition(node, self.module, self.ev) if isinstance(node, tree.Name) else None
            if inner is None or depth > 4 or not stable_between(inner, inner, loop, self.array.function, self.program):
                raise _Blocked(f"`{self.text(node)}` is not known where the array is made")
            result = result.plus(self.hoisted(linear(inner, loops.literal), inner, depth + 1), factor)
        return result

    # tf.while_loop

    def in_whiles(self, write: Use, least: int) -> Plan:
        call = write.whiles[-1]
        if len(write.whiles) > 1 or write.loops:
            raise _Blocked("it is written to in nested loops")
        counter = call.counter
        if counter is None:
            raise _Blocked(f"`tf.while_loop` at line {call.node.lineno}: {call.why}")
        if not counter.tight:
            raise _Blocked("the loop may end earlier than its counter, so the number of writes depends on data")
        statement = call.body.module.statement(write.node) if not isinstance(call.body.node, tree.Lambda) else None
        if statement is not None and not any(statement is s for s in call.body.body):
            raise _Blocked(f"the write at line {write.node.lineno} is conditional")
        if self.guarded(write):
            raise _Blocked(f"the write at line {write.node.lineno} is conditional")
        append = self.is_append(write)
        name = call.body.params[call.position].id
        if append:
            index = name if counter.start == 0 and counter.step == 1 and counters.name_unchanged(call.body, name) else ""
            if not index:
                raise _Blocked("it is appended to, and no counter from zero stands ready")
        else:
            index = ""
            rounds = {name: number(counter.start).plus(Linear(((_ROUND, 1),), 0, {}), counter.step)}
            if not counters.name_unchanged(call.body, name):
                raise _Blocked("the counter is changed in the body before it is used")
            position = self.position(self.index(write), rounds)
            low = self.covered(position, counter.count, write)
            if low != least:
                raise _Blocked(f"the first index written in the loop is {low}, after {least} writes before it")
        self.reads([], False, write if append else None, call)
        size = self.bound(counter.count.plus(number(least)), call.node)
        times = self.bound(counter.count, call.node)
        plan_ = Plan(size, least, write if append else None, index, assumptions=self.assumptions, write=write)
        plan_.while_calls.append((call, times.text))
        return plan_

    def guarded(self, write: Use) -> bool:
        """Does an expression decide whether the write runs (`x if c else y`, a lambda of `tf.cond`)?"""
        module = write.module
        for ancestor in module.ancestors(write.node):
            if ancestor is write.function.node:
                return False
            if isinstance(ancestor, (tree.IfExp, tree.BoolOp, tree.Lambda, tree.If, *tree.LOOPS)):
                return True
        return False

    # reads

    def reads(
        self, around: list[Loop] | tuple[Loop, ...], sliced: bool, append: Use | None = None, call: WhileCall | None = None
    ) -> None:
        """What looks at the array must see the same with a fixed size."""
        for use in self.array.of("stack", "concat", "size", "gather"):
            if append is not None and use.node is append.index:
                continue
            if use.loops or use.whiles:
                raise _Blocked(f"`{use.method}()` at line {use.node.lineno} looks at it while it is being filled")
            if around and self.place(use) < self.module.span(around[0].node).start:
                raise _Blocked(f"`{use.method}()` at line {use.node.lineno} looks at it before it is filled")
            if sliced and use.method in ("concat", "gather"):
                raise _Blocked(f"`{use.method}()` at line {use.node.lineno} would see unwritten elements")

    # fewer writes than iterations

    def at_most(self, write: Use, every_time: bool) -> Plan:
        if write.frames:
            raise _Blocked("the number of writes depends on data, and a helper makes them")
        append = self.is_append(write)
        count = "" if append else self.user_count(write, every_time)
        self.reads(write.loops, True, write if append else None)
        times = [self.times(loop) for loop in write.loops]
        size = self.product(write, times)
        shape = "" if self.array.argument("element_shape") is not None else self.element_shape(write)
        counted = write if append else None
        if not append and not count:
            position = self.position(self.index(write), self.rounds(write.loops[-1], write)) if every_time else None
            if position is None or len(write.loops) > 1 or self.covered(position, times[0], write) != 0 or position.coefficient(_ROUND) != 1:
                raise _Blocked("the number of writes depends on data, and nothing counts them")
            counted = write
        result = Plan(size, 0, write if append else None, "", counted, True, count, shape, self.assumptions, write)
        result.assumptions.append("a result whose length depends on data is accepted by what uses it")
        return result

    def user_count(self, write: Use, every_time: bool) -> str:
        """A name that counts the writes: it starts at 0 and grows by one right after each."""
        index = write.index
        if not isinstance(index, tree.Name):
            return ""
        loop = write.loops[-1]
        bindings = write.function.bindings.get(index.id, [])
        inside = [b for b in bindings if any(a is loop.node for a in self.module.ancestors(b.node))]
        outside = [b for b in bindings if b not in inside]
        if len(inside) != 1 or len(outside) != 1 or outside[0].kind != "assign" or outside[0].value is None:
            return ""
        if loops.constant_of(self.proof, self.module, outside[0].value) != 0 or len(write.loops) > 1:
            return ""
        update = self.module.statement(inside[0].node)
        block = self.module.block(update)
        statement = self.module.statement(write.node)
        if counters.step_of_update(update, index.id) != 1 or not any(statement is s for s in block):
            return ""
        between = block[block.index(statement) : block.index(update)] if block.index(statement) < block.index(update) else []
        leaves = any(isinstance(n, (tree.Continue, tree.Break, tree.Return)) for s in between for n in tree.walk(s))
        return "" if not between or leaves else str(index.id)

    def element_shape(self, write: Use) -> str:
        """The shape of what is written, where the code shows it."""
        text = _shape(write.value, write.loops[-1], self) if write.value is not None else None
        if text is None:
            raise _Blocked("conditional writes need an element_shape, and the shape of what is written is not known")
        return text


def _shape(node: Node, loop: Loop, planner: _Planner) -> str | None:
    module = loop.module
    if isinstance(node, tree.Subscript) and not isinstance(node.slice, (tree.Slice, tree.Tuple)):
        if isinstance(node.value, (tree.Name, tree.Attribute)) and stable_between(
            node.value, planner.array.node, loop.node, loop.function, planner.program
        ):
            values = planner.ev.evaluate(node.value, module)
            if not all(is_static(v) for v in values):
                planner.assumptions.append(f"`{module.text(node.value)}` is a tensor")
                return f"{module.text(node.value)}.shape[1:]"
        return None
    if isinstance(node, tree.Name):
        if loop.element is not None and node.id == loop.element.id and loop.iterable is not None:
            base = loop.iterable
            if isinstance(base, (tree.Name, tree.Attribute)):
                return f"{module.text(base)}.shape[1:]"
        inner = loops.definition(node, module, planner.ev)
        return _shape(inner, loop, planner) if inner is not None else None
    if isinstance(node, tree.BinOp):
        sides = [_shape(side, loop, planner) for side in (node.left, node.right) if loops.literal(side) is None
                 and not (isinstance(side, tree.Constant) and isinstance(side.value, float))]  # fmt: skip
        return sides[0] if sides and len(set(sides)) == 1 else None
    if isinstance(node, tree.UnaryOp):
        return _shape(node.operand, loop, planner)
    if isinstance(node, tree.Call):
        names = {library.without_v1(v.name).split(".")[-1] for v in planner.ev.evaluate(node.func, module) if isinstance(v, Api)}
        if names and names <= {"reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod"} and len(node.args) == 1:
            return "[]" if not node.keywords else None
        if names and names <= {"square", "abs", "sqrt", "exp", "tanh", "sigmoid", "negative", "relu", "sin", "cos", "log"}:
            return _shape(node.args[0], loop, planner) if node.args else None
    return None


class _Written:
    """Source text that stands for no node of the file; `base`: the node whose value it depends on."""

    def __init__(self, text: str, base: Node) -> None:
        self.text = text
        self.base = base
