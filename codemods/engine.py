"""From files to findings, and from findings to new texts. Pure: no files are read or written here.

`check` judges; `fix` runs rounds of check and apply until nothing more can be applied. A fix of an
`error` rule is never applied where silent damage would be left behind it (`NO_UNMASKING`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from codemods import edits as edits_module
from codemods import settings as settings_module
from codemods import source as source_module
from codemods import suppress
from codemods.analysis import tree
from codemods.analysis.compiled import Program, Reached
from codemods.analysis.index import Files, Project
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Scope
from codemods.gate import bundled, exposed
from codemods.model import Chain, Consequence, Diagnostic, Fix, Reason, Related, Safety, Span
from codemods.registry import RULES, TOOL_CODES
from codemods.rule import Context, Rule
from codemods.settings import Settings
from codemods.source import LineIndex, Source

NO_UNMASKING = True
MAX_ROUNDS = 20
_MAX_CHAINS = 8


@dataclass(frozen=True)
class Allow:
    """Which fixes `fix` applies.

    choose: code -> key of the alternative to take, also a MANUAL one. frozen: files that no fix may
    touch (read-only ones; all others, when one file comes from standard input).
    """

    unsafe: bool = False
    choose: Mapping[str, str] = field(default_factory=dict)
    frozen: Collection[str] = ()


@dataclass(frozen=True)
class RootInfo:
    """A compiled root, for people. functions: how many functions it reaches."""

    name: str
    span: Span
    certainty: str
    how: str
    functions: int


@dataclass
class Stats:
    """What was examined. seconds: CPU time per path; tiers: files per treatment."""

    files: int = 0
    lines: int = 0
    functions: int = 0
    tiers: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    unparsed: list[tuple[str, str]] = field(default_factory=list)
    elsewhere: int = 0  # places that `--scope all` would look at


@dataclass(eq=False)
class Finding:
    """A diagnostic with what the gate has to know: the function and all the roots that reach it."""

    diagnostic: Diagnostic
    function: Scope | None
    roots: frozenset[Scope]


@dataclass(eq=False)
class Report:
    """diagnostics: what to show, sorted. unresolved: calls that were not followed (path, line, text, why).

    suppressed: findings that comments or settings hide. missing_entries: entry points not found.
    """

    diagnostics: list[Diagnostic]
    roots: list[RootInfo]
    stats: Stats
    unresolved: list[tuple[str, int, str, str]]
    suppressed: int
    missing_entries: list[str]
    findings: list[Finding]
    program: Program
    project: Project


@dataclass(frozen=True)
class Applied:
    """A fix that was applied. line, column: where the finding stood in the text of its round (from 0), 1-based."""

    diagnostic: Diagnostic
    fix: Fix
    round: int
    line: int
    column: int


@dataclass(eq=False)
class FixResult:
    """changes: path -> new text. applied: what was fixed, in order. report: the state after it.

    hidden_unsafe: findings left whose first fix is UNSAFE and was not asked for.
    withheld: (diagnostic, reason) of error fixes that would have exposed silent damage.
    """

    changes: dict[str, str]
    applied: list[Applied]
    report: Report
    hidden_unsafe: int
    rounds: int
    withheld: list[tuple[Diagnostic, str]] = field(default_factory=list)


class _Sources:
    """A mapping of sources as `Files`."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = sources

    def paths(self) -> Iterable[str]:
        return self._sources

    def read(self, path: str) -> bytes:
        source = self._sources[path]
        return source_module.encode(source, source.text)


def open_project(files: Files | Mapping[str, Source]) -> Project:
    """The project over some files, nothing of it parsed yet."""
    return Project(_Sources(files) if isinstance(files, Mapping) else files, source_module.decode)


def check(
    files: Files | Mapping[str, Source], settings: Settings, paths: Sequence[str], filtered: bool = True
) -> Report:
    """Judge `paths`; all files of `files` count as callers and callees.

    filtered: skip files by their bytes where no rule can find anything (the findings are the same).
    """
    return _check(open_project(files), settings, paths, filtered)


