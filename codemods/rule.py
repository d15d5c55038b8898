"""What a transform imports: the rule decorator, the context it gets, and the questions it may ask."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence

from codemods.analysis import (
    calls,
    device_names,
    dtypes,
    generator_use,
    hoisting,
    host_draws,
    int32_variables,
    making,
    memory_outputs,
    passable,
    randomness,
    tree,
)
from codemods.analysis.arrays import Array
from codemods.analysis.boundary import Crossing
from codemods.analysis.constructors import Insertion, NoPlaceError
from codemods.analysis.devices import Entry, Misplaced, known as known_device
from codemods.analysis.draws import Draw
from codemods.analysis.generators import Place
from codemods.analysis.int32_variables import Whole
from codemods.analysis.iterations import Cap
from codemods.analysis.loops import Loop
from codemods.analysis.memory import Escape, Output, of_torch
from codemods.analysis.memory_spelling import Spelling
from codemods.analysis.memory_values import Place as MemoryPlace, Source
from codemods.analysis.outer import Outer
from codemods.analysis.roots import COMPILE_KEYWORDS
from codemods.analysis.scopes import Module
from codemods.analysis.shared_arrays import Change
from codemods.analysis.sinks import Sink
from codemods.analysis.sizes import Plan
from codemods.analysis.unroll import Counting, Unrolling
from codemods.analysis.variable_uses import Use
from codemods.analysis.whiles import WhileCall, given
from codemods.context import RANGE_LOOP, Context, Rule, related_path
from codemods.model import Chain, Consequence, Diagnostic, Edit, Fix, Need, Reason, Related, Safety
from codemods.rewrite import (
    CannotRewrite,
    Recall,
    as_display,
    free_name,
    fresh_name,
    header_part,
    hoist,
    indentation,
    insert_above,
    insert_after,
    insert_at_top,
    insert_before,
    insert_first,
    insert_on_top,
    one_level,
    python_loop,
    recall,
    remove_statement,
    replace,
    replace_statement,
    set_arguments,
    unwrap,
    wrap,
    wrap_expressions,
)

NOWHERE = r"(?!)"
"""A pattern without a match: for rules that need the calls of a compiled function."""

HEADINGS = ("What it does", "Why it fails under XLA", "Example", "Use instead", "Fix safety", "References")


def rule(
    code: str,
    name: str,
    consequence: Consequence,
    loose: str,
    words: Sequence[bytes],
    preview: bool = False,
    modules: bool = False,
    framework: str = "tensorflow",
) -> Callable[[Callable[[Context], Iterator[Diagnostic]]], Rule]:
    """Make a function `check(ctx)` a rule; the docstring of its module is the documentation.

    loose: a regular expression; in code that nothing shows to be compiled (scope `all`), a function
    without a match has no finding of the rule. words: one of them is in every match.
    preview: off unless asked for. modules: the rule is also asked about modules that compile Keras' own
    models, of which no function is one of the project.
    framework: whose compiled code it looks at.
    """

    def make(check: Callable[[Context], Iterator[Diagnostic]]) -> Rule:
        doc = inspect.getdoc(inspect.getmodule(check)) or ""
        missing = [heading for heading in HEADINGS if not re.search(rf"^## {heading}$", doc, re.M)]
        if missing:
            raise ValueError(f"{code}: the documentation lacks {', '.join(missing)}")
        return Rule(code, name, consequence, check, doc, loose, tuple(words), preview, modules, framework)

    return make


__all__ = [
    "COMPILE_KEYWORDS",
    "NOWHERE",
    "RANGE_LOOP",
    "Array",
    "CannotRewrite",
    "Cap",
    "Chain",
    "Change",
    "Consequence",
    "Context",
    "Counting",
    "Crossing",
    "Diagnostic",
    "Draw",
    "Edit",
    "Entry",
    "Escape",
    "Fix",
    "Insertion",
    "Loop",
    "MemoryPlace",
    "Misplaced",
    "Module",
    "Need",
    "NoPlaceError",
    "Outer",
    "Output",
    "Place",
    "Plan",
    "Reason",
    "Recall",
    "Related",
    "Rule",
    "Safety",
    "Sink",
    "Source",
    "Spelling",
    "Unrolling",
    "Use",
    "WhileCall",
    "Whole",
    "as_display",
    "calls",
    "device_names",
    "dtypes",
    "free_name",
    "fresh_name",
    "generator_use",
    "given",
    "header_part",
    "hoist",
    "hoisting",
    "host_draws",
    "indentation",
    "insert_above",
    "insert_after",
    "insert_at_top",
    "insert_before",
    "insert_first",
    "insert_on_top",
    "int32_variables",
    "known_device",
    "making",
    "memory_outputs",
    "of_torch",
    "one_level",
    "passable",
    "python_loop",
    "randomness",
    "recall",
    "related_path",
    "remove_statement",
    "replace",
    "replace_statement",
    "rule",
    "set_arguments",
    "tree",
    "unwrap",
    "wrap",
    "wrap_expressions",
]
