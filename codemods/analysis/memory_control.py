"""JAX functions that take functions: loops, conditionals, maps over trees, and derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codemods.analysis import memory_ops, tree
from codemods.analysis.memory_ops import Operand
from codemods.analysis.memory_values import (
    DEVICE,
    OPAQUE,
    UNSURE,
    Const,
    Leaf,
    Method,
    Place,
    Seq,
    Tup,
    Value,
    child,
    element,
    elements,
    join,
    join_all,
    leaves,
    paths,
    transform,
    with_paths,
)
from codemods.knowledge import jax_memory as table

if TYPE_CHECKING:
    from codemods.analysis.memory_run import Runner

Keywords = Mapping[str, Operand]
_ROUNDS = 3  # of a loop, until its carry no longer changes


@dataclass(frozen=True, eq=False)
class Request:
    """A call of a library function."""

    run: Runner
    place: Place
    args: list[Operand]
    keywords: Keywords


def _scan(at: Request) -> Value:
    args = at.args
    xs = args[2][1]
    item = transform(xs, lambda leaf: replace(leaf, ndim=None, direct=False))
    outs: Value = OPAQUE

    def once(carry: Value) -> Value:
        got = at.run.apply(args[0][1], [(args[1][0], carry), (args[-1][0], item)], {})
        return child(got, 0) or element(got)

    carry = _entering(at.run, args[1], once)
    for _ in range(_ROUNDS):
        got = at.run.apply(args[0][1], [(args[1][0], carry), (args[-1][0], item)], {})
        after, outs = child(got, 0) or element(got), child(got, 1) or element(got)
        joined = join(carry, after)
        if joined == carry:
            break
        carry = joined
    stacked = transform(outs, lambda leaf: replace(leaf, ndim=1, direct=False))
    return Tup((carry, stacked))


def _while(at: Request) -> Value:
    return at.run.ops.behind(_rounds(at.run, at.args[1][1], at.args[2], []))


def _fori(at: Request) -> Value:
    args = at.args
    carry = _rounds(at.run, args[2][1], args[3], [(args[0][0], replace(DEVICE, ndim=0))])
    counted = all(isinstance(bound, Const) for _, bound in args[:2])
    return carry if counted else at.run.ops.behind(carry)  # with known bounds it is a scan


def _entering(run: Runner, init: Operand, once: Callable[[Value], Value]) -> Value:
    """What a loop starts with, where an array on the host that it computes with has its first use.

    A loop gives back what it gets, in the same memory: a move inside of it comes too late.
    """
    carry = init[1]
    if not any(leaf.host for leaf in leaves(carry)):
        return carry
    with run.ops.aside():
        after = dict(paths(once(carry)))

    def settled(path: tuple[object, ...], leaf: Leaf) -> Leaf:
        end = after.get(path)
        computed = end is not None and end.host and end.uses and not leaf.uses and leaf.sources & end.sources
        if not leaf.host or not computed:
            return leaf
        place, alone = _part_of(init, path)
        label = "carry" if alone else table.CARRIED
        return replace(leaf, uses=run.ops.use(place, leaf, label))

    return with_paths(carry, settled)


def _part_of(init: Operand, path: tuple[object, ...]) -> tuple[Place, bool]:
    """The smallest expression for a part of what a loop starts with; does it hold nothing of the device?"""
    (where, value), rest = init, list(path)
    while rest and isinstance(where.node, (tree.Tuple, tree.List)) and isinstance(value, Tup):
        index = rest.pop(0)
        if not isinstance(index, int) or any(isinstance(one, tree.Starred) for one in where.node.elts):
            return where, False
        where, value = Place(where.module, where.node.elts[index]), value.items[index]
    return where, all(leaf.host for leaf in leaves(value))


def _rounds(run: Runner, body: Value, init: Operand, before: list[Operand]) -> Value:
    def once(carry: Value) -> Value:
        return run.apply(body, [*before, (init[0], carry)], {})

    carry = _entering(run, init, once)
    for _ in range(_ROUNDS):
        joined = join(carry, run.apply(body, [*before, (init[0], carry)], {}))
        if joined == carry:
            break
        carry = joined
    return transform(carry, lambda leaf: replace(leaf, direct=False))


def _cond(at: Request) -> Value:
    operand = [at.keywords["operand"]] if "operand" in at.keywords else []
    return _branches(at.run, [at.args[1][1], at.args[2][1]], [*at.args[3:], *operand])


def _switch(at: Request) -> Value:
    branches = elements(at.args[1][1]) or [element(at.args[1][1])]
    return _branches(at.run, branches, at.args[2:])


def _branches(run: Runner, branches: Sequence[Value], operands: Sequence[Operand]) -> Value:
    results = [run.apply(branch, operands, {}) for branch in branches]
    marked = [transform(r, lambda leaf: replace(leaf, branched=leaf.direct, direct=False)) for r in results]
    return run.ops.behind(join_all(marked))


def _lax_map(at: Request) -> Value:
    item = transform(at.args[1][1], lambda leaf: replace(leaf, ndim=None, direct=False))
    return transform(
        at.run.apply(at.args[0][1], [(at.args[1][0], item)], {}), lambda leaf: replace(leaf, ndim=1)
    )


def _tree_map(at: Request) -> Value:
    if len(at.args) < 2:
        return OPAQUE
    places = [where for where, _ in at.args[1:]]

    def one(values: list[Value]) -> Value:
        return at.run.call(at.place, at.args[0][1], list(zip(places, values, strict=False)), {})

    return memory_ops.mapped(one, [value for _, value in at.args[1:]])


def _tree_map_with_path(at: Request) -> Value:
    path = (at.place, OPAQUE)

    def one(values: list[Value]) -> Value:
        pairs = list(zip([where for where, _ in at.args[1:]], values, strict=False))
        return at.run.call(at.place, at.args[0][1], [path, *pairs], {})

    return memory_ops.mapped(one, [value for _, value in at.args[1:]]) if len(at.args) > 1 else OPAQUE


def _tree_leaves(at: Request) -> Value:
    found: list[Value] = list(leaves(at.args[0][1])) if at.args else []
    if len(found) == 1:
        return Seq(found[0])
    return Tup(tuple(found), "list") if found else OPAQUE


def _tree_flatten(at: Request) -> Value:
    structure = Method(at.args[0][1], "tree_flatten", at.place) if at.args else OPAQUE
    return Tup((_tree_leaves(at), structure))


def _unflatten(at: Request) -> Value:
    """The tree that was flattened, with other arrays; where it is not known, what holds for all of them."""
    if len(at.args) < 2:
        return OPAQUE
    structure, items = at.args[0][1], elements(at.args[1][1])
    if isinstance(structure, Method) and structure.name == "tree_flatten":
        whole = structure.value
        count = len(list(leaves(whole)))
        given = iter(items if items is not None else [element(at.args[1][1])] * count)
        if items is None or len(items) == count:
            return transform(whole, lambda _: next(given))
    found = list(leaves(at.args[1][1]))
    if any(leaf.host for leaf in found) and not all(leaf.host for leaf in found):
        return UNSURE  # which of them is meant later, is not known
    return join_all(list(found))


def _reduce(at: Request) -> Value:
    result = join_all(list(leaves(at.args[1][1])))
    for _ in range(2):
        result = join(
            result, at.run.apply(at.args[0][1], [(at.args[1][0], result), (at.args[1][0], result)], {})
        )
    return result


def _barrier(at: Request) -> Value:
    value = at.args[0][1] if len(at.args) == 1 else Tup(tuple(v for _, v in at.args))
    return at.run.ops.behind(transform(value, lambda leaf: replace(leaf, direct=False)))


def _linearize(at: Request) -> Value:
    return Tup((at.run.apply(at.args[0][1], at.args[1:], {}), OPAQUE))


def _jvp(at: Request) -> Value:
    primals = [(at.args[1][0], item) for item in elements(at.args[1][1]) or [element(at.args[1][1])]]
    return Tup((at.run.apply(at.args[0][1], primals, {}), UNSURE))


def _identity(at: Request) -> Value:
    return at.args[0][1] if at.args else OPAQUE


def _astype(at: Request) -> Value:
    return at.run.ops.compute(at.place, at.args[:1], "astype")


HANDLERS: dict[str, tuple[Callable[[Request], Value], tuple[str, ...]]] = {
    "scan": (_scan, ("f", "init", "xs")),
    "while_loop": (_while, ("cond_fun", "body_fun", "init_val")),
    "fori_loop": (_fori, ("lower", "upper", "body_fun", "init_val")),
    "cond": (_cond, ("pred", "true_fun", "false_fun")),
    "switch": (_switch, ("index", "branches")),
    "tree_map": (_tree_map, ()),
    "tree_map_with_path": (_tree_map_with_path, ()),
    "tree_leaves": (_tree_leaves, ()),
    "tree_flatten": (_tree_flatten, ()),
    "tree_unflatten": (_unflatten, ()),
    "map": (_lax_map, ("f", "xs")),
    "tree_reduce": (_reduce, ("function", "tree")),
    "optimization_barrier": (_barrier, ("operand",)),
    "linearize": (_linearize, ("fun",)),
    "vjp": (_linearize, ("fun",)),
    "jvp": (_jvp, ("fun", "primals")),
    "with_sharding_constraint": (_identity, ("x",)),
    "block_until_ready": (_identity, ("x",)),
    "convert_element_type": (_astype, ("operand",)),
}
"""What runs functions or passes values on, with its first parameters: those are there in a `Request`."""


def handle(name: str, run: Runner, place: Place, args: Sequence[Operand], keywords: Keywords) -> Value | None:
    """The result of a library function of `HANDLERS`; None for any other one.

    Arguments that a call does not show (`*args`, or a fault) are unknown values.
    """
    if name not in HANDLERS:
        return None
    work, names = HANDLERS[name]
    found = list(args)
    for one in names[len(args) :]:
        found.append(keywords.get(one, (place, OPAQUE)))
    return work(Request(run, place, found, keywords))
