"""Kill `xlafix fix` at random moments: no file may ever be lost, half-written, or beyond `undo`.

    python scripts/kill_fix.py [--moments N] [--files N] [--seed N]

Works on a tree that it makes itself, in a temporary folder. Half of the moments are spread over the
whole run, half over the part that writes: from the appearance of the journal on. After each SIGKILL
every file holds what it held before or what `fix` makes of it; `xlafix undo` brings all of them back,
and leaves no temporary file. The exit status is 1 if one of these fails, and the output names it.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = (sys.executable, "-m", "codemods")

CASE = """\
import tensorflow as tf


@tf.function(jit_compile=True)
def gradient_{number}(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.TensorArray(tf.float32, size=3, dynamic_size=True)
        for i in tf.range(3):
            rows = rows.write(i, x[i] ** 2)
        loss = tf.reduce_sum(rows.stack())
    return tape.gradient(loss, x)
"""


class BrokenError(Exception):
    """What must hold after a kill, and does not."""


def start(tree: Path, *arguments: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    quiet = subprocess.DEVNULL
    return subprocess.Popen([*COMMAND, *arguments], cwd=tree, env=environment, stdout=quiet, stderr=quiet)


def run(tree: Path, *arguments: str) -> int:
    return start(tree, *arguments).wait()


def snapshot(tree: Path) -> dict[str, bytes]:
    """All files but those of the journal."""
    files = (path for path in tree.rglob("*") if path.is_file() and ".xlafix" not in path.parts)
    return {path.relative_to(tree).as_posix(): path.read_bytes() for path in files}


def runs(tree: Path) -> int:
    """How many entries the journal has."""
    journal = tree / ".xlafix" / "journal"
    return sum(path.name.isdecimal() for path in journal.iterdir()) if journal.is_dir() else 0


def kill(tree: Path, delay: float, writing: bool) -> str:
    """Kill a `fix` after `delay` seconds, counted from its start or (writing) from its journal entry."""
    known = runs(tree)
    process = start(tree, "fix", ".")
    if writing:
        while process.poll() is None and runs(tree) == known:
            time.sleep(0.0002)
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return "killed"
    return "finished"


def settle(tree: Path, before: dict[str, bytes], after: dict[str, bytes]) -> str:
    """Hold what must hold after a kill, and go back to the start. Raises BrokenError."""
    found = snapshot(tree)
    spare = {name for name in found if name not in before}
    if any(not Path(name).name.startswith(".xlafix-") for name in spare):
        raise BrokenError(f"files that nobody made: {sorted(spare)[:5]}")
    for name in before:
        if found.get(name) not in (before[name], after[name]):
            raise BrokenError(f"{name} is neither as before nor as after")
    changed = sum(found[name] != before[name] for name in before)
    if run(tree, "undo", "--list") != 0:
        raise BrokenError("the journal cannot be listed")
    status = run(tree, "undo")
    left = snapshot(tree)
    if left != before:
        odd = sorted(name for name in left.keys() | before.keys() if left.get(name) != before.get(name))
        raise BrokenError(f"undo ({status}) does not bring back the files: {odd[:5]}")
    if status != 0 and changed:
        raise BrokenError(f"undo fails with {status}")
    return "nothing" if not changed else "all" if changed == len(before) else "some"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moments", type=int, default=100, help="default: 100")
    parser.add_argument("--files", type=int, default=40, help="default: 40")
    parser.add_argument(
        "--seed", type=int, default=None, help="default: another one each time; it is printed"
    )
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else random.randrange(10**6)
    dice = random.Random(seed)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="xlafix-kill-") as name:
        tree = Path(name).resolve()
        for number in range(given.files):
            folder = tree / f"part{number % 4}"
            folder.mkdir(exist_ok=True)
            (folder / f"model{number}.py").write_text(CASE.format(number=number))
        before = snapshot(tree)
        begun = time.perf_counter()
        process = start(tree, "fix", ".")
        while process.poll() is None and not runs(tree):
            time.sleep(0.0002)
        written = time.perf_counter()
        process.wait()
        whole, tail = time.perf_counter() - begun, time.perf_counter() - written
        after = snapshot(tree)
        if sum(before[path] != after[path] for path in before) != given.files or run(tree, "undo") != 0:
            print("the tree was not fixed and undone without a kill")
            return 1
        print(f"seed {seed}: a run takes {whole:.2f} s, the writing {tail:.3f} s of it", flush=True)
        for moment in range(given.moments):
            writing = moment % 2 == 1
            try:
                ended = kill(tree, dice.uniform(0, tail if writing else whole), writing)
                counts[f"{ended}, {settle(tree, before, after)} written"] += 1
            except BrokenError as broken:
                print(f"FAILED at moment {moment}: {broken}")
                return 1
    print(*(f"{number:5} {what}" for what, number in sorted(counts.items())), sep="\n")
    print("all files were as before or as after, and undo brought them back")
    return 0


if __name__ == "__main__":
    sys.exit(main())
