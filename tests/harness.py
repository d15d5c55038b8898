"""The golden harness: the engine behind one adapter, and the byte variants of a case."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal
from unittest import mock

from harness_cases import Case, Want

Files = Mapping[str, bytes]
Apply = Literal["nothing", "safe", "unsafe", "choose"]


@dataclass(frozen=True)
class Finding:
    """What the tests look at in a diagnostic. line: 1-based; safeties: of its fixes, in order."""

    path: str
    line: int
    code: str
    message: str
    safeties: tuple[str, ...]
    reasons: str


@dataclass(frozen=True)
class Result:
    """files: after the fixes; findings: of the state after them (of the input for "nothing")."""

    files: dict[str, bytes]
    findings: list[Finding]


def run_engine(
    files: Files, apply: Apply, select: Collection[str] = (), gate: bool = True,
    choose: tuple[str, str] = ("", ""), preview: bool = False, jax: str = "",
) -> Result:  # fmt: skip
    """The only place that knows how the engine is called.

    choose: code and key of the alternative for "choose". preview: also the rules that are off otherwise.
    jax: the JAX version that is set.
    gate: False switches off the check that no error is mended while silent damage stands behind it.
    """
    from codemods import engine, settings, source

    sources = {path: source.decode(path, data) for path, data in files.items() if path.endswith(".py")}
    version = tuple(map(int, jax.split("."))) if jax else None
    options = settings.Settings(select=tuple(select), preview=preview, jax_version=version)
    paths = sorted(sources)
    after = dict(files)
    with mock.patch.object(engine, "NO_UNMASKING", gate):
        if apply == "nothing":
            report = engine.check(sources, options, paths)
        else:
            choices = dict([choose]) if apply == "choose" else {}
            fixed = engine.fix(sources, options, paths, engine.Allow(apply == "unsafe", choices))
            report = fixed.report
            for path, text in fixed.changes.items():
                after[path] = source.encode(sources[path], text)
    findings = []
    for one in report.diagnostics:
        text = source.decode(one.span.path, after[one.span.path]).text
        line, _ = source.LineIndex(text).position(one.span.start)
        safeties = tuple(fix.safety.value for fix in one.fixes)
        reasons = "; ".join(reason.why for reason in one.unavailable)
        findings.append(Finding(one.span.path, line, one.code, one.message, safeties, reasons))
    return Result(after, findings)


def run_case(case: Case, files: Files, apply: Apply) -> Result:
    """Run the engine on files as a case wants it run."""
    jax = case.facts.jax if case.framework == "jax" else ""
    return run_engine(files, apply, choose=case.facts.choose, preview=case.is_preview, jax=jax)


def unexplained(findings: list[Finding], wanted: list[Want]) -> tuple[list[Finding], list[Want]]:
    """(findings that no want explains, wants that no finding fulfils)."""
    left = list(wanted)
    surplus = []
    for finding in findings:
        match = next((want for want in left if fulfils(finding, want)), None)
        if match is None:
            surplus.append(finding)
        else:
            left.remove(match)
    return surplus, left


def fulfils(finding: Finding, want: Want) -> bool:
    place = (finding.path, finding.line, finding.code) == (want.path, want.line, want.code)
    return place and re.search(want.pattern, finding.message) is not None


def expected_files(case: Case, apply: Apply) -> Files:
    """What `fix` must leave behind in this mode."""
    applies = {"safe": ["safe"], "unsafe": ["safe", "unsafe"], "choose": ["manual"]}.get(apply, [])
    return case.fixed if case.facts.safety in applies else case.files


def fixing(case: Case) -> Apply:
    """The mode in which a case is fixed."""
    return "choose" if case.facts.safety == "manual" else "unsafe"


def with_crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def with_bom(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


def with_tabs(data: bytes) -> bytes:
    """Every four spaces at the start of a line become a tab."""

    def tabs(match: re.Match[bytes]) -> bytes:
        width = len(match[0])
        return b"\t" * (width // 4) + b" " * (width % 4)

    return re.sub(rb"(?m)^ +", tabs, data)


def without_final_newline(data: bytes) -> bytes:
    return data.rstrip(b"\n")


def with_astral_text(data: bytes) -> bytes:
    """A form feed and characters of one to four UTF-8 bytes before everything else."""
    return "# \x0c na\u00efve \u4e2d\u6587 \U0001d6fc\n".encode() + data


def with_latin1(data: bytes) -> bytes:
    """A coding cookie, and a byte that is not UTF-8."""
    return b"# -*- coding: latin-1 -*-\n# na\xefve\n" + data.decode("utf-8").encode("latin-1", "replace")


def with_everything(data: bytes) -> bytes:
    return with_bom(with_crlf(without_final_newline(with_tabs(with_astral_text(data)))))


VARIANTS: dict[str, Callable[[bytes], bytes]] = {
    "crlf": with_crlf,
    "bom": with_bom,
    "tabs": with_tabs,
    "no-final-newline": without_final_newline,
    "astral": with_astral_text,
    "latin-1": with_latin1,
    "everything": with_everything,
}


def vary(files: Files, variant: Callable[[bytes], bytes]) -> dict[str, bytes]:
    return {path: variant(data) if path.endswith(".py") and data else data for path, data in files.items()}
