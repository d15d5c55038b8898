"""The tables of `codemods.knowledge` against the frameworks that are installed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from codemods.knowledge import aliases, operands, python_operands, slices
from codemods.knowledge.operands import CONSTANT_OPERANDS, Operand
from codemods.knowledge.python_operands import PYTHON_ATTRIBUTE_OPERANDS
from codemods.knowledge.random_ops import RANDOM_OPS

TABLES = {"constant": CONSTANT_OPERANDS, "python": PYTHON_ATTRIBUTE_OPERANDS}
SLICES = slices.SOURCES | slices.DATA_SOURCES | slices.ENDS | slices.KEEPS | slices.SPOILS.keys()


@pytest.fixture(scope="module")
def resolve() -> Callable[[str], Any]:
    """Finds the object of a dotted name. Imports TensorFlow, which takes seconds."""
    import importlib
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        roots = {name: importlib.import_module(name) for name in ("tensorflow", "keras", "numpy")}

    def find(name: str) -> Any:
        head, *rest = name.split(".")
        found: Any = roots[head]
        for index, part in enumerate(rest):
            if head == "tensorflow" and rest[0] == "python" and index < len(rest) - 1:
                found = importlib.import_module(".".join([head, *rest[: index + 1]]))
            else:
                found = getattr(found, part)
        return found

    return find


def test_no_row_is_lost() -> None:
    # 195 of APIs and 3 of subscripts, then 3 more of keras.ops.arange and keras.ops.split
    assert sum(len(rows) for _, rows in operands.ROWS) == 195 + 3
    assert len(CONSTANT_OPERANDS) == 315
    assert sum(len(rows) for _, rows in python_operands.ROWS) == 56
    subscripts = (operands.SUBSCRIPT_STEP, operands.ASSIGN_BEGIN, operands.ASSIGN_END)
    assert {row.kind for row in subscripts} == {"subscript"}


@pytest.mark.parametrize("rows", [operands.ROWS, python_operands.ROWS], ids=["constant", "python"])
def test_no_name_and_no_row_stands_twice(rows: tuple[operands.Rows, ...]) -> None:
    names = [name for group, _ in rows for name in group]
    assert len(names) == len(set(names))
    assert all(len(group) == len(set(group)) for _, group in rows)


def test_what_differs_between_v1_and_v2() -> None:
    def positions(name: str) -> dict[str, int | None]:
        return {row.argument: row.position for row in CONSTANT_OPERANDS[name]}

    assert positions("tensorflow.gather") == {"axis": 3}
    assert positions("tensorflow.compat.v1.gather") == {"axis": 4}
    assert positions("tensorflow.reduce_sum") == {"axis": 1}
    assert positions("tensorflow.compat.v1.math.reduce_sum") == {"axis": 1, "reduction_indices": 4}
    assert positions("tensorflow.compat.v1.argmax") == {"axis": 1, "dimension": 3}
    assert positions("tensorflow.compat.v1.space_to_batch") == {"paddings": 1}
    assert positions("tensorflow.raw_ops.MaxPoolV2") == {"ksize": None, "strides": None}


def test_a_lone_argument_of_range_is_the_limit() -> None:
    first = [row for row in CONSTANT_OPERANDS["tensorflow.range"] if row.position == 0]
    assert first == [
        Operand("limit", 0, "Range", 1, without="limit", note="tf.range(n): n is the limit"),
        Operand("start", 0, "Range", 0),
    ]
    first = [row for row in CONSTANT_OPERANDS["keras.ops.arange"] if row.position == 0]
    assert [(row.without, row.input) for row in first] == [("stop", 1), ("", 0)]


def test_python_operands_name_no_op() -> None:
    rows = [row for rows in PYTHON_ATTRIBUTE_OPERANDS.values() for row in rows]
    assert {(row.op, row.input) for row in rows} == {("", -1)}


def test_slices_are_in_one_table_each() -> None:
    assert not slices.ENDS & slices.KEEPS
    assert not (slices.ENDS | slices.KEEPS) & slices.SPOILS.keys()
    used = slices.WRONG_READS | slices.CONCAT_FIRST | slices.REFUSED_READS
    assert used.union(*slices.SPOILS.values()) <= slices.READS.keys()


def test_aliases_lead_to_canonical_names() -> None:
    assert aliases.INTERNAL_ALIASES["tensorflow.python.ops.math_ops.range"] == "tensorflow.range"
    v1 = aliases.INTERNAL_ALIASES["tensorflow.python.ops.array_ops.gather"]
    assert v1 == "tensorflow.compat.v1.gather"
    assert not [name for name in aliases.INTERNAL_ALIASES.values() if name in aliases.INTERNAL_ALIASES]


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_names_and_positions_are_those_of_the_signatures(resolve: Callable[[str], Any], table: str) -> None:
    wrong = []
    for name, rows in TABLES[table].items():
        names = list(inspect.signature(resolve(name)).parameters)
        names = names[1:] if names[:1] == ["self"] else names
        for row in rows:
            if row.without and row.argument != names[row.position or 0]:
                # tf.range(n): the first argument is called `start`, and means the limit
                right = row.without == row.argument and row.argument in names and row.position == 0
            elif row.position is None:
                right = row.argument in names
            else:
                right = names.index(row.argument) == row.position if row.argument in names else False
            if not right:
                wrong.append((name, row, names))
    assert wrong == []


@pytest.mark.slow
def test_raw_ops_take_keywords_only(resolve: Callable[[str], Any]) -> None:
    raw = [name for name, rows in CONSTANT_OPERANDS.items() if rows[0].position is None]
    assert len(raw) == 18
    for name in raw:
        with pytest.raises(TypeError, match="only takes keyword args"):
            resolve(name)(1)


@pytest.mark.slow
def test_slice_consumers_exist(resolve: Callable[[str], Any]) -> None:
    assert [name for name in sorted(SLICES) if not callable(resolve(name))] == []


@pytest.mark.slow
def test_aliases_are_the_same_objects(resolve: Callable[[str], Any]) -> None:
    from tensorflow.python.util import tf_decorator

    def bare(name: str) -> Any:
        return tf_decorator.unwrap(resolve(name))[1]

    current = aliases.INTERNAL_ALIASES.keys() - aliases.OLD_ALIASES.keys()
    assert [name for name in current if bare(name) is not bare(aliases.INTERNAL_ALIASES[name])] == []


@pytest.mark.slow
def test_old_aliases_are_really_gone(resolve: Callable[[str], Any]) -> None:
    for name, public in aliases.OLD_ALIASES.items():
        assert callable(resolve(public))
        with pytest.raises(AttributeError):
            resolve(name)


def test_random_ops_name_arguments_of_their_replacements() -> None:
    for name, op in RANDOM_OPS.items():
        new = op.replacement
        assert (new is None) == bool(op.why), name
        if new is not None:
            renamed = dict(new.renamed)
            assert renamed.keys() <= set(op.arguments), name
            kept = {renamed.get(one, one) for one in op.arguments} - {"seed"}
            assert new.form or kept <= set(new.arguments), name


@pytest.mark.slow
def test_random_ops_take_the_arguments_of_the_table(resolve: Callable[[str], Any]) -> None:
    wrong = []
    for name, op in RANDOM_OPS.items():
        if ".raw_ops." in name:
            continue
        public = name.replace("keras.", "tensorflow.keras.", 1) if name.startswith("keras.") else name
        names = list(inspect.signature(resolve(public)).parameters)
        if tuple(names[: len(op.arguments)]) != op.arguments:
            wrong.append((name, op.arguments, names))
        new = op.replacement
        if new is None or not new.callee:
            continue
        callee = new.callee.replace("{rng}", "random.Generator")
        target = list(inspect.signature(resolve(f"tensorflow.{callee}")).parameters)
        target = target[1:] if target[:1] == ["self"] else target
        if tuple(target[: len(new.arguments)]) != new.arguments:
            wrong.append((callee, new.arguments, target))
        if not {one for one, _ in new.added} <= set(target):
            wrong.append((callee, new.added, target))
    assert wrong == []
