"""Which index each write to a TensorArray has, as a sum over the number of the iteration."""

from __future__ import annotations

from codemods.analysis import counters, dtypes, library, loops, tree, whiles
from codemods.analysis.arrays import Array, Use
from codemods.analysis.bounds import Blocked, Bounds
from codemods.analysis.changes import moved
from codemods.analysis.linear import Linear, linear, number
from codemods.analysis.loops import Loop
from codemods.analysis.names import find_binding_scope
from codemods.analysis.places import dominates, stable_between
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api

ROUND = Linear((("#", 1),), 0, {})  # the number of the iteration
_ROUND = "#"
_SAME = frozenset({"tensorflow.cast", "tensorflow.dtypes.cast", "tensorflow.identity", "builtins.int"})


class Indices:
    """The indices of the writes to one array."""

    def __init__(self, array: Array, bounds: Bounds) -> None:
        self.array = array
        self.bounds = bounds
        self.proof, self.module = bounds.proof, array.module

    def index(self, write: Use) -> tuple[Linear, bool]:
        """The index of a write as a sum, in terms of the array's own function; whether it was cast."""
        node = write.index
        if node is None:
            raise Blocked("the write has no index")
        result, cast = self.plain(node, write.module)
        for frame in reversed(write.frames):
            given = dict(frame.params)
            outer = number(result.constant)
            for atom, factor in result.coefficients:
                if atom not in given:
                    raise Blocked(f"`{atom}` in `{frame.callee.name}` is not an argument of the call")
                if not whiles.name_unchanged(frame.callee, atom):
                    raise Blocked(f"`{frame.callee.name}` changes `{atom}`")
                term, also = self.plain(given[atom], frame.caller.module)
                cast = cast or also
                outer = outer.plus(term, factor)
            result = outer
        return result, cast

    def plain(self, node: Node, module: Module) -> tuple[Linear, bool]:
        cast = False
        while isinstance(node, tree.Call) and node.args:
            values = self.bounds.ev.evaluate(node.func, module)
            if (
                not values
                or not {library.without_v1(v.name) if isinstance(v, Api) else "" for v in values} <= _SAME
            ):
                break
            node, cast = node.args[0], True
        return linear(node, loops.literal), cast

    def rounds(self, loop: Loop, write: Use, index: Linear) -> dict[str, Linear]:
        """Names that count iterations, as sums over the iteration number."""
        found: dict[str, Linear] = {}
        if (
            loop.index is not None
            and not isinstance(loop.node, tree.While)
            and self.assigned_once(loop, loop.index.id)
        ):
            if loop.stop is None:
                found[loop.index.id] = ROUND
            elif loop.step is not None:
                start = linear(loop.start, loops.literal) if loop.start is not None else number(0)
                self.unchanged(start, loop, loop.function)
                found[loop.index.id] = start.plus(ROUND, loop.step)
        for name in {atom for atom, _ in index.coefficients} - set(found):
            known = counters.local_counter(name, loop, self.proof)
            if known is not None:
                start_, step, update = known
                after = (
                    self.module.span(update).start
                    < self.module.span(write.frames[0].call if write.frames else write.node).start
                )
                found[name] = number(start_ + (step if after else 0)).plus(ROUND, step)
        return found

    def direct(self, index: Linear, cast: bool, loop: Loop) -> bool:
        """Is the index that of the loop itself, so that both have one type?"""
        if cast:
            return False
        if isinstance(loop.node, tree.While):
            counter = counters.of_while(loop, self.proof)
            return counter is not None and index.coefficient(counter.name) != 0
        return loop.index is not None and loop.stop is not None and index.coefficient(loop.index.id) != 0

    def assigned_once(self, loop: Loop, name: str) -> bool:
        return not any(
            isinstance(n, tree.Name) and n.id == name and not isinstance(n.ctx, tree.Load)
            for n in loop.body_nodes()
        )

    def unchanged(self, part: Linear, loop: Loop, function: Scope) -> None:
        """The names of a sum must mean the same in all rounds of a loop, and where a named range was made."""
        for atom, _ in part.coefficients:
            if atom == _ROUND:
                continue
            node = part.nodes[atom]
            if self.bounds.stored(node, loop):
                raise Blocked(f"`{atom}` changes in the loop at line {loop.node.lineno}")
            first = loop.call if not loop.written and loop.call is not None else loop.node
            inside = self.module.enclosing(node).function is function
            if (
                inside
                and not loop.written
                and not stable_between(node, first, loop.node, function, self.bounds.program)
            ):
                raise Blocked(f"`{atom}` may change between the range and the loop")
            why = moved(node, first, loop.node, function, self.bounds.program) if inside else ""
            if why:
                raise Blocked(why)

    def position(self, index: Linear, rounds: dict[str, Linear], loop: Loop | None = None) -> Linear:
        """The index of a write, as a sum over the iteration number."""
        result = number(index.constant)
        for atom, factor in index.coefficients:
            replaced = rounds.get(atom)
            if replaced is None:
                if any(isinstance(n, tree.Name) and n.id in rounds for n in tree.walk(index.nodes[atom])):
                    raise Blocked(f"the index `{tree.unparse(index.nodes[atom])}` is not a plain count")
                term = Linear(((atom, 1),), 0, index.nodes)
                if loop is not None:
                    self.unchanged(term, loop, self.array.function)
                replaced = term
            result = result.plus(replaced, factor)
        return result

    def seen_alike(self, index: Linear, own: str, scope: Scope, function: Scope) -> None:
        """The names of an index in the body of a `tf.while_loop` must be those of its caller."""
        for atom, _ in index.coefficients:
            for node in tree.walk(index.nodes[atom]):
                name = node.id if isinstance(node, tree.Name) else own
                if name != own and find_binding_scope(scope, name) is not find_binding_scope(function, name):
                    raise Blocked(f"`{name}` in `{scope.name}` is another name")

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
        raise Blocked(f"the index `{text}` does not run through 0, 1, 2, ...")

    def counts_up(self, position: Linear) -> bool:
        return position.coefficient(_ROUND) == 1

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
        if any(index.id in scope.elsewhere for scope in self.module.scope_of.values()):
            return False
        update = self.module.statement(updates[0].node)
        write_statement = self.module.statement(write.node)
        same = any(update is one for one in self.module.block(write_statement))
        one = loops.literal(update.value) == 1 and isinstance(update.op, tree.Add)
        zero = loops.constant_of(self.proof, self.module, starts[0].value) == 0
        before = dominates(starts[0].node, write.loops[0].node, self.module)
        around = {a for a in self.module.ancestors(starts[0].node) if isinstance(a, tree.LOOPS)}
        made = {a for a in self.module.ancestors(self.array.node) if isinstance(a, tree.LOOPS)}
        return (
            same
            and one
            and zero
            and before
            and made <= around
            and not around & {loop.node for loop in write.loops}
            and (self.module.span(update).start > self.module.span(write.node).start)
        )

    def own_index(self, write: Use) -> str:
        """A name that already counts what is appended, "" if a counter has to be made."""
        if len(write.loops) != 1:
            return ""
        loop = write.loops[0]
        if (
            loop.index is None
            or isinstance(loop.node, tree.While)
            or not self.assigned_once(loop, loop.index.id)
        ):
            return ""
        if loop.index.id.startswith("_"):
            return ""  # the author says that nobody looks at it
        asked = self.bounds.dtype(loop)
        if asked is not None and dtypes.names_int32(asked, self.module, self.bounds.program) is not True:
            return ""
        start = loops.literal(loop.start) if loop.start is not None else 0
        if loop.stop is None or (start == 0 and loop.step == 1):
            return str(loop.index.id)
        return ""

    def user_count(self, write: Use) -> str:
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
        made = {a for a in self.module.ancestors(self.array.node) if isinstance(a, tree.LOOPS)}
        if not made <= set(self.module.ancestors(outside[0].node)):
            return ""  # it goes on from one array to the next
        update = self.module.statement(inside[0].node)
        block = self.module.block(update)
        statement = self.module.statement(write.node)
        if counters.step_of_update(update, index.id) != 1 or not any(statement is s for s in block):
            return ""
        between = (
            block[block.index(statement) : block.index(update)]
            if block.index(statement) < block.index(update)
            else []
        )
        leaves = any(
            isinstance(n, (tree.Continue, tree.Break, tree.Return)) for s in between for n in tree.walk(s)
        )
        return "" if not between or leaves else str(index.id)
