"""One module: its scopes, what each scope binds, and where every identifier stands.

A `Scope` is a module, a class, a function (lambdas included) or a comprehension. Functions and
classes are their scopes: the same object serves as "this function" everywhere in the analysis.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from zlib import crc32

from codemods.analysis import tree
from codemods.analysis.tree import Node
from codemods.model import Span
from codemods.source import LineIndex, Source


@dataclass(frozen=True, eq=False)
class Binding:
    """One place that binds a name.

    kind: assign, aug, ann (no value), param, import, from, star-import, def, class, for, comp, with,
    walrus, except, match, del. node: the node that stores the name. value: what is bound, or what it
    is taken from: the iterable of `for` and `comp`, the context manager of `with`.
    path: how to get from the value to the name: indices of a destructuring, -1 for a starred rest.
    """

    kind: str
    node: Node
    value: Node | None
    path: tuple[int, ...] = ()


@dataclass(eq=False)
class Scope:
    kind: str  # module | class | function | comprehension
    node: Node
    module: Module
    parent: Scope | None
    name: str
    bindings: dict[str, list[Binding]] = field(default_factory=lambda: defaultdict(list))
    elsewhere: dict[str, str] = field(default_factory=dict)  # names declared global or nonlocal
    inner: list[Scope] = field(default_factory=list)
    number: int = 0  # the same in every process

    def __hash__(self) -> int:
        return self.number

    own: list[Node] | None = None  # the nodes of the body without nested functions, once somebody asked

    @property
    def qualname(self) -> str:
        """Dotted name with the module, as a user writes it: `pkg.mod.Class.method`."""
        parts, scope = [], self
        while scope.parent is not None:
            if scope.kind != "comprehension":
                parts.append(scope.name)
            scope = scope.parent
        return ".".join([self.module.name, *reversed(parts)])

    @property
    def function(self) -> Scope | None:
        """The innermost function that holds this scope (itself, if it is one)."""
        scope: Scope | None = self
        while scope is not None and scope.kind != "function":
            if scope.kind == "class":
                return None
            scope = scope.parent
        return scope

    @property
    def owner(self) -> Scope | None:
        """The class whose body defines this function, if any."""
        return self.parent if self.parent is not None and self.parent.kind == "class" else None

    @property
    def body(self) -> list[Node]:
        return self.node.body if isinstance(self.node.body, list) else [self.node.body]

    @property
    def params(self) -> list[Node]:
        """Positional parameters, in order (gast keeps parameters as names)."""
        args = self.node.args
        return [*args.posonlyargs, *args.args]

    @property
    def is_static(self) -> bool:
        return "staticmethod" in self.plain_decorators

    @property
    def plain_decorators(self) -> list[str]:
        """Decorators that are bare or dotted names, as text."""
        found = []
        for node in getattr(self.node, "decorator_list", []):
            if isinstance(node, tree.Name):
                found.append(node.id)
            elif isinstance(node, tree.Attribute):
                found.append(node.attr)
        return found

    def default(self, name: str) -> Node | None:
        """The default value of a parameter."""
        args = self.node.args
        positional = self.params
        for param, value in zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True):
            if param.id == name:
                return value
        for param, value in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            if param.id == name:
                return value
        return None


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
            self.root = _Builder(self).build()

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


class _Builder:
    """Fills a module's tables in one walk."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def build(self) -> Scope:
        root = Scope("module", self.module.tree, self.module, None, "")
        self.module.scope_of[self.module.tree] = root
        for statement in self.module.tree.body:
            self.visit(statement, self.module.tree, root)
        return root

    def visit(self, node: Node, parent: Node, scope: Scope) -> None:
        module = self.module
        module.parent[node] = parent
        kind = type(node)
        if kind is tree.Name:
            module.mentions[node.id].append(node)
            if node.annotation is not None:
                self.visit(node.annotation, node, scope)
            return
        if kind is tree.Attribute:
            module.mentions[node.attr].append(node)
        elif kind in (tree.FunctionDef, tree.AsyncFunctionDef, tree.Lambda):
            self.function(node, scope)
            return
        elif kind is tree.ClassDef:
            self.class_(node, scope)
            return
        elif kind in (tree.ListComp, tree.SetComp, tree.GeneratorExp, tree.DictComp):
            self.comprehension(node, scope)
            return
        else:
            self.bind(node, scope)
        for child in tree.children(node):
            self.visit(child, node, scope)

    # what binds

    def bind(self, node: Node, scope: Scope) -> None:
        if isinstance(node, tree.Assign):
            for target in node.targets:
                self.target("assign", target, node.value, scope)
        elif isinstance(node, tree.AnnAssign):
            self.target("assign" if node.value is not None else "ann", node.target, node.value, scope)
        elif isinstance(node, tree.AugAssign):
            self.target("aug", node.target, node, scope)
        elif isinstance(node, (tree.For, tree.AsyncFor)):
            self.target("for", node.target, node.iter, scope)
        elif isinstance(node, tree.NamedExpr):
            holder = scope
            while holder.kind == "comprehension" and holder.parent is not None:
                holder = holder.parent
            self.target("walrus", node.target, node.value, holder)
        elif isinstance(node, (tree.With, tree.AsyncWith)):
            for item in node.items:
                if item.optional_vars is not None:
                    self.target("with", item.optional_vars, item.context_expr, scope)
        elif isinstance(node, (tree.Import, tree.ImportFrom)):
            self.imported(node, scope)
        elif isinstance(node, (tree.Global, tree.Nonlocal)):
            for name in node.names:
                scope.elsewhere[name] = "global" if isinstance(node, tree.Global) else "nonlocal"
        elif isinstance(node, tree.ExceptHandler):
            if node.name is not None:
                self.target("except", node.name, None, scope)
        elif isinstance(node, tree.Delete):
            for target in node.targets:
                self.target("del", target, None, scope)
        elif type(node).__name__ in ("MatchAs", "MatchStar", "MatchMapping"):
            name = getattr(node, "name", None) or getattr(node, "rest", None)
            if name:
                scope.bindings[name].append(Binding("match", node, None))
        if isinstance(node, tree.Assign) and scope.kind == "module":
            self.dunder_all(node)

    def target(self, kind: str, target: Node, value: Node | None, scope: Scope, path: tuple[int, ...] = ()) -> None:
        if isinstance(target, str):
            scope.bindings[target].append(Binding(kind, scope.node, value, path))
        elif isinstance(target, tree.Name):
            holder = scope
            if scope.elsewhere.get(target.id) == "global":
                holder = self.module.scope_of[self.module.tree]
            elif scope.elsewhere.get(target.id) == "nonlocal":
                outer = scope.parent
                while outer is not None and (outer.kind == "class" or target.id not in outer.bindings):
                    outer = outer.parent
                holder = outer or scope
            holder.bindings[target.id].append(Binding(kind, target, value, path))
        elif isinstance(target, (tree.Tuple, tree.List)):
            starred = next((i for i, one in enumerate(target.elts) if isinstance(one, tree.Starred)), None)
            for index, one in enumerate(target.elts):
                step = index if starred is None or index < starred else index - len(target.elts)
                self.target(kind, one, value, scope, (*path, step))
        elif isinstance(target, tree.Starred):
            self.target(kind, target.value, None, scope)

    def imported(self, node: Node, scope: Scope) -> None:
        self.module.imports.append(node)
        for alias in node.names:
            if alias.name == "*":
                scope.bindings["*"].append(Binding("star-import", node, None))
            elif isinstance(node, tree.Import):
                name = alias.asname or alias.name.split(".")[0]
                scope.bindings[name].append(Binding("import", alias, None))
            else:
                scope.bindings[alias.asname or alias.name].append(Binding("from", alias, None))
            self.module.parent[alias] = node

    def dunder_all(self, node: Node) -> None:
        target = node.targets[0]
        if isinstance(target, tree.Name) and target.id == "__all__" and isinstance(node.value, (tree.List, tree.Tuple)):
            self.module.exports = {
                one.value for one in node.value.elts if isinstance(one, tree.Constant) and isinstance(one.value, str)
            }

    # what opens a scope

    def open(self, kind: str, node: Node, scope: Scope, name: str) -> Scope:
        inner = Scope(kind, node, self.module, scope, name)
        inner.number = crc32(f"{self.module.path}\0{node.lineno}\0{node.col_offset}\0{name}".encode("utf-8", "surrogatepass"))
        scope.inner.append(inner)
        self.module.scope_of[node] = inner
        return inner

    def function(self, node: Node, scope: Scope) -> None:
        name = "<lambda>" if isinstance(node, tree.Lambda) else node.name
        inner = self.open("function", node, scope, name)
        self.module.functions.append(inner)
        if not isinstance(node, tree.Lambda):
            scope.bindings[name].append(Binding("def", node, None))
            for decorator in node.decorator_list:
                self.visit(decorator, node, scope)
            if node.returns is not None:
                self.visit(node.returns, node, scope)
        args = node.args
        self.module.parent[args] = node
        for value in [*args.defaults, *[one for one in args.kw_defaults if one is not None]]:
            self.visit(value, node, scope)
        named = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        for param in [*named, *[one for one in (args.vararg, args.kwarg) if one is not None]]:
            self.module.parent[param] = args
            kind = "param" if any(param is one for one in named) else "rest"
            inner.bindings[param.id].append(Binding(kind, param, None))
            if param.annotation is not None:
                self.visit(param.annotation, param, scope)
        body = node.body if isinstance(node.body, list) else [node.body]
        for statement in body:
            self.visit(statement, node, inner)

    def class_(self, node: Node, scope: Scope) -> None:
        scope.bindings[node.name].append(Binding("class", node, None))
        inner = self.open("class", node, scope, node.name)
        self.module.classes.append(inner)
        for one in [*node.decorator_list, *node.bases, *node.keywords]:
            self.visit(one, node, scope)
        for statement in node.body:
            self.visit(statement, node, inner)

    def comprehension(self, node: Node, scope: Scope) -> None:
        inner = self.open("comprehension", node, scope, "<comprehension>")
        for index, generator in enumerate(node.generators):
            self.module.parent[generator] = node
            self.target("comp", generator.target, generator.iter, inner)
            self.visit(generator.iter, generator, scope if index == 0 else inner)
            self.visit(generator.target, generator, inner)
            for condition in generator.ifs:
                self.visit(condition, generator, inner)
        values = [node.key, node.value] if isinstance(node, tree.DictComp) else [node.elt]
        for value in values:
            self.visit(value, node, inner)
