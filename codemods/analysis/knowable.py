"""What a number is made of: Python values only, or something that XLA cannot know when it compiles?"""

from __future__ import annotations

from collections.abc import Sequence

from codemods.analysis import library, loops, tree
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.names import find_binding_scope
from codemods.analysis.scopes import Module, Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Static, is_static
from codemods.knowledge.loops import LOOPS

_DEPTH = 6
_PLAIN = frozenset({"builtins.len", "builtins.int", "builtins.abs", "builtins.max", "builtins.min"})
_LISTS = frozenset(
    {"tensorflow.unstack", "tensorflow.split", "builtins.list", "builtins.tuple", "builtins.sorted"}
)


def is_python(node: Node, module: Module, proof: Evaluator, depth: int = 0) -> bool:
    """Is an expression certainly a Python value? AutoGraph makes tensors of what an `if` or a loop binds."""

    def inner(part: Node) -> bool:
        return is_python(part, module, proof, depth + 1)

    if depth > _DEPTH:
        return False
    if isinstance(node, tree.Constant):
        return True
    if isinstance(node, (tree.BinOp, tree.UnaryOp)):
        return all(inner(part) for part in tree.children(node) if isinstance(part, tree.expr))
    values = proof.evaluate(node, module)
    if not values or not all(is_static(v) for v in values):
        return False
    if isinstance(node, tree.Name):
        return _name(node, module, proof, depth)
    if isinstance(node, tree.Subscript):
        base = proof.evaluate(node.value, module)
        fixed = bool(base) and all(isinstance(v, Static) and v.kind == "shape" for v in base)
        return loops.literal(node.slice) is not None and (fixed or inner(node.value))
    if isinstance(node, tree.Call):
        names = _names(node, module, proof)
        if names and names <= _PLAIN:
            return bool(node.args) and all(inner(arg) for arg in node.args)
        return bool(names) and all(name.startswith("tensorflow.TensorShape.") for name in names)
    return isinstance(node, tree.Attribute)


def _names(call: Node, module: Module, ev: Evaluator) -> set[str]:
    return {library.without_v1(v.name) if isinstance(v, Api) else "" for v in ev.evaluate(call.func, module)}


def _name(node: Node, module: Module, proof: Evaluator, depth: int) -> bool:
    """A name of the function itself must be bound once, and outside of what AutoGraph rewrites."""
    holder = find_binding_scope(module.enclosing(node), node.id)
    if holder is None or holder.kind != "function":
        return True
    found = holder.bindings[node.id]
    if len(found) != 1:
        return False
    value = found[0].value
    if found[0].kind != "assign" or value is None:
        return found[0].kind in ("param", "rest")
    if any(isinstance(a, (tree.If, *tree.LOOPS)) for a in holder.module.ancestors(found[0].node)):
        return False
    if isinstance(value, (tree.List, tree.Tuple, tree.ListComp)):
        return True
    listed = isinstance(value, tree.Call) and _names(value, module, proof) <= _LISTS
    return listed or is_python(value, module, proof, depth + 1)


def at_runtime(node: Node, module: Module, place: Node, ev: Evaluator, depth: int = 0) -> str:
    """Why XLA cannot know a number at `place` when it compiles; "" if nothing speaks against it."""
    for inner in tree.walk(node):
        if isinstance(inner, tree.Call) and any("random" in name for name in _names(inner, module, ev)):
            return f"`{module.text(inner.func)}` gives a number that XLA does not know when it compiles"
        if not isinstance(inner, tree.Name) or depth > _DEPTH:
            continue
        scope = module.enclosing(inner)
        holder = find_binding_scope(scope, inner.id)
        if holder is None or holder.kind != "function" or holder.module is not module:
            continue
        for binding in ev.reaching(inner, scope, holder):
            around = [a for a in module.ancestors(binding.node) if isinstance(a, tree.LOOPS)]
            if binding.kind in ("param", "rest"):
                own = holder.owner is not None and holder.params[:1] and holder.params[0].id == inner.id
                if not own and _is_repeated(holder, ev):
                    return (
                        f"`{inner.id}` differs from round to round of another loop, so XLA does not know it"
                    )
                continue
            if around and not _known_in_loop(inner.id, binding.kind, holder, around, place, ev):
                return f"`{inner.id}` is computed in a loop, so XLA does not know it when it compiles"
            made_of = getattr(binding.value, "value", None) if binding.kind == "aug" else binding.value
            if made_of is not None and binding.kind in ("assign", "aug"):
                why = at_runtime(made_of, module, place, ev, depth + 1)
                if why:
                    return why
    return ""


def _is_repeated(function: Scope, ev: Evaluator) -> bool:
    """Is a function the body of a `tf.while_loop`, or of a `tf.map_fn` and kin?"""
    module = function.module
    own = isinstance(function.node, tree.Lambda)
    for mention in [function.node] if own else module.mentions.get(function.name, ()):
        parent = module.parent.get(mention)
        call = module.parent.get(parent) if isinstance(parent, tree.keyword) else parent
        if isinstance(call, tree.Call) and mention is not call.func and _names(call, module, ev) & LOOPS:
            return True
    return False


def _known_in_loop(
    name: str, kind: str, holder: Scope, around: Sequence[Node], place: Node, ev: Evaluator
) -> bool:
    """Is it known what a loop binds: does the loop run in Python, or hold the place as well?"""
    if kind == "for":
        found = {loop.node: loop for loop in loops.find(holder, ev, ev)}
        loop = found.get(around[0])
        return loop is not None and loop.kind in ("python", "items")
    outside = set(around) - set(holder.module.ancestors(place))
    return not outside and len(holder.bindings[name]) == 1
