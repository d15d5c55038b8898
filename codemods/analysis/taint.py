"""Where the index of a loop goes: into operands that must be constant, and into slices.

`Flow` follows values that are computed from the index (arithmetic, casts, tuples, shape lists,
helpers of the project, loop-carried counters). Values that merely *select* data by the index
(`x[i]`) are data, and so are shapes and sizes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from codemods.analysis import calls, library, objects, tree
from codemods.analysis.carried import carried_counters
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.loops import Loop
from codemods.analysis.names import Scope, find_binding_scope
from codemods.analysis.scopes import Module
from codemods.analysis.sinks import Sink
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    Class,
    DictValue,
    Function,
    Instance,
    ListValue,
    Partial,
    Static,
    Tensor,
    TupleValue,
    Unknown,
    Value,
    Values,
)
from codemods.knowledge.operands import CONSTANT_OPERANDS, SUBSCRIPT_STEP
from codemods.knowledge.python_operands import PYTHON_ATTRIBUTE_OPERANDS

_DEPTH = 5  # calls that a value is followed through

# Library calls whose result is a number computed from their arguments.
_ARITHMETIC = frozenset({
    "cast", "constant", "convert_to_tensor", "identity", "stack", "concat", "add", "subtract", "multiply",
    "divide", "truediv", "floordiv", "floormod", "mod", "pow", "maximum", "minimum", "abs", "negative",
    "square", "range", "squeeze", "where", "reduce_prod", "reduce_sum", "reduce_max", "reduce_min", "tile",
    "floor", "ceil", "round", "sign", "stop_gradient", "ensure_shape", "clip_by_value", "gather",
    "bitwise.left_shift", "bitwise.right_shift",
})  # fmt: skip
# Calls whose result depends on shapes only.
_SHAPES = frozenset({"shape", "rank", "size", "shape_n", "zeros_like", "ones_like", "TensorArray"})


class _Names:
    """Tainted local names of one function."""

    def __init__(self, names: Iterable[tuple[Scope, str]] = ()) -> None:
        self.names = set(names)

    def has(self, module: Module, node: Node) -> bool:
        holder = find_binding_scope(module.enclosing(node), node.id)
        return holder is not None and (holder, node.id) in self.names


class Flow:
    """Follows the values that depend on a loop index, within a function and into what it calls."""

    def __init__(self, ev: Evaluator) -> None:
        self.ev = ev
        self._memo: dict[tuple[Scope, frozenset[str]], tuple[list[Sink], bool]] = {}

    def of_loop(self, loop: Loop) -> list[Sink]:
        """The sinks that the index of a loop, or a counter carried by it, reaches in its body."""
        roots: list[tuple[Scope, str]] = []
        if loop.index is not None:
            holder = find_binding_scope(loop.module.enclosing(loop.index), loop.index.id) or loop.function
            roots.append((holder, loop.index.id))
        if loop.is_tensor_loop:
            roots += [(loop.function, name) for name in sorted(carried_counters(loop, self.ev))]
        found: list[Sink] = []
        for root in roots:
            sinks = self._region(loop.function, loop.node.body, _Names([root]), ())
            found += [replace(sink, source=root[1]) for sink in sinks]
        return found

    def of_parameters(self, function: Scope, params: Iterable[str]) -> list[Sink]:
        """The sinks that some parameters of a function reach in its body."""
        return self._function(function, frozenset(params), ())[0]

    # regions

    def _region(
        self, function: Scope, statements: list[Node], names: _Names, path: tuple[tuple[Module, Node], ...]
    ) -> list[Sink]:
        module = function.module
        nodes = [node for statement in statements for node in tree.walk(statement)]
        for _ in range(6):
            before = len(names.names)
            for node in nodes:
                self._assign(module, node, names, path)
            if len(names.names) == before:
                break
        sinks: list[Sink] = []
        for node in nodes:
            sinks.extend(self._sinks(module, node, names, path))
        return sinks

    def _assign(
        self, module: Module, node: Node, names: _Names, path: tuple[tuple[Module, Node], ...]
    ) -> None:
        if isinstance(node, tree.Assign):
            for target in node.targets:
                self._bind(module, target, node.value, names, path)
        elif isinstance(node, (tree.AnnAssign, tree.NamedExpr)) and node.value is not None:
            self._bind(module, node.target, node.value, names, path)
        elif isinstance(node, tree.AugAssign) and isinstance(node.target, tree.Name):
            grown = self._numeric(module, node.target) and self.depends(module, node.value, names, path)
            if grown:
                self._add(module, node.target, names)
        elif isinstance(node, (tree.For, tree.AsyncFor)) and self.depends(module, node.iter, names, path):
            self._bind(module, node.target, None, names, path)

    def _bind(
        self,
        module: Module,
        target: Node,
        value: Node | None,
        names: _Names,
        path: tuple[tuple[Module, Node], ...],
    ) -> None:
        if isinstance(target, (tree.Tuple, tree.List)):
            parts = value.elts if isinstance(value, (tree.Tuple, tree.List)) else None
            for index, item in enumerate(target.elts):
                single = parts is not None and len(parts) == len(target.elts)
                self._bind(module, item, parts[index] if single and parts is not None else value, names, path)
        elif isinstance(target, tree.Name) and (value is None or self.depends(module, value, names, path)):
            self._add(module, target, names)

    @staticmethod
    def _add(module: Module, target: Node, names: _Names) -> None:
        holder = find_binding_scope(module.enclosing(target), target.id)
        if holder is not None:
            names.names.add((holder, target.id))

    def _numeric(self, module: Module, node: Node) -> bool:
        """Can an accumulated name still be a size or an axis: an int, not float data?"""
        use = next((n for n in module.mentions.get(node.id, ()) if isinstance(n.ctx, tree.Load)), None)
        values = self.ev.evaluate(use, module) if use is not None else frozenset()
        return not any(isinstance(v, Tensor) and v.kind != "int" for v in values)

    # dependence

    def depends(
        self, module: Module, node: Node, names: _Names, path: tuple[tuple[Module, Node], ...] = ()
    ) -> bool:
        """Is the value of an expression computed from a tainted name?"""
        if isinstance(node, tree.Name):
            return names.has(module, node)
        if isinstance(node, tree.Attribute):
            return node.attr not in ("shape", "dtype", "name", "device") and self.depends(
                module, node.value, names, path
            )
        if isinstance(node, tree.Subscript):
            if self.depends(module, node.value, names, path):
                return True
            return self._python_container(module, node) and self.depends(module, node.slice, names, path)
        if isinstance(node, tree.Call):
            return self._call_depends(module, node, names, path)
        if isinstance(node, (tree.Lambda, tree.Compare, tree.JoinedStr, tree.Constant)):
            return False
        if (
            isinstance(node, tree.BinOp)
            and not isinstance(node.op, (tree.Mod, tree.FloorDiv))
            and self._data(module, node)
        ):
            return False
        return any(
            self.depends(module, child, names, path)
            for child in tree.children(node)
            if isinstance(child, tree.expr)
        )

    def _data(self, module: Module, node: Node) -> bool:
        """Is one side of an operation tensor data (not a number that could be an index)?"""
        for side in (node.left, node.right):
            if any(
                isinstance(v, Tensor) and v.kind == "" and v.const is None
                for v in self.ev.evaluate(side, module)
            ):
                inner = [n for n in tree.walk(side) if isinstance(n, tree.Call)]
                if not any(self._is_cast(module, call) for call in inner):
                    return True
        return False

    def _is_cast(self, module: Module, call: Node) -> bool:
        return any(
            isinstance(v, Api)
            and library.without_v1(v.name).split(".")[-1]
            in ("cast", "constant", "stack", "convert_to_tensor")
            for v in self.ev.evaluate(call.func, module)
        )

    def _python_container(self, module: Module, node: Node) -> bool:
        values = self.ev.evaluate(node.value, module)
        return bool(values) and all(isinstance(v, (ListValue, TupleValue, DictValue)) for v in values)

    def _call_depends(
        self, module: Module, node: Node, names: _Names, path: tuple[tuple[Module, Node], ...]
    ) -> bool:
        given = [*node.args, *[kw.value for kw in node.keywords]]
        tainted = [
            arg
            for arg in given
            if self.depends(module, arg.value if isinstance(arg, tree.Starred) else arg, names, path)
        ]
        receiver = isinstance(node.func, tree.Attribute) and self.depends(
            module, node.func.value, names, path
        )
        if not tainted and not receiver:
            return False
        for value in self.ev.evaluate(node.func, module):
            if isinstance(value, Api):
                rest = library.without_v1(value.name).partition(".")[2]
                if value.name.startswith("builtins.") and rest not in (
                    "len",
                    "isinstance",
                    "range",
                    "enumerate",
                    "zip",
                ):
                    return True
                if value.name.startswith(("numpy.", "math.")):
                    return True
                last = rest.removeprefix("math.")
                if last in _SHAPES:
                    continue
                if last in _ARITHMETIC or rest.startswith("bitwise."):
                    return True
            elif isinstance(value, Function) and len(path) < _DEPTH:
                params = self._tainted_params(module, node, value, names, path)
                if params and self._function(value.scope, params, (*path, (module, node)))[1]:
                    return True
            elif isinstance(value, Unknown) and receiver:
                return True
        return False

    # sinks

    def _sinks(
        self, module: Module, node: Node, names: _Names, path: tuple[tuple[Module, Node], ...]
    ) -> list[Sink]:
        if isinstance(node, tree.Subscript):
            return self._subscript(module, node, names, path)
        if isinstance(node, (tree.For, tree.AsyncFor)) and isinstance(node.iter, tree.Call):
            ranged = isinstance(node.iter.func, tree.Name) and node.iter.func.id == "range"
            for arg in node.iter.args if ranged else ():
                if self.depends(module, arg, names, path):
                    return [Sink("constant", module, arg, "the length of a `range` loop", path)]
        if not isinstance(node, tree.Call):
            return []
        sinks: list[Sink] = []
        for value in self.ev.evaluate(node.func, module):
            if isinstance(value, Api):
                sinks.extend(self._operands(module, node, value, names, path))
            elif len(path) < _DEPTH:
                sinks.extend(self._into(module, node, value, names, path))
        return sinks

    def _operands(
        self, module: Module, node: Node, api: Api, names: _Names, path: tuple[tuple[Module, Node], ...]
    ) -> list[Sink]:
        sinks = []
        spelled = module.text(node.func)
        tables = (("constant", CONSTANT_OPERANDS), ("python", PYTHON_ATTRIBUTE_OPERANDS))
        for kind, table in tables:
            for row in table.get(api.name, ()):
                given = calls.operand(node, row)
                if given is None or not self.depends(module, given, names, path):
                    continue
                mixed = self._mixed(module, given, names)
                sinks.append(Sink(kind, module, given, f"`{row.argument}` of `{spelled}`", path, mixed, row))
        if library.without_v1(api.name) in ("tensorflow.slice", "tensorflow.strided_slice"):
            size = (
                node.args[2]
                if len(node.args) > 2
                else next((k.value for k in node.keywords if k.arg in ("size", "end")), None)
            )
            if size is not None and self.depends(module, size, names, path):
                sinks.append(Sink("slice", module, node, f"the size of `{spelled}`", path))
        return sinks

    def _mixed(self, module: Module, node: Node, names: _Names) -> bool:
        """Does tensor data take part in an operand?"""
        others = [n for n in tree.walk(node) if isinstance(n, tree.Name) and not names.has(module, n)]
        values = (value for other in others for value in self.ev.evaluate(other, module))
        return any(isinstance(v, Tensor) and v.const is None for v in values)

    def _subscript(
        self, module: Module, node: Node, names: _Names, path: tuple[tuple[Module, Node], ...]
    ) -> list[Sink]:
        parts = node.slice.elts if isinstance(node.slice, tree.Tuple) else [node.slice]
        base = self.ev.evaluate(node.value, module)
        sinks = []
        plain = not isinstance(node.slice, (tree.Slice, tree.Tuple))
        python = base and all(isinstance(v, (ListValue, TupleValue, Static)) for v in base)
        if python and not _is_host(base) and plain and self.depends(module, node.slice, names, path):
            label = f"an index into `{module.text(node.value)}`"
            sinks.append(Sink("python", module, node.slice, label, path))
        if not all(isinstance(v, (Tensor, Unknown)) for v in base):
            return sinks
        for part in parts:
            if not isinstance(part, tree.Slice):
                continue
            if part.step is not None and self.depends(module, part.step, names, path):
                sinks.append(
                    Sink("constant", module, part.step, "the step of a slice", path, operand=SUBSCRIPT_STEP)
                )
            ends = [end for end in (part.lower, part.upper) if end is not None]
            if any(self.depends(module, end, names, path) for end in ends):
                sinks.append(Sink("slice", module, node, "a slice", path))
        return sinks

    # calls into the project

    def _into(
        self, module: Module, node: Node, value: Value, names: _Names, path: tuple[tuple[Module, Node], ...]
    ) -> list[Sink]:
        if isinstance(value, Class):
            init = objects.method(self.ev, value.scope, "__init__")
            value = Function(init, Instance(value.scope)) if init is not None else value
        elif isinstance(value, Instance):
            found = [v for v in objects.call_method(self.ev, value) if isinstance(v, Function)]
            value = found[0] if found else value
        elif isinstance(value, Partial) and isinstance(value.target, Function) and not value.args:
            value = value.target
        if not isinstance(value, Function):
            return []
        params = self._tainted_params(module, node, value, names, path)
        return self._function(value.scope, params, (*path, (module, node)))[0] if params else []

    def _tainted_params(
        self,
        module: Module,
        node: Node,
        value: Function,
        names: _Names,
        path: tuple[tuple[Module, Node], ...],
    ) -> frozenset[str]:
        function = value.scope
        params = [param.id for param in function.params]
        if value.bound is not None and not function.is_static:
            params = params[1:]
        found = set()
        for name, arg in zip(params, node.args, strict=False):
            if not isinstance(arg, tree.Starred) and self.depends(module, arg, names, path):
                found.add(name)
        for kw in node.keywords:
            if kw.arg is not None and self.depends(module, kw.value, names, path):
                found.add(kw.arg)
        return frozenset(found)

    def _function(
        self, function: Scope, params: frozenset[str], path: tuple[tuple[Module, Node], ...]
    ) -> tuple[list[Sink], bool]:
        """Sinks in a callee, and whether what it returns depends on these parameters."""
        key = (function, params)
        if key not in self._memo:
            self._memo[key] = ([], False)  # recursion finds nothing new
            names = _Names((function, name) for name in params)
            sinks = self._region(function, function.body, names, path)
            found = [n for n in calls.own_nodes(function) if isinstance(n, tree.Return)]
            returns = [n.value for n in found if n.value is not None]
            if isinstance(function.node, tree.Lambda):
                returns = [function.node.body]
            dependent = any(self.depends(function.module, value, names, path) for value in returns)
            self._memo[key] = (sinks, dependent)
        sinks, dependent = self._memo[key]
        return [replace(sink, path=path + sink.path[len(path) :]) for sink in sinks], dependent


def _is_host(values: Values) -> bool:
    return any(isinstance(v, Static) and v.kind != "shape" for v in values)
