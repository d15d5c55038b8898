"""No unmasking: a compile error may be all that stands before silent wrong data.

`bundled` looks at the findings of one state: a fix of an `error` finding is offered together with the
fix of the silent finding behind the same root, or only by hand where that has none. `exposed` looks at
the state after a round of fixes, for what only shows up then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from codemods import edits as edits_module
from codemods.model import Consequence, Diagnostic, Fix, Safety
from codemods.outcome import Allow, Finding, Report, pick

_HIDDEN = (Consequence.SILENT, Consequence.ABORT)


def bundled(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, with the fixes of errors bundled with those of the silent findings behind their roots."""
    silent = [f for f in findings if _is_hidden(f.diagnostic)]
    if not silent:
        return list(findings)
    result = []
    for finding in findings:
        diagnostic = finding.diagnostic
        behind = [s for s in silent if s.roots & finding.roots]
        if diagnostic.consequence is Consequence.ERROR and behind:
            fixes = tuple(_with(fix, behind) for fix in diagnostic.fixes)
            finding = Finding(replace(diagnostic, fixes=fixes), finding.function, finding.roots)
        result.append(finding)
    return result


def _with(fix: Fix, behind: Sequence[Finding]) -> Fix:
    edits, needs, notes = list(fix.edits), list(fix.needs), []
    for other in behind:
        diagnostic = other.diagnostic
        offered = next((f for f in diagnostic.fixes if f.safety is not Safety.MANUAL), None)
        if offered is None:
            return fix.demoted(
                Safety.MANUAL,
                f"alone it would turn the error into silent damage ({diagnostic.code}, which has no fix)",
            )
        if edits_module.conflict(edits, edits_module.fix_edits(offered)):
            return fix.demoted(
                Safety.MANUAL, f"alone it would turn the error into silent damage ({diagnostic.code})"
            )
        edits += [edit for edit in offered.edits if edit not in edits]
        needs += [need for need in offered.needs if need not in needs]
        note = f"together with {diagnostic.code}, whose silent damage it would expose"
        notes.append(f"{note} ({offered.note})" if offered.note else note)
        if offered.safety.rank > fix.safety.rank:
            fix = replace(fix, safety=offered.safety)
    note = "; ".join([n for n in (fix.note, *dict.fromkeys(notes)) if n])
    return replace(fix, edits=tuple(edits), needs=tuple(needs), note=note)


def exposed(
    applied: Sequence[tuple[Diagnostic, Fix]], before: Report, after: Report, allow: Allow
) -> Mapping[str, str]:
    """fingerprint -> reason, for applied fixes of errors that leave silent damage which may not be fixed.

    A fix is to blame where the damage is behind the same root, or behind a root that is new and stands
    in a file that the fix changed.
    """
    known = {f.diagnostic.fingerprint: f.roots for f in before.findings}
    old = {root.name for root in before.roots}
    new = {root.name: root.span.path for root in after.roots if root.name not in old}
    shown = {_key(d) for d in after.diagnostics}  # what is not shown is never chosen
    left = [
        f
        for f in after.findings
        if _is_hidden(f.diagnostic) and (pick(f.diagnostic, allow) is None or _key(f.diagnostic) not in shown)
    ]
    seen = {_key(f.diagnostic) for f in before.findings}
    broken = [
        f
        for f in after.findings
        if f.diagnostic.consequence is Consequence.ERROR
        and _key(f.diagnostic) not in seen
        and pick(f.diagnostic, allow) is None
    ]
    reasons = {}
    for diagnostic, fix in applied:
        if diagnostic.consequence is not Consequence.ERROR:
            continue
        changed = {edit.path for edit in edits_module.fix_edits(fix)}
        roots = known.get(diagnostic.fingerprint, frozenset())
        roots |= {name for name, path in new.items() if path in changed}
        for other in broken:
            if other.roots & roots & new.keys():
                reasons[diagnostic.fingerprint] = (
                    f"what it compiles would fail in another way ({other.diagnostic.code})"
                )
        for other in left:
            if other.roots & roots:
                reasons[diagnostic.fingerprint] = (
                    f"alone it would turn the error into silent damage ({other.diagnostic.code})"
                )
    return reasons


def _is_hidden(diagnostic: Diagnostic) -> bool:
    """Is it damage that only shows once the code compiles?"""
    return diagnostic.consequence in _HIDDEN and not diagnostic.without_xla


def _key(diagnostic: Diagnostic) -> tuple[str, str]:
    return diagnostic.fingerprint, diagnostic.code


__all__ = ["bundled", "exposed"]
