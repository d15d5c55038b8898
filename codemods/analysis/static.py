"""An expression as source text that is known when the function is traced.

`tf.shape(x)[k]` becomes `x.shape[k]`, `tf.rank(x)` becomes `x.shape.rank`, a local name that stands
for such an expression is replaced by it. What is a tensor for any caller, compiled or not, is refused.
"""

from __future__ import annotations

import re

from codemods.analysis import library, loops, tree
from codemods.analysis.compiled import Program
from codemods.analysis.loops import Loop
from codemods.analysis.names import find_binding_scope
from codemods.analysis.places import stable_between
from codemods.analysis.scopes import Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import (
    Api,
    Const,
    DictValue,
    ListValue,
    Static,
    Tensor,
    TupleValue,
    Unknown,
    Values,
    is_python_int,
)

_ATOM = re.compile(r"[\w.]+(?:\[[^\[\]]*\]|\([^()]*\))*")  # a name or a number, with subscripts and calls


class StaticText:
    """Answers for the place of one loop.

    changed: some text differs from what is written. assumptions: what must hold. why: the reason,
    after `of` has returned None.
    """

    def __init__(self, loop: Loop, program: Program) -> None:
        self.loop = loop
        self.program = program
        self.module = loop.module
        self.changed = False
        self.assumptions: list[str] = []
        self.why = ""

    def of(self, node: Node) -> str | None:
        """The text for an argument of `range`, or None."""
        spelled = self.module.text(node)
        if spelled in self.program.facts(self.module, self.loop.node, "static"):
            line = self.loop.node.lineno
            self.assumptions.append(f"`{spelled}` is a Python int, as the comment at line {line} says")
            return spelled if self.loop.written else None
        values = self.program.proof.evaluate(node, self.module)
        tensors = [v for v in values if isinstance(v, Tensor)]
        if not tensors:
            return self._static(node, values)
        text = self._rewritten(node)
        if text is None and not self.why:
            self.why = self._tensor_reason(node)
        return text

    def _static(self, node: Node, values: Values) -> str | None:
        for value in values:
            if isinstance(value, Const) and not isinstance(value.value, (int, type(None))):
                self.why = f"`{self.module.text(node)}` may be {value.value!r}, and `range` takes ints only"
                return None
        unknown = [v for v in values if isinstance(v, Unknown)]
        certain = all(
            is_python_int(v)
            or (isinstance(v, Static) and v.kind == "dim")
            or (isinstance(v, Const) and v.value is None)
            for v in values
        )
        if self._set_in_branches(node):
            self.assumptions.append(
                f"`{self.module.text(node)}` is a Python int (a name set in a branch or loop may be a tensor)"
            )
        elif unknown or not certain or not values:
            why = next((v.why for v in unknown if v.why), "")
            self.assumptions.append(
                f"`{self.module.text(node)}` is a Python int" + (f" ({why})" if why else "")
            )
        if not self.loop.written and not self._holds_at_loop(node):
            self.why = f"`{self.module.text(node)}` may have another value at the loop"
            return None
        return self.module.text(node)

    def _set_in_branches(self, node: Node) -> bool:
        """Is a local name assigned inside an `if` or a loop? AutoGraph may make it a tensor."""
        for name in tree.walk(node):
            if isinstance(name, tree.Name):
                holder = find_binding_scope(self.module.enclosing(name), name.id)
                if holder is None or holder.kind != "function":
                    continue
                for binding in holder.bindings[name.id]:
                    if binding.kind in ("assign", "aug") and any(
                        isinstance(a, (tree.If, *tree.LOOPS)) and a is not self.loop.node
                        for a in self.module.ancestors(binding.node)
                    ):
                        outer = [
                            a
                            for a in self.module.ancestors(self.loop.node)
                            if isinstance(a, (tree.If, *tree.LOOPS))
                        ]
                        if not all(
                            a in outer
                            for a in self.module.ancestors(binding.node)
                            if isinstance(a, (tree.If, *tree.LOOPS))
                        ):
                            return True
        return False

    def _holds_at_loop(self, node: Node) -> bool:
        return self.loop.call is None or stable_between(
            node, self.loop.call, self.loop.node, self.loop.function, self.program
        )

    def _rewritten(self, node: Node) -> str | None:
        if isinstance(node, tree.Name):
            inner = loops.definition(node, self.module, self.program.ev)
            if inner is not None and stable_between(
                inner, inner, self.loop.node, self.loop.function, self.program
            ):
                text = self.of(inner)
                self.changed = True
                return text
            return None
        if isinstance(node, tree.BinOp) and isinstance(
            node.op, (tree.Add, tree.Sub, tree.Mult, tree.FloorDiv)
        ):
            left, right = self.of(node.left), self.of(node.right)
            if left is None or right is None:
                return None
            return self._spliced(node, {node.left: left, node.right: right})
        if isinstance(node, tree.Subscript):
            return self._dimension(node)
        if isinstance(node, tree.Call) and node.args:
            name = self._called(node)
            if name in (
                "tensorflow.cast",
                "tensorflow.identity",
                "tensorflow.convert_to_tensor",
                "tensorflow.constant",
            ):
                self.changed = True  # the dtype is int32 or int64, or `unroll` has refused it
                return self.of(node.args[0])
            if name in ("tensorflow.rank", "tensorflow.size") and len(node.args) == 1:
                whole = ".shape.rank" if name == "tensorflow.rank" else ".shape.num_elements()"
                return self._of_shape(node.args[0], whole)
        return None

    def _called(self, node: Node) -> str:
        names = {
            library.without_v1(v.name)
            for v in self.program.ev.evaluate(node.func, self.module)
            if isinstance(v, Api)
        }
        return names.pop() if len(names) == 1 else ""

    def _dimension(self, node: Node) -> str | None:
        """`tf.shape(x)[k]`, also with a name for `tf.shape(x)`."""
        base: Node | None = node.value
        if isinstance(base, tree.Name):
            base = loops.definition(base, self.module, self.program.ev)
            if base is None or not stable_between(
                base, base, self.loop.node, self.loop.function, self.program
            ):
                return None
        if isinstance(base, tree.Call) and base.args and self._called(base) == "tensorflow.shape":
            index = loops.constant_of(self.program.ev, self.module, node.slice)
            if index is not None:
                return self._of_shape(base.args[0], f".shape[{self.module.text(node.slice)}]")
        return None

    def _of_shape(self, base: Node, rest: str) -> str | None:
        if not isinstance(base, (tree.Name, tree.Attribute, tree.Subscript)):
            return None
        values = self.program.proof.evaluate(base, self.module)
        if any(isinstance(v, (Static, ListValue, TupleValue, DictValue, Const)) for v in values):
            self.why = f"`{self.module.text(base)}` is no tensor, and has no static shape to ask for"
            return None
        self.changed = True
        text = self.module.text(base) + rest
        if not all(isinstance(v, Tensor) for v in values) and not rest.startswith(".shape["):
            self.assumptions.append(f"`{self.module.text(base)}` is a tensor")
        if not self._known_static(text) and not self._made_static(base, rest):
            self.assumptions.append(
                f"`{text}` is known when the function is traced (it is None for an unknown dimension)"
            )
        return text

    def _known_static(self, text: str) -> bool:
        """Does the loop compute with this static size already? Then it cannot be None."""
        wanted = tree.unparse(tree.parse_expression(text))
        for node in self.loop.body_nodes():
            if isinstance(node, tree.BinOp) and isinstance(
                node.op, (tree.Add, tree.Sub, tree.Mult, tree.FloorDiv)
            ):
                if not loops.runs_every_time(self.module.statement(node), self.loop) or self._guarded(node):
                    continue
                for side in tree.children(node):
                    if (
                        isinstance(side, (tree.Subscript, tree.Attribute, tree.Call))
                        and tree.unparse(side) == wanted
                    ):
                        return not self._inside_function(node)
        return False

    def _guarded(self, node: Node) -> bool:
        """Does an expression decide whether a part of it is evaluated?"""
        for ancestor in self.module.ancestors(node):
            if isinstance(ancestor, tree.stmt):
                return False
            if isinstance(ancestor, (tree.IfExp, tree.BoolOp, tree.Lambda, tree.ListComp, tree.GeneratorExp)):
                return True
        return False

    def _made_static(self, base: Node, rest: str) -> bool:
        """Was the tensor made here with a shape that is written out?"""
        inner = loops.definition(base, self.module, self.program.ev) if isinstance(base, tree.Name) else None
        if not isinstance(inner, tree.Call):
            return False
        if not self._called(inner).startswith("tensorflow."):
            return False
        position = {"reshape": 1, "zeros": 0, "ones": 0, "fill": 0, "broadcast_to": 1}.get(
            self._called(inner).split(".")[-1]
        )
        if (
            position is None
            or position >= len(inner.args)
            or not isinstance(inner.args[position], (tree.List, tree.Tuple))
        ):
            return False
        sizes = [loops.literal(item) for item in inner.args[position].elts]
        return rest == ".shape.rank" or all(size is not None and size >= 0 for size in sizes)

    def _inside_function(self, node: Node) -> bool:
        return self.module.enclosing(node).function is not self.loop.function

    def _spliced(self, node: Node, parts: dict[Node, str]) -> str:
        span = self.module.span(node)
        text, shift = self.module.source.text[span.start : span.end], span.start
        for part in sorted(parts, key=lambda p: -self.module.span(p).start):
            place = self.module.span(part)
            written = parts[part] if _ATOM.fullmatch(parts[part]) else f"({parts[part]})"
            text = text[: place.start - shift] + written + text[place.end - shift :]
        return text

    # reasons

    def _tensor_reason(self, node: Node) -> str:
        text = self.module.text(node)
        for name in tree.walk(node):
            if isinstance(name, tree.Name):
                holder = find_binding_scope(self.module.enclosing(name), name.id)
                if (
                    holder is not None
                    and holder.kind == "function"
                    and any(b.kind == "param" for b in holder.bindings[name.id])
                ):
                    passer = self._passer(holder, name.id)
                    if passer:
                        return (
                            f"`{text}` is a tensor or a variable for {passer}, "
                            "and `range` would be turned back into `tf.range`"
                        )
        names = {n.id for n in tree.walk(node) if isinstance(n, tree.Name)}
        for outer in loops.find(self.loop.function, self.program.ev, self.program.proof):
            if outer.index is not None and outer.index.id in names and outer.node is not self.loop.node:
                return (
                    f"the length `{text}` is the index of another tensor loop, which has to be mended first"
                )
        if loops.is_variable(self.program.proof.evaluate(node, self.module)):
            return f"`{text}` may be a tf.Variable, which `range` does not take"
        return f"the length `{text}` is a tensor: AutoGraph turns `range` of a tensor back into `tf.range`"

    def _passer(self, function: Scope, name: str) -> str:
        for site in self.program.callers(function).sites:
            values = self.program.argument(self.program.proof, function, name, site)
            if any(isinstance(v, Tensor) for v in values):
                return f"the caller at {site.module.path}:{site.node.lineno}"
        return ""
