"""Edits of whole statements: where lines go, how deep they stand, blocks round them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence

from codemods.analysis import tree
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.model import Edit
from codemods.rewrite.expressions import CannotRewrite


def indentation(module: Module, statement: Node) -> str:
    """The white space before a statement. Raises CannotRewrite where it does not begin its line."""
    start = module.offset(statement.lineno, statement.col_offset)
    line = module.lines.line_start(statement.lineno)
    space = module.source.text[line:start]
    if space.strip(" \t\f"):
        raise CannotRewrite("another statement stands before it on its line")
    return space


def _end_of_line(module: Module, statement: Node) -> int:
    """Where the last line of a statement ends. Raises CannotRewrite where another one follows on it."""
    end = stop = module.span(statement).end
    text = module.source.text
    while stop < len(text) and text[stop] not in "\r\n":
        stop += 1
    rest = text[end:stop].strip()
    if rest and not rest.startswith("#"):
        raise CannotRewrite("another statement follows on its line")
    return stop


def insert_after(module: Module, statement: Node, lines: Sequence[str]) -> Edit:
    """New statements behind one, each on a line of its own, with its indentation.

    Raises CannotRewrite where another statement follows on the same line.
    """
    beside = [one for one in module.block(statement) if one.lineno == statement.lineno]
    indent, stop = indentation(module, beside[0]), _end_of_line(module, statement)
    newline = module.lines.newline
    return Edit(module.path, stop, stop, "".join(f"{newline}{indent}{line}" for line in lines))


def insert_before(module: Module, statement: Node, lines: Sequence[str]) -> Edit:
    """New lines in front of a statement (of a `def`: behind its decorators), with its indentation."""
    indent = indentation(module, statement)
    start = module.offset(statement.lineno, statement.col_offset)
    newline = module.lines.newline
    return Edit(module.path, start, start, "".join(f"{line}{newline}{indent}" for line in lines))


def insert_first(module: Module, block_owner: Node, lines: Sequence[str]) -> Edit:
    """New statements as the first of the body of a compound statement."""
    return insert_above(module, block_owner.body[0], lines)


def insert_above(module: Module, statement: Node, lines: Sequence[str]) -> Edit:
    """New statements in front of one, and of its decorators; empty lines stay empty."""
    indent = indentation(module, statement)
    decorators = getattr(statement, "decorator_list", [])
    at = decorators[0].lineno if decorators else statement.lineno
    start = module.lines.line_start(at) + len(indent)
    newline, text = module.lines.newline, ""
    for line, following in zip(lines, [*lines[1:], "."], strict=True):
        text += f"{line}{newline}{indent if following else ''}"
    return Edit(module.path, start, start, text)


def insert_on_top(module: Module, statement: Node, lines: Sequence[str]) -> Edit:
    """New lines in front of a statement, its decorators, and the comment that stands right above it."""
    indent = indentation(module, statement)
    decorators = getattr(statement, "decorator_list", [])
    line = min([statement.lineno, *(d.lineno for d in decorators)])
    text = module.source.text
    while line > 1:
        above = text[module.lines.line_start(line - 1) : module.lines.line_start(line)]
        if not above.startswith(f"{indent}#") or above.startswith("#!") or "coding" in above:
            break
        line -= 1
    start = module.lines.line_start(line)
    newline = module.lines.newline
    added = "".join(f"{indent}{one}{newline}" if one else newline for one in lines)
    return Edit(module.path, start, start, added)


def insert_at_top(module: Module, anchor: Node, lines: list[str], apart: bool) -> Edit:
    """New statements before one of the module's: behind the one that stands above, if that is a plain one.

    apart: with an empty line between, also behind an assignment.
    """
    body = module.tree.body
    index = next(i for i, one in enumerate(body) if one is anchor)
    above = body[index - 1] if index else None
    if isinstance(above, (tree.Assign, tree.AnnAssign, tree.Import, tree.ImportFrom, tree.Expr)):
        blank = apart or not isinstance(above, tree.Assign)
        with contextlib.suppress(CannotRewrite):
            return insert_after(module, above, ["", *lines] if blank else lines)
    return insert_on_top(module, anchor, [*lines, "", ""])


def remove_statement(module: Module, statement: Node) -> Edit:
    """Leave a statement out, with its line. Raises CannotRewrite where it shares the line."""
    indent = indentation(module, statement)
    span = module.span(statement)
    text, stop = module.source.text, span.end
    while stop < len(text) and text[stop] in " \t\f":
        stop += 1
    if stop < len(text) and text[stop] not in "\r\n":
        raise CannotRewrite("something follows on its line")
    stop += 2 if text[stop : stop + 2] == "\r\n" else 1
    return Edit(module.path, span.start - len(indent), min(stop, len(text)), "")


def replace_statement(module: Module, statement: Node, lines: Sequence[str]) -> Edit:
    """Other statements in the place of one; nested lines carry their own further indentation."""
    indent = indentation(module, statement)
    _end_of_line(module, statement)
    span, newline = module.span(statement), module.lines.newline
    return Edit(module.path, span.start, span.end, f"{newline}{indent}".join(lines))


def one_level(module: Module) -> str:
    """One step of indentation as this file does it."""
    for line in re.findall(r"^[ \t]+(?=\S)", module.source.text, re.M):
        if not line.strip(" ") or "\t" in line:
            return "\t" if "\t" in line else line
    return "    "


_SIMPLE = (
    tree.Expr, tree.Assign, tree.AnnAssign, tree.AugAssign, tree.Return, tree.Assert, tree.Raise
)  # fmt: skip


def wrap(module: Module, statement: Node, header: str) -> list[Edit]:
    """Put a simple statement into a block of its own: `header` is `with ...:`.

    Only text is added, and statements on the same line get lines of their own; what stands inside of
    strings stays. Raises CannotRewrite.
    """
    if not isinstance(statement, _SIMPLE):
        raise CannotRewrite("it is part of a larger statement, which cannot be put into a block as a whole")
    level, newline = one_level(module), module.lines.newline
    indent, edits = _own_line(module, statement)
    start = module.span(statement).start
    edits.append(Edit(module.path, start, start, f"{header}{newline}{indent}{level}"))
    for at in _line_starts(module, statement.lineno + 1, statement.end_lineno, [statement]):
        edits.append(Edit(module.path, at, at, level))
    return edits


def _own_line(module: Module, statement: Node) -> tuple[str, list[Edit]]:
    """The indentation of a statement, and what gives it a line of its own. Raises CannotRewrite."""
    block, newline, text = module.block(statement), module.lines.newline, module.source.text
    at = next(index for index, one in enumerate(block) if one is statement)
    first = at
    while first and block[first - 1].end_lineno == block[first].lineno:
        first -= 1
    edits = []
    try:
        indent = indentation(module, block[first])
    except CannotRewrite:  # behind the colon of `def f(): ...`
        owner = module.parent.get(statement)
        if first or not hasattr(owner, "lineno"):
            raise
        indent = indentation(module, owner) + one_level(module)
        begin = module.span(block[0]).start
        space = begin - len(text[:begin].rstrip(" \t\f\\\r\n"))
        edits.append(Edit(module.path, begin - space, begin, f"{newline}{indent}"))
    for one, other in ((at - 1, at), (at, at + 1)):
        if first <= one and other < len(block) and block[one].end_lineno == block[other].lineno:
            end, begin = module.span(block[one]).end, module.span(block[other]).start
            if text[end:begin].strip(" \t\f") != ";":
                raise CannotRewrite("the statements of its line are not understood")
            edits.append(Edit(module.path, end, begin, f"{newline}{indent}"))
    return indent, edits


_HEADERS = {tree.If: "condition", tree.For: "items", tree.With: "context"}


def header_part(module: Module, statement: Node, node: Node) -> tuple[Node, str] | None:
    """The part of a header that is evaluated once, at first, and holds `node`; what to call its value."""
    part = None
    if isinstance(statement, tree.If) and not module.source.text.startswith(
        "elif", module.span(statement).start
    ):
        part = statement.test
    elif isinstance(statement, tree.For):
        part = statement.iter
    elif isinstance(statement, tree.With):
        part = statement.items[0].context_expr
    if part is None or not any(inner is node for inner in tree.walk(part)):
        return None
    return part, _HEADERS[type(statement)]


def hoist(module: Module, statement: Node, part: Node, name: str, header: str) -> list[Edit]:
    """Evaluate a part of a statement's header in front of it, in a block. Raises CannotRewrite."""
    level, newline, indent = one_level(module), module.lines.newline, indentation(module, statement)
    start, span = module.span(statement).start, module.span(part)
    text = module.text(part)
    if part.lineno != part.end_lineno or isinstance(part, tree.NamedExpr):
        text = f"({text})"
    above = f"{header}{newline}{indent}{level}{name} = {text}{newline}{indent}"
    return [Edit(module.path, start, start, above), Edit(module.path, span.start, span.end, name)]


