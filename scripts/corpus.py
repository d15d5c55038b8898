"""Real code: a pinned corpus of published packages, and what must hold when xlafix meets it.

    python scripts/corpus.py fetch                  download and unpack into .corpus/ (ignored by git)
    python scripts/corpus.py run [--unsafe]         check and fix copies, in both scopes
    python scripts/corpus.py findings --json FILE   every finding with its source, for judging

`run` leaves the corpus as it is and works on copies. It asserts, for each package and scope:
no crash; `check` writes nothing; the findings are the same with and without the trigger filter;
after `fix` every changed file parses, only lines that a fix of `check` names have changed, and a
second run changes nothing. The exit status is 1 if one of these fails, and the output names it.

Nothing of the packages is ever installed, imported or run: they are wheels, read as archives.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import io
import json
import os
import re
import shutil
import sys
import tempfile
import time
import tokenize
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import CORPUS, ROOT, Ran, count_lines, measured, python_files

PINS = Path(__file__).resolve().with_name("corpus.txt")
SCOPES = ("compiled", "all")
LEAST_PACKAGES, LEAST_LINES = 20, 2_000_000
# What xlafix may say about its input. Any other XLA0 code says that xlafix itself is at fault.
ABOUT_INPUT = ("XLA001", "XLA002")
# One interpreter and one platform for the choice of wheels, so that every machine gets the same files.
WHEEL = ("--implementation", "cp", "--python-version", "3.11", "--platform", "manylinux2014_x86_64")

MODES = (("fix",), ("fix", "--unsafe-fixes"))
SAFETIES = ("safe", "unsafe", "manual")
FINDINGS = "diagnostics"  # the key of the list of findings in the JSON of check
FINDING_KEYS = ("line", "column", "code", "consequence", "message", "fingerprint", "chains")

Json = dict[str, Any]


def pins() -> dict[str, str]:
    """Folder name ("flax-0.8.5") to line of the pinned list, in its order."""
    lines = [line.split("#")[0].strip() for line in PINS.read_text().splitlines()]
    return {line.split()[0].replace("==", "-"): line for line in lines if line}


def packages(only: Sequence[str]) -> list[Path]:
    """The fetched packages, all of them or those whose name (with or without version) is in `only`."""
    names = [name for name in pins() if not only or name in only or name.rpartition("-")[0] in only]
    missing = [name for name in names if not (CORPUS / name).is_dir()]
    if missing or not names:
        sys.exit(f"not fetched: {', '.join(missing or only)}; run: python scripts/corpus.py fetch")
    return [CORPUS / name for name in names]


def unpack(wheel: Path, target: Path) -> None:
    """The .py files of `wheel` as `target`, which appears only when it is complete."""
    CORPUS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CORPUS, prefix=".unpack-") as scratch:
        with zipfile.ZipFile(wheel) as archive:  # extractall drops what would leave the folder
            names = [name for name in archive.namelist() if name.endswith(".py")]
            archive.extractall(Path(scratch, "tree"), names)
        Path(scratch, "tree").rename(target)


def fetch() -> int:
    """Fetch what is missing, one download at a time, and print the size of the corpus."""
    pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--quiet", "--no-deps"]
    flags = [*WHEEL, "--only-binary=:all:", "--ignore-requires-python", "--require-hashes"]
    failed = []
    for name, line in pins().items():
        if (CORPUS / name).is_dir():
            continue
        with tempfile.TemporaryDirectory() as scratch:
            Path(scratch, "pin.txt").write_text(line + "\n")  # a digest is taken from a file only
            ran = measured([*pip, *flags, "-d", scratch, "-r", "pin.txt"], Path(scratch))
            wheels = list(Path(scratch).glob("*.whl"))
            if ran.code or len(wheels) != 1:
                print(f"{name}: pip failed ({ran.code})\n{ran.err.decode(errors='replace')}", file=sys.stderr)
                failed.append(name)
                continue
            unpack(wheels[0], CORPUS / name)
        print(f"fetched {name}", flush=True)
    files = lines = there = 0
    for name in pins():
        sizes = [count_lines(path.read_bytes()) for path in python_files(CORPUS / name)]
        there += bool(sizes)
        files, lines = files + len(sizes), lines + sum(sizes)
        print(f"{name:32} {len(sizes):6} files {sum(sizes):9} lines")
    print(f"{there} packages, {files} files, {lines} lines in {CORPUS}")
    if there < LEAST_PACKAGES or lines < LEAST_LINES:
        failed.append(f"the corpus is too small: {LEAST_PACKAGES} packages, {LEAST_LINES} lines are wanted")
    print(*(f"FAILED {what}" for what in failed), sep="\n")
    return 1 if failed else 0


class BrokenError(Exception):
    """An assertion about one run that does not hold; the text says which and where."""


def xlafix(arguments: Sequence[str], cwd: Path, unfiltered: bool = False) -> Ran:
    """Run this checkout's xlafix in `cwd`; raises BrokenError if it did not end as a tool should."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **({"XLAFIX_NO_FILTER": "1"} if unfiltered else {})}
    ran = measured([sys.executable, "-m", "codemods", *arguments], cwd, env)
    if ran.code not in (0, 1) or b"Traceback (most recent call last)" in ran.err:
        tail = ran.err.decode(errors="replace")[-2000:]
        raise BrokenError(f"no crash: `xlafix {' '.join(arguments)}` exited with {ran.code}\n{tail}")
    return ran


