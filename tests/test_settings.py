from __future__ import annotations

import os
from pathlib import Path

import pytest

from codemods.model import Safety
from codemods.settings import (
    Settings,
    SettingsError,
    code_problem,
    enabled,
    excluded,
    ignored_in_file,
    load,
    trust,
)

FULL = """
[tool.xlafix]
select = ["XLA1", "XLA201"]
ignore = ["XLA102"]
exclude = ["build/", "*_pb2.py"]
entry-points = ["pkg.train:step", "pkg.train:Model.loss:grad"]
scope = "all"
unroll-limit = 16
seed = 7
tensorflow-version = "2.15"
safe-fixes = ["XLA101"]
unsafe-fixes = ["XLA2"]

[tool.xlafix.per-file-ignores]
"tests/**" = ["XLA1"]
"legacy.py" = ["ALL"]
"""


def write(folder: Path, text: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "pyproject.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_every_key_is_read(tmp_path: Path) -> None:
    write(tmp_path, FULL)
    assert load(str(tmp_path)) == Settings(
        select=("XLA1", "XLA201"),
        ignore=("XLA102",),
        per_file_ignores=(("tests/**", ("XLA1",)), ("legacy.py", ("ALL",))),
        exclude=("build/", "*_pb2.py"),
        entry_points=("pkg.train:step", "pkg.train:Model.loss:grad"),
        scope="all",
        unroll_limit=16,
        seed=7,
        tensorflow_version=(2, 15),
        safe=("XLA101",),
        unsafe=("XLA2",),
        root=str(tmp_path),
    )


def test_the_nearest_file_that_has_the_table_counts(tmp_path: Path) -> None:
    write(tmp_path, "[tool.xlafix]\nunroll-limit = 7\n")
    write(tmp_path / "a", "[tool.xlafix]\nunroll-limit = 8\n")
    write(tmp_path / "a" / "b", "[tool.other]\nx = 1\n")  # says nothing about us
    (tmp_path / "a" / "b" / "c").mkdir()
    found = load(str(tmp_path / "a" / "b" / "c"))
    assert (found.unroll_limit, found.root) == (8, str(tmp_path / "a"))


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load(str(tmp_path)) == Settings(root=str(tmp_path))


def test_an_empty_table_still_gives_the_root(tmp_path: Path) -> None:
    write(tmp_path, "[tool.xlafix]\n")
    (tmp_path / "deep").mkdir()
    assert load(str(tmp_path / "deep")) == Settings(root=str(tmp_path))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("selct = []", "unknown key `tool.xlafix.selct`; did you mean `select`?"),
        ("per_file_ignores = {}", "did you mean `per-file-ignores`?"),
        ("qqq = 1", "unknown key `tool.xlafix.qqq`; known are entry-points, exclude, "),
        ("select = 'XLA1'", "`tool.xlafix.select` must be a list of strings, not a string"),
        ("select = [103]", "`tool.xlafix.select`[0] must be a string, not an integer"),
        ("ignore = ['']", "`tool.xlafix.ignore`[0] is empty"),
        (
            "ignore = ['xla103']",
            "`xla103` is no rule code such as `XLA103`, `XLA1` or `ALL`; did you mean `XLA103`?",
        ),
        ("ignore = ['XLA1034']", "`XLA1034` is no rule code"),
        ("ignore = ['E501']", "did you mean `XLA501`?"),
        ("per-file-ignores = ['a.py']", "must be a table of globs with lists of codes, not a list"),
        (
            "per-file-ignores = {'a.py' = 'XLA1'}",
            '`tool.xlafix.per-file-ignores`."a.py" must be a list of strings',
        ),
        ("per-file-ignores = {'!a.py' = ['XLA1']}", "starts with `!`"),
        ("per-file-ignores = {' ' = ['XLA1']}", "has an empty glob"),
        ("exclude = ['a', false]", "`tool.xlafix.exclude`[1] must be a string, not a boolean"),
        ("entry-points = ['pkg.train.step']", "`pkg.train.step` is not `package.module:function`"),
        ("entry-points = ['pkg:step:gard']", "`pkg:step:gard` is not"),
        ("scope = 'compile'", "must be `compiled` or `all`, not `compile`; did you mean `compiled`?"),
        ("scope = 1", "must be `compiled` or `all`, not an integer"),
        ("preview = 1", "`tool.xlafix.preview` must be true or false, not an integer"),
        ("unroll-limit = '5'", "`tool.xlafix.unroll-limit` must be an integer, not a string"),
        ("unroll-limit = true", "must be an integer, not a boolean"),
        ("seed = '5'", "`tool.xlafix.seed` must be an integer, not a string"),
        ("seed = true", "must be an integer, not a boolean"),
        ("seed = 9223372036854775808", "must have at most 64 bits: 9223372036854775808"),
        ("unroll-limit = -1", "must not be negative: -1"),
        ("tensorflow-version = 2.10", 'must be a string such as "2.15", not a float'),
        ("tensorflow-version = '2'", '"2" is no version such as "2.15"'),
        ("tensorflow-version = 1979-05-27", "not a date or time"),
        ("safe-fixes = ['XLA1']\nunsafe-fixes = ['XLA1']", "XLA1 stands in both"),
    ],
)
def test_a_wrong_setting_names_file_key_and_remedy(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, f"[tool.xlafix]\n{line}\n")
    with pytest.raises(SettingsError) as caught:
        load(str(tmp_path))
    assert caught.value.path == path
    assert message in caught.value.message
    assert str(caught.value) == f"{path}: {caught.value.message}"


