"""Functions handed to a library call: which of them run inside the compiled program, and with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codemods.analysis import calls, containers, library, tree
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    NOTHING,
    TENSOR,
    Api,
    Const,
    DictValue,
    Function,
    Instance,
    ListValue,
    Partial,
    Static,
    Tensor,
    TupleValue,
    Value,
    Values,
)

# Library calls whose function arguments do not run inside the compiled program.
_HOST_CALLS = (
    "tensorflow.py_function",
    "tensorflow.numpy_function",
    "tensorflow.data.",
    "tensorflow.summary.",
    "tensorflow.compat.v1.py_func",
    "tensorflow.io.",
    "functools.",
    "tensorflow.random.Generator",
    "scipy.",
    "jax.pure_callback",
    "jax.experimental.io_callback",
    "jax.debug.callback",
)

# What never calls an argument: it takes tensors, or looks at objects.
_NEVER = tuple(
    f"tensorflow.{name}."
    for name in (
        *("bitwise", "debugging", "dtypes", "image", "io", "linalg", "math", "quantization", "random"),
        *("sets", "shape", "signal", "strings", "sysconfig", "version"),
    )
) + tuple(
    f"{name}."
    for name in (
        *("abc", "collections", "copy", "dataclasses", "enum", "inspect", "json", "logging", "math", "os"),
        *("pickle", "re", "sys", "typing", "warnings", "jax.nn", "jax.random"),
    )
)
_NUMPY = frozenset({
    "vectorize", "apply_along_axis", "apply_over_axes", "fromfunction", "frompyfunc", "piecewise",
})  # fmt: skip
# In these the names without a further dot call no argument, but for those listed.
_SOME = {
    "builtins": frozenset({"map", "filter", "sorted", "max", "min"}),
    "numpy": _NUMPY,
    "jax.numpy": _NUMPY,
    "tensorflow": frozenset({
        *("case", "cond", "custom_gradient", "foldl", "foldr", "function", "get_variable"),
        *("grad_pass_through", "gradients", "hessians", "make_template", "map_fn", "recompute_grad"),
        *("scan", "switch_case", "Variable", "variable_scope", "vectorized_map", "while_loop"),
    }),
    "tensorflow.nest": frozenset({"map_structure", "map_structure_up_to"}),
    "tree": frozenset({
        *("map_structure", "map_structure_up_to", "map_structure_with_path"),
        *("map_structure_with_path_up_to", "traverse", "traverse_with_path"),
    }),
    "jax.tree": frozenset({"map", "map_with_path", "reduce", "reduce_associative"}),
    "jax.tree_util": frozenset({"tree_map", "tree_map_with_path", "tree_reduce", "Partial"}),
}  # fmt: skip
# Only the first argument is called, the others may be objects that can be.
_FIRST = ("tensorflow.nest.", "tree.", "jax.tree.", "jax.tree_util.")

_NESTING = 3  # of lists and tuples of functions

_DERIVATIVES = (
    "gradients",
    "minimize",
    "value_and_gradient",
    "jacobian",
    "compute_gradient",
    "fit_surrogate_posterior",
    "HamiltonianMonteCarlo",
    "NoUTurnSampler",
    "MetropolisAdjustedLangevinAlgorithm",
    "UncalibratedHamiltonianMonteCarlo",
)
_NUMERIC = ("scipy.",)  # it gets the derivative from the caller, or by differences


def takes_gradient(api: Api) -> bool:
    """Does the call take a derivative of the functions that it gets?"""
    return api.name.endswith(_DERIVATIVES) and not api.name.startswith(_NUMERIC)


def differentiates(call: Node) -> bool:
    """Is it `optimizer.minimize(...)`, whatever the optimizer is?"""
    return isinstance(call.func, tree.Attribute) and call.func.attr == "minimize"


def functions(
    api: Api, args: Sequence[Values], keywords: Mapping[str, Values]
) -> list[tuple[Value, list[Values]]]:
    """The functions among the arguments that run compiled, each with what its parameters get."""
    if api.name in calls.TRANSPARENT or api.name.startswith(_HOST_CALLS) or _calls_nothing(api):
        return []
    if api.name.startswith(_FIRST) and args:
        args, keywords = args[:1], {}
    params = [TENSOR] * 16
    if api.name in ("builtins.map", "builtins.filter"):
        params = [containers.elements(values) for values in args[1:]]
    if api.name.endswith("while_loop"):
        given = keywords.get("loop_vars", args[2] if len(args) > 2 else NOTHING)
        items = next((v for v in given if isinstance(v, (TupleValue, ListValue))), None)
        exact = items.items if isinstance(items, TupleValue) else items.exact if items is not None else None
        if exact is not None:
            params = [_carried(values) for values in exact]
    return [(value, list(params)) for values in [*args, *keywords.values()] for value in _callables(values)]


def _calls_nothing(api: Api) -> bool:
    name = library.without_v1(api.name)
    head, _, last = name.rpartition(".")
    return name.startswith(_NEVER) or (head in _SOME and last not in _SOME[head])


def _callables(values: Values, nesting: int = 0) -> list[Value]:
    """The functions among some values, and in lists and tuples of them (`tf.case` takes pairs)."""
    found: list[Value] = []
    for value in values:
        if isinstance(value, (Function, Partial)) or (isinstance(value, Instance) and not nesting):
            found.append(value)
        elif isinstance(value, (ListValue, DictValue)) and nesting < _NESTING:
            found.extend(_callables(value.element, nesting + 1))
        elif isinstance(value, TupleValue) and nesting < _NESTING:
            found.extend(v for item in value.items for v in _callables(item, nesting + 1))
    return found


def _carried(values: Values) -> Values:
    """A loop variable inside `tf.while_loop`: numbers become tensors, arrays and objects stay."""
    return frozenset(
        Tensor(
            "int"
            if (isinstance(v, Const) and isinstance(v.value, int)) or getattr(v, "kind", "") in ("int", "dim")
            else ""
        )
        if isinstance(v, (Const, Static, Tensor))
        else v
        for v in values
    )
