"""README.md and docs/rules: current, true in what can be checked, and the scripts that write them."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

import document_rules
import new_rule
from harness_cases import discover
from harness_cli import xlafix

from codemods import settings as settings_module, suppress
from codemods.cli.app import COMMANDS, app
from codemods.registry import RULES
from codemods.rule import HEADINGS, Rule

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
UNUSED_SETTINGS = {"tensorflow-version"}  # accepted, but nothing depends on it yet


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(README) if name == language]


def section(title: str) -> str:
    match = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", README, re.M | re.S)
    assert match is not None, title
    return match[1]


def first_column(text: str) -> list[str]:
    rows = re.findall(r"^\| (.+?) \|", text, re.M)
    return [word for row in rows[1:] for word in re.findall(r"`([^`]+)`", row)]


# what is generated


def test_pages_and_readme_are_current() -> None:
    changed = [str(path.relative_to(ROOT)) for path in document_rules.stale(ROOT)]
    assert not changed, "run: python scripts/document_rules.py"


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The documentation in a folder of its own; no command is run for it."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "README.md", tmp_path)
    shown = dict(
        re.findall(r"^<!-- output of (.+?) -->\n(.*?)\n<!-- end of output -->$", README, re.M | re.S)
    )
    filled = document_rules.filled
    monkeypatch.setattr(document_rules, "filled", lambda text: filled(text, shown.__getitem__))
    assert document_rules.main(["--check"], tmp_path) == 0
    return tmp_path


def drop_page(root: Path) -> Path:
    path = root / "docs/rules/XLA101.md"
    path.unlink()
    return path


def change_page(root: Path) -> Path:
    path = root / "docs/rules/XLA103.md"
    path.write_text(path.read_text("utf-8").replace("TensorArray", "array"), "utf-8")
    return path


def change_table(root: Path) -> Path:
    path = root / "README.md"
    path.write_text(README.replace("| compiles but wrong |", "| fine |"), "utf-8")
    return path


def change_output(root: Path) -> Path:
    path = root / "README.md"
    path.write_text(README.replace(" roots, ", " trees, "), "utf-8")
    return path


@pytest.mark.parametrize("spoil", [drop_page, change_page, change_table, change_output])
def test_what_is_stale_is_named_and_written(
    copy: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], Path]
) -> None:
    path = spoil(copy)
    assert document_rules.main(["--check"], copy) == 1
    assert f"stale: {path.relative_to(copy)}" in capsys.readouterr().out
    assert document_rules.main([], copy) == 0
    assert path.read_bytes() == (ROOT / path.relative_to(copy)).read_bytes()
    assert document_rules.main(["--check"], copy) == 0


def test_the_page_of_a_rule_that_is_gone_is_removed(copy: Path) -> None:
    old = copy / "docs/rules/XLA999.md"
    old.write_text("# XLA999\n")
    assert document_rules.main(["--check"], copy) == 1
    assert old.exists()
    assert document_rules.main([], copy) == 0
    assert not old.exists()


@pytest.mark.parametrize("text", ["# no table\n", "<!-- rules -->\n", "<!-- output of xlafix rules -->\n"])
def test_a_missing_marker_is_an_error(text: str) -> None:
    both = "<!-- rules -->\n<!-- end of rules -->\n" if "output" in text else ""
    with pytest.raises(ValueError, match=r"there is no|has no end"):
        document_rules.filled(both + text)


def test_only_xlafix_is_run_for_the_documentation() -> None:
    with pytest.raises(ValueError, match="only xlafix"):
        document_rules.output("rm -rf x")
    with pytest.raises(RuntimeError, match="exited with 2"):
        document_rules.output("xlafix check no/such/folder")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_page_holds_the_whole_documentation(rule: Rule) -> None:
    page = (ROOT / "docs/rules" / f"{rule.code}.md").read_text("utf-8")
    assert re.findall(r"^## (.+)$", page, re.M) == list(HEADINGS)
    words = [line.strip() for line in rule.doc.split("\n") if line.strip()]
    assert [line for line in words if line not in page] == []
    for _, code in re.findall(r"^## (Example|Use instead)\n\n```python\n(.*?)^```$", page, re.M | re.S):
        compile(code, rule.code, "exec")
    assert page.count("```python") == 2


def test_indented_blocks_become_fenced_ones() -> None:
    text = "before:\n\n    a\n\n      b\n\nbetween\n    c\n"
    wanted = "before:\n\n```x\na\n\n  b\n```\n\nbetween\n```x\nc\n```"
    assert document_rules.fenced(text, "x") == wanted


# what the README says


def test_the_two_commands() -> None:
    first, second = blocks("sh")
    assert second == "pip install -e '.[test]' && pytest\n"
    assert first.count("\n") == 1, "one line, so that it can be pasted"
    assert first.startswith("python3 -m venv .venv && . .venv/bin/activate && pip install . && xlafix ")
    assert README.index(first) < README.index(second)


def test_the_first_command_succeeds(tmp_path: Path) -> None:
    """Its part behind the installation, by a shell, in a copy."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shim = tmp_path / "bin" / "xlafix"
    shim.parent.mkdir()
    shim.write_text(
        f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {sys.executable} -m codemods "$@"\n'
    )
    shim.chmod(0o755)
    command = blocks("sh")[0].partition("pip install . && ")[2]
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=tmp_path,
        env={"PATH": f"{shim.parent}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for code in ("XLA101", "XLA102", "XLA103", "XLA104", "XLA105"):
        assert code in done.stdout
    assert "+    for axis in range(IMAGE_AXES):" in done.stdout
    for path in (ROOT / "examples").rglob("*.py"):
        assert (tmp_path / path.relative_to(ROOT)).read_bytes() == path.read_bytes(), "the command only shows"


def _hunks(text: str, examples: Path) -> dict[str, str]:
    """Path -> text of the file, for what a diff of the README makes of the examples."""
    found = re.findall(r"^ # ([\w/]+\.py):[^\n]*\n((?:(?:[-+ ][^#\n][^\n]*)?\n)+)", text, re.M)
    wanted = {}
    for path, hunk in found:
        lines = hunk.rstrip("\n").split("\n")
        before = "".join(line[1:] + "\n" for line in lines if line[:1] != "+")
        after = "".join(line[1:] + "\n" for line in lines if line[:1] != "-")
        old = (examples / path).read_text("utf-8")
        assert old.count(before) == 1, path
        wanted[path] = old.replace(before, after)
    shown = [len(re.findall(r"^[-+]", part, re.M)) for part in (text, *(hunk for _, hunk in found))]
    assert shown[0] == sum(shown[1:])
    return wanted


def test_before_and_after_are_those_of_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", examples)
    shutil.rmtree(examples / "jax")  # shown apart
    monkeypatch.chdir(tmp_path)
    safe, unsafe = blocks("diff")
    for text, options, left in ((safe, [], 1), (unsafe, ["--unsafe-fixes"], 0)):
        before = {path: path.read_text("utf-8") for path in examples.rglob("*.py")}
        wanted = _hunks(text, examples)
        assert xlafix("fix", *options, "examples").exit_code == left
        changed = {p.relative_to(examples).as_posix() for p in before if p.read_text("utf-8") != before[p]}
        assert changed == set(wanted)
        for path, new in wanted.items():
            assert (examples / path).read_text("utf-8") == new
        if not options:
            assert len(changed) == 6
            for path in list(wanted)[:4]:
                assert "jit_compile" not in wanted[path]
                assert "tf.function" not in wanted[path]


@pytest.mark.slow
def test_the_faults_of_the_examples_under_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)

    def run() -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "examples/run.py"], capture_output=True, text=True, timeout=600, check=False
        )
        return done.returncode, done.stdout

    assert run() == (8, blocks("text")[0])
    assert xlafix("fix", "examples").exit_code == 1
    status, text = run()
    assert status == 1
    assert text.count("the same with and without XLA") == 7
    xlafix("fix", "--unsafe-fixes", "examples")
    status, text = run()
    assert status == 0
    assert text.endswith("the same in any order\n")