def check(cwd: Path, scope: str, unfiltered: bool = False) -> tuple[Json, Ran]:
    """The JSON of `xlafix check` over `cwd`, and the run; raises BrokenError on a fault of xlafix itself."""
    arguments = ["check", "--output-format", "json", "--statistics", "--scope", scope, "."]
    ran = xlafix(arguments, cwd, unfiltered)
    try:
        payload: Json = json.loads(ran.out)
    except ValueError as error:
        raise BrokenError(f"no crash: the output of check is not JSON: {error}") from error
    if (seen := payload["stats"]["files"]) != (there := len(python_files(cwd))):
        raise BrokenError(f"every file is examined: {seen} of {there}")
    for row in payload[FINDINGS]:
        if row["code"].startswith("XLA0") and row["code"] not in ABOUT_INPUT:
            raise BrokenError(f"no crash: {row['path']}:{row.get('line')} {row['code']} {row['message']}")
    return payload, ran


def edits_of(node: object) -> Iterator[Json]:
    """Every edit in a piece of the JSON: of a fix, and of what it needs."""
    if isinstance(node, dict):
        if {"path", "start", "end", "text"} <= node.keys():
            yield node
            return
        node = list(node.values())
    if isinstance(node, list):
        for value in node:
            yield from edits_of(value)


def relative(path: str, cwd: Path) -> str:
    return os.path.relpath(cwd / path, cwd)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in python_files(folder)}


def parses(data: bytes) -> str:
    """Why `data` is not a Python file, or ""."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return repr(error)
    return ""


def decode(data: bytes) -> tuple[str, str]:
    """(text without a byte order mark, name of the encoding), as Python reads a source file."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding), encoding


