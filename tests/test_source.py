"""Bytes come back as they were; lines and columns are those that Python, git and editors mean."""

from __future__ import annotations

import ast
import io
import pickle
import sysconfig
import tokenize
from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st

from codemods.source import LineIndex, SourceError, decode, digest, encode

NEWLINES = ("\n", "\r\n", "\r")
COOKIES = [
    *("utf-8", "utf8", "UTF_8", "utf-8-unix", "utf-8-sig", "latin-1", "iso-8859-15", "latin-1-dos", "ascii"),
    *(
        "cp1252",
        "koi8-r",
        "shift_jis",
        "euc-jp",
        "gbk",
        "big5",
        "iso-2022-jp",
        "utf-7",
        "utf-16",
        "utf-16-le",
    ),
    *("utf-32-be", "rot13", "base64", "unicode_escape", "idna", "nonsense", "mac-roman", "cp037", "hz"),
]
# Everything that has ever been mistaken for a newline, and what columns are counted in.
ODD = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
chars = st.sampled_from("ab#'\" \t\\+~{" + ODD + "éßжあ漢\U0001f600\ufeff")
newline = st.sampled_from(NEWLINES)
lines = st.text(chars, max_size=8)
texts = st.builds(
    lambda rows, last: "".join(row + end for row, end in rows) + last,
    st.lists(st.tuples(lines, newline), max_size=6),
    lines,
)
cookie_lines = st.builds(
    lambda lead, name, end: f"{lead}# -*- coding: {name} -*-{end}",
    st.sampled_from(["", " ", "\x0c", "#!/usr/bin/python\n", "\r", "x = 1\n"]),
    st.sampled_from(COOKIES),
    newline,
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Bytes of a file: with or without BOM and cookie, in the right encoding or in a wrong one."""
    head = draw(st.one_of(st.just(""), cookie_lines))
    encoding = draw(
        st.sampled_from(["utf-8", "latin-1", "cp1252", "koi8-r", "shift_jis", "gbk", "iso-2022-jp"])
    )
    text = head + draw(texts)
    body = (
        text.encode(encoding, "ignore")
        if draw(st.booleans())
        else head.encode() + draw(st.binary(max_size=12))
    )
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + body


@given(files())
@example(b"")
@example(b"\xef\xbb\xbf")
@example(b"\xef\xbb\xbf\xef\xbb\xbfx = 1")
@example(b"# coding: latin-1\rx = '\xe9'\r")
@example(b'# coding: iso-2022-jp\n# \x1b$B$"\x1b(B\x1b(B\n')
@example(b"# coding: utf-7\n# +AGE-\n")
@example(b"# coding: unicode-escape\n\\!")
def test_encode_undoes_decode(data: bytes) -> None:
    try:
        source = decode("f.py", data)
    except SourceError:
        return
    assert encode(source, source.text) == data
    assert source.digest == digest(data)


@given(files())
@example(b"\xef\xbb\xbf# coding: utf-8\n\xc3\xa9")
@example(b"\x0c# coding: latin-1\n\xe9")
@example(b"x = 1\n# coding: latin-1\n\xe9")
@example(b"# coding: latin-1\nx = '\xe9\x85'\n")
def test_what_python_reads_is_read_alike(data: bytes) -> None:
    head = data.split(b"\n")[:2]
    if any(b"\r" in line.removesuffix(b"\r") for line in head) or b"\0" in data:
        return  # Python's library, unlike its compiler, does not know a lone \r here
    try:
        wanted = data.decode(tokenize.detect_encoding(io.BytesIO(data).readline)[0])
    except (SyntaxError, ValueError, LookupError):
        return
    try:
        source = decode("f.py", data)
    except SourceError:
        # Only where writing would change bytes, or the cookie is of a codec that is not for files.
        assert b"coding" in data
        assert b"coding: utf-8" not in data
        assert b"latin" not in data
        return
    assert source.text == wanted


def test_the_standard_library_round_trips() -> None:
    count = 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if "site-packages" in path.parts:
            continue
        data = path.read_bytes()
        try:
            with tokenize.open(path) as file:
                file.read()
        except (SyntaxError, UnicodeDecodeError):
            continue
        if b"\0" not in data:
            source = decode(str(path), data)
            assert encode(source, source.text) == data
            count += 1
    assert count > 100


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"x = '\xc3\xa9'\r\n", "utf-8", "x = 'é'\r\n"),
        (b"# coding: latin-1\nx = '\xe9'", "iso8859-1", "# coding: latin-1\nx = 'é'"),
        (b"#!/bin/sh\r# vim: set fileencoding=cp1252 :\r# \x80\r", "cp1252", None),
        (b"\x0c\n# coding: koi8-r\n# \xd6\n", "koi8-r", None),
        (b"x = 1\n# coding: latin-1\n", "utf-8", None),
        (b"\n\n# coding: latin-1\n", "utf-8", None),
        (b"# coding: utf-8-unix\n", "utf-8", None),
        (b"# coding: ISO_8859_1-dos\n# \xe9\n", "iso8859-1", None),
        (b"print('coding: latin-1')\n", "utf-8", None),
    ],
)
def test_the_cookie_is_pythons(data: bytes, encoding: str, text: str | None) -> None:
    compile(data, "f.py", "exec")
    source = decode("f.py", data)
    assert source.encoding == encoding
    assert not source.bom
    assert text is None or source.text == text
    assert encode(source, source.text) == data


def test_a_bom_is_no_part_of_the_text() -> None:
    source = decode("f.py", b"\xef\xbb\xbfx = 1\n")
    assert (source.text, source.bom, source.encoding) == ("x = 1\n", True, "utf-8")
    assert encode(source, "y = 2\n") == b"\xef\xbb\xbfy = 2\n"


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"x = 1\r\ry = '\xe9'\n", 3, "not UTF-8 and declares no other"),
        (b"# coding: ascii\n\n'\xe9'\n", 3, "is not ascii"),
        (b"\n# coding: nonsense\n", 2, "'nonsense'"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, "byte order mark"),
        (b"x\ny\0\n", 2, "NUL"),
        ("x = 1\n".encode("utf-16"), 1, "NUL"),
        (b"# coding: utf-16-le\n", None, "cannot hold"),
        (b"# coding: rot13\n", None, "not a text encoding"),
        (b"# coding: unicode_escape\n\\x41\n", None, "would not keep its bytes"),
        (b"# coding: shift_jis\n# \x87\x90\x87\n", 2, "shift_jis"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, line: int | None, words: str) -> None:
    with pytest.raises(SourceError) as caught:
        decode("pkg/f.py", data)
    error = caught.value
    assert (error.path, error.line) == ("pkg/f.py", line)
    assert words in error.message
    assert str(error).startswith("pkg/f.py:")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("data", "text", "line"),
    [
        (b"# coding: latin-1\n\n", "# coding: latin-1\n\nx = 'ж'\n", 3),
        (b"", "\ud800", 1),
        (b"# coding: latin-1\n", "# coding: utf-8\n", None),
        (b"# coding: latin-1\n", "import a\n\n# coding: latin-1\n", None),
        (b"x = 1\n", "# coding: latin-1\nx = 1\n", None),
        (b"x = 1\n", "\ufeffx = 1\n", None),
        (b"# coding: iso-2022-jp\n", '# coding: iso-2022-jp\n\x1b$B$"\x1b(B', None),
    ],
)
def test_what_would_not_be_read_back_is_not_written(data: bytes, text: str, line: int | None) -> None:
    source = decode("f.py", data)
    with pytest.raises(SourceError) as caught:
        encode(source, text)
    assert caught.value.line == line


def model(text: str) -> list[str]:
    """Lines with their ends, character by character."""
    found, current = [], ""
    for n, char in enumerate(text):
        current += char
        if char == "\n" or (char == "\r" and text[n + 1 : n + 2] != "\n"):
            found.append(current)
            current = ""
    return [*found, current]


@given(texts)
@example("\r\r\n\n")
@example("a\r")
def test_lines_and_offsets_against_a_model(text: str) -> None:
    index = LineIndex(text)
    rows = model(text)
    assert index.line_count == len(rows)
    assert index.newline in NEWLINES
    offset = 0
    for number, row in enumerate(rows, start=1):
        plain = row.rstrip("\r\n")
        assert index.line_start(number) == offset
        assert index.line_text(number) == plain
        assert index.line_text(number) + index.newline_at(number) == row
        for column in range(len(row)):
            before = row[:column]
            assert index.position(offset + column) == (number, column)
            assert index.offset(number, column) == offset + column
            assert index.offset_utf8(number, len(before.encode())) == offset + column
            assert index.utf16_column(offset + column) == len(before.encode("utf-16-le")) // 2
        offset += len(row)
    assert index.position(len(text)) == (len(rows), len(rows[-1]))


@given(st.lists(st.tuples(st.sampled_from(["'é'", "'\U0001f600'", "'a'"]), newline), min_size=1, max_size=5))
def test_columns_of_ast(rows: list[tuple[str, str]]) -> None:
    text = "".join(f"\x0cf({string}, name){end}" for string, end in rows)
    index = LineIndex(text)
    names = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and n.id == "name"]
    assert len(names) == len(rows)
    for node in names:
        assert node.end_col_offset is not None
        start = index.offset_utf8(node.lineno, node.col_offset)
        assert text[start : index.offset_utf8(node.lineno, node.end_col_offset)] == "name"


def test_the_main_newline() -> None:
    assert LineIndex("").newline == "\n"
    assert LineIndex("a\r\nb\nc\r\n").newline == "\r\n"
    assert LineIndex("a\rb\rc\r\n").newline == "\r"
    assert LineIndex("a\r\nb\n").newline == "\n"


def test_outside_of_the_text_is_an_error() -> None:
    index = LineIndex("é\nab")
    for call in (
        lambda: index.line_start(0),
        lambda: index.line_text(3),
        lambda: index.newline_at(3),
        lambda: index.position(5),
        lambda: index.position(-1),
        lambda: index.offset(2, 3),
        lambda: index.offset(1, -1),
        lambda: index.offset_utf8(1, 1),
        lambda: index.offset_utf8(1, 9),
        lambda: index.utf16_column(5),
    ):
        with pytest.raises(IndexError):
            call()
