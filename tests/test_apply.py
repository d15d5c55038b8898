"""Files are written and restored, and the way back is kept."""

from __future__ import annotations

import os
import pickle
import stat
import threading
from pathlib import Path

import pytest
from harness_apply import leftovers, make, posix, root_only, state

from codemods.apply import ApplyError, Change, history, undo, write

# --- the ordinary way


def test_write_and_undo(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    changes = make(tmp_path, a=b"a\r\n", b=b"") + make(tmp_path / "pkg", c=b"\xff\x00")
    entry = write(changes, root=str(tmp_path), command="xlafix fix .")
    assert state(changes) == ["after"] * 3
    assert (entry.id, entry.command, entry.errors, entry.undone) == ("1", "xlafix fix .", (), False)
    assert [file.path for file in entry.files] == ["a.py", "b.py", "pkg/c.py"]
    assert history(str(tmp_path)) == [entry]
    assert (tmp_path / ".xlafix" / ".gitignore").read_bytes() == b"*\n"

    back = undo(str(tmp_path))
    assert state(changes) == ["before"] * 3
    assert (back.id, back.files, back.errors, back.undone) == ("1", entry.files, (), True)
    assert [run.undone for run in history(str(tmp_path))] == [True]
    with pytest.raises(ApplyError, match="nothing to undo"):
        undo(str(tmp_path))
    with pytest.raises(ApplyError, match="undone already"):
        undo(str(tmp_path), "1")
    assert leftovers(tmp_path) == []


def test_the_journal_is_written_before_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = make(tmp_path, a=b"a\n", b=b"b\n")
    seen: list[str] = []
    real = os.replace

    def replace(source: os.PathLike[str], target: os.PathLike[str]) -> None:
        if str(target).endswith(".py"):
            seen.extend(run.id for run in history(str(tmp_path)))
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    write(changes, root=str(tmp_path), command="c")
    assert seen == ["1", "1"]


def test_runs_are_undone_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"0")
    for n in range(12):
        write([Change(str(path), b"%d" % n, b"%d" % (n + 1))], root=str(tmp_path), command=f"run {n}")
    assert [run.id for run in history(str(tmp_path))] == [str(n) for n in range(12, 0, -1)]
    with pytest.raises(ApplyError, match=r"a\.py: has changed since run 3"):
        undo(str(tmp_path), "3")
    assert path.read_bytes() == b"12"
    undo(str(tmp_path), "12")
    assert undo(str(tmp_path)).id == "11"
    assert path.read_bytes() == b"10"
    with pytest.raises(ApplyError, match="no run 99"):
        undo(str(tmp_path), "99")


def test_the_root_can_move_and_paths_can_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "old"
    old.mkdir()
    outside = make(tmp_path, out=b"out\n")
    make(old, a=b"a\n")
    monkeypatch.chdir(old)
    entry = write([Change("a.py", b"a\n", b"A\n"), *outside], root=".", command="c")
    assert [file.path for file in entry.files] == ["a.py", str(tmp_path / "out.py")]
    monkeypatch.chdir(tmp_path)
    old.rename(tmp_path / "new")
    undo("new")
    assert (tmp_path / "new" / "a.py").read_bytes() == b"a\n"
    assert state(outside) == ["before"]


def test_nothing_to_write_leaves_no_run(tmp_path: Path) -> None:
    changes = make(tmp_path, a=b"a\n")
    entry = write([Change(changes[0].path, b"a\n", b"a\n")], root=str(tmp_path), command="c")
    assert (entry.id, entry.files, entry.errors) == ("", (), ())
    assert history(str(tmp_path)) == []


