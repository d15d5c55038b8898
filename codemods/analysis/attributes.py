"""Attributes of objects: from the class, from what its methods store, and from what other code stores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codemods.analysis import calls, containers, decorators, imports, library, objects, operators, tree
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    UNKNOWN,
    Api,
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
    one,
    union,
    unknown,
)

if TYPE_CHECKING:
    from codemods.analysis.evaluate import Evaluator


def attribute(ev: Evaluator, value: Value, attr: str) -> Values:
    """What `value.attr` gives."""
    if isinstance(value, ModuleValue):
        return imports.member(ev, value.name, attr)
    if isinstance(value, Instance):
        return ev.guarded((("attribute", value, attr), None), lambda: instance_attribute(ev, value, attr))
    if isinstance(value, Super):
        found = objects.method(ev, value.instance.scope, attr, value.scope)
        if found is not None:
            return objects.bound(ev, found, value.instance)
        if attr == "__call__" and objects.is_keras(ev, value.scope):
            return objects.call_method(ev, value.instance, "call")
        return one(Api(f"builtins.object.{attr}"))
    if isinstance(value, Class):
        return class_attribute(ev, value, attr)
    if isinstance(value, Function):
        return one(value) if attr in ("python_function", "__wrapped__", "__call__") else UNKNOWN
    if isinstance(value, Partial):
        return one(value.target) if attr == "func" else UNKNOWN
    return library.member(value, attr)


def class_attribute(ev: Evaluator, value: Class, attr: str) -> Values:
    found = objects.method(ev, value.scope, attr)
    if found is not None:
        if "classmethod" in found.plain_decorators:
            return one(Function(found, value))
        return decorators.decorated(ev, found, None)
    stored = _class_level(ev, value.scope, attr)
    return stored if stored is not None else _library_base(ev, value.scope, attr)


def instance_attribute(ev: Evaluator, value: Instance, attr: str) -> Values:
    found = objects.method(ev, value.scope, attr)
    if found is not None:
        if {"property", "cached_property"} & set(found.plain_decorators):
            return calls.call_function(ev, Function(found, value), [], {})
        if "classmethod" in found.plain_decorators:
            return one(Function(found, Class(value.scope)))
        if found.is_static:
            return decorators.decorated(ev, found, None)
        return objects.bound(ev, found, value)
    results: list[Values] = []
    assigned = False
    for cls in objects.order(ev, value.scope):
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


def _stored_from_outside(ev: Evaluator, value: Instance, attr: str) -> Values:
    """What code outside of the class's own methods stores in an attribute of such an object."""
    found: list[Values] = []
    paths = ev.project.with_word(attr, value.scope.module.path)
    if len(paths) > objects.MANY_FILES:
        return unknown(f"`.{attr}` is mentioned in too many files to follow")
    family = {v.scope for v in objects.order(ev, value.scope) if isinstance(v, Class)}
    for path in paths:
        module = ev.project.module(path)
        if module is None:
            continue
        for node in module.mentions.get(attr, ()):
            if not (isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Store)):
                continue
            owner = _method_class(module, node)
            if owner is not None and (owner in family or owner is not value.scope):
                continue  # `self.attr = ...`: counted where the class itself is looked at, or another class
            receivers = ev.evaluate(node.value, module)
            if any(
                isinstance(r, Unknown) or (isinstance(r, Instance) and _related(ev, r.scope, family))
                for r in receivers
            ):
                found.append(_assigned(ev, module, node, f"`.{attr}`"))
    return union(found)


def _assigned(ev: Evaluator, module: Module, target: Node, name: str) -> Values:
    """What an assignment stores in an attribute; Unknown for other statements that change it."""
    statement = module.parent.get(target)
    if isinstance(statement, tree.Assign):
        return ev.evaluate(statement.value, module)
    return unknown(f"{name} is changed at {module.path}:{target.lineno}")


def rebound(ev: Evaluator, module: Module, name: str) -> Values:
    """What other modules store in a module's name (`settings.RANK = 2`)."""

    def look() -> Values:
        found: list[Values] = []
        paths = ev.project.with_word(name, module.path)
        for path in paths if len(paths) <= objects.MANY_FILES else ():
            other = ev.project.module(path)
            if other is None:
                continue
            for node in other.mentions.get(name, ()):
                stored = isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Store)
                if stored and ModuleValue(module.path) in ev.evaluate(node.value, other):
                    found.append(_assigned(ev, other, node, f"`{name}`"))
        return union(found)

    return ev.guarded((("rebound", module.path, name), None), look)


