"""Which modules run together: what a module imports, and who imports it, over the project."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from codemods.analysis import tree
from codemods.analysis.index import Project
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node

_MANY = 200  # modules of one program
_TEST = re.compile(r"(?:^|_)tests?(?:_|$)|^conftest$")


class TooLarge(Exception):  # noqa: N818 - an answer, not an error
    """More modules than are worth looking at."""


class Programs:
    """Answers once per module of one state of the project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._imported: dict[str, list[str]] = {}
        self._importers: dict[str, list[str]] = {}
        self._together: dict[str, list[Module]] = {}

    def importers(self, module: Module) -> list[str]:
        """The files that import a module themselves."""
        if module.path not in self._importers:
            name = module.name.rpartition(".")[2]
            paths = self._project.with_word(name, module.path)
            if len(paths) > _MANY:
                raise TooLarge(name)
            self._importers[module.path] = [
                path for path in paths if path != module.path and module.path in self._imports_of(path)
            ]
        return self._importers[module.path]

    def together(self, module: Module) -> list[Module]:
        """The modules of the programs that a module is part of, tests left out, itself first.

        Raises TooLarge.
        """
        if module.path not in self._together:
            self._together[module.path] = self._find(module)
        return self._together[module.path]

    def each(self, module: Module) -> list[list[str]]:
        """The files of each program that a module is part of. Raises TooLarge."""
        return [self._closure([top], self._imports_of) for top in self._tops(module)]

    def _find(self, module: Module) -> list[Module]:
        paths = self._closure([module.path, *self._tops(module)], self._imports_of)
        found = (self._project.module(path) for path in paths)
        return [one for one in found if one is not None]

    def _tops(self, module: Module) -> list[str]:
        above = self._closure([module.path], self._above)
        return [path for path in above if not self._above(path)] or above

    def _above(self, path: str) -> list[str]:
        module = self._project.module(path)
        found = self.importers(module) if module is not None else []
        return [other for other in found if is_test(path) or not is_test(other)]

    @staticmethod
    def _closure(start: list[str], following: Callable[[str], list[str]]) -> list[str]:
        found = list(dict.fromkeys(start))
        for path in found:
            for other in following(path):
                if other not in found:
                    found.append(other)
            if len(found) > _MANY:
                raise TooLarge(path)
        return found

    def _imports_of(self, path: str) -> list[str]:
        """The files of the project that a file imports, with the packages that they are in."""
        if path not in self._imported:
            module = self._project.module(path)
            found: dict[str, None] = {}
            for statement in module.imports if module is not None else ():
                for target in self._targets(module, statement):  # type: ignore[arg-type]
                    found.update(dict.fromkeys([*self._packages(target), target]))
            found.pop(path, None)
            self._imported[path] = list(found)
        return self._imported[path]

    def _targets(self, module: Module, statement: Node) -> Iterator[str]:
        project = self._project
        if isinstance(statement, tree.Import):
            names = [alias.name for alias in statement.names]
            paths = [project.find(name, module.path) for name in names]
        elif statement.level:
            base = project.find_relative(module, statement.level, statement.module)
            paths = [base]
            for alias in statement.names:
                inner = ".".join(part for part in (statement.module, alias.name) if part)
                paths.append(project.find_relative(module, statement.level, inner))
        else:
            paths = [project.find(statement.module, module.path)]
            paths += [project.find(f"{statement.module}.{a.name}", module.path) for a in statement.names]
        yield from (path for path in paths if path is not None)

    def _packages(self, path: str) -> Iterator[str]:
        """The `__init__` files that run when a file is imported."""
        folder = os.path.dirname(path)
        while True:
            init = os.path.join(folder, "__init__.py")
            if self._project.module(init) is None:
                return
            yield init
            folder = os.path.dirname(folder)


def is_test(path: str) -> bool:
    """Does a file hold tests, by its name or its folder?"""
    parts = os.path.splitext(path)[0].replace(os.sep, "/").split("/")
    return any(_TEST.search(part) for part in parts[-3:])


def is_main_guard(node: Node) -> bool:
    """Is it `if __name__ == "__main__":`?"""
    test = node.test if isinstance(node, tree.If) else None
    return isinstance(test, tree.Compare) and isinstance(test.left, tree.Name) and test.left.id == "__name__"


def top_level(node: Node, module: Module) -> Node | None:
    """The statement of the module's own body that holds a node; None inside of a function or class."""
    current = node
    for above in module.ancestors(node):
        if isinstance(above, tree.Module):
            return current
        if isinstance(above, (*tree.FUNCTIONS, tree.ClassDef)):
            return None
        current = above
    return None