def unwrap(module: Module, statement: Node) -> list[Edit]:
    """Take a `with` of one item away and keep its body, one level further out. Raises CannotRewrite."""
    indent = indentation(module, statement)
    text, span = module.source.text, module.span(statement)
    first = statement.body[0]
    if len(statement.items) != 1 or statement.items[0].optional_vars is not None:
        raise CannotRewrite("the `with` does more than that")
    body = module.offset(first.lineno, first.col_offset)
    if getattr(first, "decorator_list", []):
        body = module.lines.line_start(first.decorator_list[0].lineno)
        body += len(text[body:]) - len(text[body:].lstrip(" \t"))
    colon = text.index(":", module.span(statement.items[0].context_expr).end)
    head = re.compile(r":[ \t]*(?:\r\n|\r|\n)?").match(text, colon)
    assert head is not None
    if text[module.lines.line_start(statement.body[0].lineno) : body].strip():  # all on one line
        return [Edit(module.path, span.start, body, "")]
    comment = text[head.end() : head.end() + 1] == "#"
    begin = span.start if comment else span.start - len(indent)
    edits = [Edit(module.path, begin, head.end(), "")]
    inner = text[module.lines.line_start(module.lines.position(body)[0]) : body]
    if not inner.startswith(indent) or inner == indent:
        raise CannotRewrite("the block is indented in a way that is not understood")
    number = module.lines.position(head.end() - (0 if comment else 1))[0] + 1
    for at in _line_starts(module, number, statement.end_lineno, statement.body):
        if text.startswith(inner, at):
            edits.append(Edit(module.path, at + len(indent), at + len(inner), ""))
    return edits


def _line_starts(module: Module, first: int, last: int, statements: Sequence[Node]) -> list[int]:
    """Where lines that hold something start, without those that start inside of a string."""
    strings = [
        module.span(node)
        for statement in statements
        for node in tree.walk(statement)
        if isinstance(node, tree.JoinedStr)
        or (isinstance(node, tree.Constant) and isinstance(node.value, (str, bytes)))
    ]
    starts = [module.lines.line_start(number) for number in range(first, last + 1)]
    return [
        at
        for at in starts
        if module.source.text[at : at + 1] not in ("\n", "\r", "")
        and not any(span.start < at < span.end for span in strings)
    ]
