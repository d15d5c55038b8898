"""Which JAX a project runs with: what its code can only run with, else what it is told."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.analysis.index import Project
from codemods.knowledge import jax_memory as table

Version = tuple[int, ...]


@dataclass(frozen=True)
class JaxVersion:
    """version: (major, minor, patch). how: where that comes from, in words."""

    version: Version = table.NEWEST
    how: str = "the newest that is known; nothing says which"

    @property
    def typed(self) -> bool:
        """Is the memory space part of the type of an array?"""
        return self.version >= table.TYPED_SINCE

    @property
    def words(self) -> str:
        """The version and where it comes from, for people."""
        return f"JAX {'.'.join(map(str, self.version))} ({self.how})"

    def seen_in(self, project: Project) -> JaxVersion:
        """The same, unless the code of the project runs only with older or only with newer versions."""
        for path in project.paths:
            data = project.bytes_of(path)
            if b"jax" not in data:
                continue
            for word in table.EVIDENCE_OLD:
                if self.typed and word.encode() in data:
                    return JaxVersion(table.OLD, f"`{word}` in {path} needs one before 0.7.1")
            for word in table.EVIDENCE_NEW:
                if not self.typed and word.encode() in data:
                    return JaxVersion(table.TYPED_SINCE, f"`{word}` in {path} needs 0.7.1 or newer")
        return self
