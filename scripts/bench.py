"""Speed: whole processes, side by side, over the same files.

    python scripts/bench.py [--rounds N] [--package NAME] [--check]

Each round runs every contestant once, in an order that rotates from round to round, and reads the
user + system CPU time of the process and its children. Shown are the medians over the rounds and
the median of the ratios within a round, which hardly moves when the machine is busy. The files are
those of `scripts/corpus.py fetch`, in a copy outside of every work tree; a run before the first
round warms the page cache. The exit status is 0, or 1 with `--check` if a goal is missed.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / ".corpus"

FLOOR = """
import ast, os, sys, warnings
warnings.simplefilter("ignore")
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith(".py"):
            with open(os.path.join(folder, name), "rb") as file:
                try:
                    ast.parse(file.read())
                except (SyntaxError, ValueError):
                    pass
"""
NOOP_MODULE = """
from libcst.codemod import VisitorBasedCodemodCommand

class Noop(VisitorBasedCodemodCommand):
    DESCRIPTION = "Changes nothing."
"""
START, SAMPLE, NOOP = "libcst no-op, one empty file", "libcst no-op, sample", "libcst no-op"
STARTS = ("xlafix --version", "import click", START, SAMPLE)
# The default rules; one line a finding, as the default output spends much of its time on source frames.
RUFF = ("check", "--no-cache", "--output-format", "concise")


@dataclass(frozen=True)
class Ran:
    """What a finished process did. cpu: user + system seconds of it and its children; wall: seconds."""

    code: int
    cpu: float
    wall: float
    out: bytes = b""
    err: bytes = b""


def measured(
    command: Sequence[str],
    cwd: Path,
    env: Mapping[str, str] | None = None,
    limit: float = 3600,
    keep: bool = True,
) -> Ran:
    """Run `command` to its end, or kill its process group after `limit` seconds.

    Without `keep` the output goes to the null device, so that writing it costs as little as can be.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        targets = (out, err) if keep else (subprocess.DEVNULL, subprocess.DEVNULL)
        begun = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=targets[0],
            stderr=targets[1],
            start_new_session=True,
        )
        timer = threading.Timer(limit, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)  # counts the child and what it waited for itself
        finally:
            timer.cancel()
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Ran(process.returncode, usage.ru_utime + usage.ru_stime, wall, out.read(), err.read())


def python_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if path.is_file())


def count_lines(data: bytes) -> int:
    return data.count(b"\n") + (not data.endswith(b"\n") and data != b"")


@dataclass(frozen=True)
class Contestant:
    """A command, and the exit statuses with which it has done its work."""

    name: str
    command: Sequence[str]
    codes: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Goal:
    """`subject` may take at most `most` times the CPU time of `base`."""

    subject: str
    base: str
    most: float


GOALS = (
    Goal("xlafix check --scope all", "ast.parse", 2),
    Goal("xlafix check --scope compiled", "ruff check", 4),
    Goal("xlafix check --scope compiled", "libcst no-op", 1 / 30),
    Goal("xlafix check --scope all", "libcst no-op", 1 / 30),
    Goal("xlafix --version", "import click", 1.5),
)
EXTRA = (
    Goal("xlafix check --scope compiled", "ast.parse", float("inf")),
    Goal("xlafix check --scope all", "ruff check", float("inf")),
)


def wanted(package: Path, only: Sequence[str]) -> bool:
    return not only or package.name in only or package.name.rpartition("-")[0] in only


def race(contestants: Sequence[Contestant], rounds: int, cwd: Path) -> dict[str, list[tuple[float, float]]]:
    """(CPU, wall) seconds of each contestant, one pair a round; a failing one ends the benchmark."""
    times: dict[str, list[tuple[float, float]]] = {one.name: [] for one in contestants}
    for number in range(rounds):
        turn = number % len(contestants)
        for one in [*contestants[turn:], *contestants[:turn]]:
            ran = measured(one.command, cwd, keep=False)
            if ran.code not in one.codes:
                sys.exit(f"{one.name}: exit status {ran.code}: {' '.join(one.command)}")
            times[one.name].append((ran.cpu, ran.wall))
            print(f"round {number + 1}: {one.name}: {ran.cpu:.3f} CPU s", file=sys.stderr, flush=True)
    return times


def sample(files: Sequence[Path], lines: int) -> tuple[list[Path], int]:
    """Files spread evenly over the corpus that hold about `lines` lines, and how many they hold."""
    sizes = [count_lines(path.read_bytes()) for path in files]
    step = max(1, round(sum(sizes) / max(lines, 1)))
    return list(files[::step]), sum(sizes[::step])


def scaled(start: tuple[float, float], whole: tuple[float, float], factor: float) -> tuple[float, float]:
    """The times of a run over `factor` times as many lines; what it takes to start is not multiplied."""
    return (start[0] + (whole[0] - start[0]) * factor, start[1] + (whole[1] - start[1]) * factor)


