"""What a transform imports: the rule decorator, the context it gets, and the questions it may ask."""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from codemods.analysis import arrays, calls, counters, library, loops, sizes, taint, tree, unroll
from codemods.analysis.arrays import Array
from codemods.analysis.audit import Auditor
from codemods.analysis.carried import is_whole_number
from codemods.analysis.compiled import Program
from codemods.analysis.counters import WhileCall
from codemods.analysis.effects import effects
from codemods.analysis.gradients import Recording, is_stopped
from codemods.analysis.loops import Loop
from codemods.analysis.mapped import mapped_function
from codemods.analysis.names import Scope, find_binding_scope
from codemods.analysis.scopes import Module
from codemods.analysis.sinks import Sink
from codemods.analysis.sizes import Plan
from codemods.analysis.spoil import spoiled
from codemods.analysis.tree import Node
from codemods.analysis.unroll import Counting, Unrolling
from codemods.analysis.values import Api, Const, Static, Values
from codemods.model import Chain, Consequence, Diagnostic, Edit, Fix, Need, Reason, Related, Safety
from codemods.rewrite import (
    CannotRewrite,
    fresh_name,
    indentation,
    insert_after,
    insert_first,
    one_level,
    python_loop,
    replace,
    replace_statement,
    set_arguments,
)

RANGE_LOOP = r"\bin\s+(?:enumerate\(\s*)?[\w.]+\.range\("
"""A `for` over a range of some library, as text."""

HEADINGS = ("What it does", "Why it fails under XLA", "Example", "Use instead", "Fix safety", "References")


@dataclass(frozen=True)
class Rule:
    """A rule as a value: code and name, its worst consequence, its documentation, and its function."""

    code: str
    name: str
    consequence: Consequence
    check: Callable[[Context], Iterable[Diagnostic]]
    doc: str
    loose: str
    words: tuple[bytes, ...]

    def section(self, heading: str) -> str:
        """The text under a heading of the documentation. Raises KeyError where there is none."""
        parts = re.split(r"^## (.+)$", self.doc, flags=re.M)
        found: dict[str, str] = dict(zip((title.strip() for title in parts[1::2]), parts[2::2], strict=True))
        return found[heading].strip("\n")

    @property
    def summary(self) -> str:
        return self.doc.strip().split("\n")[0]


def rule(
    code: str, name: str, consequence: Consequence, loose: str, words: Sequence[bytes]
) -> Callable[[Callable[[Context], Iterator[Diagnostic]]], Rule]:
    """Make a function `check(ctx)` a rule; the docstring of its module is the documentation.

    loose: a regular expression; in code that nothing shows to be compiled (scope `all`), a function
    without a match has no finding of the rule. words: one of them is in every match.
    """

    def make(check: Callable[[Context], Iterator[Diagnostic]]) -> Rule:
        doc = inspect.getdoc(inspect.getmodule(check)) or ""
        missing = [heading for heading in HEADINGS if not re.search(rf"^## {heading}$", doc, re.M)]
        if missing:
            raise ValueError(f"{code}: the documentation lacks {', '.join(missing)}")
        return Rule(code, name, consequence, check, doc, loose, tuple(words))

    return make


