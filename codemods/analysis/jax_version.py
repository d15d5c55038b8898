"""Which JAX a project runs with: what its code can only run with, else what it is told."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from codemods.analysis.index import Project
from codemods.knowledge import jax_memory as table

Version = tuple[int, ...]
_IMPORT = re.compile(rb"^[ \t]*(?:import|from)[ \t]+jax\b", re.M)


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

    def seen_in(self, project: Project, homes: Collection[str]) -> JaxVersion:
        """The same, unless code in the source trees of `homes` needs an older one, or a newer one."""
        trees = tuple({project.top(home) + "/" for home in homes} - {"/"})
        for path in project.paths:
            data = project.bytes_of(path) if not trees or path.startswith(trees) else b""
            if not _IMPORT.search(data):
                continue
            for word in table.EVIDENCE_OLD:
                if self.typed and word.encode() in data:
                    return JaxVersion(table.OLD, f"`{word}` in {path} needs one before 0.7.1")
            for word in table.EVIDENCE_NEW:
                if not self.typed and word.encode() in data:
                    return JaxVersion(table.TYPED_SINCE, f"`{word}` in {path} needs 0.7.1 or newer")
        return self
