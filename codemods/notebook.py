"""Jupyter notebooks as Python text, and changed text back into the notebook. Pure.

The code cells stand one below the other, each behind a line that marks it. What only IPython understands is
masked, line by line, and comes back as it was. In the JSON nothing changes but the lines that differ: the
format's own writer would indent and order everything anew.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from operator import itemgetter
from typing import Any

SUFFIX = ".ipynb"
_HEAD = "# notebook\n"  # so that no cell can begin with a line that Python reads as its encoding
_MARK = "# %% cell"
_INDENTED = "if 1:  "  # IPython takes a common indent away, so that a cell may begin with one
_MARKED = re.compile(rf"^(?:{_INDENTED})?({_MARK}%*) (\d+)$", re.M)
_MAGIC = re.compile(r"(?P<indent>\s*)(?P<target>[\w.,\s]*=\s*)?(?:[%!?].*|[\w.]+\?{1,2}\s*)")
_MASK = re.compile(r"_ipython_(\d+)\(\)")
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class NotebookError(Exception):
    """The bytes are no notebook that can be read. str(): why."""


@dataclass(frozen=True)
class Cell:
    """A code cell. number: from 1, over the cells of all kinds; text: its source as Python.

    start, end: of its source in the JSON text; items: the literals of its lines there, with their ends; one
    literal, and is_list False, where the source is a single string. masked: what stands for the masks.
    """

    number: int
    text: str
    start: int
    end: int
    items: tuple[tuple[int, int], ...]
    is_list: bool
    masked: dict[int, str]


@dataclass(frozen=True)
class Notebook:
    """text: all code cells as one Python text. raw: the JSON text; bom: whether one stood before it.

    mark: how the lines start that mark a cell.
    """

    raw: str
    bom: bool
    cells: tuple[Cell, ...]
    text: str
    mark: str

    def raw_line(self, cell_number: int, line: int) -> int:
        """The line of the JSON text that holds a line of a cell, all from 1."""
        cell = next((cell for cell in self.cells if cell.number == cell_number), None)
        if cell is None:
            return 1
        start = cell.items[min(line, len(cell.items)) - 1][0] if cell.items else cell.start
        return self.raw.count("\n", 0, start) + 1


def cells(text: str) -> list[tuple[int, int]]:
    """(line behind the mark, number of the cell) in the text of a notebook, from the top; all from 1."""
    found = list(_MARKED.finditer(text))
    mark = max((match[1] for match in found), key=len, default="")
    return [(text.count("\n", 0, match.start()) + 2, int(match[2])) for match in found if match[1] == mark]


def place(starts: Sequence[tuple[int, int]], line: int) -> tuple[int, int]:
    """(number of the cell, line in it) of a line of the text whose `cells` are given."""
    at = max(bisect_right(starts, line, key=itemgetter(0)) - 1, 0)
    return (starts[at][1], max(line - starts[at][0] + 1, 1)) if starts else (1, 1)


def said(text: str, starts: Sequence[tuple[int, int]]) -> str:
    """A sentence that names lines of the text, with those of the cells."""

    def told(match: re.Match[str]) -> str:
        cell, line = place(starts, int(match[1]))
        return f"line {line} of cell {cell}"

    return re.sub(r"\bline (\d+)\b", told, text)


def read(data: bytes) -> Notebook:
    """The notebook in `data`. Raises NotebookError. One of another language than Python has no cells."""
    try:
        raw = data.decode("utf-8-sig")
        whole = json.loads(raw)
    except ValueError as error:
        raise NotebookError(f"is no JSON in UTF-8: {error}") from error
    except RecursionError as error:
        raise NotebookError("is nested too deeply") from error
    if not isinstance(whole, dict) or not isinstance(whole.get("cells"), list):
        raise NotebookError("is no notebook: it has no list of cells (format 4)")
    code: list[Cell] = []
    if _is_python(whole):
        for number, (start, kind) in enumerate(_sources(raw), 1):
            if kind == "code":
                code.append(_cell(raw, number, start, sum(len(cell.masked) for cell in code)))
    mark = _MARK
    while any(mark in cell.text for cell in code):
        mark += "%"
    text = _HEAD
    for cell in code:
        body = cell.text if cell.text.endswith("\n") or not cell.text else cell.text + "\n"
        text += f"{_mark_line(mark, cell)}{body}"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotebookError(f"holds half a character, which no Python text can: {error}") from error
    return Notebook(raw, data.startswith(b"\xef\xbb\xbf"), tuple(code), text, mark)


def write(book: Notebook, text: str) -> bytes:
    """The bytes of the notebook after its text became `text`. Raises NotebookError where a mark is gone."""
    found = _split(text, book)
    raw = book.raw
    for cell, new in sorted(zip(book.cells, found, strict=True), key=lambda pair: -pair[0].start):
        if not cell.text.endswith("\n") and new.endswith("\n"):
            new = new[:-1]  # the end of its last line was ours
        if new != cell.text:
            raw = raw[: cell.start] + _source(book, cell, new) + raw[cell.end :]
    return (b"\xef\xbb\xbf" if book.bom else b"") + raw.encode()


def _mark_line(mark: str, cell: Cell) -> str:
    """The line that marks a cell."""
    first = next((line for line in cell.text.split("\n") if line.strip() and line.strip()[0] != "#"), "")
    return f"{_INDENTED if first[:1] in (' ', chr(9)) else ''}{mark} {cell.number}\n"


def _is_python(whole: dict[str, Any]) -> bool:
    metadata = whole.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    given = [
        table.get(key)
        for table, key in (
            (metadata.get("language_info"), "name"),
            (metadata.get("kernelspec"), "language"),
        )
        if isinstance(table, dict)
    ]
    return all("python" in name.lower() for name in given if isinstance(name, str))


# where the sources stand in the JSON


def _sources(raw: str) -> Iterator[tuple[int, str]]:
    """(where the source starts, or -1, and the type) of each cell."""
    top, _ = _members(raw, raw.index("{"))
    at = _skip(raw, top["cells"] + 1)
    while raw[at] != "]":
        members, end = _members(raw, at)
        kind = _DECODER.raw_decode(raw, members["cell_type"])[0] if "cell_type" in members else ""
        yield members.get("source", -1), kind
        at = _next(raw, end)


def _members(raw: str, at: int) -> tuple[dict[str, int], int]:
    """(where the value of each key starts, the end) of the object that starts at `at`."""
    found = {}
    at = _skip(raw, at + 1)
    while raw[at] != "}":
        key, end = _DECODER.raw_decode(raw, at)
        found[key] = _skip(raw, _skip(raw, end) + 1)
        at = _next(raw, _DECODER.raw_decode(raw, found[key])[1])
    return found, at + 1


def _next(raw: str, at: int) -> int:
    """Where the next item starts, or the bracket that ends them."""
    at = _skip(raw, at)
    return _skip(raw, at + 1) if raw[at] == "," else at


def _skip(raw: str, at: int) -> int:
    match = _SPACE.match(raw, at)
    assert match  # it matches the empty text
    return match.end()


def _cell(raw: str, number: int, start: int, masks: int) -> Cell:
    """masks: how many lines are masked in the cells before."""
    if start < 0:
        raise NotebookError(f"cell {number} has no source")
    value, end = _DECODER.raw_decode(raw, start)
    if isinstance(value, str):
        items = [(start, end)]
    elif isinstance(value, list) and all(isinstance(line, str) for line in value):
        items, at = [], _skip(raw, start + 1)
        for _ in value:
            stop = _DECODER.raw_decode(raw, at)[1]
            items.append((at, stop))
            at = _next(raw, stop)
    else:
        raise NotebookError(f"the source of cell {number} is no text")
    text, masked = _masked("".join(value), masks)
    return Cell(number, text, start, end, tuple(items), isinstance(value, list), masked)


# what only IPython understands


def _masked(text: str, count: int) -> tuple[str, dict[int, str]]:
    """The text as Python, and the original of each masked line."""
    if text.lstrip().startswith("%%"):
        lines = text.split("\n")
        return "\n".join(f"# _ipython_{count + n}()" for n in range(len(lines))), {
            count + number: line for number, line in enumerate(lines)
        }
    if _parses(text):
        return text, {}
    masked: dict[int, str] = {}
    lines = text.split("\n")
    goes_on = False
    for place, line in enumerate(lines):
        match = _MAGIC.fullmatch(line)
        if match or goes_on:
            number = count + len(masked)
            masked[number] = line
            call = f"_ipython_{number}()"
            lines[place] = f"{match['indent']}{match['target'] or ''}{call}" if match else f"# {call}"
            goes_on = line.rstrip().endswith("\\")
    return "\n".join(lines), masked


def _unmasked(text: str, masked: dict[int, str]) -> str:
    lines = text.split("\n")
    for place, line in enumerate(lines):
        for match in _MASK.finditer(line):
            if int(match[1]) in masked:
                lines[place] = masked[int(match[1])]
    return "\n".join(lines)


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


# back into the JSON


def _split(text: str, book: Notebook) -> list[str]:
    """The text of each cell. What stands before the first mark belongs to the first cell."""
    found: list[str] = []
    rest = text.replace(_HEAD, "", 1)
    for cell in book.cells:
        head, mark, rest = rest.partition(_mark_line(book.mark, cell))
        if not mark or (head and head[-1] != "\n"):
            raise NotebookError(f"a change goes beyond cell {cell.number}")
        if found:
            found[-1] += head
            found.append("")
        else:
            found.append(head)
    if found:
        found[-1] += rest
    return found


def _source(book: Notebook, cell: Cell, new: str) -> str:
    """The JSON of a changed source, in the style of the old one; lines that stayed keep their literals."""
    raw, ascii_only = book.raw, book.raw.isascii() and "\\u" in book.raw
    old_text, new_text = _unmasked(cell.text, cell.masked), _unmasked(new, cell.masked)
    if not cell.is_list:
        return json.dumps(new_text, ensure_ascii=ascii_only)
    old, lines = _lines(old_text), _lines(new_text)
    kept = [raw[start:end] for start, end in cell.items]
    literals = [json.dumps(line, ensure_ascii=ascii_only) for line in lines]
    if [json.loads(literal) for literal in kept] == old:
        for i, j, size in SequenceMatcher(None, old, lines, autojunk=False).get_matching_blocks():
            literals[j : j + size] = kept[i : i + size]
    if not cell.items:
        return f"[{', '.join(literals)}]"
    head = raw[cell.start : cell.items[0][0]]
    tail = raw[cell.items[-1][1] : cell.end]
    if len(cell.items) > 1:
        between = raw[cell.items[0][1] : cell.items[1][0]]
    else:
        between = "," + (head[1:] or " ")
    return head + between.join(literals) + tail


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


__all__ = ["SUFFIX", "Cell", "Notebook", "NotebookError", "cells", "place", "read", "said", "write"]
