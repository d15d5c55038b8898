"""May the value of a variable be passed to a compiled function, instead of being read in it?"""

from __future__ import annotations

from codemods.analysis import library, places, tree
from codemods.analysis.compiled import Program
from codemods.analysis.devices import Misplaced, known
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Scope
from codemods.analysis.values import Api, ApiObject
from codemods.knowledge import devices as table

_OF_TENSORS = frozenset({"shape", "dtype", "ndim", "get_shape"})


def objection(found: Misplaced, program: Program) -> str:
    """Why not, in words; "" if it may."""
    return _signature(found) or _calls(found, program) or _reads(found) or _derivatives(found, program)


def by_hand(found: Misplaced, program: Program) -> str:
    """What could stand outside of the compiled function instead, in words; "" if nothing is known."""
    use = found.use
    module, name = use.function.module, use.name
    values = program.devices.ev.evaluate(use.node, module)
    if any(isinstance(v, ApiObject) and v.name in table.STATES for v in values):
        return f"draw outside: pass `{name}.make_seeds(...)` in, for stateless random ops"
    parent = module.parent.get(use.node)
    if isinstance(parent, tree.Call) and use.node in [*parent.args[:1], *(k.value for k in parent.keywords)]:
        callee = program.ev.evaluate(parent.func, module)
        names = {library.without_v1(v.name) for v in callee if isinstance(v, Api)}
        if names and names <= table.GATHERS:
            return (
                f"or gather outside: do `{module.text(parent)}` where XLA does not compile, and pass the rows"
            )
    return ""


def _signature(found: Misplaced) -> str:
    function = found.root.function
    args = getattr(function.node, "args", None)
    if args is None or isinstance(function.node, tree.Lambda) or found.root.of_keras:
        return "a parameter cannot be added here"
    if not function.params:
        return f"`{function.name}` has no parameters to add one to"
    if args.vararg or args.kwarg or args.kwonlyargs or args.defaults:
        return f"`{function.name}` has parameters with defaults or stars, behind which none can be added"
    if any(k.arg == "input_signature" for k in getattr(found.root.node, "keywords", ())):
        return f"`{function.name}` has an input signature"
    return ""


def _calls(found: Misplaced, program: Program) -> str:
    function = found.root.function
    callers = program.callers(function)
    if callers.open:
        return f"not all calls of `{function.name}` are known: {callers.open}"
    entries = found.entries
    if len({entry.device for entry in entries}) > 1 or entries[0].device is None:
        return "it is called under several device scopes"
    if found.others or {s.node for s in callers.sites} != {e.node for e in entries}:
        return f"`{function.name}` is also called in another way"
    for entry in entries:
        if entry.module is not function.module:
            return "it is called in another module"
        for use in entry.uses:
            place = known(use.made.devices)
            if use.made == found.use.made or entry.device is None:
                continue
            if place is None:
                return f"where `{use.name}` lives is not known; it may still be out of reach"
            if found.apart(place, entry.device):
                return f"`{use.name}` would still be out of reach"
    return ""


def _reads(found: Misplaced) -> str:
    """Why the reads of the variable cannot be those of a parameter with its name."""
    function, name = found.root.function, found.use.name
    module = function.module
    mine = [use for entry in found.entries for use in entry.uses if use.made == found.use.made]
    if any(use.written or use.state for use in mine):
        return f"`{name}` is written"
    if any(use.function is not function or use.name != name for use in mine):
        return f"`{name}` is also read in what `{function.name}` calls"
    if not name.isidentifier() or find_binding_scope(function, name) is not module.root:
        return f"`{name}` is no name of the module"
    for node in places.outer_mentions(function, name):
        parent = module.parent.get(node)
        if isinstance(parent, tree.Attribute) and parent.attr not in _OF_TENSORS:
            return f"`{module.text(parent)}` needs the variable itself"
        if not isinstance(node.ctx, tree.Load):
            return f"`{name}` is bound again"
    for entry in found.entries:
        if entry.node is None or find_binding_scope(module.enclosing(entry.node), name) is not module.root:
            return f"`{name}` means something else where it is called"
    return ""


def _derivatives(found: Misplaced, program: Program) -> str:
    """A tape watches variables by itself, and no values."""
    below: list[Scope] = [f for f, reached in program.reached.items() if found.root in reached.preds]
    if any(program.walk.recording(function).place() is not None for function in below):
        return f"a derivative is taken in it, which would no longer see `{found.use.name}`"
    return ""
