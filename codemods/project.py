"""Which files there are: the root of a project, what is examined, and what counts as its context.

The engine gets paths relative to one folder, the `base`, so that module names and fingerprints do not
depend on where the user stands; `files.DiskFiles` converts. A problem with one path never costs the others.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codemods import git, notebook
from codemods.files import DiskFiles
from codemods.settings import Settings, excluded

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".py", notebook.SUFFIX)
MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
# Never source, whatever is in them.
_NEVER = frozenset(
    {".git", ".hg", ".svn", ".jj", "__pycache__", ".venv", ".tox", ".nox", ".mypy_cache", ".pytest_cache"}
    | {".ruff_cache", ".hypothesis", ".eggs", ".ipynb_checkpoints", ".xlafix", "node_modules"}
    | {"site-packages", "__pypackages__"}
)
# Products and environments, unless they are packages: some projects have a package called `build`.
_UNLESS_PACKAGE = frozenset({"venv", "env", "build", "dist", "buck-out", "bazel-bin", "bazel-out"})
MANY = 20_000  # files of a root beyond which only the given folders count
_UNMARKED = 2_000  # the same for a folder that nothing marks as a project


@dataclass(frozen=True)
class Root:
    """folder: absolute; marked: whether a file says that a project starts there."""

    folder: str
    marked: bool


@dataclass(frozen=True)
class Problem:
    """A path (absolute, or as given) that cannot be examined. given: the user named it."""

    path: str
    message: str
    given: bool = False


@dataclass(eq=False)
class Workspace:
    """What a run looks at. paths: the files to judge, as the engine knows them, sorted.

    narrowed: the root has so many files that only the folders of the given paths count as context.
    """

    root: Root
    files: DiskFiles
    paths: list[str]
    problems: list[Problem]
    narrowed: bool = False

    @property
    def journal_root(self) -> str:
        """The folder that holds the journal: never the root of the file system, nor above the home."""
        if _too_high(self.root.folder) and self.paths:
            return os.path.dirname(self.files.absolute(self.paths[0]))
        return self.root.folder


def find_root(paths: Sequence[str]) -> Root:
    """The folder of the project that all of `paths` (files or folders) belong to.

    The nearest folder upwards with one of `MARKERS`; never above the home folder, and not the home
    folder because of a `.git`. Without one: their common folder, or the parent of the topmost package
    that it is in.
    """
    starts = [_folder(os.path.abspath(path)) for path in paths or [os.curdir]]
    try:
        common = os.path.commonpath(starts)
    except ValueError:  # several drives
        common = starts[0]
    folder = common
    while not _too_high(folder):
        for marker in MARKERS:
            if os.path.exists(os.path.join(folder, marker)) and (marker != ".git" or folder != _home()):
                return Root(folder, True)
        folder = os.path.dirname(folder)
    return Root(_above_packages(common), False)


def discover(paths: Sequence[str], settings: Settings) -> tuple[list[str], list[Problem]]:
    """(Python files, absolute and sorted, problems) that files, folders and globs name.

    A file that is named is always taken; from folders, Python files and notebooks that neither git, nor
    `.gitignore`, nor `exclude`, nor the usual folders of products and environments leave out. To name a
    folder that `exclude` leaves out, or one in it, is to want it.
    """
    found: dict[str, None] = {}
    problems: list[Problem] = []
    for given in paths:
        for path in _expanded(given, problems):
            full = os.path.abspath(path)
            if os.path.isdir(full):
                if full.endswith(".py"):
                    problems.append(Problem(full, "is a folder, though it is named like a Python file"))
                found.update(dict.fromkeys(_Walk(_wanting(full, settings), problems).below(full)))
            else:
                found[full] = None
    unique = {problem.path: problem for problem in reversed(problems)}
    return sorted(found), sorted(unique.values(), key=lambda problem: problem.path)


def open_workspace(
    paths: Sequence[str], settings: Settings, root: Root, stdin: tuple[str, bytes] | None = None,
    force_exclude: bool = False,
) -> Workspace:  # fmt: skip
    """Find what to judge and its context. stdin: path and content of one file that is not on the disk.

    force_exclude: what `exclude` leaves out is context only, also if it is named.
    """
    judged, problems = discover(paths, settings)
    contents: dict[str, bytes] = {}
    if stdin is not None:
        name = os.path.abspath(stdin[0])
        contents[name] = stdin[1]
        judged = sorted({*judged, name})
    left_out = {path for path in judged if excluded(settings, path)} if force_exclude else set()
    base = settings.root or root.folder
    if root.folder != base and not root.folder.startswith(base.rstrip(os.sep) + os.sep):
        base = root.folder
    context, narrowed = _context([*paths, *contents], settings, root)
    context = {*context, *_excluded_context([*paths, *contents], settings), *judged}
    files = DiskFiles(base, sorted(context), contents)
    named = [files.name(path) for path in judged if path not in left_out]
    return Workspace(root, files, named, problems, narrowed)


def _context(paths: Sequence[str], settings: Settings, root: Root) -> tuple[Iterable[str], bool]:
    """The files besides those to judge whose calls count, and whether only some of the root do."""
    full = [os.path.abspath(path) for path in paths]
    starts = {_folder(path) for path in full}
    walk = _Walk(settings, [])
    if root.folder in full:
        return (), False  # all of it is judged
    if root.marked:
        if len(whole := walk.below(root.folder, MANY)) < MANY:
            return whole, False
        return _neighbours(starts), True
    if len(full) > 1:  # several projects, perhaps: each counts for itself
        found: set[str] = set()
        narrowed = False
        for path in full:
            more, narrow = _context([path], settings, find_root([path]))
            found.update(more)
            narrowed = narrowed or narrow
        return found, narrowed
    if len(whole := walk.below(root.folder, _UNMARKED)) < _UNMARKED:
        return whole, False
    return _neighbours(starts), True


def _excluded_context(paths: Sequence[str], settings: Settings) -> Iterable[str]:
    # The packages around what is named although it is left out otherwise.
    for folder in {_above_packages(_folder(os.path.abspath(path))) for path in paths}:
        if excluded(settings, folder):
            yield from _Walk(_wanting(folder, settings), []).below(folder, MANY)


def _wanting(folder: str, settings: Settings) -> Settings:
    return replace(settings, exclude=()) if excluded(settings, folder) else settings


def _neighbours(folders: Iterable[str]) -> list[str]:
    found: list[str] = []
    for folder in folders:
        try:
            found += [entry.path for entry in os.scandir(folder) if _is_source(entry)]
        except OSError:
            continue  # the judge says so
    return found


class _Walk:
    """One walk over folders; `problems` are collected."""

    def __init__(self, settings: Settings, problems: list[Problem]) -> None:
        self._settings = settings
        self._problems = problems
        self._packages: dict[str, bool] = {}

    def below(self, top: str, limit: int = 1_000_000_000) -> list[str]:
        """The Python files below a folder, absolute; at most about `limit`."""
        if git.work_tree(top) is not None:
            answer = git.files(top)
            if answer is not None:
                names, unopened = answer
                for name in unopened:
                    self._problems.append(Problem(os.path.join(top, name), "cannot be opened"))
                found = self._listed(top, names, limit)
                if found or not git.ignored(top):
                    return found
        return self._walked(top, limit)

    def _listed(self, top: str, names: Sequence[str], limit: int) -> list[str]:
        found: list[str] = []
        nested = [name.rstrip("/") for name in names if name.endswith("/")]
        nested += _submodules(top) if ".gitmodules" in names else []
        for name in names:
            if name.endswith(SUFFIXES) and len(found) < limit and not self._left_out(top, name):
                path = os.path.join(top, name)
                if os.path.lexists(path):  # else it is deleted, and that is not staged
                    found.append(path)
        for name in nested:
            if os.path.isdir(os.path.join(top, name)) and not self._left_out(top, name + "/x"):
                found += self._walked(os.path.join(top, name), limit - len(found))
        return found

    def _left_out(self, top: str, name: str) -> bool:
        """Whether a folder on the way from `top` to the file `name` is left out, or the file itself."""
        folder = top
        for part in name.split("/")[:-1]:
            folder = os.path.join(folder, part)
            if self._skips(folder, part):
                return True
            if part.endswith(".py"):
                self._note_folder(folder)
        return os.path.basename(name).startswith(".#") or excluded(self._settings, os.path.join(top, name))

    def _skips(self, folder: str, name: str) -> bool:
        if name in _NEVER:
            return True
        if name not in _UNLESS_PACKAGE:
            return False
        if folder not in self._packages:
            self._packages[folder] = os.path.exists(os.path.join(folder, "__init__.py"))
        return not self._packages[folder]

    def _note_folder(self, folder: str) -> None:
        self._problems.append(Problem(folder, "is a folder, though it is named like a Python file"))

    def _walked(self, top: str, limit: int) -> list[str]:
        """Without git: `.gitignore` files count all the same. Links to folders are not followed."""
        found: list[str] = []
        stack: list[tuple[str, _Specs]] = [(top, ())]
        while stack and len(found) < limit:
            folder, specs = stack.pop()
            try:
                with os.scandir(folder) as entries:
                    listed = sorted(entries, key=lambda entry: entry.name, reverse=True)
            except OSError as error:
                self._problems.append(Problem(folder, f"cannot be opened: {error.strerror or error}"))
                continue
            if any(entry.name == ".gitignore" for entry in listed):
                specs = (*specs, *_spec(folder))
            for entry in listed:
                if entry.is_dir(follow_symlinks=False):
                    if self._skips(entry.path, entry.name) or _matched(specs, entry.path, folder=True):
                        continue
                    if excluded(self._settings, entry.path):
                        continue
                    if entry.name.endswith(".py"):
                        self._note_folder(entry.path)
                    stack.append((entry.path, specs))
                elif _is_source(entry) and not (
                    _matched(specs, entry.path, folder=False) or excluded(self._settings, entry.path)
                ):
                    found.append(entry.path)
        return found


_Specs = tuple[tuple[str, "GitIgnoreSpec"], ...]


def _spec(folder: str) -> _Specs:
    from pathspec import GitIgnoreSpec

    try:
        with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as file:
            return ((folder + os.sep, GitIgnoreSpec.from_lines(file)),)
    except (OSError, ValueError):  # a pattern that git would not understand either
        return ()


def _matched(specs: _Specs, path: str, folder: bool) -> bool:
    """Whether the innermost `.gitignore` that says anything about a path ignores it."""
    for prefix, spec in reversed(specs):
        name = path[len(prefix) :].replace(os.sep, "/")
        verdict = spec.check_file(name + "/" if folder else name).include
        if verdict is not None:
            return verdict
    return False


def _is_source(entry: os.DirEntry[str]) -> bool:
    """A Python file, or a link that leads nowhere or in a circle: reading it says what is wrong."""
    if not entry.name.endswith(SUFFIXES) or entry.name.startswith(".#"):  # such as the locks of Emacs
        return False
    try:
        return entry.is_file() or (entry.is_symlink() and not entry.is_dir())
    except OSError:
        return True


def _submodules(top: str) -> list[str]:
    try:
        with open(os.path.join(top, ".gitmodules"), encoding="utf-8", errors="replace") as file:
            rows = [line.partition("=") for line in file]
    except OSError:
        return []
    return [value.strip() for key, _, value in rows if key.strip() == "path"]


def _expanded(given: str, problems: list[Problem]) -> list[str]:
    """The paths that an argument means; a name that exists is never a pattern."""
    if os.path.lexists(given):
        return [given]
    if glob.has_magic(given):
        matches = glob.glob(given, recursive=True)
        paths = sorted(path for path in matches if path.endswith(SUFFIXES) or os.path.isdir(path))
        if paths:
            return paths
        problems.append(Problem(given, "no Python file matches", given=True))
        return []
    problems.append(Problem(given, "no such file or folder", given=True))
    return []


def _folder(path: str) -> str:
    if os.path.isdir(path):
        return path
    magic = glob.has_magic(path) and not os.path.lexists(path)
    folder = os.path.dirname(path)
    while magic and glob.has_magic(folder):
        folder = os.path.dirname(folder)
    return folder


def _above_packages(folder: str) -> str:
    while os.path.exists(os.path.join(folder, "__init__.py")) and not _too_high(folder):
        folder = os.path.dirname(folder)
    return folder


def _home() -> str:
    return os.path.abspath(os.path.expanduser("~"))


def _too_high(folder: str) -> bool:
    """The root of a file system, or a folder above the home folder."""
    return os.path.dirname(folder) == folder or _home().startswith(folder + os.sep)
