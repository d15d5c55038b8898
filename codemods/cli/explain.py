"""`xlafix explain`: the page of a rule."""

from __future__ import annotations

import difflib

import click


@click.command("explain", short_help="Explain a rule.")
@click.argument("rule", metavar="CODE")
def command(rule: str) -> None:
    """Show the page of a rule, by code or name: what it does, why XLA fails, what the fix assumes."""
    from codemods.cli.session import Failure, echo, paint
    from codemods.registry import RULES, TOOL_CODES, by_code

    found = by_code(rule)
    if found is not None:
        lines = [paint(f"{found.code} {found.name}", "bold"), ""]
        lines += [paint(line, "bold") if line.startswith("## ") else line for line in found.doc.split("\n")]
        echo(lines)
        return
    for code, (name, text) in TOOL_CODES.items():
        if rule.strip().lower() in (code.lower(), name):
            echo([paint(f"{code} {name}", "bold"), "", text])
            return
    known = [one.code for one in RULES] + [one.name for one in RULES] + list(TOOL_CODES)
    known += [name for name, _ in TOOL_CODES.values()]
    upper = {name.upper(): name for name in known}
    near = [upper[word] for word in difflib.get_close_matches(rule.upper(), upper, n=1)]
    hint = f"did you mean {near[0]}?" if near else "`xlafix rules` lists them"
    raise Failure(f"no rule is called {rule}; {hint}")
