"""From files to findings, and from findings to new texts. Pure: no files are read or written here.

`check` judges; `fix` runs rounds of check and apply until nothing more can be applied. A fix of an
`error` rule is never applied where silent damage would be left behind it (`NO_UNMASKING`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from codemods import (
    edits as edits_module,
    fixing,
    settings as settings_module,
    source as source_module,
    suppress,
)
from codemods.analysis import tree
from codemods.analysis.compiled import Program, Reached
from codemods.analysis.index import Files, Project
from codemods.analysis.jax_version import JaxVersion
from codemods.analysis.keras_models import WORDS as KERAS_WORDS
from codemods.analysis.roots import Root
from codemods.analysis.scopes import Module, Scope
from codemods.gate import bundled
from codemods.model import Chain, Consequence, Diagnostic, Reason, Related, Safety, Span
from codemods.outcome import Allow, Applied, Finding, FixResult, Report, RootInfo, Stats, pick
from codemods.registry import RULES, TOOL_CODES
from codemods.rule import Context, Rule
from codemods.settings import Settings
from codemods.source import LineIndex, Source

NO_UNMASKING = True
_MAX_CHAINS = 8


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


def fix(
    files: Files | Mapping[str, Source],
    settings: Settings,
    paths: Sequence[str],
    allow: Allow,
    filtered: bool = True,
) -> FixResult:
    """Apply fixes until none is left that may be applied; returns the new texts."""

    def judge(project: Project) -> Report:
        return _check(project, settings, paths, filtered)

    return fixing.run(open_project(files), judge, paths, allow, NO_UNMASKING)


def _check(project: Project, settings: Settings, paths: Sequence[str], filtered: bool) -> Report:
    with tree.deep_recursion():  # following values through calls nests a few frames per step
        return _judge(project, settings, paths, filtered)


def _judge(project: Project, settings: Settings, paths: Sequence[str], filtered: bool) -> Report:
    comments = _Comments(project)
    jax = JaxVersion(settings.jax_version, settings.jax_from) if settings.jax_version else None
    program = Program(project, settings.entry_points, comments.facts, settings.seed, jax)
    stats = Stats(files=len(paths), lines=sum(project.line_count(path) for path in paths))
    findings: list[Finding] = []
    tool: list[Diagnostic] = []
    rules = [rule for rule in RULES if _is_on(rule, settings)]
    for function, context, framework in _functions(program, settings, paths, filtered, stats):
        path = function.module.path
        started = time.process_time()
        for rule in rules:
            if rule.framework != framework or (function.kind == "module" and not rule.modules):
                continue
            try:
                context.rule = rule
                for diagnostic in rule.check(context):
                    behind = _roots(function, program, framework)
                    findings.append(Finding(_polished(diagnostic, program, settings), function, behind))
            except Exception as error:  # noqa: BLE001 - a rule's bug must not cost the other files
                tool.append(_internal(function, rule, error))
                findings = [f for f in findings if f.diagnostic.span.path != path]
        stats.seconds[path] = stats.seconds.get(path, 0.0) + time.process_time() - started
    broken = {d.span.path for d in tool}
    findings = [f for f in findings if f.diagnostic.span.path not in broken]
    tool += _unreadable(project, paths, filtered, stats)
    if NO_UNMASKING:
        findings = bundled(findings)
    shown, suppressed = _shown(findings, tool, settings, comments, project, paths)
    stats.functions = len({*program.reached, *program.jax_reached})
    stats.tiers = _tiers(project, paths, {d.span.path for d in shown}, stats)
    unresolved = [
        (module.path, node.lineno, module.text(node.func), why)
        for module, node, why in {**program.unresolved, **program.jax_walk.unresolved}.values()
    ]
    roots = [_root_info(root, program) for root in (*program.roots, *program.jax_roots)]
    return Report(
        shown,
        roots,
        stats,
        sorted(unresolved),
        suppressed,
        program.missing_entries,
        findings,
        program,
        project,
    )


def _is_on(rule: Rule, settings: Settings) -> bool:
    return not rule.preview or settings_module.previewed(settings, rule.code)


# functions to judge


def _functions(
    program: Program, settings: Settings, paths: Sequence[str], filtered: bool, stats: Stats
) -> Iterable[tuple[Scope, Context, str]]:
    """The functions that rules look at, with the framework whose code they are."""
    done = set()
    for framework, found in (("tensorflow", program.reached), ("jax", program.jax_reached)):
        for function, reached in sorted(found.items(), key=lambda i: (i[0].module.path, _line(i[0]))):
            done.add(function)  # also outside of `paths`: the gate must know of silent damage there
            yield function, _context(program, function, reached, settings), framework
    for path in program.project.paths:
        module = program.project.module(path) if program.project.has_any(path, KERAS_WORDS) else None
        if module is not None:
            yield (
                module.root,
                Context(program, module.root, (), True, False, settings.unroll_limit),
                "tensorflow",
            )
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
            if (
                function not in done
                and function not in program.excluded
                and (not filtered or in_text.search(function.module.text(function.node)))
            ):
                context = Context(program, function, (), False, False, settings.unroll_limit)
                yield function, context, "tensorflow"


def _line(function: Scope) -> int:
    return int(getattr(function.node, "lineno", 0))


def _context(program: Program, function: Scope, reached: Reached, settings: Settings) -> Context:
    guessed = all(pred[3] for pred in reached.preds.values())
    chains = tuple(chain(program, function, root) for root in list(reached.preds)[:_MAX_CHAINS])
    told = [root for root in reached.preds if root.how == "a comment"]
    place = f"{told[0].module.path}:{told[0].node.lineno}" if told and len(told) == len(reached.preds) else ""
    return Context(program, function, chains, True, guessed, settings.unroll_limit, place)


def chain(program: Program, function: Scope, root: Root) -> Chain:
    """The calls from a root to a function, outermost first."""
    walk = program.jax_walk if root.framework == "jax" else program.walk
    steps = list(walk.climb(function, root))
    calls = [
        Related(step.module.span(step.node), f"calls {step.function.qualname}")
        for step in reversed(steps)
        if step.module is not None and step.node is not None
    ]
    guessed = any(step.guessed for step in steps)
    return Chain(root.name, root.module.span(root.node), root.certainty, tuple(calls), guessed)


def _roots(function: Scope, program: Program, framework: str) -> frozenset[str]:
    """The roots that reach a function; itself, if none does. By name: files are parsed anew in each round."""
    reached = (program.jax_reached if framework == "jax" else program.reached).get(function)
    return frozenset(r.name for r in reached.preds) if reached is not None else frozenset({function.qualname})


def _root_info(root: Root, program: Program) -> RootInfo:
    found = program.jax_reached if root.framework == "jax" else program.reached
    count = sum(root in reached.preds for reached in found.values())
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
    message = (
        f"rule {rule.code} raised {type(error).__name__}: {error} (a bug of xlafix; the file was left alone)"
    )
    return Diagnostic(
        "XLA004", name, Consequence.TOOL, message, span, unavailable=(Reason("none", "a bug of xlafix"),)
    )


def _unreadable(project: Project, paths: Sequence[str], filtered: bool, stats: Stats) -> list[Diagnostic]:
    """XLA001 for files that could not be examined and might have mattered."""
    found = []
    name, _ = TOOL_CODES["XLA001"]
    for path in paths:
        if path not in project.problems:
            data = project.bytes_of(path)
            if (
                path not in project.problems
                and path not in project.parsed()
                and (not filtered or matters(data) or len(paths) <= 200)
            ):
                _try_parse(project, path, data)
        problem = project.problems.get(path)
        if problem is None:
            continue
        line, message = problem
        stats.unparsed.append((path, message))
        at = _offset_of_line(project.bytes_of(path), line)
        text = f"{message}, so it was not examined"
        reason = (Reason("none", "the file was not examined"),)
        found.append(
            Diagnostic("XLA001", name, Consequence.TOOL, text, Span(path, at, at), unavailable=reason)
        )
    return found


def matters(data: bytes) -> bool:
    """Can a file hold anything for us: does it speak of a framework, or of compiling?"""
    frameworks = b"tensorflow" in data or b"keras" in data or b"jax" in data or b"torch_xla" in data
    words = (
        b"TensorArray",
        b"while_loop",
        b"tf.range(",
        b"jit_compile",
        b"experimental_compile",
        b"memory_kind",
        b"place_to_host",
    )
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
    findings: list[Finding], tool: list[Diagnostic], settings: Settings, comments: _Comments,
    project: Project, paths: Sequence[str],
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
    complete = not settings.select and not settings.ignore and settings.scope == "all"
    off = {rule.code for rule in RULES if not _is_on(rule, settings)}
    shown: list[Diagnostic] = []
    for path, diagnostics in by_path.items():
        found = comments.of(path)
        if not found.ignores and not found.malformed:
            shown += diagnostics
            continue
        module = project.module(path)
        line_of = partial(_line_at, module)
        judged = partial(_all_judged, complete, off)
        kept, suppressed, reports = suppress.filter(diagnostics, found, line_of, judged)
        hidden += len(suppressed)
        shown += kept + [r for r in reports if settings_module.enabled(settings, r.code)]
    return sorted(shown, key=lambda d: d.sort_key), hidden


def _all_judged(complete: bool, off: set[str], code: str) -> bool:
    """Would every finding of a rule have been found, so that a suppression of it can be called useless?"""
    return complete and code not in off


def _line_at(module: Module | None, offset: int) -> int:
    return module.lines.position(offset)[0] if module is not None else 1


def _tiers(project: Project, paths: Sequence[str], found: set[str], stats: Stats) -> dict[str, int]:
    bad = {path for path, _ in stats.unparsed}
    parsed = sum(path in project.parsed() and path not in bad and path not in found for path in paths)
    return {
        "finding": len(found - bad),
        "analysed": parsed,
        "filtered": len(paths) - parsed - len(found - bad) - len(bad),
        "unparsed": len(bad),
    }


__all__ = [
    "NO_UNMASKING",
    "Allow",
    "Applied",
    "Finding",
    "FixResult",
    "Report",
    "RootInfo",
    "Stats",
    "chain",
    "check",
    "fix",
    "matters",
    "open_project",
    "pick",
]
