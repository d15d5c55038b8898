"""Which JAX a project runs with, from its files or from what is installed next to xlafix."""

from __future__ import annotations

import os
import re
import sys
from importlib import metadata

from codemods.analysis.jax_version import JaxVersion
from codemods.knowledge import jax_memory as table

Version = tuple[int, ...]
_FILES = re.compile(r"(?:requirements|constraints)[\w.-]*\.(?:txt|in)|pyproject\.toml|setup\.(?:py|cfg)")
_NAME = re.compile(r"(?<![\w.\-])jax(?:lib)?(?:\[[^\]]*\])?\s*((?:(?:===?|~=|!=|[<>]=?)\s*[\w.*]+\s*,?\s*)+)")
_CLAUSE = re.compile(r"(===?|~=|[<>]=?)\s*(\d+(?:\.\d+)*)")


def jax(folder: str) -> JaxVersion | None:
    """What the files of a folder pin, else the JAX that is installed; None where there is neither."""
    pinned = _pinned(folder)
    if pinned is not None:
        return pinned
    try:
        installed = _version(metadata.version("jax"))
    except metadata.PackageNotFoundError:
        return None
    return JaxVersion(installed, f"installed for {os.path.basename(sys.executable) or 'Python'}")


def _pinned(folder: str) -> JaxVersion | None:
    try:
        names = sorted(name for name in os.listdir(folder) if _FILES.fullmatch(name))
    except OSError:
        return None
    for name in names:
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue
        for match in _NAME.finditer(text):
            found = decided(match[1])
            if found is not None:
                return JaxVersion(found, f"from {name}")
    return None


def decided(clauses: str) -> Version | None:
    """The version that a specifier settles on, as far as the rules differ; None where it leaves both open."""
    lower: Version | None = None
    for operator, text in _CLAUSE.findall(clauses):
        version = _version(text)
        if operator in ("==", "===", "~=") and (operator != "~=" or version < table.TYPED_SINCE[:2]):
            return version
        if operator in ("<", "<=") and version < (table.TYPED_SINCE if operator == "<=" else (0, 7, 2)):
            return table.OLD if version >= table.OLD else version
        if operator in (">", ">=", "~=") and version >= table.TYPED_SINCE:
            lower = version
    return lower


def _version(text: str) -> Version:
    numbers = tuple(int(part) for part in re.findall(r"\d+", text)[:3])
    return (*numbers, *[0] * (3 - len(numbers)))
