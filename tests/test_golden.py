"""Every golden case, through the engine and (slow) through the real compiler."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

import pytest
from harness import VARIANTS, Apply, Files, expected_files, fixing, run_case, run_engine, unexplained, vary
from harness_cases import Case, discover, lines_of, split_footer, wants
from harness_compiler import Compiler, Outcome, difference, verdict
from harness_random import judge as judge_random, judge_streams

CASES = discover()
COMPILED = [case for case in CASES if case.framework == "tensorflow"]  # the others: test_golden_jax
FIXES = [case for case in COMPILED if case.kind == "fix"]
STAGED = [case for case in COMPILED if case.facts.stages]
WEAKENED = [
    pytest.param(case, label, id=f"{case.id}-{label}") for case in COMPILED for label in case.weak_labels
]
MODES: list[Apply] = ["safe", "unsafe"]
CHOSEN = [case for case in CASES if case.kind == "fix" and case.facts.safety == "manual"]


def each(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case.id for case in cases])


@each(CASES)
def test_case_is_well_formed(case: Case) -> None:
    for files in (case.files, case.fixed):
        for path, data in files.items():
            compile(data, path, "exec")
    wanted = wants(case.files)
    assert bool(wanted) == (case.kind != "skip")
    if case.kind == "fix":
        assert case.fixed != case.files
        assert case.facts.before != "runs" or case.is_preview, "no compiler here refuses it"
        assert case.weak_labels, "no WEAKEN: nothing proves that the golden is sensitive"
    if case.kind == "report":
        assert re.search(case.facts.reason, "") is None, "REASON must say what the reason is about"
    assert (case.facts.before == "error") == bool(case.facts.error), "ERROR goes with BEFORE = error"
    for label in case.weak_labels:
        assert case.weakened(label) != case.fixed
    if case.facts.draws and case.kind == "fix":
        assert case.reseeded is not None, "no RESEED: nothing proves that the seed has an effect"
    if not case.is_project:
        ((path, before),) = case.files.items()
        assert split_footer(before.decode())[1] == split_footer(case.fixed[path].decode())[1]


@each(CASES)
def test_reported_lines(case: Case) -> None:
    findings = run_case(case, case.files, "nothing").findings
    surplus, missing = unexplained(findings, wants(case.files))
    assert (surplus, missing) == ([], [])
    order = ("safe", "unsafe", "manual")
    best = [order.index(finding.safeties[0]) if finding.safeties else len(order) for finding in findings]
    if case.kind == "fix":  # a finding that depends on another one gets its fix in a later round
        assert order[max(one for one in best if one < len(order))] == case.facts.safety
    if case.kind == "report":
        assert min(best) >= order.index("manual"), "a report has no fix that may be applied in bulk"
        assert any(re.search(case.facts.reason, finding.reasons) for finding in findings)


@pytest.mark.parametrize("mode", MODES)
@each(CASES)
def test_fixed_text(case: Case, mode: Apply) -> None:
    expected = expected_files(case, mode)
    result = run_case(case, case.files, mode)
    assert show(result.files) == show(expected)
    assert result.files == expected
    assert run_case(case, result.files, mode).files == expected, "a second run changes more"


@each(CHOSEN)
def test_chosen_text(case: Case) -> None:
    result = run_case(case, case.files, "choose")
    assert show(result.files) == show(case.fixed)
    assert result.files == case.fixed


@pytest.mark.parametrize("variant", VARIANTS)
@each(CASES)
def test_byte_variant(case: Case, variant: str) -> None:
    change = VARIANTS[variant]
    result = run_case(case, vary(case.files, change), fixing(case))
    assert result.files == vary(case.fixed, change)
    for path, data in result.files.items():
        compile(data, path, "exec")


@pytest.mark.slow
@each(COMPILED)
def test_input_under_the_compiler(case: Case, compiler: Compiler) -> None:
    """The input shows the fault that the case describes."""
    if case.facts.draws:
        status, why = judged(case, case.files, case.reseeded, compiler)
        detail = why
    else:
        got = compiler.run(case.program(case.files), "jit", declared=True)
        status, why = verdict(got, reference(case, compiler, declared=True))
        detail = got.detail
    assert status == case.facts.before, why
    assert re.search(case.facts.error, detail), why


@pytest.mark.slow
@each(FIXES)
def test_golden_under_the_compiler(case: Case, compiler: Compiler) -> None:
    """The golden compiles and is right; a safe one also keeps what ran without XLA."""
    before, after = case.program(case.files), case.program(case.fixed)
    got = compiler.run(after, "jit")
    if case.facts.draws:
        assert judged(case, case.fixed, reseeded_golden(case), compiler) == ("runs", "follows the seed")
    else:
        assert verdict(got, reference(case, compiler)) == ("runs", "equal to the run without XLA")
    asked = Counter(reference(case, compiler).compiled)
    assert asked <= Counter(got.compiled), "XLA is no longer asked for"
    assert got.compiled
    if case.facts.draws:  # the numbers change, whatever runs them
        for mode in case.facts.modes:
            assert compiler.run(after, "graph" if mode == "graph" else "eager").kind == "ok", mode
    elif case.facts.safety == "safe":
        for mode in ("graph", "eager"):
            old = compiler.run(before, mode)
            if mode in case.facts.modes:
                assert old.kind == "ok", f"{mode}: {old.detail} (MODES must leave it out)"
            if old.kind == "ok":
                assert verdict(compiler.run(after, mode), old) == ("runs", "equal to the run without XLA"), (
                    mode
                )


@pytest.mark.slow
@pytest.mark.parametrize(("case", "label"), WEAKENED)
def test_weakened_golden_fails(case: Case, label: str, compiler: Compiler) -> None:
    """With a smaller size, or a part of the fix left out, the real compile or the comparison fails."""
    if case.facts.draws:
        weak = case.weakened(label)
        streams = case.facts.oracle == "streams"
        other = None if streams else case.weakened(label, reseeded_golden(case))
        status, _ = judged(case, weak, other, compiler)
    else:
        program = case.program(case.weakened(label))
        status, _ = verdict(compiler.run(program, "jit"), reference(case, compiler))
    assert status != "runs"


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@each(STAGED)
def test_one_rule_alone_unmasks_nothing(case: Case, mode: Apply, compiler: Compiler) -> None:
    """A single error rule leaves the program alone, failing, or right; never silently wrong."""
    for rule in case.facts.stages:
        files = run_engine(case.files, mode, select=[rule]).files
        if files != case.files:
            assert unmasked(case, files, compiler) == "", f"{rule} alone"


@pytest.mark.slow
@each(STAGED)
def test_without_the_gate_damage_is_unmasked(case: Case, compiler: Compiler) -> None:
    """The test above can fail: with the gate switched off it does."""
    texts = [run_engine(case.files, "unsafe", select=[rule], gate=False).files for rule in case.facts.stages]
    assert any(files != case.files and unmasked(case, files, compiler) for files in texts)


def unmasked(case: Case, files: Files, compiler: Compiler) -> str:
    """The silent damage or abort that a change has brought to light; "" if there is none."""
    if case.facts.draws:
        status, why = judged(case, files, None, compiler)
    else:
        status, why = verdict(compiler.run(case.program(files), "jit"), reference(case, compiler))
    harmless = status in ("runs", "error") or status == case.facts.before
    return "" if harmless else f"{status}: {why}"


def judged(case: Case, files: Files, reseeded: Files | None, compiler: Compiler) -> tuple[str, str]:
    """The verdict over a program that draws random numbers."""
    mode: Literal["graph", "eager"] = "graph" if case.facts.reference == "graph" else "eager"
    other = case.program(reseeded) if reseeded is not None else None
    judge = judge_streams if case.facts.oracle == "streams" else judge_random
    return judge(compiler, case.program(files), other, case.program(case.files), mode)


def reseeded_golden(case: Case) -> Files:
    """What the fix makes of the input with another seed."""
    assert case.reseeded is not None
    return run_engine(case.reseeded, "unsafe").files


def reference(case: Case, compiler: Compiler, declared: bool = False) -> Outcome:
    """The input without XLA."""
    mode: str = case.facts.reference
    assert mode in ("graph", "eager")
    outcome = compiler.run(case.program(case.files), "graph" if mode == "graph" else "eager", declared)
    assert outcome.kind == "ok", f"no reference: {outcome.detail}"
    return outcome


def show(files: Files) -> dict[str, list[str]]:
    """Lines, so that a failure shows a readable difference."""
    return {path: lines_of(data.decode("utf-8-sig", "replace")) for path, data in files.items()}


def test_difference_sees_what_it_must_see() -> None:
    """The comparison itself: without it the tests above could pass on anything."""
    import numpy as np

    def of(*leaves: object) -> Outcome:
        return Outcome("ok", values=[list(leaves)])

    one = np.array([1.0, 2.0], np.float32)
    assert difference(of(one), of(one.copy())) == ""
    assert difference(of(one), of(one, one)) == "inputs 0, 1 outputs instead of 2"
    assert "shape" in difference(of(one), of(one[:1]))
    assert "dtype" in difference(of(one), of(one.astype(np.float64)))
    assert "instead of" in difference(of(one + 0.01), of(one))
    assert "None" in difference(of(None), of(one))
    assert difference(of(np.array(2**62)), of(np.array(2**62 + 1))) != ""
    assert difference(of(one), Outcome("ok", values=[])) == "1 lists of inputs instead of 0"


def test_streams_that_repeat_numbers_are_seen() -> None:
    import numpy as np
    from harness_random import _repeated

    def of(*leaves: object) -> Outcome:
        return Outcome("ok", values=[[np.array(leaf, np.float32)] for leaf in leaves])

    assert _repeated(of([0.1, 0.2], [0.3, 0.4])) == ""
    assert _repeated(of([0.1, 0.2], [0.2, 0.4])) == "1 of 4 numbers are drawn twice"
    assert _repeated(Outcome("ok", values=[[np.array([1, 1])]])) == ""