def test_every_command_and_option_exists() -> None:
    context = click.Context(app)
    named = set()
    for text in re.findall(r"xlafix [^`\n&|;]+", README):
        words = text.split()
        if words[1] not in COMMANDS:
            continue
        named.add(words[1])
        command = app.get_command(context, words[1])
        assert command is not None
        known = {option for one in command.params for option in one.opts}
        options = [word.rstrip(",.)]") for word in words if re.match(r"--\w", word)]
        assert set(options) <= known, text
    assert named == set(COMMANDS)
    everywhere = {o for n in COMMANDS for p in app.get_command(context, n).params for o in p.opts}  # type: ignore[union-attr]
    for option in re.findall(r"`(--[\w-]+)", section("Workflows")):
        assert option in everywhere, option


def test_every_setting_with_an_effect_is_listed(tmp_path: Path) -> None:
    listed = first_column(section("Settings"))
    assert sorted(listed) == sorted(set(settings_module._KEYS) - UNUSED_SETTINGS)
    example = re.search(r"\| `per-file-ignores` \| `(.+?)` \|", README)
    assert example is not None
    (tmp_path / "pyproject.toml").write_text(f"[tool.xlafix]\nper-file-ignores = {example[1]}\n")
    assert settings_module.load(str(tmp_path)).per_file_ignores == (("tests/**", ("XLA101",)),)
    assert f"| {settings_module.Settings().unroll_limit} |" in section("Settings")


