"""Objects of project classes: base classes, attributes, `super()`, and how they are made and called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from codemods.analysis import calls, library, tree
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    UNKNOWN,
    Api,
    ApiObject,
    Class,
    DictValue,
    Env,
    Function,
    Instance,
    ListValue,
    ModuleValue,
    Partial,
    Super,
    Unknown,
    Value,
    Values,
    depth_of,
    one,
    union,
    unknown,
)
from codemods.analysis.values import MAX_DEPTH

if TYPE_CHECKING:
    from codemods.analysis.evaluate import Evaluator

_DATACLASSES = frozenset({"dataclass", "dataclasses", "NamedTuple", "define", "frozen", "s", "attrs"})


def bases(ev: Evaluator, cls: Scope) -> list[Value]:
    """The base classes, as values (project classes and library ones)."""
    found: list[Value] = []
    for node in cls.node.bases:
        values = [v for v in ev.evaluate(node, cls.module) if isinstance(v, (Class, Api, Unknown))]
        found.extend(sorted(values, key=_stable)[:2])
    return found


def _stable(value: Value) -> str:
    return value.scope.qualname if isinstance(value, Class) else value.name if isinstance(value, Api) else ""


def order(ev: Evaluator, cls: Scope) -> list[Value]:
    """The class and its bases, depth first, each once: near enough to the order that Python uses."""
    if cls in ev.orders:
        return ev.orders[cls]
    result: list[Value] = []
    pending: list[Value] = [Class(cls)]
    while pending and len(result) < 40:
        value = pending.pop(0)
        if value in result:
            continue
        result.append(value)
        if isinstance(value, Class):
            pending = bases(ev, value.scope) + pending
    if not any(isinstance(value, Unknown) for value in result):
        ev.orders[cls] = result  # what is not known may become known as the walk goes on
    return result


def derives_from(ev: Evaluator, cls: Scope, prefixes: Sequence[str]) -> bool:
    """Has the class a library base whose name starts with one of these?"""
    return any(isinstance(base, Api) and base.name.startswith(tuple(prefixes)) for base in order(ev, cls))


def is_keras(ev: Evaluator, cls: Scope) -> bool:
    """Is it a Keras layer or model, whose call goes to `call`?"""
    return derives_from(ev, cls, ("keras.",))


# making and calling


def construct(ev: Evaluator, value: Class, args: Sequence[Values], keywords: Mapping[str, Values]) -> Instance:
    """The object that a call of the class gives; its arguments are kept while they do not nest too deeply."""
    cls = value.scope
    init = method(ev, cls, "__init__")
    if init is not None:
        env = calls.bind(ev, init, Instance(cls), args, keywords, None)
        return Instance(cls, env)
    fields = dataclass_fields(ev, cls)
    if fields is None:
        return Instance(cls)
    items = dict(zip(fields, args, strict=False))
    items.update({name: values for name, values in keywords.items() if name in fields})
    depth = depth_of(items.values())
    return Instance(cls, Env(cls, tuple(sorted(items.items())), None, depth) if depth <= MAX_DEPTH else None)


def dataclass_fields(ev: Evaluator, cls: Scope) -> list[str] | None:
    """The fields of a dataclass or NamedTuple, in order; None for other classes."""
    marks = {*cls.plain_decorators, *(n.func.attr if isinstance(n.func, tree.Attribute) else getattr(n.func, "id", "")
             for n in cls.node.decorator_list if isinstance(n, tree.Call))}  # fmt: skip
    named = any(getattr(node, "id", getattr(node, "attr", "")) == "NamedTuple" for node in cls.node.bases)
    if not (marks & _DATACLASSES or named):
        return None
    fields: list[str] = []
    for base in reversed(order(ev, cls)[1:]):
        if isinstance(base, Class):
            fields.extend(f for f in dataclass_fields(ev, base.scope) or [] if f not in fields)
    fields.extend(
        node.target.id
        for node in cls.node.body
        if isinstance(node, tree.AnnAssign) and isinstance(node.target, tree.Name) and node.target.id not in fields
    )
    return fields


def method(ev: Evaluator, cls: Scope, name: str, after: Scope | None = None) -> Scope | None:
    """The project function that a method name means; `after`: only in the classes behind that one."""
    skip = after is not None
    for value in order(ev, cls):
        if not isinstance(value, Class):
            continue
        if not skip:
            for binding in reversed(value.scope.bindings.get(name, [])):
                if binding.kind == "def":
                    return value.scope.module.scope_of[binding.node]
        elif value.scope is after:
            skip = False
    return None


def call_method(ev: Evaluator, value: Instance, module: Module) -> Values:
    """The functions that calling the object runs: `__call__`, or `call` of a Keras layer or model."""
    own = method(ev, value.scope, "__call__")
    if own is not None:
        return _bound(ev, own, value)
    if is_keras(ev, value.scope):
        inner = method(ev, value.scope, "call")
        if inner is not None:
            return _bound(ev, inner, value)
    return UNKNOWN


def entered(ev: Evaluator, values: Values) -> Values:
    """What `with value as name` binds."""
    result = []
    for value in values:
        enter = method(ev, value.scope, "__enter__") if isinstance(value, Instance) else None
        result.append(calls.call_function(ev, Function(enter, value), [], {}) if enter is not None else one(value))
    return union(result)


def _bound(ev: Evaluator, function: Scope, bound: Value) -> Values:
    values = ev.decorated(function, None)
    return frozenset(Function(v.scope, bound, v.env) if isinstance(v, Function) and v.bound is None else v for v in values)


# attributes


def attribute(ev: Evaluator, value: Value, attr: str, module: Module) -> Values:
    """What `value.attr` gives."""
    if isinstance(value, ModuleValue):
        return ev.member(value.name, attr)
    if isinstance(value, Instance):
        return ev.guarded((("attribute", value, attr), None), lambda: instance_attribute(ev, value, attr))
    if isinstance(value, Super):
        found = method(ev, value.instance.scope, attr, value.scope)
        if found is not None:
            return _bound(ev, found, value.instance)
        return one(Api(f"builtins.object.{attr}"))
    if isinstance(value, Class):
        return class_attribute(ev, value, attr)
    if isinstance(value, Function):
        return one(value) if attr in ("python_function", "__wrapped__", "__call__") else UNKNOWN
    if isinstance(value, Partial):
        return one(value.target) if attr == "func" else UNKNOWN
    return library.member(value, attr)


def class_attribute(ev: Evaluator, value: Class, attr: str) -> Values:
    found = method(ev, value.scope, attr)
    if found is not None:
        if "classmethod" in found.plain_decorators:
            return one(Function(found, value))
        return ev.decorated(found, None)
    stored = _class_level(ev, value.scope, attr)
    return stored if stored is not None else _library_base(ev, value.scope, attr)


def instance_attribute(ev: Evaluator, value: Instance, attr: str) -> Values:
    found = method(ev, value.scope, attr)
    if found is not None:
        if {"property", "cached_property"} & set(found.plain_decorators):
            return calls.call_function(ev, Function(found, value), [], {})
        if "classmethod" in found.plain_decorators:
            return one(Function(found, Class(value.scope)))
        if found.is_static:
            return one(Function(found))
        return _bound(ev, found, value)
    results: list[Values] = []
    assigned = False
    for cls in order(ev, value.scope):
        if isinstance(cls, Class):
            for function, node in attribute_stores(cls.scope, attr):
                assigned = True
                results.append(_stored(ev, value, cls.scope, function, node))
    if ev.thorough:
        results.append(_stored_from_outside(ev, value, attr))
    if value.ctor is not None and value.ctor.function is value.scope:  # a dataclass
        given = value.ctor.get(attr)
        if given is not None:
            return union([given, *results])
    if not assigned:
        stored = _class_level(ev, value.scope, attr)
        if stored is not None:
            results.append(stored)
    if not any(results):
        return _library_base(ev, value.scope, attr)
    return _with_method_stores(ev, value, attr, union(results))


_MANY_FILES = 40


def _stored_from_outside(ev: Evaluator, value: Instance, attr: str) -> Values:
    """What code outside of the class's own methods stores in an attribute of such an object."""
    found: list[Values] = []
    paths = ev.project.with_word(attr, value.scope.module.path)
    if len(paths) > _MANY_FILES:
        return unknown(f"`.{attr}` is mentioned in too many files to follow")
    family = {v.scope for v in order(ev, value.scope) if isinstance(v, Class)}
    for path in paths:
        module = ev.project.module(path)
        for node in module.mentions.get(attr, ()) if module is not None else ():
            if not (isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Store)):
                continue
            owner = _method_class(module, node)
            if owner is not None and (owner in family or owner is not value.scope):
                continue  # `self.attr = ...`: counted where the class itself is looked at, or another class
            receivers = ev.evaluate(node.value, module)
            if any(isinstance(r, Unknown) or (isinstance(r, Instance) and _related(ev, r.scope, family)) for r in receivers):
                statement = module.parent.get(node)
                plain = isinstance(statement, tree.Assign)
                found.append(ev.evaluate(statement.value, module) if plain else unknown(f"`.{attr}` is changed at {path}:{node.lineno}"))
    return union(found)


