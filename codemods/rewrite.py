"""From "this call should have that argument" to edits: the only module that imports libcst.

libcst works on the text of one call or statement, never on a module, so what is not touched stays as
it was to the byte. Edits are cut down to the characters that really change.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from codemods.analysis import tree
from codemods.analysis.scopes import Module
from codemods.analysis.spelling import fresh_name as fresh_name
from codemods.analysis.tree import Node
from codemods.analysis.unroll import Unrolling
from codemods.model import Edit


class CannotRewrite(ValueError):  # noqa: N818 - an answer, not an error
    """The text does not have the form that the rewrite needs. str() is the reason, for people."""


def replace(module: Module, node: Node, text: str) -> Edit:
    """Replace the text of an expression."""
    span = module.span(node)
    return Edit(module.path, span.start, span.end, text)


def _narrowed(path: str, start: int, old: str, new: str) -> Edit:
    """The edit that turns `old` (at `start`) into `new`, without what both begin and end with."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    # whole words only: `range` for `tf.range`, not `` for `tf.`; and never between \r and \n
    while head and (
        (_word(old, head - 1) and (_word(old, head) or _word(new, head))) or old[head - 1] == "\r"
    ):
        head -= 1
    while tail and (
        _word(old, len(old) - tail) and (_word(old, len(old) - tail - 1) or _word(new, len(new) - tail - 1))
    ):
        tail -= 1
    return Edit(path, start + head, start + len(old) - tail, new[head : len(new) - tail])


def _word(text: str, index: int) -> bool:
    return 0 <= index < len(text) and (text[index].isalnum() or text[index] == "_")


def set_arguments(
    module: Module, call: Node, values: Mapping[str, str], signature: Sequence[str], callee: str | None = None
) -> Edit:
    """Give a call these arguments: replaced where they stand, by keyword or position, else added by keyword.

    values: argument -> source text. signature: the names of the positional parameters.
    Raises CannotRewrite where the call has starred arguments before an argument that has to change.
    """
    import libcst as cst

    span = module.span(call)
    old = module.source.text[span.start : span.end]
    newline = "\r\n" if "\r\n" in old else "\r" if "\r" in old and "\n" not in old else "\n"
    try:
        node = cst.parse_expression(_as_expression(old))
    except cst.ParserSyntaxError as error:
        raise CannotRewrite("the call cannot be parsed on its own") from error
    if not isinstance(node, cst.Call):
        raise CannotRewrite("not a plain call")
    args = list(node.args)
    for name, text in values.items():
        value = cst.parse_expression(text)
        at = next(
            (i for i, arg in enumerate(args) if arg.keyword is not None and arg.keyword.value == name), None
        )
        if at is None and name in signature:
            position = list(signature).index(name)
            positional = [i for i, arg in enumerate(args) if arg.keyword is None]
            if any(args[i].star for i in positional):
                raise CannotRewrite("the call has starred arguments")
            at = positional[position] if position < len(positional) else None
        if any(arg.star == "**" for arg in args) and at is None:
            raise CannotRewrite("the call has `**` arguments")
        if at is not None:
            args[at] = args[at].with_changes(value=value)
            continue
        added = cst.Arg(
            value, cst.Name(name), equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        )
        if args and isinstance(args[-1].comma, cst.Comma):
            last = args[-1].comma
            between = (
                args[-2].comma if len(args) > 1 else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
            )
            gap = last.whitespace_after
            if isinstance(gap, cst.ParenthesizedWhitespace) and gap.first_line.comment is not None:
                # what the comment says is about the argument that it stands behind
                inner = getattr(getattr(between, "whitespace_after", None), "last_line", gap.last_line)
                between = last.with_changes(whitespace_after=gap.with_changes(last_line=inner))
                bare = gap.first_line.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
                last = last.with_changes(whitespace_after=gap.with_changes(first_line=bare))
            args.append(added.with_changes(comma=last, whitespace_after_arg=args[-1].whitespace_after_arg))
            args[-2] = args[-2].with_changes(comma=between)
        elif args:
            space = args[-1].whitespace_after_arg
            args[-1] = args[-1].with_changes(
                comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")),
                whitespace_after_arg=cst.SimpleWhitespace(""),
            )
            args.append(added.with_changes(whitespace_after_arg=space))
        else:
            args.append(added)
    changed = node.with_changes(args=args)
    if callee is not None:
        changed = changed.with_changes(func=cst.parse_expression(callee))
    new = cst.Module([]).code_for_node(changed)
    return _narrowed(module.path, span.start, old, new.replace("\n", newline) if newline != "\n" else new)