def test_a_section_that_is_no_table(tmp_path: Path) -> None:
    write(tmp_path, "[tool]\nxlafix = 3\n")
    with pytest.raises(SettingsError, match=r"`tool\.xlafix` must be a table, not an integer"):
        load(str(tmp_path))


@pytest.mark.parametrize(
    ("data", "message"), [(b"[tool.xlafix\n", "is not TOML: "), (b"# \xff\n", "is not UTF-8: ")]
)
def test_a_broken_file_is_an_error_with_its_path(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(data)
    with pytest.raises(SettingsError) as caught:
        load(str(tmp_path))
    assert caught.value.path == str(tmp_path / "pyproject.toml")
    assert message in caught.value.message


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() == 0, reason="root reads everything")
def test_an_unreadable_file_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, "[tool.xlafix]\n")
    os.chmod(path, 0)
    with pytest.raises(SettingsError, match="cannot be read"):
        load(str(tmp_path))


@pytest.mark.parametrize("version", ["2.15", "2.15.0", "2.15.1rc2"])
def test_versions_are_cut_to_major_and_minor(tmp_path: Path, version: str) -> None:
    write(tmp_path, f"[tool.xlafix]\ntensorflow-version = '{version}'\n")
    assert load(str(tmp_path)).tensorflow_version == (2, 15)


@pytest.mark.parametrize(
    ("select", "ignore", "code", "wanted"),
    [
        ((), (), "XLA103", True),
        (("XLA1",), (), "XLA103", True),
        (("XLA1",), (), "XLA201", False),
        (("XLA1",), ("XLA103",), "XLA103", False),
        (("XLA1",), ("XLA103",), "XLA101", True),
        (("XLA103",), ("XLA1",), "XLA103", True),  # the longer prefix decides
        (("XLA103",), ("XLA103",), "XLA103", False),  # a tie: ignore
        ((), ("XLA1",), "XLA103", False),
        (("XLA103",), ("ALL",), "XLA103", True),
        (("ALL",), ("XLA1",), "XLA103", False),
        (("XLA1",), (), "XLA001", True),  # a file that was not read never goes unnoticed
        (("XLA1",), ("XLA001",), "XLA001", False),
    ],
)
def test_enabled(select: tuple[str, ...], ignore: tuple[str, ...], code: str, wanted: bool) -> None:
    assert enabled(Settings(select=select, ignore=ignore), code) is wanted


@pytest.mark.parametrize(
    ("glob", "path", "hit"),
    [
        ("tests/**", "tests/a/b.py", True),
        ("tests", "tests/a/b.py", True),
        ("tests/*.py", "tests/a/b.py", False),
        ("b.py", "tests/a/b.py", True),
        ("/b.py", "tests/a/b.py", False),
        ("#b.py", "#b.py", True),
        ("*.py", "../outside.py", True),
        ("tests/**", "src/tests.py", False),
    ],
)
def test_globs_are_relative_to_the_root(tmp_path: Path, glob: str, path: str, hit: bool) -> None:
    settings = Settings(per_file_ignores=((glob, ("XLA1",)),), exclude=(glob,), root=str(tmp_path / "root"))
    absolute = str(tmp_path / "root" / path)
    assert ignored_in_file(settings, absolute, "XLA103") is hit
    assert excluded(settings, absolute) is hit
    assert not ignored_in_file(settings, absolute, "XLA201")


def test_relative_paths_are_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    settings = Settings(exclude=("/sub/a.py",), root=str(tmp_path))
    assert excluded(settings, "a.py")
    assert not excluded(settings, "../a.py")


def test_trust_moves_between_safe_and_unsafe_only() -> None:
    settings = Settings(safe=("XLA1",), unsafe=("XLA103", "XLA2"))
    assert trust(settings, "XLA101", Safety.UNSAFE) is Safety.SAFE
    assert trust(settings, "XLA103", Safety.UNSAFE) is Safety.UNSAFE
    assert trust(settings, "XLA103", Safety.SAFE) is Safety.UNSAFE
    assert trust(settings, "XLA201", Safety.SAFE) is Safety.UNSAFE
    assert trust(settings, "XLA301", Safety.SAFE) is Safety.SAFE
    assert trust(settings, "XLA101", Safety.MANUAL) is Safety.MANUAL


def test_code_shapes() -> None:
    assert [code_problem(code) for code in ("XLA", "XLA1", "XLA103", "ALL")] == ["", "", "", ""]
    assert "did you mean" not in code_problem("nonsense")
