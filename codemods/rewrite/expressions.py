"""Edits of expressions: another text, other arguments, names that are free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codemods.analysis import tree
from codemods.analysis.scopes import Module
from codemods.analysis.spelling import fresh_name
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
        node = cst.parse_expression(as_expression(old))
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


def as_expression(text: str) -> str:
    """The text with the newlines libcst reads everywhere."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


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
    return joined(edits)


def joined(edits: Sequence[Edit]) -> list[Edit]:
    """Insertions at one place as one edit."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        last = found[-1] if found else None
        if last is not None and last.start == last.end == edit.start == edit.end:
            found[-1] = Edit(edit.path, edit.start, edit.end, last.text + edit.text)
        else:
            found.append(edit)
    return found


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
