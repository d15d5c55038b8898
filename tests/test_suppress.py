from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from codemods import suppress
from codemods.model import Consequence, Diagnostic, Edit, Safety, Span
from codemods.source import LineIndex
from codemods.suppress import Comments, parse

PATH = "m.py"


def finding(text: str, at: str, code: str = "XLA103", path: str = PATH) -> Diagnostic:
    start = text.index(at)
    return Diagnostic(
        code, "dynamic-tensor-array", Consequence.SILENT, "m", Span(path, start, start + len(at))
    )


def run(text: str, *diagnostics: Diagnostic) -> tuple[list[Diagnostic], list[Diagnostic], list[Diagnostic]]:
    index = LineIndex(text)
    return suppress.filter(diagnostics, parse(text, PATH), lambda offset: index.position(offset)[0])


def removed(text: str, report: Diagnostic) -> str:
    """`text` after the fix of `report`."""
    (fix,) = report.fixes
    assert fix.safety is Safety.SAFE
    (edit,) = fix.edits
    return text[: edit.start] + edit.text + text[edit.end :]


def covered(text: str) -> list[tuple[int, int]]:
    return [(ignore.first, ignore.last) for ignore in parse(text, PATH).ignores]


def test_nothing_to_see() -> None:
    assert parse("x = 1  # a comment\n", PATH) == Comments(PATH)


@pytest.mark.parametrize(
    ("comment", "codes", "reason"),
    [
        ("# xlafix: ignore", (), ""),
        ("#xlafix:ignore", (), ""),
        ("# xlafix: ignore because it is", (), "because it is"),
        ("# xlafix: ignore[XLA103]", ("XLA103",), ""),
        ("# xlafix: ignore[XLA103, XLA1] see #12: slow", ("XLA103", "XLA1"), "see #12: slow"),
        ("# xlafix: ignore[XLA103]: known", ("XLA103",), "known"),
        ("# xlafix: ignore [dynamic-tensor-array]", ("dynamic-tensor-array",), ""),
        ("# type: ignore # xlafix: ignore[XLA103] why # noqa: E501", ("XLA103",), "why"),
    ],
)
def test_forms(comment: str, codes: tuple[str, ...], reason: str) -> None:
    comments = parse(f"x = 1  {comment}\n", PATH)
    (ignore,) = comments.ignores
    assert (ignore.line, ignore.codes, ignore.reason, ignore.whole_file) == (1, codes, reason, False)
    assert not comments.malformed


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_columns_are_right_for_all_newlines_and_form_feeds(newline: str) -> None:
    lines = ["s = '''a", "b'''", "\fdef f(ä):", "    y = (ä,  # xlafix: ignore[XLA103]", "    )", ""]
    text = newline.join(lines)
    (ignore,) = parse(text, PATH).ignores
    assert text[ignore.span.start : ignore.span.end] == "# xlafix: ignore[XLA103]"
    assert text[slice(*ignore.codes_at)] == "XLA103"
    assert (ignore.line, ignore.first, ignore.last) == (4, 4, 5)


@pytest.mark.parametrize(
    "text",
    [
        "x = '# xlafix: ignore'\n",
        'x = """\n# xlafix: ignore\n"""\n',
        "x = f'{1} # xlafix: ignore'\n",
        "x = r'\\' # xlafix: bound=3'\n",
    ],
)
def test_strings_say_nothing(text: str) -> None:
    assert parse(text, PATH) == Comments(PATH)


