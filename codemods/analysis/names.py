"""What a scope binds, and which binding a name means.

A `Scope` is a module, a class, a function (lambdas included) or a comprehension. Functions and
classes are their scopes: the same object serves as "this function" everywhere in the analysis.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codemods.analysis import tree
from codemods.analysis.tree import Node

if TYPE_CHECKING:
    from codemods.analysis.scopes import Module


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
    own: list[Node] | None = None  # the nodes of the body without nested functions, once somebody asked

    def __hash__(self) -> int:
        return self.number

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
    def receiver(self) -> str:
        """The parameter that gets the object of a method, or the class; "" where there is none."""
        if self.owner is None or self.is_static or not self.params:
            return ""
        return str(self.params[0].id)

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
        for param, value in zip(
            positional[len(positional) - len(args.defaults) :], args.defaults, strict=True
        ):
            if param.id == name:
                return value
        for param, value in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            if param.id == name:
                return value
        return None


def find_binding_scope(scope: Scope, name: str) -> Scope | None:
    """The scope whose binding of `name` an expression in `scope` sees (class scopes only from inside)."""
    current: Scope | None = scope
    first = True
    while current is not None:
        where = current.elsewhere.get(name)
        if where == "global":
            root = current.module.root
            return root if name in root.bindings else None
        if name in current.bindings and where is None and (first or current.kind != "class"):
            return current
        first = first and current.kind == "comprehension"
        current = current.parent
    return None


def may_be_called(call: Node, module: Module, *names: str) -> bool:
    """Can the callee be a library function of one of these names? Cheap, and never wrongly False.

    The name stands there as an attribute, or the callee is a local name bound to something of that name.
    """
    func = call.func
    if isinstance(func, tree.Attribute):
        return func.attr in names
    if not isinstance(func, tree.Name):
        return False
    if func.id in names:
        return True
    holder = find_binding_scope(module.enclosing(func), func.id)
    for binding in holder.bindings[func.id] if holder is not None else ():
        if binding.kind == "from" and binding.node.name in names:
            return True
        if binding.kind in ("assign", "walrus") and tree.identifier(binding.value) in names:
            return True
    return False
