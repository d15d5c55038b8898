"""Edits of texts: valid together, in conflict, merged, applied, mapped, and shown as a diff.

Pure. An edit replaces the code points `start:end`, or inserts where the two are equal. Edits that
only touch do not conflict, and equal edits are one. An insertion at the first offset of a replaced
span goes before the replacement, one at the end of it goes behind.
"""

from __future__ import annotations

import difflib
import io
import tokenize
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from codemods.model import Edit, Fix, Need
from codemods.source import LineIndex


class EditError(ValueError):
    """Edits that cannot be applied: a bug of the rule that made them, never of the user's file."""


def validate(edits: Iterable[Edit], texts: Mapping[str, str]) -> None:
    """Hold that `edits` can be applied together to `texts` (path -> decoded text).

    Raises EditError for an unknown path, a range outside the text, an edge between the two
    characters of `\\r\\n`, or a conflict.
    """
    for path, ordered in _by_path(edits).items():
        if path not in texts:
            raise EditError(f"{path}: an edit of a file that is not part of this run")
        _check(texts[path], ordered)


def conflict(a: Sequence[Edit], b: Sequence[Edit]) -> bool:
    """Whether the edits of `a` and `b` cannot all be applied. Equal edits do not conflict."""
    return any(_clash(ordered) for ordered in _by_path((*a, *b)).values())


def fix_edits(fix: Fix) -> tuple[Edit, ...]:
    """The edits of `fix` and of what it needs, each once: what applying it alone changes."""
    everything = (*fix.edits, *(edit for need in fix.needs for edit in need.edits))
    return tuple(dict.fromkeys(everything))


def select(fixes: Sequence[Fix]) -> tuple[list[Fix], list[Fix]]:
    """(accepted, dropped): greedily, in the given order, what can be applied together.

    A fix is taken whole or not at all. Needs are shared as in `merge`. A fix that conflicts with
    itself is dropped; `validate` is what reports it.
    """
    board = _Board()
    accepted: list[Fix] = []
    dropped: list[Fix] = []
    for fix in fixes:
        (accepted if board.add(fix) is None else dropped).append(fix)
    return accepted, dropped


def merge(fixes: Sequence[Fix]) -> dict[str, tuple[Edit, ...]]:
    """path -> all edits of `fixes`, in the order of the text, each need exactly once.

    Two needs are the same if their keys and the files that they edit are equal; then the edits of
    the first one stand. Raises EditError where the fixes conflict.
    """
    board = _Board()
    for fix in fixes:
        clash = board.add(fix)
        if clash is not None:
            raise EditError(f"{fix.title}: {_describe(*clash)}")
    return {path: tuple(placed) for path, placed in sorted(board.placed.items()) if placed}


def apply(text: str, edits: Iterable[Edit]) -> str:
    """`text` after `edits`, all of one path, in any order. Raises EditError as `validate` does."""
    ordered = _one_path(edits)
    _check(text, ordered)
    pieces: list[str] = []
    done = 0
    for edit in ordered:
        pieces += (text[done : edit.start], edit.text)
        done = edit.end
    pieces.append(text[done:])
    return "".join(pieces)