def _check(project: Project, settings: Settings, paths: Sequence[str], filtered: bool) -> Report:
    with tree.deep_recursion():  # following values through calls nests a few frames per step
        return _judge(project, settings, paths, filtered)


def _judge(project: Project, settings: Settings, paths: Sequence[str], filtered: bool) -> Report:
    comments = _Comments(project)
    program = Program(project, settings.entry_points, comments.facts)
    stats = Stats(files=len(paths), lines=sum(project.line_count(path) for path in paths))
    findings: list[Finding] = []
    tool: list[Diagnostic] = []
    for function, context in _functions(program, settings, paths, filtered, stats):
        path = function.module.path
        started = time.process_time()
        for rule in RULES:
            try:
                context.rule = rule
                for diagnostic in rule.check(context):
                    roots = frozenset(r.function for r in program.reached[function].preds) if function in program.reached else frozenset({function})
                    findings.append(Finding(_polished(diagnostic, program, settings), function, roots))
            except Exception as error:  # a rule's bug must not cost the other files
                tool.append(_internal(function, rule, error))
                findings = [f for f in findings if f.diagnostic.span.path != path]
        stats.seconds[path] = stats.seconds.get(path, 0.0) + time.process_time() - started
    broken = {d.span.path for d in tool}
    findings = [f for f in findings if f.diagnostic.span.path not in broken]
    tool += _unreadable(project, paths, filtered, stats)
    if NO_UNMASKING:
        findings = bundled(findings)
    shown, suppressed = _shown(findings, tool, settings, comments, project, paths)
    stats.functions = len(program.reached)
    stats.tiers = _tiers(project, paths, {d.span.path for d in shown}, stats)
    unresolved = [
        (module.path, node.lineno, module.text(node.func), why) for module, node, why in program.unresolved.values()
    ]
    roots = [_root_info(root, program) for root in program.roots]
    return Report(shown, roots, stats, sorted(unresolved), suppressed, program.missing_entries, findings, program, project)


# functions to judge


def _functions(
    program: Program, settings: Settings, paths: Sequence[str], filtered: bool, stats: Stats
) -> Iterable[tuple[Scope, Context]]:
    done = set()
    for function, reached in sorted(program.reached.items(), key=lambda item: (item[0].module.path, _line(item[0]))):
        done.add(function)  # also outside of `paths`: the gate must know of silent damage there
        yield function, _context(program, function, reached, settings)
    pattern = "|".join(sorted({rule.loose for rule in RULES}))
    words = sorted({word for rule in RULES for word in rule.words})
    in_bytes, in_text = re.compile(pattern.encode()), re.compile(pattern)
    for path in paths:
        if filtered and not program.project.matches(path, in_bytes, words):
            continue
        if settings.scope == "compiled":
            stats.elsewhere += 0 if path in {f.module.path for f in done} else 1
            continue
        module = program.project.module(path)
        for function in module.functions if module is not None else ():
            if function not in done and function not in program.excluded and (not filtered or in_text.search(function.module.text(function.node))):
                yield function, Context(program, function, (), False, False, False, settings.unroll_limit)


def _line(function: Scope) -> int:
    return int(getattr(function.node, "lineno", 0))


def _context(program: Program, function: Scope, reached: Reached, settings: Settings) -> Context:
    guessed = all(pred[3] for pred in reached.preds.values())
    chains = tuple(chain(program, function, root) for root in list(reached.preds)[:_MAX_CHAINS])
    return Context(program, function, chains, True, reached.gradient, guessed, settings.unroll_limit)


def chain(program: Program, function: Scope, root: Root) -> Chain:
    """The calls from a root to a function, outermost first."""
    steps: list[Related] = []
    current: Scope | None = function
    guessed = False
    seen: set[Scope] = set()
    while current is not None and current not in seen:
        seen.add(current)
        caller, module, node, guess = program.reached[current].preds.get(root, (None, None, None, False))
        guessed = guessed or guess
        if caller is not None and module is not None and node is not None:
            steps.append(Related(module.span(node), f"calls {current.qualname}"))
        current = caller
    return Chain(root.name, root.module.span(root.node), root.certainty, tuple(reversed(steps)), guessed)


