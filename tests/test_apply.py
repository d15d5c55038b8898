"""Files are as before or as after, whatever happens, and the way back is kept."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codemods import apply, journal
from codemods.apply import ApplyError, Change, history, undo, unstaged, write

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")
root_only = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs the superuser")


def make(folder: Path, **files: bytes) -> list[Change]:
    """Files `<name>.py` and a change of each, which puts a line at its end."""
    changes = []
    for name, data in files.items():
        path = folder / f"{name}.py"
        path.write_bytes(data)
        changes.append(Change(str(path), data, data + b"# new\n"))
    return changes


def state(changes: list[Change]) -> list[str]:
    """What each file holds: "before", "after", or something else."""
    found = []
    for change in changes:
        data = Path(change.path).read_bytes()
        found.append({change.before: "before", change.after: "after"}.get(data, repr(data)))
    return found


def leftovers(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*") if "tmp" in path.name or "unfinished" in path.name)


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


# --- one file fails, the others go on


def loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


FAILURES: dict[str, tuple[Callable[[Path], object], str]] = {
    "changed": (lambda path: path.write_bytes(b"mine"), "changed since it was read"),
    "vanished": (lambda path: path.unlink(), "No such file"),
    "read-only": (lambda path: path.chmod(0o444), "read-only"),
    "loop": (loop, "symbolic links"),
    "directory": (folder, "not a regular file"),
    "pipe": (pipe, "not a regular file"),
}


@posix
@pytest.mark.parametrize("kind", FAILURES)
@pytest.mark.parametrize("late", [False, True], ids=["early", "late"])
def test_a_file_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, late: bool
) -> None:
    """`late`: it happens when the journal is written already."""
    spoil, words = FAILURES[kind]
    changes = make(tmp_path, a=b"a\n", b=b"b\n", c=b"c\n")
    if late:
        real = apply._replace_all

        def spoiled(*args: object, **options: object) -> object:
            spoil(tmp_path / "b.py")
            return real(*args, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(apply, "_replace_all", spoiled)
    else:
        spoil(tmp_path / "b.py")
    entry = write(changes, root=str(tmp_path), command="c")
    monkeypatch.undo()
    assert [error.path for error in entry.errors] == ["b.py"]
    assert words in entry.errors[0].message
    assert str(entry.errors[0]).startswith("b.py: not written")
    assert [file.path for file in entry.files] == ["a.py", "c.py"]
    assert state([changes[0], changes[2]]) == ["after", "after"]
    assert leftovers(tmp_path) == []
    listed = history(str(tmp_path))[0]
    assert listed.files == entry.files
    assert list(map(str, listed.errors)) == list(map(str, entry.errors))
    # What was not written does not stand in the way of undoing the rest.
    assert undo(str(tmp_path)).errors == ()
    assert state([changes[0], changes[2]]) == ["before", "before"]


def test_where_every_file_fails_there_is_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = make(tmp_path, a=b"a\n")

    def fail(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(apply, "_replace", fail)
    entry = write(changes, root=str(tmp_path), command="c")
    assert (entry.id, entry.files) == ("", ())
    assert str(entry.errors[0]) == "a.py: not written: No space left on device"
    assert history(str(tmp_path)) == []
    assert leftovers(tmp_path) == []


def test_an_interrupt_removes_the_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = make(tmp_path, a=b"a\n", b=b"b\n")
    real = apply._expect
    calls = iter(range(9))

    def interrupted(path: str, expected: str) -> None:
        if next(calls) == 3:  # the second file, just before it is put in its place
            raise KeyboardInterrupt
        real(path, expected)

    monkeypatch.setattr(apply, "_expect", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(changes, root=str(tmp_path), command="c")
    monkeypatch.undo()
    assert state(changes) == ["after", "before"]
    assert leftovers(tmp_path) == []
    assert [file.path for file in undo(str(tmp_path)).files] == ["a.py"]
    assert state(changes) == ["before", "before"]


def run_python(folder: Path, code: str) -> str:
    """What `code` prints, in a process of its own, with the names of `codemods.apply`."""
    environment = {**os.environ, "PYTHONPATH": str(Path(apply.__file__).parents[1])}
    script = f"import os, resource\nfrom codemods.apply import *\n{code}"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def writing(changes: list[Change]) -> str:
    rows = [(os.path.relpath(change.path), change.before, change.after) for change in changes]
    return f"entry = write([Change(*row) for row in {rows!r}], root='.', command='c')\nprint(*entry.errors)"


NOBODY = "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"


@posix
@root_only
def test_a_read_only_directory_for_an_ordinary_user(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as name:  # others cannot enter the folders that pytest makes
        top = Path(name)
        monkeypatch.chdir(top)
        (top / "locked").mkdir()
        changes = make(top, a=b"a\n") + make(top / "locked", b=b"b\n")
        for path in (top, top / "a.py", top / "locked" / "b.py"):
            os.chown(path, 65534, 65534)
        printed = run_python(top, NOBODY + writing(changes))
        assert printed == "locked/b.py: not written: Permission denied\n"
        assert state(changes) == ["after", "before"]
        assert leftovers(top) == []
        # Nor is anything written where the journal cannot be.
        shutil.rmtree(top / ".xlafix")
        os.chown(top, 0, 0)
        top.chmod(0o755)
        again = [Change(changes[0].path, changes[0].after, b"x")]
        code = f"try: exec({writing(again)!r})\nexcept ApplyError as error: print(error)"
        printed = run_python(top, NOBODY + code)
        assert printed == f"{top / '.xlafix' / 'journal'}: not written: Permission denied\n"
        assert state(changes) == ["after", "before"]
        monkeypatch.undo()


@pytest.mark.parametrize("name", [".xlafix", ".xlafix/journal"])
def test_without_a_journal_nothing_is_written(tmp_path: Path, name: str) -> None:
    changes = make(tmp_path, a=b"a\n")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(ApplyError, match="not written"):
        write(changes, root=str(tmp_path), command="c")
    with pytest.raises(ApplyError, match="not written"):
        write(changes, root=str(tmp_path / "missing"), command="c")
    assert state(changes) == ["before"]
    assert history(str(tmp_path)) == []
    with pytest.raises(ApplyError, match="nothing to undo"):
        undo(str(tmp_path))


# --- a full disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no small file system can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    changes = make(small_disk, a=b"a\n", b=b"b" * 60_000, c=b"c\n")
    changes[1] = Change(changes[1].path, changes[1].before, b"B" * 150_000)
    entry = write(changes, root=str(small_disk), command="c")
    assert [str(error) for error in entry.errors] == ["b.py: not written: No space left on device"]
    assert state(changes) == ["after", "before", "after"]
    assert leftovers(small_disk) == []
    assert undo(str(small_disk)).errors == ()
    assert state(changes) == ["before"] * 3


def test_a_disk_too_full_for_the_journal(small_disk: Path) -> None:
    changes = make(small_disk, a=b"a\n", b=b"b" * 150_000)
    with pytest.raises(ApplyError, match=r"journal: not written: No space left"):
        write(changes, root=str(small_disk), command="c")
    assert state(changes) == ["before", "before"]
    assert leftovers(small_disk) == []
    assert history(str(small_disk)) == []


def test_a_disk_too_full_to_undo(small_disk: Path) -> None:
    changes = make(small_disk, a=b"a" * 60_000, b=b"b\n")
    changes[0] = Change(changes[0].path, changes[0].before, b"short")
    write(changes, root=str(small_disk), command="c")
    filler = small_disk / "filler"
    free = os.statvfs(small_disk)
    filler.write_bytes(b"x" * (free.f_bavail * free.f_bsize - 8192))
    back = undo(str(small_disk))
    assert [str(error) for error in back.errors] == ["a.py: not written: No space left on device"]
    assert ([file.path for file in back.files], back.undone) == (["b.py"], False)
    assert state(changes) == ["after", "before"]
    filler.unlink()
    assert [file.path for file in undo(str(small_disk)).files] == ["a.py"]
    assert state(changes) == ["before", "before"]


@posix
def test_a_write_error_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk, but with a limit that any user can set."""
    changes = make(tmp_path, a=b"a\n", b=b"b\n")
    changes[0] = Change(changes[0].path, b"a\n", b"x" * 50_000)
    monkeypatch.chdir(tmp_path)
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
    assert run_python(tmp_path, limit + writing(changes)) == "a.py: not written: File too large\n"
    assert state(changes) == ["before", "after"]
    assert leftovers(tmp_path) == []


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