class OffsetMap:
    """Where offsets of a text stand after `edits`, all of one path and valid together."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._edits = _one_path(edits)
        self._starts = [edit.start for edit in self._edits]
        self._shifts = [0]  # what is added behind the first n edits
        for edit in self._edits:
            self._shifts.append(self._shifts[-1] + len(edit.text) - (edit.end - edit.start))

    def new(self, offset: int) -> int:
        """The new offset of what stood at `offset`: behind what was inserted there.

        An offset of replaced text, its first one too, goes to the start of the replacement; the
        offset at its end stays behind it. The end of the text goes to the end of the new text.
        """
        count = bisect_right(self._starts, offset)
        if count and offset < self._edits[count - 1].end:
            return self._starts[count - 1] + self._shifts[count - 1]
        return offset + self._shifts[count]


def deletes_comment(text: str, edit: Edit) -> bool:
    """Whether `edit` would lose or change a comment of `text`; never raises.

    A comment that stands again, word for word, in the replacement is not lost. `#` in a string is
    no comment. Where the text has no tokens (it does not parse), every `#` counts as a comment.
    """
    start, end = max(0, edit.start), min(len(text), edit.end)
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if "#" not in text[line_start:end]:
        return False  # the common case, without the cost of tokens
    touched = Counter(
        comment
        for at, comment in _comments(text)
        if (at < end and at + len(comment) > start)
        or (edit.start == edit.end and at < start < at + len(comment))
    )
    if not touched:
        return False
    stop = start + len(edit.text)
    kept = Counter(
        comment for at, comment in _comments(text[:start] + edit.text + text[end:]) if start <= at < stop
    )
    return bool(touched - kept)


def unified_diff(path: str, before: bytes, after: bytes) -> bytes:
    """A patch, byte for byte, that `git apply` and `patch -p1` accept; b"" where nothing changed.

    path: relative, with `/`. Lines are split at `\\n` only and no byte is decoded, so any encoding
    and any newline comes out as it went in.
    """
    if before == after:
        return b""
    old, new = _lines(before), _lines(after)
    name = path.lstrip("/").encode("utf-8", "surrogateescape")
    old_name, new_name = _quoted(b"a/" + name), _quoted(b"b/" + name)
    # git and patch end a path at the first blank, unless a TAB shows where it ends.
    tab = b"\t" if b" " in name else b""
    pieces = [
        b"diff --git %s %s\n" % (old_name, new_name),
        b"--- %s%s\n" % (old_name, tab),
        b"+++ %s%s\n" % (new_name, tab),
    ]
    for hunk in _hunks(_opcodes(old, new)):
        first, last = hunk[0], hunk[-1]
        pieces.append(b"@@ -%s +%s @@\n" % (_range(first[1], last[2]), _range(first[3], last[4])))
        for tag, i, j, k, m in hunk:
            if tag == "equal":
                pieces += (_marked(b" ", line) for line in old[i:j])
            else:
                pieces += (_marked(b"-", line) for line in old[i:j])
                pieces += (_marked(b"+", line) for line in new[k:m])
    return b"".join(pieces)


class _Board:
    """Edits that were taken so far, per path and in order, and the needs that they include."""

    def __init__(self) -> None:
        self.placed: dict[str, list[Edit]] = {}
        self._needs: set[tuple[str, frozenset[str]]] = set()

    def add(self, fix: Fix) -> tuple[Edit, Edit] | None:
        """Take all of `fix`, or nothing: then the two edits that conflict come back."""
        needs = {_identity(need): need for need in reversed(fix.needs)}
        missing = {key: need for key, need in needs.items() if key not in self._needs}
        added: list[Edit] = []
        for edit in (*fix.edits, *(edit for need in missing.values() for edit in need.edits)):
            placed = self.placed.setdefault(edit.path, [])
            at = bisect_left(placed, edit)
            if at < len(placed) and placed[at] == edit:
                continue
            # What is placed has no conflicts, so only a neighbour can overlap.
            clash = _clash([*placed[max(0, at - 1) : at], edit, *placed[at : at + 1]])
            if clash is not None:
                for other in added:
                    self.placed[other.path].remove(other)
                return clash
            placed.insert(at, edit)
            added.append(edit)
        self._needs.update(missing)
        return None


def _identity(need: Need) -> tuple[str, frozenset[str]]:
    # The same import in two files is two needs, whatever a rule calls them.
    return need.key, frozenset(edit.path for edit in need.edits)


def _by_path(edits: Iterable[Edit]) -> dict[str, list[Edit]]:
    groups: dict[str, list[Edit]] = {}
    for edit in sorted(set(edits)):
        groups.setdefault(edit.path, []).append(edit)
    return groups


def _one_path(edits: Iterable[Edit]) -> list[Edit]:
    groups = _by_path(edits)
    if len(groups) > 1:
        raise EditError(f"edits of several files: {', '.join(groups)}")
    return next(iter(groups.values()), [])


def _check(text: str, ordered: Sequence[Edit]) -> None:
    for edit in ordered:
        if not 0 <= edit.start <= edit.end <= len(text):
            raise EditError(
                f"{edit.path}: {edit.start}:{edit.end} is no range of a text of {len(text)} characters"
            )
        for edge in (edit.start, edit.end):
            if text[max(0, edge - 1) : edge + 1] == "\r\n":
                raise EditError(f"{edit.path}: {edit.start}:{edit.end} splits a \\r\\n")
    clash = _clash(ordered)
    if clash is not None:
        raise EditError(_describe(*clash))


def _clash(ordered: Sequence[Edit]) -> tuple[Edit, Edit] | None:
    """The first two edits in conflict. Sorted as they are, neighbours tell."""
    for a, b in pairwise(ordered):
        both_insert = a.start == a.end == b.start == b.end
        if b.start < a.end or both_insert:
            return a, b
    return None


def _describe(a: Edit, b: Edit) -> str:
    first, second = (f"{edit.start}:{edit.end} -> {edit.text!r}" for edit in (a, b))
    return f"{a.path}: the edits {first} and {second} are in conflict"


@lru_cache(maxsize=4)
def _comments(text: str) -> tuple[tuple[int, str], ...]:
    """(offset, text) of each comment, without trailing blanks."""
    index = LineIndex(text)
    lines = [index.line_text(line) for line in range(1, index.line_count + 1)]
    found: list[tuple[int, str]] = []
    try:
        # One kind of newline: tokenize does not know a lone \r, and lines and columns stay the same.
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines), newline="\n").readline):
            if token.type == tokenize.COMMENT:
                found.append((index.offset(*token.start), token.string.rstrip()))
    except Exception:  # noqa: BLE001  # of several kinds, others in each version of Python
        found = [
            (index.line_start(number) + line.index("#"), line[line.index("#") :].rstrip())
            for number, line in enumerate(lines, start=1)
            if "#" in line
        ]
    return tuple(found)


def _lines(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


_ESCAPES = dict(zip(b'\a\b\t\n\v\f\r"\\', (b"\\" + bytes([c]) for c in b'abtnvfr"\\'), strict=True))


def _quoted(name: bytes) -> bytes:
    """A path as git writes it: in quotes, with octal escapes, if it has anything unusual."""
    out = b"".join(
        _ESCAPES.get(byte, b"\\%03o" % byte if byte < 32 or byte > 126 else bytes([byte])) for byte in name
    )
    return name if out == name else b'"' + out + b'"'


Opcode = tuple[str, int, int, int, int]
_CONTEXT = 3  # lines round a change


def _opcodes(old: list[bytes], new: list[bytes]) -> list[Opcode]:
    """What `difflib` says, without its cost for the equal lines at both ends."""
    shortest = min(len(old), len(new))
    head = next((n for n in range(shortest) if old[n] != new[n]), shortest)
    rest = shortest - head
    tail = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    matcher = difflib.SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail])
    codes: list[Opcode] = [("equal", 0, head, 0, head)]
    codes += ((tag, i + head, j + head, k + head, m + head) for tag, i, j, k, m in matcher.get_opcodes())
    codes.append(("equal", len(old) - tail, len(old), len(new) - tail, len(new)))
    return codes


def _hunks(codes: Sequence[Opcode]) -> list[list[Opcode]]:
    """Groups of opcodes with at most `_CONTEXT` equal lines at their ends."""
    hunks: list[list[Opcode]] = [[]]
    for n, (tag, i, j, k, m) in enumerate(codes):
        if tag != "equal":
            hunks[-1].append((tag, i, j, k, m))
            continue
        first, last = n == 0, n == len(codes) - 1
        if not first and not last and j - i <= 2 * _CONTEXT:
            hunks[-1].append((tag, i, j, k, m))
            continue
        if not first:
            size = min(_CONTEXT, j - i)
            hunks[-1].append((tag, i, i + size, k, k + size))
        if not last:
            size = min(_CONTEXT, j - i)
            hunks.append([(tag, j - size, j, m - size, m)])
    return hunks[1:]


def _range(start: int, end: int) -> bytes:
    """`start:end`, 0-based, as a hunk header has it: an empty range names the line before it."""
    size = end - start
    if size == 1:
        return b"%d" % (start + 1)
    return b"%d,%d" % (start + 1 if size else start, size)


def _marked(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + b"\n\\ No newline at end of file\n"
