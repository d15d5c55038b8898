"""Where the uses of a TensorArray stand: which run in any case, and in which order."""

from __future__ import annotations

from codemods.analysis import loops, tree
from codemods.analysis.arrays import Array, Use
from codemods.analysis.bounds import Blocked, Bounds
from codemods.analysis.changes import leaves_round
from codemods.analysis.places import dominates
from codemods.analysis.scopes import Scope
from codemods.analysis.tree import Node
from codemods.analysis.versions import forked

INLINE = (tree.IfExp, tree.BoolOp, tree.Lambda, tree.ListComp, tree.SetComp, tree.DictComp, tree.GeneratorExp)


class Order:
    """The uses of one array, as they follow one another. Raises Blocked where that is not certain."""

    def __init__(self, array: Array, bounds: Bounds) -> None:
        self.array = array
        self.bounds = bounds
        self.proof, self.module = bounds.proof, array.module

    def followed(self, writes: list[Use]) -> None:
        """The writes must run as they stand, and what each gives must be the array from there on."""
        for use in writes:
            functions = [self.array.function, *(frame.callee for frame in use.frames)]
            nodes = [*(frame.call for frame in use.frames), use.node]
            if use.whiles:
                functions, nodes = (
                    [functions[0], use.whiles[-1].body, *functions[1:]],
                    [use.whiles[-1].node, *nodes],
                )
            for function, node in zip(functions, nodes, strict=True):
                if self.in_try(node, function):
                    raise Blocked(f"the write at line {use.node.lineno} stands in a `try`")
        why = forked(self.array)
        if why:
            raise Blocked(why)
        begin = self.module.span(self.array.node).start
        end = max(self.end(use) for use in writes)
        for node in tree.walk(self.array.function.node):
            if not isinstance(node, (tree.Break, tree.Continue)):
                continue
            if begin < self.module.span(node).start < end and leaves_round(node, begin, self.module):
                raise Blocked(f"line {node.lineno} may go on to the next round before it is filled")

    def place(self, use: Use) -> int:
        return self.module.span(self.anchor(use)).start

    def end(self, use: Use) -> int:
        """Where a use is over: the end of the outermost loop that holds it."""
        outer = use.loops[0] if use.loops else None
        if outer is not None and outer.module is self.module and outer.function is self.array.function:
            return self.module.span(outer.node).end
        return self.module.span(self.anchor(use)).end

    def anchor(self, use: Use) -> Node:
        """The node in the function that makes the array: the use itself, or the call that leads to it."""
        for i, frame in enumerate(use.frames):
            inner = use.frames[i + 1].call if i + 1 < len(use.frames) else use.node
            module = frame.callee.module
            lambda_ = isinstance(frame.callee.node, tree.Lambda)
            if (
                use.method == "write"
                and not lambda_
                and not any(module.statement(inner) is s for s in frame.callee.body)
            ):
                raise Blocked(f"the write in `{frame.callee.name}` is conditional")
        if use.whiles:
            return use.whiles[0].node
        return use.frames[0].call if use.frames else use.node

    def prelude(self, writes: list[Use]) -> int:
        """Writes before the loop must fill 0, 1, 2, ... in order, in any case."""
        made = self.module.statement(self.array.node)
        for number_, use in enumerate(
            sorted(writes, key=lambda w: (self.module.span(self.anchor(w)).end, self.place(w)))
        ):
            index = use.index
            append = self.is_append(use)
            value = (
                loops.constant_of(self.proof, use.module, index)
                if index is not None and not append
                else number_
            )
            if use.frames:
                raise Blocked(f"the write at line {use.node.lineno} stands in a helper, outside of a loop")
            if value != number_:
                raise Blocked(f"the write at line {use.node.lineno} is not at index {number_}")
            if not any(
                self.module.statement(use.node) is one for one in self.module.block(made)
            ) or self.inline(use.node):
                raise Blocked(f"the write at line {use.node.lineno} is conditional")
            if append:
                raise Blocked(f"the write at line {use.node.lineno} is at `size()` outside of a loop")
        return len(writes)

    def inline(self, node: Node) -> bool:
        """Does an expression that does not make the array decide whether, or how often, a part of it runs?"""
        made = set(self.module.ancestors(self.array.node))
        for ancestor in self.module.ancestors(node):
            if isinstance(ancestor, tree.stmt):
                return False
            if isinstance(ancestor, INLINE) and ancestor not in made:
                return True
        return False

    def only(self, writes: list[Use]) -> Use:
        """The one write per iteration; the two branches of an `if` count as one."""
        if len(writes) == 1:
            return writes[0]
        if len({tuple(w.loops) for w in writes}) > 1 or any(w.whiles for w in writes):
            raise Blocked("several loops write to it")
        if len(writes) == 2 and self.both_branches(writes[0], writes[1]):
            if any(loops.exits(loop) or loops.continues(loop) for loop in writes[0].loops):
                raise Blocked("the two branches that write to it may be left early")
            return writes[0]
        raise Blocked(f"{len(writes)} writes per iteration")

    def both_branches(self, a: Use, b: Use) -> bool:
        """Do two writes stand in the two branches of one `if`, at the same index?"""
        if a.frames or b.frames:
            return False
        module = a.module
        first, second = module.statement(a.node), module.statement(b.node)
        branch = module.parent.get(first)
        if (
            branch is not module.parent.get(second)
            or not isinstance(branch, tree.If)
            or a.index is None
            or b.index is None
        ):
            return False
        split = any(first is s for s in branch.body) != any(second is s for s in branch.body)
        return split and tree.unparse(a.index) == tree.unparse(b.index) and not self.is_append(a)

    def is_append(self, use: Use) -> bool:
        return any(other.node is use.index for other in self.array.of("size"))

    def surely(self, node: Node) -> None:
        """A loop must run once for each array: no `if` and no other loop may stand round it alone."""
        made = self.module.statement(self.array.node)
        block = self.module.block(made)
        if self.inline(node):
            raise Blocked("the loop that writes to it is conditional")
        current = self.module.statement(node)
        while not any(current is one for one in block):
            parent = self.module.parent[current]
            if isinstance(parent, tree.LOOPS):
                raise Blocked(f"the loop at line {parent.lineno} repeats the writes")
            if not loops.harmless_with(parent):
                raise Blocked("the loop that writes to it is conditional")
            current = parent
        if not dominates(self.array.node, node, self.module):
            raise Blocked("the loop that writes to it stands before the array is made")

    def reads(self, sliced: bool, append: Use | None = None) -> None:
        """What looks at the array must see the same with a fixed size."""
        filled = max(self.end(write) for write in self.array.of("write"))
        for use in self.array.of("stack", "concat", "size", "gather"):
            if append is not None and use.node is append.index:
                continue
            if use.loops or use.whiles:
                raise Blocked(
                    f"`{use.method}()` at line {use.node.lineno} looks at it while it is being filled"
                )
            if self.module.span(self.anchor(use)).end <= filled:
                raise Blocked(f"`{use.method}()` at line {use.node.lineno} looks at it before it is filled")
            if sliced and use.method in ("concat", "gather"):
                raise Blocked(f"`{use.method}()` at line {use.node.lineno} would see unwritten elements")
            if sliced and use.frames:
                raise Blocked(
                    f"a helper reads it at line {use.node.lineno}, and would see unwritten elements"
                )

    @staticmethod
    def in_try(node: Node, function: Scope) -> bool:
        """Does a place stand in a `try` of its function?"""
        for ancestor in function.module.ancestors(node):
            if ancestor is function.node:
                return False
            if "Try" in type(ancestor).__name__:
                return True
        return False
