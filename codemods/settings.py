"""What the user has set: `[tool.xlafix]` of the nearest `pyproject.toml`.

The only I/O is `load`. A setting that cannot be understood is always an error with the path, the
key and the nearest right spelling: a setting that silently does nothing is worse than none.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, cast

from codemods.model import Safety

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

Scope = Literal["compiled", "all"]
_SCOPES = ("compiled", "all")
_CODE = re.compile(r"ALL|XLA[0-9]{0,3}")
_ENTRY = re.compile(r"[^\s:]+:[^\W\d]\w*(?:\.[^\W\d]\w*)*(?::grad)?")
_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.\d+\w*)?")
_FULL_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)\w*")  # from 0.7.0 to 0.7.1 the rules changed
_TOOL = "XLA0"


class SettingsError(Exception):
    """Settings that cannot be read or understood. path: the file; message: what is wrong in it."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(path, message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


@dataclass(frozen=True)
class Settings:
    """The settings of one project.

    select, ignore: codes or prefixes of codes ("XLA1"); an empty `select` means all.
    per_file_ignores: (glob, codes). exclude: globs of files and folders. entry_points:
    "pkg.mod:function" or "pkg.mod:function:grad". scope: judge what is compiled, or everything.
    unroll_limit: the largest number of iterations that a fix may unroll. tensorflow_version: the
    target, (major, minor), or None for what the project's pins say. jax_version: that of JAX,
    (major, minor, patch), or None; jax_from: where it comes from, in words. seed: what random numbers follow
    where the program sets no seed. safe: codes whose UNSAFE fixes count as SAFE; unsafe: codes whose SAFE
    fixes count as UNSAFE. preview: also the rules that are not verified on the hardware that they speak of.
    root: the folder that globs are relative to; "" is the current one. Globs are those of `.gitignore`.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = ()
    entry_points: tuple[str, ...] = ()
    scope: Scope = "compiled"
    unroll_limit: int = 100
    tensorflow_version: tuple[int, int] | None = None
    jax_version: tuple[int, ...] | None = None
    jax_from: str = "set"
    seed: int | None = None
    safe: tuple[str, ...] = ()
    unsafe: tuple[str, ...] = ()
    preview: bool = False
    root: str = ""


def load(start_dir: str) -> Settings:
    """The settings for `start_dir`: of the nearest `pyproject.toml`, upwards, with [tool.xlafix].

    Without one: the defaults, with `start_dir` as root. Raises SettingsError where a
    `pyproject.toml` on the way cannot be read or parsed, or a setting is wrong.
    """
    start = os.path.abspath(start_dir)
    folder = start
    while True:
        path = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(path):
            table = _section(_read(path), path)
            if table is not None:
                return from_table(table, path)
        parent = os.path.dirname(folder)
        if parent == folder:
            return Settings(root=start)
        folder = parent


def from_table(table: Mapping[str, object], path: str) -> Settings:
    """The settings that `table`, the [tool.xlafix] of the file `path`, holds.

    Raises SettingsError for an unknown key and for a wrong value.
    """
    values: dict[str, Any] = {"root": os.path.dirname(os.path.abspath(path))}
    for key, value in table.items():
        if key not in _KEYS:
            raise SettingsError(path, f"unknown key `{_name(key)}`{_near(key, _KEYS)}")
        field, read = _KEYS[key]
        try:
            values[field] = read(value)
        except _WrongError as wrong:
            raise SettingsError(path, f"`{_name(key)}`{wrong}") from None
    both = sorted(set(values.get("safe", ())) & set(values.get("unsafe", ())))
    if both:
        raise SettingsError(
            path, f"{both[0]} stands in both `{_name('safe-fixes')}` and `{_name('unsafe-fixes')}`"
        )
    return Settings(**values)


def enabled(settings: Settings, code: str) -> bool:
    """Whether findings of `code` are wanted.

    The longest prefix decides between `select` and `ignore`; `ignore` wins a tie. Codes about the
    tool itself (XLA0xx) need not be selected: a file that was not read must never go unnoticed.
    """
    ignored = _longest(settings.ignore, code)
    if not settings.select or code.startswith(_TOOL):
        return ignored < 0
    return _longest(settings.select, code) > ignored


def previewed(settings: Settings, code: str) -> bool:
    """Whether the preview rule `code` is asked for: with all of them, or by its whole code."""
    return settings.preview or code in settings.select


def ignored_in_file(settings: Settings, path: str, code: str) -> bool:
    """Whether `per-file-ignores` takes `code` out of the file `path` (absolute, or from here)."""
    return any(
        _longest(codes, code) >= 0 and matches(settings, path, (glob,))
        for glob, codes in settings.per_file_ignores
    )


def excluded(settings: Settings, path: str) -> bool:
    """Whether `exclude` names the file or folder `path`, or a folder that it is in."""
    return bool(settings.exclude) and matches(settings, path, settings.exclude)


def matches(settings: Settings, path: str, globs: tuple[str, ...]) -> bool:
    """Whether `path` (absolute, or relative to the current folder) matches one of `globs`."""
    relative = os.path.relpath(os.path.abspath(path), settings.root or os.curdir)
    if relative.split(os.sep)[0] == os.pardir:  # outside of the root only globs for names can match
        relative = os.path.splitdrive(os.path.abspath(path))[1].lstrip(os.sep)
    return _spec(globs).match_file(relative.replace(os.sep, "/"))


def trust(settings: Settings, code: str, safety: Safety) -> Safety:
    """How far a fix of `code` is trusted here. MANUAL is a choice of intent, and stays."""
    promoted, demoted = _longest(settings.safe, code), _longest(settings.unsafe, code)
    if safety is Safety.UNSAFE and promoted > demoted:
        return Safety.SAFE
    if safety is Safety.SAFE and demoted > promoted:
        return Safety.UNSAFE
    return safety


def code_problem(text: str) -> str:
    """What is wrong with `text` as a code or a prefix of codes, with the nearest one; "" if right."""
    if _CODE.fullmatch(text):
        return ""
    digits = re.search(r"\d{1,3}", text)
    guess = f"; did you mean `XLA{digits.group()}`?" if digits else ""
    return f"`{text}` is no rule code such as `XLA103`, `XLA1` or `ALL`{guess}"


class _WrongError(Exception):
    """What is wrong with a value; starts with what stands between the key and the complaint."""


def _longest(prefixes: Iterable[str], code: str) -> int:
    """The length of the longest of `prefixes` that `code` starts with; "ALL" counts 0; or -1."""
    return max(
        (0 if prefix == "ALL" else len(prefix) for prefix in prefixes if _covers(prefix, code)), default=-1
    )


def _covers(prefix: str, code: str) -> bool:
    return prefix == "ALL" or code.startswith(prefix)


@lru_cache(maxsize=64)
def _spec(globs: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # here, since most runs have no globs

    return GitIgnoreSpec.from_lines(f"\\{glob}" if glob.startswith("#") else glob for glob in globs)


def _read(path: str) -> dict[str, object]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise SettingsError(path, f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(path, f"is not UTF-8: {error.reason} at byte {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(path, f"is not TOML: {error}") from error


def _section(document: Mapping[str, object], path: str) -> Mapping[str, object] | None:
    tool = document.get("tool", {})
    if not isinstance(tool, dict) or "xlafix" not in tool:
        return None
    table = tool["xlafix"]
    if not isinstance(table, dict):
        raise SettingsError(path, f"`tool.xlafix` must be a table, not {_kind(table)}")
    return cast("dict[str, object]", table)


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _WrongError(f" must be a list of strings, not {_kind(value)}")
    for index, item in enumerate(value):
        if not isinstance(item, str):
            raise _WrongError(f"[{index}] must be a string, not {_kind(item)}")
        if not item.strip():
            raise _WrongError(f"[{index}] is empty")
    return tuple(cast("list[str]", value))


def _codes(value: object) -> tuple[str, ...]:
    codes = _strings(value)
    for code in codes:
        if problem := code_problem(code):
            raise _WrongError(f": {problem}")
    return codes


def _globs(value: object) -> tuple[str, ...]:
    globs = _strings(value)
    for glob in globs:
        _glob(glob)
    return globs


def _glob(glob: str) -> None:
    if not glob.strip():
        raise _WrongError(" has an empty glob")
    try:
        _spec((glob,))
    except ValueError as error:
        raise _WrongError(f": `{glob}` is no glob: {error}") from None


def _file_ignores(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise _WrongError(f" must be a table of globs with lists of codes, not {_kind(value)}")
    found: list[tuple[str, tuple[str, ...]]] = []
    for glob, codes in cast("dict[str, object]", value).items():
        if glob.startswith("!"):
            raise _WrongError(f': "{glob}" starts with `!`, which is not supported here')
        _glob(glob)
        try:
            found.append((glob, _codes(codes)))
        except _WrongError as wrong:
            raise _WrongError(f'."{glob}"{wrong}') from None
    return tuple(found)


def _entries(value: object) -> tuple[str, ...]:
    entries = _strings(value)
    for entry in entries:
        if not _ENTRY.fullmatch(entry):
            raise _WrongError(
                f": `{entry}` is not `package.module:function` or `package.module:function:grad`"
            )
    return entries


def _scope(value: object) -> Scope:
    if value not in _SCOPES:
        near = _near(value, _SCOPES) if isinstance(value, str) else ""
        shown = f"`{value}`" if isinstance(value, str) else _kind(value)
        raise _WrongError(f" must be `compiled` or `all`, not {shown}{near}")
    return cast("Scope", value)


def _limit(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _WrongError(f" must be an integer, not {_kind(value)}")
    if value < 0:
        raise _WrongError(f" must not be negative: {value}")
    return value


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise _WrongError(f" must be true or false, not {_kind(value)}")
    return value


def _seed(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _WrongError(f" must be an integer, not {_kind(value)}")
    if not -(2**63) <= value < 2**63:
        raise _WrongError(f" must have at most 64 bits: {value}")
    return value


def _version(value: object) -> tuple[int, int]:
    if not isinstance(value, str):  # as a float 2.1 and 2.10 would be the same
        raise _WrongError(f' must be a string such as "2.15", not {_kind(value)}')
    match = _VERSION.fullmatch(value)
    if not match:
        raise _WrongError(f': "{value}" is no version such as "2.15"')
    return int(match[1]), int(match[2])


def _full_version(value: object) -> tuple[int, int, int]:
    if not isinstance(value, str):
        raise _WrongError(f' must be a string such as "0.7.1", not {_kind(value)}')
    match = _FULL_VERSION.fullmatch(value)
    if not match:
        raise _WrongError(f': "{value}" is no version such as "0.7.1"')
    return int(match[1]), int(match[2]), int(match[3])


_KEYS: dict[str, tuple[str, Callable[[object], object]]] = {
    "select": ("select", _codes),
    "ignore": ("ignore", _codes),
    "per-file-ignores": ("per_file_ignores", _file_ignores),
    "exclude": ("exclude", _globs),
    "entry-points": ("entry_points", _entries),
    "scope": ("scope", _scope),
    "unroll-limit": ("unroll_limit", _limit),
    "tensorflow-version": ("tensorflow_version", _version),
    "jax-version": ("jax_version", _full_version),
    "seed": ("seed", _seed),
    "safe-fixes": ("safe", _codes),
    "unsafe-fixes": ("unsafe", _codes),
    "preview": ("preview", _switch),
}


def _name(key: str) -> str:
    return f"tool.xlafix.{key}"


def _near(word: str, choices: Iterable[str]) -> str:
    words: Sequence[str] = sorted(choices)
    found = difflib.get_close_matches(word.lower().replace("_", "-"), words, n=1)
    return f"; did you mean `{found[0]}`?" if found else f"; known are {', '.join(words)}"


def _kind(value: object) -> str:
    """How TOML calls the type of `value`."""
    names: dict[type, str] = {
        bool: "a boolean",
        int: "an integer",
        float: "a float",
        str: "a string",
        list: "a list",
        dict: "a table",
    }
    return names.get(type(value), "a date or time")