def _root_info(root: Root, program: Program) -> RootInfo:
    count = sum(root in reached.preds for reached in program.reached.values())
    return RootInfo(root.name, root.module.span(root.node), root.certainty, root.how, count)


# what a finding becomes


def _polished(diagnostic: Diagnostic, program: Program, settings: Settings) -> Diagnostic:
    """Validate the fixes of a rule, demote what would delete a comment, and apply the user's trust."""
    fixes = []
    for fix in diagnostic.fixes:
        texts = {}
        for edit in edits_module.fix_edits(fix):
            module = program.project.module(edit.path)
            if module is not None:
                texts[edit.path] = module.source.text
        edits_module.validate(edits_module.fix_edits(fix), texts)
        if any(edits_module.deletes_comment(texts[edit.path], edit) for edit in fix.edits):
            fix = fix.demoted(Safety.UNSAFE, "a comment would be lost")
        fixes.append(replace(fix, safety=settings_module.trust(settings, diagnostic.code, fix.safety)))
    if not fixes and not diagnostic.unavailable:
        raise AssertionError(f"{diagnostic.code}: neither a fix nor a reason")
    return replace(diagnostic, fixes=tuple(fixes))


def _internal(function: Scope, rule: Rule, error: Exception) -> Diagnostic:
    module = function.module
    span = Span(module.path, 0, 0) if function.node is None else module.span(function.node)
    name, _ = TOOL_CODES["XLA004"]
    message = f"rule {rule.code} raised {type(error).__name__}: {error} (a bug of xlafix; the file was left alone)"
    return Diagnostic("XLA004", name, Consequence.TOOL, message, span, unavailable=(Reason("none", "a bug of xlafix"),))


def _unreadable(project: Project, paths: Sequence[str], filtered: bool, stats: Stats) -> list[Diagnostic]:
    """XLA001 for files that could not be examined and might have mattered."""
    found = []
    name, _ = TOOL_CODES["XLA001"]
    for path in paths:
        if path not in project.problems:
            data = project.bytes_of(path)
            if path not in project.problems and path not in project.parsed() and (not filtered or matters(data) or len(paths) <= 200):
                _try_parse(project, path, data)
        problem = project.problems.get(path)
        if problem is None:
            continue
        line, message = problem
        stats.unparsed.append((path, message))
        at = _offset_of_line(project.bytes_of(path), line)
        text = f"{message}, so it was not examined"
        reason = (Reason("none", "the file was not examined"),)
        found.append(Diagnostic("XLA001", name, Consequence.TOOL, text, Span(path, at, at), unavailable=reason))
    return found


def matters(data: bytes) -> bool:
    """Can a file hold anything for us: does it speak of a framework, or of compiling?"""
    frameworks = b"tensorflow" in data or b"keras" in data or b"jax" in data
    words = (b"TensorArray", b"while_loop", b".range(", b"jit_compile", b"experimental_compile", b"tf.function")
    return frameworks and any(word in data for word in words)


def _try_parse(project: Project, path: str, data: bytes) -> None:
    """Find out whether a file parses, cheaply: nothing of it is kept."""
    try:
        tree.check_syntax(source_module.decode(path, data).text)
    except source_module.SourceError as error:
        project.problems[path] = (error.line, error.message)
    except SyntaxError as error:
        project.problems[path] = (error.lineno, f"does not parse: {error.msg}")


def _offset_of_line(data: bytes, line: int | None) -> int:
    if line is None:
        return 0
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    index = LineIndex(text)
    return index.line_start(min(max(line, 1), index.line_count))


