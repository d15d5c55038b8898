"""The formats that code scanning services read: SARIF, GitHub's and GitLab's."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from harness_cli import GROWS, HELPER, PROJECT, UNMASK, lay, xlafix, xlafix_json

NODE = Path(__file__).resolve().parent.parent / ".node"
MULTITOOL = "@microsoft/sarif-multitool-linux"
MULTITOOL_VERSION = "5.7.0"
MARK = "@tf.function(jit_compile=True)\ndef spread"
ODD = "ä ö/50%, a:b.py"
# Characters outside of the basic plane in front of the place, CRLF, a BOM: where offsets and columns part.
WIDE = "\ufeff" + GROWS.replace("rows = tf.TensorArray", "note = '🙂🙂'; rows = tf.TensorArray").replace(
    "\n", "\r\n"
)


@pytest.fixture
def here(here: Path) -> Path:
    lay(here, PROJECT | {"unmask.py": UNMASK, ODD: GROWS, "broken.py": "def f(:\n"})
    (here / "wide.py").write_bytes(WIDE.encode())
    return here


def sarif(*arguments: str) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(xlafix("check", "--output-format", "sarif", *arguments).stdout)
    return log


def applied(text: str, changes: list[dict[str, Any]]) -> str:
    """The text after SARIF replacements, as a reader of the format makes it: lines and columns from 1."""
    lines = re.split(r"(?<=\n)", text)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    for change in sorted(changes, key=lambda one: -starts[one["deletedRegion"]["startLine"] - 1]):
        region = change["deletedRegion"]
        start = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        text = text[:start] + change["insertedContent"]["text"] + text[end:]
    return text


@pytest.mark.parametrize("name", [ODD, "wide.py"])
def test_a_fix_read_from_sarif_is_the_fix(here: Path, name: str) -> None:
    before = (here / name).read_bytes().decode().removeprefix("\ufeff")
    (result,) = sarif(name)["runs"][0]["results"]
    fix = next(one for one in result["fixes"] if one["properties"]["safety"] == "safe")
    (change,) = fix["artifactChanges"]
    assert unquote(change["artifactLocation"]["uri"]) == name
    after = applied(before, change["replacements"])
    assert after != before
    assert xlafix("fix", name).exit_code == 0
    assert (here / name).read_bytes().decode().removeprefix("\ufeff") == after


def test_sarif_says_what_json_says(here: Path) -> None:
    found = xlafix_json("check")["diagnostics"]
    (run,) = sarif()["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == len(found) > 3
    assert run["columnKind"] == "unicodeCodePoints"
    for result, row in zip(run["results"], found, strict=True):
        assert result["ruleId"] == row["code"] == rules[result["ruleIndex"]]["id"]
        place = result["locations"][0]["physicalLocation"]
        assert unquote(place["artifactLocation"]["uri"]) == row["path"]
        assert (place["region"]["startLine"], place["region"]["startColumn"]) == (row["line"], row["column"])
        assert [fix["properties"]["key"] for fix in result.get("fixes", [])] == [
            fix["key"] for fix in row["fixes"]
        ]
        assert [len(flow["threadFlows"][0]["locations"]) - 2 for flow in result.get("codeFlows", [])] == [
            len(chain["calls"]) for chain in row["chains"]
        ]
        assert result["level"] == {"info": "note", "tool": "warning"}.get(row["consequence"], "error")
        for reason in row["unavailable"]:
            assert row["fixes"] or reason["reason"] in result["message"]["text"]


def test_equal_statements_have_fingerprints_of_their_own(here: Path) -> None:
    loop = HELPER[HELPER.index("    for axis") : HELPER.index("    return total")]
    lay(here, {"twice.py": HELPER.replace("def spread", MARK).replace(loop, loop + loop)})
    found = sarif("twice.py")["runs"][0]["results"]
    prints = [one["partialFingerprints"]["xlafix/v1"] for one in found]
    entries = json.loads(xlafix("check", "--output-format", "gitlab", "twice.py").stdout)
    for several in (prints, [one["fingerprint"] for one in entries]):
        assert len(set(several)) == len(several) == len(found) > 1


def commands(output: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """(command, fields, message) of each line, read as GitHub's runner reads them."""
    for line in output.splitlines():
        match = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line)
        assert match, line
        fields = dict(pair.split("=", 1) for pair in match[2].split(","))
        yield match[1], {key: unquote(value) for key, value in fields.items()}, unquote(match[3])


def test_github_commands(here: Path) -> None:
    rows = xlafix_json("check")["diagnostics"]
    found = list(commands(xlafix("check", "--output-format", "github").stdout))
    assert len(found) == len(rows)
    for (command, fields, message), row in zip(found, rows, strict=True):
        assert command == {"info": "notice", "tool": "warning"}.get(row["consequence"], "error")
        assert (fields["file"], fields["line"]) == (row["path"], str(row["line"]))
        assert ("col" in fields) == (row["line"] == row["end_line"])
        assert message.startswith(row["message"])
    assert ODD in {fields["file"] for _, fields, _ in found}


def test_gitlab_entries(here: Path) -> None:
    rows = xlafix_json("check")["diagnostics"]
    found = json.loads(xlafix("check", "--output-format", "gitlab").stdout)
    assert [(one["location"]["path"], one["check_name"]) for one in found] == [
        (row["path"], row["code"]) for row in rows
    ]
    assert {one["severity"] for one in found} <= {"info", "minor", "major", "critical", "blocker"}
    grave = [row["consequence"] in ("silent", "abort") for row in rows]
    assert [one["severity"] == "critical" for one in found] == grave


@pytest.mark.parametrize("name", ["sarif", "github", "gitlab"])
def test_fix_prints_nothing_else(here: Path, name: str) -> None:
    done = xlafix("fix", "--diff", "--output-format", name, "train.py", "lib")
    if name == "github":
        list(commands(done.stdout))
    else:
        json.loads(done.stdout)
    assert done.exit_code == 1


@pytest.mark.slow
def test_the_validator_of_the_format_has_no_complaint(here: Path) -> None:
    """Schema and meaning, by the validator of those who wrote the format; npm brings it."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not here, which brings the validator")
    tool = NODE / "node_modules" / MULTITOOL / "Sarif.Multitool"
    if not tool.exists():
        NODE.mkdir(exist_ok=True)
        wanted = [npm, "install", "--no-audit", "--no-fund", f"{MULTITOOL}@{MULTITOOL_VERSION}"]
        done = subprocess.run([*wanted, "--prefix", str(NODE)], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"the validator cannot be installed: {done.stderr.strip()[-200:]}")
    tool.chmod(0o755)
    for scope in ("compiled", "all"):
        log = here / "log.sarif"
        log.write_text(json.dumps(sarif("--scope", scope)))
        assert complaints(tool, log) == set()
    broken = json.loads(log.read_text())
    broken["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    log.write_text(json.dumps(broken))
    assert complaints(tool, log)


def complaints(tool: Path, log: Path) -> set[str]:
    report = log.with_name("report.sarif")
    command = [str(tool), "validate", str(log), "--rule-kind", "Sarif;Ghas", "--output", str(report)]
    subprocess.run([*command, "--log", "ForceOverwrite"], capture_output=True, check=False, timeout=120)
    results = json.loads(report.read_text("utf-8-sig"))["runs"][0]["results"]
    # SARIF2005 asks for the address of a home page, which there is none of.
    return {one["ruleId"] for one in results} - {"SARIF2005"}
