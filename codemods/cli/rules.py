"""`xlafix rules`: what is looked for."""

from __future__ import annotations

import click


@click.command("rules", short_help="List the rules.")
@click.option("--output-format", type=click.Choice(["default", "json"]), default="default", show_default=True)
def command(output_format: str) -> None:
    """List the rules: code, name, what happens if nothing is changed, and a line about each."""
    import json

    from codemods.cli.session import echo, paint
    from codemods.registry import RULES, TOOL_CODES
    from codemods.report.phrases import KINDS

    rules = sorted(RULES, key=lambda rule: rule.code)
    if output_format == "json":
        rows = [
            {
                "code": rule.code,
                "name": rule.name,
                "consequence": rule.consequence.value,
                "summary": rule.summary,
                "preview": rule.preview,
            }
            for rule in rules
        ]
        rows += [
            {"code": code, "name": name, "consequence": "tool", "summary": text}
            for code, (name, text) in TOOL_CODES.items()
        ]
        echo([json.dumps(rows, indent=1)])
        return
    wide = max(
        len(name) for name in [rule.name for rule in rules] + [name for name, _ in TOOL_CODES.values()]
    )
    lines = []
    for rule in rules:
        kind = KINDS[rule.consequence]
        mark = "(preview) " if rule.preview else ""
        lines.append(f"{paint(rule.code, 'code')}  {rule.name:{wide}}  {kind:18}  {mark}{rule.summary}")
    lines.append("")
    for code, (name, text) in TOOL_CODES.items():
        lines.append(f"{paint(code, 'code')}  {name:{wide}}  {'about the input':18}  {text}")
    echo([*lines, "", "More about one: xlafix explain CODE"])
