"""What operators and library calls give: facts about Python, TensorFlow and NumPy, no syntax.

Sources: the behaviour of TensorFlow 2.21 under AutoGraph (a `range` of a tensor becomes `tf.range`),
and Python's own arithmetic.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence

from codemods.analysis import tree
from codemods.analysis.tree import Node
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
    Instance,
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
from codemods.knowledge import aliases

_PREFIXES = (
    ("tensorflow.compat.v2.", "tensorflow."),
    ("tensorflow.compat.v1.compat.v1.", "tensorflow.compat.v1."),
    ("tensorflow._api.v2.compat.v1.", "tensorflow.compat.v1."),
    ("tensorflow._api.v2.", "tensorflow."),
    ("tensorflow.keras.", "keras."),
    ("tf_keras.", "keras."),
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
    return "tensorflow." + name[len("tensorflow.compat.v1.") :] if name.startswith("tensorflow.compat.v1.") else name


def star_hides(module: str, name: str) -> bool:
    """Does `from module import *` of a library replace this builtin?"""
    return module.split(".")[0] == "tensorflow" and name in ("range", "abs", "round", "pow", "print", "slice")


_FOLD = {
    tree.Add: operator.add,
    tree.Sub: operator.sub,
    tree.Mult: operator.mul,
    tree.FloorDiv: operator.floordiv,
    tree.Mod: operator.mod,
    tree.Div: operator.truediv,
}


def binary(op: Node, left: Values, right: Values) -> Values:
    """The values of `left op right`."""
    return union(_binary(op, a, b) for a in left for b in right)


def _binary(op: Node, a: Value, b: Value) -> Values:
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        kinds = {v.kind for v in (a, b) if isinstance(v, Tensor)}
        whole = kinds <= {"int"} and all(isinstance(v, Tensor) or _int_like(v) for v in (a, b))
        return one(Tensor("int" if whole and not isinstance(op, tree.Div) else ""))
    if isinstance(a, Const) and isinstance(b, Const):
        if isinstance(op, tree.Pow) and isinstance(a.value, int) and isinstance(b.value, int):
            if b.value < 0:
                return HOST
            return one(Const(a.value**b.value)) if b.value <= 16 and abs(a.value) < 1 << 16 else INT
        fold = _FOLD.get(type(op))
        if fold is not None:
            try:
                result = fold(a.value, b.value)
            except Exception:  # a type error or division by zero: the program's own fault
                return UNKNOWN
            return one(Const(result)) if isinstance(result, (int, float, str)) and _small(result) else HOST
        return HOST
    if isinstance(a, ListValue) and isinstance(b, (ListValue, TupleValue)) or isinstance(a, TupleValue):
        return one(ListValue(union([_element(a), _element(b)])))
    if isinstance(a, ListValue) or isinstance(b, ListValue):
        return one(ListValue(_element(a if isinstance(a, ListValue) else b)))
    if isinstance(a, (Unknown, Instance, ApiObject)) or isinstance(b, (Unknown, Instance, ApiObject)):
        unknown = a if isinstance(a, Unknown) else b
        return one(unknown) if isinstance(unknown, Unknown) else UNKNOWN
    if _int_like(a) and _int_like(b):
        return HOST if isinstance(op, tree.Div) else INT
    return HOST


def _small(value: object) -> bool:
    return not (isinstance(value, int) and abs(value) > 1 << 63) and not (isinstance(value, str) and len(value) > 200)


def _int_like(value: Value) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, int)
    # arithmetic on None raises, so what comes out of it is an int
    return isinstance(value, Static) and value.kind in ("int", "dim")


def unary(op: Node, operand: Values) -> Values:
    if isinstance(op, tree.Not):
        return compare([op], [operand])
    result = []
    for value in operand:
        if isinstance(value, Const) and isinstance(value.value, (int, float)) and isinstance(op, tree.USub):
            result.append(one(Const(-value.value)))
        elif isinstance(value, Static) and value.kind == "dim":
            result.append(INT)
        else:
            result.append(one(Tensor(value.kind) if isinstance(value, Tensor) else value))
    return union(result)


def compare(ops: Sequence[Node], sides: Sequence[Values]) -> Values:
    """A comparison, or `not`: a tensor if anything in it is, else a bool known when tracing."""
    if any(isinstance(v, Tensor) for side in sides for v in side) and not all(
        isinstance(op, (tree.Is, tree.IsNot)) for op in ops
    ):
        return TENSOR
    consts = [next(iter(side)) for side in sides if len(side) == 1]
    if isinstance(ops[0], tree.Not) and len(consts) == 1 and isinstance(consts[0], Const):
        return one(Const(not consts[0].value))
    if len(ops) == 1 and len(consts) == 2 and all(isinstance(c, Const) for c in consts):
        a, b = (c.value for c in consts if isinstance(c, Const))
        if isinstance(ops[0], (tree.Eq, tree.Is)):
            return one(Const(a == b))
        if isinstance(ops[0], (tree.NotEq, tree.IsNot)):
            return one(Const(a != b))
    if any(isinstance(v, Unknown) for side in sides for v in side) and not all(
        isinstance(op, (tree.Is, tree.IsNot)) for op in ops
    ):
        return UNKNOWN
    return one(Static("bool"))


def boolean(op: Node, sides: Sequence[Values]) -> Values:
    """`and` / `or`: folded where the sides are constants, else any of the sides."""
    kept: list[Values] = []
    for side in sides:
        value = next(iter(side)) if len(side) == 1 else None
        if isinstance(value, Const):
            if bool(value.value) == isinstance(op, tree.Or):
                kept.append(side)
                return union(kept)
            last = side
        else:
            kept.append(side)
            last = NOTHING
    return union([*kept, last] if not kept else kept)


# containers


def _element(value: Value) -> Values:
    return element(value)


def element(value: Value) -> Values:
    """What iterating over a value gives."""
    if isinstance(value, (ListValue, DictValue)):
        return value.element if isinstance(value, ListValue) else HOST
    if isinstance(value, TupleValue):
        return union(value.items)
    if isinstance(value, Tensor):
        return one(Tensor("int" if value.kind in ("range", "shape") else ""))
    if isinstance(value, Static):
        return one(Static("dim")) if value.kind == "shape" else HOST
    if isinstance(value, Const) and isinstance(value.value, str):
        return HOST
    if isinstance(value, Unknown):
        return one(value)
    return UNKNOWN


def subscript(value: Value, index: Values) -> Values:
    """What `value[index]` gives."""
    if any(isinstance(i, Tensor) for i in index) and not isinstance(value, (Unknown, DictValue)):
        return one(Tensor("int" if isinstance(value, Tensor) and value.kind == "shape" else ""))
    key = next(iter(index)) if len(index) == 1 else None
    if isinstance(value, DictValue):
        if isinstance(key, Const):
            for name, values in value.items:
                if name == key.value:
                    return values
        return value.element
    items = value.exact if isinstance(value, ListValue) else value.items if isinstance(value, TupleValue) else None
    if items is not None and isinstance(key, Const) and isinstance(key.value, int):
        return items[key.value] if -len(items) <= key.value < len(items) else NOTHING
    if isinstance(value, Tensor):
        return one(Tensor("int" if value.kind in ("range", "shape") else ""))
    return element(value)


def sliced(value: Value) -> Values:
    """What `value[a:b]` gives."""
    if isinstance(value, (TupleValue, ListValue)):
        return one(ListValue(element(value)))
    if isinstance(value, Static):
        return one(value)
    return one(Tensor(value.kind)) if isinstance(value, Tensor) else UNKNOWN


def extended(values: Values, added: Values) -> Values:
    """Containers with further elements."""
    result: list[Value] = []
    for value in values:
        if isinstance(value, ListValue):
            result.append(ListValue(union([value.element, added])))
        elif isinstance(value, DictValue):
            result.append(DictValue(union([value.element, added]), value.items))
        else:
            result.append(value)
    return frozenset(result)


# calls

_TENSOR_INTS = frozenset({"size", "rank"})
_OBJECTS = frozenset(
    "TensorArray GradientTape Module Graph Session device name_scope variable_scope init_scope TensorSpec IndexedSlices "
    "control_dependencies RaggedTensor SparseTensor".split()
)
_STATIC_CALLS = frozenset(
    "tensorflow.executing_eagerly tensorflow.inside_function tensorflow.get_static_value tensorflow.as_dtype "
    "tensorflow.is_tensor tensorflow.dtypes.as_dtype tensorflow.get_logger tensorflow.is_symbolic_tensor".split()
)


def api_call(name: str, args: Sequence[Values], keywords: Mapping[str, Values]) -> Values:
    """What calling a library symbol gives. Function arguments are followed elsewhere."""
    head, _, rest = name.partition(".")
    first = args[0] if args else NOTHING
    if head == "builtins":
        return _builtin(rest, args)
    if head == "numpy":
        return HOST
    if head == "math":
        return INT if rest in ("ceil", "floor", "prod", "gcd", "factorial", "isqrt", "comb") else HOST
    if head == "tensorflow":
        return _tensorflow(without_v1(name), first, args, keywords)
    if head == "keras":
        if rest.startswith(("ops.", "backend.", "activations.", "random.", "losses.")):
            return TENSOR
        return one(ApiObject(name))
    if rest.split(".")[-1][:1].isupper():
        return one(ApiObject(name))
    return UNKNOWN


def _tensorflow(name: str, first: Values, args: Sequence[Values], keywords: Mapping[str, Values]) -> Values:
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
    if rest in _TENSOR_INTS or rest in ("minimum", "maximum", "math.minimum", "math.maximum"):
        return one(Tensor("int"))
    last = rest.split(".")[-1]
    if rest in ("unstack", "split", "meshgrid", "dynamic_partition"):
        return one(ListValue(TENSOR))
    if rest in ("nn.moments", "linalg.svd", "linalg.eigh", "linalg.qr"):
        return one(TupleValue((TENSOR, TENSOR, TENSOR)))
    if rest in _OBJECTS or rest.startswith(("data.", "distribute.", "train.", "summary.", "io.", "saved_model.")):
        return one(ApiObject(name))
    if rest.startswith("random.Generator"):
        return one(ApiObject("tensorflow.random.Generator")) if "." not in rest[17:] and "from" in rest else TENSOR
    if rest in ("nest.map_structure", "map_fn", "while_loop", "scan", "nest.flatten", "cond", "switch_case", "case"):
        return UNKNOWN if rest.startswith("nest") else TENSOR
    if last[:1].isupper() and not rest.startswith("raw_ops."):
        return one(ApiObject(name))
    return TENSOR


def _builtin(name: str, args: Sequence[Values]) -> Values:
    flat = [value for arg in args for value in arg]
    first = args[0] if args else NOTHING
    if name in ("len", "abs", "sum", "max", "min", "round", "pow", "divmod"):
        if any(isinstance(v, Unknown) for v in flat) and name != "len":
            return UNKNOWN
        if name != "len" and any(isinstance(v, Tensor) for v in flat):
            return TENSOR
        if name == "len":  # under AutoGraph a tensor, where the dimension is not known
            known = all(isinstance(v, (ListValue, TupleValue, DictValue, Const, Static)) for v in flat) and flat
            return INT if known else one(Unknown("`len` of a tensor may be a tensor itself"))
        return INT if all(_int_like(v) for v in flat) else HOST
    if name == "int" and any(isinstance(v, (Tensor, Unknown)) for v in first):
        return one(Tensor("int")) if any(isinstance(v, Tensor) for v in first) else first
    if name == "int":
        return first if all(isinstance(v, Const) and isinstance(v.value, int) for v in first) and first else INT
    if name == "range":
        if any(isinstance(v, Tensor) for v in flat):
            return one(Tensor("range"))
        return one(ListValue(INT))
    if name in ("float", "bool", "str", "isinstance", "hash", "id", "callable", "hasattr", "repr", "any", "all"):
        return HOST
    if name in ("iter", "map", "filter", "reversed"):
        return UNKNOWN
    if name in ("list", "tuple", "set", "frozenset", "sorted"):
        if any(isinstance(v, Static) and v.kind == "shape" for v in first):
            return one(ListValue(one(Static("dim"))))
        return first if not flat or any(isinstance(v, Tensor) for v in first) else one(ListValue(union(map(element, first))))
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
