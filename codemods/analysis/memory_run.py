"""Runs a function of a JAX program on abstract values, as tracing does: statements and expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from codemods.analysis import (
    memory_calls,
    memory_displays,
    memory_fields,
    memory_statements,
    memory_tests,
    objects,
    tree,
)
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.memory_frame import Frame
from codemods.analysis.memory_ops import Operand, Operations
from codemods.analysis.memory_values import (
    OPAQUE,
    UNSURE,
    ClassValue,
    Const,
    Fn,
    Leaf,
    Lib,
    Map,
    Method,
    Opaque,
    Part,
    Place,
    Rec,
    Seq,
    Shard,
    Tup,
    Value,
    Wrapped,
    bound,
    child,
    element,
    elements,
    join,
    join_all,
    leaves,
    with_items,
)
from codemods.analysis.names import Binding, Scope, find_binding_scope
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    ApiObject,
    Class,
    Const as Constant,
    Function,
    Partial,
    Value as EvValue,
)
from codemods.knowledge import jax_memory as table

STEPS = 60_000  # nodes for one compiled function
ROUND_STEPS = 15_000  # for one function, or module, of the Python round them
ALL_STEPS = 2_000_000  # for all of these in a program
_DEPTH = 25


class TooMuch(Exception):  # noqa: N818 - an answer, not an error
    """The program is too large to follow."""


Outside = Callable[[Wrapped, "list[Value]", "dict[str, Value]"], Value]


class Runner:
    """One run under the rules of one JAX, inside of compiled code or in the Python round it."""

    def __init__(self, ev: Evaluator, operations: Operations, outside: Outside | None = None) -> None:
        """outside: what a compiled function gives to Python; None where the run is inside of one."""
        self.ev = ev
        self.ops = operations
        self.outside = outside
        self.entered: list[tuple[Wrapped, list[Value], dict[str, Value]]] = []
        self.stored: dict[tuple[Scope, str], Value | None] = {}
        self.made: list[Wrapped] = []
        self._globals: dict[tuple[Scope, str], Value] = {}
        self._steps = 0
        self._limit, self._left = STEPS, ALL_STEPS
        self._depth = 0

    def asked(self, work: Callable[[], Value | None]) -> Value | None:
        """The answer to a question of the Python round compiled code, which has its own number of steps.

        None where they do not suffice.
        """
        self._steps, self._depth, self._limit = 0, 0, min(ROUND_STEPS, self._left)
        try:
            return work()
        except TooMuch:
            return None
        finally:
            self._left -= self._steps

    def note(self, jitted: Wrapped) -> None:
        """A function is compiled, here by a function that Python calls, with arguments that are known."""
        if self.outside is not None and self._depth:
            self.made.append(jitted)

    # functions

    def call(
        self, place: Place, callee: Value, args: list[Operand], keywords: Mapping[str, Operand]
    ) -> Value:
        """What a call gives, whatever is called."""
        return memory_calls.call(self, place, callee, args, keywords)

    def apply(self, function: Value, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> Value:
        """What a function gives that was handed on."""
        return memory_calls.apply(self, function, args, keywords)

    def call_function(
        self, function: Fn, args: Sequence[Value], keywords: dict[str, Value]
    ) -> tuple[Value, Frame | None]:
        """What a function gives, and its frame."""
        scope = function.scope
        if self._depth > _DEPTH:
            return UNSURE, None
        frame = Frame(scope.module, scope, function.frame)
        given = list(args)
        if function.bound is not None and not scope.is_static:
            given.insert(0, function.bound)
        self._bind(frame, given, dict(keywords))
        self._depth += 1
        try:
            if isinstance(scope.node, tree.Lambda):
                frame.returns.append((self.eval(scope.node.body, frame), scope.node.body))
            else:
                self.block(scope.node.body, frame)
        finally:
            self._depth -= 1
        return join_all([value for value, _ in frame.returns]) if frame.returns else Const(None), frame

    def _bind(self, frame: Frame, args: list[Value], keywords: dict[str, Value]) -> None:
        scope, node = frame.scope, frame.scope.node.args
        params = [param.id for param in scope.params]
        names = frame.names
        names.update(zip(params, args, strict=False))
        if node.vararg is not None:
            names[node.vararg.id] = Tup(tuple(args[len(params) :]))
        known = [*params, *(param.id for param in node.kwonlyargs)]
        names.update({name: keywords.pop(name) for name in known if name in keywords})
        if node.kwarg is not None:
            names[node.kwarg.id] = Map(tuple(keywords.items()))
        for name in known:
            if name not in names:
                default = scope.default(name)
                outer = frame.parent or Frame(scope.module, scope.module.root)
                names[name] = self.eval(default, outer) if default is not None else UNSURE

    # statements

    def block(self, statements: Sequence[Node], frame: Frame) -> None:
        memory_statements.block(self, statements, frame)

    def assign(self, target: Node, value: Value, frame: Frame) -> None:
        memory_statements.assign(self, target, value, frame)

    # names

    def decorated(self, scope: Scope, frame: Frame) -> Value:
        """A function after its decorators."""
        value: Value = Fn(scope, frame if frame.scope.kind != "module" else None)
        for decorator in reversed(getattr(scope.node, "decorator_list", [])):
            place, by = Place(frame.module, decorator), self.eval(decorator, frame)
            if by == Lib(table.FUSED):
                return OPAQUE
            after = self.call(place, by, [(place, value)], {})
            if isinstance(after, (Fn, Wrapped, Part)):
                value = after
        return value

    def name(self, node: Node, frame: Frame) -> Value:
        found = frame.find(node.id)
        if found is not None:
            return found
        holder = find_binding_scope(frame.module.enclosing(node), node.id)
        if holder is None or holder.kind == "class":
            return self.converted(node, frame.module)
        return self.outer(holder, node.id, node, frame.module)

    def outer(self, holder: Scope, name: str, node: Node, module: Module) -> Value:
        """A name of a module, or of a function round it that is not running."""
        key = (holder, name)
        if key not in self._globals:
            self._globals[key] = OPAQUE  # a cycle
            frame = Frame(holder.module, holder)
            values = [self._binding(b, frame) for b in holder.bindings[name] if b.kind not in ("aug", "del")]
            known = [value for value in values if value is not None]
            imported = len(known) < len(values) or not values
            self._globals[key] = self.converted(node, module) if imported else join_all(known)
        return self._globals[key]

    def _binding(self, binding: Binding, frame: Frame) -> Value | None:
        """What a binding gives; None where the evaluator knows better."""
        if binding.kind == "def":
            return self.decorated(frame.module.scope_of[binding.node], frame)
        if binding.kind in ("assign", "walrus") and binding.value is not None:
            value = self.eval(binding.value, frame)
            for index in binding.path:
                found = child(value, index)
                value = found if found is not None else element(value)
            return value
        if binding.kind == "class":
            return ClassValue(frame.module.scope_of[binding.node])
        if binding.kind in ("import", "from", "star-import"):
            return None
        return UNSURE if binding.kind in ("param", "rest", "for", "comp", "with") else OPAQUE

    def _method(self, scope: Scope) -> Value:
        """A method of an object that is not looked into, after what compiles it."""
        key = (scope, "")
        if key not in self._globals:
            self._globals[key] = Fn(scope, None, OPAQUE)  # a cycle
            after = self.decorated(scope, Frame(scope.module, scope.module.root))
            if isinstance(after, Wrapped):
                self._globals[key] = bound(after)
        return self._globals[key]

    def converted(self, node: Node, module: Module) -> Value:
        """What the evaluator of the project knows about an expression."""
        return join_all([self._value(value) for value in self.ev.evaluate(node, module)])

    def _value(self, value: EvValue) -> Value:
        if isinstance(value, Api):
            return Lib(value.name)
        if isinstance(value, ApiObject):
            return Lib(f"{value.name}()")
        if isinstance(value, Constant):
            return Const(value.value)
        if isinstance(value, Class):
            return ClassValue(value.scope)
        if isinstance(value, Function):
            scope = value.scope
            if value.bound is not None:
                return self._method(scope)
            if scope.parent is not None and scope.parent.kind == "module" and scope.name != "<lambda>":
                return self.outer(scope.parent, scope.name, scope.node, scope.module)
            return Fn(scope, None)
        if isinstance(value, Partial) and not value.args and not value.keywords:
            return self._value(value.target)
        return OPAQUE

    # expressions

    def eval(self, node: Node, frame: Frame) -> Value:
        self._steps += 1
        if self._steps > self._limit:
            raise TooMuch
        if isinstance(node, tree.Constant):
            return Const(node.value)
        if isinstance(node, tree.Name):
            return self.name(node, frame)
        if isinstance(node, tree.Call):
            return self._call(node, frame)
        if isinstance(node, tree.Attribute):
            return self._attribute(node, frame)
        if isinstance(node, (tree.BinOp, tree.UnaryOp, tree.Compare, tree.BoolOp)):
            return self._operator(node, frame)
        if isinstance(node, tree.Subscript):
            return self._subscript(node, frame)
        if isinstance(node, (tree.Tuple, tree.List, tree.Set)):
            return memory_displays.display(self, node, frame)
        if isinstance(node, tree.Dict):
            return memory_displays.mapping(self, node, frame)
        if isinstance(node, tree.IfExp):
            test = self.eval(node.test, frame)
            if isinstance(test, Const):
                return self.eval(node.body if test.value else node.orelse, frame)
            return join(self.eval(node.body, frame), self.eval(node.orelse, frame))
        if isinstance(node, (tree.ListComp, tree.SetComp, tree.GeneratorExp, tree.DictComp)):
            return memory_displays.comprehension(self, node, frame)
        if isinstance(node, tree.Lambda):
            return Fn(frame.module.scope_of[node], frame)
        if isinstance(node, tree.NamedExpr):
            value = self.eval(node.value, frame)
            self.assign(node.target, value, frame)
            return value
        if isinstance(node, (tree.Starred, tree.Await)):
            return self.eval(node.value, frame)
        return OPAQUE

    def _operator(self, node: Node, frame: Frame) -> Value:
        if isinstance(node, tree.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, tree.UnaryOp):
            parts = [node.operand]
        elif isinstance(node, tree.Compare):
            parts = [node.left, *node.comparators]
        else:
            parts = list(node.values)
        operands = [(Place(frame.module, part), self.eval(part, frame)) for part in parts]
        test = memory_tests.known(node, [value for _, value in operands])
        if test is not None:
            return test
        if all(isinstance(value, (Const, Opaque)) for _, value in operands):
            return OPAQUE
        first, second = operands[0][1], operands[-1][1]
        if isinstance(first, Tup) and isinstance(second, Tup) and len(parts) == 2:
            return Tup((*first.items, *second.items), first.kind)
        if isinstance(node, tree.BinOp) and isinstance(node.op, tree.BitOr) and isinstance(first, Map):
            return join(first, second)
        if isinstance(node, tree.BinOp) and isinstance(node.op, tree.MatMult):
            return self.ops.library(Place(frame.module, node), "matmul", operands, False)
        if isinstance(node, tree.Compare) and isinstance(node.ops[0], (tree.Is, tree.IsNot, tree.In)):
            return OPAQUE
        return self.ops.compute(Place(frame.module, node), operands, "operator")

    def _attribute(self, node: Node, frame: Frame, called: bool = False) -> Value:
        base = self.eval(node.value, frame)
        if isinstance(base, Lib):
            return Lib(f"{base.name}.{node.attr}") if base.name.endswith("()") else self._lib(node, frame)
        if isinstance(base, Rec):
            found = base.get(node.attr) if not called or base.rest is None else None
            if found is not None:
                return found
            method = objects.method(self.ev, base.scope, node.attr) if base.scope is not None else None
            if method is not None:
                return Fn(method, None, base)
        if isinstance(base, Leaf) and (node.attr in table.STATIC or node.attr.startswith("__")):
            return OPAQUE
        if isinstance(base, Leaf) and node.attr in ("T", "mT"):
            return self.ops.viewed(Place(frame.module, node.value), base, "transpose")
        if isinstance(base, Leaf) and not called and node.attr not in table.ARRAY_METHODS:
            return replace(base, ndim=None, direct=False)  # a field of a tree whose arrays are all alike
        if isinstance(base, Shard) and not called:
            return OPAQUE if node.attr in table.SHARDING_FIELDS else base
        if isinstance(base, Opaque) and (kept := memory_fields.kept(self, node, frame)) is not None:
            return kept
        if called and isinstance(base, Opaque) and node.attr in ("replace", "_replace"):
            known = self.converted(node, frame.module)
            return known if known != OPAQUE else Method(base, node.attr, Place(frame.module, node.value))
        if isinstance(base, (Leaf, Tup, Map, Seq, Rec, Shard, Wrapped, Method)):
            return Method(base, node.attr, Place(frame.module, node.value))
        return self.converted(node, frame.module)

    def _lib(self, node: Node, frame: Frame) -> Value:
        value = self.converted(node, frame.module)
        return memory_calls.space(value, Place(frame.module, node))

    def _subscript(self, node: Node, frame: Frame) -> Value:
        base, key = self.eval(node.value, frame), self.eval(node.slice, frame)
        place = Place(frame.module, node.value)
        if isinstance(base, Method) and base.name == "at":
            return base
        if isinstance(key, Const):
            found = child(base, key.value)
            if found is not None:
                return found
        if isinstance(base, Leaf):
            index = (Place(frame.module, node.slice), key)
            return self.ops.library(Place(frame.module, node), "getitem", [(place, base), index], False)
        if isinstance(base, Tup) and isinstance(node.slice, tree.Slice):
            return Seq(join_all(list(base.items)))
        return join_all(list(leaves(base))) if next(leaves(base), None) is not None else OPAQUE

    def _call(self, node: Node, frame: Frame) -> Value:
        called = node.func
        callee = (
            self._attribute(called, frame, called=True)
            if isinstance(called, tree.Attribute)
            else self.eval(called, frame)
        )
        args: list[tuple[Place, Value]] = []
        for arg in node.args:
            value = self.eval(arg, frame)
            place = Place(frame.module, arg.value if isinstance(arg, tree.Starred) else arg)
            if isinstance(arg, tree.Starred):
                spread = elements(value)
                args += [(place, item) for item in (spread if spread is not None else [element(value)])]
            else:
                args.append((place, value))
        keywords: dict[str, tuple[Place, Value]] = {}
        for keyword in node.keywords:
            value, place = self.eval(keyword.value, frame), Place(frame.module, keyword.value)
            if keyword.arg is not None:
                keywords[keyword.arg] = (place, value)
            elif isinstance(value, Map):
                keywords.update({str(key): (place, item) for key, item in value.items})
        if isinstance(callee, Method) and isinstance(callee.place.node, tree.Name):
            self._change(callee, [value for _, value in args], frame)
        return self.call(Place(frame.module, node), callee, args, keywords)

    def _change(self, method: Method, args: list[Value], frame: Frame) -> None:
        """`name.append(value)` and its kin."""
        base, name = method.value, method.place.node.id
        if isinstance(base, Tup) and method.name == "append" and args:
            frame.names[name] = Tup((*base.items, args[0]), base.kind)
        elif isinstance(base, Map) and method.name == "update" and args and isinstance(args[0], Map):
            frame.names[name] = with_items(base, dict(args[0].items))
        elif method.name in ("append", "extend", "insert", "update", "setdefault", "add") and args:
            added = [leaf for value in args for leaf in leaves(value)]
            if not isinstance(base, Leaf) and added:
                frame.names[name] = Seq(join_all([*leaves(base), *added]), isinstance(base, Map))