def rebound(ev: Evaluator, module: Module, name: str) -> Values:
    """What other modules store in a module's name (`settings.RANK = 2`)."""

    def look() -> Values:
        found: list[Values] = []
        paths = ev.project.with_word(name, module.path)
        for path in paths if len(paths) <= _MANY_FILES else ():
            other = ev.project.module(path)
            for node in other.mentions.get(name, ()) if other is not None else ():
                if isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Store):
                    if ModuleValue(module.path) in ev.evaluate(node.value, other):
                        statement = other.parent.get(node)
                        plain = isinstance(statement, tree.Assign)
                        found.append(ev.evaluate(statement.value, other) if plain else unknown(f"`{name}` is changed at {path}:{node.lineno}"))
        return union(found)

    return ev.guarded((("rebound", module.path, name), None), look)


def _related(ev: Evaluator, cls: Scope, family: set[Scope]) -> bool:
    return any(isinstance(v, Class) and v.scope in family for v in order(ev, cls))


def _method_class(module: Module, node: Node) -> Scope | None:
    """The class whose method this is, where the attribute is one of its own `self`."""
    if not isinstance(node.value, tree.Name):
        return None
    function = module.enclosing(node).function
    while function is not None and function.owner is None and function.parent is not None:
        function = function.parent.function
    if function is None or not function.params or function.params[0].id != node.value.id:
        return None
    return function.owner


