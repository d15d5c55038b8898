"""Where a random generator that a function makes on each call can be made once instead.

The places, from the function outwards: before a nested function, in the function round it; in the
`__init__` of the object that a method belongs to; at the top level of the module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemods.analysis import calls, constructors, guards, library, objects, places, tree
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api
from codemods.knowledge.generators import DEVICE_SETUP, GRAPH_MODE, MAKERS, REPLICAS

if TYPE_CHECKING:
    from codemods.analysis.compiled import Program


class NoPlaceError(Exception):
    """There is no such place; str() is the reason, for people."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where a new statement goes.

    kind: "module", "object" (in its `__init__`), "class" (which has none yet) or "function". anchor: the
    statement that it stands before, or behind (`behind`). owner: the scope that gets the name: a module,
    a class or a function. prefix: before the name ("self."). late: why it must be made only when needed.
    """

    kind: str
    anchor: Node
    behind: bool
    owner: Scope
    prefix: str = ""
    late: str = ""


def makers(function: Scope, program: Program) -> list[Node]:
    """The calls in a function's own body that make a generator."""
    return [
        node
        for node in calls.own_nodes(function)
        if isinstance(node, tree.Call) and _makes(node, function.module, program)
    ]


def _makes(node: Node, module: Module, program: Program) -> bool:
    values = program.ev.evaluate(node.func, module)
    return bool({library.without_v1(v.name) for v in values if isinstance(v, Api)} & MAKERS)


def is_lazy(node: Node, function: Scope, program: Program, depth: int = 0) -> bool:
    """Does a place run on the first trace alone: under `if x is None`, or in an object made there?"""
    if guards.first_time(node, function.module):
        return True
    reached = program.reached.get(function)
    if function.name != "__init__" or reached is None or depth > 4:
        return False
    return any(
        caller is not None and site is not None and is_lazy(site, caller, program, depth + 1)
        for caller, _, site, _ in reached.preds.values()
    )


def find(node: Node, function: Scope, program: Program) -> Place:
    """The place for a generator that `node` makes in a function. Raises NoPlaceError."""
    module = function.module
    if program.project.has_any(module.path, [word.encode() for word in REPLICAS]):
        raise NoPlaceError("with replicas it matters where the generator is made")
    if any(program.project.containing(word) for word in GRAPH_MODE):
        raise NoPlaceError("in graph mode its variable has to be initialised by hand")
    below, scope = function, function.parent
    while scope is not None:
        if scope.kind == "function" and scope not in program.reached:
            return _checked(node, below, Place("function", _first_maker(node, scope, program), False, scope))
        if scope.kind == "class" and below.kind == "function" and _self_of(below):
            return _checked(node, below, _in_init(node, below, scope, program))
        if scope.kind == "module":
            return at_top(node, program, module)
        below, scope = scope, scope.parent
    raise NoPlaceError("it stands outside of any function")


def at_top(node: Node, program: Program, module: Module) -> Place:
    """The place at the top level of the module. Raises NoPlaceError."""
    anchor = _first_maker(node, module.root, program)
    late = _imported_by(module, program) or _set_up_later(anchor, module, program) or _optional(node, module)
    return _checked(node, _outermost(node, module), Place("module", anchor, False, module.root, "", late))


def _outermost(node: Node, module: Module) -> Scope:
    scope = module.enclosing(node)
    while scope.parent is not None and scope.parent.kind != "module":
        scope = scope.parent
    return scope


def _first_maker(node: Node, owner: Scope, program: Program) -> Node:
    """The first statement of a scope that holds the same call: what is made before it serves all."""
    module = owner.module
    found = [_child(node, owner)]
    for function in _within(owner):
        if function is not owner:
            same = [n for n in makers(function, program) if module.text(n) == module.text(node)]
            found += [_child(n, owner) for n in same]
    return min(found, key=lambda n: int(n.lineno))


def _child(node: Node, owner: Scope) -> Node:
    """The statement of a scope's own body that holds a node."""
    current = owner.module.statement(node)
    while not any(current is one for one in owner.body):
        parent = owner.module.parent[current]
        if parent is owner.node or isinstance(parent, tree.Module):
            break
        current = parent
    return current


def _within(owner: Scope) -> list[Scope]:
    """The functions that a scope holds, itself included where it is one."""
    if owner.kind == "module":
        return owner.module.functions
    return [f for f in owner.module.functions if f is owner or _is_round(owner, f)]


