"""Findings that are accepted for now: new ones fail, and so do entries that nothing matches any more.

A file of entries by path, code and fingerprint, so that shifted lines change nothing; equal statements of a
function share a fingerprint, so the entry counts them. Pure: text in, text out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from codemods.model import Diagnostic

VERSION = 1

Name = Callable[[str], str]
"""The path of a finding as the file spells it: from the folder of the file, with slashes."""


@dataclass(frozen=True, order=True)
class Entry:
    """So many findings of one kind in one file; message: what the first of them said, for people."""

    path: str
    code: str
    fingerprint: str
    count: int = 1
    message: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.path, self.code, self.fingerprint)


class BaselineError(Exception):
    """The text is no baseline. str(): what is wrong with it."""


def entries_of(diagnostics: Sequence[Diagnostic], name: Name) -> list[Entry]:
    """The entries that accept these findings and no others."""
    counts = Counter(_key(one, name) for one in diagnostics)
    said: dict[tuple[str, str, str], str] = {}
    for one in sorted(diagnostics, key=lambda one: one.sort_key):
        said.setdefault(_key(one, name), one.message)
    return [Entry(*key, counts[key], text) for key, text in said.items()]


def dump(entries: Sequence[Entry]) -> str:
    """The text of a file with these entries; the same text for the same entries in any order."""
    rows = [asdict(entry) for entry in sorted(entries)]
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    listed = f"[\n{lines}\n ]" if lines else "[]"
    return f'{{\n "version": {VERSION},\n "findings": {listed}\n}}\n'


def load(text: str) -> list[Entry]:
    """The entries of a text. Raises BaselineError."""
    try:
        table = json.loads(text)
    except ValueError as error:
        raise BaselineError(f"is not JSON: {error}") from error
    if not isinstance(table, dict) or not isinstance(table.get("findings"), list):
        raise BaselineError('has no list "findings"')
    if table.get("version") != VERSION:
        raise BaselineError(f"is of version {table.get('version')!r}; this xlafix reads version {VERSION}")
    found = []
    for number, row in enumerate(table["findings"], 1):
        row = row if isinstance(row, dict) else {}
        texts = [value for key in ("path", "code", "fingerprint") if isinstance(value := row.get(key), str)]
        if len(texts) < 3:
            raise BaselineError(f'finding {number} lacks one of "path", "code", "fingerprint"')
        count = row.get("count", 1)
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise BaselineError(f'finding {number}: "count" is no number of findings: {count!r}')
        found.append(Entry(texts[0], texts[1], texts[2], count, str(row.get("message", ""))))
    return found


def compare(
    diagnostics: Sequence[Diagnostic], entries: Sequence[Entry], name: Name
) -> tuple[list[Diagnostic], list[Entry]]:
    """(findings that no entry accepts, entries that accept more than was found, with the surplus)."""
    left: Counter[tuple[str, str, str]] = Counter()
    for entry in entries:
        left[entry.key] += entry.count
    new = []
    for one in diagnostics:
        key = _key(one, name)
        if left[key]:
            left[key] -= 1
        else:
            new.append(one)
    said = {entry.key: entry.message for entry in entries}
    return new, [Entry(*key, count, said[key]) for key, count in sorted(left.items()) if count]


def _key(one: Diagnostic, name: Name) -> tuple[str, str, str]:
    return (name(one.span.path), one.code, one.fingerprint)


__all__ = ["BaselineError", "Entry", "compare", "dump", "entries_of", "load"]
