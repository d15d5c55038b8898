"""The golden cases on disk: what they consist of, and what they say about themselves.

`tests/golden/README.md` describes the format for people.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from harness_compiler import Program

from codemods import registry

GOLDEN = Path(__file__).with_name("golden")
ROOT = GOLDEN.parent.parent
LINE_END = re.compile(r"\r\n|\n|\r")
WANT = re.compile(r"#\s*want:\s*(XLA\d{3})[ \t]*([^#\r\n]*)")

Kind = Literal["fix", "skip", "report"]


@dataclass(frozen=True)
class Facts:
    """The constants of a case, in lower case."""

    entry: str = ""
    safety: str = "safe"  # safe | unsafe | manual: what `fix` needs in order to repair the whole case
    before: str = "runs"  # runs | error | wrong | abort: what the input does under XLA
    error: str = ""  # regular expression for the message of that error
    reference: str = "graph"  # graph | eager: how the input runs right without XLA
    reason: str = ""  # report: regular expression for the reason why there is no fix
    weaken: tuple[tuple[str, ...], ...] = ()  # replacements in the golden that must break it
    stages: tuple[str, ...] = ()  # rules that are also applied alone
    oracle: str = "numeric"  # numeric | random | streams: what "right" means
    reseed: tuple[str, ...] = ()  # not numeric: the replacement in the input that changes the seed
    modes: tuple[str, ...] = ("graph", "eager")  # in which a SAFE golden must equal the input
    devices: int = 1  # logical CPU devices that the case sees
    jax: str = "0.10.2"  # the JAX that the case is for, and is compiled with
    choose: tuple[str, str] = ("", "")  # rule and key of an alternative: the golden is what choosing it gives

    @property
    def draws(self) -> bool:
        """Are the results random numbers?"""
        return self.oracle != "numeric"


@dataclass(frozen=True)
class Want:
    """A line that must be reported."""

    path: str
    line: int
    code: str
    pattern: str


@dataclass(frozen=True)
class Case:
    """One golden case.

    top: the file, or the directory of a project. files: the input, relative POSIX path -> bytes;
    fixed: the same after the fix (equal to `files` for skip and report).
    wrong: plausible bad trees that the compiler must refute (projects only), by name.
    """

    rule: str
    name: str
    kind: Kind
    top: Path
    files: Mapping[str, bytes]
    fixed: Mapping[str, bytes]
    facts: Facts
    wrong: Mapping[str, Mapping[str, bytes]]

    @property
    def id(self) -> str:
        return f"{self.rule}/{self.name}"

    @property
    def is_project(self) -> bool:
        return self.top.is_dir()

    @property
    def framework(self) -> str:
        """Whose rule it is about."""
        rule = registry.by_code(self.rule)
        return rule.framework if rule is not None else "tensorflow"

    @property
    def is_preview(self) -> bool:
        """Is it about a rule that is off unless asked for?"""
        rule = registry.by_code(self.rule)
        return rule is not None and rule.preview

    def program(self, files: Mapping[str, bytes]) -> Program:
        """The case with other files (the fixed ones, weakened ones) as something to run."""
        if self.is_project:
            return Program(files, self.facts.entry, str(self.top / "case.py"), self.facts.devices)
        return Program(files, f"{self.top.stem}:{self.facts.entry}", devices=self.facts.devices)

    @property
    def reseeded(self) -> Mapping[str, bytes] | None:
        """The input with another seed."""
        return self._replaced(self.files, self.facts.reseed) if self.facts.reseed else None

    @property
    def weak_labels(self) -> list[str]:
        """Names of the weakened goldens: replacements of WEAKEN, and the trees in `wrong/`."""
        return [f"{one[-2]} -> {one[-1]}" for one in self.facts.weaken] + list(self.wrong)

    def weakened(self, label: str, fixed: Mapping[str, bytes] | None = None) -> Mapping[str, bytes]:
        """The files of a weakened golden; AssertionError where the text to replace is not there once.

        fixed: another golden, that of another seed.
        """
        if label in self.wrong:
            tree = self.wrong[label]
            return tree if fixed is None else self._replaced(tree, self.facts.reseed)
        replacement = self.facts.weaken[self.weak_labels.index(label)]
        return self._replaced(fixed or self.fixed, replacement)

    def _replaced(self, files: Mapping[str, bytes], replacement: tuple[str, ...]) -> Mapping[str, bytes]:
        """Files with one text replaced: (old, new), in a project (file, old, new)."""
        *where, old, new = replacement
        path = where[0] if where else next(iter(files))
        # the replacement stands in the same file, below the code that it speaks of
        code, footer = split_footer(files[path].decode("utf-8"))
        count = code.count(old)
        assert count == 1, f"{self.id}: the text {old!r} stands {count} times in {path}"
        return {**files, path: (code.replace(old, new) + footer).encode("utf-8")}


def split_footer(text: str) -> tuple[str, str]:
    """The code of a case and what is about the case, which starts at its ENTRY."""
    at = text.find("\nENTRY =")
    return (text, "") if at < 0 else (text[:at], text[at:])


def read_facts(text: str, name: str) -> Facts:
    known = {field.name for field in fields(Facts)}
    values: dict[str, Any] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            key = node.targets[0].id.lower()
            if key in known and node.targets[0].id.isupper():
                values[key] = ast.literal_eval(node.value)
    values["weaken"] = tuple(tuple(one) for one in values.get("weaken", ()))
    for key in ("stages", "modes", "choose", "reseed"):
        if key in values:
            values[key] = tuple(values[key])
    facts = Facts(**values)
    assert facts.entry, f"{name}: no ENTRY"
    assert facts.safety in ("safe", "unsafe", "manual"), f"{name}: SAFETY"
    assert (facts.safety == "manual") == bool(facts.choose[0]), f"{name}: SAFETY manual goes with CHOOSE"
    assert facts.oracle in ("numeric", "random", "streams"), f"{name}: ORACLE"
    assert facts.before in ("runs", "error", "wrong", "abort"), f"{name}: BEFORE"
    return facts


def lines_of(text: str) -> list[str]:
    return LINE_END.split(text)


def wants(files: Mapping[str, bytes]) -> list[Want]:
    """All `# want:` comments. Alone on its line, such a comment speaks of the next line of code."""
    found = []
    for path, data in sorted(files.items()):
        lines = lines_of(data.decode("utf-8-sig"))
        for number, line in enumerate(lines, 1):
            for match in WANT.finditer(line):
                target = number
                while lines[target - 1].lstrip().startswith("#"):
                    target += 1
                found.append(Want(path, target, match[1], match[2].strip()))
    return found


def read_tree(top: Path) -> dict[str, bytes]:
    """The files of a project, without what is only about it."""
    files = {}
    for path in sorted(top.rglob("*")):
        relative = path.relative_to(top)
        outside = relative.parts[0] in ("case.py", "fixed", "wrong") or "__pycache__" in relative.parts
        if path.is_file() and not outside:
            files[relative.as_posix()] = path.read_bytes()
    return files


def read_project(rule: str, top: Path) -> Case:
    files = read_tree(top)
    fixed = {**files, **read_tree(top / "fixed")} if (top / "fixed").is_dir() else files
    wrong = {one.name: {**files, **read_tree(one)} for one in sorted(top.glob("wrong/*"))}
    kind: Kind = "fix" if fixed is not files else "report" if wants(files) else "skip"
    facts = read_facts((top / "case.py").read_text("utf-8"), top.name)
    return Case(rule, top.name, kind, top, files, fixed, facts, wrong)


def read_file(rule: str, path: Path) -> Case:
    name = path.stem
    kind: Kind = "skip" if name.startswith("skip_") else "report" if name.startswith("report_") else "fix"
    data = path.read_bytes()
    golden = path.with_name(f"{name}.golden.py")
    assert golden.exists() == (kind == "fix"), f"{rule}/{name}: golden and kind ({kind}) disagree"
    fixed = golden.read_bytes() if kind == "fix" else data
    facts = read_facts(data.decode("utf-8"), name)
    return Case(rule, name, kind, path, {path.name: data}, {path.name: fixed}, facts, {})


def discover(top: Path = GOLDEN) -> list[Case]:
    """All cases below `top` (tests/golden), sorted by rule and name."""
    cases = []
    for folder in sorted(one for one in top.iterdir() if one.is_dir()):
        for path in sorted(folder.iterdir()):
            if path.name.startswith("project_") and path.is_dir():
                cases.append(read_project(folder.name, path))
            elif path.suffix == ".py" and not path.name.endswith(".golden.py"):
                cases.append(read_file(folder.name, path))
    return cases