@dataclass(eq=False)
class Context:
    """One function, as a rule sees it.

    compiled: compiled code reaches it (else: scope `all`).
    chains: why it is compiled. guessed: every chain rests on a guess. told: the place of a comment that
    every chain starts from, "" where the code itself asks for XLA.
    """

    program: Program
    function: Scope
    chains: tuple[Chain, ...]
    compiled: bool
    guessed: bool
    unroll_limit: int
    told: str = ""
    rule: Rule | None = None
    _loops: list[Loop] | None = None
    _whiles: list[WhileCall] | None = None
    _sinks: dict[object, list[Sink]] | None = None
    _recording: Recording | None = None

    @cached_property
    def gradient(self) -> bool:
        """Is a derivative taken of the function, in compiled code or round it?"""
        return self.program.differentiated(self.function)

    @property
    def module(self) -> Module:
        return self.function.module

    # questions

    @property
    def loops(self) -> list[Loop]:
        """The `for` and `while` loops of the function, outer ones first."""
        if self._loops is None:
            self._loops = loops.find(self.function, self.program.ev, self.program.proof)
        return self._loops

    @property
    def while_calls(self) -> list[WhileCall]:
        """Its `tf.while_loop` calls, as far as condition and body are in sight."""
        if self._whiles is None:
            self._whiles = counters.while_calls(self.function, self.program.ev, self.program.proof)
        return self._whiles

    def sinks(self, where: Loop | WhileCall) -> list[Sink]:
        """Operands and slices that the index (or the counter) of a loop reaches."""
        self._sinks = self._sinks if self._sinks is not None else {}
        if where not in self._sinks:
            flow = taint.Flow(self.program.ev)
            if isinstance(where, Loop):
                self._sinks[where] = flow.of_loop(where)
            else:
                self._sinks[where] = flow.of_parameters(where.body, self._counting_parameters(where))
        return self._sinks[where]

    def _counting_parameters(self, call: WhileCall) -> list[str]:
        """The counter of a `tf.while_loop`; without a proof, all variables that start as whole numbers."""
        if call.position >= 0:
            return [call.body.params[call.position].id]
        pairs = zip(call.body.params, call.variables, strict=False)
        return [param.id for param, start in pairs if is_whole_number(self.values(start))]

    def unrolling(self, loop: Loop) -> Unrolling | Reason:
        """How to make a tensor loop a Python loop, or why not."""
        also = [one for one in self.loops if one is not loop and one.kind == "range" and self.sinks(one)]
        return unroll.plan(loop, self.program, self.unroll_limit, also)

    def unrolled_assumptions(self, loop: Loop, plan: Unrolling) -> list[str]:
        """What a conversion assumes; under a derivative, branches not taken have no gradient at all."""
        found = list(plan.assumptions)
        name = loop.index.id if loop.index is not None else ""
        branches = [
            n
            for n in loop.body_nodes()
            if isinstance(n, (tree.If, tree.IfExp))
            and any(isinstance(x, tree.Name) and x.id == name for x in tree.walk(n.test))
        ]
        empty = loops.trip(loop, self.program.proof).number == 0
        if (branches or empty) and self.differentiated(loop.node):
            found.append("a gradient through a branch that no iteration takes may be None instead of zeros")
        return found

    def audit_while_loop(self, call: WhileCall) -> tuple[list[str], list[tuple[Node, str]]]:
        """What a Python loop over the body of a `tf.while_loop` assumes, and expressions to replace.

        Raises CannotRewrite where it is wrong.
        """
        module = self.module
        end = module.span(module.statement(call.node)).end
        auditor = Auditor(self.program, self.function, False, end)
        numbers: dict[int, str] = {call.position: "int"}
        for position, node in enumerate(call.variables):
            values = self.program.ev.evaluate(node, module)
            if position != call.position and values and all(isinstance(v, (Const, Static)) for v in values):
                kinds = {type(v.value).__name__ for v in values if isinstance(v, Const)}
                numbers[position] = (
                    kinds.pop() if len(kinds) == 1 and kinds <= {"int", "float", "bool"} else "int"
                )
        params = call.body.params
        for position, kind in numbers.items():
            if position >= len(params):
                raise CannotRewrite("the body takes its numbers through `*args`")
            found = auditor.parameters(call.body, [params[position].id], kind)
            if found.blocked:
                raise CannotRewrite(found.blocked)
        statement = module.statement(call.node)
        target = statement.targets[0] if isinstance(statement, tree.Assign) else None
        if isinstance(target, (tree.Tuple, tree.List)) and len(target.elts) == len(call.variables):
            names = [target.elts[p].id for p in numbers if isinstance(target.elts[p], tree.Name)]
            found = auditor.run([name for name in names if name != "_"])
        elif isinstance(target, tree.Name) and module.parent.get(call.node) is statement:
            auditor.assume(f"nothing needs the numbers in `{target.id}` as tensors")
        if auditor.result.blocked:
            raise CannotRewrite(auditor.result.blocked)
        return [
            *auditor.result.assumptions,
            *effects(call.body.body, call.body.module, self.program),
        ], auditor.result.replacements

    def means_builtin(self, name: str, place: Node) -> bool:
        """Is a name still the builtin where `place` stands?"""
        found = self.program.ev.named(self.module, self.module.enclosing(place), name)
        return found == {Api(f"builtins.{name}")}

    def mentioned(self, name: str) -> bool:
        """Does the function, or one nested in it, use a name that is not one of a nested function's own?"""
        return any(self._outer_mentions(name))

    def captured(self, name: str) -> bool:
        """Does a nested function use a name of this function or of what is round it?"""
        return any(self.module.enclosing(node) is not self.function for node in self._outer_mentions(name))

    def _outer_mentions(self, name: str) -> Iterator[Node]:
        for node in self.module.mentions.get(name, ()):
            if isinstance(node, tree.Name) and any(
                a is self.function.node for a in self.module.ancestors(node)
            ):
                holder = find_binding_scope(self.module.enclosing(node), name)
                scope = holder
                while scope is not None and scope is not self.function:
                    scope = scope.parent
                if holder is self.function or scope is None:
                    yield node

    def counting(self, loop: Loop) -> Counting | Reason:
        """How to let a `while` count with a Python int, or why not."""
        return unroll.plan_while(loop, self.program, self.unroll_limit)

    def mapped(self) -> Iterator[tuple[Node, list[Sink]]]:
        """`tf.map_fn` and kin over a `tf.range`, with what the index reaches in their function."""
        for node in calls.own_nodes(self.function):
            found = (
                mapped_function(node, self.module, self.program.ev) if isinstance(node, tree.Call) else None
            )
            if found is not None:
                yield node, taint.Flow(self.program.ev).of_parameters(*found)

    def growing_arrays(self) -> Iterator[Array]:
        """TensorArrays made here that may grow."""
        return arrays.find(self.function, self.program.ev, self.program.proof)

    def array_calls(self, *methods: str) -> Iterator[Node]:
        """Calls of these methods on a TensorArray, wherever it comes from."""
        for node in calls.own_nodes(self.function):
            if (
                isinstance(node, tree.Call)
                and isinstance(node.func, tree.Attribute)
                and node.func.attr in methods
                and f"tensorflow.TensorArray.{node.func.attr}" in self.api_names(node.func)
            ):
                yield node

    def bounded(self, array: Array) -> Plan | Reason:
        """How large an array must be, or why that is not known."""
        return sizes.plan(array, self.program)

    def times(self, call: WhileCall) -> tuple[str, int | None]:
        """How often a counted `tf.while_loop` runs: source text for `range`, and the number if it is known.

        Raises CannotRewrite where the limit may be a tensor.
        """
        counter = call.counter
        assert counter is not None
        if counter.count.is_constant:
            number = max(0, counter.count.constant)
            return str(number), number
        values = self.every_value(counter.limit)
        if not values or not all(isinstance(v, (Const, Static)) for v in values):
            raise CannotRewrite(f"the limit `{self.module.text(counter.limit)}` may be a tensor")
        known = loops.constant_of(self.program.proof, self.module, counter.limit)
        return counter.count.render(self.module.text), counters.times(
            counter, known
        ) if known is not None else None

    def spelled_out(self, loop: Loop) -> bool:
        """Does the header say `in tf.range(...)`? Only those count in code that may not be compiled."""
        return self.compiled or re.search(RANGE_LOOP, self.module.header(loop.node)) is not None

    def spoiled(self, sink: Sink, gradient: bool) -> str:
        """Why a slice whose length depends on a loop index gives wrong results; "" where it does not."""
        return spoiled(sink, self.program.ev, gradient)

    def differentiated(self, node: Node) -> bool:
        """Is a derivative taken through this place?"""
        if is_stopped(node, self.module):
            return False
        if self._recording is None:
            self._recording = Recording(self.function, self.program.ev)
        return self._recording.covers(node) or self.gradient

    def values(self, node: Node, module: Module | None = None) -> Values:
        """What an expression may be, for compiled callers."""
        return self.program.ev.evaluate(node, module or self.module)

    def every_value(self, node: Node) -> Values:
        """What an expression may be, for all callers."""
        return self.program.proof.evaluate(node, self.module)

    def api_names(self, node: Node, module: Module | None = None) -> set[str]:
        """Canonical names of the library functions that an expression may be, v1 folded in."""
        return {library.without_v1(v.name) for v in self.values(node, module) if isinstance(v, Api)}

    # answers

    def fix(
        self, title: str, key: str, edits: Iterable[Edit], assumptions: Sequence[str] = (),
        notes: Sequence[str] = (), needs: Sequence[Need] = (),
    ) -> Fix:  # fmt: skip
        """A fix: SAFE without assumptions, but never where the code may not be compiled as shown."""
        if self.compiled and self.told:
            assumptions = [*assumptions, f"the comment at {self.told} is right that this is compiled"]
        elif self.compiled and self.guessed:
            assumptions = [*assumptions, "the guessed call in the chain leads here"]
        elif not self.compiled:
            assumptions = [*assumptions, "the code is compiled with XLA"]
        safety = Safety.UNSAFE if assumptions else Safety.SAFE
        parts = ["assumes that " + "; ".join(dict.fromkeys(assumptions))] if assumptions else []
        return Fix(title, key, tuple(edits), safety, "; ".join([*parts, *dict.fromkeys(notes)]), tuple(needs))

    def diagnostic(
        self, node: Node, message: str, fixes: Sequence[Fix] = (), unavailable: Sequence[Reason] = (),
        related: Sequence[Related] = (), consequence: Consequence | None = None,
    ) -> Diagnostic:  # fmt: skip
        """A finding at a node of this function's module."""
        assert self.rule is not None
        kind = consequence or self.rule.consequence
        if not self.compiled:
            kind, message = Consequence.INFO, f"{message} (if compiled)"
        return Diagnostic(
            self.rule.code, self.rule.name, kind, message, self.module.span(node), tuple(fixes),
            tuple(unavailable), tuple(related), self.chains, fingerprint(self.rule.code, self.function, node),
        )  # fmt: skip


