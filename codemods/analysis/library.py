"""What library calls give: facts about Python, TensorFlow and NumPy, no syntax.

Source: the behaviour of TensorFlow 2.21 under AutoGraph (a `range` of a tensor becomes `tf.range`).
"""

from __future__ import annotations

from collections.abc import Sequence

from codemods.analysis.containers import element
from codemods.analysis.operators import int_like
from codemods.analysis.values import (
    HOST,
    INT,
    NOTHING,
    TENSOR,
    UNKNOWN,
    Api,
    ApiObject,
    Const,
    DictValue,
    ListValue,
    Static,
    Tensor,
    TupleValue,
    Unknown,
    Value,
    Values,
    is_static,
    one,
    union,
)
from codemods.knowledge import aliases, generators, host_random

_PREFIXES = (
    ("tensorflow.compat.v2.", "tensorflow."),
    ("tensorflow.compat.v1.compat.v1.", "tensorflow.compat.v1."),
    ("tensorflow._api.v2.compat.v1.", "tensorflow.compat.v1."),
    ("tensorflow._api.v2.", "tensorflow."),
    ("tensorflow.keras.", "keras."),
    ("tf_keras.", "keras."),
    ("tensorflow.random.experimental.Generator", "tensorflow.random.Generator"),
    ("tensorflow.random.experimental.get_global_generator", "tensorflow.random.get_global_generator"),
)


def canonical(name: str) -> str:
    """The one name of a library symbol: compat.v2, internal modules and tf.keras are folded in."""
    if name in ("tensorflow.keras", "tf_keras"):
        return "keras"
    if name == "tensorflow.compat.v2":
        return "tensorflow"
    for old, new in _PREFIXES:
        if name.startswith(old):
            name = new + name[len(old) :]
    return aliases.INTERNAL_ALIASES.get(name, name)


def without_v1(name: str) -> str:
    """`tensorflow.compat.v1.X` as `tensorflow.X`, for symbols that are the same thing in both."""
    return (
        "tensorflow." + name[len("tensorflow.compat.v1.") :]
        if name.startswith("tensorflow.compat.v1.")
        else name
    )


def star_hides(module: str, name: str) -> bool:
    """Does `from module import *` of a library replace this builtin?"""
    return module.split(".")[0] == "tensorflow" and name in ("range", "abs", "round", "pow", "print", "slice")


_TENSOR_INTS = frozenset({"size", "rank"})
_OBJECTS = frozenset({
    "TensorArray", "GradientTape", "Module", "Graph", "Session", "device", "name_scope", "variable_scope",
    "init_scope", "TensorSpec", "IndexedSlices", "control_dependencies", "RaggedTensor", "SparseTensor",
})  # fmt: skip
_STATIC_CALLS = frozenset({
    "tensorflow.executing_eagerly", "tensorflow.inside_function", "tensorflow.get_static_value",
    "tensorflow.as_dtype", "tensorflow.is_tensor", "tensorflow.dtypes.as_dtype", "tensorflow.get_logger",
    "tensorflow.is_symbolic_tensor", "tensorflow.compat.as_text", "tensorflow.compat.as_str",
})  # fmt: skip

_DERIVATIVES = frozenset({"tensorflow.GradientTape.gradient", "tensorflow.GradientTape.jacobian"})
_LISTS_OF_TENSORS = frozenset({
    "trainable_variables", "global_variables", "local_variables", "model_variables", "unstack", "split",
    "meshgrid", "dynamic_partition", "GradientTape.watched_variables", "gradients", "hessians",
})  # fmt: skip


