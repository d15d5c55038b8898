"""What the modules of a program say about random numbers: seeds, devices, replicas, and how they run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from codemods.analysis import library, objects, programs, tree
from codemods.analysis.compiled import Program
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Function, Instance, Values
from codemods.knowledge.random_ops import DEVICE_SETUP, GRAPH_MODE, SETS_GLOBAL_GENERATOR, SETS_SEED

_RECOMPUTE = "recompute_grad"
_WORDS = (
    {name.rpartition(".")[2] for name in SETS_SEED}
    | DEVICE_SETUP
    | GRAPH_MODE
    | {"set_global_generator", "enable_op_determinism", "save"}
)
_ENVIRONMENT = ("environ", "putenv")


@dataclass(frozen=True, eq=False)
class Setter:
    """A call that sets the global seed. top: the statement of the module's body that holds it, if any."""

    module: Module
    node: Node
    value: Node | None
    top: Node | None

    @property
    def plain(self) -> bool:
        """Does it run whenever its module is loaded?"""
        return self.top is not None and self.top is self.module.statement(self.node)


@dataclass(eq=False)
class Surroundings:
    """strategy, graph_mode: where replicas are made, and where eager execution is turned off; "" if nowhere.

    recomputed: functions that run again for their gradient. saves: something is exported. eager: where
    compiled functions are run eagerly, "" if nowhere.
    """

    setters: list[Setter] = field(default_factory=list)
    device_setups: list[tuple[Module, Node]] = field(default_factory=list)
    global_generators: list[tuple[Module, Node]] = field(default_factory=list)
    recomputed: set[Scope] = field(default_factory=set)
    strategy: str = ""
    graph_mode: str = ""
    deterministic: bool = False
    saves: bool = False
    eager: str = ""


def look(modules: Iterable[Module], program: Program) -> Surroundings:
    """Go through the modules of a program."""
    found = Surroundings()
    for module in modules:
        for word in sorted(module.mentions.keys() & _WORDS):
            for node in module.mentions[word]:
                call = module.parent.get(node)
                if isinstance(call, tree.Call) and call.func is node:
                    _call(module, call, word, found, program)
        for word in sorted(w for w in module.mentions if w.endswith("Strategy")):
            for node in module.mentions[word]:
                if any(n.startswith("tensorflow.distribute.") for n in _names(node, module, program)):
                    found.strategy = found.strategy or f"{module.path}:{node.lineno}"
        found.recomputed.update(_recomputed(module, program))
        found.eager = found.eager or next(_eager(module), "")
    return found


def _eager(module: Module) -> Iterator[str]:
    """Where compiled functions run eagerly: all of them, or one by its `python_function`."""
    for word in ("run_functions_eagerly", "python_function"):
        for node in module.mentions.get(word, ()):
            call = module.parent.get(node)
            given = call.args[:1] if isinstance(call, tree.Call) and call.func is node else []
            off = any(isinstance(one, tree.Constant) and one.value is False for one in given)
            if isinstance(node, tree.Attribute) and not off:
                yield f"`{word}` at {module.path}:{node.lineno}"


def environment(module: Module) -> Iterator[Node]:
    """The statements at the top level that set variables of the environment, which the runtime reads once."""
    for word in _ENVIRONMENT:
        for node in module.mentions.get(word, ()):
            statement = module.statement(node)
            if module.parent.get(statement) is module.tree and _sets_environment(statement):
                yield statement


def _sets_environment(statement: Node) -> bool:
    """Is it `os.environ[...] = ...`, or a call of `os.putenv`, `os.environ.update`, ...?"""
    if isinstance(statement, (tree.Assign, tree.AugAssign)):
        targets = statement.targets if isinstance(statement, tree.Assign) else [statement.target]
        return any(isinstance(t, tree.Subscript) and tree.identifier(t.value) == "environ" for t in targets)
    call = getattr(statement, "value", None)
    return isinstance(statement, tree.Expr) and isinstance(call, tree.Call)


def _call(module: Module, call: Node, word: str, found: Surroundings, program: Program) -> None:
    names = _names(call.func, module, program)
    if names & SETS_SEED:
        given = [*call.args, *(k.value for k in call.keywords if k.arg == "seed")]
        top = programs.top_level(call, module)
        found.setters.append(Setter(module, call, given[0] if given else None, top))
    elif SETS_GLOBAL_GENERATOR in names:
        found.global_generators.append((module, call))
    elif not any(name.startswith("tensorflow.") for name in names):
        return
    elif word in DEVICE_SETUP:
        found.device_setups.append((module, call))
    elif word in GRAPH_MODE:
        found.graph_mode = found.graph_mode or f"{module.path}:{call.lineno}"
    elif word == "enable_op_determinism":
        found.deterministic = True
    elif "tensorflow.saved_model.save" in names:
        found.saves = True


def _names(node: Node, module: Module, program: Program) -> set[str]:
    names = {v.name for v in program.ev.evaluate(node, module) if isinstance(v, Api)}
    return names | {library.without_v1(name) for name in names if "seed" not in name}


def _recomputed(module: Module, program: Program) -> Iterator[Scope]:
    for node in module.mentions.get(_RECOMPUTE, ()):
        if f"tensorflow.{_RECOMPUTE}" not in _names(node, module, program):
            continue
        parent = module.parent.get(node)
        if isinstance(parent, tree.Call) and parent.func is node and parent.args:
            yield from _functions(program.ev.evaluate(parent.args[0], module), program)
        elif parent in module.scope_of:  # a decorator
            yield module.scope_of[parent]


def _functions(values: Values, program: Program) -> Iterator[Scope]:
    for value in values:
        if isinstance(value, Function):
            yield value.scope
        elif isinstance(value, Instance):
            yield from _functions(objects.call_method(program.ev, value), program)
