"""Does a function compile that is not compiled yet? What is known of everything that it calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from codemods.analysis import calls, changes, draws, library, loops, tree
from codemods.analysis.compiled import Program
from codemods.analysis.draws import Draw
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    ApiObject,
    Const,
    DictValue,
    Function,
    Instance,
    ListValue,
    Tensor,
    TupleValue,
    Unknown,
    Value,
)
from codemods.analysis.walk import Walk
from codemods.knowledge import compilation

_FINE = frozenset({
    "gradient", "jacobian", "batch_jacobian", "watch", "reset", "stop_recording", "apply_gradients", "apply",
    "assign", "assign_add", "assign_sub", "read_value", "value", "get_shape", "set_shape", "with_values",
})  # fmt: skip
_EFFECTS = frozenset({"append", "extend", "add", "update", "insert", "pop", "remove", "clear", "setdefault"})
_HOST = ("time.", "random.", "numpy.random.", "os.", "logging.")
_BROKEN = compilation.DOES_NOT_COMPILE
_TO_PYTHON = frozenset({"float", "int", "bool", "str", "list", "format", "complex"})


@dataclass
class Verdict:
    """What a function does when XLA compiles it.

    broken: what does not compile. draws: random ops that ignore the seed under XLA, unless they draw from
    a generator. seeds: others that would draw other numbers.
    unknown: what is not known to compile. changes: Python that would run once, when it is traced.
    """

    broken: list[str] = field(default_factory=list)
    draws: list[Draw] = field(default_factory=list)
    seeds: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)


def judge(function: Scope, program: Program, eager: bool, verdict: Verdict) -> None:
    """Look at a function and all it calls. eager: it runs as plain Python now, so tracing it is new."""
    walk = Walk(program.project, program.ev, merge=False)
    entry = Root(function, function.module, function.node, "yes", "asked")
    walk.run([entry])  # nothing is merged, so a second pass would find the same
    for module, node, _ in walk.unresolved.values():
        if isinstance(node, tree.Call) and tree.identifier(node.func) not in _FINE:
            verdict.unknown.append(f"`{module.text(node.func)}` at {_place(module, node)} compiles")
    for reached in walk.reached:
        if reached not in program.reached:
            _Judge(reached, program, eager, verdict, reached is function).run()


def _place(module: Module, node: Node) -> str:
    return f"{module.path}:{node.lineno}"


def _flat(value: Value) -> Iterator[Value]:
    """A value, or what it holds."""
    if isinstance(value, TupleValue):
        for part in value.items:
            for inner in part:
                yield from _flat(inner)
    elif isinstance(value, (ListValue, DictValue)):
        for inner in value.element:
            yield from _flat(inner)
    else:
        yield value


class _Judge:
    def __init__(
        self, function: Scope, program: Program, eager: bool, verdict: Verdict, outermost: bool
    ) -> None:
        self.outermost = outermost
        self.function = function
        self.module = function.module
        self.program = program
        self.eager = eager
        self.verdict = verdict

    def run(self) -> None:
        for node in calls.own_nodes(self.function):
            if isinstance(node, tree.Call):
                self.call(node)
            elif isinstance(node, (tree.For, tree.AsyncFor)):
                self.loop(node)
            elif isinstance(node, tree.Subscript):
                self.subscript(node)
            elif isinstance(node, tree.Return):
                self.result(node)
            if self.eager:
                self.effect(node)

    def place(self, node: Node) -> str:
        return _place(self.module, node)

    def call(self, node: Node) -> None:
        shown = f"`{self.module.text(node.func)}` at {self.place(node)}"
        draw = draws.at(self.function, node, self.program)
        if draw is not None and draw.op.replacement is not None:
            self.verdict.draws.append(draw)
            return
        for value in self.program.ev.evaluate(node.func, self.module):
            if isinstance(value, Api):
                self.api(node, library.without_v1(value.name), shown)
            elif isinstance(value, ApiObject) and compilation.listed(value.name, _BROKEN):
                self.verdict.broken.append(f"{shown} does not compile with XLA")
            elif isinstance(value, ApiObject) and compilation.listed(value.name, compilation.DRAWS):
                self.verdict.seeds.append(f"{shown} would draw other numbers")
        if self.eager and isinstance(node.func, tree.Attribute):
            if node.func.attr == "numpy" and self.may_be_tensor(node.func.value):
                self.verdict.broken.append(f"{shown} needs an eager tensor")
            elif node.func.attr in _EFFECTS and not self.may_be_only_tensor(node.func.value):
                self.verdict.changes.append(f"{shown} runs only when it is traced")

    def api(self, node: Node, name: str, shown: str) -> None:
        verdict = self.verdict
        if compilation.listed(name, _BROKEN):
            verdict.broken.append(f"{shown} does not compile with XLA")
        elif compilation.listed(name, compilation.DRAWS):
            verdict.seeds.append(f"{shown} would draw other numbers")
        elif compilation.listed(name, compilation.CHECKS_NOTHING):
            verdict.changes.append(f"{shown} checks nothing under XLA")
        elif compilation.listed(name, compilation.DEPENDS_ON_DATA) or self.is_nonzero(node, name):
            verdict.unknown.append(f"the shape of {shown}, which depends on data, does no harm")
        elif self.eager:
            self.in_python(node, name, shown)
        elif name == "tensorflow.Variable":
            verdict.unknown.append(f"{shown} can be lifted out of the function")

    def in_python(self, node: Node, name: str, shown: str) -> None:
        """What plain Python may do in each call, and a traced function only once or not at all."""
        made = name.split(".")[-1]
        if compilation.listed(name, compilation.MAKES_VARIABLES) and (made[:1].isupper() or "from_" in made):
            self.verdict.broken.append(f"{shown} makes a variable in each call")
        elif name == "builtins.print" or name.startswith(_HOST):
            self.verdict.changes.append(f"{shown} runs only when it is traced")
        elif name.removeprefix("builtins.") in _TO_PYTHON and node.args and self.may_be_tensor(node.args[0]):
            self.verdict.broken.append(f"{shown} needs an eager tensor")

    @staticmethod
    def is_nonzero(node: Node, name: str) -> bool:
        return name == "tensorflow.where" and len(node.args) == 1 and not node.keywords

    def subscript(self, node: Node) -> None:
        """`x[x > 0]` has a shape that depends on data."""
        index: Node | None = node.slice
        if isinstance(index, tree.Name):
            index = loops.definition(index, self.module, self.program.ev)
        if isinstance(index, tree.Compare) and self.may_be_tensor(index):
            shown = f"`{self.module.text(node)}` at {self.place(node)}"
            self.verdict.unknown.append(f"the shape of {shown}, which depends on data, does no harm")

    def result(self, node: Node) -> None:
        """What is no tensor cannot be returned from a compiled function."""
        if not self.outermost or node.value is None:
            return
        values = self.program.ev.evaluate(node.value, self.module)
        flat = [inner for v in values for inner in _flat(v)]
        text = any(isinstance(v, Const) and isinstance(v.value, (str, bytes)) for v in flat)
        if text or (self.eager and any(isinstance(v, Instance) for v in flat)):
            self.verdict.broken.append(f"what is returned at {self.place(node)} is not made of tensors")

    def loop(self, node: Node) -> None:
        for value in self.program.ev.evaluate(node.iter, self.module):
            if isinstance(value, (Api, ApiObject)) and value.name.startswith("tensorflow.data."):
                shown = self.module.text(node.iter)
                self.verdict.broken.append(f"the dataset `{shown}` at {self.place(node)} cannot be compiled")

    def effect(self, node: Node) -> None:
        if isinstance(node, (tree.Global, tree.Nonlocal)):
            self.verdict.changes.append(f"what is set by {self.place(node)} is set only when it is traced")
        if isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Load):
            frozen = changes.mutable(node, self.module, self.program)
            if frozen == self.module.text(node) and not self.is_variable(node):
                self.verdict.changes.append(f"`{frozen}` keeps the value that it has when it is traced")
        if isinstance(node, tree.Attribute) and isinstance(node.ctx, tree.Store):
            shown = self.module.text(node)
            self.verdict.changes.append(f"`{shown}` at {self.place(node)} is set only when it is traced")
        if isinstance(node, (tree.Yield, tree.YieldFrom, tree.Await)):
            self.verdict.broken.append(f"the generator at {self.place(node)} cannot be compiled")
        if isinstance(node, tree.JoinedStr):
            self.verdict.changes.append(f"the text at {self.place(node)} is made only when it is traced")

    def is_variable(self, node: Node) -> bool:
        values = self.program.ev.evaluate(node, self.module)
        return bool(values) and all(
            isinstance(v, (Function, Api)) or (isinstance(v, Tensor) and v.kind == "variable") for v in values
        )

    def may_be_tensor(self, node: Node) -> bool:
        values = self.program.ev.evaluate(node, self.module)
        return any(isinstance(v, (Tensor, Unknown)) for v in values)

    def may_be_only_tensor(self, node: Node) -> bool:
        values = self.program.ev.evaluate(node, self.module)
        return bool(values) and all(isinstance(v, (Tensor, ApiObject)) for v in values)