def api_call(name: str, args: Sequence[Values]) -> Values:
    """What calling a library symbol gives. Function arguments are followed elsewhere."""
    head, _, rest = name.partition(".")
    first = args[0] if args else NOTHING
    if head == "builtins":
        return _builtin(rest, args)
    if name in host_random.MAKERS:
        return one(ApiObject(host_random.MAKERS[name]))
    if head == "numpy":
        return HOST
    if head == "math":
        return INT if rest in ("ceil", "floor", "prod", "gcd", "factorial", "isqrt", "comb") else HOST
    if head == "tensorflow":
        if name in _DERIVATIVES:
            return _shaped_like(args[1] if len(args) > 1 else UNKNOWN)
        return _tensorflow(without_v1(name), first)
    if head == "keras":
        if rest.startswith(("ops.", "backend.", "activations.", "random.", "losses.")):
            return TENSOR
        return one(ApiObject(name))
    if rest.split(".")[-1][:1].isupper():
        return one(ApiObject(name))
    return UNKNOWN


def _tensorflow(name: str, first: Values) -> Values:
    rest = name.partition(".")[2]
    if name in _STATIC_CALLS:
        return HOST
    if rest.startswith("TensorArray."):
        method = rest.partition(".")[2]
        if method in ("write", "unstack", "scatter", "split", "identity"):
            return one(ApiObject("tensorflow.TensorArray"))
        return one(Tensor("int")) if method == "size" else TENSOR
    if rest.startswith("Tensor."):
        method = rest.partition(".")[2]
        return one(Static("shape")) if method == "get_shape" else HOST if method == "numpy" else TENSOR
    if rest.startswith("TensorShape"):
        if rest == "TensorShape":
            return one(Static("shape"))
        method = rest.partition(".")[2]
        if method == "as_list":
            return one(ListValue(one(Static("dim"))))
        return INT if method == "num_elements" else one(Static("shape")) if "with" in method else HOST
    if rest == "Variable":
        return one(Tensor("variable"))
    if rest in ("constant", "convert_to_tensor", "cast", "identity"):
        consts = {v.value for v in first if isinstance(v, Const) and isinstance(v.value, (int, float))}
        if len(consts) == 1 and len(first) == 1:
            const = consts.pop()
            return one(Tensor("int" if isinstance(const, int) else "", const))
        kinds = {v.kind for v in first if isinstance(v, Tensor)}
        whole = kinds == {"int"} and rest in ("constant", "convert_to_tensor", "identity")
        return one(Tensor("int" if whole else ""))
    if rest == "range":
        return one(Tensor("range"))
    if rest == "shape":
        return one(Tensor("shape"))
    if rest in ("compat.dimension_value", "compat.dimension_at_index"):
        return one(Static("dim"))
    if rest in _TENSOR_INTS or rest in ("minimum", "maximum", "math.minimum", "math.maximum"):
        return one(Tensor("int"))
    last = rest.split(".")[-1]
    if rest in _LISTS_OF_TENSORS:
        return one(ListValue(TENSOR))
    if rest == "clip_by_global_norm":
        return one(TupleValue((one(ListValue(TENSOR)), TENSOR)))
    if rest in ("nn.moments", "linalg.svd", "linalg.eigh", "linalg.qr"):
        return one(TupleValue((TENSOR, TENSOR, TENSOR)))
    if rest in _OBJECTS or rest.startswith(
        ("data.", "distribute.", "train.", "summary.", "io.", "saved_model.")
    ):
        return one(ApiObject(name))
    if name in generators.MAKERS or name == generators.GLOBAL:
        return one(ApiObject(generators.GENERATOR))
    if name == generators.SPLIT:
        return one(ListValue(one(ApiObject(generators.GENERATOR))))
    if rest.startswith("nest."):
        return UNKNOWN
    if last[:1].isupper() and not rest.startswith("raw_ops."):
        return one(ApiObject(name))
    return UNKNOWN if rest.startswith(("python.util.", "python.platform.")) else TENSOR


def _shaped_like(sources: Values) -> Values:
    """What a derivative gives: a tensor for each of its sources, which may be a list of them."""
    if sources and all(isinstance(v, Tensor) for v in sources):
        return TENSOR
    if sources and all(isinstance(v, (ListValue, TupleValue)) for v in sources):
        return one(ListValue(TENSOR))
    return one(Unknown("a derivative has the structure of its sources"))


