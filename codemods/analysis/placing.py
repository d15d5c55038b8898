"""On which devices things are made: device scopes, followed through calls like an argument.

An evaluator with a `Placing` passes the scopes that are open at a call on with its arguments, so that a
variable made by a constructor knows the scopes round the construction. What it makes is marked with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codemods.analysis import calls, decorators, device_names, device_texts, keras_models, library, tree
from codemods.analysis.calls import SCOPES
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    NOTHING,
    Api,
    ApiObject,
    Class,
    Const,
    Env,
    Function,
    Instance,
    ListValue,
    Made,
    Tensor,
    TupleValue,
    Value,
    Values,
    one,
    union,
    unknown,
)
from codemods.knowledge import devices as table

if TYPE_CHECKING:
    from codemods.analysis.compiled import Program

NO_SCOPE: Values = one(Const(device_names.DEFAULT))
_SCOPE = "tensorflow.device"
MANAGED = "tensorflow.distribute.Strategy.scope"


class Placement:
    """An evaluator of a program that also tells devices."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ev = Evaluator(program.project, self._params)
        self.ev.placing = self

    # parameters: the evaluation of the program itself knows no devices

    def _params(self, function: Scope, name: str) -> Values:
        return self.ev.guarded((("param", function, name), None), lambda: self._ask(function, name))

    def _ask(self, function: Scope, name: str) -> Values:
        owner = function.owner
        if owner is not None and function.receiver == name:
            return one(Class(owner) if "classmethod" in function.plain_decorators else Instance(owner))
        callers = self.program.callers(function)
        if name == SCOPES:
            if function.name == "build" and owner is not None:
                return unknown("Keras calls `build` when the layer is first called")
            found_scopes = self._of_decorator(function) or union(
                self.scopes(s.node, s.module, None) for s in callers.sites
            )
            return found_scopes or NO_SCOPE
        found = [self.program.argument(self.ev, function, name, site) for site in callers.sites]
        default = function.default(name)
        if default is not None and callers.open:
            found.append(self.ev.evaluate(default, function.module, None))
        return union(found) or unknown(f"parameter `{name}`")

    # scopes

    def _of_decorator(self, function: Scope) -> Values:
        """The scopes that a decorator of the project opens round the calls of a function."""
        found = []
        for value in (
            decorators.decorated(self.ev, function, None)
            if getattr(function.node, "decorator_list", ())
            else ()
        ):
            if isinstance(value, Function) and value.scope is not function:
                home = value.scope.module
                for node in calls.own_nodes(value.scope):
                    if not isinstance(node, tree.Call):
                        continue
                    if any(self.opens(item, home) for _, item in open_items(node, home)):
                        callee = self.ev.evaluate(node.func, home, value.env)
                        if any(isinstance(v, Function) and v.scope is function for v in callee):
                            found.append(self.scopes(node, home, value.env))
        return union(found)

    def scopes(self, node: Node, module: Module, env: Env | None) -> Values:
        """The device scopes that may be open where a node is evaluated, each as one name."""
        function = module.enclosing(node).function
        found = self.ev.parameter(function, SCOPES, env) if function is not None else NO_SCOPE
        if self._opened_by_hand(module, function):
            return unknown("a device scope is opened without `with`")
        for _, item in reversed(list(open_items(node, module))):
            found = _entered(found, self.ev.evaluate(item.context_expr, module, env))
        return found

    def _opened_by_hand(self, module: Module, function: Scope | None) -> bool:
        """Is a scope opened by `stack.enter_context(...)` or `__enter__`, in a function or for the module?"""
        for name in table.ENTERS:
            for mention in module.mentions.get(name, ()):
                call = module.parent.get(mention)
                if not (isinstance(call, tree.Call) and call.func is mention):
                    continue
                if module.enclosing(call).function not in (function, None):
                    continue
                scope = call.args[0] if call.args else mention.value
                if any(_scope_of(value) for value in self.ev.evaluate(scope, module)):
                    return True
        return False

    def opens(self, item: Node, module: Module) -> str:
        """The kind of device scope that an item of a `with` opens ("device", "strategy"), or ""."""
        for value in self.ev.evaluate(item.context_expr, module):
            if _scope_of(value):
                return "strategy" if getattr(value, "name", "") == MANAGED else "device"
        return ""

    def told(self, node: Node, module: Module, env: Env | None, result: Values) -> Values:
        return device_texts.told(self.ev, node, module, env, result)

    # what calls make

    def made(
        self, node: Node, module: Module, env: Env | None, callee: Values, args: list[Values], result: Values
    ) -> Values:
        """The result of a call; scopes, variables and objects that hold some know where they were made."""
        names = {library.without_v1(v.name) for v in callee if isinstance(v, Api)}
        if not names:
            return self._helper(callee, args) or result
        name = min(names)
        if name in table.SCOPES:
            given = args[0] if args else NOTHING
            for keyword in node.keywords:
                if keyword.arg in table.SCOPE_ARGUMENTS:
                    given = self.ev.evaluate(keyword.value, module, env)
            given = device_texts.plain(given)
            return one(ApiObject(_SCOPE, Made(module.path, module.span(node).start, given)))
        if name == "tensorflow.DeviceSpec":
            return self._spec(node, module, env)
        if name in table.ONE_DEVICE:
            given = args[0] if args else NOTHING
            return one(ApiObject(name, Made(module.path, module.span(node).start, given)))
        if name in table.MIRRORED:
            given = args[0] if args else NOTHING
            for keyword in node.keywords:
                given = self.ev.evaluate(keyword.value, module, env) if keyword.arg == "devices" else given
            return one(ApiObject(name, Made(module.path, module.span(node).start, _each(given))))
        if name.endswith(".scope") and name.startswith(table.STRATEGIES):
            strategy = self.ev.evaluate(node.func.value, module, env)
            return frozenset(ApiObject(MANAGED, getattr(v, "made", None)) for v in strategy) or result
        place = node
        if makes_later(name, node, args):
            places = self._builders(node, module)
            place = places[0] if places else node
            scopes = union(self.scopes(one_place, module, env) for one_place in places)
            scopes = scopes or unknown("Keras makes its variables when it is first called")
        elif makes_variable(name) or makes_state(name, node, args):
            if name in table.MODELS:
                scopes = keras_models.functional(self, node, module, env)
            elif name in table.SEQUENTIAL:
                scopes = keras_models.stacked(self, node, module, env)
            else:
                scopes = self.scopes(node, module, env)
        else:
            return result
        made = Made(module.path, module.span(place).start, scopes)
        if makes_variable(name):
            return one(Tensor("variable", None, made))
        cls = next((cls for cls in table.STATES if name.startswith(f"{cls}.")), name)
        return one(ApiObject(cls, made))

    def _builders(self, node: Node, module: Module) -> list[Node]:
        """Where a Keras object makes its variables: its `build`, or the calls of it that are not compiled."""
        statement = module.statement(node)
        target = statement.targets[0] if isinstance(statement, tree.Assign) else None
        if not isinstance(target, (tree.Name, tree.Attribute)) or statement.value is not node:
            return []
        builds, outside = [], []
        for mention in module.mentions.get(tree.identifier(target), ()):
            parent = module.parent[mention]
            call = module.parent.get(parent) if getattr(parent, "attr", "") == "build" else parent
            if not (isinstance(mention, type(target)) and isinstance(call, tree.Call)):
                continue
            if call.func is parent:
                builds.append(call)
            elif call.func is mention and module.enclosing(call).function not in self.program.reached:
                outside.append(call)
        return builds or outside

    def _spec(self, node: Node, module: Module, env: Env | None) -> Values:
        """`tf.DeviceSpec(device_type="CPU", device_index=1)`, as the text that it stands for."""
        known: dict[str, object] = {}
        for keyword in node.keywords:
            values = self.ev.evaluate(keyword.value, module, env)
            if len(values) != 1 or not all(isinstance(v, Const) for v in values):
                return unknown("a device that is computed")
            known[str(keyword.arg)] = next(v.value for v in values if isinstance(v, Const))
        if node.args or not set(known) <= {"job", "replica", "task", "device_type", "device_index"}:
            return unknown("a device that is computed")
        parts = [f"/{part}:{known[part]}" for part in ("job", "replica", "task") if part in known]
        if "device_type" in known:
            parts.append(f"/{known['device_type']}:{known.get('device_index', '*')}")
        return one(Const("".join(parts)))

    def _helper(self, callee: Values, args: list[Values]) -> Values:
        """What `with helper():` opens, for a generator that a decorator makes a context manager."""
        found: list[Values] = []
        for value in callee:
            if not isinstance(value, Function) or "contextmanager" not in value.scope.plain_decorators:
                continue
            env = calls.bind(self.ev, value.scope, value.bound, args, {SCOPES: NO_SCOPE}, value.env)
            for node in calls.own_nodes(value.scope):
                if isinstance(node, tree.Yield):
                    found.append(self.scopes(node, value.scope.module, env))
        return one(ApiObject(_SCOPE, Made("", 0, union(found)))) if found else NOTHING