def subclasses(ev: Evaluator, cls: Scope) -> list[Scope]:
    """The project classes that derive from a class (none where its name is all over the project)."""
    paths = ev.project.with_word(cls.name, cls.module.path)
    found = []
    for path in paths if len(paths) <= _MANY_FILES else ():
        module = ev.project.module(path)
        for other in module.classes if module is not None else ():
            if other is not cls and Class(cls) in order(ev, other):
                found.append(other)
    return found


def _library_base(ev: Evaluator, cls: Scope, attr: str) -> Values:
    for base in order(ev, cls):
        if isinstance(base, Api):
            return one(Api(f"{base.name}.{attr}"))
    return UNKNOWN


def _class_level(ev: Evaluator, cls: Scope, attr: str) -> Values | None:
    for value in order(ev, cls):
        if isinstance(value, Class):
            scope = value.scope
            kinds = [b for b in scope.bindings.get(attr, []) if b.kind in ("assign", "aug", "class", "ann")]
            real = [b for b in kinds if b.kind != "ann"]
            if real:
                return ev.bindings(scope, attr, real, None)
            if kinds:
                return annotated(ev, kinds[0].node, scope.module)
    return None


def annotated(ev: Evaluator, target: Node, module: Module) -> Values:
    """What an annotation says of a class-level field without a value."""
    statement = module.parent.get(target)
    annotation = getattr(statement, "annotation", None)
    return from_annotation(ev, annotation, module) if annotation is not None else UNKNOWN


def from_annotation(ev: Evaluator, annotation: Node, module: Module) -> Values:
    """An object of the annotated class, an int, a tensor, or Unknown."""
    if isinstance(annotation, tree.Constant) and isinstance(annotation.value, str):
        try:
            name = tree.parse_expression(annotation.value)
        except SyntaxError:
            return UNKNOWN
        if not isinstance(name, tree.Name) or name.id not in module.root.bindings:
            return UNKNOWN
        found = ev.bindings(module.root, name.id, module.root.bindings[name.id], None)
    else:
        found = ev.evaluate(annotation, module)
    result: list[Value] = []
    for value in found:
        if isinstance(value, Class):
            result.append(Instance(value.scope))
        elif isinstance(value, Api) and value.name in ("tensorflow.Tensor", "tensorflow.Variable"):
            result.append(next(iter(library.TENSOR)))
        elif isinstance(value, Api) and value.name.startswith("keras."):
            result.append(ApiObject(value.name))
        else:
            return UNKNOWN
    return frozenset(result) or UNKNOWN


