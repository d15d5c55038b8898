"""One function, as a rule sees it: the questions a rule may ask, and how it gives its answers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from codemods.analysis import (
    arrays,
    audit_calls,
    calls,
    counters,
    iteration_calls,
    iteration_loops,
    library,
    loops,
    places,
    pretraced,
    recorded,
    sizes,
    spelling,
    structures,
    taint,
    tree,
    unroll,
    whiles,
)
from codemods.analysis.arrays import Array
from codemods.analysis.border import Border
from codemods.analysis.carried import is_whole_number
from codemods.analysis.compiled import Program
from codemods.analysis.gradients import Recording, is_stopped
from codemods.analysis.iterations import Cap, Unbounded
from codemods.analysis.loop_results import may_be_derived
from codemods.analysis.loops import Loop
from codemods.analysis.mapped import mapped_function
from codemods.analysis.names import Scope, find_binding_scope
from codemods.analysis.pretraced import Traced
from codemods.analysis.scopes import Module
from codemods.analysis.sinks import Sink
from codemods.analysis.sizes import Plan
from codemods.analysis.spoil import spoiled
from codemods.analysis.tree import Node
from codemods.analysis.unroll import Counting, Unrolling
from codemods.analysis.values import Api, Const, Static, Values
from codemods.analysis.whiles import WhileCall
from codemods.knowledge.while_loop import V1, V2
from codemods.model import Chain, Consequence, Diagnostic, Edit, Fix, Need, Reason, Related, Safety
from codemods.rewrite import CannotRewrite, set_arguments

RANGE_LOOP = r"\bin\s+(?:enumerate\(\s*)?[\w.]+\.range\("
"""A `for` over a range of some library, as text."""


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
    preview: bool = False  # not verified on the hardware that it speaks of: off unless asked for
    modules: bool = False  # also asked about modules that compile Keras' own models
    framework: str = "tensorflow"  # whose compiled code it looks at

    def section(self, heading: str) -> str:
        """The text under a heading of the documentation. Raises KeyError where there is none."""
        parts = re.split(r"^## (.+)$", self.doc, flags=re.M)
        found: dict[str, str] = dict(zip((title.strip() for title in parts[1::2]), parts[2::2], strict=True))
        return found[heading].strip("\n")

    @property
    def summary(self) -> str:
        return self.doc.strip().split("\n")[0]


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
            self._whiles = whiles.while_calls(self.function, self.program.ev, self.program.proof)
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
            return [call.body_params[call.position].id]
        pairs = zip(call.body_params, call.variables, strict=False)
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
        found = audit_calls.audit(call, self.function, self.program)
        if isinstance(found, str):
            raise CannotRewrite(found)
        return found

    def means_builtin(self, name: str, place: Node) -> bool:
        """Is a name still the builtin where `place` stands?"""
        found = self.program.ev.named(self.module, self.module.enclosing(place), name)
        return found == {Api(f"builtins.{name}")}

    def mentioned(self, name: str) -> bool:
        """Does the function, or one nested in it, use a name that is not one of a nested function's own?"""
        return any(places.outer_mentions(self.function, name))

    def captured(self, name: str) -> bool:
        """Does a nested function use a name of this function or of what is round it?"""
        found = places.outer_mentions(self.function, name)
        return any(self.module.enclosing(node) is not self.function for node in found)

    def counting(self, loop: Loop) -> Counting | Reason:
        """How to let a `while` count with a Python int, or why not."""
        return unroll.plan_while(loop, self.program, self.unroll_limit)

    def unbounded_calls(self) -> Iterator[Node]:
        """`tf.while_loop` calls without `maximum_iterations` whose derivative needs one."""
        saving = set(recorded.calls_that_save(self.function, self.program.ev))
        for node in whiles.library_calls(self.function, self.program.ev):
            if node in saving and not whiles.is_bounded(node, self.module, self.program.ev):
                yield node

    def saves(self, loop: Loop) -> bool:
        """Does the derivative of a loop need values of its iterations?"""
        return recorded.saves(loop, self.program.ev)

    def may_be_derived(self, call: Node) -> bool:
        """Can a derivative go through the results of a library loop?"""
        return may_be_derived(call, self.function, self.program.ev)

    def most_iterations(self, where: Loop | Node) -> Cap | Reason:
        """How often a loop or a `tf.while_loop` runs at most, or why that is not known."""
        try:
            if isinstance(where, Loop):
                return iteration_loops.of_loop(where, self.program)
            return iteration_calls.of_call(where, self.function, self.program)
        except Unbounded as error:
            return Reason("maximum-iterations", str(error))

    def structures(self, call: Node) -> tuple[str, str] | None:
        """The types of loop variables and result; None where they are alike."""
        first, result = structures.kinds(call, self.function, self.program)
        return None if first == result and first != "unknown" else (first, result)

    def unknown_argument(self, loop: Loop) -> str:
        """The parameter that must be a tensor for a loop to be one over tensors, where that is not known."""
        return recorded.unknown_argument(loop, self.program)

    @cached_property
    def border(self) -> Border:
        """What may cross the border of XLA at this function, which XLA compiles."""
        return Border(self.function, self.program)

    @cached_property
    def pretraced(self) -> Traced | None:
        """The plain `tf.function` round the code, if it may be traced before XLA gets to see it."""
        return pretraced.find(self.function, self.program)

    def spelled(self, place: Node, module: Module | None = None) -> str:
        """How a file spells TensorFlow ("tf."); "" where it has no name."""
        return spelling.tensorflow(module or self.module, place, self.program.ev)

    def bound_before(self, name: str, node: Node, module: Module) -> bool:
        """Is a name of a module bound at its top level, above a node?"""
        found = [module.statement(b.node) for b in module.root.bindings.get(name, ()) if b.kind != "del"]
        return any(s.lineno < node.lineno and module.parent.get(s) is module.tree for s in found)

    def told_about(self, node: Node, kind: str) -> list[str]:
        """What comments of a kind (`# xlafix: bound=...`) say about the statement of a node."""
        statement = self.module.statement(node)
        found = self.program.facts(self.module, statement, kind)
        return found or self.program.facts(self.module, node, kind)

    def defined(self, text: str, place: Node) -> str:
        """The first name of an expression that means nothing in front of `place`; "" if all do."""
        names = [n.id for n in tree.walk(tree.parse_expression(text)) if isinstance(n, tree.Name)]
        scope, begin = self.module.enclosing(place), self.module.span(place).start
        for name in names:
            bound = self.function.bindings.get(name, [])
            early = [b for b in bound if b.kind == "param" or self.module.span(b.node).start < begin]
            if bound and not early:
                return str(name)
        missing = [
            n for n in names if find_binding_scope(scope, n) is None and not self.means_builtin(n, place)
        ]
        return str(missing[0]) if missing else ""

    def with_arguments(self, call: Node, values: Mapping[str, str]) -> Edit:
        """Give a `tf.while_loop` call arguments, wherever they stand. Raises CannotRewrite."""
        v1 = any(isinstance(v, Api) and ".v1." in v.name for v in self.values(call.func))
        return set_arguments(self.module, call, values, V1 if v1 else V2)

    def bounding(self, call: Node, text: str) -> Need:
        """`maximum_iterations=` for a `tf.while_loop`, once whoever asks for it."""
        edit = self.with_arguments(call, {"maximum_iterations": text})
        return Need(f"maximum_iterations:{edit.path}:{self.module.span(call).start}", (edit,))

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
        """Does the header say `in tf.range(...)`? Only those count in code that is not surely compiled."""
        sure = self.compiled and not self.guessed
        return sure or re.search(RANGE_LOOP, self.module.header(loop.node)) is not None

    def spoiled(self, sink: Sink, gradient: bool) -> str:
        """Why a slice whose length depends on a loop index gives wrong results; "" where it does not."""
        return spoiled(sink, self.program.ev, gradient)

    def differentiated(self, node: Node) -> bool:
        """Is a derivative taken through this place?"""
        if is_stopped(node, self.module):
            return False
        return self._recording.covers(node) or self.gradient

    @cached_property
    def _recording(self) -> Recording:
        return Recording(self.function, self.program.ev)

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
        module: Module | None = None,
    ) -> Diagnostic:  # fmt: skip
        """A finding at a node of this function's module, or of another one."""
        assert self.rule is not None
        kind = consequence or self.rule.consequence
        if not self.compiled:
            kind, message = Consequence.INFO, f"{message} (if compiled)"
        return Diagnostic(
            self.rule.code, self.rule.name, kind, message, (module or self.module).span(node), tuple(fixes),
            tuple(unavailable), tuple(related), self.chains,
            fingerprint(self.rule.code, (module or self.module).enclosing(node), node),
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