@pytest.mark.parametrize(
    "text",
    [
        "x = (  # xlafix: ignore\n",
        "x = '''  \n# xlafix: ignore\n",
        "x = 'abc # xlafix: ignore\n",
        "if x:\n        y\n    z  # xlafix: ignore\n",
        "x = $  # xlafix: ignore\n",
    ],
)
def test_what_is_not_python_has_no_comments(text: str) -> None:
    assert parse(text, PATH) == Comments(PATH)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a = 1\nx = f(1,  # xlafix: ignore\n  2,\n)\nb = 2\n", (2, 4)),
        ("a = 1\n# xlafix: ignore\n\n# more\nx = f(1,\n  2)\nb = 2\n", (5, 6)),
        ("x = f(1,\n  # xlafix: ignore\n  2)\n", (1, 3)),
        ("for i in r:  # xlafix: ignore\n    a = 1\n", (1, 1)),
        ("# xlafix: ignore\n@a\n@b(\n  1)\ndef f():\n    pass\n", (2, 5)),
        ("@a\n# xlafix: ignore\ndef f():\n    pass\n", (1, 3)),
        ("@a  # xlafix: ignore\nclass C:\n    x = 1\n", (1, 2)),
        ("if a:\n    b = 1\n    # xlafix: ignore\nc = 2\n", (4, 4)),
        ("x = 1 + \\\n  2  # xlafix: ignore\ny = 1\n", (1, 2)),
        ("x = 1\n# xlafix: ignore", (2, 2)),
        ("a = 1; b = 2  # xlafix: ignore", (1, 1)),
        ("y = m @ n\nx = 2  # xlafix: ignore\n", (2, 2)),
    ],
)
def test_the_statement_that_a_comment_covers(text: str, lines: tuple[int, int]) -> None:
    assert covered(text) == [lines]


def test_filter_parts_findings() -> None:
    text = "a = f()  # xlafix: ignore[XLA103] known\nb = f()\n"
    hit, other = finding(text, "a = f()"), finding(text, "b = f()")
    elsewhere = finding(text, "a = f()", path="other.py")
    assert run(text, hit, other, elsewhere) == ([other, elsewhere], [hit], [])


@pytest.mark.parametrize(
    ("inside", "code", "hit"),
    [
        ("[XLA103]", "XLA103", True),
        ("[XLA1]", "XLA103", True),
        ("[XLA101]", "XLA103", False),
        ("[dynamic-tensor-array]", "XLA103", True),
        ("[other-rule]", "XLA103", False),
        ("", "XLA103", True),
        ("", "XLA009", False),  # a fault of the tool is hidden only by name
        ("[XLA009]", "XLA009", True),
        ("[XLA002]", "XLA002", False),
    ],
)
def test_codes(inside: str, code: str, hit: bool) -> None:
    text = f"a = f()  # xlafix: ignore{inside}\n"
    one = finding(text, "a = f()", code)
    kept, suppressed, _ = run(text, one)
    assert (kept, suppressed) == (([], [one]) if hit else ([one], []))


def test_a_whole_file() -> None:
    text = "# xlafix: ignore-file[XLA103] generated\n\na = f()\n"
    one, other = finding(text, "a = f()"), finding(text, "a = f()", "XLA101")
    assert run(text, one, other) == ([other], [one], [])


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["a = f()  # xlafix: ignore", "b"], ["a = f()", "b"]),
        (["a = f()\t# xlafix: ignore[XLA103] why  ", "b"], ["a = f()", "b"]),
        (["if a:", "    # xlafix: ignore[XLA103]", "    b"], ["if a:", "    b"]),
        (["b", "# xlafix: ignore"], ["b"]),
        (["# xlafix: ignore-file"], [""]),
        (["a  # noqa # xlafix: ignore[XLA103] x", ""], ["a  # noqa", ""]),
        (["a  # xlafix: ignore[XLA103] x # noqa: E501", ""], ["a  # noqa: E501", ""]),
        (["a", "\f# xlafix: ignore", "b"], ["a", "\f", "b"]),
    ],
)
def test_an_unused_comment_goes(newline: str, before: list[str], after: list[str]) -> None:
    text = newline.join(before)
    _, _, (report,) = run(text)
    assert (report.code, report.consequence) == ("XLA002", Consequence.TOOL)
    assert text[report.span.start :].startswith("# xlafix")
    assert removed(text, report) == newline.join(after)


