"""Integer expressions as sums: `n - 1 - t` is {n: 1, t: -1} - 1, with other expressions as atoms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from codemods.analysis import tree
from codemods.analysis.tree import Node


@dataclass(frozen=True)
class Linear:
    """coefficients: normalised text of an atom -> factor; nodes: the atoms' trees, for their source text."""

    coefficients: tuple[tuple[str, int], ...]
    constant: int
    nodes: Mapping[str, Node] = field(default_factory=dict, compare=False, hash=False)

    @property
    def is_constant(self) -> bool:
        return not self.coefficients

    def coefficient(self, atom: str) -> int:
        return dict(self.coefficients).get(atom, 0)

    def without(self, atom: str) -> Linear:
        return Linear(tuple(c for c in self.coefficients if c[0] != atom), self.constant, self.nodes)

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """self + factor * other."""
        total = dict(self.coefficients)
        for atom, value in other.coefficients:
            total[atom] = total.get(atom, 0) + factor * value
        kept = tuple(sorted((atom, value) for atom, value in total.items() if value))
        return Linear(kept, self.constant + factor * other.constant, {**self.nodes, **other.nodes})

    def times(self, factor: int) -> Linear:
        return number(0).plus(self, factor)

    def render(self, text: Callable[[Node], str]) -> str:
        """Source text of the sum, atoms as they are written."""
        parts: list[str] = []
        for atom, factor in sorted(self.coefficients, key=lambda c: -c[1]):
            written = text(self.nodes[atom])
            if isinstance(
                self.nodes[atom], (tree.BinOp, tree.UnaryOp, tree.IfExp, tree.Compare, tree.BoolOp)
            ):
                written = (
                    f"({written})" if len(self.coefficients) > 1 or factor != 1 or self.constant else written
                )
            written = written if abs(factor) == 1 else f"{abs(factor)} * {written}"
            if parts:
                parts.append(f"+ {written}" if factor > 0 else f"- {written}")
            else:
                parts.append(written if factor > 0 else f"-{written}")
        if self.constant or not parts:
            sign = "" if not parts else "+ " if self.constant > 0 else "- "
            parts.append(f"{sign}{abs(self.constant) if parts else self.constant}")
        return " ".join(parts)


class Written:
    """Source text that stands for no node of the file; `base`: the node whose value it depends on."""

    def __init__(self, text: str, base: Node) -> None:
        self.text = text
        self.base = base


def number(value: int) -> Linear:
    return Linear((), value)


def linear(node: Node, constant: Callable[[Node], int | None]) -> Linear:
    """An expression as a sum. `constant` gives the number that a node certainly is, or None."""
    value = constant(node)
    if value is not None:
        return number(value)
    if isinstance(node, tree.UnaryOp) and isinstance(node.op, tree.USub):
        return linear(node.operand, constant).times(-1)
    if isinstance(node, tree.BinOp):
        left, right = linear(node.left, constant), linear(node.right, constant)
        if isinstance(node.op, tree.Add):
            return left.plus(right)
        if isinstance(node.op, tree.Sub):
            return left.plus(right, -1)
        if isinstance(node.op, tree.Mult) and left.is_constant:
            return right.times(left.constant)
        if isinstance(node.op, tree.Mult) and right.is_constant:
            return left.times(right.constant)
    text = tree.unparse(node)
    return Linear(((text, 1),), 0, {text: node})