def fingerprint(code: str, function: Scope, node: Node) -> str:
    """Stable under line shifts: code, qualified name, and the normalised statement or header."""
    module = function.module
    statement = module.statement(node) if not isinstance(node, tree.stmt) else node
    if isinstance(statement, (*tree.LOOPS, tree.With, tree.If)):
        text = tree.unparse(node) if node is not statement else type(node).__name__
    elif isinstance(statement, (tree.FunctionDef, tree.ClassDef, tree.AsyncFunctionDef)):
        text = statement.name
    else:
        text = tree.unparse(statement)
    return hashlib.sha256(
        f"{code}\0{function.qualname}\0{text}".encode("utf-8", "surrogatepass")
    ).hexdigest()[:16]


def related_path(sink: Sink) -> list[Related]:
    """The calls from a loop to an operand, and the operand itself."""
    places = [Related(module.span(node), "through this call") for module, node in sink.path]
    return [*places, Related(sink.module.span(sink.node), f"{sink.label} here")]


__all__ = [
    "RANGE_LOOP",
    "Array",
    "CannotRewrite",
    "Chain",
    "Consequence",
    "Context",
    "Counting",
    "Diagnostic",
    "Edit",
    "Fix",
    "Loop",
    "Module",
    "Need",
    "Plan",
    "Reason",
    "Related",
    "Rule",
    "Safety",
    "Sink",
    "Unrolling",
    "WhileCall",
    "calls",
    "fresh_name",
    "indentation",
    "insert_after",
    "insert_first",
    "one_level",
    "python_loop",
    "related_path",
    "replace",
    "replace_statement",
    "rule",
    "set_arguments",
    "tree",
]
