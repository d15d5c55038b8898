"""How good is the static answer to "which functions does XLA compile"? Measured against programs that run.

    python scripts/reach_oracle.py fetch                          packages and libraries into .oracle/
    python scripts/reach_oracle.py run [--again] [PROGRAM...]     run what has no record yet, and compare
    python scripts/reach_oracle.py misses --json FILE [PROGRAM...]  every missed function with its caller

`fetch` installs pinned packages with pip below .oracle/ (ignored by git; no virtual environment is
changed) and makes a copy of each measured package in which every plain `@tf.function` and `tf.function(`
asks for `jit_compile=True`, so that what runs and what is analysed have the same roots. `run` runs chosen
test files of the copy with `reach_hook.py`, a few in each process, and keeps what they traced under XLA in
.oracle/records/; with records, only the comparison is made. TensorFlow has to be installed.

TRUTH: the functions of a program that were traced under XLA from a root (a function given to a compiling
`tf.function`) that the analysis knows with certainty "yes". RECALL: the part of it that the analysis
reaches; "without roots": of the functions that are no root themselves, so that calls had to be followed;
"from roots that ran": reached, moreover, from a root that was traced in these runs, not only from another
one. What is not, is a miss. Missing calls: misses with a caller that is none; the others are behind these.

PRECISION: of the functions that the analysis reaches from a root that was traced, and that were executed
at all in these runs (eagerly, or in any graph), the part that was traced under XLA. A root that did not run
does not count, nor does a function that never ran: nobody knows whether XLA would compile it. "near": only
those that are called, says the analysis, by a function that was traced: the first wrong step, not what
follows from it. A call that is right, but in a branch that these runs did not take, still counts as wrong,
so both are lower bounds.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from bench import ROOT, measured, python_files
from reach_compare import HEADINGS, NEW, Comparison, Json, analysed, causes, classes, compare
from reach_programs import EXAMPLES, LIBRARIES, PROGRAMS, Program

ORACLE = ROOT / ".oracle"
SITE, BASE, PROJECTS, RECORDS = (ORACLE / name for name in ("site", "base", "projects", "records"))
HOOK = Path(__file__).resolve().with_name("reach_hook.py")
TENSORFLOW_NAMES = ("tf", "tf2", "tensorflow")
ASKS = b"jit_compile=True"
BATCH = 5  # test files in one process: TensorFlow takes ten seconds to start below a profile hook
GRACE = 60  # seconds between the hook's own time limit and ours
PYTEST = (
    "-q",
    "--no-header",
    "--continue-on-collection-errors",
    "-p",
    "no:cacheprovider",
    "-W",
    "ignore",
    "-c",
    os.devnull,
)


# the copies


def _is_function(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "function"
        and isinstance(node.value, ast.Name)
        and node.value.id in TENSORFLOW_NAMES
    )


def _insertions(tree: ast.AST, data: bytes) -> Iterator[tuple[int, bytes]]:
    """(offset, text) that make each plain `tf.function` ask for XLA."""
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def end(node: ast.expr | ast.keyword) -> int:
        return starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)

    for node in ast.walk(tree):
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        for decorator in decorators:
            if _is_function(decorator):
                yield end(decorator), b"(" + ASKS + b")"
        if isinstance(node, ast.Call) and _is_function(node.func):
            given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
            if any(kw.arg in ("jit_compile", "experimental_compile") for kw in node.keywords):
                continue
            if not given:
                yield end(node) - 1, ASKS
                continue
            last = max(end(argument) for argument in given)
            yield last + data[last : end(node) - 1].rfind(b")") + 1, b", " + ASKS


def asking(data: bytes) -> tuple[bytes, int]:
    """A file in which every plain `tf.function` asks for XLA, and how many were changed."""
    try:
        insertions = sorted(set(_insertions(ast.parse(data), data)), reverse=True)
        changed = data
        for offset, text in insertions:
            changed = changed[:offset] + text + changed[offset:]
        ast.parse(changed)
    except (SyntaxError, ValueError):
        return data, 0
    return changed, len(insertions)


def copy(program: Program) -> None:
    """Make the project that is run and analysed, and say how many roots were added."""
    target, changed = PROJECTS / program.name, 0
    shutil.rmtree(target, ignore_errors=True)
    source = BASE / program.name if program.pin else ROOT / EXAMPLES
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.dist-info", "bin"))
    for folder in program.drop:
        shutil.rmtree(target / folder)
    for name, text in program.added:
        (target / name).write_text(text)
    files = python_files(target)
    for path in files if program.pin else ():
        data, count = asking(path.read_bytes())
        changed += count
        if count:
            path.write_bytes(data)
    print(f"{program.name}: {len(files)} files, jit_compile=True added in {changed} places", flush=True)


def fetch() -> int:
    """Install what is missing, and make the copies afresh."""
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--no-deps"]
    failed = []
    wanted = [(SITE, LIBRARIES), *((BASE / p.name, (p.pin,)) for p in PROGRAMS if p.pin)]
    for target, pins in wanted:
        if target.is_dir():
            continue
        scratch = target.with_name(f".{target.name}")
        shutil.rmtree(scratch, ignore_errors=True)
        ran = measured([*pip, "--no-compile", "--target", str(scratch), *pins], ROOT)
        if ran.code:
            print(f"{' '.join(pins)}: pip failed\n{ran.err.decode(errors='replace')}", file=sys.stderr)
            failed.append(target)
        else:
            scratch.rename(target)
    for program in PROGRAMS:
        if not program.pin or (BASE / program.name).is_dir():
            copy(program)
    return 1 if failed else 0


# the runs


def runs(program: Program) -> Iterator[tuple[str, int, list[str]]]:
    """(name, limit in seconds, arguments of the hook) of each process."""
    project = PROJECTS / program.name
    for start in range(0, len(program.tests), BATCH):
        tests = program.tests[start : start + BATCH]
        arguments = ["pytest", *PYTEST, "--rootdir", str(project), *tests]
        yield " ".join(tests), program.seconds * len(tests), arguments
    for call in program.calls:
        yield " ".join(call), program.seconds, ["script", str(project / call[0]), *call[1:]]


def record(program: Program) -> list[Json]:
    """Run everything of a program; what cannot run is part of the record."""
    project, scratch = PROJECTS / program.name, ORACLE / f"run-{program.name}.json"
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(project), str(SITE)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TF_USE_LEGACY_KERAS": "1",  # what these packages were written for
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "-1",
    }
    found = []
    for name, seconds, arguments in runs(program):
        scratch.unlink(missing_ok=True)
        command = [sys.executable, str(HOOK), str(scratch), str(project), str(seconds), *arguments]
        ran = measured(command, project, env, limit=seconds + GRACE)
        lines = (ran.out + b"\n" + ran.err).decode(errors="replace").strip().splitlines()
        row: Json = {"status": "no record", "tests": {}, "roots": [], "traced": [], "executed": []}
        if scratch.exists():
            row = json.loads(scratch.read_text())
        row.update(run=name, code=ran.code, wall=round(ran.wall, 1), tail=lines[-12:])
        found.append(row)
        tests = ", ".join(f"{count} {word}" for word, count in sorted(row["tests"].items()))
        what = f"{row['status']}, {len(row['traced'])} traced; {tests or f'exit status {ran.code}'}"
        print(f"  {name}: {ran.wall:.0f} s, {what}", flush=True)
    return found


def records(program: Program, again: bool) -> list[Json]:
    path = RECORDS / f"{program.name}.json"
    if again or not path.exists():
        RECORDS.mkdir(parents=True, exist_ok=True)
        print(f"running {program.name}", flush=True)
        path.write_text(json.dumps(record(program)))
    rows: list[Json] = json.loads(path.read_text())
    return rows


def compared(chosen: Sequence[Program], again: bool) -> list[Comparison]:
    found = []
    for program in chosen:
        rows = records(program, again)
        broken = [row for row in rows if not row["traced"]]
        for row in broken:
            error = row.get("error") or next((line for line in reversed(row["tail"]) if "Error" in line), "")
            print(f"nothing traced: {program.name} {row['run']}: {row['status']} {error[:200]}")
        if len(broken) < len(rows):
            found.append(compare(program.name, rows, analysed(PROJECTS / program.name)))
    return found


# what is printed


def table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(f"| {line} |" for line in [lines[0], " | ".join("-" * w for w in widths), *lines[1:]])


def run(chosen: Sequence[Program], again: bool) -> int:
    found = compared(chosen, again)
    print("", table([HEADINGS, *(one.row() for one in found)]), "", sep="\n")
    show_misses(found)
    return 0


def show_misses(found: Sequence[Comparison]) -> None:
    """Missing calls by class, with what is behind them, and where the table does not agree."""
    known = classes()
    calls: Counter[str] = Counter()
    behind: Counter[str] = Counter()
    there = set()
    for one in found:
        for miss, cause in causes(one.misses).items():
            kind = known.get(cause.key, NEW) if cause is not None else "not seen behind which"
            (calls if cause is miss else behind)[kind] += 1
            if cause is miss:
                there.add(miss.key)
                if kind == NEW:
                    print(f"{NEW}: {' '.join(miss.key)} ({miss.caller_path}:{miss.caller_line})")
    names = {one.program for one in found}
    stale = sorted(" ".join(key) for key in known.keys() - there if key[0] in names)
    if stale:
        print(f"{len(stale)} in the table, but no missing calls now; the first:", *stale[:5], sep="\n  ")
    rows = [(kind, str(calls[kind]), str(behind[kind])) for kind, _ in (calls + behind).most_common()]
    print("", table([("class of missing call", "calls", "functions behind them"), *rows]), sep="\n")


def misses(chosen: Sequence[Program], target: Path) -> int:
    known = classes()
    payload: Json = {}
    for one in compared(chosen, again=False):
        rows = []
        for miss, cause in causes(one.misses).items():
            kind = known.get(cause.key, NEW) if cause is not None else ""
            rows.append({**asdict(miss), "cause": cause.name if cause is not None else "", "class": kind})
        payload[one.program] = {
            "misses": rows,
            "roots that the analysis does not know": one.lost_roots,
            "reached near a traced function, executed, not traced": [f.qualname for f in one.wrong],
        }
    target.write_text(json.dumps(payload, indent=1) + "\n")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fetch")
    for name in ("run", "misses"):
        command = commands.add_parser(name)
        command.add_argument("program", nargs="*", metavar="PROGRAM", help="default: all")
        if name == "run":
            command.add_argument("--again", action="store_true", help="run what has a record, too")
        else:
            command.add_argument("--json", type=Path, required=True, metavar="FILE")
    given = parser.parse_args()
    if given.command == "fetch":
        return fetch()
    chosen = [p for p in PROGRAMS if not given.program or p.name in given.program]
    missing = [p.name for p in chosen if not (PROJECTS / p.name).is_dir()]
    if missing or not chosen:
        sys.exit(
            f"not fetched: {', '.join(missing) or given.program}; run: python scripts/reach_oracle.py fetch"
        )
    if given.command == "run":
        return run(chosen, given.again)
    return misses(chosen, given.json)


if __name__ == "__main__":
    sys.exit(main())
