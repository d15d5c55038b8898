"""The files that `fix` must not touch, so that the engine itself withholds what depends on them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from codemods import apply

if TYPE_CHECKING:
    from codemods.cli.session import Session
    from codemods.engine import Allow, FixResult
    from codemods.files import DiskFiles


class Unwritable(Collection[str]):
    """The files that cannot be written; each is looked at when a fix asks for it."""

    def __init__(self, files: DiskFiles) -> None:
        self._files = files
        self._known: dict[str, str] = {}

    def why(self, name: str) -> str:
        """Why a file (by the engine's name) cannot be written, or ""."""
        if name not in self._known:
            self._known[name] = apply.refusal(self._files.absolute(name))
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return bool(self.why(str(name)))

    def __iter__(self) -> Iterator[str]:
        return (name for name, why in self._known.items() if why)

    def __len__(self) -> int:
        return sum(map(bool, self._known.values()))


def files(session: Session, diff: bool) -> Collection[str]:
    """What is frozen: all but standard input, or what cannot be written, or nothing for a mere patch."""
    space = session.workspace
    if session.stdin:
        return set(space.files.paths()) - {session.stdin}
    return () if diff else Unwritable(space.files)


def blocked(session: Session, result: FixResult, allow: Allow) -> list[str]:
    """One line for each frozen file (for standard input: each finding) that keeps a fix from happening."""
    from codemods.edits import fix_edits
    from codemods.engine import pick

    view = session.view(result.report)
    free = replace(allow, frozen=())
    places: dict[str, list[str]] = {}
    lines = []
    for one in result.report.diagnostics:
        wanted = pick(one, free)
        if wanted is None or pick(one, allow) is not None:
            continue
        place = f"{view.place(one.span)} {one.code}"
        names = sorted({edit.path for edit in fix_edits(wanted) if edit.path in allow.frozen})
        for name in names:
            places.setdefault(name, []).append(place)
        lines.append(f"{place} is left: its fix also changes {', '.join(map(view.path, names))}")
    if not isinstance(allow.frozen, Unwritable):
        return lines
    return [
        f"{view.path(name)}: {allow.frozen.why(name)}; left because of that: {', '.join(found)}"
        for name, found in sorted(places.items())
    ]
