"""One finding with everything that is known about it: source, other places, calls, fixes as diffs."""

from __future__ import annotations

from codemods import edits as edits_module
from codemods.model import Chain, Diagnostic, Fix, Safety, Span
from codemods.report.view import Paint, View

_TAB = 4


def full(one: Diagnostic, view: View, paint: Paint) -> list[str]:
    """The lines about one finding, indented by two."""
    role = {"silent": "bad", "abort": "bad", "error": "warn"}.get(one.consequence.value, "code")
    lines = [f"{view.place(one.span)}: {paint(one.code, role)} {one.message} ({one.name})"]
    lines += _excerpt(one.span, view, paint, role)
    for other in one.related:
        lines.append(f"{view.place(other.span)}: {other.message}")
        lines += _excerpt(other.span, view, paint, "dim")
    for chain in one.chains:
        lines += chain_lines(chain, view, paint)
    for fix in one.fixes:
        lines += _fix(fix, view, paint)
        if fix.safety is Safety.MANUAL:
            lines.append(f"to apply it: xlafix fix --choose {one.code}={fix.key}")
    lines += [paint(f"no {reason.key} fix: {reason.why}", "dim") for reason in one.unavailable]
    return ["  " + line if line else line for line in lines]


def chain_lines(chain: Chain, view: View, paint: Paint) -> list[str]:
    """Why a place is compiled: the root, and each call on the way."""
    certainty = "" if chain.certainty == "yes" else " (may be)"
    lines = [f"compiled{certainty} because of {view.line(chain.root_span)} {chain.root}"]
    for call in chain.calls:
        lines.append(f"  -> {view.line(call.span)} {call.message}")
    if chain.guessed:
        lines.append(
            "  " + paint("one of these calls is guessed from a method name that only one class has", "dim")
        )
    return lines


def _fix(fix: Fix, view: View, paint: Paint) -> list[str]:
    note = f": {fix.note}" if fix.note else ""
    role = "good" if fix.safety.value == "safe" else "warn"
    lines = [paint(f"{fix.safety.value} fix", role) + f" ({fix.key}): {fix.title}{note}"]
    for path, edits in edits_module.merge([fix]).items():
        before = view.text(path)
        after = edits_module.apply(before, edits)
        pair = (text.encode("utf-8", "surrogatepass") for text in (before, after))
        patch = edits_module.unified_diff(view.path(path), *pair).decode("utf-8", "replace")
        for line in patch.split("\n")[1:]:
            line = line.rstrip("\r")
            role = {"+": "good", "-": "bad", "@": "code"}.get(line[:1], "dim")
            lines.append("  " + paint(line, role) if line else "")
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _excerpt(span: Span, view: View, paint: Paint, role: str) -> list[str]:
    """The first line of a span, with carets under it."""
    text = view.text(span.path)
    if not text:
        return []
    index = view.index(span.path)
    number, column = index.position(min(span.start, len(text)))
    line = index.line_text(number)
    stop = min(max(span.end - span.start, 1), max(len(line) - column, 1))
    shown, before = line.expandtabs(_TAB), line[:column].expandtabs(_TAB)
    marked = line[: column + stop].expandtabs(_TAB)
    gutter = f"{view.position(span.path, span.start)[0]:5} | "
    carets = " " * len(before) + "^" * max(len(marked) - len(before), 1)
    return [paint(gutter, "dim") + shown, " " * (len(gutter) - 2) + paint("| ", "dim") + paint(carets, role)]
