"""Edits against the naive model of each operation, and diffs against the tools that read them."""

from __future__ import annotations

import io
import itertools
import shutil
import subprocess
import tempfile
import tokenize
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings, strategies as st

from codemods.edits import (
    EditError,
    OffsetMap,
    apply,
    conflict,
    deletes_comment,
    fix_edits,
    merge,
    select,
    unified_diff,
    validate,
)
from codemods.model import Edit, Fix, Need, Safety

TEXT = st.text(st.sampled_from("ab\n\té\U0001f600\x0c\u2028"), max_size=12)


def edit(start: int, end: int, text: str = "", path: str = "f.py") -> Edit:
    return Edit(path, start, end, text)


def fix(*edits: Edit, needs: tuple[Need, ...] = ()) -> Fix:
    return Fix("Do it", "it", edits, Safety.SAFE, needs=needs)


@st.composite
def some_edits(draw: st.DrawFn, size: int, most: int = 4) -> list[Edit]:
    """Any edits of a text of `size` characters, in conflict or not."""
    found = []
    for _ in range(draw(st.integers(0, most))):
        start = draw(st.integers(0, size))
        end = draw(st.integers(start, min(size, start + 4)))
        found.append(edit(start, end, draw(st.sampled_from(["", "x", "yz"]))))
    return found


