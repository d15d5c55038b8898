"""What asks for XLA: the functions from which compiled code is reached.

A root has a certainty: "yes" (a literal, or folded to True), "may" (an expression or a setting
decides), "no" roots are not given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from codemods.analysis import library, objects, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.index import ROOT_CALLS, ROOT_WORDS, TPU_CALLS, TPU_WORDS, Project
from codemods.analysis.names import may_be_called
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    Const,
    DictValue,
    Function,
    Instance,
    Partial,
    Unknown,
    Value,
    Values,
    one,
)

COMPILE_KEYWORDS = ("jit_compile", "experimental_compile")
_ALWAYS = frozenset(
    {
        "tensorflow.xla.experimental.compile",
        "tensorflow.compat.v1.tpu.rewrite",
        "tensorflow.compat.v1.tpu.replicate",
        "tensorflow.compat.v1.tpu.shard",
        "tensorflow.compat.v1.tpu.batch_parallel",
        "tensorflow.python.tpu.tpu.rewrite",
        "tensorflow.python.tpu.tpu.replicate",
        "tensorflow.python.tpu.tpu.shard",
    }
)
_TPU_STRATEGIES = ("tensorflow.distribute.TPUStrategy", "tensorflow.distribute.experimental.TPUStrategy")
_STRATEGY = re.compile(r"strateg|distrib|tpu", re.I)  # how the object of `strategy.run` is called
_KERAS_STEPS = ("train_step", "test_step", "predict_step", "call", "compute_loss")


@dataclass(frozen=True, eq=False)
class Root:
    """function: compiled by XLA; module, node: where that is asked for; how: in words.

    gradient: a derivative is taken of what it calls (a Keras training step).
    bound: the object, for methods. framework: whose rules speak of what it reaches.
    """

    function: Scope
    module: Module
    node: Node
    certainty: str
    how: str
    gradient: bool = False
    bound: Value | None = None
    framework: str = "tensorflow"

    @property
    def name(self) -> str:
        return self.function.qualname

    @property
    def of_keras(self) -> bool:
        """Is it asked for by `compile` of a Keras model?"""
        return self.how.startswith("compile(")


def find(project: Project, ev: Evaluator) -> list[Root]:
    """All roots of a project, in the order of their places."""
    finder = _Finder(project, ev)
    for path in project.paths:
        if project.matches(path, ROOT_CALLS, ROOT_WORDS):
            module = project.module(path)
            if module is not None:
                finder.module(module)
    finder.aliases()
    unique: dict[tuple[Scope, str], Root] = {}
    for root in finder.roots:
        key = (root.function, root.how.partition(" ")[0])
        if key not in unique or (unique[key].certainty == "may" and root.certainty == "yes"):
            unique[key] = root
    return sorted(unique.values(), key=lambda r: (r.module.path, r.node.lineno, r.node.col_offset, r.name))


def entries(project: Project, names: Iterable[str]) -> tuple[list[Root], list[str]]:
    """Roots named by the user, `pkg.mod:function` or `pkg.mod:Class.method`, with `:grad` behind.

    Returns the roots and the names that were not found.
    """
    roots, missing = [], []
    for text in names:
        where, _, rest = text.partition(":")
        qualified, _, flag = rest.partition(":")
        function = _function_named(project, where, qualified)
        if function is None:
            missing.append(text)
        else:
            bound = Instance(function.owner) if function.owner is not None else None
            roots.append(
                Root(function, function.module, function.node, "yes", "--entry", flag == "grad", bound)
            )
    return roots, missing


def _function_named(project: Project, where: str, qualified: str) -> Scope | None:
    for path in project.paths:
        name = project.module_name(path)
        if path == where or name == where or name.endswith("." + where):
            module = project.module(path)
            for function in module.functions if module is not None else ():
                if function.qualname == f"{module.name}.{qualified}":  # type: ignore[union-attr]
                    return function
    return None


def certainty(values: Values) -> str:
    """yes, may or no, from the value of `jit_compile=`."""
    verdicts = set()
    for value in values:
        if isinstance(value, Const):
            verdicts.add("may" if value.value == "auto" else "yes" if value.value else "no")
        else:
            verdicts.add("may")
    return verdicts.pop() if len(verdicts) == 1 else "may"


class _Finder:
    def __init__(self, project: Project, ev: Evaluator) -> None:
        self.project = project
        self.ev = ev
        self.roots: list[Root] = []
        self.alias_names: list[tuple[Module, str]] = []
        self.wrappers: dict[Scope, tuple[str, str]] = {}  # functions that hand all they get to tf.function
        self.always_names: set[str] = set()

    def add(
        self, values: Values, module: Module, node: Node, sure: str, how: str, gradient: bool = False
    ) -> None:
        for value in values:
            if isinstance(value, Function):
                self.roots.append(Root(value.scope, module, node, sure, how, gradient, value.bound))
            elif isinstance(value, Partial):
                self.add(one(value.target), module, node, sure, how, gradient)
            elif isinstance(value, Instance):
                self.add(objects.call_method(self.ev, value), module, node, sure, how, gradient)

    def module(self, module: Module) -> None:
        has = self.project.has_any
        tpu = self.project.matches(module.path, TPU_CALLS, TPU_WORDS)
        self.always_names = (
            {"rewrite", "replicate", "shard", "batch_parallel", "TPUEstimator"} if tpu else set()
        )
        if has(module.path, (b"TPUStrategy(",)):
            self.always_names.add("run")
        if has(module.path, (b"experimental.compile",)):
            self.always_names.add("compile")
        for node in tree.walk(module.tree):
            if isinstance(node, tree.Call):
                self.call(module, node)

    def call(self, module: Module, node: Node) -> None:
        keyword = self.compile_keyword(module, node)
        attribute = node.func.attr if isinstance(node.func, tree.Attribute) else getattr(node.func, "id", "")
        if keyword is not None:
            sure, how = certainty(keyword[0]), keyword[1]
            for value in self.ev.evaluate(node.func, module):
                target = value.target if isinstance(value, Partial) else value
                if isinstance(target, Api):
                    self.marked(module, node, target, sure, how)
            if attribute == "compile":
                self.keras_compile(module, node, sure, how)
        elif attribute in self.always_names and (
            attribute != "run" or _STRATEGY.search(module.text(node.func))
        ):
            self.always(module, node)

    def compile_keyword(self, module: Module, node: Node) -> tuple[Values, str] | None:
        """The value of `jit_compile=` and how it is written; also out of a dict, `tf.function(**OPTIONS)`."""
        for kw in node.keywords:
            if kw.arg in COMPILE_KEYWORDS:
                return self.ev.evaluate(kw.value, module), f"{kw.arg}={module.text(kw.value)}"
        for kw in node.keywords if may_be_called(node, module, "function", "partial") else ():
            for value in self.ev.evaluate(kw.value, module) if kw.arg is None else ():
                for name, values in value.items if isinstance(value, DictValue) else ():
                    if name in COMPILE_KEYWORDS:
                        return values, f"{name} in `**{module.text(kw.value)}`"
        return None

    def marked(self, module: Module, node: Node, api: Api, sure: str, how: str) -> None:
        """`tf.function(..., jit_compile=...)` in its forms."""
        name = library.without_v1(api.name)
        if name == "functools.partial" and node.args:
            target = self.ev.evaluate(node.args[0], module)
            if any(
                isinstance(v, Api) and library.without_v1(v.name) == "tensorflow.function" for v in target
            ):
                self.named(module, node)
            return
        if name != "tensorflow.function" or sure == "no":
            return
        given = (
            node.args[0] if node.args else next((kw.value for kw in node.keywords if kw.arg == "func"), None)
        )
        if isinstance(given, tree.Starred):
            self.wrapper(module, node, sure, how)
            return
        if given is not None:
            self.add(self.ev.evaluate(given, module), module, node, sure, how)
            return
        parent = module.parent.get(node)
        if isinstance(parent, (tree.FunctionDef, tree.AsyncFunctionDef)) and node in parent.decorator_list:
            self.decorated(module, parent, node, sure, how)
        elif isinstance(parent, tree.Call) and parent.func is node and parent.args:
            self.add(self.ev.evaluate(parent.args[0], module), module, node, sure, how)
        else:
            self.named(module, node)

    def decorated(self, module: Module, definition: Node, node: Node, sure: str, how: str) -> None:
        function = module.scope_of[definition]
        bound = Instance(function.owner) if function.owner is not None and not function.is_static else None
        self.roots.append(Root(function, module, node, sure, how, False, bound))

    def wrapper(self, module: Module, node: Node, sure: str, how: str) -> None:
        """`def function(*args, **kwargs): return tf.function(*args, jit_compile=True, **kwargs)`."""
        function = module.enclosing(node).function
        if function is not None and isinstance(module.statement(node), tree.Return):
            self.wrappers[function] = (sure, how)
            self.alias_names.append((module, function.name))

    def wrapped(self, module: Module, mention: Node, maker: Function) -> None:
        """A use of such a function: `@function`, `@function(...)`, `function(f)`."""
        sure, how = self.wrappers[maker.scope]
        parent = module.parent.get(mention)
        node = parent if isinstance(parent, tree.Call) and parent.func is mention else mention
        given = node.args[:1] if isinstance(node, tree.Call) else []
        holder = module.parent.get(node)
        if given and not isinstance(given[0], tree.Starred):
            self.add(self.ev.evaluate(given[0], module), module, node, sure, how)
        elif isinstance(holder, (tree.FunctionDef, tree.AsyncFunctionDef)) and node in holder.decorator_list:
            self.decorated(module, holder, node, sure, how)

    def named(self, module: Module, node: Node) -> None:
        """A decorator under a name of its own, used elsewhere."""
        statement = module.statement(node)
        if isinstance(statement, tree.Assign) and isinstance(
            statement.targets[0], (tree.Name, tree.Attribute)
        ):
            target = statement.targets[0]
            self.alias_names.append((module, target.id if isinstance(target, tree.Name) else target.attr))
        elif isinstance(statement, tree.Return):
            function = module.enclosing(node).function
            if function is not None:
                self.alias_names.append((module, function.name))

    def aliases(self) -> None:
        """Uses of the named decorators, over the project, under whatever name they are imported."""
        names = {(name, module.path) for module, name in self.alias_names}
        done: set[tuple[str, str]] = set()
        while names - done:
            name, home = sorted(names - done)[0]
            done.add((name, home))
            for path in self.project.with_word(name, home):
                module = self.project.module(path)
                if module is None:
                    continue
                for statement in module.imports:
                    names.update((a.asname, home) for a in statement.names if a.name == name and a.asname)
                for mention in module.mentions.get(name, ()):
                    self.alias_use(module, mention)

    def alias_use(self, module: Module, mention: Node) -> None:
        parent = module.parent.get(mention)
        node = parent if isinstance(parent, tree.Call) and parent.func is mention else mention
        for maker in self.ev.evaluate(mention, module):
            if isinstance(maker, Function) and maker.scope in self.wrappers:
                self.wrapped(module, mention, maker)
                continue
            makers = [maker] if isinstance(maker, Partial) else []
            if isinstance(maker, Function) and node is parent:
                makers = [v for v in self.ev.evaluate(node, module) if isinstance(v, Partial)]
                node_parent = module.parent.get(node)
            else:
                node_parent = module.parent.get(node)
            for partial in makers:
                sure, how = self._partial_certainty(partial)
                if sure == "no":
                    continue
                holder = node_parent if node is not mention or node is mention else parent
                if isinstance(holder, (tree.FunctionDef, tree.AsyncFunctionDef)) and any(
                    node is d for d in holder.decorator_list
                ):
                    self.decorated(module, holder, node, sure, how)
                elif isinstance(node, tree.Call) and node.args and isinstance(maker, Partial):
                    self.add(self.ev.evaluate(node.args[0], module), module, node, sure, how)

    @staticmethod
    def _partial_certainty(partial: Partial) -> tuple[str, str]:
        if not (
            isinstance(partial.target, Api)
            and library.without_v1(partial.target.name) == "tensorflow.function"
        ):
            return "no", ""
        for name, values in partial.keywords:
            if name in COMPILE_KEYWORDS:
                return certainty(values), f"{name}= of a partial"
        return "no", ""

    def always(self, module: Module, node: Node) -> None:
        for value in self.ev.evaluate(node.func, module):
            if not isinstance(value, Api):
                continue
            if value.name in _ALWAYS and node.args:
                self.add(self.ev.evaluate(node.args[0], module), module, node, "yes", value.name)
            elif value.name.endswith("TPUEstimator"):
                given = [kw.value for kw in node.keywords if kw.arg == "model_fn"] + node.args[:1]
                for argument in given[:1]:
                    self.add(self.ev.evaluate(argument, module), module, node, "may", "TPUEstimator", True)
            elif (
                value.name.rpartition(".")[0] in _TPU_STRATEGIES and value.name.endswith(".run") and node.args
            ):
                self.add(self.ev.evaluate(node.args[0], module), module, node, "yes", "TPUStrategy.run")

    def keras_compile(self, module: Module, node: Node, sure: str, how: str) -> None:
        """`model.compile(jit_compile=...)`: the steps of the model, and `call` under a derivative."""
        if sure == "no" or not isinstance(node.func, tree.Attribute):
            return
        for value in self.ev.evaluate(node.func.value, module):
            if isinstance(value, Instance):
                for name in _KERAS_STEPS:
                    method = objects.method(self.ev, value.scope, name)
                    if method is not None:
                        gradient = (
                            name == "call" and objects.method(self.ev, value.scope, "train_step") is None
                        )
                        self.roots.append(
                            Root(method, module, node, sure, f"compile({how})", gradient, value)
                        )


def unknown_reason(values: Values) -> str:
    """Why a set is not known, in words; "" if it is."""
    return next((v.why or "it is not known" for v in values if isinstance(v, Unknown)), "")