def attribute_stores(cls: Scope, attr: str) -> Iterator[tuple[Scope, Node]]:
    """(method, attribute node) for every `self.attr = ...` in the methods of a class."""
    for node in cls.module.mentions.get(attr, ()):
        if isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Store) and isinstance(node.value, tree.Name):
            function = cls.module.enclosing(node).function
            while function is not None and function.owner is None and function.parent is not None:
                function = function.parent.function
            if function is not None and function.owner is cls and function.params and function.params[0].id == node.value.id:
                yield function, node


def _stored(ev: Evaluator, value: Instance, cls: Scope, function: Scope, node: Node) -> Values:
    """What `self.attr = ...` stores for this object."""
    module = cls.module
    target, path = node, ()
    statement = module.parent.get(node)
    while isinstance(statement, (tree.Tuple, tree.List)):
        path = (statement.elts.index(target), *path)
        target, statement = statement, module.parent.get(statement)
    if isinstance(statement, tree.Assign):
        given = statement.value
    elif isinstance(statement, tree.AnnAssign):
        if statement.value is None:
            return from_annotation(ev, statement.annotation, module)
        given = statement.value
    elif isinstance(statement, tree.AugAssign):
        return frozenset({*library.binary(statement.op, UNKNOWN, ev.evaluate(statement.value, module, None))})
    else:
        return UNKNOWN
    env = ctor_env(ev, value, function) if function.name == "__init__" else None
    if env is None and function.params:
        env = Env(function, ((function.params[0].id, one(Instance(value.scope, value.ctor))),), None,
                  (value.ctor.depth + 1) if value.ctor is not None else 1)  # fmt: skip
    return ev.take(ev.evaluate(given, module, env), path)


def ctor_env(ev: Evaluator, value: Instance, init: Scope) -> Env | None:
    """The arguments that an `__init__` of the class or of a base gets when this object is made."""
    if value.ctor is None:
        return None
    if value.ctor.function is init:
        return value.ctor
    outer = method(ev, value.scope, "__init__")
    if outer is None or outer is init or value.ctor.function is not outer:
        return None
    for node in calls.own_nodes(outer):
        if isinstance(node, tree.Call) and isinstance(node.func, tree.Attribute) and node.func.attr == "__init__":
            for target in ev.evaluate(node.func, outer.module, value.ctor):
                if isinstance(target, Function) and target.scope is init:
                    args, keywords = calls.arguments(ev, node, outer.module, value.ctor)
                    if target.bound is None:
                        args = args[1:]
                    return calls.bind(ev, init, Instance(value.scope), args, keywords, None)
    return None


def _with_method_stores(ev: Evaluator, value: Instance, attr: str, values: Values) -> Values:
    """Containers in attributes, with what the class's methods append to them or store in them."""
    from codemods.analysis.evaluate import stored_value

    if not any(isinstance(v, (ListValue, DictValue)) for v in values):
        return values
    added = []
    for cls in order(ev, value.scope):
        if not isinstance(cls, Class):
            continue
        module = cls.scope.module
        for node in module.mentions.get(attr, ()):
            stored = stored_value(module, node) if isinstance(node, tree.Attribute) else None
            function = module.enclosing(node).function if stored is not None else None
            if stored is not None and function is not None and function.owner is cls.scope:
                env = ctor_env(ev, value, function) if function.name == "__init__" else None
                added.append(ev.evaluate(stored, module, env))
    return library.extended(values, union(added)) if added else values


def super_value(ev: Evaluator, node: Node, module: Module, env: Env | None) -> Values:
    """`super()` or `super(Class, self)` in a method."""
    function = module.enclosing(node).function
    while function is not None and function.owner is None and function.parent is not None:
        function = function.parent.function
    if function is None or function.owner is None or not function.params:
        return UNKNOWN
    found = ev.parameter(function, function.params[0].id, env)
    instances = [v for v in found if isinstance(v, Instance)] or [Instance(function.owner)]
    return frozenset(Super(function.owner, instance) for instance in instances)
