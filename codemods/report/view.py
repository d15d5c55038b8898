"""How places are shown: paths from where the user stands, lines and columns from 1."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from codemods import notebook
from codemods.analysis.index import Project
from codemods.model import Diagnostic, Related, Span
from codemods.notebook import Notebook
from codemods.source import LineIndex, SourceError, decode

Paint = Callable[[str, str], str]
"""(text, role) -> text, perhaps with colours. Roles: bold, dim, bad, warn, good, code."""


class View:
    """Places of one state of a project.

    base: the folder that the engine's paths are relative to; here: the one that paths are shown from.
    books: the notebooks as they were read; places in them are those in their cells.
    """

    def __init__(
        self, project: Project, base: str, here: str, books: Mapping[str, Notebook] | None = None
    ) -> None:
        self.project = project
        self._books = dict(books or {})
        self._marks: dict[str, list[tuple[int, int]]] = {}
        self._base = base
        self._here = here if here.endswith(os.sep) else here + os.sep
        self._same = os.path.abspath(base) == os.path.abspath(here)
        self._lines: dict[str, tuple[str, LineIndex]] = {}

    def path(self, name: str) -> str:
        """A path of the engine, relative to the current folder if it lies below it."""
        if self._same and not os.path.isabs(name):
            return name
        full = os.path.join(self._base, name)
        return full[len(self._here) :] if full.startswith(self._here) else full

    def text(self, name: str) -> str:
        """The text of a file; of one that is no Python, what can be read of it."""
        return self._loaded(name)[0]

    def index(self, name: str) -> LineIndex:
        return self._loaded(name)[1]

    def position(self, name: str, offset: int) -> tuple[int, int]:
        """(line, column) of an offset, both from 1, the column in code points; in a notebook, in its cell."""
        line, column = self._position(name, offset)
        return (notebook.place(self._cells(name), line)[1] if self._is_book(name) else line), column

    def cell(self, name: str, offset: int) -> int | None:
        """The number of the cell, from 1 over cells of all kinds; None outside of notebooks."""
        if not self._is_book(name):
            return None
        return notebook.place(self._cells(name), self._position(name, offset)[0])[0]

    def in_file(self, name: str, offset: int) -> tuple[int, int]:
        """The same as `position` in the file on the disk: of a notebook, a line of its JSON."""
        cell, (line, column) = self.cell(name, offset), self.position(name, offset)
        if cell is None:
            return line, column
        if name in self._books and (text := self.text(name)) != self._books[name].text:
            self._books[name] = notebook.read(notebook.write(self._books[name], text))
        return (self._books[name].raw_line(cell, line) if name in self._books else 1), 1

    def place(self, span: Span) -> str:
        """path:line:column, in a notebook path:cell N:line:column"""
        return f"{self.line(span)}:{self.position(span.path, span.start)[1]}"

    def line(self, span: Span) -> str:
        """path:line, in a notebook path:cell N:line"""
        cell = self.cell(span.path, span.start)
        within = f":cell {cell}" if cell is not None else ""
        return f"{self.path(span.path)}{within}:{self.position(span.path, span.start)[0]}"

    def _is_book(self, name: str) -> bool:
        return name.endswith(notebook.SUFFIX)

    def _cells(self, name: str) -> list[tuple[int, int]]:
        if name not in self._marks:
            self._marks[name] = notebook.cells(self.text(name))
        return self._marks[name]

    def _position(self, name: str, offset: int) -> tuple[int, int]:
        text, index = self._loaded(name)
        line, column = index.position(min(max(offset, 0), len(text)))
        return line, column + 1

    def _loaded(self, name: str) -> tuple[str, LineIndex]:
        if name not in self._lines:
            module = self.project.parsed().get(name)
            if module is not None:
                self._lines[name] = (module.source.text, module.lines)
            else:
                data = self.project.bytes_of(name)
                try:
                    text = decode(name, data).text
                except SourceError:
                    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
                self._lines[name] = (text, LineIndex(text))
        return self._lines[name]


__all__ = ["Diagnostic", "Paint", "Related", "View"]
