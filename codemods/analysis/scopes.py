"""One module: its scopes, what each scope binds, and where every identifier stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from codemods.analysis import tree
from codemods.analysis.binder import Builder
from codemods.analysis.names import Binding, Scope
from codemods.analysis.tree import Node
from codemods.model import Span
from codemods.source import LineIndex, Source


class Module:
    """A parsed module with its scopes. Raises SyntaxError where the text does not parse."""

    def __init__(self, name: str, source: Source, is_package: bool = False) -> None:
        self.name = name
        self.path = source.path
        self.source = source
        self.is_package = is_package
        self.lines = LineIndex(source.text)
        self.tree = tree.parse(source.text)
        self.parent: dict[Node, Node] = {}
        self.scope_of: dict[Node, Scope] = {}  # the scope that a def, class, lambda or comprehension opens
        self.mentions: dict[str, list[Node]] = defaultdict(list)  # identifier -> Name and Attribute nodes
        self.imports: list[Node] = []
        self.functions: list[Scope] = []
        self.classes: list[Scope] = []
        self.exports: set[str] | None = None  # __all__, if it can be read
        self._enclosing: dict[Node, Scope] = {}
        with tree.deep_recursion():
            self.root = Builder(self).build()

    # positions

    def offset(self, line: int, column: int) -> int:
        return self.lines.offset_utf8(line, column)

    def span(self, node: Node) -> Span:
        """Where a node stands."""
        return Span(
            self.path,
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def text(self, node: Node) -> str:
        """The source text of a node, as written."""
        span = self.span(node)
        return self.source.text[span.start : span.end]

    def header(self, node: Node) -> str:
        """The source text of a compound statement before its body."""
        span = self.span(node)
        first = node.body[0]
        return self.source.text[span.start : self.offset(first.lineno, first.col_offset)]

    # tree relations

    def enclosing(self, node: Node) -> Scope:
        """The scope in which an expression is evaluated."""
        found = self._enclosing.get(node)
        if found is None:
            found = self._enclosing[node] = self._find_enclosing(node)
        return found

    def _find_enclosing(self, node: Node) -> Scope:
        below, child = node, node
        current = self.parent.get(node)
        while current is not None:
            scope = self.scope_of.get(current)
            if scope is not None and self._inside(current, child, below):
                return scope
            below, child, current = child, current, self.parent.get(current)
        return self.root

    @staticmethod
    def _inside(opener: Node, child: Node, below: Node) -> bool:
        """Is `child` of `opener` (and `below`, its child) evaluated in the scope that `opener` opens?"""
        if isinstance(opener, tree.Lambda):
            return child is opener.body or child is opener.args
        if isinstance(opener, (tree.FunctionDef, tree.AsyncFunctionDef)):
            return any(child is statement for statement in opener.body) or child is opener.args
        if isinstance(opener, tree.ClassDef):
            return any(child is statement for statement in opener.body)
        if isinstance(opener, (tree.ListComp, tree.SetComp, tree.GeneratorExp, tree.DictComp)):
            first = opener.generators[0]  # its iterable is evaluated outside
            return not (child is first and below is first.iter)
        return isinstance(opener, tree.Module)

    def ancestors(self, node: Node) -> Iterator[Node]:
        current = self.parent.get(node)
        while current is not None:
            yield current
            current = self.parent.get(current)

    def statement(self, node: Node) -> Node:
        """The statement that holds a node (itself, if it is one)."""
        current = node
        while not isinstance(current, tree.stmt):
            current = self.parent[current]
        return current

    def block(self, statement: Node) -> list[Node]:
        """The list of statements that a statement stands in."""
        parent = self.parent.get(statement, self.tree)
        for name in ("body", "orelse", "finalbody", "handlers"):
            block = getattr(parent, name, None)
            if isinstance(block, list) and any(one is statement for one in block):
                return block
        return [statement]


__all__ = ["Binding", "Module", "Scope"]
