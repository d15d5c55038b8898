"""Calls: arguments, binding them to parameters, and what a call gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from codemods.analysis import containers, library, objects, tree
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    MAX_DEPTH,
    NOTHING,
    TENSOR,
    UNKNOWN,
    Api,
    ApiObject,
    Class,
    Const,
    DictValue,
    Env,
    Function,
    Instance,
    ListValue,
    Partial,
    Unknown,
    Value,
    Values,
    callables,
    depth_of,
    one,
    union,
    unknown,
)
from codemods.knowledge.operands import Operand

if TYPE_CHECKING:
    from codemods.analysis.evaluate import Evaluator

ANY = "**"  # the keyword under which a `**` argument of unknown contents is passed on
SCOPES = "tf.device"  # the keyword under which the device scopes of a call are passed on, where they count
_NESTED_CALLS = 10
_CONTEXTS = 16  # different argument lists of one function that are followed each on its own
FUNCTION_MAKERS = frozenset(
    {
        "tensorflow.function",
        "tensorflow.compat.v1.function",
        "jax.jit",
        "jax.pjit",
        "jax.experimental.pjit.pjit",
        "jax.pmap",
        "jax.shard_map",
        "jax.experimental.shard_map.shard_map",
        "jax.custom_vjp",
        "jax.custom_jvp",
        "flax.nnx.jit",
        "jax.checkpoint",
        "jax.remat",
    }
)
# Decorators and wrappers that give back the function they get.
TRANSPARENT = FUNCTION_MAKERS | frozenset(
    {
        "tensorflow.autograph.experimental.do_not_convert",
        "tensorflow.autograph.to_graph",
        "tensorflow.recompute_grad",
        "tensorflow.custom_gradient",
        "tensorflow.Module.with_name_scope",
        "tensorflow.xla.experimental.compile",
        "functools.wraps",
        "functools.lru_cache",
        "functools.cache",
        "keras.saving.register_keras_serializable",
        "keras.utils.register_keras_serializable",
        "jax.grad",
        "jax.value_and_grad",
        "jax.vmap",
        "builtins.staticmethod",
        "builtins.classmethod",
    }
)


# Decorators that make a decorator of `wrapper(wrapped, ...)`, which then runs in place of what it is over.
_WRAPPERS = frozenset({"decorator.decorator", "wrapt.decorator"})


def arguments(
    ev: Evaluator, node: Node, module: Module, env: Env | None
) -> tuple[list[Values], dict[str, Values]]:
    """The evaluated arguments of a call; a starred list of known length is spread, others end the list."""
    args: list[Values] = []
    for arg in node.args:
        if isinstance(arg, tree.Starred):
            spread = ev.evaluate(arg.value, module, env)
            value = next(iter(spread)) if len(spread) == 1 else None
            items = getattr(value, "exact", None) or getattr(value, "items", None)
            if items is None or isinstance(value, DictValue):
                args.extend([union([containers.elements(spread), unknown("from a starred argument")])] * 8)
                break
            args.extend(items)
        else:
            args.append(ev.evaluate(arg, module, env))
    keywords = {kw.arg: ev.evaluate(kw.value, module, env) for kw in node.keywords if kw.arg is not None}
    for kw in node.keywords:
        if kw.arg is None:
            for value in ev.evaluate(kw.value, module, env):
                if isinstance(value, DictValue) and value.items:
                    keywords.update(
                        {str(k): v for k, v in value.items if k is not None and str(k) not in keywords}
                    )
                else:
                    keywords[ANY] = unknown("from a `**` argument")
    if ev.placing is not None:
        keywords[SCOPES] = ev.placing.scopes(node, module, env)
    return args, keywords


def bind(
    ev: Evaluator,
    function: Scope,
    bound: Value | None,
    args: Sequence[Values],
    keywords: Mapping[str, Values],
    outer: Env | None,
) -> Env | None:
    """The environment of a call, with defaults for what is missing; None where it would nest too deeply."""
    items: dict[str, Values] = {}
    params = [param.id for param in function.params]
    given = list(args)
    if bound is not None and params and not function.is_static:
        given.insert(0, one(bound))
    for name, values in zip(params, given, strict=False):
        items[name] = values
    node = function.node.args
    if node.vararg is not None:
        extra = tuple(given[len(params) :])
        items[node.vararg.id] = one(ListValue(union(extra), extra))
    known = {*params, *(param.id for param in node.kwonlyargs)}
    for name, values in keywords.items():
        if name in known or name == SCOPES:
            items[name] = values
    if node.kwarg is not None:
        rest = tuple((name, values) for name, values in keywords.items() if name not in known | {SCOPES})
        items[node.kwarg.id] = one(DictValue(union(values for _, values in rest), rest))
    for name in known:
        default = function.default(name)
        if name not in items and default is not None:
            items[name] = ev.evaluate(default, function.module, outer)
        if ANY in keywords and (name not in items or default is not None) and name not in keywords:
            items[name] = union([items.get(name, NOTHING), keywords[ANY]])
    depth = max(depth_of(items.values()), outer.depth + 1 if outer is not None else 0)
    if depth > MAX_DEPTH:
        return None
    return Env(function, tuple(sorted(items.items())), outer, depth)


def call(ev: Evaluator, callee: Values, args: Sequence[Values], keywords: Mapping[str, Values]) -> Values:
    """What a call of any of these values gives."""
    return union(call_value(ev, value, args, keywords) for value in callee)


def call_value(ev: Evaluator, value: Value, args: Sequence[Values], keywords: Mapping[str, Values]) -> Values:
    if isinstance(value, Function):
        return call_function(ev, value, args, keywords)
    if isinstance(value, Class):
        return one(objects.construct(ev, value, args, keywords))
    if isinstance(value, Instance):
        target = objects.call_method(ev, value)
        return union(call_value(ev, one_target, args, keywords) for one_target in target)
    if isinstance(value, Partial):
        return call_value(ev, value.target, [*value.args, *args], {**dict(value.keywords), **keywords})
    if isinstance(value, Api):
        return _call_api(value, args, keywords)
    if isinstance(value, ApiObject):
        return frozenset(TENSOR) if value.name.startswith("keras") else UNKNOWN
    return one(value) if isinstance(value, Unknown) else UNKNOWN


def _call_api(value: Api, args: Sequence[Values], keywords: Mapping[str, Values]) -> Values:
    name = value.name
    if name == "functools.partial" and args:
        return union(
            one(Partial(target, tuple(args[1:]), tuple(sorted(keywords.items())))) for target in args[0]
        )
    if name in _WRAPPERS and args:
        return union(one(Partial(Api("decorator.wrapping"), (one(f),))) for f in callables(args[0]))
    if name == "decorator.wrapping" and len(args) > 1:
        return union(one(Partial(f, (args[1], UNKNOWN, UNKNOWN, UNKNOWN))) for f in callables(args[0]))
    if name in TRANSPARENT:
        functions = (
            args[0] if args else keywords.get("func", keywords.get("fun", keywords.get("function", NOTHING)))
        )
        kept = frozenset(v for v in functions if isinstance(v, (Function, Class, Instance, Partial, Api)))
        if kept:
            return kept
        if name == "functools.wraps" or not args:
            return one(Partial(value, (), tuple(sorted(keywords.items()))))
        return UNKNOWN
    if name.startswith("builtins.dict."):
        return UNKNOWN
    if len(args) == 1 and "sources" in keywords:  # of a derivative
        args = [*args, keywords["sources"]]
    return library.api_call(name, args)


def call_function(
    ev: Evaluator, value: Function, args: Sequence[Values], keywords: Mapping[str, Values]
) -> Values:
    """The join of what a project function returns for these arguments."""
    function = value.scope
    env = bind(ev, function, value.bound, args, keywords, value.env)
    for name, values in env.items if env is not None else ():
        if called := callables(values):
            ev.given.setdefault((function, name), set()).update(called)
    if function in ev.busy:
        return ev.guarded((("return", function), None), lambda: returned(ev, function, None))
    contexts = ev.contexts.setdefault(function, set())
    contexts.add(env)
    if len(contexts) > _CONTEXTS:
        ev.busy.add(function)  # too many different arguments: from now on they are not told apart
    depth, outer = 0, env
    while outer is not None:
        depth, outer = depth + 1, outer.outer
    if env is None or depth > _NESTED_CALLS:
        return UNKNOWN
    result = ev.guarded((("return", function), env), lambda: returned(ev, function, env))
    annotation = getattr(function.node, "returns", None)
    if annotation is not None and not ev.thorough and any(isinstance(v, Unknown) for v in result):
        said = objects.from_annotation(ev, annotation, function.module)  # likely, but no proof
        return result if said == UNKNOWN else union([result, said])
    return result


def returned(ev: Evaluator, function: Scope, env: Env | None) -> Values:
    """What a function returns in an environment; None where no return gives a value."""
    if isinstance(function.node, tree.Lambda):
        return ev.evaluate(function.node.body, function.module, env)
    results = []
    for statement in own_nodes(function):
        if isinstance(statement, (tree.Yield, tree.YieldFrom)):
            return one(ListValue(UNKNOWN))
        if isinstance(statement, tree.Return) and statement.value is not None:
            results.append(ev.evaluate(statement.value, function.module, env))
    return union(results) if results else one(Const(None))


def own_nodes(function: Scope) -> list[Node]:
    """The nodes of a function's own body, in source order: not those of nested functions and classes.

    Comprehensions belong to the function; a nested `def` or lambda is given, but not entered.
    """
    if function.own is None:
        function.own = list(_own_nodes(function))
    return function.own


def _own_nodes(function: Scope) -> Iterator[Node]:
    stack = list(reversed(function.body))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, tree.Lambda):
            continue
        if isinstance(node, (tree.FunctionDef, tree.AsyncFunctionDef, tree.ClassDef)):
            stack.extend(reversed(node.decorator_list))
            continue
        stack.extend(reversed(list(tree.children(node))))


def argument(call: Node, function: Scope, name: str, bound: bool) -> Node | None:
    """The expression that a call gives for a parameter; None where it is not written there."""
    for keyword in call.keywords:
        if keyword.arg == name:
            found: Node = keyword.value
            return found
    names = [p.id for p in function.params]
    at = names.index(name) if name in names else -1
    if bound and function.owner is not None and not function.is_static:
        at -= 1
    if at < 0 or at >= len(call.args) or any(isinstance(a, tree.Starred) for a in call.args[: at + 1]):
        return None
    return call.args[at]


def operand(node: Node, row: Operand) -> Node | None:
    """The expression that a call gives for an operand."""
    for kw in node.keywords:
        if kw.arg == row.argument:
            return kw.value
    if row.without and (
        any(kw.arg == row.without for kw in node.keywords) or (row.position == 0 and len(node.args) > 1)
    ):
        return None
    if row.position is not None and row.position < len(node.args):
        given = node.args[row.position]
        return None if any(isinstance(a, tree.Starred) for a in node.args[: row.position + 1]) else given
    return None