def number(node: Node, place: Place, program: Program) -> int:
    """The how-manieth of the different generators it is that are made in the scope of a place."""
    module = place.owner.module
    functions = [f for f in _within(place.owner) if place.owner.kind != "class" or f.name != "__init__"]
    found = sorted((n for f in functions for n in makers(f, program)), key=module.span)
    texts = list(dict.fromkeys(module.text(n) for n in found))
    return texts.index(module.text(node))


def _self_of(function: Scope) -> str:
    if function.is_static or "classmethod" in function.plain_decorators or not function.params:
        return ""
    return str(function.params[0].id)


# objects


def _in_init(node: Node, method: Scope, cls: Scope, program: Program) -> Place:
    module = method.module
    found = [b.node for b in cls.bindings.get("__init__", []) if b.kind == "def"]
    if not found:
        return _without_init(method, cls, program)
    init = module.scope_of[found[-1]]
    self_name = _self_of(init)
    if not self_name or self_name != _self_of(method):
        raise NoPlaceError(f"`__init__` of `{cls.name}` calls its object by another name")
    if init in program.reached:
        raise NoPlaceError(f"objects of `{cls.name}` are made in traced code")
    for other in objects.subclasses(program.ev, cls):
        own = [b.node for b in other.bindings.get("__init__", []) if b.kind == "def"]
        if own and not constructors.makes_base(own[-1], other, cls, program):
            raise NoPlaceError(f"`__init__` of `{other.name}` does not call that of `{cls.name}`")
    anchors = [s for s in init.body if _calls_super(s)][:1]
    if not anchors and cls.node.bases:
        raise NoPlaceError(f"`__init__` of `{cls.name}` does not call `super().__init__`")
    for attr in _of_self(node, self_name):
        stored = [s for s in init.body if _stores(s, attr, self_name)]
        if not stored:
            raise NoPlaceError(f"`__init__` of `{cls.name}` does not set `{self_name}.{attr}`")
        anchors.append(stored[-1])
    if not anchors:
        return Place("object", _first(init.body), False, cls, f"{self_name}.")
    return Place("object", max(anchors, key=lambda s: int(s.lineno)), True, cls, f"{self_name}.")


def _of_self(node: Node, self_name: str) -> list[str]:
    """The attributes of the object that an expression looks at."""
    return [
        inner.attr
        for inner in tree.walk(node)
        if isinstance(inner, tree.Attribute) and getattr(inner.value, "id", "") == self_name
    ]


def _stores(statement: Node, attr: str, self_name: str) -> bool:
    targets = (
        statement.targets if isinstance(statement, tree.Assign) else [getattr(statement, "target", None)]
    )
    return any(
        isinstance(target, tree.Attribute)
        and target.attr == attr
        and getattr(target.value, "id", "") == self_name
        for target in targets
    )


def _without_init(method: Scope, cls: Scope, program: Program) -> Place:
    """Before the first method of a class that inherits its `__init__`."""
    if objects.dataclass_fields(program.ev, cls) is not None:
        raise NoPlaceError(f"`__init__` of `{cls.name}` is a generated one")
    if _self_of(method) != "self":
        raise NoPlaceError(f"`{cls.name}` has no `__init__`")
    first = next((s for s in cls.node.body if isinstance(s, tree.FUNCTIONS)), None)
    if first is None:
        raise NoPlaceError(f"`{cls.name}` has no `__init__`, and no method to put one before")
    return Place("class", first, False, cls, "self.")


def _first(body: list[Node]) -> Node:
    """The first statement that is no docstring."""
    text = isinstance(body[0], tree.Expr) and isinstance(body[0].value, tree.Constant)
    return body[1] if text and len(body) > 1 else body[0]


def _calls_super(statement: Node) -> bool:
    call = statement.value if isinstance(statement, tree.Expr) else None
    return (
        isinstance(call, tree.Call) and isinstance(call.func, tree.Attribute) and call.func.attr == "__init__"
    )


# the top level


def _imported_by(module: Module, program: Program) -> str:
    """Is it a library to other modules of the project? Importing one must not start the runtime."""
    name = module.name.split(".")[-1]
    project = program.project
    for path in project.with_word(name, module.path):
        other = project.module(path)
        if other is None or other is module:
            continue
        for statement in other.imports:
            if module.path in _imported_paths(statement, other, program):
                return f"{other.path} imports the module, and the first generator starts the runtime"
    return ""


