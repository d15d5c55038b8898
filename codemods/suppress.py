"""Comments that speak to xlafix: suppressions, and facts that only the user knows.

```
y = f(x)  # xlafix: ignore[XLA103] the array is never read
# xlafix: ignore-file[XLA105] generated code
# xlafix: bound=MAX_LEN
# xlafix: static=n, self.m
# xlafix: compiled
# xlafix: not-compiled
```
A comment speaks of its own statement, header only for a compound one; alone on a line, of the next
one. Decorators belong to what they decorate. Only real comments count, never text in a string; in
a text that is not Python none does. Pure.
"""

from __future__ import annotations

import ast
import difflib
import io
import re
import tokenize
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from codemods.model import Consequence, Diagnostic, Edit, Fix, Reason, Safety, Span
from codemods.source import LineIndex

_MARK = re.compile(r"#\s*xlafix\s*:\s*")
# What may follow one of ours in the same comment, and must survive its removal.
_NEXT = re.compile(
    r"\s*#\s*(?:xlafix\s*:|noqa\b|type:|mypy:|pyright:|pylint:|ruff:|fmt:|isort:|pragma\b|nosec\b)"
)
_DIRECTIVE = re.compile(
    r"(?P<name>[\w-]+)(?:\s*\[(?P<codes>[^\]\n]*)\]|\s*=(?P<value>.*))?(?P<rest>.*)", re.S
)
_CODE = re.compile(r"XLA\d{1,3}|[a-z][a-z0-9]*(?:-[a-z0-9]+)+")  # a code, a prefix, the name of a rule
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_NAMES = ("ignore", "ignore-file", "bound", "static", "compiled", "not-compiled")
_UNUSED = "XLA002"
_TOOL = "XLA0"


@dataclass(frozen=True)
class Ignore:
    """One suppression. line: of the comment; span: the comment; codes: () means all rules.

    first, last: the lines that it covers, 1-based and inclusive; whole_file: it covers all lines.
    removal: the edit that takes it away; codes_at: where the codes stand between the brackets.
    """

    line: int
    codes: tuple[str, ...]
    reason: str
    span: Span
    first: int
    last: int
    whole_file: bool
    removal: Edit
    codes_at: tuple[int, int]

    def covers(self, line: int) -> bool:
        return self.whole_file or self.first <= line <= self.last


@dataclass(frozen=True)
class Fact:
    """What the user says about a statement.

    kind: "bound" (value: an expression), "static" (value: a name or a dotted name), "compiled" or
    "not-compiled" (value: ""). span: the comment.
    """

    kind: str
    value: str
    span: Span


@dataclass(frozen=True)
class Malformed:
    """A comment for xlafix that says nothing that xlafix understands."""

    span: Span
    message: str


@dataclass(frozen=True)
class Comments:
    """All comments for xlafix of one file.

    facts: by every line of the statement that they speak of, the lines of its decorators included.
    """

    path: str
    ignores: tuple[Ignore, ...] = ()
    facts: Mapping[int, tuple[Fact, ...]] = field(default_factory=dict)
    malformed: tuple[Malformed, ...] = ()


def parse(text: str, path: str) -> Comments:
    """The comments for xlafix in `text`; none where the text does not tokenize."""
    if not _MARK.search(text):  # tokenizing costs more than all other work on most files
        return Comments(path)
    index = LineIndex(text)
    scan = _scan(index)
    if scan is None:
        return Comments(path)
    comments, statements = scan
    ignores: list[Ignore] = []
    facts: dict[int, tuple[Fact, ...]] = {}
    malformed: list[Malformed] = []
    for comment in comments:
        first, last = _covered(comment, statements)
        for start, end in _directives(comment.text):
            at = comment.start + start
            one = _read(comment, start, end, path)
            if isinstance(one, str):
                malformed.append(Malformed(Span(path, at, comment.start + end), one))
            elif isinstance(one, _Suppression):
                removal = _removal(text, index, comment, start, end, path)
                span = Span(path, at, comment.start + end)
                ignores.append(
                    Ignore(
                        comment.line,
                        one.codes,
                        one.reason,
                        span,
                        first,
                        last,
                        one.whole,
                        removal,
                        one.codes_at,
                    )
                )
            else:
                for line in range(first, last + 1):
                    facts[line] = (*facts.get(line, ()), *one)
    return Comments(path, tuple(ignores), facts, tuple(malformed))


def _always(_code: str) -> bool:
    return True


