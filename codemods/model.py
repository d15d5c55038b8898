"""The data model: what a rule finds, and what it proposes.

Everything here is a frozen value that can be compared, hashed, pickled and turned into JSON.
The module imports nothing of ours, so every other part of the project may import it.

Positions are offsets in *code points of the decoded text*, half open; `codemods.source` converts
them to lines and columns in the unit that a reader wants.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace


class Safety(enum.Enum):
    """How far a fix can be trusted.

    SAFE: for every calling context found, what ran before still runs with equal values, gradients,
    shapes and dtypes, and under XLA the problem is gone.
    UNSAFE: right under the assumption that `Fix.note` states.
    MANUAL: a choice of intent, or a fix that must not be applied in bulk.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    MANUAL = "manual"

    @property
    def rank(self) -> int:
        """0 for SAFE, 1 for UNSAFE, 2 for MANUAL: the larger, the less trusted."""
        return ("safe", "unsafe", "manual").index(self.value)


class Consequence(enum.Enum):
    """What the program does if nothing is changed; ordered by how much harm it hides."""

    SILENT = "silent"  # compiles, and returns wrong data without a word
    ABORT = "abort"  # the compiler ends the process
    ERROR = "error"  # XLA refuses to compile
    INFO = "info"  # only a hint: nothing shows that the code is compiled
    TOOL = "tool"  # about xlafix itself or its input (XLA0xx)

    @property
    def rank(self) -> int:
        return list(Consequence).index(self)


@dataclass(frozen=True, order=True)
class Span:
    """A half-open range of code points of the decoded text of `path` (as given to the engine)."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, order=True)
class Edit:
    """Replace the code points `start:end` of `path` by `text`. start == end inserts."""

    path: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Need:
    """A prerequisite that several fixes share, such as an import.

    It is applied once if at least one accepted fix needs `key`, and not at all otherwise.
    """

    key: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Fix:
    """One way to mend a finding; an atomic group of edits, possibly in several files.

    title: an imperative, without a full stop. key: stable name of the alternative ("python-range"),
    the same for all findings of a rule, for "same choice for all". note: what UNSAFE assumes, or
    what a reader of a SAFE fix should know. needs: shared prerequisites.
    """

    title: str
    key: str
    edits: tuple[Edit, ...]
    safety: Safety
    note: str = ""
    needs: tuple[Need, ...] = ()

    def demoted(self, to: Safety, note: str) -> Fix:
        """The same fix, trusted no more than `to`; `note` is added to the notes."""
        if self.safety.rank >= to.rank:
            to = self.safety
        joined = f"{self.note}; {note}" if self.note else note
        return replace(self, safety=to, note=joined)


@dataclass(frozen=True)
class Related:
    """A second place that helps to understand a finding."""

    span: Span
    message: str


@dataclass(frozen=True)
class Reason:
    """Why an alternative (`key`) is not offered: `why` is a sentence for people."""

    key: str
    why: str


@dataclass(frozen=True)
class Chain:
    """Why a place is compiled: the root, and the calls from it, outermost first.

    root: qualified name of the compiled function ("pkg.train.step"); root_span: where it is marked
    as compiled; certainty: "yes", "may" (an expression decides) or "no" (scope `all`);
    calls: the call sites on the way; guessed: one of them was guessed by a unique method name.
    """

    root: str
    root_span: Span
    certainty: str
    calls: tuple[Related, ...] = ()
    guessed: bool = False


@dataclass(frozen=True)
class Diagnostic:
    """One finding.

    fixes: alternatives, the preferred one first; at most one may be applied. unavailable: why an
    alternative is missing. The two are never both empty for a finding of a rule.
    fingerprint: code, qualified name and normalised statement, hashed; stable under line shifts.
    verified: "" until a compiler has judged a fix. without_xla: the same happens without XLA, so an
    error of the compiler does not stand before it.
    """

    code: str
    name: str
    consequence: Consequence
    message: str
    span: Span
    fixes: tuple[Fix, ...] = ()
    unavailable: tuple[Reason, ...] = ()
    related: tuple[Related, ...] = ()
    chains: tuple[Chain, ...] = ()
    fingerprint: str = ""
    verified: str = ""
    without_xla: bool = False

    @property
    def sort_key(self) -> tuple[str, int, int, str]:
        return (self.span.path, self.span.start, self.span.end, self.code)
