"""Files are as before or as after, whatever happens."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from harness_apply import (
    NOBODY,
    ORDINARY,
    give_away,
    leftovers,
    make,
    posix,
    root_only,
    run_python,
    state,
    writing,
)

from codemods import apply
from codemods.apply import ApplyError, Change, history, refusal, undo, write

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


@posix
def test_a_read_only_file(shared: Path) -> None:
    changes = make(shared, a=b"a\n", b=b"b\n", c=b"c\n")
    (shared / "b.py").chmod(0o444)
    give_away(shared)
    printed = run_python(shared, ORDINARY + writing(changes))
    assert printed == "b.py: not written: it is read-only\n"
    assert state(changes) == ["after", "before", "after"]
    assert leftovers(shared) == []
    assert run_python(shared, ORDINARY + "print(undo('.').errors)") == "()\n"
    assert state(changes) == ["before"] * 3


@posix
@root_only
def test_the_superuser_writes_what_is_read_only_for_others(tmp_path: Path) -> None:
    changes = make(tmp_path, a=b"a\n")
    (tmp_path / "a.py").chmod(0o444)
    assert refusal(changes[0].path) == ""
    assert write(changes, root=str(tmp_path), command="c").errors == ()
    assert state(changes) == ["after"]
    assert (tmp_path / "a.py").stat().st_mode & 0o7777 == 0o444
    assert undo(str(tmp_path)).errors == ()
    assert (tmp_path / "a.py").stat().st_mode & 0o7777 == 0o444
    assert state(changes) == ["before"]


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