def outside_kept(before: bytes, after: bytes, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether all lines that no span (code points of the text) touches stand in `after`, in order.

    Not a diff, which may align equal lines otherwise than the edits did: the untouched pieces are
    searched one after another, the first at the start, the last at the end.
    """
    (text, encoding), (changed, now) = decode(before), decode(after)
    pieces, position = [], 0
    for start, end in sorted(spans):
        first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        newline = re.compile(r"\r\n|\r|\n|\Z").search(text, max(start, end - 1))
        if first >= position:
            pieces.append(text[position:first])
        position = max(position, newline.end() if newline else len(text))
    if not pieces or encoding != now:
        return before == after
    tail = text[position:]
    stop, position = len(changed) - len(tail), len(pieces[0])
    if stop < position or not changed.startswith(pieces[0]) or not changed.endswith(tail):
        return False
    for piece in pieces[1:]:
        if (found := changed.find(piece, position, stop)) < 0:
            return False
        position = found + len(piece)
    return True


def same_findings(filtered: Json, unfiltered: Json) -> None:
    """Raises BrokenError unless both runs of check found the same."""
    found = [Counter(json.dumps(row, sort_keys=True) for row in p[FINDINGS]) for p in (filtered, unfiltered)]
    lost, more = list((found[1] - found[0]).elements()), list((found[0] - found[1]).elements())
    if lost or more:
        shown = "\n".join(text[:300] for text in [*lost[:5], *more[:5]])
        counts = f"{len(lost)} only without it, {len(more)} only with it"
        raise BrokenError(f"same findings without the trigger filter: {counts}\n{shown}")


def fix_holds(pristine: Path, tree: Path, scope: str, mode: Sequence[str], payload: Json) -> int:
    """Fix the copy `tree`, hold the assertions (raises BrokenError); the number of changed files."""
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(pristine, tree)
    arguments = [*mode, "--scope", scope, "."]
    before = snapshot(tree)
    xlafix(arguments, tree)
    after = snapshot(tree)
    if before.keys() != after.keys():
        raise BrokenError(f"no file appears or goes: {sorted(before.keys() ^ after.keys())[:5]}")
    allowed = SAFETIES[: len(mode)]
    spans: dict[str, list[tuple[int, int]]] = {}
    for row in payload[FINDINGS]:
        for edit in edits_of([fix for fix in row["fixes"] if fix["safety"] in allowed]):
            spans.setdefault(relative(edit["path"], pristine), []).append((edit["start"], edit["end"]))
    changed = [path for path in before if before[path] != after[path]]
    for path in changed:
        if why := parses(after[path]):
            raise BrokenError(f"every result parses: {path}: {why}")
        if not outside_kept(before[path], after[path], spans.get(path, [])):
            shown = diff(path, *(decode(data)[0] for data in (before[path], after[path])))
            raise BrokenError(f"other lines are kept: {path}\n{shown[:3000]}")
    xlafix(arguments, tree)
    if moved := [path for path, data in snapshot(tree).items() if data != after.get(path)]:
        raise BrokenError(f"a second run changes nothing: {', '.join(moved[:5])}")
    return len(changed)


def diff(path: str, before: str, after: str) -> str:
    """For people only: it does not show how the lines end."""
    one, other = (re.split(r"\r\n|\r|\n", text) for text in (before, after))
    return "\n".join(difflib.unified_diff(one, other, path, path, lineterm=""))


@dataclass
class Totals:
    """What `run` adds up for one scope."""

    cpu: float = 0.0
    lines: int = 0
    files: int = 0
    changed: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    tiers: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    unparsed: list[tuple[str, str]] = field(default_factory=list)

    def add(self, package: str, payload: Json, cpu: float) -> None:
        stats = payload["stats"]
        self.cpu += cpu
        self.lines += stats["lines"]
        self.files += stats["files"]
        self.tiers.update(stats["tiers"])
        slow = [(seconds, f"{package}/{path}") for path, seconds in stats["slowest"]]
        self.slowest = sorted([*self.slowest, *slow], reverse=True)[:10]
        self.unparsed += [(f"{package}/{path}", why) for path, why in stats["unparsed"]]
        for row in payload[FINDINGS]:
            best = min((fix["safety"] for fix in row["fixes"]), key=SAFETIES.index, default="none")
            self.rules[f"{row['code']} {row['consequence']}, best fix: {best}"] += 1

    def show(self, scope: str) -> None:
        each = 1000 * self.cpu / max(self.lines, 1)
        print(f"\n== scope {scope}: {self.files} files, {self.lines} lines")
        print(f"check: {self.cpu:.1f} CPU s, {each:.4f} CPU s per thousand lines")
        tables = {"findings": self.rules, "files per tier": self.tiers, "changed files": self.changed}
        for title, counts in tables.items():
            print(f"{title}:", *(f"  {count:7} {key}" for key, count in sorted(counts.items())), sep="\n")
        print("slowest files:", *(f"  {seconds:7.3f} s {path}" for seconds, path in self.slowest), sep="\n")
        print(
            f"not parsed: {len(self.unparsed)}",
            *(f"  {path}: {why}" for path, why in self.unparsed),
            sep="\n",
        )


def run_package(package: Path, scope: str, modes: Sequence[Sequence[str]], totals: Totals) -> list[str]:
    """All assertions of one package in one scope; the texts of those that fail."""
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name).resolve()
        tree = scratch / package.name
        shutil.copytree(package, tree)
        before = snapshot(tree)
        try:
            payload, ran = check(tree, scope)
        except BrokenError as broken:
            return [str(broken)]  # without findings there is nothing to compare
        totals.add(package.name, payload, ran.cpu)
        if snapshot(tree) != before:
            failures.append("check writes nothing")
        try:
            same_findings(payload, check(tree, scope, unfiltered=True)[0])
        except BrokenError as broken:
            failures.append(str(broken))
        for mode in modes:
            try:
                totals.changed[" ".join(mode)] += fix_holds(tree, scratch / "fixed", scope, mode, payload)
            except BrokenError as broken:
                failures.append(f"{' '.join(mode)}: {broken}")
    return failures


def run(only: Sequence[str], scopes: Sequence[str], unsafe: bool) -> int:
    totals = {scope: Totals() for scope in scopes}
    failures: list[str] = []
    for package in packages(only):
        for scope in scopes:
            begun = time.perf_counter()
            broken = run_package(package, scope, MODES[: 1 + unsafe], totals[scope])
            took = time.perf_counter() - begun
            print(f"{package.name:32} {scope:9} {len(broken)} failed ({took:.1f} s)", flush=True)
            failures += [f"{package.name}, scope {scope}: {text}" for text in broken]
    for scope in scopes:
        totals[scope].show(scope)
    print(*(f"\nFAILED {text}" for text in failures), sep="")
    print(f"{len(failures)} assertions failed" if failures else "all assertions hold")
    return 1 if failures else 0


def around(text: str, line: int, reach: int = 8) -> str:
    lines = re.split(r"\r\n|\r|\n", text)
    rows = list(enumerate(lines, 1))[max(0, line - reach - 1) : line + reach]
    return "\n".join(f"{'>' if number == line else ' '}{number:6} {row}" for number, row in rows)


def fixed_text(path: str, text: str, fix: Json, cwd: Path) -> str:
    """`text` of `path` with the edits of one fix. Equal edits count once."""
    mine = {(e["start"], e["end"], e["text"]) for e in edits_of(fix) if relative(e["path"], cwd) == path}
    for start, end, new in sorted(mine, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def finding_rows(package: Path, scope: str) -> Iterator[Json]:
    """One row per finding of `check` in one package and scope, with what a judge must see."""
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch).resolve() / package.name
        shutil.copytree(package, tree)
        name, _, version = package.name.rpartition("-")
        origin = {"package": name, "version": version, "scope": scope}
        for row in check(tree, scope)[0][FINDINGS]:
            path, text = relative(row["path"], tree), ""
            with contextlib.suppress(SyntaxError, ValueError, OSError):  # the finding says that it is so
                text = decode((tree / path).read_bytes())[0]
            first = row["fixes"][0] if row["fixes"] else {}
            yield {
                **origin,
                "path": path,
                **{key: row.get(key) for key in FINDING_KEYS},
                **{key: first.get(key) for key in ("safety", "key", "note")},
                "reason": row.get("unavailable") or None,
                "source": around(text, row.get("line") or 1),
                "diff": diff(path, text, fixed_text(path, text, first, tree)) or None,
            }


def write_findings(only: Sequence[str], scopes: Sequence[str], target: Path) -> int:
    rows = [row for package in packages(only) for scope in scopes for row in finding_rows(package, scope)]
    target.write_text(json.dumps(rows, indent=1) + "\n")
    print(f"{len(rows)} findings in {target}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fetch", help="download and unpack the pinned packages")
    runs = commands.add_parser("run", help="hold the assertions over copies")
    lists = commands.add_parser("findings", help="write all findings, for judging")
    for command in (runs, lists):
        command.add_argument("--scope", choices=SCOPES, action="append", help="default: both")
        command.add_argument("--package", action="append", default=[], metavar="NAME", help="default: all")
    runs.add_argument("--unsafe", action="store_true", help="also fix with --unsafe-fixes")
    lists.add_argument("--json", type=Path, required=True, metavar="FILE")
    given = parser.parse_args()
    if given.command == "fetch":
        return fetch()
    if given.command == "run":
        return run(given.package, given.scope or SCOPES, given.unsafe)
    return write_findings(given.package, given.scope or SCOPES, given.json)


if __name__ == "__main__":
    sys.exit(main())