def _imported_paths(statement: Node, other: Module, program: Program) -> list[str | None]:
    project = program.project
    if isinstance(statement, tree.Import):
        return [project.find(alias.name, other.path) for alias in statement.names]
    base = statement.module
    names = [alias.name for alias in statement.names]
    if statement.level:
        found = [project.find_relative(other, statement.level, base)]
        dotted = [f"{base}.{name}" if base else name for name in names]
        return found + [project.find_relative(other, statement.level, one) for one in dotted]
    return [project.find(one, other.path) for one in [base, *(f"{base}.{name}" for name in names)]]


def _set_up_later(anchor: Node, module: Module, program: Program) -> str:
    """Are devices configured after the place, where a generator would already have started the runtime?"""
    for word in DEVICE_SETUP:
        for path in program.project.containing(word):
            other = program.project.module(path)
            for node in other.mentions.get(word, ()) if other is not None else ():
                early = other is module and _runs_at_import(node, module) and node.lineno < anchor.lineno
                if not early:
                    return f"`{word}` at {path}:{node.lineno} must run before the first generator is made"
    return ""


def _optional(node: Node, module: Module) -> str:
    """Is a name that the call needs bound in some cases only, such as an optional import?"""
    for name in tree.walk(node):
        if isinstance(name, tree.Name) and find_binding_scope(module.enclosing(name), name.id) is module.root:
            statements = [module.statement(b.node) for b in module.root.bindings[name.id]]
            if not any(module.parent.get(s) is module.tree for s in statements):
                return f"`{name.id}` may not be there"
    return ""


def _runs_at_import(node: Node, module: Module) -> bool:
    return module.enclosing(node).function is None


# names


def _checked(node: Node, below: Scope, place: Place) -> Place:
    """Everything that the call mentions must mean the same at the place."""
    module = below.module
    begin = module.span(place.anchor).start
    for name in tree.walk(node):
        if not isinstance(name, tree.Name):
            continue
        holder = find_binding_scope(module.enclosing(name), name.id)
        if holder is None:
            continue
        if place.kind == "object" and place.prefix == f"{name.id}.":
            continue
        outside = holder.kind == "module" or (place.kind == "function" and _is_round(holder, below))
        if not outside:
            raise NoPlaceError(f"it needs `{name.id}`, which only the function has")
        bound = [b for b in holder.bindings[name.id] if b.kind not in ("param", "rest")]
        if place.prefix:
            continue
        late = [b for b in bound if module.span(module.statement(b.node)).start >= begin]
        if late and (holder is place.owner or (holder.kind == "module" and place.kind == "module")):
            raise NoPlaceError(f"`{name.id}` is bound below the place where it would be made")
    return place


def _is_round(holder: Scope, below: Scope) -> bool:
    scope = below.parent
    while scope is not None:
        if scope is holder:
            return True
        scope = scope.parent
    return False


def single_name(node: Node, function: Scope) -> tuple[str, Node, list[Node]] | None:
    """For `name = <the call>`: the name, the statement, and where the name is read.

    None where the statement cannot simply be left out: another one binds the name as well, or the
    call is only a part of it.
    """
    module = function.module
    statement = module.parent.get(node)
    if not (isinstance(statement, tree.Assign) and statement.value is node and len(statement.targets) == 1):
        return None
    target = statement.targets[0]
    if not isinstance(target, tree.Name):
        return None
    holder = find_binding_scope(module.enclosing(target), target.id)
    if holder is not function or len(holder.bindings[target.id]) != 1:
        return None
    if len(module.block(statement)) == 1 or not any(statement is s for s in function.body):
        return None
    if any(isinstance(n, (tree.Global, tree.Nonlocal)) for n in tree.walk(function.node)):
        return None
    return target.id, statement, list(places.reads(function, target.id))


def keeps_name(name: str, place: Place, function: Scope) -> bool:
    """Can the function round it use the name that the function has used so far?"""
    scope, module = place.owner, place.owner.module
    if scope.kind != "function" or name in scope.bindings or name in scope.elsewhere:
        return False
    scopes = [module.enclosing(n) for n in module.mentions.get(name, ()) if isinstance(n, tree.Name)]
    return all(find_binding_scope(s, name) is function for s in scopes if _is_round(scope, s))