def test_only_the_unused_code_goes() -> None:
    text = "a = f()  # xlafix: ignore[XLA101, XLA103,XLA105] why\n"
    _, _, (report,) = run(text, finding(text, "a = f()"))
    assert removed(text, report) == "a = f()  # xlafix: ignore[XLA103] why\n"
    assert "XLA101 and XLA105" in report.message


def test_a_rule_that_did_not_run_makes_no_comment_useless() -> None:
    text = "a  # xlafix: ignore[XLA101, XLA201]\nb  # xlafix: ignore\n"
    comments = parse(text, PATH)
    asked = ["XLA201"]
    _, _, (report,) = suppress.filter([], comments, lambda _: 1, ran=lambda code: code in asked)
    assert removed(text, report) == text.replace(", XLA201", "")


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# xlafix: ignor[XLA103]", "`xlafix: ignor` is unknown; did you mean `ignore`?"),
        ("# xlafix: zzz", "known are ignore, ignore-file,"),
        ("# xlafix:", "says nothing after `xlafix:`"),
        ("# xlafix: ignore[]", "a code is missing"),
        ("# xlafix: ignore[E501]", "`E501` is no rule code"),
        ("# xlafix: ignore[XLA103", "not closed"),
        ("# xlafix: ignore XLA103", "`ignore[XLA103]`"),
        ("# xlafix: ignore=XLA103", "codes stand in brackets"),
        ("# xlafix: bound", "`bound` is written `bound=...`"),
        ("# xlafix: bound=", "`` is not an expression"),
        ("# xlafix: bound=n +", "`n +` is not an expression"),
        ("# xlafix: static=3", "`3` is not a name"),
        ("# xlafix: compiled=yes", "`compiled` is written `compiled`"),
    ],
)
def test_a_comment_that_says_nothing_is_reported(comment: str, message: str) -> None:
    text = f"a = f()  {comment}\n"
    one = finding(text, "a = f()")
    kept, suppressed, (report,) = run(text, one)
    assert (kept, suppressed) == ([one], [])
    assert message in report.message
    assert text[report.span.start : report.span.end] == comment
    assert not report.fixes
    assert report.unavailable


def test_facts_by_every_line_of_their_statement() -> None:
    text = (
        "# xlafix: compiled\n@dec\ndef f(n,\n      m):  # xlafix: static=n, self.m\n"
        "    while c:  # xlafix: bound=max(N, 3) # xlafix: ignore[XLA102] long\n        pass\n"
    )
    comments = parse(text, PATH)
    told = {line: [(fact.kind, fact.value) for fact in facts] for line, facts in comments.facts.items()}
    both = [("compiled", ""), ("static", "n"), ("static", "self.m")]
    assert told == {2: both, 3: both, 4: both, 5: [("bound", "max(N, 3)")]}
    assert comments.ignores[0].codes == ("XLA102",)
    assert not comments.malformed


def test_a_fact_ends_at_another_comment() -> None:
    (fact,) = parse("while c:  # xlafix: bound=N + 1 # as the caller says\n    pass\n", PATH).facts[1]
    assert (fact.kind, fact.value) == ("bound", "N + 1")


@given(
    st.lists(
        st.sampled_from(
            [
                "x = 1",
                "f(",
                ")",
                "'''",
                "# xlafix: ignore[XLA1]",
                " ",
                "    ",
                "\f",
                "\t",
                "\\",
                "\n",
                "\r",
                "\r\n",
                "ä𝟙",
            ]
        ),
        max_size=30,
    ).map("".join)
)
def test_any_text_survives_and_removal_takes_only_the_comment(text: str) -> None:
    comments = parse(text, PATH)
    for ignore in comments.ignores:
        assert text[ignore.span.start : ignore.span.end].startswith("# xlafix")
        edit: Edit = ignore.removal
        gone = text[edit.start : edit.end]
        assert re.fullmatch(r"(\r\n|\r|\n)?[ \t]*# xlafix: ignore\[XLA1\][^\r\n]*(\r\n|\r|\n)?", gone), gone
