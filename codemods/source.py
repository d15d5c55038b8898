"""Bytes <-> text, exactly, and the one converter between the units of columns.

Pure: nothing here opens a file. `decode` never translates newlines, and `encode` gives back the
bytes that `decode` was given, for every file that it accepts. Lines end at `\\n`, `\\r\\n` and `\\r`
only, as Python's own tokenizer sees it; never use `str.splitlines`, which splits at form feeds too.
"""

from __future__ import annotations

import codecs
import hashlib
import re
import warnings
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

_BOM = codecs.BOM_UTF8
_NEWLINE = re.compile(r"\r\n|\r|\n")
_NEWLINE_BYTES = re.compile(rb"\r\n|\r|\n")
# PEP 263: the cookie, and the only kind of first line that lets the second one hold it.
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK_OR_COMMENT = re.compile(rb"[ \t\f]*(?:#.*)?\Z")
# Codecs whose strict decoding is injective, so that a round trip needs no proof.
_EXACT = frozenset({"utf-8", "ascii", "iso8859-1"})


class SourceError(Exception):
    """A file that cannot be read as Python text, or a text that cannot be written back.

    path: as given; message: what is wrong, without the path; line: 1-based, or None.
    """

    def __init__(self, path: str, message: str, line: int | None = None) -> None:
        super().__init__(path, message, line)
        self.path = path
        self.message = message
        self.line = line

    def __str__(self) -> str:
        where = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{where}: {self.message}"


@dataclass(frozen=True)
class Source:
    """The text of one file, and what is needed to get its bytes back.

    text: decoded, without the BOM, newlines as they are. encoding: the name of the codec. digest:
    SHA-256 of the bytes, hexadecimal.
    """

    path: str
    text: str
    encoding: str
    bom: bool
    digest: str


def digest(data: bytes) -> str:
    """SHA-256 of `data`, hexadecimal: what `Source.digest` and the journal hold."""
    return hashlib.sha256(data).hexdigest()


def decode(path: str, data: bytes) -> Source:
    """The text of a Python file, by its BOM and its PEP 263 cookie, or else UTF-8.

    Raises SourceError where the encoding is unknown or contradicts the BOM, where the bytes do not
    decode, hold a NUL, or could not be written back as the same bytes.
    """
    bom, encoding = _declared(path, data)
    body = data[len(_BOM) :] if bom else data
    nul = body.find(b"\0")
    if nul >= 0:
        raise SourceError(path, "holds a NUL byte, so it is not Python text", _line_of(body, nul))
    try:
        text = _decoded(body, encoding)
    except UnicodeDecodeError as error:
        raise SourceError(path, _undecodable(body, encoding), _line_of(body, error.start)) from error
    except (ValueError, LookupError) as error:
        raise SourceError(path, f"cannot be decoded as {encoding}: {error}") from error
    source = Source(path, text, encoding, bom, digest(data))
    if encoding not in _EXACT:
        # A cookie of, say, UTF-16 or ROT13 stands in ASCII bytes that mean something else then.
        if _cookie(text.encode("utf-8", "surrogatepass")) != _cookie(body):
            raise SourceError(path, f"declares {encoding}, which cannot hold that declaration")
        if encode(source, text) != data:
            raise SourceError(path, f"would not keep its bytes when written in its encoding, {encoding}")
    return source


def encode(source: Source, text: str) -> bytes:
    """`text` as bytes, with the encoding and the BOM of `source`.

    Raises SourceError where the encoding has no such character, and where a reader of the bytes
    would not see `text`, such as after an edit of the cookie.
    """
    try:
        body = text.encode(source.encoding)
    except UnicodeEncodeError as error:
        line = LineIndex(text).position(error.start)[0]
        char = ascii(text[error.start])
        raise SourceError(source.path, f"{char} cannot be written in {source.encoding}", line) from error
    except (ValueError, LookupError) as error:
        raise SourceError(source.path, f"cannot be written in {source.encoding}: {error}") from error
    data = _BOM + body if source.bom else body
    if _declared(source.path, data) != (source.bom, source.encoding):
        raise SourceError(source.path, "the new text declares another encoding than the file had")
    if source.encoding not in _EXACT and not _reads_as(body, source.encoding, text):
        raise SourceError(source.path, f"cannot be written exactly in {source.encoding}")
    return data