# --- a killed process

# Runs write or undo in a process of its own for each step, and kills it at that step: a line of
# apply.py, so that no moment between two system calls is left out. A process of its own does the
# forking too, since the one of the tests may have threads.
KILLER = """
import os, random, signal, sys
from codemods import apply, journal

what, top, most = sys.argv[1], sys.argv[2], int(sys.argv[3])

def run(name, step):
    os.chdir(os.path.join(top, name))
    changes = [apply.Change(f"d{n}/f.py", b"%d\\n" % n, b"%d\\nnew\\n" % n) for n in range(3)]
    count = 0
    def trace(frame, event, arg):
        nonlocal count
        if frame.f_code.co_filename not in (apply.__file__, journal.__file__):
            return None
        count += 1
        if count == step:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace
    sys.settrace(trace)
    apply.write(changes, root=".", command="c") if what == "write" else apply.undo(".")
    sys.settrace(None)
    return count

def prepare(name):
    for n in range(3):
        os.makedirs(os.path.join(top, name, f"d{n}"))
        with open(os.path.join(top, name, f"d{n}", "f.py"), "wb") as file:
            file.write(b"%d\\n" % n)
    if what == "undo":
        os.chdir(os.path.join(top, name))
        changes = [apply.Change(f"d{n}/f.py", b"%d\\n" % n, b"%d\\nnew\\n" % n) for n in range(3)]
        apply.write(changes, root=".", command="c")

prepare("whole")
total = run("whole", 0)
for step in sorted(random.Random(7).sample(range(1, total + 1), min(most, total))):
    prepare(str(step))
    child = os.fork()
    if not child:
        run(str(step), step)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status
print(total)
"""


