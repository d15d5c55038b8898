"""The golden cases of the JAX rules under the true TPU compiler, with the JAX that each case names.

Where libtpu cannot be installed, a walk through the lowered program judges (`harness_host_walk`), and cases
of which it can say nothing are skipped. `test_host_walk.py` compares both.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from harness_cases import ROOT, Case, discover
from harness_compiler import Outcome, Program, difference
from harness_jax import LIBTPU, TpuCompiler, Unavailable, chosen_oracle, tpu_compiler

CASES = [case for case in discover() if case.framework == "jax"]
FIXES = [case for case in CASES if case.kind == "fix"]
WEAKENED = [
    pytest.param(case, label, id=f"{case.id}-{label}") for case in CASES for label in case.weak_labels
]
Choose = Callable[[Case], TpuCompiler]
pytestmark = pytest.mark.slow


def each(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case.id for case in cases])


@pytest.fixture(scope="module")
def compiler_of() -> Iterator[Choose]:
    """The compiler of a case, one process for each JAX version."""
    with ExitStack() as stack:
        known: dict[str, TpuCompiler] = {}

        def choose(case: Case) -> TpuCompiler:
            version = case.facts.jax
            if version not in known:
                try:
                    known[version] = stack.enter_context(tpu_compiler(version, chosen_oracle(version)))
                except Unavailable as error:
                    pytest.skip(str(error))
            return known[version]

        yield choose


def judged(compiler: TpuCompiler, program: Program) -> Outcome:
    """What the oracle says, if it can say anything."""
    got = compiler.judge(program)
    if got.kind == "unavailable":
        pytest.skip(got.detail)
    return got


@each(CASES)
def test_input(case: Case, compiler_of: Choose) -> None:
    """The input fails as the case says, or compiles."""
    got = judged(compiler_of(case), case.program(case.files))
    assert got.kind == ("ok" if case.facts.before == "runs" else case.facts.before), got.detail
    assert re.search(case.facts.error, got.detail), got.detail


@each(FIXES)
def test_golden(case: Case, compiler_of: Choose) -> None:
    """The golden compiles, and computes what the input does."""
    compiler = compiler_of(case)
    got = judged(compiler, case.program(case.fixed))
    assert got.kind == "ok", got.detail
    before, after = (compiler.run(case.program(files), "numbers") for files in (case.files, case.fixed))
    assert (before.kind, after.kind) == ("ok", "ok"), (before.detail, after.detail)
    assert difference(after, before) == ""


@pytest.mark.parametrize(("case", "label"), WEAKENED)
def test_weakened_golden_fails(case: Case, label: str, compiler_of: Choose) -> None:
    """Without a part of the fix the compiler refuses it."""
    got = judged(compiler_of(case), case.program(case.weakened(label)))
    assert got.kind != "ok"


@pytest.mark.parametrize("version", LIBTPU)
def test_the_example_fails_and_is_fixed(version: str) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "show_error_1200.py"), "--jax", version]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode == 2:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.index("does not compile") < done.stdout.index("compiles for a TPU")


def test_both_versions_are_tried() -> None:
    """The strictest JAX, and the newest that was measured."""
    assert {case.facts.jax for case in FIXES} == set(LIBTPU)
