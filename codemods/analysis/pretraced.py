"""Functions whose graph may exist before a compiled function differentiates through it.

AutoGraph bounds a `for` loop by itself only while it traces inside of XLA. A plain `tf.function` that
was called outside first is used as it was traced, its loops without a bound.
"""

from __future__ import annotations

from dataclasses import dataclass

from codemods.analysis import library, tree
from codemods.analysis.callers import Site
from codemods.analysis.compiled import Program
from codemods.analysis.evaluate import Evaluator
from codemods.analysis.roots import COMPILE_KEYWORDS, certainty
from codemods.analysis.scopes import Scope
from codemods.analysis.tree import Node
from codemods.analysis.values import Api, Partial


@dataclass(frozen=True, eq=False)
class Traced:
    """function: a plain `tf.function` on the way from the root; site: a call of it outside."""

    function: Scope
    site: Site


def find(function: Scope, program: Program) -> Traced | None:
    """The plain `tf.function` through which compiled code reaches a function, if others trace it first."""
    reached = program.reached.get(function)
    for root in reached.preds if reached is not None else ():
        for step in program.walk.climb(function, root):
            if step.function is root.function:
                break
            if plain_function(step.function, program.ev) is None:
                continue
            calls = [site for site in program.sites_outside(step.function) if site.decorated is None]
            if calls:
                return Traced(step.function, calls[0])
    return None


def plain_function(function: Scope, ev: Evaluator) -> Node | None:
    """The decorator that makes a function a `tf.function` without XLA, if it has one."""
    for decorator in getattr(function.node, "decorator_list", []):
        called = decorator.func if isinstance(decorator, tree.Call) else decorator
        for value in ev.evaluate(called, function.module):
            target = value.target if isinstance(value, Partial) else value
            if not (isinstance(target, Api) and library.without_v1(target.name) == "tensorflow.function"):
                continue
            keywords = dict(value.keywords) if isinstance(value, Partial) else {}
            if isinstance(decorator, tree.Call):
                keywords.update(
                    {k.arg: ev.evaluate(k.value, function.module) for k in decorator.keywords if k.arg}
                )
            asked = [certainty(keywords[name]) for name in COMPILE_KEYWORDS if name in keywords]
            if all(sure == "no" for sure in asked):
                return decorator
    return None
