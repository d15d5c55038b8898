"""How often loops run, as text that holds where a TensorArray is made.

A size is never too small and never a guess: what cannot be proved is `Blocked`, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codemods.analysis import counters, dtypes, knowable, loops, spelling, tree
from codemods.analysis.arrays import Array
from codemods.analysis.changes import changed_length, leaves, moved
from codemods.analysis.compiled import Program
from codemods.analysis.linear import Linear, Written, linear, number
from codemods.analysis.loops import Loop
from codemods.analysis.names import find_binding_scope
from codemods.analysis.places import is_pure, stable_between
from codemods.analysis.scopes import Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import NOTHING, Api, Tensor, Unknown, is_static
from codemods.analysis.whiles import WhileCall
from codemods.model import Reason

KEY = "bounded-size"


@dataclass
class Bound:
    """A number of elements: source text, and what is known about it."""

    text: str
    number: int | None
    nonnegative: bool
    static: bool  # made of Python values only


class Blocked(Exception):  # noqa: N818 - it is an answer, not an error
    """Why a size cannot be derived, for people."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.reason = Reason(KEY, why)


class Bounds:
    """Trip counts of the loops that one array runs through. assumptions: what they take for granted."""

    def __init__(self, array: Array, program: Program) -> None:
        self.array = array
        self.program = program
        self.ev, self.proof, self.module = program.ev, program.proof, array.module
        self.assumptions: list[str] = []

    # how often

    def times(self, loop: Loop, direct: bool = False) -> Linear:
        """The trip count of a loop, as a sum that may be negative (no iteration).

        direct: the writes are at the loop's own index, so the index type is that of the bounds.
        """
        if any(self._called(node) == "set_loop_options" for node in loop.body_nodes()):
            raise Blocked(f"the loop at line {loop.node.lineno} has options of its own")
        if isinstance(loop.node, tree.While):
            counter = counters.of_while(loop, self.proof)
            if counter is None:
                raise Blocked(f"no counter bounds the `while` at line {loop.node.lineno}")
            self.whole(counter.limit, direct and self.starts_as_tensor(counter.name, loop))
            return counter.count
        if loop.stop is not None:
            for part in (loop.start, loop.stop):
                if part is not None:
                    self.whole(part, direct and self.dtype(loop) is None)
            found = loops.trip(loop, self.proof)
            if found.count is not None:
                return found.count
            if found.number is not None:
                return number(found.number)
            raise Blocked(
                f"the number of iterations of the loop at line {loop.node.lineno} is not a plain difference"
            )
        return self.items(loop)

    @staticmethod
    def _called(node: Node) -> str:
        if not isinstance(node, tree.Call):
            return ""
        return tree.identifier(node.func)

    def whole(self, node: Node, direct: bool) -> None:
        """The number must be an int32: XLA takes no other for a size, and a float is not a count."""
        kind = dtypes.kind_of(node, self.module, self.program)
        if kind == "other":
            raise Blocked(f"`{self.module.text(node)}` is not an int32 number")
        if kind == "unknown" and not direct:
            self.assumptions.append(f"`{self.module.text(node)}` is an int32 number")

    @staticmethod
    def dtype(loop: Loop) -> Node | None:
        """The type that the range call asks for."""
        if loop.call is None:
            return None
        found = next((kw.value for kw in loop.call.keywords if kw.arg == "dtype"), None)
        return loop.call.args[3] if found is None and len(loop.call.args) > 3 else found

    def starts_as_tensor(self, name: str, loop: Loop) -> bool:
        """Is the counter of a `while` a tensor from the start? Then its limit has the same type."""
        starts = [
            b.value
            for b in loop.function.bindings.get(name, [])
            if b.kind == "assign" and b.value is not None
        ]
        outside = [v for v in starts if not any(a is loop.node for a in self.module.ancestors(v))]
        values = self.proof.evaluate(outside[0], self.module) if len(outside) == 1 else NOTHING
        return bool(values) and all(isinstance(v, Tensor) for v in values)

    def items(self, loop: Loop) -> Linear:
        """Rows of a tensor, or the items of a Python container."""
        base = loop.iterable
        if (
            base is None
            or not isinstance(base, (tree.Name, tree.Attribute))
            or not is_pure(base, self.module, self.program)
        ):
            raise Blocked(f"it is not known how often the loop at line {loop.node.lineno} runs")
        values = self.proof.evaluate(base, self.module)
        text = self.module.text(base)
        if values and all(isinstance(v, Tensor) for v in values):
            rendered = f"{self.prefix()}shape({text})[0]"
        elif loop.kind == "items" and values and all(is_static(v) for v in values):
            why = changed_length(base, self.module, self.program)
            if why:
                raise Blocked(why)
            self.builtin("len", base)
            rendered = f"len({text})"
        elif all(isinstance(v, (Tensor, Unknown)) for v in values) and not self.made_here(base):
            rendered = f"{self.prefix()}shape({text})[0]"
            self.assumptions.append(f"`{text}` is a tensor or an array")
        else:
            raise Blocked(f"it is not known how often the loop at line {loop.node.lineno} runs")
        return Linear(((rendered, 1),), 0, {rendered: Written(rendered, base)})

    def made_here(self, base: Node) -> bool:
        """Is a name bound to something of Python's own: an iterator, a generator, a dictionary?"""
        if not isinstance(base, tree.Name):
            return False
        holder = find_binding_scope(self.module.enclosing(base), base.id)
        for binding in holder.bindings[base.id] if holder is not None else ():
            value = binding.value
            if binding.kind not in ("param", "assign") or isinstance(
                value, (tree.Dict, tree.Set, tree.GeneratorExp, tree.DictComp, tree.SetComp)
            ):
                return True
            if isinstance(value, tree.Call):
                names = {v.name for v in self.ev.evaluate(value.func, self.module) if isinstance(v, Api)}
                if any(name.startswith(("builtins.", "itertools.")) for name in names):
                    return True
        return False

    def builtin(self, name: str, place: Node) -> None:
        """Raises Blocked where a name that the fix writes does not mean Python's own function."""
        if not self.is_builtin(name):
            raise Blocked(f"`{name}` is something else at line {place.lineno}")

    def is_builtin(self, name: str) -> bool:
        return self.ev.named(self.module, self.module.enclosing(self.array.node), name) == {
            Api("builtins." + name)
        }

    # how the file spells TensorFlow

    def prefix(self) -> str:
        found = self.spelled()
        if not found:
            raise Blocked("TensorFlow itself has no name in this file")
        return found

    def spelled(self) -> str:
        """The text before `TensorArray(`, or a module's alias; "" where there is none."""
        written = self.module.text(self.array.node.func).rpartition(".")[0]
        return spelling.tensorflow(self.module, self.array.node, self.ev, written)

    # as text

    def product(self, times: Sequence[Linear], around: Sequence[Loop]) -> Bound:
        """The product of the trip counts of nested loops, outer first."""
        bounds = [
            self.of_loop(one, loop, around[:i])
            for i, (one, loop) in enumerate(zip(times, around, strict=True))
        ]
        if len(bounds) == 1:
            return bounds[0]
        for bound in bounds:
            if not bound.nonnegative:
                raise Blocked("a loop length that may be negative is multiplied")
        known = [b.number for b in bounds]
        total: int | None = 1
        for one in known:
            total = None if total is None or one is None else total * one
        text = " * ".join(
            b.text if b.text.isidentifier() or b.number is not None else f"({b.text})" for b in bounds
        )
        return Bound(text, total, True, all(b.static for b in bounds))

    def of_loop(self, count: Linear, loop: Loop, outer: Sequence[Loop] = ()) -> Bound:
        """A trip count of a loop; outer: loops round it that do not hold the creation."""
        place, end = (
            (loop.node, loop.node.test) if isinstance(loop.node, tree.While) else (loop.node, loop.node.iter)
        )
        if isinstance(loop.node, tree.While) or outer:
            end = (outer[0] if outer else loop).node  # asked again and again
        if not loop.written and loop.call is not None:
            place = loop.call  # the range was made there
            why = moved(loop.node.iter, self.array.node, loop.node, self.array.function, self.program)
            if why:
                raise Blocked(why)
        return self.bound(count, place, end, outer)

    def of_call(self, count: Linear, call: WhileCall) -> Bound:
        """A trip count of a `tf.while_loop`."""
        return self.bound(count, call.node, call.node, (), (call.cond, call.body))

    def bound(
        self, count: Linear, place: Node, end: Node, outer: Sequence[Loop], bodies: Sequence[Scope] = ()
    ) -> Bound:
        moved_ = self.hoisted(count, place, end, bodies)
        nodes = [moved_.nodes[atom] for atom, _ in moved_.coefficients]
        trees = [n.base if isinstance(n, Written) else n for n in nodes]
        for node in trees:
            for loop in outer:
                if self.stored(node, loop):
                    raise Blocked(
                        f"`{self.module.text(node)}` changes in the loop at line {loop.node.lineno}"
                    )
            why = knowable.at_runtime(node, self.module, self.array.node, self.ev)
            if why:
                raise Blocked(why)
        folded = moved_.constant if moved_.is_constant else None
        if folded is None and nodes:
            numbers = [
                loops.constant_of(self.proof, self.module, n) for n in nodes if not isinstance(n, Written)
            ]
            if len(numbers) == len(nodes) and all(n is not None for n in numbers):
                folded = moved_.constant + sum(
                    f * (n or 0) for (_, f), n in zip(moved_.coefficients, numbers, strict=True)
                )
        if folded is None:
            self.reached(place)
        nonnegative = (folded is not None and folded >= 0) or loops.is_nonnegative(moved_, self.size_like)
        static = all(
            not isinstance(n, Written) and knowable.is_python(n, self.module, self.proof) for n in nodes
        )
        return Bound(moved_.render(self.text), folded, nonnegative, static)

    def reached(self, place: Node) -> None:
        """The text is evaluated earlier than before, so nothing in between may leave the function."""
        if self.module.span(place).start < self.module.span(self.array.node).start:
            return
        found = leaves(self.array.node, place, self.array.function)
        if found is not None:
            raise Blocked(f"the function may be left at line {found.lineno}, before the loop")

    def size_like(self, node: Node) -> bool:
        return isinstance(node, Written) or loops.size_like(node, self.module, self.proof)

    def text(self, node: Node) -> str:
        return node.text if isinstance(node, Written) else self.module.text(node)

    def stored(self, node: Node, loop: Loop) -> bool:
        """Is a name of an expression bound anywhere in a loop, its header included?"""
        names = {n.id for n in tree.walk(node) if isinstance(n, tree.Name)}
        return any(
            isinstance(n, tree.Name) and n.id in names and not isinstance(n.ctx, tree.Load)
            for n in tree.walk(loop.node)
        )

    def hoisted(
        self, count: Linear, place: Node, end: Node, bodies: Sequence[Scope] = (), depth: int = 0
    ) -> Linear:
        """A sum as it is at `place`, with atoms that have the same value where the array is made."""
        result = number(count.constant)
        made, function = self.array.node, self.array.function
        for atom, factor in count.coefficients:
            node = count.nodes[atom]
            checked = node.base if isinstance(node, Written) else node
            early = self.module.span(place).start < self.module.span(made).start
            first, last = (place, made) if early else (made, place)
            if stable_between(checked, first, last, function, self.program):
                why = moved(checked, first, made if early else end, function, self.program, bodies)
                if why:
                    raise Blocked(why)
                result = result.plus(Linear(((atom, 1),), 0, {atom: node}), factor)
                continue
            inner = loops.definition(node, self.module, self.ev) if isinstance(node, tree.Name) else None
            if inner is None or depth > 4:
                raise Blocked(f"`{self.text(node)}` is not known where the array is made")
            result = result.plus(
                self.hoisted(linear(inner, loops.literal), inner, inner, bodies, depth + 1), factor
            )
        return result
