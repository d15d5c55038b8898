"""Fills the tables of a module: what binds a name where, and what opens a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from codemods.analysis import tree
from codemods.analysis.names import Binding, Scope
from codemods.analysis.tree import Node

if TYPE_CHECKING:
    from codemods.analysis.scopes import Module


class Builder:
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

    def target(
        self, kind: str, target: Node, value: Node | None, scope: Scope, path: tuple[int, ...] = ()
    ) -> None:
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
        if (
            isinstance(target, tree.Name)
            and target.id == "__all__"
            and isinstance(node.value, (tree.List, tree.Tuple))
        ):
            self.module.exports = {
                one.value
                for one in node.value.elts
                if isinstance(one, tree.Constant) and isinstance(one.value, str)
            }

    # what opens a scope

    def open(self, kind: str, node: Node, scope: Scope, name: str) -> Scope:
        inner = Scope(kind, node, self.module, scope, name)
        inner.number = crc32(
            f"{self.module.path}\0{node.lineno}\0{node.col_offset}\0{name}".encode("utf-8", "surrogatepass")
        )
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
