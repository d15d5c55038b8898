"""Objects of project classes: base classes, `super()`, and how they are made and called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from codemods.analysis import calls, decorators, tree
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    MAX_DEPTH,
    TENSOR,
    UNKNOWN,
    Api,
    ApiObject,
    Class,
    DictValue,
    Env,
    Function,
    Instance,
    ListValue,
    Super,
    TupleValue,
    Unknown,
    Value,
    Values,
    depth_of,
    one,
    union,
)
from codemods.knowledge.generators import GENERATOR
from codemods.knowledge.host_random import STREAMS

if TYPE_CHECKING:
    from codemods.analysis.evaluate import Evaluator

RANDOM = (GENERATOR, *STREAMS)
MANY_FILES = 40  # files that may mention a name; with more, they are not all looked at
_MANY_CLASSES = 400  # classes below another one
_COLLECTIONS = frozenset(
    {"Sequence", "List", "list", "Iterable", "Iterator", "Collection", "Set", "set", "FrozenSet"}
)
_MAPPINGS = frozenset({"Dict", "dict", "Mapping", "MutableMapping"})
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


def construct(
    ev: Evaluator, value: Class, args: Sequence[Values], keywords: Mapping[str, Values]
) -> Instance:
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
    called = [node.func for node in cls.node.decorator_list if isinstance(node, tree.Call)]
    marks = {*cls.plain_decorators, *map(tree.identifier, called)}
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
        if isinstance(node, tree.AnnAssign)
        and isinstance(node.target, tree.Name)
        and node.target.id not in fields
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
                if binding.kind == "def" and not _sets(binding.node):
                    return value.scope.module.scope_of[binding.node]
        elif value.scope is after:
            skip = False
    return None


def _sets(function: Node) -> bool:
    """Is it the setter of a property, which has the name of the getter?"""
    return any(getattr(one, "attr", "") in ("setter", "deleter") for one in function.decorator_list)


def call_method(ev: Evaluator, value: Instance, own: str = "__call__") -> Values:
    """The functions that calling the object runs: `__call__`, or `call` of a Keras layer or model."""
    for name in (own, "call") if is_keras(ev, value.scope) else (own,):
        found = method(ev, value.scope, name)
        if found is not None:
            return bound(ev, found, value)
    return UNKNOWN


def entered(ev: Evaluator, values: Values) -> Values:
    """What `with value as name` binds."""
    result = []
    for value in values:
        enter = method(ev, value.scope, "__enter__") if isinstance(value, Instance) else None
        result.append(
            calls.call_function(ev, Function(enter, value), [], {}) if enter is not None else one(value)
        )
    return union(result)


def bound(ev: Evaluator, function: Scope, bound: Value) -> Values:
    values = decorators.decorated(ev, function, None)
    return frozenset(
        Function(v.scope, bound, v.env) if isinstance(v, Function) and v.bound is None else v for v in values
    )


def subclasses(ev: Evaluator, cls: Scope) -> list[Scope]:
    """The project classes that derive from a class, at first or second hand."""
    found: dict[Scope, None] = {}
    pending = [cls]
    while pending and len(found) < _MANY_CLASSES:
        current = pending.pop()
        for path in ev.project.deriving(current.name):
            module = ev.project.module(path)
            for other in module.classes if module is not None else ():
                if other not in found and other is not cls and Class(current) in bases(ev, other):
                    found[other] = None
                    pending.append(other)
    return list(found)


def from_annotation(ev: Evaluator, annotation: Node, module: Module) -> Values:
    """An object of the annotated class, a container of such, a tensor, or Unknown."""
    if isinstance(annotation, tree.Constant) and isinstance(annotation.value, str):
        try:
            name = tree.parse_expression(annotation.value)
        except SyntaxError:
            return UNKNOWN
        if not isinstance(name, tree.Name) or name.id not in module.root.bindings:
            return UNKNOWN
        found = ev.bindings(module.root, name.id, module.root.bindings[name.id], None)
    elif isinstance(annotation, tree.Subscript):
        return _generic(ev, annotation, module)
    else:
        found = ev.evaluate(annotation, module)
    result: list[Value] = []
    for value in found:
        if isinstance(value, Class):
            result.append(Instance(value.scope))
        elif isinstance(value, Api) and value.name in ("tensorflow.Tensor", "tensorflow.Variable"):
            result.append(next(iter(TENSOR)))
        elif isinstance(value, Api) and (value.name.startswith("keras.") or value.name in RANDOM):
            result.append(ApiObject(value.name))
        else:
            return UNKNOWN
    return frozenset(result) or UNKNOWN


def _generic(ev: Evaluator, annotation: Node, module: Module) -> Values:
    """What `Optional[X]`, `Sequence[X]`, `Tuple[X, Y]` or `Dict[K, X]` stand for."""
    name = tree.identifier(annotation.value)
    listed = isinstance(annotation.slice, tree.Tuple)
    inner = annotation.slice.elts if listed else [annotation.slice]
    kinds = [from_annotation(ev, node, module) for node in inner]
    if name in ("Optional", "Union"):
        return union(k for k, node in zip(kinds, inner, strict=True) if not _is_none(node))
    if name in _COLLECTIONS or (name in ("Tuple", "tuple") and _is_ellipsis(inner[-1])):
        return one(ListValue(kinds[0]))
    if name in ("Tuple", "tuple"):
        return one(TupleValue(tuple(kinds)))
    if name in _MAPPINGS and len(kinds) == 2:
        return one(DictValue(kinds[1]))
    return UNKNOWN


def _is_none(node: Node) -> bool:
    return isinstance(node, tree.Constant) and node.value is None


def _is_ellipsis(node: Node) -> bool:
    return isinstance(node, tree.Constant) and node.value is Ellipsis


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