def filter(  # noqa: A001  # the name that callers read best: suppress.filter(...)
    diagnostics: Iterable[Diagnostic],
    comments: Comments,
    line_of: Callable[[int], int],
    ran: Callable[[str], bool] = _always,
) -> tuple[list[Diagnostic], list[Diagnostic], list[Diagnostic]]:
    """(kept, suppressed, reports about the comments themselves) for the findings of one file.

    line_of: the 1-based line of an offset; a finding stands where its span starts. ran: whether a
    code (or prefix, or name, or "" for all rules) was judged in full, so that a comment without a
    finding is useless; asked only for those. Findings in other files are kept. Codes about the tool
    (XLA0xx) are suppressed only by a comment that names them, and reports about comments never are.
    """
    kept: list[Diagnostic] = []
    suppressed: list[Diagnostic] = []
    used: set[tuple[int, str]] = set()
    for diagnostic in diagnostics:
        hits: list[tuple[int, str]] = []
        if diagnostic.span.path == comments.path and comments.ignores:
            line = line_of(diagnostic.span.start)
            for number, ignore in enumerate(comments.ignores):
                if ignore.covers(line):
                    hits += [(number, code) for code in ignore.codes or ("",) if _matches(code, diagnostic)]
        used.update(hits)
        (suppressed if hits else kept).append(diagnostic)
    reports = list(_unused(comments, used, ran))
    reports += [_misread(malformed) for malformed in comments.malformed]
    return kept, suppressed, sorted(reports, key=lambda report: report.sort_key)


def _matches(code: str, diagnostic: Diagnostic) -> bool:
    if diagnostic.code == _UNUSED:
        return False
    if not code:
        return not diagnostic.code.startswith(_TOOL)
    return code == diagnostic.name or (code.startswith("XLA") and diagnostic.code.startswith(code))


def _unused(
    comments: Comments, used: set[tuple[int, str]], ran: Callable[[str], bool]
) -> Iterator[Diagnostic]:
    for number, ignore in enumerate(comments.ignores):
        codes = ignore.codes or ("",)
        idle = [code for code in codes if (number, code) not in used and ran(code)]
        if not idle:
            continue
        left = [code for code in ignore.codes if code not in idle]
        if left:
            title = f"Remove {', '.join(idle)} from the comment"
            edit = Edit(comments.path, *ignore.codes_at, ", ".join(left))
        else:
            title, edit = "Remove the comment", ignore.removal
        what = " and ".join(idle) if ignore.codes else "anything"
        where = "in the file" if ignore.whole_file else "here"
        yield Diagnostic(
            _UNUSED,
            "unused-suppression",
            Consequence.TOOL,
            f"the comment suppresses nothing: {what} is not reported {where}",
            ignore.span,
            fixes=(Fix(title, "remove", (edit,), Safety.SAFE),),
        )


def _misread(malformed: Malformed) -> Diagnostic:
    why = "what the comment was meant to say is not known"
    return Diagnostic(
        _UNUSED,
        "unused-suppression",
        Consequence.TOOL,
        malformed.message,
        malformed.span,
        unavailable=(Reason("remove", why),),
    )


@dataclass(frozen=True)
class _Comment:
    line: int
    start: int  # offset in the text
    text: str


@dataclass(frozen=True)
class _Suppression:
    codes: tuple[str, ...]
    reason: str
    whole: bool
    codes_at: tuple[int, int]


def _scan(index: LineIndex) -> tuple[list[_Comment], list[tuple[int, int]]] | None:
    """Our comments, and the first and last line of each logical line; None if that is not Python.

    The tokenizer gets lines that end in "\\n" only, since it is not told about lone "\\r"; columns
    are not changed by that.
    """
    lines = [index.line_text(line) for line in range(1, index.line_count + 1)]
    comments: list[_Comment] = []
    statements: list[tuple[int, int]] = []
    first = 0
    decorator = joined = False
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n", newline="\n").readline):
            row, column = token.start
            if token.type == tokenize.ERRORTOKEN:
                return None
            if token.type == tokenize.COMMENT:
                if _MARK.search(token.string):
                    comments.append(_Comment(row, index.offset(row, column), token.string))
            elif token.type == tokenize.NEWLINE:
                if joined:
                    statements[-1] = (statements[-1][0], row)
                else:
                    statements.append((first, row))
                first, joined = 0, decorator
            elif not first and token.type not in _LAYOUT:
                first, decorator = row, token.string == "@"
    except (tokenize.TokenError, SyntaxError):
        return None
    return comments, statements