def _builtin(name: str, args: Sequence[Values]) -> Values:
    flat = [value for arg in args for value in arg]
    first = args[0] if args else NOTHING
    if name in ("len", "abs", "sum", "max", "min", "round", "pow", "divmod"):
        if any(isinstance(v, Unknown) for v in flat) and name != "len":
            return UNKNOWN
        if name != "len" and any(isinstance(v, Tensor) for v in flat):
            return TENSOR
        if name == "len":  # under AutoGraph a tensor, where the dimension is not known
            known = (
                all(isinstance(v, (ListValue, TupleValue, DictValue, Const, Static)) for v in flat) and flat
            )
            return INT if known else one(Unknown("`len` of a tensor may be a tensor itself"))
        return INT if all(int_like(v) for v in flat) else HOST
    if name == "int" and any(isinstance(v, (Tensor, Unknown)) for v in first):
        return one(Tensor("int")) if any(isinstance(v, Tensor) for v in first) else first
    if name == "int":
        return (
            first if all(isinstance(v, Const) and isinstance(v.value, int) for v in first) and first else INT
        )
    if name == "range":
        if any(isinstance(v, Tensor) for v in flat):
            return one(Tensor("range"))
        return one(ListValue(INT))
    if name in (
        "float",
        "bool",
        "str",
        "isinstance",
        "hash",
        "id",
        "callable",
        "hasattr",
        "repr",
        "any",
        "all",
    ):
        return HOST
    if name in ("iter", "map", "filter", "reversed"):
        return UNKNOWN
    if name in ("list", "tuple", "set", "frozenset", "sorted"):
        if any(isinstance(v, Static) and v.kind == "shape" for v in first):
            return one(ListValue(one(Static("dim"))))
        return (
            first
            if not flat or any(isinstance(v, Tensor) for v in first)
            else one(ListValue(union(map(element, first))))
        )
    if name == "enumerate":
        inner = union(element(v) for v in first)
        count = one(Tensor("int")) if any(isinstance(v, Tensor) for v in first) else INT
        return one(ListValue(one(TupleValue((count, inner)))))
    if name == "zip":
        return one(ListValue(one(TupleValue(tuple(union(element(v) for v in arg) for arg in args)))))
    if name == "dict":
        return one(DictValue(UNKNOWN))
    if name == "object":
        return HOST
    return UNKNOWN


def member(value: Value, attr: str) -> Values:
    """What `value.attr` gives, for values that are no objects of the project."""
    if isinstance(value, Api):
        return one(Api(canonical(f"{value.name}.{attr}")))
    if isinstance(value, ApiObject):
        return one(Api(f"{value.name}.{attr}"))
    if isinstance(value, Tensor):
        if attr in ("shape", "static_shape"):
            return one(Static("shape"))
        if attr in ("dtype", "name", "device", "op", "graph", "ndim"):
            return INT if attr == "ndim" else HOST
        return one(Api(f"tensorflow.Tensor.{attr}"))
    if isinstance(value, Unknown) and attr in ("shape", "ndim", "dtype"):
        return one(Static("shape")) if attr == "shape" else INT if attr == "ndim" else HOST
    if isinstance(value, Unknown) and attr == "get_shape":
        return one(Api("tensorflow.Tensor.get_shape"))
    if isinstance(value, Static) and value.kind == "shape":
        if attr in ("rank", "ndims"):
            return INT
        return one(Api(f"tensorflow.TensorShape.{attr}"))
    if isinstance(value, DictValue):
        return one(Api(f"builtins.dict.{attr}"))
    if isinstance(value, (ListValue, TupleValue)):
        return one(Api(f"builtins.list.{attr}"))
    if is_static(value) and not isinstance(value, (Const, Static)):
        return UNKNOWN
    return HOST if isinstance(value, (Const, Static)) else UNKNOWN