def _related(ev: Evaluator, cls: Scope, family: set[Scope]) -> bool:
    return any(isinstance(v, Class) and v.scope in family for v in objects.order(ev, cls))


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


def _library_base(ev: Evaluator, cls: Scope, attr: str) -> Values:
    for base in objects.order(ev, cls):
        if isinstance(base, Api):
            return one(Api(f"{base.name}.{attr}"))
    return UNKNOWN


def _class_level(ev: Evaluator, cls: Scope, attr: str) -> Values | None:
    for value in objects.order(ev, cls):
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
    return objects.from_annotation(ev, annotation, module) if annotation is not None else UNKNOWN


def attribute_stores(cls: Scope, attr: str) -> Iterator[tuple[Scope, Node]]:
    """(method, attribute node) for every `self.attr = ...` in the methods of a class."""
    for node in cls.module.mentions.get(attr, ()):
        if (
            isinstance(node, tree.Attribute)
            and isinstance(node.ctx, tree.Store)
            and isinstance(node.value, tree.Name)
        ):
            function = cls.module.enclosing(node).function
            while function is not None and function.owner is None and function.parent is not None:
                function = function.parent.function
            if (
                function is not None
                and function.owner is cls
                and function.params
                and function.params[0].id == node.value.id
            ):
                yield function, node


def _stored(ev: Evaluator, value: Instance, cls: Scope, function: Scope, node: Node) -> Values:
    """What `self.attr = ...` stores for this object."""
    module = cls.module
    target = node
    path: tuple[int, ...] = ()
    statement = module.parent.get(node)
    while isinstance(statement, (tree.Tuple, tree.List)):
        path = (statement.elts.index(target), *path)
        target, statement = statement, module.parent.get(statement)
    if isinstance(statement, tree.Assign):
        given = statement.value
    elif isinstance(statement, tree.AnnAssign):
        if statement.value is None:
            return objects.from_annotation(ev, statement.annotation, module)
        given = statement.value
    elif isinstance(statement, tree.AugAssign):
        return frozenset(
            {*operators.binary(statement.op, UNKNOWN, ev.evaluate(statement.value, module, None))}
        )
    else:
        return UNKNOWN
    env = ctor_env(ev, value, function) if function.name == "__init__" else None
    if env is None and function.params:
        env = Env(function, ((function.params[0].id, one(Instance(value.scope, value.ctor))),), None,
                  (value.ctor.depth + 1) if value.ctor is not None else 1)  # fmt: skip
    return containers.take(ev.evaluate(given, module, env), path)


def ctor_env(ev: Evaluator, value: Instance, init: Scope) -> Env | None:
    """The arguments that an `__init__` of the class or of a base gets when this object is made."""
    if value.ctor is None:
        return None
    if value.ctor.function is init:
        return value.ctor
    outer = objects.method(ev, value.scope, "__init__")
    if outer is None or outer is init or value.ctor.function is not outer:
        return None
    for node in calls.own_nodes(outer):
        if (
            isinstance(node, tree.Call)
            and isinstance(node.func, tree.Attribute)
            and node.func.attr == "__init__"
        ):
            for target in ev.evaluate(node.func, outer.module, value.ctor):
                if isinstance(target, Function) and target.scope is init:
                    args, keywords = calls.arguments(ev, node, outer.module, value.ctor)
                    if target.bound is None:
                        args = args[1:]
                    return calls.bind(ev, init, Instance(value.scope), args, keywords, None)
    return None


def _with_method_stores(ev: Evaluator, value: Instance, attr: str, values: Values) -> Values:
    """Containers in attributes, with what the class's methods append to them or store in them."""
    if not any(isinstance(v, (ListValue, DictValue)) for v in values):
        return values
    added = []
    for cls in objects.order(ev, value.scope):
        if not isinstance(cls, Class):
            continue
        module = cls.scope.module
        for node in module.mentions.get(attr, ()):
            function = module.enclosing(node).function if isinstance(node, tree.Attribute) else None
            if function is not None and function.owner is cls.scope:
                env = ctor_env(ev, value, function) if function.name == "__init__" else None
                for stored in containers.stored_by(module, node):
                    added.append(stored.added(ev.evaluate(stored.node, module, env)))
    return containers.extended(values, union(added)) if added else values
