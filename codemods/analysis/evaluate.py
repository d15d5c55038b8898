"""Abstract evaluation: what may this expression be?

Values flow through names, attributes, containers, calls and closures. Arguments are tracked per call
(`Env`), so factories, decorators, partials and objects made with different arguments stay apart.
Where an environment does not say what a parameter is, `params` is asked (see `compiled`, `callers`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from codemods.analysis import (
    attributes,
    calls,
    containers,
    decorators,
    dispatch,
    imports,
    objects,
    operators,
    origins,
    tree,
)
from codemods.analysis.flow import Flow
from codemods.analysis.index import Project
from codemods.analysis.names import Binding, Scope, find_binding_scope
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    INT,
    NOTHING,
    UNKNOWN,
    Api,
    Class,
    Const,
    DictValue,
    Env,
    Function,
    ListValue,
    Static,
    Tensor,
    TupleValue,
    Value,
    Values,
    one,
    union,
    unknown,
)

_STEPS = 60_000  # evaluations for one question; more is Unknown
_NESTING = 220  # nested evaluations


class Placing(Protocol):
    """Follows the devices on which things are made, for an evaluator that is asked for that (`devices`)."""

    def scopes(self, node: Node, module: Module, env: Env | None) -> Values:
        """The device scopes that may be open where a node is evaluated."""

    def made(
        self, node: Node, module: Module, env: Env | None, callee: Values, args: list[Values], result: Values
    ) -> Values:
        """The result of a call, marked with where it was made."""

    def told(self, node: Node, module: Module, env: Env | None, result: Values) -> Values:
        """What an expression gives: `result`, or more where it is about a device."""


class Evaluator:
    """Evaluates expressions of a project.

    params: (function, parameter name) -> what the callers pass, where no environment tells.
    """

    def __init__(
        self, project: Project, params: Callable[[Scope, str], Values], thorough: bool = False
    ) -> None:
        """thorough: also look for what other code stores in an object's attributes."""
        self.project = project
        self.thorough = thorough
        self.placing: Placing | None = None
        self.flow = Flow()
        self.params = params
        self._memo: dict[tuple[object, Env | None], Values] = {}
        self._active: set[tuple[object, Env | None]] = set()
        self._cut: set[tuple[object, Env | None]] = set()
        self._steps = 0
        self.orders: dict[Scope, list[Value]] = {}  # classes with their bases
        self.contexts: dict[Scope, set[Env | None]] = {}  # the arguments that functions were followed with
        self.busy: set[Scope] = set()  # functions whose calls are no longer told apart
        self.given: dict[tuple[Scope, str], set[Value]] = {}  # functions and objects that parameters got
        self.wrapped: dict[Scope, set[Function]] = {}  # what a decorator replaced, by what stands for it
        self._stores: dict[tuple[Scope, str], list[tuple[containers.Stored, Scope]]] = {}

    def forget(self) -> None:
        """Drop remembered answers: what `params` answers has changed."""
        self._memo.clear()

    def evaluate(self, node: Node, module: Module, env: Env | None = None) -> Values:
        """What an expression may be. Never raises; what is not understood is Unknown."""
        return self.guarded((node, env), lambda: self._node(node, module, env))

    def guarded(
        self, key: tuple[object, Env | None], work: Callable[[], Values], widen: bool = False
    ) -> Values:
        """Run `work` once per key; a cycle gives NOTHING, a question that grows too large Unknown.

        widen: a constant that was computed from itself is only known to be an int.
        """
        known = self._memo.get(key)
        if known is not None:
            return known
        if key in self._active:
            self._cut.add(key)
            return NOTHING
        top = not self._active
        if top:
            self._steps = 0
        self._steps += 1
        if self._steps > _STEPS or len(self._active) > _NESTING:
            return unknown("too deep to follow")
        self._active.add(key)
        cuts = len(self._cut)
        try:
            result = work()
        finally:
            self._active.discard(key)
        if key in self._cut:
            self._cut.discard(key)
            if widen:
                result = _widened(result)
        if top or len(self._cut) <= cuts:
            self._memo[key] = result
        if top:
            self._cut.clear()
        return result

    # nodes

    def _node(self, node: Node, module: Module, env: Env | None) -> Values:
        handler = _HANDLERS.get(type(node))
        result = handler(self, node, module, env) if handler else UNKNOWN
        return result if self.placing is None else self.placing.told(node, module, env, result)

    def _constant(self, node: Node, _module: Module, _env: Env | None) -> Values:
        return (
            one(Const(node.value))
            if isinstance(node.value, (int, float, str, bytes, type(None)))
            else UNKNOWN
        )

    def _name(self, node: Node, module: Module, env: Env | None) -> Values:
        scope = module.enclosing(node)
        holder = find_binding_scope(scope, node.id)
        if holder is None:
            star = imports.star(self, module, node.id)
            if star is not None:
                return star
            return (
                one(Api("builtins." + node.id))
                if node.id in imports.BUILTINS
                else unknown(f"`{node.id}` is not defined here")
            )
        return self.bindings(holder, node.id, self.reaching(node, scope, holder), env)

    def named(self, module: Module, scope: Scope, name: str) -> Values:
        """What a name means in a scope, wherever in it the name may stand."""
        holder = find_binding_scope(scope, name)
        if holder is not None:
            return self.bindings(holder, name, holder.bindings[name], None)
        star = imports.star(self, module, name)
        return (
            star
            if star is not None
            else one(Api("builtins." + name))
            if name in imports.BUILTINS
            else UNKNOWN
        )

    def dotted(self, text: str, module: Module, place: Node) -> Values:
        """What a dotted name means where `place` stands."""
        first, *rest = text.split(".")
        values = self.named(module, module.enclosing(place), first)
        for attr in rest:
            values = union(attributes.attribute(self, value, attr) for value in values)
        return values

    def reaching(self, node: Node, scope: Scope, holder: Scope) -> list[Binding]:
        """The bindings that a use of a name can see."""
        found = holder.bindings[node.id]
        if len(found) > 1 and holder.kind == "function" and scope.function is holder:
            seen = self.flow.definitions(holder, node)
            if seen:
                found = [binding for binding in found if binding.node in seen] or found
        return found

    def bindings(self, holder: Scope, name: str, found: list[Binding], env: Env | None) -> Values:
        """The join of what some bindings of a name give."""
        inner = env.find(holder) if env is not None and holder.kind == "function" else None
        if holder.kind in ("function", "comprehension"):
            inner = inner or env
        values = union(
            self.guarded((binding, inner), partial(self.binding, holder, name, binding, inner), widen=True)
            for binding in found
        )
        if self.thorough and holder.kind == "module" and any(isinstance(v, (Const, Static)) for v in values):
            values = union([values, attributes.rebound(self, holder.module, name)])
        if any(isinstance(value, (ListValue, DictValue)) for value in values):
            return self._with_stores(holder, name, values, inner)
        return values

    def binding(self, holder: Scope, name: str, binding: Binding, env: Env | None) -> Values:
        """What one binding gives."""
        module, kind, value = holder.module, binding.kind, binding.value
        if kind == "param":
            return self.parameter(holder, name, env)
        if kind == "rest":
            return self.rest(holder, name, env)
        if kind in ("assign", "walrus"):
            return (
                UNKNOWN if value is None else containers.take(self.evaluate(value, module, env), binding.path)
            )
        if kind == "aug":
            return self._aug(binding, module, env)
        if kind in ("for", "comp"):
            return containers.take(containers.elements(self.evaluate(value, module, env)), binding.path)
        if kind == "with":
            return containers.take(objects.entered(self, self.evaluate(value, module, env)), binding.path)
        if kind == "def":
            return decorators.decorated(
                self, module.scope_of[binding.node], env if holder.kind == "function" else None
            )
        if kind == "class":
            return one(Class(module.scope_of[binding.node]))
        if kind == "import":
            alias = binding.node
            return imports.imported(self, module, alias.name if alias.asname else alias.name.split(".")[0])
        if kind == "from":
            return imports.imported_from(self, module, module.parent[binding.node], binding.node.name)
        return UNKNOWN

    def _aug(self, binding: Binding, module: Module, env: Env | None) -> Values:
        statement = binding.value
        if statement is None:
            return UNKNOWN
        scope = module.enclosing(statement)
        holder = find_binding_scope(scope, binding.node.id) or scope
        before = [b for b in self.reaching(binding.node, scope, holder) if b is not binding]
        left = self.bindings(holder, binding.node.id, before, env)
        return _widened(operators.binary(statement.op, left, self.evaluate(statement.value, module, env)))

    def parameter(self, function: Scope, name: str, env: Env | None) -> Values:
        """What a parameter is in an environment, or for all the callers that `params` knows."""
        found = env.find(function) if env is not None else None
        if found is not None:
            values = found.get(name)
            if values is not None:
                return values
        return self.params(function, name)

    def rest(self, function: Scope, name: str, env: Env | None) -> Values:
        """What `*args` or `**kwargs` hold."""
        found = env.find(function) if env is not None else None
        values = found.get(name) if found is not None else None
        return values if values is not None else one(ListValue(UNKNOWN))

    def _with_stores(self, holder: Scope, name: str, values: Values, env: Env | None) -> Values:
        """A list or dict together with what is appended or stored through its name in this module."""
        if (holder, name) not in self._stores:
            self._stores[holder, name] = list(containers.stores(holder, name))
        added = [
            stored.added(self.evaluate(stored.node, holder.module, env if scope.function is holder else None))
            for stored, scope in self._stores[holder, name]
        ]
        return containers.extended(values, union(added)) if added else values

    # expressions

    def _attribute(self, node: Node, module: Module, env: Env | None) -> Values:
        return union(
            attributes.attribute(self, value, node.attr) for value in self.evaluate(node.value, module, env)
        )

    def _call(self, node: Node, module: Module, env: Env | None) -> Values:
        callee = self.evaluate(node.func, module, env)
        if callee == one(Api("builtins.super")):
            return objects.super_value(self, node, module, env)
        if isinstance(node.func, tree.Attribute):
            default = self.evaluate(node.args[1], module, env) if len(node.args) > 1 else None
            read = containers.read(self.evaluate(node.func.value, module, env), node.func.attr, default)
            if read is not None:
                return read
        args, keywords = calls.arguments(self, node, module, env)
        callee = callee.union(dispatch.registered(self, node.func, module, env))
        result = calls.call(self, callee, args, keywords)
        result = origins.located(result, callee, module.span(node), args, keywords)
        return result if self.placing is None else self.placing.made(node, module, env, callee, args, result)

    def _subscript(self, node: Node, module: Module, env: Env | None) -> Values:
        base = self.evaluate(node.value, module, env)
        if isinstance(node.slice, tree.Slice):
            return union(containers.sliced(value) for value in base)
        index = self.evaluate(node.slice, module, env)
        return union(containers.subscript(value, index) for value in base)

    def _binary(self, node: Node, module: Module, env: Env | None) -> Values:
        return operators.binary(
            node.op, self.evaluate(node.left, module, env), self.evaluate(node.right, module, env)
        )

    def _unary(self, node: Node, module: Module, env: Env | None) -> Values:
        return operators.unary(node.op, self.evaluate(node.operand, module, env))

    def _compare(self, node: Node, module: Module, env: Env | None) -> Values:
        sides = [self.evaluate(side, module, env) for side in (node.left, *node.comparators)]
        return operators.compare(node.ops, sides)

    def _bool(self, node: Node, module: Module, env: Env | None) -> Values:
        return operators.boolean(node.op, [self.evaluate(value, module, env) for value in node.values])

    def _either(self, node: Node, module: Module, env: Env | None) -> Values:
        return union([self.evaluate(node.body, module, env), self.evaluate(node.orelse, module, env)])

    def _tuple(self, node: Node, module: Module, env: Env | None) -> Values:
        if any(isinstance(item, tree.Starred) for item in node.elts):
            inner = [item.value if isinstance(item, tree.Starred) else item for item in node.elts]
            return one(ListValue(union(self.evaluate(item, module, env) for item in inner)))
        return one(TupleValue(tuple(self.evaluate(item, module, env) for item in node.elts)))

    def _list(self, node: Node, module: Module, env: Env | None) -> Values:
        if any(isinstance(item, tree.Starred) for item in node.elts):
            return one(ListValue(UNKNOWN))
        items = tuple(self.evaluate(item, module, env) for item in node.elts)
        return one(ListValue(union(items), items))

    def _dict(self, node: Node, module: Module, env: Env | None) -> Values:
        items = []
        for key, value in zip(node.keys, node.values, strict=True):
            name = key.value if isinstance(key, tree.Constant) else None
            items.append((name, self.evaluate(value, module, env)))
        return one(DictValue(union(values for _, values in items), tuple(items)))

    def _comprehension(self, node: Node, module: Module, env: Env | None) -> Values:
        if isinstance(node, tree.DictComp):
            return one(DictValue(self.evaluate(node.value, module, env)))
        return one(ListValue(self.evaluate(node.elt, module, env)))

    def _lambda(self, node: Node, module: Module, env: Env | None) -> Values:
        return one(Function(module.scope_of[node], env=env))

    def _walrus(self, node: Node, module: Module, env: Env | None) -> Values:
        return self.evaluate(node.value, module, env)

    def _string(self, _node: Node, _module: Module, _env: Env | None) -> Values:
        return one(Static("host"))