@posix
@pytest.mark.parametrize(
    "most", [30, pytest.param(100_000, marks=pytest.mark.slow)], ids=["some moments", "every moment"]
)
@pytest.mark.parametrize("what", ["write", "undo"])
def test_a_killed_process_leaves_before_or_after(tmp_path: Path, what: str, most: int) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(apply.__file__).parents[1])}
    command = [sys.executable, "-c", KILLER, what, str(tmp_path), str(most)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen = set()
    for place in sorted(tmp_path.iterdir()):
        changes = [Change(str(place / f"d{n}" / "f.py"), b"%d\n" % n, b"%d\nnew\n" % n) for n in range(3)]
        found = state(changes)
        assert set(found) <= {"before", "after"}, place.name
        runs = history(str(place))
        assert runs or found == ["before"] * 3
        seen.add((tuple(found), bool(runs)))
        if "after" in found:
            # Only what was written comes back.
            back = undo(str(place))
            assert [file.path for file in back.files] == [
                f"d{n}/f.py" for n in range(3) if found[n] == "after"
            ]
        assert state(changes) == ["before"] * 3
        # The next run works, and sweeps up.
        assert write(changes, root=str(place), command="again").errors == ()
        assert state(changes) == ["after"] * 3
        assert leftovers(place) == []
        undo(str(place))
        assert state(changes) == ["before"] * 3
    halves = {(("after", "before", "before"), True), (("after", "after", "before"), True)}
    if what == "undo":
        halves = {(("before", "after", "after"), True), (("before", "before", "after"), True)}
    assert halves <= seen  # else the moments were not spread over the run


# --- git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    place = tmp_path / "re po"
    (place / "pkg").mkdir(parents=True)
    for name in ("clean.py", "é.py", "pkg/deep.py", "staged.py"):
        (place / name).write_bytes(b"x = 1\n")
    git(place, "init", "-q")
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "one")
    return place


