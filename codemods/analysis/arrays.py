"""Where a TensorArray goes: its writes and reads, followed through names and `tf.while_loop`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from codemods.analysis import calls, flags, library, loops, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.loops import Loop
from codemods.analysis.names import find_binding_scope, may_be_called
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Function
from codemods.analysis.whiles import WhileCall, given, only_return, while_calls

_KEEPS = ("write", "unstack", "scatter", "split", "identity")
_READS = ("stack", "size", "concat", "gather", "read", "close", "mark_used", "grad")


@dataclass(frozen=True, eq=False)
class Frame:
    """A helper of the project that gets the array. call: where, in `caller`; params: name -> argument.

    array: the argument that is the array.
    """

    call: Node
    caller: Scope
    callee: Scope
    params: tuple[tuple[str, Node], ...]
    array: Node


@dataclass(frozen=True, eq=False)
class Use:
    """A method call on the array.

    loops: the loops round it that do not hold the creation, outer first. whiles: the `tf.while_loop`s
    whose body holds it. frames: the helpers that hold it, with the calls that lead into them.
    """

    method: str
    node: Node
    function: Scope
    loops: tuple[Loop, ...]
    whiles: tuple[WhileCall, ...]
    frames: tuple[Frame, ...] = ()

    @property
    def module(self) -> Module:
        return self.function.module

    @property
    def index(self) -> Node | None:
        return given(self.node, "index", 0)

    @property
    def value(self) -> Node | None:
        return given(self.node, "value", 1)


@dataclass(eq=False)
class Array:
    """A TensorArray with all its uses; `lost`: why it cannot be followed completely, "" if it can.

    stores: the names that it is bound to, with where they stand. positions: of the array among the
    variables of a `tf.while_loop` call.
    """

    function: Scope
    node: Node
    uses: list[Use] = field(default_factory=list)
    whiles: list[WhileCall] = field(default_factory=list)
    lost: str = ""
    mentions: set[Node] = field(default_factory=set)  # the expressions that are the array
    stores: list[tuple[Module, Scope, Node]] = field(default_factory=list)
    positions: dict[Node, int] = field(default_factory=dict)

    @property
    def module(self) -> Module:
        return self.function.module

    def argument(self, name: str) -> Node | None:
        return flags.argument(self.node, name)

    def of(self, *methods: str) -> list[Use]:
        return [use for use in self.uses if use.method in methods]


def find(function: Scope, ev: Evaluator, proof: Evaluator) -> Iterator[Array]:
    """The TensorArrays that a function makes and that may grow."""
    found_loops: list[Loop] | None = None
    for node in calls.own_nodes(function):
        if isinstance(node, tree.Call) and _makes_array(node, function.module, ev):
            grows, fixed = flags.may_grow(node, function.module, ev)
            if not grows:
                continue
            array = Array(function, node, lost=fixed)
            if found_loops is None:
                found_loops = loops.find(function, ev, proof)
            _Tracer(array, ev, proof, found_loops).expression(node, function, ())
            yield array


def _makes_array(node: Node, module: Module, ev: Evaluator) -> bool:
    if not may_be_called(node, module, "TensorArray"):
        return False
    return any(
        isinstance(v, Api) and library.without_v1(v.name) == "tensorflow.TensorArray"
        for v in ev.evaluate(node.func, module)
    )


def _loops_round(node: Node, module: Module) -> Iterator[Node]:
    """The loops whose body (or test) holds a node, inner first; what stands in an `else` runs once."""
    child = node
    for ancestor in module.ancestors(node):
        if isinstance(ancestor, tree.LOOPS) and not any(child is one for one in ancestor.orelse):
            yield ancestor
        child = ancestor


class _Tracer:
    def __init__(self, array: Array, ev: Evaluator, proof: Evaluator, found_loops: list[Loop]) -> None:
        self.array = array
        self.ev = ev
        self.proof = proof
        self.loops = {loop.node: loop for loop in found_loops}
        self.seen: set[Node] = set()
        self.names: set[tuple[Scope, str]] = set()
        self.bound: set[Node] = set()
        module = array.module
        self.around = set(_loops_round(array.node, module))
        self.calls = {call.node: call for call in while_calls(array.function, ev, proof)}
        self.frames: list[Frame] = []
        self.handed_back: set[Scope] = set()  # helpers that return the array

    def lose(self, why: str) -> None:
        self.array.lost = self.array.lost or why

    def expression(self, node: Node, function: Scope, whiles: tuple[WhileCall, ...]) -> None:
        """Follow one expression that is the array."""
        if node in self.seen:
            return
        self.seen.add(node)
        self.array.mentions.add(node)
        module = function.module
        parent = module.parent.get(node)
        if isinstance(parent, tree.Attribute):
            self.attribute(parent, function, whiles)
        elif isinstance(parent, tree.Assign):
            for target in parent.targets:
                self.target(target, function, whiles)
        elif isinstance(parent, (tree.AnnAssign, tree.NamedExpr)):
            self.target(parent.target, function, whiles)
        elif isinstance(parent, (tree.Tuple, tree.List)):
            self.item(node, parent, function, whiles)
        elif isinstance(parent, tree.Return) or (isinstance(parent, tree.Lambda) and parent.body is node):
            if self.frames and function is self.frames[-1].callee:
                self.handed_back.add(function)
                return
            self.lose("it is returned, and the callers may write to it or ask for its size")
        elif isinstance(parent, tree.Call) and node is not parent.func:
            if module.text(parent.func) != "isinstance":
                self.passed(node, parent, function, whiles)
        elif isinstance(parent, tree.Expr):
            if isinstance(node, tree.Call) and node is not self.array.node:
                self.lose(f"the result of the write at line {node.lineno} is not used")
        elif not isinstance(parent, (tree.If, tree.While, tree.Compare, tree.Delete)):
            self.lose(_unusual(node, parent, module))

    def passed(self, node: Node, call: Node, function: Scope, whiles: tuple[WhileCall, ...]) -> None:
        """Into a helper of the project, if it is certain which one, and back with what it returns."""
        module = function.module
        values = self.ev.evaluate(call.func, module)
        target = next(iter(values)) if len(values) == 1 else None
        spelled = module.text(call.func)
        if not isinstance(target, Function) or node not in call.args or len(self.frames) > 2:
            self.lose(f"it is passed to `{spelled}` at line {node.lineno}")
            return
        callee = target.scope
        names = [param.id for param in callee.params]
        if target.bound is not None and not callee.is_static:
            names = names[1:]
        given = dict(zip(names, call.args, strict=False))
        given.update({kw.arg: kw.value for kw in call.keywords if kw.arg in names})
        name = next((n for n, arg in given.items() if arg is node), None)
        recursive = any(frame.callee is callee for frame in self.frames) or callee is self.array.function
        if name is None or recursive or any(isinstance(a, tree.Starred) for a in call.args):
            self.lose(f"it is passed to `{spelled}` at line {node.lineno}")
            return
        self.frames.append(Frame(call, function, callee, tuple(given.items()), node))
        before = len(self.array.uses)
        self.handed_back.discard(callee)
        seen, self.seen = self.seen, set()  # another call may lead into the same helper
        names_before = set(self.names)
        self.names.add((callee, name))
        self.name(callee, name, whiles)
        self.names = names_before
        self.seen = seen
        self.frames.pop()
        writes = any(use.method in _KEEPS for use in self.array.uses[before:])
        if callee in self.handed_back and only_return(callee) is not None:
            self.expression(call, function, whiles)
        elif callee in self.handed_back or writes:
            self.lose(f"`{spelled}` at line {node.lineno} does not hand it back in one place")

    def attribute(self, parent: Node, function: Scope, whiles: tuple[WhileCall, ...]) -> None:
        module = function.module
        call = module.parent.get(parent)
        if not (isinstance(call, tree.Call) and call.func is parent):
            if parent.attr not in ("dtype", "element_shape", "dynamic_size"):
                self.lose(f"its `{parent.attr}` is used at line {parent.lineno}")
            return
        if parent.attr not in (*_KEEPS, *_READS):
            self.lose(f"`{parent.attr}` at line {parent.lineno} is not known")
            return
        where = self.around_use(call, function)
        self.array.uses.append(Use(parent.attr, call, function, where, whiles, tuple(self.frames)))
        if parent.attr in _KEEPS:
            self.expression(call, function, whiles)

    def around_use(self, node: Node, function: Scope) -> tuple[Loop, ...]:
        if function is not self.array.function:
            inner = {loop.node: loop for loop in loops.find(function, self.ev, self.proof)}
            own = tuple(reversed([inner[a] for a in _loops_round(node, function.module) if a in inner]))
            frame = next((f for f in reversed(self.frames) if f.callee is function), None)
            return (*self.around_use(frame.call, frame.caller), *own) if frame is not None else own
        found = [a for a in _loops_round(node, function.module) if a not in self.around]
        return tuple(self.loops[a] for a in reversed(found) if a in self.loops)

    def target(self, target: Node, function: Scope, whiles: tuple[WhileCall, ...]) -> None:
        if not isinstance(target, tree.Name):
            kind = "an attribute" if isinstance(target, tree.Attribute) else "a container"
            self.lose(f"it is kept in {kind} at line {target.lineno}")
            return
        module = function.module
        holder = find_binding_scope(module.enclosing(target), target.id)
        self.bound.add(target)
        self.array.stores.append((module, function, target))
        if holder is None or holder.kind != "function":
            self.lose(f"`{target.id}` is not a local name")
            return
        if (holder, target.id) in self.names:
            return
        self.names.add((holder, target.id))
        self.name(holder, target.id, whiles)

    def name(self, holder: Scope, name: str, whiles: tuple[WhileCall, ...]) -> None:
        """Follow the uses of a name that see the array; from `x = x.stack()` on it is something else."""
        module = holder.module
        seen_by: dict[Node, set[Node]] = {}
        waiting = [
            mention
            for mention in module.mentions.get(name, ())
            if isinstance(mention.ctx, tree.Load)
            and find_binding_scope(module.enclosing(mention), name) is holder
        ]
        progress = True
        while progress:
            progress = False
            for mention in list(waiting):
                if module.enclosing(mention).function is not holder:
                    self.lose(f"`{name}` is used in a nested function at line {mention.lineno}")
                seen = self.ev.flow.definitions(holder, mention)
                if seen and not any(self.is_array(one) for one in seen):
                    continue  # not yet, or not at all
                waiting.remove(mention)
                progress = True
                seen_by[mention] = seen or set()
                self.expression(mention, holder, whiles)
        for mention, seen in seen_by.items():
            if not all(self.is_array(one) for one in seen):
                self.lose(f"`{name}` may be something else at line {mention.lineno}")
        for binding in holder.bindings[name]:
            if not self.ev.flow.known(holder) and not self.is_array(binding.node) and binding.kind != "del":
                self.lose(f"`{name}` is something else at line {binding.node.lineno}")

    def is_array(self, definition: Node) -> bool:
        """Does a definition of a name bind the array (or is it the parameter that gets it)?"""
        return definition in self.bound or isinstance(getattr(definition, "ctx", None), tree.Param)

    def item(self, node: Node, container: Node, function: Scope, whiles: tuple[WhileCall, ...]) -> None:
        """The array in a tuple: a parallel assignment, a return of a loop body, loop variables."""
        module = function.module
        index = next(i for i, one in enumerate(container.elts) if one is node)
        outer = module.parent.get(container)
        if isinstance(outer, tree.Assign) and isinstance(outer.targets[0], (tree.Tuple, tree.List)):
            targets = outer.targets[0].elts
            if len(targets) == len(container.elts) and not any(isinstance(t, tree.Starred) for t in targets):
                self.target(targets[index], function, whiles)
                return
        if whiles and container is whiles[-1].returned and self.array.positions.get(whiles[-1].node) == index:
            return
        call = module.parent.get(outer) if isinstance(outer, tree.keyword) else outer
        if isinstance(call, tree.Call) and call in self.calls and self.calls[call].container is container:
            self.loop_variable(self.calls[call], index, function, whiles)
            return
        if isinstance(outer, (tree.Return, tree.Lambda)):
            self.lose("it is returned, and the callers may write to it or ask for its size")
        elif isinstance(call, tree.Call) and any(
            isinstance(v, Api) and v.name.endswith("while_loop") for v in self.ev.evaluate(call.func, module)
        ):
            self.lose(f"the `tf.while_loop` at line {call.lineno} is not understood")
        else:
            self.lose(f"it is put into a container at line {node.lineno}")

    def loop_variable(
        self, call: WhileCall, index: int, function: Scope, whiles: tuple[WhileCall, ...]
    ) -> None:
        self.array.positions[call.node] = index
        if call not in self.array.whiles:
            self.array.whiles.append(call)
        cond = call.cond_params
        if index < len(cond) and any(
            isinstance(m.ctx, tree.Load)
            and find_binding_scope(call.cond.module.enclosing(m), m.id) is call.cond
            for m in call.cond.module.mentions.get(cond[index].id, ())
        ):
            self.lose("the condition of the loop looks at it")
        params = call.body_params
        if index >= len(params):
            self.lose("the body of the loop takes it through `*args`")
            return
        name = params[index].id
        self.names.add((call.body, name))
        before = self.array.lost
        self.name(call.body, name, (*whiles, call))
        if before != self.array.lost and self.array.lost.startswith("it is returned"):
            self.array.lost = "the body of the loop does not return it in its place"
        self.result(call, index, function, whiles)

    def result(self, call: WhileCall, index: int, function: Scope, whiles: tuple[WhileCall, ...]) -> None:
        """What becomes of the array that the loop returns."""
        module = function.module
        parent = module.parent.get(call.node)
        if isinstance(parent, tree.Assign) and len(parent.targets) == 1:
            target = parent.targets[0]
            items = target.elts if isinstance(target, (tree.Tuple, tree.List)) else []
            if len(items) == len(call.variables) and not any(isinstance(t, tree.Starred) for t in items):
                self.target(items[index], function, whiles)
                return
            if isinstance(target, tree.Name):
                self.picked(target, index, len(call.variables), function, whiles)
                return
        if isinstance(parent, tree.Subscript) and parent.value is call.node:
            self.subscript(parent, index, len(call.variables), function, whiles)
            return
        self.lose("what the loop returns is not taken apart in sight")

    def picked(
        self, target: Node, index: int, size: int, function: Scope, whiles: tuple[WhileCall, ...]
    ) -> None:
        module = function.module
        holder = find_binding_scope(module.enclosing(target), target.id)
        if holder is None or len(holder.bindings[target.id]) != 1:
            self.lose(f"`{target.id}` is bound more than once")
            return
        for mention in module.mentions.get(target.id, ()):
            if (
                isinstance(mention.ctx, tree.Load)
                and find_binding_scope(module.enclosing(mention), target.id) is holder
            ):
                parent = module.parent.get(mention)
                if isinstance(parent, tree.Subscript) and parent.value is mention:
                    self.subscript(parent, index, size, function, whiles)
                else:
                    self.lose(f"the loop's results are used as a whole at line {mention.lineno}")

    def subscript(
        self, node: Node, index: int, size: int, function: Scope, whiles: tuple[WhileCall, ...]
    ) -> None:
        key = loops.literal(node.slice)
        if key is None:
            self.lose(f"the loop's results are indexed by an expression at line {node.lineno}")
        elif key % size == index:
            self.expression(node, function, whiles)


def _unusual(node: Node, parent: Node, module: Module) -> str:
    """What happens to an array in a place that is not followed."""
    if isinstance(parent, (tree.ListComp, tree.SetComp, tree.GeneratorExp, tree.Dict, tree.DictComp)):
        return f"it is kept in a list or a dict at line {node.lineno}"
    if isinstance(parent, tree.keyword):
        call = module.parent.get(parent)
        name = module.text(call.func) if isinstance(call, tree.Call) else "a class"
        return f"it is passed to `{name}` at line {node.lineno}"
    if isinstance(parent, tree.IfExp):
        return f"a condition decides at line {node.lineno} whether it is used"
    return f"it is used at line {node.lineno} in a way that is not followed"