def as_display(module: Module, node: Node, kind: str) -> Edit:
    """Write a tuple or list display as the other one ("tuple" or "list").

    Raises CannotRewrite where it has no brackets of its own.
    """
    text = module.text(node)
    old, new = ("()", "[]") if kind == "list" else ("[]", "()")
    if text[:1] != old[0] or text[-1:] != old[1]:
        raise CannotRewrite("the loop variables have no brackets of their own")
    inner = text[1:-1]
    lonely = kind == "tuple" and len(node.elts) == 1 and not inner.rstrip().endswith(",")
    return replace(module, node, f"{new[0]}{inner}{',' if lonely else ''}{new[1]}")


def _as_expression(text: str) -> str:
    """The text with the newlines libcst reads everywhere."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def python_loop(module: Module, plan: Unrolling) -> list[Edit]:
    """Let a loop run over `range(...)` instead of `tf.range(...)`, with what else the plan replaces."""
    loop = plan.loop
    assert loop.call is not None  # no plan without a range to replace
    if plan.keep_call:  # only the function is another
        edits = [replace(module, loop.call.func, "range")]
    else:
        span = module.span(loop.call if loop.written else loop.header)
        old = module.source.text[span.start : span.end]
        edits = [_narrowed(module.path, span.start, old, f"range({', '.join(plan.arguments)})")]
    return edits + [replace(module, node, text) for node, text in plan.replacements]


def wrap_expressions(module: Module, parts: Sequence[tuple[Node, str, str]]) -> list[Edit]:
    """Put text before and after expressions, which may stand in one another; of one twice given, once.

    A tuple or generator without brackets of its own gets some.
    """
    before: dict[int, list[tuple[int, str]]] = {}
    after: dict[int, list[tuple[int, str]]] = {}
    for node, head, tail in dict.fromkeys(parts):
        span = module.span(node)
        bare = isinstance(node, (tree.Tuple, tree.GeneratorExp, tree.NamedExpr))
        if bare and module.source.text[span.start] not in "([":
            head, tail = f"{head}(", f"){tail}"
        before.setdefault(span.start, []).append((-span.end, head))
        after.setdefault(span.end, []).append((-span.start, tail))
    edits = [
        Edit(module.path, at, at, "".join(text for _, text in sorted(some, key=lambda one: one[0])))
        for table in (before, after)
        for at, some in table.items()
    ]
    return _joined(edits)


# statements


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
    indent, stop = indentation(module, statement), _end_of_line(module, statement)
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


_SIMPLE = (tree.Expr, tree.Assign, tree.AnnAssign, tree.AugAssign, tree.Return)


def wrap(module: Module, statement: Node, header: str) -> list[Edit]:
    """Put a simple statement into a block of its own: `header` is `with ...:`.

    Only text is added; what stands inside of strings stays. Raises CannotRewrite.
    """
    if not isinstance(statement, _SIMPLE):
        raise CannotRewrite("it is part of a larger statement, which cannot be put into a block as a whole")
    _end_of_line(module, statement)
    level, newline = one_level(module), module.lines.newline
    indent = indentation(module, statement)
    start = module.span(statement).start
    edits = [Edit(module.path, start, start, f"{header}{newline}{indent}{level}")]
    for at in _line_starts(module, statement.lineno + 1, statement.end_lineno, [statement]):
        edits.append(Edit(module.path, at, at, level))
    return edits


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


# another call with the same arguments


@dataclass(frozen=True)
class Recall:
    """How a call becomes one of another function.

    old, new: the positional parameters of both. renamed: old name -> new name. dropped: arguments that
    go. added: (parameter, text); without a parameter, a positional one. wrapped: argument -> a text for
    it, with `{}` for the value that is there.
    """

    callee: str
    old: Sequence[str]
    new: Sequence[str]
    renamed: Mapping[str, str] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    added: Sequence[tuple[str, str]] = ()
    wrapped: Mapping[str, str] = field(default_factory=dict)


def recall(module: Module, call: Node, plan: Recall) -> list[Edit]:
    """Edits that leave the texts of the arguments alone, so that what stands in them can be edited too.

    Raises CannotRewrite where the call has starred arguments.
    """
    head, args = _parts(module, call)
    path, kept, edits = module.path, 0, [Edit(module.path, head[0], head[1], plan.callee)]
    left = [one for one in args if _target(one, args, plan) is not None]
    added = ", ".join(f"{name}={text}" if name else text for name, text in plan.added)
    for index, arg in enumerate(args):
        name = _target(arg, args, plan)
        if name is None:
            if added and all(other.name for other in args[index + 1 :]):
                edits.append(Edit(path, arg.start, arg.end, added))
                added = ""
            elif not left:
                edits.append(Edit(path, arg.start, arg.stop, ""))
            elif arg is args[-1]:
                edits.append(Edit(path, args[index - 1].end, arg.end, ""))
            else:
                edits.append(Edit(path, arg.start, args[index + 1].start, ""))
            continue
        if not arg.name and kept < len(plan.new) and plan.new[kept] == name:
            kept += 1
        elif not arg.name:
            edits.append(Edit(path, arg.start, arg.start, f"{name}="))
        elif arg.name != name:
            edits.append(Edit(path, arg.start, arg.start + len(arg.name), name))
        old = arg.name or plan.old[index]
        if old in plan.wrapped:
            before, marked, after = plan.wrapped[old].partition("{}")
            if not marked:
                edits.append(Edit(path, arg.value, arg.end, before))
                continue
            edits += [Edit(path, arg.value, arg.value, before)] if before else []
            edits += [Edit(path, arg.end, arg.end, after)] if after else []
    if added:
        at = left[-1].end if left else head[2]
        between = module.source.text[args[-2].end : args[-1].start] if len(args) > 1 else ""
        gap = between if between.strip() == "," else ", "
        edits.append(Edit(path, at, at, (gap if left else "") + added))
    return _joined(edits)


@dataclass(frozen=True)
class _Argument:
    """start, value, end, stop: where it begins, its value begins and ends, and its comma and blanks end."""

    name: str
    start: int
    value: int
    end: int
    stop: int


def _target(arg: _Argument, args: Sequence[_Argument], plan: Recall) -> str | None:
    """The parameter that an argument is for in the new call; None where it is dropped."""
    index = next(i for i, one in enumerate(args) if one is arg)
    if not arg.name and index >= len(plan.old):
        raise CannotRewrite("the call has more arguments than the function takes")
    name = arg.name or plan.old[index]
    return None if name in plan.dropped else plan.renamed.get(name, name)


def _joined(edits: Sequence[Edit]) -> list[Edit]:
    """Insertions at one place as one edit."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        last = found[-1] if found else None
        if last is not None and last.start == last.end == edit.start == edit.end:
            found[-1] = Edit(edit.path, edit.start, edit.end, last.text + edit.text)
        else:
            found.append(edit)
    return found


