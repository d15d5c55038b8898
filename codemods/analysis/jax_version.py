"""Which JAX a project runs with: what its code can only run with, else what it is told."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from codemods.analysis import tree
from codemods.analysis.index import Project
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.knowledge import jax_memory as table

Version = tuple[int, ...]
_ASKS = re.compile(r"hasattr|getattr|version", re.I)
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
        needs: dict[JaxVersion, None] = {}
        for path in project.paths:
            data = project.bytes_of(path) if not trees or path.startswith(trees) else b""
            if not _IMPORT.search(data):
                continue
            for word in table.EVIDENCE_OLD:
                if word.encode() in data and _needed(project, path, word):
                    needs[JaxVersion(table.OLD, f"`{word}` in {path} needs one before 0.7.1")] = None
            for word in table.EVIDENCE_NEW:
                if word.encode() in data and _needed(project, path, word):
                    needs[JaxVersion(table.TYPED_SINCE, f"`{word}` in {path} needs 0.7.1 or newer")] = None
        first = next(iter(needs), self)
        both = any(other.typed != first.typed for other in needs)  # then it can run with either
        return self if both or first.typed == self.typed else first


def _needed(project: Project, path: str, word: str) -> bool:
    """Does code say a word where nothing asks whether the JAX in use has it?"""
    module = project.module(path)
    if module is None:
        return False
    for node in tree.walk(module.tree):
        if isinstance(node, (tree.Import, tree.ImportFrom)):
            said = any(word in alias.name for alias in node.names)
        elif isinstance(node, tree.Attribute):
            said = word in f"{module.text(node)}."
        else:
            said = isinstance(node, tree.Constant) and node.value == word
        if said and not any(_asks(above, module) for above in module.ancestors(node)):
            return True
    return False


def _asks(node: Node, module: Module) -> bool:
    if isinstance(node, (tree.Try, tree.ExceptHandler)):
        return True
    return isinstance(node, (tree.If, tree.IfExp)) and _ASKS.search(module.text(node.test)) is not None
