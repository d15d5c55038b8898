"""Roots, discovery, and the files that a run sees."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness_apply import posix, root_only
from harness_cli import lay

from codemods import project, settings
from codemods.files import DiskFiles
from codemods.project import Root, discover, find_root, open_workspace
from codemods.settings import Settings


def found(folder: Path, *paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    options = Settings(exclude=exclude, root=str(folder))
    files, _ = discover(paths or (str(folder),), options)
    return [os.path.relpath(path, folder).replace(os.sep, "/") for path in files]


def problems(folder: Path, *paths: str) -> dict[str, str]:
    _, listed = discover(paths or (str(folder),), Settings(root=str(folder)))
    return {os.path.relpath(one.path, folder): one.message for one in listed}


# --- the root


@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.py", "setup.cfg", ".git"])
def test_the_nearest_marker_is_the_root(tmp_path: Path, marker: str) -> None:
    lay(tmp_path, {"setup.py": "", f"inner/{marker}": "", "inner/a/b/x.py": ""})
    assert find_root([str(tmp_path / "inner/a/b/x.py")]) == Root(str(tmp_path / "inner"), True)
    assert find_root([str(tmp_path / "inner/a"), str(tmp_path / "inner")]).folder == str(tmp_path / "inner")
    both = [str(tmp_path / "inner/a"), str(tmp_path / "other.py")]
    assert find_root(both) == Root(str(tmp_path), True)


def test_without_a_marker_packages_are_kept_whole(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {"top/pkg/__init__.py": "", "top/pkg/sub/__init__.py": "", "top/pkg/sub/x.py": "", "y.py": ""},
    )
    assert find_root([str(tmp_path / "top/pkg/sub/x.py")]) == Root(str(tmp_path / "top"), False)
    assert find_root([str(tmp_path / "top/pkg")]) == Root(str(tmp_path / "top"), False)
    assert find_root([str(tmp_path / "y.py")]) == Root(str(tmp_path), False)


def test_never_above_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    lay(tmp_path, {"setup.py": "", "home/.git/HEAD": "", "home/work/x.py": ""})
    monkeypatch.setenv("HOME", str(home))
    assert find_root([str(home / "work/x.py")]) == Root(str(home / "work"), False)
    (home / "setup.cfg").write_text("")
    assert find_root([str(home / "work/x.py")]) == Root(str(home), True)
    (home / "setup.cfg").unlink()
    assert find_root([str(home)]) == Root(str(home), False)


# --- discovery


TREE = {
    "a.py": "",
    "stub.pyi": "",
    "notes.txt": "",
    "pkg/b.py": "",
    ".venv/lib/c.py": "",
    "lib/site-packages/d.py": "",
    "build/e.py": "",
    "tools/build/__init__.py": "",
    "tools/build/f.py": "",
    "node_modules/g.py": "",
    ".hidden/h.py": "",
    ".#lock.py": "",
}
SEEN = [".hidden/h.py", "a.py", "pkg/b.py", "tools/build/__init__.py", "tools/build/f.py"]


@pytest.mark.parametrize("git", [False, True], ids=["walk", "git"])
def test_what_a_folder_holds(tmp_path: Path, git: bool) -> None:
    lay(tmp_path, TREE)
    if git:
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert found(tmp_path) == SEEN
    assert found(tmp_path, str(tmp_path / "pkg"), str(tmp_path / "pkg/b.py")) == ["pkg/b.py"]
    # What is named is taken.
    assert found(tmp_path, str(tmp_path / "build")) == ["build/e.py"]
    assert found(tmp_path, str(tmp_path / ".venv/lib/c.py")) == [".venv/lib/c.py"]
    assert found(tmp_path, str(tmp_path / "stub.pyi")) == ["stub.pyi"]
    assert found(tmp_path, exclude=("pkg/", "**/f.py")) == [".hidden/h.py", "a.py", "tools/build/__init__.py"]
    assert found(tmp_path, str(tmp_path / "pkg/b.py"), exclude=("pkg/",)) == ["pkg/b.py"]


IGNORED = {
    ".gitignore": "/gen/\n*_pb2.py\n",
    "gen/a.py": "",
    "x_pb2.py": "",
    "keep.py": "",
    "sub/.gitignore": "!x_pb2.py\nlocal.py\n",
    "sub/x_pb2.py": "",
    "sub/local.py": "",
    "sub/deep/y_pb2.py": "",
    "sub/deep/z.py": "",
}


@pytest.mark.parametrize("git", [False, True], ids=["walk", "git"])
def test_gitignore_is_honoured(tmp_path: Path, git: bool) -> None:
    lay(tmp_path, IGNORED)
    if git:
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert found(tmp_path) == ["keep.py", "sub/deep/z.py", "sub/x_pb2.py"]
    assert found(tmp_path, str(tmp_path / "gen")) == ["gen/a.py"]
    assert found(tmp_path, str(tmp_path / "x_pb2.py")) == ["x_pb2.py"]


def test_git_knows_submodules_nested_and_deleted_files(tmp_path: Path) -> None:
    lay(tmp_path, {"gone.py": "", "here.py": "", "nested/n.py": "", "third/t.py": ""})
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for name in ("third", "nested"):
        subprocess.run(["git", "init", "-q"], cwd=tmp_path / name, check=True)
    for command in (["add", "."], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *command], cwd=tmp_path / "third", check=True)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".gitmodules").write_text('[submodule "third"]\n\tpath = third\n\turl = ./x\n')
    quiet = subprocess.DEVNULL
    added = ["add", "gone.py", "here.py", "third", ".gitmodules"]
    subprocess.run([*git, *added], cwd=tmp_path, check=True, stderr=quiet)
    (tmp_path / "gone.py").unlink()
    assert found(tmp_path) == ["here.py", "nested/n.py", "third/t.py"]
    assert found(tmp_path, str(tmp_path / "third")) == ["third/t.py"]


@pytest.mark.parametrize("git", [False, True], ids=["walk", "git"])
def test_what_is_excluded_can_be_named(tmp_path: Path, git: bool) -> None:
    table = "[tool.xlafix]\nexclude = ['cases', '*_pb2.py']\n"
    files = {"a.py": "", "cases/b.py": "", "cases/p/__init__.py": "", "cases/p/c.py": "", "x_pb2.py": ""}
    lay(tmp_path, {"pyproject.toml": table} | files)
    if git:
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for name, judged, context in (
        ("a.py", ["a.py"], ["a.py"]),
        (".", ["a.py"], ["a.py"]),
        ("x_pb2.py", ["x_pb2.py"], ["a.py", "x_pb2.py"]),
        ("cases/p", ["cases/p/__init__.py", "cases/p/c.py"], ["a.py", *sorted(files)[1:4]]),
        ("cases/p/c.py", ["cases/p/c.py"], ["a.py", *sorted(files)[1:4]]),
    ):
        space = opened(tmp_path / name)
        assert (space.paths, sorted(space.files.paths())) == (judged, context), name


def test_globs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, {"a.py": "", "b.txt": "", "p/c.py": "", "p/q/d.py": "", "[x].py": "", "x.py": ""})
    monkeypatch.chdir(tmp_path)
    assert found(tmp_path, "**/*.py") == ["[x].py", "a.py", "p/c.py", "p/q/d.py", "x.py"]
    assert found(tmp_path, "p/*") == ["p/c.py", "p/q/d.py"]
    assert found(tmp_path, "[x].py") == ["[x].py"]  # a name that exists is no pattern
    assert problems(tmp_path, "*.rs", "no.py", "a.py").keys() == {"*.rs", "no.py"}


@posix
@pytest.mark.parametrize("git", [False, True], ids=["walk", "git"])
def test_loops_and_odd_files(tmp_path: Path, git: bool) -> None:
    lay(tmp_path, {"a.py": "", "x.py/inner.py": "", "d/e.py": ""})
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "dangling.py").symlink_to("nowhere")
    (tmp_path / "link.py").symlink_to("a.py")
    (tmp_path / "d" / "up").symlink_to("..")
    os.mkfifo(tmp_path / "pipe.py")
    if git:
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    files = found(tmp_path)
    assert [name for name in files if name != "pipe.py"] == [
        "a.py", "d/e.py", "dangling.py", "link.py", "loop.py", "x.py/inner.py",
    ]  # fmt: skip
    assert problems(tmp_path) == {"x.py": "is a folder, though it is named like a Python file"}
    disk = DiskFiles(str(tmp_path), [])
    for name in ("loop.py", "dangling.py", "pipe.py", "x.py", "missing.py"):
        with pytest.raises(OSError, match=r"\w"):  # and does not wait for a writer
            disk.read(name)


@posix
@root_only
@pytest.mark.parametrize("git", [False, True], ids=["walk", "git"])
def test_a_folder_that_cannot_be_opened(tmp_path: Path, git: bool) -> None:
    lay(tmp_path, {"a.py": "", "locked/b.py": ""})
    if git:
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)
    (tmp_path / "locked").chmod(0o000)
    code = (
        "import os, sys\nsys.path.insert(0, sys.argv[2])\nfrom codemods.project import discover\n"
        "from codemods.settings import Settings\nos.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "files, problems = discover([sys.argv[1]], Settings(root=sys.argv[1]))\n"
        "base = lambda path: os.path.basename(path.rstrip('/'))\n"
        "print([base(f) for f in files], [base(p.path) for p in problems])"
    )
    command = [sys.executable, "-c", code, str(tmp_path), str(Path(project.__file__).parents[1])]
    environment = {
        **os.environ,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    (tmp_path / "locked").chmod(0o755)
    if "Permission denied" in done.stderr and "site-packages" in done.stderr:
        pytest.skip("another user cannot read the environment of the tests")
    assert done.stdout == "['a.py'] ['locked']\n", done.stderr


# --- the workspace


def opened(*paths: Path, **options: object) -> project.Workspace:
    names = [str(path) for path in paths]
    root = find_root(names)
    return open_workspace(names, settings.load(root.folder), root)


def test_the_context_is_the_whole_project(tmp_path: Path) -> None:
    lay(tmp_path, {"setup.py": "", "pkg/a.py": "", "pkg/b.py": "", "train.py": ""})
    space = opened(tmp_path / "pkg/a.py")
    assert space.paths == ["pkg/a.py"]
    assert sorted(space.files.paths()) == ["pkg/a.py", "pkg/b.py", "setup.py", "train.py"]
    assert space.files.absolute("pkg/a.py") == str(tmp_path / "pkg/a.py")
    assert not space.narrowed


def test_paths_are_relative_to_the_settings(tmp_path: Path) -> None:
    lay(tmp_path, {"pyproject.toml": "[tool.xlafix]\n", "sub/setup.py": "", "sub/a.py": "", "b.py": ""})
    space = opened(tmp_path / "sub/a.py")
    assert space.paths == ["sub/a.py"]
    assert sorted(space.files.paths()) == ["sub/a.py", "sub/setup.py"]
    assert space.root.folder == space.journal_root == str(tmp_path / "sub")


def test_a_huge_root_is_narrowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "MANY", 5)
    lay(tmp_path, {"setup.py": "", "pkg/a.py": "", "pkg/b.py": ""} | {f"other/m{n}.py": "" for n in range(9)})
    space = opened(tmp_path / "pkg/a.py")
    assert space.narrowed
    assert sorted(space.files.paths()) == ["pkg/a.py", "pkg/b.py"]
    whole = opened(tmp_path)
    assert not whole.narrowed
    assert len(whole.paths) == 12


def test_two_projects_at_once(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {"one/setup.py": "", "one/a.py": "", "two/setup.py": "", "two/b.py": "", "two/c.py": "", "d.py": ""},
    )
    space = opened(tmp_path / "one/a.py", tmp_path / "two/b.py")
    assert space.paths == ["one/a.py", "two/b.py"]
    names = sorted(space.files.paths())
    assert names == ["one/a.py", "one/setup.py", "two/b.py", "two/c.py", "two/setup.py"]


def test_files_are_read_once(tmp_path: Path) -> None:
    lay(tmp_path, {"a.py": "1"})
    files = DiskFiles(str(tmp_path), [str(tmp_path / "a.py")])
    assert files.read("a.py") == b"1"
    (tmp_path / "a.py").write_text("2")
    assert files.read("a.py") == b"1"
    assert files.afresh().read("a.py") == b"2"
    given = DiskFiles(str(tmp_path), [], {str(tmp_path / "new.py"): b"3"})
    assert (list(given.paths()), given.read("new.py")) == (["new.py"], b"3")