@posix
def test_mode_and_links_are_kept(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    change = make(tmp_path / "real", a=b"a\n")[0]
    os.chmod(change.path, 0o4751)
    link = tmp_path / "link.py"
    link.symlink_to("real/a.py")
    write([Change(str(link), change.before, change.after)], root=str(tmp_path), command="c")
    for wanted in ("after", "before"):
        assert link.is_symlink()
        assert os.readlink(link) == "real/a.py"
        assert not os.path.islink(change.path)
        assert state([change]) == [wanted]
        assert stat.S_IMODE(os.stat(change.path).st_mode) == 0o4751
        if wanted == "after":
            undo(str(tmp_path))


@posix
@root_only
def test_the_owner_is_kept(tmp_path: Path) -> None:
    change = make(tmp_path, a=b"a\n")[0]
    os.chown(change.path, 12345, 54321)
    write([change], root=str(tmp_path), command="c")
    found = os.stat(change.path)
    assert (found.st_uid, found.st_gid) == (12345, 54321)


@posix
def test_one_file_by_two_names_is_written_once(tmp_path: Path) -> None:
    changes = make(tmp_path, a=b"a\n")
    (tmp_path / "b.py").symlink_to("a.py")
    same = Change(str(tmp_path / "b.py"), changes[0].before, changes[0].after)
    other = Change(str(tmp_path / "b.py"), changes[0].before, b"other")
    entry = write([changes[0], same, other], root=str(tmp_path), command="c")
    assert [file.path for file in entry.files] == ["a.py"]
    assert [(error.path, "same file" in error.message) for error in entry.errors] == [("b.py", True)]
    assert state(changes) == ["after"]
    undo(str(tmp_path))
    assert state(changes) == ["before"]


# --- undo refuses


@pytest.mark.parametrize("how", ["edited", "deleted", "replaced by a directory"])
def test_undo_refuses_where_a_file_changed(tmp_path: Path, how: str) -> None:
    changes = make(tmp_path, a=b"a\n", b=b"b\n", c=b"c\n")
    write(changes, root=str(tmp_path), command="c")
    (tmp_path / "c.py").write_bytes(b"c\n")  # as before the run: no reason to refuse
    if how == "edited":
        (tmp_path / "b.py").write_bytes(b"mine")
    else:
        (tmp_path / "b.py").unlink()
        if how != "deleted":
            (tmp_path / "b.py").mkdir()
    with pytest.raises(ApplyError, match=r"b\.py: has changed since run 1; nothing was restored") as caught:
        undo(str(tmp_path))
    assert caught.value.path == "b.py"
    assert state([changes[0], changes[2]]) == ["after", "before"]
    (tmp_path / "a.py").write_bytes(b"mine too")
    with pytest.raises(ApplyError, match=r"a\.py: has changed since run 1; so have b\.py; nothing"):
        undo(str(tmp_path))


def test_undo_refuses_a_damaged_journal(tmp_path: Path) -> None:
    changes = make(tmp_path, a=b"a\n", b=b"b\n")
    entry = write(changes, root=str(tmp_path), command="c")
    kept = tmp_path / ".xlafix" / "journal" / "1" / entry.files[1].before
    for damage in (lambda: kept.write_bytes(b"?"), kept.unlink):
        damage()
        with pytest.raises(ApplyError, match="journal is damaged; nothing was restored"):
            undo(str(tmp_path))
        assert state(changes) == ["after", "after"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"files": 3}', '{"files": [[1]], "errors": []}', "null"]
)
def test_a_damaged_run_does_not_hide_the_others(tmp_path: Path, text: str) -> None:
    changes = make(tmp_path, a=b"a\n")
    write(changes, root=str(tmp_path), command="c")
    for name in ("2", "notes"):
        (tmp_path / ".xlafix" / "journal" / name).mkdir()
        (tmp_path / ".xlafix" / "journal" / name / "entry.json").write_text(text)
    assert [run.id for run in history(str(tmp_path))] == ["1"]
    with pytest.raises(ApplyError, match="no run 2"):
        undo(str(tmp_path), "2")
    more = write([Change(changes[0].path, changes[0].after, b"x")], root=str(tmp_path), command="c")
    assert more.id == "3"
    undo(str(tmp_path))
    undo(str(tmp_path))
    assert state(changes) == ["before"]


def test_two_runs_at_once_do_not_mix(tmp_path: Path) -> None:
    changes = make(tmp_path, **{f"f{n}": b"%d\n" % n for n in range(20)})
    entries = []

    def run(part: list[Change]) -> None:
        entries.append(write(part, root=str(tmp_path), command="c"))

    threads = [threading.Thread(target=run, args=(changes[n::4],)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(entry.id for entry in entries) == ["1", "2", "3", "4"]
    assert not any(entry.errors for entry in entries)
    assert state(changes) == ["after"] * 20
    for _ in range(4):
        undo(str(tmp_path))
    assert state(changes) == ["before"] * 20


def test_errors_can_be_sent_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(ApplyError("a.py", "is bad")))
    assert (error.path, error.message, str(error)) == ("a.py", "is bad", "a.py: is bad")
