"""The judged findings in real code (tests/corpus/README.md): well-formed, and still what xlafix says."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

import corpus as real_code

ROOT = Path(__file__).resolve().parent.parent
VERDICTS = ROOT / "tests" / "corpus" / "verdicts.jsonl"
KEYS = ("package", "version", "path", "line", "scope", "rule", "fingerprint", "says", "verdict", "reason")
PINNED = list(real_code.pins())

Row = dict[str, Any]
Key = tuple[str, str, str, str]


def rows() -> list[Row]:
    return [json.loads(line) for line in VERDICTS.read_text("utf-8").splitlines()]


def key(row: Row) -> Key:
    return (row["package"], row["path"], row["rule"], row["fingerprint"])


def said(finding: Row) -> str:
    """What a finding (of `scripts/corpus.py findings`) claims, in a line."""
    if finding["key"]:
        note = f": {finding['note']}" if finding["note"] else ""
        return f"{finding['message']} | {finding['safety']} fix {finding['key']}{note}"
    return f"{finding['message']} | no fix: {'; '.join(one['reason'] for one in finding['reason'])}"


def unjudged(finding: Row) -> Row:
    """The row of a finding, with the verdict still open."""
    return {
        **{name: finding[name] for name in ("package", "version", "path", "line", "scope")},
        "rule": finding["code"],
        "fingerprint": finding["fingerprint"],
        "says": said(finding),
        "verdict": "",
        "reason": "",
    }


def complaints(judged: Iterable[Row], findings: Iterable[Row]) -> list[str]:
    """What does not agree between the verdicts and the findings of a package."""
    open_rows = {key(row): row for row in judged}
    found = {key(row): row for row in (unjudged(one) for one in findings)}
    texts = [f"no longer found: {json.dumps(row)}" for at, row in open_rows.items() if at not in found]
    for at, row in found.items():
        if at not in open_rows:
            texts.append(f"not judged: {json.dumps(row)}")
        elif open_rows[at]["says"] != row["says"]:
            texts.append(
                f"says something else, judge again: {json.dumps(row)}\n  was: {open_rows[at]['says']}"
            )
    texts += [f"wrong: {json.dumps(row)}" for row in open_rows.values() if row["verdict"] == "wrong"]
    return texts


def test_every_row_is_well_formed() -> None:
    from codemods.registry import RULES

    codes = {rule.code for rule in RULES}
    for number, row in enumerate(rows(), 1):
        where = f"line {number}: {row}"
        assert tuple(row) == KEYS, where
        assert f"{row['package']}-{row['version']}" in PINNED, where
        assert row["rule"] in codes, where
        assert row["verdict"] in ("right", "noise", "wrong"), where
        assert row["scope"] in real_code.SCOPES, where
        assert isinstance(row["line"], int), where
        assert re.fullmatch(r"[0-9a-f]{16}", row["fingerprint"]), where
        for text in ("path", "says", "reason"):
            assert row[text].strip(), where
            assert "\n" not in row[text], where


def test_every_finding_is_judged_once() -> None:
    keys = [key(row) for row in rows()]
    assert sorted(set(keys)) == sorted(keys)


def test_the_rows_are_sorted() -> None:
    order = [(row["package"], row["path"], row["line"], row["rule"], row["fingerprint"]) for row in rows()]
    assert order == sorted(order)


AGAIN = "says something else, judge again: "
FINDING = {
    "package": "p", "version": "1", "path": "a.py", "line": 3, "scope": "all", "code": "XLA103",
    "fingerprint": "f" * 16, "message": "m", "key": "k", "safety": "unsafe", "note": "n", "reason": None,
}  # fmt: skip
JUDGED = {**unjudged(FINDING), "verdict": "right", "reason": "read"}


@pytest.mark.parametrize(
    ("judged", "findings", "complaint"),
    [
        ([JUDGED], [FINDING], ""),
        ([{**JUDGED, "line": 2}], [FINDING], ""),
        ([{**JUDGED, "verdict": "noise"}], [FINDING], ""),
        ([{**JUDGED, "verdict": "wrong"}], [FINDING], "wrong: "),
        ([], [FINDING], "not judged: "),
        ([JUDGED], [], "no longer found: "),
        ([JUDGED], [{**FINDING, "fingerprint": "e" * 16}], "no longer found: "),
        ([JUDGED], [{**FINDING, "message": "else"}], AGAIN),
        ([JUDGED], [{**FINDING, "safety": "safe"}], AGAIN),
        ([JUDGED], [{**FINDING, "key": None, "reason": [{"reason": "why"}]}], AGAIN),
    ],
)  # fmt: skip
def test_every_difference_is_noticed(judged: list[Row], findings: list[Row], complaint: str) -> None:
    texts = complaints(judged, findings)
    assert bool(texts) == bool(complaint)
    assert not texts or texts[0].startswith(complaint)


@pytest.mark.slow
@pytest.mark.skipif(not real_code.CORPUS.is_dir(), reason="no .corpus; python scripts/corpus.py fetch")
@pytest.mark.parametrize("package", PINNED)
def test_the_verdicts_still_hold(package: str) -> None:
    """Every row is still found and says the same, every finding has a row, and none is wrong."""
    mine = [row for row in rows() if f"{row['package']}-{row['version']}" == package]
    (folder,) = real_code.packages([package])
    findings = [one for one in real_code.finding_rows(folder, "all") if not one["code"].startswith("XLA0")]
    texts = complaints(mine, findings)
    assert not texts, "\n" + "\n".join(texts)
