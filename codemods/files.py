"""The files of a project as the engine reads them: Python text, also where that stands in a notebook."""

from __future__ import annotations

import copy
import errno
import os
import stat
from collections.abc import Iterable, Mapping

from codemods import notebook
from codemods.notebook import Notebook


class DiskFiles:
    """The files of a project on disk; implements the engine's `Files`.

    What was read is kept: it is what a change of a file is relative to.
    """

    def __init__(self, base: str, paths: Iterable[str], contents: Mapping[str, bytes] | None = None) -> None:
        """base, paths: absolute. contents: path -> bytes that count instead of those on the disk."""
        self.base = base
        self._prefix = base if base.endswith(os.sep) else base + os.sep
        self._given = {self.name(path): data for path, data in (contents or {}).items()}
        self._paths = [self.name(path) for path in paths]
        self.seen: dict[str, bytes] = {}
        self.books: dict[str, Notebook] = {}

    def name(self, path: str) -> str:
        """What the engine calls an absolute path: relative to the base, if it lies below it."""
        return path[len(self._prefix) :] if path.startswith(self._prefix) else path

    def absolute(self, name: str) -> str:
        return os.path.join(self.base, name)

    def paths(self) -> Iterable[str]:
        return dict.fromkeys([*self._paths, *self._given])

    def afresh(self) -> DiskFiles:
        """The same files, nothing of them read yet."""
        other = copy.copy(self)
        other.seen, other.books = {}, {}
        return other

    def read(self, path: str) -> bytes:
        """The Python text of a file: its bytes, or those of the cells of a notebook. Raises OSError."""
        if not path.endswith(notebook.SUFFIX):
            return self.raw(path)
        if path not in self.books:
            try:
                self.books[path] = notebook.read(self.raw(path))
            except notebook.NotebookError as error:
                raise OSError(errno.EINVAL, str(error)) from error
        return self.books[path].text.encode()

    def written(self, path: str, text: bytes) -> bytes:
        """The bytes of a file whose Python text becomes `text`, after it was read. Raises NotebookError."""
        book = self.books.get(path)
        return notebook.write(book, text.decode()) if book is not None else text

    def raw(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError."""
        if path in self._given:
            return self._given[path]
        if path not in self.seen:
            full = self.absolute(path)
            with open(full, "rb", opener=_opener) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise OSError(errno.EINVAL, "it is not a regular file")
                self.seen[path] = file.read()
        return self.seen[path]


def _opener(path: str, flags: int) -> int:
    # A pipe must not make us wait for a writer.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
