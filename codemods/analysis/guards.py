"""What runs on the first call alone: blocks behind a test for something that they fill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codemods.analysis import tree
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node

_FILLS = ("append", "add", "update", "set", "setdefault")
_BUILT = frozenset({"built", "_built", "initialized", "_initialized"})
_MISSING = frozenset({"AttributeError", "NameError", "KeyError", "LookupError", "Exception", "BaseException"})


def first_time(node: Node, module: Module) -> bool:
    """Does a node, within its function, lie in a block that only runs until what it tests for is there?

    `if self.x is None: self.x = ...`, `if not hasattr(self, "x")`, `if key not in cache`,
    `if not self.built`, `except AttributeError`. A test for what the block does not
    fill, or for an argument, is taken anew on each call.
    """
    below = node
    for above in module.ancestors(node):
        if isinstance(below, tree.stmt) and _returned_before(below, module):
            return True
        if isinstance(above, tree.FUNCTIONS):
            return False
        if isinstance(above, tree.If) and below is not above.test:
            block = above.body if any(below is one for one in above.body) else above.orelse
            if _is_guard(above.test, block, module, block is above.orelse):
                return True
        elif isinstance(above, tree.IfExp) and below is not above.test:
            if _is_guard(above.test, [module.statement(node)], module, below is above.orelse):
                return True
        elif isinstance(above, tree.BoolOp) and isinstance(above.op, tree.Or):
            if any(
                v is not below and _is_guard(v, [module.statement(node)], module, True) for v in above.values
            ):
                return True
        elif isinstance(above, tree.ExceptHandler) and _MISSING & _mentioned(above.type):
            return any(filled(above.body))
        below = above
    return False


def _returned_before(statement: Node, module: Module) -> bool:
    """Does `if self.x is not None: return self.x` stand above, and is `self.x` filled below it?"""
    block = module.block(statement)
    at = next(i for i, one in enumerate(block) if one is statement)
    return any(
        isinstance(one, tree.If)
        and isinstance(one.body[-1], (tree.Return, tree.Raise))
        and _is_guard(one.test, block[at:], module, negated=True)
        for one in block[:at]
    )


def _mentioned(node: Node | None) -> set[str]:
    """The names in an expression, with the last parts of dotted ones."""
    found = tree.walk(node) if node is not None else ()
    return {tree.identifier(n) for n in found if isinstance(n, (tree.Name, tree.Attribute))}


def _is_guard(test: Node, body: list[Node], module: Module, negated: bool = False) -> bool:
    """Is something missing as long as the test holds (or not), and there once the body has run?"""
    if isinstance(test, tree.BoolOp):
        return any(_is_guard(value, body, module, negated) for value in test.values)
    missing = set(_missing(test, module, negated))
    return bool(missing & _BUILT) or bool(missing & _all_filled(body, module))


def _missing(test: Node, module: Module, negated: bool = False) -> Iterator[str]:
    """What is not there where a test holds (or, `negated`, where it does not)."""
    if isinstance(test, tree.UnaryOp) and isinstance(test.op, tree.Not):
        yield from _missing(test.operand, module, not negated)
    elif isinstance(test, tree.Compare) and len(test.ops) == 1:
        op, left, right = test.ops[0], test.left, test.comparators[0]
        none = isinstance(right, tree.Constant) and right.value is None
        if none and isinstance(op, (tree.IsNot, tree.NotEq) if negated else (tree.Is, tree.Eq)):
            yield from _lasting(left, module)
        elif isinstance(op, tree.In if negated else tree.NotIn):
            yield from _lasting(right, module)
    elif negated and isinstance(test, tree.Call) and tree.identifier(test.func) == "hasattr":
        yield from (str(arg.value) for arg in test.args[1:2] if isinstance(arg, tree.Constant))
    elif negated:
        yield from _lasting(test, module)


def _lasting(node: Node, module: Module) -> Iterator[str]:
    """The name of what outlives the call: an attribute, or a name of an outer scope."""
    if isinstance(node, tree.Subscript):
        yield from _lasting(node.value, module)
    elif isinstance(node, tree.Attribute):
        yield str(node.attr)
    elif isinstance(node, tree.Name):
        function = module.enclosing(node).function
        if function is None or node.id not in function.bindings:
            yield str(node.id)


def _all_filled(body: list[Node], module: Module) -> set[str]:
    """What a block fills, itself or by a function of the module that it calls."""
    found = set(filled(body))
    called = {tree.identifier(n.func) for one in body for n in tree.walk(one) if isinstance(n, tree.Call)} - {
        ""
    }
    for function in module.functions:
        if function.name in called and isinstance(function.node, (tree.FunctionDef, tree.AsyncFunctionDef)):
            found |= set(filled(function.node.body))
    return found


def filled(body: Iterable[Node]) -> Iterator[str]:
    """What the statements of a block store into."""
    for statement in body:
        for node in tree.walk(statement):
            targets: list[Node] = []
            if isinstance(node, tree.Assign):
                targets = list(node.targets)
            elif isinstance(node, (tree.AugAssign, tree.AnnAssign, tree.NamedExpr)):
                targets = [node.target]
            for target in targets:
                for part in target.elts if isinstance(target, (tree.Tuple, tree.List)) else [target]:
                    yield tree.identifier(part.value if isinstance(part, tree.Subscript) else part)
            called = node.func if isinstance(node, tree.Call) else None
            if isinstance(called, tree.Attribute) and called.attr in _FILLS:
                yield tree.identifier(called.value)
            if tree.identifier(called) in ("setattr", "__setattr__"):
                yield from (
                    str(a.value)
                    for a in node.args
                    if isinstance(a, tree.Constant) and isinstance(a.value, str)
                )