def test_every_comment_is_understood() -> None:
    for comment in first_column(section("Comments")):
        parsed = suppress.parse(f"def f(): {comment}\n    pass\n", "a.py")
        assert not parsed.malformed, comment
        assert parsed.ignores or parsed.facts, comment


def test_comments_about_what_is_compiled_have_an_effect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "    t = 0.0\n    for i in tf.range(2):\n        t += tf.reduce_sum(x, i)\n    return t\n"
    start = "import tensorflow as tf\n"
    mark = "@tf.function(jit_compile=True)\n"
    monkeypatch.chdir(tmp_path)

    def found(text: str) -> bool:
        (tmp_path / "a.py").write_text(text)
        return "XLA101" in xlafix("check", "a.py").stdout

    assert found(f"{start}{mark}def f(x):\n{body}")
    assert not found(f"{start}{mark}def f(x):  # xlafix: not-compiled\n{body}")
    assert not found(f"{start}def f(x):\n{body}")
    assert found(f"{start}def f(x):  # xlafix: compiled\n{body}")


def test_the_figures_have_their_place() -> None:
    assert README.count("<!-- figures -->") == README.count("<!-- end of figures -->") == 1
    assert README.index("<!-- figures -->") < README.index("<!-- end of figures -->")


def test_paths_and_links_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
    for path in re.findall(r"`((?:scripts|tests|examples|docs|\.ci)/[\w./-]+)`", README):
        assert (ROOT / path).exists(), path


# the scaffold


def test_a_new_rule_has_its_module_and_a_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["XLA199", "loop-carried-shape", "--consequence", "error", "--loose", r"while_loop\("]
    arguments += ["--word", "while_loop", "--word", "tf.scan("]
    assert new_rule.main(arguments, tmp_path) == 0
    assert "loop_carried_shape.check" in capsys.readouterr().out
    path = tmp_path / "codemods/transforms/loop_carried_shape.py"
    spec = importlib.util.spec_from_file_location("loop_carried_shape", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["loop_carried_shape"] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules["loop_carried_shape"]
    rule = module.check
    assert isinstance(rule, Rule)
    assert (rule.code, rule.name, rule.consequence.value) == ("XLA199", "loop-carried-shape", "error")
    assert rule.loose == r"while_loop\("
    assert rule.words == (b"while_loop", b"tf.scan(")
    assert all(rule.section(heading) for heading in HEADINGS)
    assert document_rules.page(rule).startswith("# XLA199 loop-carried-shape\n")
    (case,) = discover(tmp_path / "tests/golden")
    assert (case.id, case.kind) == ("loop-carried-shape/skip_not_compiled", "skip")
    config = ["--config", str(ROOT / "pyproject.toml")]
    for command in (["check"], ["format", "--check"]):
        subprocess.run(
            [sys.executable, "-m", "ruff", *command, *config, str(path)], check=True, capture_output=True
        )


@pytest.mark.parametrize(
    ("code", "name", "loose", "word", "why"),
    [
        ("XLA103", "loop-carried-shape", "x", "x", "exists"),
        ("XLA199", "dynamic-tensor-array", "x", "x", "exists"),
        ("XLA005", "loop-carried-shape", "x", "x", "is no code"),
        ("XLA1999", "loop-carried-shape", "x", "x", "is no code"),
        ("XLA199", "LoopShape", "x", "x", "is no name"),
        ("XLA199", "loop", "x", "x", "is no name"),
        ("XLA199", "loop-carried-shape", "(", "x", "subpattern"),
        ("XLA199", "loop-carried-shape", '"', "x", "double quote"),
        ("XLA199", "loop-carried-shape", "x", '"', "a word is"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str, name: str, loose: str, word: str, why: str
) -> None:
    arguments = [code, name, "--consequence", "error", "--loose", loose, "--word", word]
    assert new_rule.main(arguments, tmp_path) == 2
    assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    arguments = ["XLA199", "loop-carried-shape", "--consequence", "silent", "--loose", "x", "--word", "x"]
    assert new_rule.main(arguments, tmp_path) == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.py")}
    assert new_rule.main(arguments, tmp_path) == 2
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.py")} == before