class LineIndex:
    """Lines and columns of a text. Offsets are code points, lines are 1-based, columns 0-based.

    A text that ends with a newline has one more, empty line behind it, as editors show it, so that
    every offset up to and including `len(text)` has a position. Asking for what is outside the text
    raises IndexError.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        if "\r" in text:
            self._starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]
        else:  # three times faster, and nearly every file
            self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]

    @property
    def line_count(self) -> int:
        """The number of lines, at least 1."""
        return len(self._starts)

    @property
    def newline(self) -> str:
        """The newline used most often; "\\n" on a tie and where there is none."""
        both = self._text.count("\r\n")
        counts = {"\n": self._text.count("\n") - both, "\r\n": both, "\r": self._text.count("\r") - both}
        return max(counts, key=lambda newline: counts[newline])

    def line_start(self, line: int) -> int:
        """The offset of the first code point of `line`."""
        if not 1 <= line <= len(self._starts):
            raise IndexError(f"line {line} of {len(self._starts)}")
        return self._starts[line - 1]

    def line_text(self, line: int) -> str:
        """The text of `line` without its newline."""
        start, end = self._bounds(line)
        return self._text[start : end - len(self.newline_at(line))]

    def newline_at(self, line: int) -> str:
        """The newline that ends `line`: "\\n", "\\r\\n", "\\r", or "" at the end of the text."""
        start, end = self._bounds(line)
        if line == self.line_count:
            return ""
        if end - start >= 2 and self._text[end - 2 : end] == "\r\n":
            return "\r\n"
        return self._text[end - 1]

    def position(self, offset: int) -> tuple[int, int]:
        """(line, column in code points) of `offset`."""
        if not 0 <= offset <= len(self._text):
            raise IndexError(f"offset {offset} of {len(self._text)}")
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1]

    def offset(self, line: int, column: int) -> int:
        """The offset of a column in code points; it may stand in or right behind the newline."""
        start, end = self._bounds(line)
        if not 0 <= column <= end - start:
            raise IndexError(f"column {column} of {end - start} in line {line}")
        return start + column

    def offset_utf8(self, line: int, utf8_column: int) -> int:
        """The offset of a column in UTF-8 bytes, the unit of `ast` and `gast`.

        Raises IndexError also where the column stands inside a character.
        """
        if self._ascii:
            return self.offset(line, utf8_column)
        start, end = self._bounds(line)
        # surrogatepass: such a text cannot come from a file, but must not be the end of a server
        data = self._text[start:end].encode("utf-8", "surrogatepass")
        if not 0 <= utf8_column <= len(data):
            raise IndexError(f"UTF-8 column {utf8_column} of {len(data)} in line {line}")
        try:
            return start + len(data[:utf8_column].decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError as error:
            raise IndexError(f"UTF-8 column {utf8_column} in line {line} splits a character") from error

    def utf16_column(self, offset: int) -> int:
        """The column of `offset` in UTF-16 code units, the unit of LSP and SARIF."""
        line, column = self.position(offset)
        if self._ascii:
            return column
        start = self._starts[line - 1]
        return column + sum(char > "\uffff" for char in self._text[start:offset])

    def _bounds(self, line: int) -> tuple[int, int]:
        start = self.line_start(line)
        return start, self._starts[line] if line < len(self._starts) else len(self._text)


def _declared(path: str, data: bytes) -> tuple[bool, str]:
    """(has a BOM, codec name) as the bytes declare it; SourceError where that is impossible."""
    bom = data.startswith(_BOM)
    cookie = _cookie(data[len(_BOM) :] if bom else data)
    if cookie is None:
        return bom, "utf-8"
    name, line = cookie
    try:
        encoding = codecs.lookup(_python_name(name)).name
    except (LookupError, ValueError) as error:
        raise SourceError(path, f"declares an unknown encoding, {name!r}", line) from error
    if bom and encoding != "utf-8":
        raise SourceError(path, f"has a UTF-8 byte order mark but declares {name!r}", line)
    return bom, encoding


def _cookie(body: bytes) -> tuple[str, int] | None:
    """(name, line) of the PEP 263 cookie."""
    for number, line in enumerate(_NEWLINE_BYTES.split(body, maxsplit=2)[:2], start=1):
        match = _COOKIE.match(line)
        if match:
            return match.group(1).decode("ascii"), number
        if not _BLANK_OR_COMMENT.match(line):
            break
    return None


def _python_name(name: str) -> str:
    """The codec that Python means by a cookie: editors write `utf-8-unix` and the like."""
    short = name[:12].lower().replace("_", "-")
    for family, codec in (
        ("utf-8", "utf-8"),
        ("latin-1", "iso8859-1"),
        ("iso-8859-1", "iso8859-1"),
        ("iso-latin-1", "iso8859-1"),
    ):
        if short == family or short.startswith(f"{family}-"):
            return codec
    return name


def _decoded(body: bytes, encoding: str) -> str:
    """The text; what a codec such as `unicode-escape` warns about is not for our standard error."""
    if encoding in _EXACT:
        return body.decode(encoding)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return body.decode(encoding)


def _reads_as(body: bytes, encoding: str, text: str) -> bool:
    try:
        return _decoded(body, encoding) == text
    except ValueError:
        return False


def _undecodable(body: bytes, encoding: str) -> str:
    if _cookie(body) is None:
        return "is not UTF-8 and declares no other encoding"
    return f"is not {encoding}, the encoding that it declares"


def _line_of(body: bytes, offset: int) -> int:
    return sum(1 for _ in _NEWLINE_BYTES.finditer(body, 0, offset)) + 1