@st.composite
def text_and_edits(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    text = draw(TEXT)
    return text, draw(some_edits(len(text)))


def in_conflict(edits: list[Edit]) -> bool:
    """By the definition, pair by pair: a common character, an insertion inside, or two in one place."""
    for a, b in itertools.combinations(set(edits), 2):
        first, second = sorted((a, b), key=lambda e: (e.start, e.end))
        if set(range(a.start, a.end)) & set(range(b.start, b.end)):
            return True
        for insertion, other in ((first, second), (second, first)):
            if insertion.start == insertion.end and other.start < insertion.start < other.end:
                return True
        if (a.start, a.end) == (b.start, b.end):
            return True
    return False


@given(text_and_edits())
@example(("abc", [edit(1, 1, "x"), edit(1, 2, "y"), edit(2, 2, "z")]))
@example(("abc", [edit(1, 1, "x"), edit(0, 2, "y")]))
@example(("abc", [edit(1, 1, "x"), edit(1, 1, "y")]))
@example(("abc", [edit(1, 1, "x"), edit(1, 1, "x")]))
def test_conflict_and_validate_follow_the_definition(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    wanted = in_conflict(edits)
    for cut in range(len(edits) + 1):
        assert conflict(edits[:cut], edits[cut:]) is wanted
        assert conflict(edits[cut:], edits[:cut]) is wanted
    if wanted:
        with pytest.raises(EditError, match="in conflict"):
            validate(edits, {"f.py": text})
        with pytest.raises(EditError, match="in conflict"):
            apply(text, edits)
    else:
        validate(edits, {"f.py": text})


@given(text_and_edits(), st.randoms())
def test_apply_against_a_model(case: tuple[str, list[Edit]], random: object) -> None:
    """Each character carries what is put before it and what it becomes."""
    text, edits = case
    assume(not in_conflict(edits))
    before = [""] * (len(text) + 1)
    replaced = list(text)
    ended = [""] * (len(text) + 1)
    for one in set(edits):
        if one.start == one.end:
            before[one.start] += one.text
        else:
            replaced[one.start : one.end] = [""] * (one.end - one.start)
            ended[one.start] = one.text
    new = ""
    where = []
    gone = {n: one.start for one in edits for n in range(one.start + 1, one.end)}
    for n in range(len(text) + 1):
        new += before[n]
        where.append(len(new))
        new += ended[n] + (replaced[n] if n < len(text) else "")
    for n, start in gone.items():
        where[n] = where[start]
    random.shuffle(edits)  # type: ignore[attr-defined]
    assert apply(text, edits) == new
    assert apply(text, edits * 2) == new
    mapped = OffsetMap(edits)
    assert [mapped.new(n) for n in range(len(text) + 1)] == where


def test_ranges_paths_and_newlines_are_checked() -> None:
    for bad in (edit(-1, 0), edit(2, 1), edit(0, 4), edit(4, 4)):
        with pytest.raises(EditError, match="no range"):
            validate([bad], {"f.py": "abc"})
    with pytest.raises(EditError, match=r"g\.py.*not part"):
        validate([edit(0, 0, "x", "g.py")], {"f.py": "abc"})
    for bad in (edit(2, 2, "x"), edit(0, 2), edit(2, 3)):
        with pytest.raises(EditError, match="splits"):
            validate([bad], {"f.py": "a\r\nb"})
    validate([edit(1, 3, "\r\n"), edit(3, 3, "x")], {"f.py": "a\r\nb"})
    validate([edit(2, 2, "x")], {"f.py": "a\n\nb"})
    with pytest.raises(EditError, match="several files"):
        apply("abc", [edit(0, 0, "x"), edit(0, 0, "x", "g.py")])
    assert not conflict([edit(0, 1)], [edit(0, 1, "x", "g.py")])


# --- fixes


@st.composite
def fixes_with_needs(draw: st.DrawFn) -> list[Fix]:
    """Fixes of two files; each has own places, or a place that others want too, and shared needs."""
    needs = {
        (key, path): Need(key, (edit(0, 0, f"import {key}\n", path),))
        for key, path in itertools.product("m", ("f.py", "g.py"))
    } | {("rng", "f.py"): Need("rng", (edit(2, 2, "_rng = 1\n"), edit(3, 4, "R")))}
    found = []
    for n in range(draw(st.integers(0, 6))):
        path = draw(st.sampled_from(["f.py", "g.py"]))
        place = draw(st.one_of(st.just(10 + 4 * n), st.integers(9, 30)))
        edits = [edit(place, place + draw(st.integers(0, 3)), f"<{n}>", path)]
        if draw(st.booleans()):
            edits.append(edit(50 + n, 50 + n, f"<{n}>", draw(st.sampled_from(["f.py", "g.py"]))))
        used = draw(st.lists(st.sampled_from(sorted(needs)), unique=True, max_size=3))
        found.append(fix(*edits, needs=tuple(needs[key] for key in used)))
    return found


@settings(deadline=None)
@given(fixes_with_needs())
def test_any_subset_has_each_need_exactly_once(fixes: list[Fix]) -> None:
    texts = dict.fromkeys(("f.py", "g.py"), "." * 100)
    assert select([]) == ([], [])
    assert merge([]) == {}
    for size in range(1, len(fixes) + 1):
        for subset in itertools.combinations(fixes, size):
            accepted, dropped = select(subset)
            assert sorted(map(id, accepted + dropped)) == sorted(map(id, subset))
            assert accepted[:1] == list(subset[:1])
            merged = merge(accepted)
            everything = [one for edits in merged.values() for one in edits]
            validate(everything, texts)
            # Nothing is lost and nothing else is there: atomic fixes, shared needs.
            assert set(everything) == {one for taken in accepted for one in fix_edits(taken)}
            assert len(everything) == len(set(everything))
            new = {path: apply(text, merged.get(path, ())) for path, text in texts.items()}
            for path, key, mark in (
                ("f.py", "m", "import m\n"),
                ("g.py", "m", "import m\n"),
                ("f.py", "rng", "_rng = 1\n"),
            ):
                wanted = any(
                    need.key == key and need.edits[0].path == path for one in accepted for need in one.needs
                )
                assert new[path].count(mark) == wanted
            for one in dropped:
                assert conflict(everything, fix_edits(one))
                with pytest.raises(EditError, match="in conflict"):
                    merge([*accepted, one])


def test_a_dropped_fix_leaves_nothing_behind() -> None:
    need = Need("m", (edit(0, 0, "import m\n"),))
    first = fix(edit(5, 8, "x"))
    bad = fix(edit(20, 21, "y"), edit(6, 7, "z"), needs=(need,))
    later = fix(edit(20, 22, "w"))
    assert select([first, bad, later]) == ([first, later], [bad])
    assert merge([first, later]) == {"f.py": (edit(5, 8, "x"), edit(20, 22, "w"))}


def test_the_first_edits_of_a_need_stand() -> None:
    one = fix(edit(5, 6, "x"), needs=(Need("m", (edit(0, 0, "import m\n"),)),))
    two = fix(edit(7, 8, "y"), needs=(Need("m", (edit(1, 1, "import m\n"),)),))
    assert merge([one, two])["f.py"] == (edit(0, 0, "import m\n"), edit(5, 6, "x"), edit(7, 8, "y"))
    assert merge([two, one])["f.py"] == (edit(1, 1, "import m\n"), edit(5, 6, "x"), edit(7, 8, "y"))


def test_a_fix_in_conflict_with_itself_is_never_taken() -> None:
    bad = fix(edit(0, 2, "x"), edit(1, 3, "y"))
    assert select([bad]) == ([], [bad])
    with pytest.raises(EditError, match="Do it"):
        merge([bad])


# --- comments


@pytest.mark.parametrize(
    ("before", "old", "new", "lost"),
    [
        ("x = 1  # why\n", "x = 1  # why", "x = 2", True),
        ("x = 1  # why\n", "x = 1  # why", "x = 2  # why", False),
        ("x = 1  # why\n", "1", "2", False),
        ("x = 1  # why\n", "why", "how", True),
        ("x = 1  # why\n", "# why", "", True),
        ("x = '# why'\n", "'# why'", "''", False),
        ("x = '''\n# why\n'''\n", "# why", "", False),
        ("f(a,  # one\n  b)  # two\n", "a,  # one\n  b", "b", True),
        ("f(a,  # one\n  b)  # two\n", "a,  # one\n  b", "a,  # one\n  c", False),
        ("f(a,  # c\n  b,  # c\n  d)\n", "a,  # c\n  b,  # c\n", "a,  # c\n", True),
        ("x = 1  # why\n", "x = 1  # why", "x = '# why'", True),
        ("x = 1\r# why\ry = 2\r", "x = 1\r# why", "x = 1", True),
        ("x = 1\ry = 2  # why\r", "x = 1", "x = 3", False),
        ("x = '\u2028 #'  # why\n", "'\u2028 #'", "''", False),
        ("\x0cx = 1  # why\n", "x = 1", "x = 2", False),
        ("x = (  # open\n", "x = (", "x = [", False),
        ("x = (  # open\n", "(  # open", "(", True),
        ("  x = 1\n y = '''  # odd\n", "'''  # odd", "1", True),
    ],
)
def test_lost_comments(before: str, old: str, new: str, lost: bool) -> None:
    start = before.index(old)
    assert deletes_comment(before, edit(start, start + len(old), new)) is lost


def test_text_put_into_a_comment_changes_it() -> None:
    text = "x = 1  # why\n"
    assert deletes_comment(text, edit(9, 9, "z"))
    assert not deletes_comment(text, edit(7, 7, "z"))
    assert not deletes_comment(text, edit(12, 12, "z"))


@given(st.text(st.sampled_from("#'\"\n\r\t ()\\af0{:=\x00\x0c\ud800é"), max_size=20), st.data())
def test_deletes_comment_never_raises(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(-2, len(text) + 2))
    end = data.draw(st.integers(-2, len(text) + 2))
    assert deletes_comment(text, edit(start, end, "x # y")) in (True, False)


STATEMENTS = (
    "x = 1  # one\n",
    "# alone\n",
    "y = '#no'\n",
    "if x:  # why\n    pass\n",
    "f(a,  # arg\n  b)\n",
    "\n",
)


@given(st.lists(st.sampled_from(STATEMENTS), max_size=5), st.data())
def test_deleting_whole_text_finds_exactly_the_comments(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cut = data.draw(st.integers(0, len(parts)))
    start = len("".join(parts[:cut]))
    tokens = tokenize.generate_tokens(io.StringIO(text[start:]).readline)
    wanted = any(token.type == tokenize.COMMENT for token in tokens)
    assert deletes_comment(text, edit(start, len(text))) is wanted
    assert not deletes_comment(text, edit(start, len(text), text[start:]))


# --- diffs

ROWS = st.lists(
    st.sampled_from(
        [
            b"a",
            b"b",
            b"",
            b"\xe9",
            b"\xef\xbb\xbfx",
            b"\x0c",
            b"-- c",
            b"++ d",
            b"\r",
            b"e\r",
            b"\\ f",
            b"\x00g"[1:],
        ]
    ),
    max_size=25,
)
FILES = st.builds(
    lambda rows, last: b"".join(row + b"\n" for row in rows) + last,
    ROWS,
    st.sampled_from([b"", b"z", b"\xe9\r"]),
)
NAMES = (
    "f.py",
    "pkg/a b.py",
    'q"\\t\tn\n\x01.py',
    "é ü.py",
    b"\xff\xfe.py".decode("utf-8", "surrogateescape"),
)


def apply_with(tool: str, name: str, before: bytes, patch: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, name)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(before)
        command = {
            "git": ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"],
            "patch": ["patch", "-p1", "--binary", "--fuzz=0", "--no-backup-if-mismatch"],
        }[tool]
        done = subprocess.run(command, input=patch, capture_output=True, cwd=folder, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr + patch).decode("utf-8", "replace")
        assert [p for p in Path(folder).rglob("*") if p.is_file()] == [file]
        return file.read_bytes()


@pytest.mark.parametrize("tool", ["git", "patch"])
@settings(deadline=None, max_examples=60)
@given(name=st.sampled_from(NAMES), before=FILES, after=FILES)
@example(name="f.py", before=b"", after=b"x")
@example(name="f.py", before=b"x", after=b"x\n")
@example(name="f.py", before=b"x\r\ny\r\n", after=b"x\r\nz\r\n")
@example(name="a b.py", before=b"1\n2\n3\n4\n5\n6\n7\n8\n", after=b"0\n2\n3\n4\n5\n6\n7\n9\n")
@example(name="a b.py", before=b"1\n2\n3\n4\n5\n6\n7\n8\n9\n", after=b"0\n2\n3\n4\n5\n6\n7\n8\n0\n")
def test_tools_apply_the_diff(tool: str, name: str, before: bytes, after: bytes) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    patch = unified_diff(name, before, after)
    if before == after:
        assert patch == b""
        return
    assert patch.startswith(b"diff --git ")
    if tool == "patch" and (not before or not after or "\n" in name):
        return  # GNU patch takes an empty side for a new or a deleted file, and knows no newline in a name
    assert apply_with(tool, name, before, patch) == after


def test_a_diff_is_as_git_prints_it(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    before = b"".join(b"line %d\r\n" % n for n in range(40)) + b"\xe9 end"
    after = before.replace(b"line 12\r", b"l12\r").replace(b"line 20\r", b"l20\r")
    after = after.replace(b"line 5\r", b"LINE\r").replace(b"line 30\r\n", b"").replace(b" end", b" END")
    for name in NAMES[:4]:
        (tmp_path / "a" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "b" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "a" / name).write_bytes(before)
        (tmp_path / "b" / name).write_bytes(after)
        command = ["git", "-c", "core.autocrlf=false", "diff", "--no-index", "--no-prefix", "--no-color"]
        command += [f"a/{name}", f"b/{name}"]
        printed = subprocess.run(command, capture_output=True, cwd=tmp_path, check=False).stdout
        kept = [row for row in printed.split(b"\n") if not row.startswith(b"index ")]
        # git repeats a line of context behind @@, which is for people only
        kept = [b"@@".join(row.split(b"@@")[:2]) + b"@@" if row.startswith(b"@@") else row for row in kept]
        assert unified_diff(name, before, after) == b"\n".join(kept)


def test_an_empty_side_has_no_first_line() -> None:
    assert unified_diff("f.py", b"", b"x\n").split(b"\n")[3:] == [b"@@ -0,0 +1 @@", b"+x", b""]
    assert unified_diff("f.py", b"x\ny\n", b"").split(b"\n")[3:] == [b"@@ -1,2 +0,0 @@", b"-x", b"-y", b""]


def test_a_one_line_change_in_a_large_file_is_one_line() -> None:
    rows = [b"row %d\n" % n if n % 3 else b"\n" for n in range(50_000)]
    before = b"".join(rows)
    rows[100], rows[40_001] = b"new\n", b"new\n"
    patch = unified_diff("f.py", before, b"".join(rows)).split(b"\n")
    assert sum(row.startswith(b"+") for row in patch) == 3  # with the header
    assert sum(row.startswith(b"-") for row in patch) == 3  # with the header
