"""Comments that suppress findings which stay for now: `# xlafix: ignore[CODE] reason`. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from operator import itemgetter

from codemods.model import Edit
from codemods.source import LineIndex
from codemods.suppress import parse, statements


def additions(text: str, path: str, found: Mapping[int, set[str]], reason: str) -> list[Edit]:
    """The edits after which the codes of `found`, by the 1-based line of the finding, are suppressed.

    A comment that speaks of the statement already gets the codes as well; else a new one stands on a line of
    its own above it, indented like it, since a statement may end in a backslash or in a string. Lines in no
    statement are left out.
    """
    index = LineIndex(text)
    logical = statements(text)
    wanted: dict[int, set[str]] = {}
    for line, codes in found.items():
        at = bisect_left(logical, line, key=itemgetter(1))
        if at < len(logical) and logical[at][0] <= line:
            wanted.setdefault(logical[at][0], set()).update(codes)
    known = {one.first: one for one in parse(text, path).ignores if not one.whole_file and one.codes}
    edits = []
    for first, codes in sorted(wanted.items()):
        if first in known:
            listed = ", ".join([*known[first].codes, *sorted(codes - set(known[first].codes))])
            edits.append(Edit(path, *known[first].codes_at, listed))
            continue
        body, start = index.line_text(first), index.line_start(first)
        indent = body[: len(body) - len(body.lstrip(" \t\f"))]
        comment = f"# xlafix: ignore[{', '.join(sorted(codes))}] {reason}".rstrip()
        edits.append(Edit(path, start, start, f"{indent}{comment}{_newline(index, first)}"))
    return edits


def _newline(index: LineIndex, line: int) -> str:
    """How lines end there; the last line of a text may have no end, and then the one above it counts."""
    return index.newline_at(line) or (index.newline_at(line - 1) if line > 1 else "") or "\n"


__all__ = ["additions"]