def statements(text: str) -> list[tuple[int, int]]:
    """The first and last line of each logical line, decorators with what they decorate; [] if not Python."""
    scan = _scan(LineIndex(text))
    return scan[1] if scan is not None else []


_LAYOUT = frozenset({tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})


def _covered(comment: _Comment, statements: list[tuple[int, int]]) -> tuple[int, int]:
    """The first and last line of the statement that `comment` speaks of."""
    following = bisect_left(statements, comment.line, key=itemgetter(1))  # around it, or the next one
    return statements[following] if following < len(statements) else (comment.line, comment.line)


def _directives(comment: str) -> Iterator[tuple[int, int]]:
    """Start and end, within the comment, of each part that is for xlafix."""
    for mark in _MARK.finditer(comment):
        after = _NEXT.search(comment, mark.end())
        end = after.start() if after else len(comment.rstrip())
        yield mark.start(), max(end, mark.end())


def _read(comment: _Comment, start: int, end: int, path: str) -> _Suppression | tuple[Fact, ...] | str:
    """What the part `start:end` of a comment says; a string says what is wrong with it."""
    mark = _MARK.match(comment.text, start)
    assert mark  # _directives found it
    parts = _DIRECTIVE.match(comment.text, mark.end(), end)
    if not parts:
        return f"says nothing after `xlafix:`; known are {', '.join(_NAMES)}"
    name, codes, value = parts["name"], parts["codes"], parts["value"]
    span = Span(path, comment.start + start, comment.start + end)
    if name not in _NAMES:
        near = difflib.get_close_matches(name, _NAMES, n=1, cutoff=0.5)
        hint = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(_NAMES)}"
        return f"`xlafix: {name}` is unknown; {hint}"
    if name in ("ignore", "ignore-file"):
        if value is not None:
            return f"`{name}=` is unknown; codes stand in brackets: `{name}[XLA103]`"
        return _suppression(comment, parts, name == "ignore-file")
    if codes is not None or (value is None) != name.endswith("compiled"):
        return f"`{name}` is written `{name}{'' if name.endswith('compiled') else '=...'}`"
    if value is None:
        return (Fact(name, "", span),)
    value = re.split(r"\s#", value)[0].strip()
    if name == "bound":
        return (Fact(name, value, span),) if _expression(value) else f"`{value}` is not an expression"
    names = [item.strip() for item in value.split(",")]
    wrong = next((item for item in names if not _NAME.fullmatch(item)), None)
    return tuple(Fact(name, item, span) for item in names) if wrong is None else f"`{wrong}` is not a name"


def _suppression(comment: _Comment, parts: re.Match[str], whole: bool) -> _Suppression | str:
    reason = parts["rest"].strip(" \t:,;-\N{EM DASH}")
    if parts["codes"] is None:
        at = comment.start + parts.end("name")
        if parts["rest"].lstrip()[:1] == "[":
            return "the bracket of the codes is not closed"
        if re.match(r"\s+XLA\d", parts["rest"]):
            return f"codes stand in brackets: `{parts['name']}[{parts['rest'].split()[0]}]`"
        return _Suppression((), reason, whole, (at, at))
    codes = tuple(item.strip() for item in parts["codes"].split(","))
    for code in codes:
        if not _CODE.fullmatch(code):
            return f"`{code}` is no rule code such as `XLA103`" if code else "a code is missing"
    at = comment.start + parts.start("codes")
    return _Suppression(codes, reason, whole, (at, comment.start + parts.end("codes")))


def _expression(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as an invalid escape: not for our standard error
            ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


def _removal(text: str, index: LineIndex, comment: _Comment, start: int, end: int, path: str) -> Edit:
    """Takes `start:end` of the comment away; with it the line, where nothing else stands there."""
    line_start = index.line_start(comment.line)
    line_end = line_start + len(index.line_text(comment.line))
    low, high = comment.start + start, comment.start + end
    if text[high:line_end].strip():  # another comment follows, which starts with its own `#`
        return Edit(path, low, high + len(text[high:line_end]) - len(text[high:line_end].lstrip()), "")
    low -= len(text[line_start:low]) - len(text[line_start:low].rstrip(" \t"))  # a form feed stays
    if low > line_start:
        return Edit(path, low, line_end, "")
    newline = len(index.newline_at(comment.line))
    if not newline and comment.line > 1:  # the last line: the text ends without a newline as before
        return Edit(path, line_start - len(index.newline_at(comment.line - 1)), line_end, "")
    return Edit(path, line_start, line_end + newline, "")
