"""Syntax trees: the only module that imports gast.

gast gives one node vocabulary over the Python versions. Its grammar is that of the running
interpreter, so newer syntax is a `SyntaxError` here, and the caller says so.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import gast
from gast import (  # the vocabulary of the analysis
    Add as Add,
    And as And,
    AnnAssign as AnnAssign,
    Assert as Assert,
    Assign as Assign,
    AsyncFor as AsyncFor,
    AsyncFunctionDef as AsyncFunctionDef,
    AsyncWith as AsyncWith,
    Attribute as Attribute,
    AugAssign as AugAssign,
    Await as Await,
    BinOp as BinOp,
    BitAnd as BitAnd,
    BitOr as BitOr,
    BitXor as BitXor,
    BoolOp as BoolOp,
    Break as Break,
    Call as Call,
    ClassDef as ClassDef,
    Compare as Compare,
    Constant as Constant,
    Continue as Continue,
    Del as Del,
    Delete as Delete,
    Dict as Dict,
    DictComp as DictComp,
    Div as Div,
    Eq as Eq,
    ExceptHandler as ExceptHandler,
    Expr as Expr,
    FloorDiv as FloorDiv,
    For as For,
    FormattedValue as FormattedValue,
    FunctionDef as FunctionDef,
    GeneratorExp as GeneratorExp,
    Global as Global,
    Gt as Gt,
    GtE as GtE,
    If as If,
    IfExp as IfExp,
    Import as Import,
    ImportFrom as ImportFrom,
    In as In,
    Invert as Invert,
    Is as Is,
    IsNot as IsNot,
    JoinedStr as JoinedStr,
    Lambda as Lambda,
    List as List,
    ListComp as ListComp,
    Load as Load,
    Lt as Lt,
    LtE as LtE,
    MatMult as MatMult,
    Mod as Mod,
    Module as Module,
    Mult as Mult,
    Name as Name,
    NamedExpr as NamedExpr,
    Nonlocal as Nonlocal,
    Not as Not,
    NotEq as NotEq,
    NotIn as NotIn,
    Or as Or,
    Param as Param,
    Pass as Pass,
    Pow as Pow,
    Raise as Raise,
    Return as Return,
    Set as Set,
    SetComp as SetComp,
    Slice as Slice,
    Starred as Starred,
    Store as Store,
    Sub as Sub,
    Subscript as Subscript,
    Try as Try,
    Tuple as Tuple,
    UAdd as UAdd,
    UnaryOp as UnaryOp,
    USub as USub,
    While as While,
    With as With,
    Yield as Yield,
    YieldFrom as YieldFrom,
    comprehension as comprehension,
    expr as expr,
    keyword as keyword,
    stmt as stmt,
    withitem as withitem,
)

Node: TypeAlias = Any

FUNCTIONS = (FunctionDef, AsyncFunctionDef, Lambda)
LOOPS = (For, AsyncFor, While)

_DEPTH = 12_000  # frames that a deep but legal expression may need; Python-to-Python calls use no C stack


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deep recursion for a while: generated code has expressions thousands of levels deep."""
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(old)


def parse(text: str) -> Node:
    """The tree of a module.

    Raises SyntaxError (also for null bytes and for trees too deep to walk).
    """
    with warnings.catch_warnings(), deep_recursion():
        warnings.simplefilter("ignore")  # invalid escapes and the like are not ours to report
        try:
            return gast.parse(text)
        except ValueError as error:
            raise SyntaxError(str(error)) from error
        except (RecursionError, MemoryError) as error:
            raise SyntaxError("nested too deeply to analyse") from error


def check_syntax(text: str) -> None:
    """Raise SyntaxError where `parse` would, without building anything that is kept."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except ValueError as error:
            raise SyntaxError(str(error)) from error
        except (RecursionError, MemoryError) as error:
            raise SyntaxError("nested too deeply to analyse") from error


def parse_expression(text: str) -> Node:
    """The tree of one expression. Raises SyntaxError."""
    try:
        return gast.parse(text.strip(), mode="eval").body
    except ValueError as error:
        raise SyntaxError(str(error)) from error


def children(node: Node) -> Iterator[Node]:
    found: Iterator[Node] = gast.iter_child_nodes(node)
    return found


def walk(node: Node) -> Iterator[Node]:
    found: Iterator[Node] = gast.walk(node)
    return found


def identifier(node: Node | None) -> str:
    """The last identifier of a name or an attribute, "" of anything else: `range` of `tf.range`."""
    return str(getattr(node, "attr", getattr(node, "id", "")))


def unparse(node: Node) -> str:
    """Normalised source text of a node: for comparing and naming, never for writing into a file."""
    return str(gast.unparse(node)).strip()


def isolated(function: Node) -> Node:
    """A module that holds only this function and shares its nodes."""
    return gast.Module(body=[function], type_ignores=[])