def git(place: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=place, check=True, capture_output=True)


def test_unstaged_changes(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["clean.py", "é.py", "pkg/deep.py", "staged.py", "new.py", "ignored.py", "outside.py", "link.py"]
    paths = [str(repository / name) for name in names]
    paths[6] = str(repository.parent / "outside.py")
    for name in ("é.py", "pkg/deep.py", "staged.py", "new.py", "ignored.py", "../outside.py"):
        (repository / name).write_bytes(b"y = 2\n")
    (repository / "link.py").symlink_to("pkg/deep.py")
    (repository / ".gitignore").write_bytes(b"ignored.py\n")
    git(repository, "add", "staged.py")
    assert unstaged(paths) == [paths[1], paths[2], paths[7]]
    assert unstaged([paths[7], paths[0]]) == [paths[7]]
    assert unstaged([]) == []
    monkeypatch.chdir(repository / "pkg")
    assert unstaged(["deep.py", "../clean.py", "../é.py"]) == ["deep.py", "../é.py"]
    (repository / "staged.py").write_bytes(b"z = 3\n")
    assert unstaged([paths[3]]) == [paths[3]]
    (repository / "clean.py").touch()  # only the time
    assert unstaged([paths[0]]) == []
    (repository / "new.py").write_bytes(b"y = 2\n")
    git(repository, "add", "-N", "new.py")
    assert unstaged([paths[4]]) == [paths[4]]


def test_one_call_of_git_per_work_tree(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = repository / "inner"
    inner.mkdir()
    (inner / "a.py").write_bytes(b"1")
    git(inner, "init", "-q")
    git(inner, "add", ".")
    (inner / "a.py").write_bytes(b"2")
    (repository / "clean.py").write_bytes(b"2")
    calls = []
    real = subprocess.run

    def run(command: list[str], **options: object) -> object:
        calls.append(command)
        return real(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", run)
    paths = [str(repository / name) for name in ("clean.py", "staged.py", "inner/a.py", "é.py")]
    assert unstaged(paths) == [paths[0], paths[2]]
    assert len(calls) == 2
    # Too many names for a command line: the same answer without them.
    many = paths + [str(repository / "pkg" / f"{n:0200}.py") for n in range(400)]
    assert unstaged(many) == [paths[0], paths[2]]
    assert sum(map(len, calls[2])) < 10_000


def test_without_git_nothing_is_refused(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = repository / "clean.py"
    path.write_bytes(b"2")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert unstaged([str(path)]) == [str(path)]
    (repository / ".git" / "HEAD").write_bytes(b"broken")
    assert unstaged([str(path)]) == []
    monkeypatch.setenv("PATH", "")
    assert unstaged([str(path)]) == []


@posix
def test_git_runs_no_code_of_the_project(repository: Path) -> None:
    hook = repository / "evil.sh"
    hook.write_text("#!/bin/sh\ntouch ran\n")
    hook.chmod(0o755)
    git(repository, "config", "core.fsmonitor", f"'{hook}'")
    path = repository / "clean.py"
    path.write_bytes(b"2")
    os.utime(repository / "staged.py", (1, 1))  # git would note in the index that it is unchanged
    index = (repository / ".git" / "index").read_bytes()
    assert unstaged([str(path), str(repository / "staged.py")]) == [str(path)]
    assert not (repository / "ran").exists()
    assert (repository / ".git" / "index").read_bytes() == index


def test_git_does_not_see_the_journal(repository: Path) -> None:
    path = repository / "clean.py"
    write([Change(str(path), b"x = 1\n", b"x = 2\n")], root=str(repository), command="c")
    command = ["git", "status", "--porcelain"]
    shown = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True).stdout
    assert shown == " M clean.py\n"
    entry = json.loads((repository / ".xlafix" / "journal" / "1" / "entry.json").read_text())
    assert entry["files"][0][0] == "clean.py"
