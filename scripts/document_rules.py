"""Write what the documentation takes from the code: the pages of the rules, and parts of README.md.

    python scripts/document_rules.py            write docs/rules/*.md and the generated parts of README.md
    python scripts/document_rules.py --check    write nothing; name what is stale

A page is the documentation of a rule's module; pages of rules that no longer exist are removed. In
README.md the text between two comments is replaced: the table of rules between `<!-- rules -->` and
`<!-- end of rules -->`, and between `<!-- output of COMMAND -->` and `<!-- end of output -->` what the
command prints in this checkout. Exit status 1 with --check if anything is stale.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from codemods.registry import RULES
from codemods.report.phrases import KINDS
from codemods.rule import HEADINGS, Rule

ROOT = Path(__file__).resolve().parent.parent
PAGES = "docs/rules"
CODE_OF = {"Example": "python", "Use instead": "python"}
INDENT = "    "
SECONDS = 120  # for one command whose output is shown


def page(rule: Rule) -> str:
    """The page of a rule, in Markdown."""
    lines = [
        f"# {rule.code} {rule.name}",
        f"<!-- Written by scripts/document_rules.py from {module_path(rule)}. -->",
        rule.summary,
        f"What happens if nothing is changed: **{KINDS[rule.consequence]}**.",
    ]
    if rule.preview:
        lines.append("A preview: off unless asked for, with `--preview` or `preview = true`.")
    for heading in HEADINGS:
        lines += [f"## {heading}", fenced(rule.section(heading), CODE_OF.get(heading, "text"))]
    return "\n\n".join(lines) + "\n"


def module_path(rule: Rule) -> str:
    return rule.check.__module__.replace(".", "/") + ".py"


def fenced(text: str, language: str) -> str:
    """The text with its indented blocks as fenced ones."""
    out: list[str] = []
    block: list[str] = []
    for line in [*text.split("\n"), "end"]:
        if line.startswith(INDENT) or (block and not line.strip()):
            block.append(line.removeprefix(INDENT))
            continue
        if block:
            trailing = len(block) - len("\n".join(block).rstrip("\n").split("\n"))
            code = block[: len(block) - trailing]
            out += [f"```{language}", *code, "```", *[""] * trailing]
            block = []
        out.append(line)
    return "\n".join(out[:-1]).strip("\n")


def table() -> str:
    """The rules as a table. Fix safety is the first sentence of that section."""
    rows = ["| code | name | if nothing is changed | fix |", "|---|---|---|---|"]
    for rule in sorted(RULES, key=lambda one: one.code):
        link = f"[{rule.code}]({PAGES}/{rule.code}.md)"
        mark = " (preview)" if rule.preview else ""
        rows.append(f"| {link} | {rule.name}{mark} | {KINDS[rule.consequence]} | {first_sentence(rule)} |")
    return "\n".join(rows)


def first_sentence(rule: Rule) -> str:
    text = " ".join(rule.section("Fix safety").split())
    match = re.match(r"(.+?[\w`)])\.(?: |$)", text)
    return (match[1] if match else text).replace("|", r"\|")


def output(command: str) -> str:
    """What an `xlafix` command prints here, as a fenced block; the errors after the rest."""
    program, *arguments = shlex.split(command)
    if program != "xlafix":
        raise ValueError(f"only xlafix is run for the documentation, not {program}")
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-m", "codemods", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    if ran.returncode not in (0, 1):
        raise RuntimeError(f"`{command}` exited with {ran.returncode}:\n{ran.stderr}")
    return "\n".join(["```text", f"$ {command}", (ran.stdout + ran.stderr).rstrip("\n"), "```"])


def filled(readme: str, run: Callable[[str], str] = output) -> str:
    """README.md with its generated parts as they should be. Raises ValueError where a marker is missing."""

    def between(start: str, end: str, text: Callable[[re.Match[str]], str], whole: str) -> str:
        pattern = rf"(?ms)^(<!-- {start} -->)\n.*?^(<!-- {end} -->)$"
        if len(re.findall(rf"(?m)^<!-- {start} -->$", whole)) != len(re.findall(pattern, whole)):
            raise ValueError(f"a part that starts with `<!-- {start} -->` has no end")
        return re.sub(pattern, lambda m: f"{m[1]}\n{text(m)}\n{m[m.re.groups]}", whole)

    if "<!-- rules -->" not in readme:
        raise ValueError("there is no `<!-- rules -->`")
    readme = between("rules", "end of rules", lambda _: f"\n{table()}\n", readme)
    return between(r"output of ([^\n]+?)", "end of output", lambda m: run(m[2]), readme)


def wanted(root: Path) -> dict[Path, str | None]:
    """Path -> the text that should be there; None for a page that should not."""
    texts: dict[Path, str | None] = {root / PAGES / f"{rule.code}.md": page(rule) for rule in RULES}
    for there in (root / PAGES).glob("*.md"):
        texts.setdefault(there, None)
    readme = root / "README.md"
    texts[readme] = filled(readme.read_text("utf-8"))
    return texts


def stale(root: Path) -> dict[Path, str | None]:
    """The part of `wanted` that differs from what is there."""

    def now(path: Path) -> str | None:
        return path.read_text("utf-8") if path.exists() else None

    return {path: text for path, text in wanted(root).items() if now(path) != text}


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if anything is stale"
    )
    check = parser.parse_args(arguments).check
    changes = stale(root)
    for path, text in sorted(changes.items()):
        print(f"{'stale' if check else 'removed' if text is None else 'written'}: {path.relative_to(root)}")
        if check:
            continue
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    if check and changes:
        print("run: python scripts/document_rules.py")
    return 1 if check and changes else 0


if __name__ == "__main__":
    sys.exit(main())
