"""The files of a project: cheap facts from bytes, modules by dotted name, and parsed modules on demand."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Protocol

from codemods.analysis.scopes import Module
from codemods.source import Source, SourceError

# Libraries whose functions the knowledge tables name, also where they are the project itself.
FRAMEWORKS = frozenset(
    {
        "tensorflow",
        "jax",
        "keras",
        "tf_keras",
        "numpy",
        "torch",
        "torch_xla",
    }
)

# Calls that ask for XLA, as bytes: a file without any of them has no root of its own.
TPU_CALLS = re.compile(
    rb"tpu\.(?:rewrite|replicate|shard)\s*\(|batch_parallel\s*\(|TPUStrategy\s*\(|TPUEstimator\s*\("
)
ROOT_CALLS = re.compile(
    rb"(?:jit_compile|experimental_compile)(?:\s*=(?!=)|[\"']\s*:)|experimental\.compile\s*\(|"
    + TPU_CALLS.pattern
)

TPU_WORDS = (
    b"tpu.rewrite",
    b"tpu.replicate",
    b"tpu.shard",
    b"batch_parallel",
    b"TPUStrategy",
    b"TPUEstimator",
)
ROOT_WORDS = (b"jit_compile", b"experimental_compile", b"experimental.compile", *TPU_WORDS)


_CLASS = re.compile(rb"^[ \t]*class[ \t]+\w+[ \t]*\(([^):]*)\)", re.M)
_REGISTER = re.compile(rb"^[ \t]*@([\w.]+)\.register\b", re.M)
_IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")
_WORD = re.compile(rb"\w+")
_FEW_WORDS = 200  # questions for a word: up to here each reads the files


class Files(Protocol):
    """Where the engine gets files from; `files.DiskFiles` and a test's dictionary are two of them."""

    def paths(self) -> Iterable[str]:
        """All Python files of the project, as paths that `read` takes."""

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError."""


class Project:
    """Modules by name and by path, parsed on demand and kept.

    problems: path -> (line or None, message) of the files that could not be read or parsed.
    """

    def __init__(self, files: Files, decode: Callable[[str, bytes], Source]) -> None:
        self._files = files
        self._decode = decode
        self._bytes: dict[str, bytes | None] = {}
        self._modules: dict[str, Module | None] = {}
        self._lines: dict[str, int] = {}
        self._words: dict[tuple[str, str], list[str]] = {}
        self._tables: dict[str, frozenset[bytes]] = {}
        self._neighbours: dict[str, list[str]] = {}
        self._bases: dict[str, list[str]] | None = None
        self._registering: dict[str, list[str]] | None = None
        self.problems: dict[str, tuple[int | None, str]] = {}
        self.paths = sorted(files.paths())
        self._path_set = frozenset(self.paths)
        self._by_name: dict[str, list[str]] = {}
        self._packages = {os.path.dirname(p) for p in self.paths if os.path.basename(p) == "__init__.py"}
        for path in self.paths:
            for name in self._dotted_names(path):
                self._by_name.setdefault(name, []).append(path)

    # names

    def _dotted_names(self, path: str) -> list[str]:
        """Every dotted name a file could be imported by, from the shortest to the full path."""
        parts = list(PurePosixPath(path.replace(os.sep, "/")).with_suffix("").parts)
        if parts and parts[-1] == "__init__":
            parts.pop()
        parts = [p for p in parts if p not in ("/", "..", ".")]
        return [".".join(parts[start:]) for start in range(len(parts) - 1, -1, -1)]

    def module_name(self, path: str) -> str:
        """The dotted name by which the project itself would import a file: up to the topmost package."""
        directory = os.path.dirname(path)
        parts = (
            [] if os.path.basename(path) == "__init__.py" else [os.path.splitext(os.path.basename(path))[0]]
        )
        while directory in self._packages:
            parts.append(os.path.basename(directory))
            directory = os.path.dirname(directory)
        if len(parts) <= 1 and directory and not os.path.isabs(path):
            base = [p for p in directory.replace(os.sep, "/").split("/") if p not in ("", ".", "..")]
            parts.extend(reversed(base))
        return ".".join(reversed(parts)) or os.path.splitext(os.path.basename(path))[0]

    def find(self, name: str, importer: str) -> str | None:
        """The path of the module that `importer` (a path) means by an absolute name; None: not ours."""
        if name.split(".")[0] in FRAMEWORKS:
            return None
        best, best_score = None, -1
        depth = name.count(".") + 1
        for path in self._by_name.get(name, ()):
            base = path if os.path.basename(path) != "__init__.py" else os.path.dirname(path)
            top = base
            for _ in range(depth):
                top = os.path.dirname(top)
            top_is_package = top in self._packages
            here = os.path.dirname(importer)
            above = top in ("", ".") or here == top or here.startswith(top.rstrip("/") + "/")
            if (top_is_package and here != top) or not (above or not top_is_package):
                continue
            if depth == 1 and not above and base not in self._packages:
                continue  # a lone script of another folder
            score = (
                len(os.path.commonpath([path, importer]))
                if os.path.isabs(path) == os.path.isabs(importer)
                else 0
            )
            if score > best_score:
                best, best_score = path, score
        return best

    def find_relative(self, module: Module, level: int, name: str | None) -> str | None:
        """The path behind `from ..name import`, seen from a module."""
        directory = os.path.dirname(module.path)
        for _ in range(level - 1):
            directory = os.path.dirname(directory)
        base = os.path.join(directory, *(name.split(".") if name else []))
        return self._file_at(base)

    def _file_at(self, base: str) -> str | None:
        for candidate in (base + ".py", os.path.join(base, "__init__.py")):
            if candidate in self._path_set:
                return candidate
        return None

    def submodule(self, module: Module, name: str) -> str | None:
        """The path of `name` inside a package."""
        if not module.is_package:
            return None
        return self._file_at(os.path.join(os.path.dirname(module.path), name))

    def changed(self, contents: Mapping[str, bytes]) -> Project:
        """The same project with other contents of some files; what else was parsed is kept."""
        other = copy.copy(self)
        other._words, other._neighbours, other._bases, other._registering = {}, {}, None, None
        other._bytes = {**self._bytes, **contents}
        other._modules = {path: module for path, module in self._modules.items() if path not in contents}
        other._tables = {path: words for path, words in self._tables.items() if path not in contents}
        other._lines = {path: lines for path, lines in self._lines.items() if path not in contents}
        other.problems = {path: problem for path, problem in self.problems.items() if path not in contents}
        return other

    # contents

    def bytes_of(self, path: str) -> bytes:
        """The bytes of a file, b"" where it cannot be read (which is noted in `problems`)."""
        if path not in self._bytes:
            try:
                self._bytes[path] = self._files.read(path)
            except OSError as error:
                self._bytes[path] = None
                self.problems[path] = (None, f"cannot be read: {error.strerror or error}")
        return self._bytes[path] or b""

    def module(self, path: str) -> Module | None:
        """The parsed module; None where it cannot be read or parsed (which is noted in `problems`)."""
        if path not in self._modules:
            self._modules[path] = self._load(path) if path in self._path_set else None
        return self._modules[path]

    def _load(self, path: str) -> Module | None:
        data = self.bytes_of(path)
        if path in self.problems:
            return None
        try:
            source = self._decode(path, data)
            return Module(self.module_name(path), source, os.path.basename(path) == "__init__.py")
        except SourceError as error:
            self.problems[path] = (error.line, error.message)
        except SyntaxError as error:
            self.problems[path] = (error.lineno, f"does not parse: {error.msg}")
        except RecursionError:
            self.problems[path] = (None, "does not parse: nested too deeply to analyse")
        return None

    def parsed(self) -> Mapping[str, Module | None]:
        """What has been parsed so far."""
        return self._modules

    def containing(self, word: str) -> list[str]:
        """The files whose bytes hold a text."""
        needle = word.encode()
        return [path for path in self.paths if needle in self.bytes_of(path)]

    def with_word(self, name: str, home: str) -> list[str]:
        """The files that hold an identifier and may know what the file `home` defines.

        Those are its neighbours in the same source tree, and whoever names its topmost package.
        """
        top = self.top(home)
        key = (name, top)
        if key not in self._words:
            self._words[key] = [p for p in self._near(top) if self._holds(p, name)]
        return self._words[key]

    def _holds(self, path: str, name: str) -> bool:
        """Does a file hold an identifier? Its words are worth a table once many are asked for."""
        if not name.isascii():
            return name.encode() in self.bytes_of(path)
        if len(self._words) < _FEW_WORDS:
            word = re.compile(re.escape(name.encode()) + rb"(?!\w)")  # a literal start is what makes it fast
            return _has_word(word, self.bytes_of(path))
        if path not in self._tables:
            self._tables[path] = frozenset(_WORD.findall(self.bytes_of(path)))
        return name.encode() in self._tables[path]

    def deriving(self, name: str) -> list[str]:
        """The files with a class whose list of bases holds an identifier."""
        if self._bases is None:
            self._bases = self.by_word(
                lambda data: (w for bases in _CLASS.findall(data) for w in _IDENTIFIER.findall(bases))
            )
        return self._bases.get(name, [])

    def registering(self, name: str) -> list[str]:
        """The files with a decorator `@NAME.register`, whatever stands before the name."""
        if self._registering is None:
            self._registering = self.by_word(
                lambda data: (text.rpartition(b".")[2] for text in _REGISTER.findall(data))
            )
        return self._registering.get(name, [])

    def by_word(self, find: Callable[[bytes], Iterable[bytes]]) -> dict[str, list[str]]:
        """Word -> the files in whose bytes `find` sees it, each once."""
        table: dict[str, list[str]] = {}
        for path in self.paths:
            for word in set(find(self.bytes_of(path))):
                table.setdefault(word.decode(), []).append(path)
        return table

    def top(self, path: str) -> str:
        """The folder of the topmost package that holds a file; for a plain script, its own folder."""
        directory = os.path.dirname(path)
        if directory not in self._packages:
            return directory
        while os.path.dirname(directory) in self._packages:
            directory = os.path.dirname(directory)
        return directory

    def _near(self, top: str) -> list[str]:
        if top not in self._neighbours:
            folder = (os.path.dirname(top) if top in self._packages else top) + "/"
            name = os.path.basename(top).encode()
            inside = folder == "/" or not name
            known = (
                name.decode() not in FRAMEWORKS
            )  # `import keras` elsewhere means the library, not these files
            self._neighbours[top] = [
                p
                for p in self.paths
                if inside or p.startswith(folder) or (known and name in self.bytes_of(p))
            ]
        return self._neighbours[top]

    def matches(self, path: str, pattern: re.Pattern[bytes], words: Iterable[bytes]) -> bool:
        """Does a pattern match in a file? words: one of them is in every match (cheaper to look for)."""
        return self.has_any(path, words) and pattern.search(self.bytes_of(path)) is not None

    def has_any(self, path: str, words: Iterable[bytes]) -> bool:
        data = self.bytes_of(path)
        return any(word in data for word in words)

    def line_count(self, path: str) -> int:
        """Lines of a file, counted on bytes."""
        if path not in self._lines:
            data = self.bytes_of(path)
            self._lines[path] = data.count(b"\n") + (0 if data.endswith(b"\n") or not data else 1)
        return self._lines[path]


def _has_word(word: re.Pattern[bytes], data: bytes) -> bool:
    """Does a pattern that ends at the end of a word match where a word begins?"""
    return any(
        not (data[m.start() - 1 : m.start()].isalnum() or data[m.start() - 1 : m.start()] == b"_")
        for m in word.finditer(data)
    )
