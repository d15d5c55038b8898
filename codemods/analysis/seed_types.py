"""Is a seed of type int64, which not every random op takes under XLA?"""

from __future__ import annotations

from codemods.analysis import attributes, calls, library, tree
from codemods.analysis.compiled import Program
from codemods.analysis.names import Binding, Scope, find_binding_scope
from codemods.analysis.scopes import Module
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Const, Instance
from codemods.knowledge.generators import GENERATOR

_DEPTH = 10
_TYPED = {  # functions with a `dtype` argument: its position, None: by keyword only
    "tensorflow.constant": 1, "tensorflow.convert_to_tensor": 1, "tensorflow.cast": 1, "tensorflow.zeros": 1,
    "tensorflow.ones": 1, "tensorflow.Variable": None, "tensorflow.range": None, "tensorflow.fill": None,
    f"{GENERATOR}.uniform_full_int": 1, f"{GENERATOR}.uniform": 3, "tensorflow.random.uniform": 3,
    "tensorflow.random.stateless_uniform": 4, "numpy.array": 1, "numpy.asarray": 1, "numpy.zeros": 1,
    "numpy.ones": 1, "numpy.random.randint": 3, "numpy.arange": None,
}  # fmt: skip
_KEEPS = frozenset({  # what has the type of its first argument
    "tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.Variable", "tensorflow.stack",
    "tensorflow.concat", "tensorflow.gather", "tensorflow.slice", "tensorflow.reshape", "tensorflow.squeeze",
    "tensorflow.transpose", "tensorflow.identity", "tensorflow.unstack", "tensorflow.expand_dims",
    "tensorflow.stop_gradient", "tensorflow.random.split", "tensorflow.random.experimental.stateless_split",
    "tensorflow.bitwise.bitwise_xor", "tensorflow.add", "tensorflow.math.add", "builtins.list",
    "builtins.tuple", "numpy.array", "numpy.asarray", "tensorflow.split", "builtins.zip",
    "builtins.enumerate", "builtins.reversed",
})  # fmt: skip
_WIDE = frozenset({f"{GENERATOR}.make_seeds", "numpy.int64"})
_NUMPY_INTS = frozenset({"numpy.array", "numpy.asarray", "numpy.arange", "numpy.random.randint"})


def is_int64(node: Node, module: Module, program: Program, depth: int = 0) -> bool:
    """Is a value certainly of type int64 for some caller that XLA compiles?"""
    if depth > _DEPTH:
        return False

    def inner(part: Node) -> bool:
        return is_int64(part, module, program, depth + 1)

    if isinstance(node, tree.Name):
        holder = find_binding_scope(module.enclosing(node), node.id)
        if holder is None or holder.module is not module:
            return False
        found = program.ev.reaching(node, module.enclosing(node), holder)
        return bool(found) and all(_bound(b, holder, node.id, program, depth) for b in found)
    if isinstance(node, (tree.Subscript, tree.Starred)):
        return inner(node.value)
    if isinstance(node, tree.BinOp):
        return inner(node.left) or inner(node.right)
    if isinstance(node, tree.IfExp):
        return inner(node.body) and inner(node.orelse)
    if isinstance(node, (tree.List, tree.Tuple)):
        return any(inner(item) for item in node.elts)
    if isinstance(node, tree.Attribute):
        return _attribute(node, module, program, depth)
    if isinstance(node, tree.Call):
        return _call(node, module, program, depth)
    return False


def _bound(binding: Binding, holder: Scope, name: str, program: Program, depth: int) -> bool:
    if binding.kind in ("assign", "for", "comp", "walrus") and binding.value is not None:
        return is_int64(binding.value, holder.module, program, depth + 1)
    if binding.kind != "param":
        return False
    for site in program.callers(holder).sites:
        if site.decorated is None and isinstance(site.node, tree.Call):
            given = calls.argument(site.node, holder, name, site.bound)
            if given is not None and is_int64(given, site.module, program, depth + 1):
                return True
    return False


def _attribute(node: Node, module: Module, program: Program, depth: int) -> bool:
    found = []
    for value in program.ev.evaluate(node.value, module):
        if not isinstance(value, Instance):
            return False
        for _, target in attributes.attribute_stores(value.scope, node.attr):
            statement = value.scope.module.parent.get(target)
            found.append(
                isinstance(statement, tree.Assign)
                and is_int64(statement.value, value.scope.module, program, depth + 1)
            )
    return bool(found) and all(found)


def _call(node: Node, module: Module, program: Program, depth: int) -> bool:
    values = program.ev.evaluate(node.func, module)
    names = {library.without_v1(v.name) for v in values if isinstance(v, Api)}
    if isinstance(node.func, tree.Attribute) and node.func.attr == "astype" and node.args:
        return _is_type(node.args[0], module, program)
    if len(names) != 1 or len(values) != 1:
        return False
    name = names.pop()
    if name in _WIDE:
        return True
    if name in _TYPED:
        given = next((kw.value for kw in node.keywords if kw.arg == "dtype"), None)
        position = _TYPED[name]
        if given is None and position is not None and position < len(node.args):
            given = node.args[position]
        if given is not None:
            return _is_type(given, module, program)
        if name in _NUMPY_INTS:
            return all(isinstance(n, _LITERAL) for a in node.args[:1] for n in tree.walk(a) if not _mark(n))
    if name not in _KEEPS:
        return False
    parts = node.args if name in ("builtins.zip", "tensorflow.add", "tensorflow.math.add") else node.args[:1]
    return any(is_int64(part, module, program, depth + 1) for part in parts)


_LITERAL = (tree.List, tree.Tuple, tree.Constant, tree.UnaryOp)


def _mark(node: Node) -> bool:
    """Is it no value of its own, or a whole number?"""
    if isinstance(node, tree.Constant):
        return isinstance(node.value, int)
    return isinstance(node, (tree.Load, tree.USub))


def _is_type(node: Node, module: Module, program: Program) -> bool:
    found = program.ev.evaluate(node, module)
    names = {v.name.split(".")[-1] if isinstance(v, Api) else getattr(v, "value", None) for v in found}
    return names == {"int64"} and all(isinstance(v, (Api, Const)) for v in found)
