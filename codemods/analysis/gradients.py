"""Where a derivative is taken: under a tape that is asked for one, or in front of `tf.gradients`."""

from __future__ import annotations

from functools import cached_property

from codemods.analysis import calls, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, ApiObject, Function, Tensor, Unknown

WORDS = (
    b"GradientTape", b"ForwardAccumulator", b"gradients", b"minimize", b"value_and_gradient",
)  # fmt: skip
"""One of them stands in every file that takes a derivative itself."""

_TAPE = "tensorflow.GradientTape"
_FORWARD = "tensorflow.autodiff.ForwardAccumulator"
_OWN = "custom_gradient"
_MAKERS = ("GradientTape", "ForwardAccumulator")
_ASKS = frozenset({"gradient", "jacobian", "batch_jacobian"})
_OF_TENSORS = frozenset({"gradients", "hessians", "minimize", "compute_gradients", "get_gradients"})


class Recording:
    """What one function takes the derivative of.

    blocks: `with` statements over a tape that is asked for a derivative, or leaves the function;
    whole: a call of `tf.gradients` and kin, which see everything in front of them.
    """

    def __init__(self, function: Scope, ev: Evaluator) -> None:
        self.function = function
        self.module = function.module
        self._ev = ev

    @cached_property
    def blocks(self) -> list[Node]:
        return [
            node
            for node in calls.own_nodes(self.function)
            if isinstance(node, (tree.With, tree.AsyncWith)) and any(map(self._records, node.items))
        ]

    @cached_property
    def whole(self) -> Node | None:
        for node in calls.own_nodes(self.function):
            if (
                isinstance(node, tree.Call)
                and isinstance(node.func, tree.Attribute)
                and node.func.attr in _OF_TENSORS
                and self._of_tensors(node)
            ):
                return node
        return None

    def covers(self, node: Node) -> bool:
        """Is the derivative of what happens at a place of the function taken?"""
        if is_stopped(node, self.module):
            return False
        if self.whole is not None:
            return True
        blocks = self.blocks
        if not blocks:
            return False
        for ancestor in self.module.ancestors(node):
            if isinstance(ancestor, tree.FUNCTIONS):
                return False
            if isinstance(ancestor, tree.With) and _pauses(ancestor):
                return False
            if any(ancestor is block for block in blocks):
                return True
        return False

    def place(self) -> Node | None:
        """Where the derivative is taken, for people."""
        return self.whole if self.whole is not None else next(iter(self.blocks), None)

    def _records(self, item: Node) -> bool:
        expression = item.context_expr
        if isinstance(expression, tree.Call) and tree.identifier(expression.func) not in _MAKERS:
            return False  # not worth an evaluation
        names = {
            v.name for v in self._ev.evaluate(item.context_expr, self.module) if isinstance(v, ApiObject)
        }
        if _FORWARD in names:
            return True
        if _TAPE not in names:
            return False
        if item.optional_vars is None:
            name = item.context_expr if isinstance(item.context_expr, tree.Name) else None
        else:
            name = item.optional_vars
        if not isinstance(name, tree.Name):
            return True
        for mention in self.module.mentions.get(name.id, ()):
            if not isinstance(mention.ctx, tree.Load) or not self._holds(mention):
                continue
            parent = self.module.parent.get(mention)
            if not isinstance(parent, tree.Attribute):
                if not isinstance(parent, tree.withitem):
                    return True  # it is handed on
            elif parent.attr in _ASKS:
                return True
        return False

    def _holds(self, node: Node) -> bool:
        if self.function.kind == "module":
            return True
        return any(ancestor is self.function.node for ancestor in self.module.ancestors(node))

    def _of_tensors(self, call: Node) -> bool:
        """Does the call take the derivative of tensors that are there already (not of a function)?"""
        callee = self._ev.evaluate(call.func, self.module)
        if call.func.attr in ("gradients", "hessians"):
            return any(isinstance(v, Api) and v.name.startswith("tensorflow.") for v in callee)
        known = any(isinstance(v, Api) and v.name.startswith(("tensorflow.", "keras.")) for v in callee)
        if not known and not all(isinstance(v, Unknown) for v in callee):
            return False
        first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "loss"), None)
        if first is None:
            return False
        values = self._ev.evaluate(first, self.module)
        return bool(values) and all(isinstance(v, Tensor) for v in values)


def has_own_gradient(function: Scope, ev: Evaluator) -> bool:
    """Does `tf.custom_gradient`, or the project's own, give the derivative of a function?

    Then none goes through its body; nor through the functions that are handed over as its derivative.
    """
    module = function.module
    for decorator in getattr(function.node, "decorator_list", []):
        called = decorator.func if isinstance(decorator, tree.Call) else decorator
        if _gives_gradient(called, module, ev):
            return True
    if not isinstance(function.node, tree.FunctionDef):
        return False
    for mention in module.mentions.get(function.node.name, ()):
        parent = module.parent.get(mention)
        call = module.parent.get(parent) if isinstance(parent, tree.keyword) else parent
        if (
            isinstance(call, tree.Call)
            and mention is not call.func
            and _gives_gradient(call.func, module, ev)
        ):
            return True
    return False


def _gives_gradient(callee: Node, module: Module, ev: Evaluator) -> bool:
    if tree.identifier(callee) != _OWN:
        return False
    return any(
        (isinstance(v, Api) and v.name == f"tensorflow.{_OWN}")
        or (isinstance(v, Function) and v.scope.name == _OWN)
        for v in ev.evaluate(callee, module)
    )


def is_stopped(node: Node, module: Module) -> bool:
    """Does `tf.stop_gradient` stand round an expression, or is it mapped over it?"""
    for ancestor in module.ancestors(node):
        if isinstance(ancestor, tree.Call) and node is not ancestor:
            if tree.identifier(ancestor.func) == "stop_gradient":
                return True
            mapped = ancestor.args[0] if ancestor.args else None
            if (
                tree.identifier(ancestor.func) in ("map_structure", "tree_map")
                and tree.identifier(mapped) == "stop_gradient"
            ):
                return True
        if isinstance(ancestor, tree.stmt):
            return False
    return False


def _pauses(block: Node) -> bool:
    called = [item.context_expr for item in block.items if isinstance(item.context_expr, tree.Call)]
    return any(tree.identifier(call.func) == "stop_recording" for call in called)
