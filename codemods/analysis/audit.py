"""What changes when a number stops being a tensor: every place that a loop index flows to is looked at.

A Python loop turns the index, and what is computed from it and from other Python numbers, from int32
tensors into Python numbers. Most uses give the same; those that need a tensor, or give another dtype
or value, are found here. Only uses that are known to be the same pass without a remark.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from codemods.analysis import calls, loops, objects, tree
from codemods.analysis.compiled import Program
from codemods.analysis.library_uses import Number, library_call
from codemods.analysis.names import Scope, find_binding_scope
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    ApiObject,
    Class,
    Const,
    Function,
    Instance,
    Partial,
    Tensor,
    Unknown,
    is_static,
)

_DEPTH = 4
# Products of larger literals may leave int32, where a tensor wraps and a Python int does not.
_LARGE = 1 << 15


@dataclass
class Audit:
    """blocked: why it cannot be done (the first reason). assumptions: what must hold.

    replacements: nodes to rewrite, with their new text.
    """

    blocked: str = ""
    assumptions: list[str] = field(default_factory=list)
    replacements: list[tuple[Node, str]] = field(default_factory=list)


class Auditor:
    """Audits the body of one loop, and what comes after it in the function."""

    def __init__(self, program: Program, function: Scope, wide: bool, place: int) -> None:
        """wide: the index is int64. place: uses before this offset of the function are not looked at."""
        self.program = program
        self.function = function
        self.module = function.module
        self.wide = wide
        self.place = place
        self.result = Audit()
        self.known: dict[tuple[Scope, str], Number] = {}
        self.definitions: dict[tuple[Scope, str], set[Node | None]] = {}
        self.current = self.module  # where the uses stand that are being looked at
        self.pending: list[tuple[Scope, str]] = []

    def run(self, names: Iterable[str], index: Node | None = None) -> Audit:
        """Audit local names that become Python numbers; `index`: the target of the loop, for its own name."""
        for name in names:
            own = index if index is not None and name == index.id else None
            self.learn(self.function, name, Number("int", self.wide), own)
        self.drain(0)
        return self.result

    def parameters(self, function: Scope, names: Iterable[str], kind: str = "int") -> Audit:
        """Audit parameters of a function (the body of a `tf.while_loop`) that become Python numbers."""
        for name in names:
            self.learn(function, name, Number(kind, self.wide))
        self.drain(0)
        return self.result

    def learn(self, scope: Scope, name: str, number: Number, definition: Node | None = None) -> None:
        """A name holds a number from `definition` on (None: wherever it is bound)."""
        key = (scope, name)
        before = self.known.get(key)
        places = self.definitions.setdefault(key, set())
        fresh = definition not in places
        places.add(definition)
        if before is None or (before != number and before.kind == "int") or fresh:
            self.known[key] = number if before is None or before.kind == "int" else before
            self.pending.append(key)

    def drain(self, depth: int) -> None:
        while self.pending and not self.result.blocked:
            scope, name = self.pending.pop()
            self.name(scope, name, self.known[scope, name], depth)

    def block(self, why: str) -> None:
        self.result.blocked = self.result.blocked or why + self.elsewhere()

    def elsewhere(self) -> str:
        """Line numbers of another file need its name."""
        return "" if self.current is self.module else f" (in {self.current.path})"

    def assume(self, what: str) -> None:
        what += self.elsewhere()
        if what not in self.result.assumptions:
            self.result.assumptions.append(what)

    # uses

    def name(self, scope: Scope, name: str, number: Number, depth: int) -> None:
        module = scope.module
        places = self.definitions.get((scope, name), {None})
        for use in module.mentions.get(name, ()):
            if self.result.blocked:
                return
            seen = self.program.ev.flow.definitions(scope, use) if None not in places else None
            if seen and not seen & places:
                continue  # the name stands for something else there
            self.current = module
            if (
                not isinstance(use.ctx, tree.Load)
                or find_binding_scope(module.enclosing(use), name) is not scope
            ):
                continue
            if scope is self.function and module.span(use).start < self.place:
                continue
            self.use(module, use, number, depth)

    def use(self, module: Module, node: Node, number: Number, depth: int) -> None:
        """One expression that is a Python number from now on: where does it go?"""
        parent = module.parent.get(node)
        line = getattr(node, "lineno", 0)
        if isinstance(parent, tree.BinOp):
            self.operation(module, node, parent, number, depth)
        elif isinstance(parent, tree.UnaryOp):
            if type(parent.op).__name__ == "Invert" and number.kind == "bool":
                self.block(f"`~` at line {line} means something else for a Python bool")
            else:
                kind = "bool" if isinstance(parent.op, tree.Not) else number.kind
                self.use(module, parent, Number(kind, number.wide), depth)
        elif isinstance(parent, tree.Compare):
            sides = [s for s in (parent.left, *parent.comparators) if s is not node]
            if not any(self.is_tensor(module, side) for side in sides):
                self.use(module, parent, Number("bool"), depth)
        elif isinstance(parent, tree.BoolOp):
            self.use(module, parent, number, depth)
        elif isinstance(parent, (tree.If, tree.While)) or (
            isinstance(parent, tree.IfExp) and parent.test is node
        ):
            return
        elif isinstance(parent, tree.IfExp):
            self.use(module, parent, number, depth)
        elif isinstance(parent, (tree.Subscript, tree.Slice)):
            if number.kind == "float":
                self.block(f"the index at line {line} would be a Python float")
        elif isinstance(parent, tree.Call):
            self.argument(module, node, parent, number, depth)
        elif isinstance(parent, tree.keyword):
            self.argument(module, node, module.parent[parent], number, depth)
        elif isinstance(parent, (tree.Tuple, tree.List)):
            self.item(module, node, parent, number, depth)
        elif isinstance(parent, tree.Attribute):
            self.block(f"`{module.text(parent)}` at line {line} needs a tensor")
        elif isinstance(parent, (tree.Assign, tree.AnnAssign, tree.NamedExpr)):
            for target in parent.targets if isinstance(parent, tree.Assign) else [parent.target]:
                self.assigned(module, target, number)
            if isinstance(parent, tree.NamedExpr):
                self.use(module, parent, number, depth)
        elif isinstance(parent, tree.AugAssign):
            self.augmented(module, parent, number)
        elif isinstance(parent, tree.Return):
            self.leaves(module, node, number)
        elif isinstance(parent, tree.Lambda):
            self.assume(f"the lambda at line {line} may return a Python {number.kind}")
        elif isinstance(parent, (tree.FormattedValue, tree.JoinedStr, tree.Expr, tree.stmt)):
            return
        else:
            self.assume(f"`{module.text(node)}` at line {line} may be a Python {number.kind}")

    def is_tensor(self, module: Module, node: Node) -> bool:
        """Is a value a tensor after the change as well? Numbers that change are not."""
        values = self.program.ev.evaluate(node, module)
        return any(isinstance(v, Tensor) for v in values) and not self.only_numbers(module, node)

    def only_numbers(self, module: Module, node: Node) -> bool:
        """Is an expression made of names that become Python numbers, and of Python numbers?"""
        names = [n for n in tree.walk(node) if isinstance(n, tree.Name)]
        changed = [n for n in names if (find_binding_scope(module.enclosing(n), n.id), n.id) in self.known]
        if not changed or any(
            isinstance(n, (tree.Call, tree.Subscript, tree.Attribute)) for n in tree.walk(node)
        ):
            return False
        rest = [n for n in names if n not in changed]
        return all(all(is_static(v) for v in self.program.ev.evaluate(n, module)) for n in rest)

    def operation(self, module: Module, node: Node, parent: Node, number: Number, depth: int) -> None:
        other = parent.right if parent.left is node else parent.left
        line = node.lineno
        if self.is_tensor(module, other):
            if number.kind == "float":
                self.assume(f"a Python float at line {line} was a float64 tensor")
            elif number.kind == "bool":
                self.assume(f"a Python bool at line {line} was a tensor")
            elif isinstance(parent.op, tree.Div):
                values = self.program.ev.evaluate(other, module)
                if any(isinstance(v, Tensor) and v.kind == "int" for v in values):
                    return  # tensors of ints divide to float64 either way
            return
        values = self.program.ev.evaluate(other, module)
        if any(isinstance(v, Unknown) for v in values) and not self.only_numbers(module, other):
            self.assume(f"`{module.text(other)}` at line {line} is a tensor or a Python number")
        constant = loops.literal(other)
        if isinstance(parent.op, (tree.Mult, tree.Pow)) and constant is not None and abs(constant) > _LARGE:
            self.assume(f"`{module.text(parent)}` at line {line} stays within int32")
        kind = number.kind
        if isinstance(parent.op, tree.Div) or any(
            isinstance(v, Const) and isinstance(v.value, float) for v in values
        ):
            kind = "float"
        elif kind == "bool":
            kind = "int"
        self.use(module, parent, Number(kind, number.wide), depth)

    def item(self, module: Module, node: Node, container: Node, number: Number, depth: int) -> None:
        outer = module.parent.get(container)
        if isinstance(outer, (tree.Subscript, tree.Slice)):
            return
        if isinstance(outer, tree.Assign) and isinstance(outer.targets[0], (tree.Tuple, tree.List)):
            targets = outer.targets[0].elts
            if len(targets) == len(container.elts):
                self.assigned(module, targets[container.elts.index(node)], number)
                return
        if (
            isinstance(outer, tree.Assign)
            and isinstance(outer.targets[0], tree.Name)
            and len(outer.targets) == 1
        ):
            self.packed(module, outer.targets[0], number, depth)
        elif isinstance(outer, tree.Call):
            self.argument(module, container, outer, number, depth)
        elif isinstance(outer, tree.keyword):
            self.argument(module, container, module.parent[outer], number, depth)
        elif isinstance(outer, (tree.Tuple, tree.List)):
            self.item(module, container, outer, number, depth)
        elif isinstance(outer, (tree.Return, tree.Lambda)):
            self.leaves(module, node, number)
        else:
            self.assume(f"`{module.text(node)}` at line {node.lineno} may be a Python {number.kind}")

    def packed(self, module: Module, target: Node, number: Number, depth: int) -> None:
        """A name for a tuple with the number in it."""
        holder = find_binding_scope(module.enclosing(target), target.id)
        for use in module.mentions.get(target.id, ()):
            if (
                not isinstance(use.ctx, tree.Load)
                or find_binding_scope(module.enclosing(use), use.id) is not holder
            ):
                continue
            parent = module.parent.get(use)
            if isinstance(parent, tree.Subscript) and parent.value is use:
                self.use(module, parent, number, depth)
            elif isinstance(parent, (tree.Call, tree.keyword)):
                call = parent if isinstance(parent, tree.Call) else module.parent[parent]
                self.argument(module, use, call, number, depth)
            elif isinstance(parent, tree.Assign) and isinstance(parent.targets[0], (tree.Tuple, tree.List)):
                for one in parent.targets[0].elts:
                    self.assigned(module, one, number)
            else:
                self.assume(f"`{use.id}` at line {use.lineno} may hold a Python {number.kind}")

    def assigned(self, module: Module, target: Node, number: Number) -> None:
        if isinstance(target, tree.Name):
            holder = find_binding_scope(module.enclosing(target), target.id)
            if holder is not None and holder.kind == "function":
                self.learn(holder, target.id, number, target)
                return
        self.assume(f"`{module.text(target)}` at line {target.lineno} may hold a Python {number.kind}")

    def augmented(self, module: Module, statement: Node, number: Number) -> None:
        target = statement.target
        if not isinstance(target, tree.Name):
            self.assume(f"`{module.text(target)}` at line {target.lineno} may hold a Python {number.kind}")
            return
        use = next((n for n in module.mentions[target.id] if isinstance(n.ctx, tree.Load)), target)
        values = self.program.ev.evaluate(use, module)
        if any(isinstance(v, Tensor) and not (v.kind == "int" and v.const is None) for v in values):
            if number.kind == "float":
                self.assume(f"a Python float at line {statement.lineno} was a float64 tensor")
            return
        kind = "float" if isinstance(statement.op, tree.Div) else number.kind
        self.assigned(module, target, Number(kind, number.wide))

    def leaves(self, module: Module, node: Node, number: Number) -> None:
        """A returned number: of the function itself it is made a tensor again, if that is its dtype."""
        function = module.enclosing(node).function
        if function is not None and function is not self.function:
            return  # a helper: its result is followed at the call
        if function is not None and not any(root.function is function for root in self.program.roots):
            self.assume(f"no eager caller needs what is returned at line {node.lineno} as a tensor")
        if number.wide:
            self.block(f"the int64 index is returned at line {node.lineno}, and would be int32")
        elif number.kind == "float":
            self.block(
                f"`{module.text(node)}` is returned at line {node.lineno} as a float64 tensor, "
                "and would be a Python float"
            )

    # calls

    def argument(self, module: Module, node: Node, call: Node, number: Number, depth: int) -> None:
        if not isinstance(call, tree.Call):
            self.assume(f"`{module.text(node)}` at line {node.lineno} may be a Python {number.kind}")
            return
        spelled = module.text(call.func)
        for value in self.program.ev.evaluate(call.func, module):
            if isinstance(value, Function):
                self.helper(module, node, call, value, number, depth)
            elif isinstance(value, Api):
                library_call(self, module, node, call, value.name, number, depth)
            elif isinstance(value, Unknown):
                self.assume(f"`{spelled}` at line {call.lineno} takes a Python {number.kind}")
            elif isinstance(value, Class):
                self.assume(f"`{spelled}` at line {call.lineno} may keep a Python {number.kind}")
            elif isinstance(value, (Instance, ApiObject, Partial)):
                target = self.method(value)
                if target is None:
                    self.block(
                        f"`{spelled}` at line {call.lineno} is called with the index, and may need a tensor"
                    )
                else:
                    self.helper(module, node, call, target, number, depth)

    def method(self, value: Instance | ApiObject | Partial) -> Function | None:
        if not isinstance(value, Instance) or objects.is_keras(self.program.ev, value.scope):
            return None
        found = [v for v in objects.call_method(self.program.ev, value) if isinstance(v, Function)]
        return found[0] if len(found) == 1 else None

    def helper(
        self, module: Module, node: Node, call: Node, value: Function, number: Number, depth: int
    ) -> None:
        """Into a helper with the number as a parameter, and on with what it returns."""
        function = value.scope
        params = [param.id for param in function.params]
        if value.bound is not None and not function.is_static:
            params = params[1:]
        name = next((kw.arg for kw in call.keywords if kw.value is node), None)
        if name is None and node in call.args and not any(isinstance(a, tree.Starred) for a in call.args):
            position = call.args.index(node)
            name = params[position] if position < len(params) else None
        if name is None or name not in function.bindings or depth >= _DEPTH:
            self.assume(f"`{module.text(call.func)}` at line {call.lineno} takes a Python {number.kind}")
            return
        if function is self.function:
            self.assume(f"`{module.text(call.func)}` at line {call.lineno} takes a Python {number.kind}")
            return
        here = self.current
        self.learn(function, name, number, function.bindings[name][0].node)
        self.drain(depth + 1)
        self.current = here
        if self.result.blocked:
            return
        returns = [
            n.value for n in calls.own_nodes(function) if isinstance(n, tree.Return) and n.value is not None
        ]
        if isinstance(function.node, tree.Lambda):
            returns = [function.node.body]
        for expression in returns:
            kind = self.kind_of(function.module, expression)
            if kind is not None:
                self.use(module, call, Number(kind, number.wide), depth)
                return

    def kind_of(self, module: Module, node: Node) -> str | None:
        """The kind of Python number that an expression becomes; None if it is none."""
        if isinstance(node, tree.Name):
            known = self.known.get(
                (find_binding_scope(module.enclosing(node), node.id) or self.function, node.id)
            )
            return known.kind if known is not None else None
        if not self.only_numbers(module, node):
            return None
        if isinstance(node, (tree.Compare, tree.BoolOp)) or (
            isinstance(node, tree.UnaryOp) and isinstance(node.op, tree.Not)
        ):
            return "bool"
        return "float" if any(isinstance(n, tree.Div) for n in tree.walk(node)) else "int"


__all__ = ["Audit", "Auditor"]