def _parts(module: Module, call: Node) -> tuple[tuple[int, int, int], list[_Argument]]:
    """(begin and end of the callee, begin of the arguments), and the arguments, as offsets of the file."""
    import libcst as cst

    span = module.span(call)
    old = module.source.text[span.start : span.end]
    try:
        node = cst.parse_expression(_as_expression(old))
    except cst.ParserSyntaxError as error:
        raise CannotRewrite("the call cannot be parsed on its own") from error
    if not isinstance(node, cst.Call):
        raise CannotRewrite("not a plain call")
    if any(arg.star for arg in node.args):
        raise CannotRewrite("the call has starred arguments")

    def length(part: cst.CSTNode) -> int:
        return len(cst.Module([]).code_for_node(part))

    # libcst read one character for each newline
    places = [i for i in range(len(old)) if not (old[i] == "\n" and i and old[i - 1] == "\r")] + [len(old)]

    def offset(at: int) -> int:
        return span.start + places[at]

    end = length(node.func)
    at = end + length(node.whitespace_after_func) + 1 + length(node.whitespace_before_args)
    head, args = (offset(0), offset(end), offset(at)), []
    for arg in node.args:
        size, value = length(arg), length(arg.value)
        name = arg.keyword.value if arg.keyword is not None else ""
        begin = 0
        if arg.keyword is not None and isinstance(arg.equal, cst.AssignEqual):
            begin = length(arg.keyword) + length(arg.equal)
        args.append(
            _Argument(name, offset(at), offset(at + begin), offset(at + begin + value), offset(at + size))
        )
        at += size
    return head, args


def free_name(module: Module, wanted: str, number: int) -> str:
    """The how-manieth of the names `wanted`, `wanted2`, ... that the module does not use."""
    count = 0
    while True:
        count += 1
        name = wanted if count == 1 else f"{wanted}{count}"
        if fresh_name(module, name) == name:
            if not number:
                return name
            number -= 1