def markdown(times: dict[str, list[tuple[float, float]]], thousands: float) -> str:
    rows = [
        "| process | CPU s, median | min - max | wall s, median | CPU ms per 1000 lines |",
        "|---|---|---|---|---|",
    ]
    for name, pairs in times.items():
        cpu = [pair[0] for pair in pairs]
        middle, wall = statistics.median(cpu), statistics.median(pair[1] for pair in pairs)
        each = f"{1000 * middle / thousands:.2f}" if name not in STARTS else ""
        rows.append(f"| {name} | {middle:.3f} | {min(cpu):.3f} - {max(cpu):.3f} | {wall:.3f} | {each} |")
    return "\n".join(rows)


def ratios(times: dict[str, list[tuple[float, float]]], goals: Sequence[Goal]) -> tuple[str, list[Goal]]:
    """The table of ratios, and the goals that were missed; goals on what did not run are left out."""
    rows, missed = (
        ["| CPU of | relative to | ratio, median | min - max | goal |", "|---|---|---|---|---|"],
        [],
    )
    for goal in goals:
        if goal.subject not in times or goal.base not in times:
            continue
        pairs = zip(times[goal.subject], times[goal.base], strict=True)
        values = [one[0] / other[0] for one, other in pairs]
        middle = statistics.median(values)
        if middle > goal.most:
            missed.append(goal)
        wanted = (
            f"at most {goal.most:.3g}{' **missed**' if goal in missed else ''}" if goal.most < 1e9 else ""
        )
        reach = f"{min(values):.3g} - {max(values):.3g}"
        rows.append(f"| {goal.subject} | {goal.base} | {middle:.3g} | {reach} | {wanted} |")
    return "\n".join(rows), missed


def conditions(files: int, lines: int, rounds: int, sampled: tuple[int, int]) -> str:
    names = ("xlafix", "ruff", "libcst", "click")
    versions = []
    for name in names:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return (
        f"Conditions: {os.cpu_count()} cores ({platform.machine()}), {platform.system()}, Python "
        f"{platform.python_version()}, {', '.join(versions)}; {files} files, {lines} lines; {rounds} rounds, "
        f"load {load}.\nlibcst no-op: a `VisitorBasedCodemodCommand` without methods, `-j 1 --no-format`, on "
        f"{sampled[0]} files, {sampled[1]} lines, evenly spread; all but its start is scaled to all lines."
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument(
        "--package", action="append", default=[], metavar="NAME", help="default: the whole corpus"
    )
    parser.add_argument(
        "--sample-lines", type=int, default=40_000, metavar="N", help="for libcst; default: 40000"
    )
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    given = parser.parse_args()
    python, scripts = sys.executable, Path(sys.executable).parent
    program = scripts / "xlafix"
    with tempfile.TemporaryDirectory(prefix="xlafix-bench-") as name:
        scratch = Path(name)
        tree = scratch / "tree"
        chosen_packages = [path for path in sorted(CORPUS.glob("[!.]*")) if wanted(path, given.package)]
        if not chosen_packages:
            sys.exit("no such package is fetched; run: python scripts/corpus.py fetch")
        for package in chosen_packages:
            shutil.copytree(package, tree / package.name)
        files = python_files(tree)
        lines = sum(count_lines(path.read_bytes()) for path in files)
        chosen, chosen_lines = sample(files, given.sample_lines)
        (scratch / "noop.py").write_text(NOOP_MODULE)
        (scratch / "floor.py").write_text(FLOOR)
        (scratch / "sample.txt").write_text("\n".join(map(str, chosen)) + "\n")
        (scratch / "empty.py").write_text("")
        libcst = [python, "-m", "libcst.tool", "codemod", "noop.Noop", "-x", "-j", "1", "--no-format"]
        libcst.append("--hide-progress")
        big = [
            Contestant("ruff check", [str(scripts / "ruff"), *RUFF, "tree"], (0, 1)),
            Contestant("ast.parse", [python, "floor.py", "tree"]),
            Contestant(START, [*libcst, "empty.py"]),
            Contestant(SAMPLE, [*libcst, "@sample.txt"], (0, 1)),  # 1: some file is not Python 3
        ]
        small = [Contestant("import click", [python, "-c", "import click"])]
        if program.exists():
            big += [
                Contestant(
                    f"xlafix check --scope {scope}", [str(program), "check", "--scope", scope, "tree"], (0, 1)
                )
                for scope in ("compiled", "all")
            ]
            small.append(Contestant("xlafix --version", [str(program), "--version"]))
        else:
            print(f"no {program}: install the project first; its rows are left out", file=sys.stderr)
        race(small, 1, scratch)
        measured(big[1].command, scratch, keep=False)
        if b"Finished codemodding" not in (tried := measured([*libcst, "@sample.txt"], scratch)).err:
            sys.exit(f"libcst did not run:\n{tried.err.decode(errors='replace')}")
        times = {**race(small, 10 * given.rounds, scratch), **race(big, given.rounds, scratch)}
        factor = lines / max(chosen_lines, 1)
        times[NOOP] = [scaled(*pair, factor) for pair in zip(times[START], times[SAMPLE], strict=True)]
        table, missed = ratios(times, [*GOALS, *EXTRA])
        print(markdown(times, lines / 1000), table, sep="\n\n")
        print(f"\n{conditions(len(files), lines, given.rounds, (len(chosen), chosen_lines))}")
    return 1 if given.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
