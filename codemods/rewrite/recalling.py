"""A call of one function as a call of another, with the texts of its arguments left where they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.model import Edit
from codemods.rewrite.expressions import CannotRewrite, as_expression, joined


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
            kept = len(plan.new)  # behind a keyword all are keywords
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
    return joined(edits)


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


def _parts(module: Module, call: Node) -> tuple[tuple[int, int, int], list[_Argument]]:
    """(begin and end of the callee, begin of the arguments), and the arguments, as offsets of the file."""
    import libcst as cst

    span = module.span(call)
    old = module.source.text[span.start : span.end]
    try:
        node = cst.parse_expression(as_expression(old))
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