def open_items(node: Node, module: Module) -> Iterator[tuple[Node, Node]]:
    """(`with`, item) for what is open round a node within its function, innermost first."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, tree.FUNCTIONS) and below not in (
            *getattr(above, "decorator_list", ()),
            above.args,
        ):
            return
        if isinstance(above, (tree.With, tree.AsyncWith)):
            items = list(above.items)
            inner = (
                items if any(below is one_part for one_part in above.body) else items[: items.index(below)]
            )
            for item in reversed(inner):
                yield above, item
        below = above


def _scope_of(value: Value) -> bool:
    return isinstance(value, ApiObject) and value.name in (_SCOPE, MANAGED)


def _entered(found: Values, values: Values) -> Values:
    """The scopes after entering one of these; what is no device scope changes nothing."""
    for value in values:
        if isinstance(value, ApiObject) and value.name == MANAGED and value.made is None:
            return unknown("a strategy of tf.distribute")
        if _scope_of(value) and isinstance(value, ApiObject) and value.made is not None:
            return union(_combined(outer, inner) for outer in found for inner in value.made.devices)
    return found


def _combined(outer: Value, inner: Value) -> Values:
    if not isinstance(inner, Const):
        return unknown("a device that is not a constant")
    if inner.value is None:
        return NO_SCOPE
    named = device_names.parse(inner.value) if isinstance(inner.value, str) else None
    if named is None:
        return unknown("a device that is not understood")
    if not isinstance(outer, Const):
        return one(Const(named.text)) if named.kind else one(outer)
    combined = device_names.inside(str(outer.value), str(inner.value))
    return one(Const(combined)) if combined is not None else unknown("nested scopes of devices")


def _each(given: Values) -> Values:
    """The devices of a list of names."""
    value = next(iter(given), None)
    items = value.items if isinstance(value, TupleValue) else getattr(value, "exact", None)
    return union(items) if items else unknown("the devices of a strategy")


def makes_variable(name: str) -> bool:
    """Does a library call of this name give a variable?"""
    method = name.rpartition(".")[2]
    return name in table.VARIABLES or (name.startswith("keras.") and method in table.VARIABLE_METHODS)


def makes_state(name: str, node: Node, args: list[Values]) -> bool:
    """Does a library call give an object that makes variables at once?"""
    for prefix in table.STATE_PREFIXES:
        if name.startswith(prefix) and not name[len(prefix) :].startswith(table.NO_STATE):
            return name.rpartition(".")[2][:1].isupper()
    for cls in table.STATES:
        rest = name.removeprefix(cls)
        if rest != name and (not rest or (rest.startswith(".from_") and rest.count(".") == 1)):
            return True
    if name in table.MODELS:
        return len(node.args) + len(node.keywords) > 1
    return name in table.SEEDED or (name in table.SEQUENTIAL and _knows_its_input(node, args))


def makes_later(name: str, node: Node, args: list[Values]) -> bool:
    """Does a library call give a Keras layer or model that makes its variables when it is first called?"""
    kind = name.rpartition(".")[2]
    if name in table.SEQUENTIAL:
        return not _knows_its_input(node, args)
    layer = name.startswith("keras.layers.") and kind[:1].isupper() and name.count(".") == 2
    return layer and name not in table.SEEDED and kind not in table.NO_VARIABLES


def _knows_its_input(node: Node, args: list[Values]) -> bool:
    for value in args[0] if args else ():
        exact = value.items if isinstance(value, TupleValue) else getattr(value, "exact", None)
        if isinstance(value, (ListValue, TupleValue)) and exact:
            if any(isinstance(v, ApiObject) and v.name in table.INPUTS for v in exact[0]):
                return True
            first = node.args[0].elts[0] if getattr(node.args[0], "elts", None) else None
            return isinstance(first, tree.Call) and any(k.arg in table.INPUT_KEYWORDS for k in first.keywords)
    return False
