"""Write what the engine answers now into the golden files, and print what changes by that.

  python scripts/update_golden.py [TEXT ...]        only the cases whose id contains one of the texts
  python scripts/update_golden.py --check           print the difference, write nothing
  python scripts/update_golden.py --wants           first move the `# want:` comments to the reported lines

A golden that changes was a decision of somebody: read the difference, then run
`pytest -m slow tests/test_golden.py`, which asks the compiler whether the new text is right.
Exit status 1 if anything differs.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from harness import Finding, expected_files, fixing, run_case, unexplained
from harness_cases import LINE_END, ROOT, WANT, Case, discover, wants


def input_path(case: Case, path: str) -> Path:
    return case.top / path if case.is_project else case.top


def golden_path(case: Case, path: str) -> Path:
    return case.top / "fixed" / path if case.is_project else case.top.with_name(f"{case.top.stem}.golden.py")


def difference(old: bytes, new: bytes, label: str) -> str:
    before, after = (LINE_END.split(data.decode("utf-8", "replace")) for data in (old, new))
    return "\n".join(difflib.unified_diff(before, after, label, label, lineterm=""))


def golden_changes(case: Case) -> dict[Path, bytes | None]:
    """The golden files of a case that must change; None: the file must go."""
    if case.kind != "fix":
        return {}
    fixed = run_case(case, case.files, fixing(case)).files
    changes: dict[Path, bytes | None] = {}
    for path, data in fixed.items():
        target = golden_path(case, path)
        old = target.read_bytes() if target.exists() else None
        new = None if case.is_project and data == case.files[path] else data
        if new != old:
            changes[target] = new
    return changes


def label_mismatch(case: Case) -> str:
    """What a golden text cannot show: that SAFETY is not what the engine says."""
    safe = run_case(case, case.files, "safe").files
    if safe == expected_files(case, "safe"):
        return ""
    return f"{case.id}: SAFETY is {case.facts.safety!r}, but `fix` without unsafe fixes gives another text"


def want_changes(case: Case) -> dict[Path, bytes]:
    """The input files with the `# want:` comments where the engine reports.

    A comment keeps its pattern where a finding of the same rule matches it; other findings get a
    comment without a pattern. Only comments at the ends of lines are written.
    """
    findings = run_case(case, case.files, "nothing").findings
    surplus, missing = unexplained(findings, wants(case.files))
    if not surplus and not missing:
        return {}
    changes = {}
    for path, data in case.files.items():
        if not path.endswith(".py"):
            continue
        patterns = [(want.code, want.pattern) for want in wants({path: data})]
        lines = data.decode("utf-8").split("\n")
        kept = [re.sub(r"\s*" + WANT.pattern, "", line) for line in lines]
        alone = [number for number, line in enumerate(lines) if line.strip() and not kept[number].strip()]
        added: dict[int, list[str]] = {}
        for finding in findings:
            if finding.path == path:
                added.setdefault(finding.line - 1, []).append(comment_for(finding, patterns))
        text = "\n".join(
            line + "".join(f"  {one}" for one in added.get(number, ()))
            for number, line in enumerate(kept)
            if number not in alone
        )
        new = text.encode("utf-8")
        if new != data:
            changes[input_path(case, path)] = new
    return changes


def comment_for(finding: Finding, patterns: list[tuple[str, str]]) -> str:
    for code, pattern in patterns:
        if code == finding.code and re.search(pattern, finding.message):
            return f"# want: {code} {pattern}".rstrip()
    return f"# want: {finding.code}"


def write(changes: Mapping[Path, bytes | None], check: bool) -> bool:
    """Print the differences and write them unless `check`. True if there are any."""
    for path, new in changes.items():
        old = path.read_bytes() if path.exists() else b""
        print(difference(old, new or b"", str(path.relative_to(ROOT))))
        if check:
            continue
        if new is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(new)
    return bool(changes)


def main() -> int:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="parts of case ids (default: all cases)")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--wants", action="store_true", help="also rewrite the `# want:` comments")
    args = parser.parse_args()

    def chosen() -> list[Case]:
        return [case for case in discover() if not args.texts or any(text in case.id for text in args.texts)]

    changed = False
    if args.wants:
        for case in chosen():
            changed |= write(want_changes(case), args.check)
    for case in chosen():
        changed |= write(golden_changes(case), args.check)
    for case in chosen():
        if text := label_mismatch(case):
            print(text)
            changed = True
    return int(changed)


if __name__ == "__main__":
    sys.exit(main())
