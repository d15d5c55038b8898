"""What an expression may be: abstract values, and the sets the evaluator returns.

A set of values is a frozenset; the empty set means "nothing yet" (a cycle), `UNKNOWN` is the set
with one `Unknown`. Binding times follow from the values: `Const` is known now, `Static` when the
function is traced, `Tensor` only when it runs, `Unknown` is not known to us.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from zlib import crc32

from codemods.analysis.scopes import Scope

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Any:  # in `typing` from Python 3.11 on
        return lambda function: function


_T = TypeVar("_T")


def _stable(part: object) -> int:
    kind = type(part)
    if kind is str:
        return crc32(part.encode("utf-8", "surrogatepass"))  # type: ignore[attr-defined]
    if part is None:
        return 1
    if kind is tuple:
        result = 7
        for one_part in part:  # type: ignore[attr-defined]
            result = (result * 1_000_003) ^ _stable(one_part)
        return result & 0xFFFF_FFFF_FFFF
    if kind is bytes:
        return crc32(part)  # type: ignore[arg-type]
    return hash(part)  # numbers, scopes, values and sets of values: none depends on the process


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def _value(cls: type[_T]) -> type[_T]:
    """A frozen dataclass whose hash is remembered, and the same in every process.

    Sets of values are walked in the order of their hashes; what is found must not depend on the run.
    """
    made = dataclass(frozen=True)(cls)
    names = tuple(f.name for f in fields(made) if f.compare)  # type: ignore[arg-type]
    kind = _stable(made.__name__)

    def remembered(self: object) -> int:
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = hash((kind, _stable(tuple([getattr(self, name) for name in names]))))
            object.__setattr__(self, "_hash", known)
        return known

    made.__hash__ = remembered  # type: ignore[method-assign]
    return made


MAX_VALUES = 12  # a larger set is Unknown
MAX_DEPTH = 6  # nesting of environments inside values


@_value
class Unknown:
    """why: "" or a short reason for people ("parameter n of a public function")."""

    why: str = ""


@_value
class Api:
    """Something of a library, by its dotted canonical name: "tensorflow.range"."""

    name: str


@_value
class ModuleValue:
    """A module of the project."""

    name: str


@_value
class Made:
    """Where an object was made, and under which devices. Only some evaluators tell (`Evaluator.placing`).

    path, start: the place of the call. devices: the device scopes that may be open there, as constants.
    """

    path: str
    start: int
    devices: Values


@_value
class Origin:
    """The call that makes a random generator: the place of its text, and what its seed may be."""

    path: str
    start: int
    end: int
    seed: Values


@_value
class ApiObject:
    """What calling a class of a library gives: `ApiObject("tensorflow.TensorArray")`.

    origin: of a random generator, where it is made.
    """

    name: str
    made: Made | None = None
    origin: Origin | None = None


@_value
class Const:
    value: int | float | str | bool | bytes | None

    def __eq__(self, other: object) -> bool:  # True == 1 == 1.0 in Python, not here
        return (
            isinstance(other, Const) and type(self.value) is type(other.value) and self.value == other.value
        )


@_value
class Static:
    """A Python value that is known when the function is traced.

    kind: "int", "dim" (an int, or None where the dimension is unknown), "shape", "host" (NumPy data,
    dtypes and the like), "bool".
    """

    kind: str


@_value
class Tensor:
    """kind: "" or "variable" (a tf.Variable), "range" (of tf.range), "int" (an integer scalar such as
    a size), "shape" (of tf.shape). const: the Python number it was made from, where known."""

    kind: str = ""
    const: int | float | None = None
    made: Made | None = None


@_value
class Env:
    """The arguments of one call: what each parameter of `function` is; `outer` for closures."""

    function: Scope
    items: tuple[tuple[str, Values], ...]
    outer: Env | None = None
    depth: int = field(default=0, compare=False)

    def get(self, name: str) -> Values | None:
        for key, values in self.items:
            if key == name:
                return values
        return None

    def find(self, function: Scope) -> Env | None:
        env: Env | None = self
        while env is not None and env.function is not function:
            env = env.outer
        return env


@_value
class Function:
    """A function of the project; `bound`: the `self` it was taken from; `env`: its closure."""

    scope: Scope
    bound: Value | None = None
    env: Env | None = None


@_value
class Class:
    scope: Scope


@_value
class Instance:
    """An object of a project class; `ctor`: the arguments it was made with, where known."""

    scope: Scope
    ctor: Env | None = None


@_value
class Super:
    """`super()` in a method of `scope`: look-ups start after that class in the order of `instance`."""

    scope: Scope
    instance: Instance


@_value
class Partial:
    """`functools.partial(target, ...)`, or a decorator factory that waits for its function."""

    target: Value
    args: tuple[Values, ...] = ()
    keywords: tuple[tuple[str, Values], ...] = ()


@_value
class TupleValue:
    items: tuple[Values, ...]


@_value
class ListValue:
    """A list, set or other homogeneous collection; exact: the items, where the length is known."""

    element: Values
    exact: tuple[Values, ...] | None = None


@_value
class DictValue:
    element: Values
    items: tuple[tuple[object, Values], ...] = ()


Value: TypeAlias = (
    Unknown
    | Api
    | ModuleValue
    | ApiObject
    | Const
    | Static
    | Tensor
    | Function
    | Class
    | Instance
    | Super
    | Partial
    | TupleValue
    | ListValue
    | DictValue
)
Values: TypeAlias = frozenset[Value]

NOTHING: Values = frozenset()
UNKNOWN: Values = frozenset({Unknown()})
TENSOR: Values = frozenset({Tensor()})
HOST: Values = frozenset({Static("host")})
INT: Values = frozenset({Static("int")})


def one(value: Value) -> Values:
    return frozenset({value})


def unknown(why: str) -> Values:
    return frozenset({Unknown(why)})


def union(sets: Iterable[Values]) -> Values:
    """The join; too many values are Unknown."""
    result: Values = frozenset().union(*sets)
    return result if len(result) <= MAX_VALUES else unknown("too many possible values")


def callables(values: Values) -> Values:
    """The functions, classes and objects of the project among them."""
    return frozenset(v for v in values if isinstance(v, (Function, Class, Instance, Partial)))


def depth_of(values: Iterable[Values]) -> int:
    """The deepest nesting of environments in these sets."""
    return max((_depth(value) for group in values for value in group), default=0)


def _depth(value: Value) -> int:
    known = value.__dict__.get("_depth")
    if known is None:
        known = _measured_depth(value)
        object.__setattr__(value, "_depth", known)
    return int(known)


def _measured_depth(value: Value) -> int:
    deepest = 0
    for env in (getattr(value, "ctor", None), getattr(value, "env", None)):
        if env is not None:
            deepest = max(deepest, env.depth + 1)
    bound = getattr(value, "bound", None)
    if bound is not None:
        deepest = max(deepest, _depth(bound))
    for inner in (getattr(value, "items", None), getattr(value, "args", None)):
        if inner:
            deepest = max(deepest, depth_of(x if isinstance(x, frozenset) else x[1] for x in inner))
    element = getattr(value, "element", None)
    return max(deepest, depth_of([element])) if element else deepest


def is_python_int(value: Value) -> bool:
    """Is this certainly a Python int when the function is traced? (A "dim" may be None.)"""
    if isinstance(value, Const):
        return isinstance(value.value, int) and not isinstance(value.value, bool)
    return isinstance(value, Static) and value.kind == "int"


def is_static(value: Value) -> bool:
    """Is the value known when the function is traced?"""
    return not isinstance(value, (Unknown, Tensor))


def constants(values: Values) -> list[int] | None:
    """The integers that a set may be, if it is made of integer constants alone."""
    found = []
    for value in values:
        if not (
            isinstance(value, Const) and isinstance(value.value, int) and not isinstance(value.value, bool)
        ):
            return None
        found.append(value.value)
    return sorted(found) or None
