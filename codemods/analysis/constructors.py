"""Where `__init__` of a class gets a new attribute."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.analysis import making, objects, present, spelling, tree
from codemods.analysis.compiled import Program
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Class


class NoPlaceError(Exception):
    """Why no generator can be had there; in words."""


@dataclass(frozen=True)
class Insertion:
    """New lines, once, however many draws need them.

    where: "after" or "above" the statement `node`. lines: a tab in front is one step of indentation.
    """

    key: str
    module: Module
    where: str
    node: Node
    lines: tuple[str, ...]


def attribute(cls: Scope, name: str, text: str, behind: str, program: Program) -> Insertion:
    """`self.name = text` in `__init__`, which is made where there is none.

    behind: an attribute that has to be set before; "" without one. In `text`, `self.` is the object.
    Raises NoPlaceError.
    """
    _check_makers(cls, program)
    if "__slots__" in cls.bindings:
        raise NoPlaceError(f"`{cls.name}` lists its attributes in `__slots__`")
    init = next((b.node for b in reversed(cls.bindings.get("__init__", [])) if b.kind == "def"), None)
    key = f"attribute:{cls.module.path}:{cls.qualname}"
    if init is None:
        return _new(key, cls, f"self.{name} = {text}", program)
    params = cls.module.scope_of[init].params
    me = params[0].id if params else "self"
    where, anchor = _place(cls, init, behind, program)
    line = f"{me}.{name} = {text.replace('self.', f'{me}.') if behind else text}"
    return Insertion(key, cls.module, where, anchor, (line,))


def free_attribute(cls: Scope, wanted: str, program: Program) -> str:
    """A name that neither the module of a class nor those of the classes above and below it use."""
    related = [one.scope for one in objects.order(program.ev, cls) if isinstance(one, Class)]
    modules = {one.module.path: one.module for one in (*related, *objects.subclasses(program.ev, cls))}
    return spelling.fresh_name(cls.module, wanted, *modules.values())


def _check_makers(cls: Scope, program: Program) -> None:
    """Raises NoPlaceError where objects are made without the attribute, or while a function is traced."""
    for one in (cls, *objects.subclasses(program.ev, cls)):
        init = objects.method(program.ev, one, "__init__")
        if init is not None and init in program.reached:
            raise NoPlaceError(f"objects of `{one.name}` are made in compiled code")
        own = next((b.node for b in one.bindings.get("__init__", []) if b.kind == "def"), None)
        if one is not cls and own is not None and not makes_base(own, one, cls, program):
            raise NoPlaceError(f"`{one.name}.__init__` does not call that of `{cls.name}`")


def makes_base(init: Node, below: Scope, cls: Scope, program: Program) -> bool:
    """Does the `__init__` of a class run that of one above it, by `super()` or by its name?"""
    for call in tree.walk(init):
        callee = call.func if isinstance(call, tree.Call) else None
        if not isinstance(callee, tree.Attribute) or callee.attr != "__init__":
            continue
        skipping = isinstance(callee.value, tree.Call)  # `super(A, self)` begins above `A`
        if skipping and tree.identifier(callee.value.func) != "super":
            continue
        if skipping and not callee.value.args:
            return True
        named = callee.value.args[0] if skipping else callee.value
        for value in program.ev.evaluate(named, below.module):
            scope = value.scope if isinstance(value, Class) else None
            if scope is None or (skipping and scope is cls):
                continue
            if Class(cls) in objects.order(program.ev, scope):
                return True
    return False


def _new(key: str, cls: Scope, line: str, program: Program) -> Insertion:
    if objects.dataclass_fields(program.ev, cls) is not None:
        raise NoPlaceError(f"`{cls.name}` has no `__init__` of its own, but a generated one")
    first = next((s for s in cls.node.body if isinstance(s, tree.FUNCTIONS)), None)
    if first is None:
        raise NoPlaceError(f"`{cls.name}` has no `__init__`, and no method to put one before")
    return Insertion(key, cls.module, "above", first, making.constructor(line))


def _place(cls: Scope, init: Node, behind: str, program: Program) -> tuple[str, Node]:
    """Behind the call of the base class, and behind the attribute that is needed."""
    anchors: list[Node] = [s for s in init.body if _calls_base(s)][:1]
    if behind:
        stored = [s for s in init.body if behind in {name for name, _ in present.stored_by(s)}]
        if not stored:
            raise NoPlaceError(f"`{behind}` is not set in any case by `{cls.name}.__init__`")
        anchors += stored[-1:]
    if anchors:
        return "after", max(anchors, key=lambda node: node.lineno)
    if objects.is_keras(program.ev, cls):
        raise NoPlaceError(f"`{cls.name}.__init__` does not call that of its base class")
    first = init.body[0]
    is_text = isinstance(first, tree.Expr) and isinstance(first.value, tree.Constant)
    return "after" if is_text else "above", first


def _calls_base(statement: Node) -> bool:
    """Is it `super().__init__(...)`, or `Base.__init__(self, ...)`?"""
    call = statement.value if isinstance(statement, tree.Expr) else None
    return isinstance(call, tree.Call) and getattr(call.func, "attr", "") == "__init__"