_HANDLERS: dict[type, Callable[[Evaluator, Node, Module, Env | None], Values]] = {
    tree.Constant: Evaluator._constant,
    tree.Name: Evaluator._name,
    tree.Attribute: Evaluator._attribute,
    tree.Call: Evaluator._call,
    tree.Subscript: Evaluator._subscript,
    tree.BinOp: Evaluator._binary,
    tree.UnaryOp: Evaluator._unary,
    tree.Compare: Evaluator._compare,
    tree.BoolOp: Evaluator._bool,
    tree.IfExp: Evaluator._either,
    tree.Tuple: Evaluator._tuple,
    tree.List: Evaluator._list,
    tree.Set: Evaluator._list,
    tree.Dict: Evaluator._dict,
    tree.ListComp: Evaluator._comprehension,
    tree.SetComp: Evaluator._comprehension,
    tree.GeneratorExp: Evaluator._comprehension,
    tree.DictComp: Evaluator._comprehension,
    tree.Lambda: Evaluator._lambda,
    tree.NamedExpr: Evaluator._walrus,
    tree.Await: Evaluator._walrus,
    tree.JoinedStr: Evaluator._string,
}


def _widened(values: Values) -> Values:
    """Numbers computed from themselves in a loop are ints, not that one number."""
    return frozenset(
        next(iter(INT))
        if isinstance(v, Const) and isinstance(v.value, int) and not isinstance(v.value, bool)
        else Static("host")
        if isinstance(v, Const) and isinstance(v.value, float)
        else Tensor(v.kind)
        if isinstance(v, Tensor)
        else v
        for v in values
    )
