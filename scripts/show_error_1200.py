"""Show OpenXLA error 1200 on a machine without a TPU: the error, the repair, and the compile after it.

    python scripts/show_error_1200.py [--jax VERSION]

The real TPU compiler (libtpu) compiles `examples/jax/train.py` for a described topology. It is installed with
pip below `.jax/`, once. Exit status 0 if the example failed with error 1200 before the fix and compiles
after it.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from harness import run_engine
from harness_cases import ROOT
from harness_compiler import Outcome, Program
from harness_jax import LIBTPU, Unavailable, tpu_compiler

EXAMPLE = ROOT / "examples" / "jax" / "train.py"
ENTRY = "train:train_step"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--jax", default=max(LIBTPU, key=_numbers), choices=sorted(LIBTPU), help="JAX version"
    )
    version = parser.parse_args().jax
    files = {EXAMPLE.name: EXAMPLE.read_bytes()}
    try:
        with tpu_compiler(version) as compiler:
            before = compiler.run(Program(files, ENTRY), "compile")
            fixed = run_engine(files, "unsafe", jax=version).files
            after = compiler.run(Program(fixed, ENTRY), "compile")
    except Unavailable as error:
        print(error, file=sys.stderr)
        return 2
    print(f"JAX {version}, libtpu {LIBTPU[version]}: {EXAMPLE.relative_to(ROOT)}\n\n{_said(before)}\n")
    print(_difference(files[EXAMPLE.name], fixed[EXAMPLE.name]))
    print(_said(after))
    return 0 if "moved to host" in before.detail and after.kind == "ok" else 1


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _said(outcome: Outcome) -> str:
    text = re.sub(r"\s+", " ", outcome.detail).partition(" See ")[0]
    return "compiles for a TPU" if outcome.kind == "ok" else f"does not compile: {text}"


def _difference(old: bytes, new: bytes) -> str:
    name = str(EXAMPLE.relative_to(ROOT))
    lines = difflib.unified_diff(
        old.decode().splitlines(), new.decode().splitlines(), name, name, "", "", 1, ""
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
