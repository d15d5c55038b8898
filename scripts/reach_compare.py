"""What was traced against what the analysis reaches, for one program of `reach_oracle.py`.

Functions are compared, not calls. A record names a function by file, first line and name; it is found in
the analysed file as the function of that name whose header (from its first decorator to its `def`) holds
the line. What is not found there, such as the loop bodies that AutoGraph makes, is no function of the source.
"""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import python_files

from codemods import engine
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Scope
from codemods.files import DiskFiles
from codemods.outcome import Report
from codemods.settings import Settings

TABLE = Path(__file__).resolve().with_name("reach_misses.csv")
NEW = "not in the table"
CERTAINTIES = ("none", "may", "yes")

Json = dict[str, Any]


@dataclass(frozen=True)
class Miss:
    """A traced function that the analysis reaches from none of the roots that were traced.

    caller, line: a call of it that ran; via: what stands between in libraries, innermost first. behind:
    no caller of it is reached either, so its own call may be seen well.
    """

    program: str
    path: str
    line: int
    name: str
    caller: str
    caller_path: str
    caller_line: int
    via: tuple[str, ...]
    behind: bool

    @property
    def key(self) -> tuple[str, str, str]:
        """What the table of classes knows a miss by; without lines, which move."""
        return self.program, self.name, self.caller


@dataclass
class Comparison:
    """The numbers of one program. The sets hold functions of the source.

    traced: under XLA, from whatever root. truth: from a root that the analysis calls certain. reached: by
    the analysis, from roots of any certainty; sure: from certain ones; guessed: only through a method name
    that one class has. live: reached from a root that was traced. executed: in whatever way. near: reached by
    a call in a function that was traced.
    """

    program: str
    roots: Counter[str] = field(default_factory=Counter)
    lost_roots: list[str] = field(default_factory=list)
    traced: set[Scope] = field(default_factory=set)
    truth: set[Scope] = field(default_factory=set)
    entered: set[Scope] = field(default_factory=set)
    reached: set[Scope] = field(default_factory=set)
    sure: set[Scope] = field(default_factory=set)
    guessed: set[Scope] = field(default_factory=set)
    live: set[Scope] = field(default_factory=set)
    near: set[Scope] = field(default_factory=set)
    executed: set[Scope] = field(default_factory=set)
    misses: list[Miss] = field(default_factory=list)
    wrong: list[Scope] = field(default_factory=list)

    def row(self) -> list[str]:
        called = self.truth - self.entered
        kinds = " + ".join(str(self.roots[kind]) for kind in ("yes", "may", "none"))
        edges = sum(not miss.behind for miss in self.misses)
        return [
            self.program,
            kinds,
            str(len(self.traced)),
            str(len(self.truth)),
            str(len(self.truth & self.sure)),
            str(len(self.truth & (self.reached - self.sure))),
            share(len(self.truth & self.reached), len(self.truth)),
            share(len(called & self.reached), len(called)),
            share(len(called & self.live), len(called)),
            str(len(self.truth & self.guessed)),
            f"{edges} + {len(self.misses) - edges}",
            share(len(self.live & self.traced), len(self.live & self.executed)),
            share(len(self.near & self.traced), len(self.near & self.executed)),
        ]


HEADINGS = (
    "program",
    "roots traced: yes + may + none",
    "traced",
    "truth",
    "from yes",
    "from may",
    "RECALL",
    "without roots",
    "from roots that ran",
    "by guess",
    "missing calls + behind",
    "PRECISION",
    "near",
)


def share(part: int, whole: int) -> str:
    return f"{part / whole:.1%} ({part}/{whole})" if whole else "-"


def analysed(project: Path) -> Report:
    """The static answer for all files of a project."""
    files = DiskFiles(str(project), [str(path) for path in python_files(project)])
    return engine.check(files, Settings(root=str(project)), list(files.paths()))


class Finder:
    """Functions of the analysed files by what a record says of them."""

    def __init__(self, report: Report) -> None:
        self.project = report.project
        self.paths = frozenset(self.project.paths)
        self.functions: dict[str, list[Scope]] = {}

    def of(self, path: str) -> list[Scope]:
        if path not in self.functions:
            module = self.project.module(path) if path in self.paths else None
            self.functions[path] = list(module.functions) if module is not None else []
        return self.functions[path]

    def defined(self, key: Sequence[Any]) -> Scope | None:
        """The function whose header stands at (path, line, name)."""
        path, line, name = key
        for function in self.of(path):
            if function.name == name and first_line(function) <= line <= function.node.lineno:
                return function
        return None

    def around(self, place: Sequence[Any] | None) -> Scope | None:
        """The innermost function around (path, line), of the given name if there is one."""
        if place is None:
            return None
        path, line, name = place
        found = [f for f in self.of(path) if first_line(f) <= line <= f.node.end_lineno]
        named = [f for f in found if f.name == name]
        return max(named or found, key=lambda f: (f.node.lineno, f.node.col_offset), default=None)

    def all(self, keys: Iterable[Sequence[Any]]) -> set[Scope]:
        return {function for key in keys if (function := self.defined(key)) is not None}


