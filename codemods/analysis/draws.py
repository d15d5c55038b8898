"""Stateful random ops in a function: which calls draw under XLA, and which run once, outside of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codemods.analysis import calls, guards, places, tree
from codemods.analysis.compiled import Program
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, ApiObject, Const, Partial, Values
from codemods.knowledge.random_ops import GENERATOR, MAKES_VARIABLE, RANDOM_OPS, RandomOp

_DEEP = 8  # callers above one another that are looked at


@dataclass(frozen=True, eq=False)
class Draw:
    """A call of a stateful random op.

    names: canonical names of what it may call; more than one, where only some callers call the op.
    unclear: why it is not certain that this op, and nothing else, is called here.
    """

    function: Scope
    node: Node
    name: str
    op: RandomOp
    unclear: str = ""

    @property
    def module(self) -> Module:
        return self.function.module

    def argument(self, name: str) -> Node | None:
        """The expression that is given for an argument."""
        for keyword in self.node.keywords:
            if keyword.arg == name:
                return keyword.value
        if name in self.op.arguments:
            at = self.op.arguments.index(name)
            if at < len(self.node.args) and not any(
                isinstance(one, tree.Starred) for one in self.node.args[: at + 1]
            ):
                return self.node.args[at]
        return None


def find(function: Scope, program: Program) -> Iterator[Draw]:
    """What a function draws each time it runs, in source order."""
    found = [
        draw
        for node in calls.own_nodes(function)
        if isinstance(node, tree.Call)
        for draw in [at(function, node, program)]
        if draw is not None
    ]
    if found and not _runs_outside(function, program, 0):
        yield from found


def at(function: Scope, node: Node, program: Program) -> Draw | None:
    """The draw that a call is, if it is one and runs whenever the function does."""
    module = function.module
    values = program.ev.evaluate(node.func, module)
    names = sorted({name for value in values for name in [_name(value)] if name in RANDOM_OPS})
    if not names:
        return None
    op = RANDOM_OPS[names[0]]
    if (op.harmless_with and _given(node, op, op.harmless_with)) or lifted(node, module):
        return None
    unclear = ""
    if any(isinstance(value, Partial) for value in values):
        unclear = f"`{module.text(node.func)}` has some of its arguments already (functools.partial)"
    elif not _imported(node.func, module) and program.proof.evaluate(node.func, module) != {Api(names[0])}:
        unclear = f"`{module.text(node.func)}` may be another function for other callers"
    return Draw(function, node, names[0], op, unclear)


def _name(value: object) -> str:
    if isinstance(value, Partial):
        return _name(value.target)
    return value.name if isinstance(value, Api) else ""


def _given(node: Node, op: RandomOp, name: str) -> bool:
    value = Draw(None, node, "", op).argument(name)  # type: ignore[arg-type]
    return value is not None and not _is_none(value)


def _imported(callee: Node, module: Module) -> bool:
    """Is a callee written with an imported name, so that it means the same for every caller?"""
    while isinstance(callee, tree.Attribute):
        callee = callee.value
    if not isinstance(callee, tree.Name):
        return False
    scope: Scope | None = module.enclosing(callee)
    while scope is not None:
        if callee.id in scope.bindings:
            return all(
                binding.kind in ("import", "from") or _is_none(binding.value)
                for binding in scope.bindings[callee.id]
            )
        scope = scope.parent
    return True  # from a star import


def _is_none(node: Node | None) -> bool:
    return isinstance(node, tree.Constant) and node.value is None


def is_generator(values: Values) -> bool:
    """Is this certainly a random generator?"""
    return bool(values) and all(isinstance(v, ApiObject) and v.name == GENERATOR for v in values)


# what runs once, outside of XLA


def lifted(node: Node, module: Module) -> bool:
    """Does an expression run when a variable is made, or once behind a guard, rather than in each call?"""
    for above in module.ancestors(node):
        if isinstance(above, tree.Call) and tree.identifier(above.func) in MAKES_VARIABLE:
            return True
        if isinstance(above, (tree.With, tree.AsyncWith)) and any(
            tree.identifier(getattr(item.context_expr, "func", None)) == "init_scope" for item in above.items
        ):
            return True
        if isinstance(above, tree.Module):
            break
    return guards.first_time(node, module) or _only_for_variables(node, module)


def _only_for_variables(node: Node, module: Module) -> bool:
    """Is what is drawn bound to a name that only goes into variables?"""
    statement = module.parent.get(node)
    if not (isinstance(statement, tree.Assign) and len(statement.targets) == 1):
        return False
    target = statement.targets[0]
    function = module.enclosing(node).function
    if not isinstance(target, tree.Name) or function is None:
        return False
    used = list(places.reads(function, target.id))
    return bool(used) and all(
        any(
            isinstance(above, tree.Call) and tree.identifier(above.func) in MAKES_VARIABLE
            for above in module.ancestors(use)
        )
        for use in used
    )


def _runs_outside(function: Scope, program: Program, depth: int) -> bool:
    """Is a function called only where variables are made?"""
    if function.name == "build" and function.owner is not None:
        return True
    reached = program.reached.get(function)
    if reached is None or depth > _DEEP:
        return False
    maker = function.parent
    nested = maker is not None and maker.kind == "function" and maker in program.reached
    if nested and _runs_outside(maker, program, depth + 1):  # type: ignore[arg-type]
        return True
    entries = list(reached.preds.values())
    if any(caller is None for caller, _, _, _ in entries):
        return False  # a root itself
    sites: list[tuple[Module, Node, Scope | None]] = [
        (site.module, site.node, site.scope.function)
        for site in program.callers(function).sites
        if site.scope.function in program.reached
    ]
    sites += [(module, node, caller) for caller, module, node, _ in entries if module is not None]
    return bool(sites) and all(
        lifted(node, module) or (caller is not None and _runs_outside(caller, program, depth + 1))
        for module, node, caller in sites
    )


# who else draws there


def called_outside(function: Scope, program: Program, depth: int = 0) -> str:
    """Why code that XLA does not compile may run a function as well; "" where that is ruled out."""
    reached = program.reached.get(function)
    if reached is None:
        return f"`{function.name}` is compiled"
    unsure = next((root for root in reached.preds if root.certainty != "yes"), None)
    if unsure is not None:
        return f"`{unsure.function.name}` is compiled ({unsure.how})"
    if depth > _DEEP:
        return "all callers are compiled"
    own = [root for root in reached.preds if root.function is function]
    if any(any(root.node is one for one in getattr(function.node, "decorator_list", ())) for root in own):
        return ""
    maker = function.parent
    if maker is not None and maker.kind == "function" and not own and maker in program.reached:
        return called_outside(maker, program, depth + 1)
    callers = program.callers(function)
    if callers.open:
        return f"no other code calls `{function.name}` ({callers.open})"
    for site in callers.sites:
        if any(_through_wrapper(site.module, site.node, root.module, root.node) for root in own):
            continue
        caller = site.scope.function
        if caller is None or caller not in program.reached:
            return f"the call at {site.module.path}:{site.node.lineno}, outside of XLA, may get other numbers"
        why = called_outside(caller, program, depth + 1)
        if why:
            return why
    return ""


def _through_wrapper(module: Module, call: Node, home: Module, wrapper: Node) -> bool:
    """Is a call one of the compiled function, under the name that it got: `fast = tf.function(slow, ...)`?"""
    statement = home.statement(wrapper) if isinstance(wrapper, tree.Call) else None
    target = statement.targets[0] if isinstance(statement, tree.Assign) else None
    same = target is not None and tree.identifier(target) == tree.identifier(getattr(call, "func", None))
    return same and (module is not home or call.lineno > wrapper.lineno)


def number(values: Values) -> int | None:
    """The one integer that a seed certainly is."""
    found = {v.value for v in values if isinstance(v, Const)}
    only = next(iter(found)) if len(found) == 1 and len(values) == 1 else None
    return int(only) if isinstance(only, int) and not isinstance(only, bool) else None


def is_absent(values: Values) -> bool:
    """Is a seed certainly None?"""
    return values == {Const(None)}
