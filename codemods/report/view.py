"""How places are shown: paths from where the user stands, lines and columns from 1."""

from __future__ import annotations

import os
from collections.abc import Callable

from codemods.analysis.index import Project
from codemods.model import Diagnostic, Related, Span
from codemods.source import LineIndex, SourceError, decode

Paint = Callable[[str, str], str]
"""(text, role) -> text, perhaps with colours. Roles: bold, dim, bad, warn, good, code."""


class View:
    """Places of one state of a project.

    base: the folder that the engine's paths are relative to; here: the one that paths are shown from.
    """

    def __init__(self, project: Project, base: str, here: str) -> None:
        self.project = project
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
        """(line, column) of an offset, both from 1, the column in code points."""
        text, index = self._loaded(name)
        line, column = index.position(min(max(offset, 0), len(text)))
        return line, column + 1

    def place(self, span: Span) -> str:
        """path:line:column"""
        line, column = self.position(span.path, span.start)
        return f"{self.path(span.path)}:{line}:{column}"

    def line(self, span: Span) -> str:
        """path:line"""
        return f"{self.path(span.path)}:{self.position(span.path, span.start)[0]}"

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