class Roots:
    """What the analysis says of a root that was traced."""

    def __init__(self, report: Report, finder: Finder) -> None:
        self.finder = finder
        self.by_function: dict[Scope, list[Root]] = defaultdict(list)
        self.by_line: dict[tuple[str, int], list[Root]] = defaultdict(list)
        for root in report.program.roots:
            self.by_function[root.function].append(root)
            for line in range(root.node.lineno, root.node.end_lineno + 1):
                self.by_line[root.module.path, line].append(root)

    def of(self, root: Sequence[Any]) -> tuple[str, set[Scope]]:
        """(yes, may or none; the functions that the analysis takes for this root).

        By the function, or else by the place where it was given to `tf.function`.
        """
        key, places = root
        function = self.finder.defined(key) if key is not None else None
        found = self.by_function.get(function, []) if function is not None else []
        for path, line in places:
            found = found or self.by_line.get((path, line), [])
        certainties = {one.certainty for one in found}
        kind = "yes" if "yes" in certainties else "may" if certainties else "none"
        return kind, {one.function for one in found}


def first_line(function: Scope) -> int:
    decorators = getattr(function.node, "decorator_list", [])
    return int(min([function.node.lineno, *(d.lineno for d in decorators)]))


def compare(program: str, records: Sequence[Json], report: Report) -> Comparison:
    """Records are those of the runs of one program."""
    found = Comparison(program)
    finder = Finder(report)
    known = Roots(report, finder)
    certain: set[str] = set()
    best: dict[str, str] = {}  # by function, since one may be compiled in many places
    for root in {json.dumps(root) for record in records for root in record["roots"]}:
        kind, functions = known.of(json.loads(root))
        name = str(json.loads(root)[0])
        best[name] = max(kind, best.get(name, "none"), key=CERTAINTIES.index)
        found.entered |= functions
        if kind == "yes":
            certain.add(root)
        elif kind == "none":
            found.lost_roots.append(root)
    found.roots.update(best.values())
    found.lost_roots.sort()
    callers: dict[Scope, list[Json]] = defaultdict(list)
    for record in records:
        found.executed |= finder.all(record["executed"])
        sure = {number for number, root in enumerate(record["roots"]) if json.dumps(root) in certain}
        for row in record["traced"]:
            function = finder.defined(row["function"])
            if function is not None:
                found.traced.add(function)
                callers[function] += row["callers"]
                if sure & set(row["roots"]):
                    found.truth.add(function)
    static(found, report)
    found.wrong = sorted((found.near & found.executed) - found.traced, key=lambda f: f.qualname)
    missed = found.truth - found.live
    for function in sorted(missed, key=lambda f: (f.module.path, f.node.lineno)):
        found.misses.append(miss(program, function, callers[function], found.live, missed, finder))
    return found


def static(found: Comparison, report: Report) -> None:
    """The sets that the analysis gives.

    What a root reaches is followed along the calls that the analysis keeps, since it may stop before
    each of many roots is written to each function.
    """
    callees: dict[Scope, set[Scope]] = defaultdict(set)
    for function, reached in report.program.reached.items():
        found.reached.add(function)
        if any(root.certainty == "yes" for root in reached.preds):
            found.sure.add(function)
        if all(pred[3] for pred in reached.preds.values()):
            found.guessed.add(function)
        for caller, _, _, _ in reached.preds.values():
            if caller is not None:
                callees[caller].add(function)
    pending = list(found.entered & found.reached)
    found.near = set(pending)
    while pending:
        function = pending.pop()
        if function not in found.live:
            found.live.add(function)
            pending += callees[function]
            if function in found.traced:
                found.near |= callees[function]


def miss(
    program: str,
    function: Scope,
    callers: Sequence[Json],
    live: set[Scope],
    missed: set[Scope],
    finder: Finder,
) -> Miss:
    """The miss of a function: by a call from a reached function if there is one, else from a missed one."""
    found = [(finder.around(row["place"]), row) for row in callers]
    edges = [(caller, row) for caller, row in found if caller in live and caller is not function]
    other = [(caller, row) for caller, row in found if caller in missed and caller is not function]
    caller, row = (edges or other or found)[0]
    place = row["place"] or ("", 0, "")
    return Miss(
        program,
        function.module.path,
        function.node.lineno,
        function.qualname,
        caller.qualname if caller is not None else "",
        place[0],
        place[1],
        tuple(row["via"]),
        not edges,
    )


def causes(misses: Sequence[Miss]) -> dict[Miss, Miss | None]:
    """For each miss the missing call that it is behind (itself, if it is one); None: not seen."""
    by_name = {one.name: one for one in misses}
    found: dict[Miss, Miss | None] = {}
    for one in misses:
        current: Miss | None = one
        seen: set[Miss] = set()
        while current is not None and current.behind and current not in seen:
            seen.add(current)
            current = by_name.get(current.caller)
        found[one] = None if current is None or current.behind else current
    return found


def classes() -> dict[tuple[str, str, str], str]:
    """The committed table: the class of each known missing call."""
    if not TABLE.exists():
        return {}
    with TABLE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {(row["program"], row["function"], row["caller"]): row["class"] for row in rows}
