"""XLA201 beyond its golden cases: choices, seeds of the user, and fixes that are taken one by one."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from harness_cases import Case, discover
from harness_cli import lay, xlafix

from codemods import edits, engine, settings, source
from codemods.model import Fix

CASES = [case for case in discover() if case.rule == "stateful-random-op" and case.kind == "fix"]
MAKES = ("Generator.from_seed(", "_rng = ", "_rng2 = ", "set_global_generator(", "import tensorflow as tf")
UNSEEDED = """import tensorflow as tf


@tf.function(jit_compile=True)
def noise(x):
    return x + tf.random.normal(tf.shape(x))
"""


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_any_part_of_the_fixes_makes_each_generator_once(case: Case) -> None:
    """One generator and one import, however many of the fixes are taken, and none without a fix."""
    sources = {path: source.decode(path, data) for path, data in case.files.items() if path.endswith(".py")}
    report = engine.check(sources, settings.Settings(), sorted(sources))
    fixes = [one.fixes[0] for one in report.diagnostics if one.code == "XLA201" and one.fixes]
    before = counts([], sources)
    for size in range(min(len(fixes), 4) + 1):
        for part in combinations(fixes, size):
            needs = {(need.key, need.edits) for fix in part for need in fix.needs}
            made = [edit.text for _, changes in needs for edit in changes]
            found = counts(list(part), sources)
            for word in MAKES:
                assert found[word] == before[word] + sum(text.count(word) for text in made), word
            assert len({key for key, _ in needs}) == len(needs), "one key, different lines"


def counts(fixes: list[Fix], sources: dict[str, source.Source]) -> dict[str, int]:
    texts = {path: one.text for path, one in sources.items()}
    for path, changes in edits.merge(fixes).items():
        texts[path] = edits.apply(texts[path], changes)
        compile(texts[path], path, "exec")
    return counts_of(texts)


def counts_of(texts: dict[str, str]) -> dict[str, int]:
    return {word: sum(text.count(word) for text in texts.values()) for word in MAKES}


def test_a_seed_of_the_user(shared: Path) -> None:
    lay(shared, {"a.py": UNSEEDED})
    assert "no seed is set" in xlafix("check", "a.py").stdout
    assert xlafix("fix", "--allow-dirty", "--unsafe-fixes", "a.py").exit_code == 1
    assert (shared / "a.py").read_text() == UNSEEDED
    assert xlafix("fix", "--seed", "12", "a.py").exit_code == 0
    text = (shared / "a.py").read_text()
    assert "_rng = tf.random.Generator.from_seed([12])\n" in text
    assert "x + _rng.normal(tf.shape(x))" in text


def test_a_seed_that_is_too_large(shared: Path) -> None:
    lay(shared, {"a.py": UNSEEDED})
    done = xlafix("check", "--seed", str(2**70), "a.py")
    assert done.exit_code == 2
    assert f"must have at most 64 bits: {2**70}" in done.stderr


def test_numbers_that_never_repeat_are_a_choice(shared: Path) -> None:
    lay(shared, {"a.py": UNSEEDED})
    assert xlafix("fix", "--choose", "XLA201=non-deterministic", "a.py").exit_code == 0
    assert "_rng = tf.random.Generator.from_non_deterministic_state()\n" in (shared / "a.py").read_text()


def test_the_seed_of_the_program_comes_first(shared: Path) -> None:
    lay(shared, {"a.py": UNSEEDED.replace("\n\n\n@", "\n\ntf.random.set_seed(3)\n\n\n@")})
    assert xlafix("fix", "--seed", "12", "a.py").exit_code == 0
    assert "from_seed([3])" in (shared / "a.py").read_text()


def test_a_generator_at_import_is_a_choice(shared: Path) -> None:
    lay(
        shared,
        {
            "lib/__init__.py": "from .noise import noise\n",
            "lib/settings.py": "import tensorflow as tf\n\ntf.random.set_seed(3)\n",
            "lib/noise.py": UNSEEDED.replace("as tf\n", "as tf\n\nfrom . import settings\n"),
        },
    )
    assert "would start the runtime" in xlafix("check", ".").stdout
    assert xlafix("fix", "--choose", "XLA201=import-time", ".").exit_code == 0
    text = (shared / "lib/settings.py").read_text()
    assert text.endswith(
        "tf.random.set_seed(3)\ntf.random.set_global_generator(tf.random.Generator.from_seed([3]))\n"
    )