class _Comments:
    """The user's comments, per file, on demand."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._known: dict[str, suppress.Comments] = {}

    def of(self, path: str) -> suppress.Comments:
        if path not in self._known:
            found = suppress.Comments(path)
            if b"xlafix" in self._project.bytes_of(path):
                module = self._project.module(path)
                if module is not None:
                    found = suppress.parse(module.source.text, path)
            self._known[path] = found
        return self._known[path]

    def facts(self, path: str) -> Mapping[int, tuple[tuple[str, str], ...]]:
        """line -> (kind, value) of what the user says about the statement there."""
        return {line: tuple((f.kind, f.value) for f in facts) for line, facts in self.of(path).facts.items()}


def _shown(
    findings: list[Finding], tool: list[Diagnostic], settings: Settings, comments: _Comments, project: Project,
    paths: Sequence[str],
) -> tuple[list[Diagnostic], int]:  # fmt: skip
    """What is selected and not suppressed, with reports about useless suppressions."""
    by_path: dict[str, list[Diagnostic]] = {}
    hidden = 0
    wanted = set(paths)
    for diagnostic in [f.diagnostic for f in findings] + tool:
        path, code = diagnostic.span.path, diagnostic.code
        if path not in wanted or not settings_module.enabled(settings, code):
            continue
        if settings_module.ignored_in_file(settings, path, code):
            hidden += 1
            continue
        by_path.setdefault(path, []).append(diagnostic)
    for path in paths:
        if b"xlafix" in project.bytes_of(path) and path not in project.problems:
            by_path.setdefault(path, [])
    shown: list[Diagnostic] = []
    for path, diagnostics in by_path.items():
        found = comments.of(path)
        if not found.ignores and not found.malformed:
            shown += diagnostics
            continue
        module = project.module(path)
        line_of = (lambda offset, m=module: m.lines.position(offset)[0]) if module is not None else (lambda _offset: 1)
        complete = not settings.select and not settings.ignore and settings.scope == "all"
        kept, suppressed, reports = suppress.filter(diagnostics, found, line_of, lambda _code, c=complete: c)
        hidden += len(suppressed)
        shown += kept + [r for r in reports if settings_module.enabled(settings, r.code)]
    return sorted(shown, key=lambda d: d.sort_key), hidden


def _tiers(project: Project, paths: Sequence[str], found: set[str], stats: Stats) -> dict[str, int]:
    bad = {path for path, _ in stats.unparsed}
    parsed = sum(path in project.parsed() and path not in bad and path not in found for path in paths)
    return {
        "finding": len(found - bad),
        "analysed": parsed,
        "filtered": len(paths) - parsed - len(found - bad) - len(bad),
        "unparsed": len(bad),
    }


# fixing


def fix(
    files: Files | Mapping[str, Source], settings: Settings, paths: Sequence[str], allow: Allow, filtered: bool = True
) -> FixResult:
    """Apply fixes until none is left that may be applied; returns the new texts."""
    project = open_project(files)
    report = _check(project, settings, paths, filtered)
    named = set(paths)
    allow = replace(allow, frozen={*allow.frozen, *(p for p in project.paths if p not in named)})
    changes: dict[str, str] = {}
    applied: list[Applied] = []
    withheld: dict[str, tuple[Diagnostic, str]] = {}
    rounds = 0
    while rounds < MAX_ROUNDS:
        chosen = [(d, f) for d, f in _chosen(report, allow) if d.fingerprint + d.code not in withheld]
        done = None
        while chosen:
            accepted, _ = edits_module.select([f for _, f in chosen])
            taken = [(d, f) for d, f in chosen if any(f is a for a in accepted)]
            done = _round(project, report, taken, settings, paths, filtered)
            after, texts = done
            back = exposed([d for d, _ in taken], report.findings, after.findings, allow) if NO_UNMASKING else {}
            broken = [path for path in texts if path in after.project.problems]
            if not back and not broken:
                break
            for diagnostic, f in taken:
                if diagnostic.fingerprint in back:
                    withheld[diagnostic.fingerprint + diagnostic.code] = (diagnostic, back[diagnostic.fingerprint])
                elif any(e.path in broken for e in edits_module.fix_edits(f)):
                    withheld[diagnostic.fingerprint + diagnostic.code] = (diagnostic, "the result would not parse (a bug of xlafix)")
            chosen = [(d, f) for d, f in chosen if d.fingerprint + d.code not in withheld]
            done = None
        if done is None:
            break
        applied += [_applied(project, d, f, rounds) for d, f in taken]
        report, texts = done
        project = report.project
        changes.update(texts)
        rounds += 1
    left = _chosen(report, allow)
    if rounds == MAX_ROUNDS and left:
        report.diagnostics += [_endless(d) for d, _ in left[:1]]
    for diagnostic in report.diagnostics:
        others = sorted({e.path for f in diagnostic.fixes[:1] for e in edits_module.fix_edits(f)} - named)
        if others and pick(diagnostic, allow) is None and pick(diagnostic, replace(allow, frozen=())) is not None:
            withheld[diagnostic.fingerprint + diagnostic.code] = (diagnostic, f"its fix also changes {', '.join(others)}, which was not named")
    for diagnostic, why in withheld.values():
        report.diagnostics = [
            replace(d, fixes=tuple(f.demoted(Safety.MANUAL, why) for f in d.fixes))
            if (d.fingerprint, d.code) == (diagnostic.fingerprint, diagnostic.code) else d
            for d in report.diagnostics
        ]  # fmt: skip
    hidden = 0 if allow.unsafe else sum(bool(d.fixes) and d.fixes[0].safety is Safety.UNSAFE for d in report.diagnostics)
    return FixResult(changes, applied, report, hidden, rounds, list(withheld.values()))


def _applied(project: Project, diagnostic: Diagnostic, fix: Fix, number: int) -> Applied:
    module = project.module(diagnostic.span.path)
    line, column = module.lines.position(diagnostic.span.start) if module is not None else (1, 0)
    return Applied(diagnostic, fix, number, line, column + 1)


def _chosen(report: Report, allow: Allow) -> list[tuple[Diagnostic, Fix]]:
    """The alternative to apply for each finding: silent rules first, then errors from the innermost outwards."""
    picked = []
    for diagnostic in report.diagnostics:
        found = pick(diagnostic, allow)
        if found is not None:
            picked.append((diagnostic, found))
    rank = {rule.code: number for number, rule in enumerate(RULES)}

    def order(item: tuple[Diagnostic, Fix]) -> tuple[int, int, tuple[str, int, int, str]]:
        depth = max((len(c.calls) for c in item[0].chains), default=0)
        return rank.get(item[0].code, 99), -depth, item[0].sort_key

    return sorted(picked, key=order)


def pick(diagnostic: Diagnostic, allow: Allow) -> Fix | None:
    """The first alternative that may be applied, or the one that the user chose by its key."""
    key = allow.choose.get(diagnostic.code)
    levels = (Safety.SAFE, Safety.UNSAFE) if allow.unsafe else (Safety.SAFE,)
    for offered in diagnostic.fixes:
        if any(edit.path in allow.frozen for edit in edits_module.fix_edits(offered)):
            continue
        if offered.key == key if key is not None else offered.safety in levels:
            return offered
    return None


def _round(
    project: Project, report: Report, taken: list[tuple[Diagnostic, Fix]], settings: Settings, paths: Sequence[str],
    filtered: bool,
) -> tuple[Report, dict[str, str]]:  # fmt: skip
    """The state after some fixes, judged anew."""
    texts, contents = {}, {}
    for path, edits in edits_module.merge([f for _, f in taken]).items():
        source = source_module.decode(path, project.bytes_of(path))
        texts[path] = edits_module.apply(source.text, edits)
        contents[path] = source_module.encode(source, texts[path])
    return _check(project.changed(contents), settings, paths, filtered), texts


def _endless(diagnostic: Diagnostic) -> Diagnostic:
    name, _ = TOOL_CODES["XLA003"]
    message = f"fixing {diagnostic.code} did not come to an end after {MAX_ROUNDS} rounds (a bug of xlafix)"
    return Diagnostic("XLA003", name, Consequence.TOOL, message, diagnostic.span, unavailable=(Reason("none", "a bug of xlafix"),))
