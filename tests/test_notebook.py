"""Notebooks: places are in cells, and nothing in the JSON changes but the lines that a fix changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from harness_cli import FIXED, GROWS, lay, xlafix, xlafix_json
from hypothesis import given, strategies as st

from codemods import notebook

NAME = "train.ipynb"
GROWING = "rows = tf.TensorArray(tf.float32, size=3, dynamic_size=True)"
PYTHON = {"kernelspec": {"name": "python3", "language": "python"}, "language_info": {"name": "python"}}


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def code(text: str | list[str], **more: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": 3,
        "metadata": {},
        "outputs": [{"data": {"image/png": "iVBORw0K\n"}, "output_type": "display_data"}],
        "source": text,
        **more,
    }


def book(cells: Sequence[dict[str, Any]], metadata: Any = PYTHON, **style: Any) -> bytes:
    whole = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(whole, **{"indent": 1, "ensure_ascii": False, **style}) + "\n").encode()


IMPORT, BODY = GROWS.split("\n\n\n")
CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# Wörter 🙂\n", "%%not code"]},
    code(lines("%matplotlib inline\n!pip install things\n" + IMPORT)),
    code(lines("%%bash\nls 'x\n")),
    code(
        lines(
            "files = !ls *.py\nif files:\n    %time len(files)\nfiles?\n" + BODY + "gradient(tf.ones([3]));"
        )
    ),
]
STYLES = {
    "as written by Jupyter": {},
    "indented by four": {"indent": 4},
    "on one line": {"indent": None},
    "without spaces": {"indent": None, "separators": (",", ":")},
    "in ASCII": {"ensure_ascii": True},
    "with tabs": {"indent": "\t"},
    "sorted": {"sort_keys": True},
}


@pytest.mark.parametrize("single", [False, True], ids=["lines", "string"])
@pytest.mark.parametrize("style", STYLES)
def test_a_fix_changes_its_line_and_nothing_else(here: Path, style: str, single: bool) -> None:
    cells = [{**cell, "source": "".join(cell["source"]) if single else cell["source"]} for cell in CELLS]
    before = book(cells, **STYLES[style])
    (here / NAME).write_bytes(before)
    (finding,) = xlafix_json("check")["diagnostics"]
    assert (finding["code"], finding["path"], finding["cell"], finding["line"]) == ("XLA103", NAME, 4, 9)
    patch = xlafix("fix", "--diff").stdout_bytes
    assert xlafix("fix").exit_code == 0
    after = before.replace(b"dynamic_size=True", b"dynamic_size=False")
    assert (here / NAME).read_bytes() == after
    assert patch.count(b"\n-") == 2
    assert b"dynamic_size=False" in patch
    assert xlafix("undo").exit_code == 0
    assert (here / NAME).read_bytes() == before


def test_places_in_each_output(here: Path) -> None:
    (here / NAME).write_bytes(book(CELLS))
    at = f"{NAME}:cell 4:9:16"
    assert f"{at}: XLA103" in xlafix("check", "--output-format", "concise").stdout
    assert f"{at} XLA103" in xlafix("check").stdout
    full = xlafix("check", "--output-format", "full").stdout
    assert at in full
    assert f"    9 |         {GROWING}" in full
    (result,) = json.loads(xlafix("check", "--output-format", "sarif").stdout)["runs"][0]["results"]
    row = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    assert GROWING in (here / NAME).read_text("utf-8").split("\n")[row - 1]
    assert "fixes" not in result
    assert f"line={row}," in xlafix("check", "--output-format", "github").stdout
    assert "cell 4:9:16 XLA103" in xlafix("fix").stdout


def test_standard_input(here: Path) -> None:
    before = book(CELLS)
    done = xlafix("fix", "-", "--stdin-filename", NAME, stdin=before)
    assert done.stdout_bytes == before.replace(b"dynamic_size=True", b"dynamic_size=False")
    calm = book([code(["x = 1"])])
    assert xlafix("fix", "-", "--stdin-filename", NAME, stdin=calm).stdout_bytes == calm


def test_comments_can_be_added(here: Path) -> None:
    before = book(CELLS)
    (here / NAME).write_bytes(before)
    assert xlafix("check", "--add-ignores", "--reason", "später").exit_code == 0
    old, new = before.decode().split("\n"), (here / NAME).read_text("utf-8").split("\n")
    (added,) = [line for line in new if "ignore[XLA103] später" in line]
    new.remove(added)
    assert new == old
    assert xlafix_json("check")["diagnostics"] == []


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"{", "no JSON in UTF-8"),
        (b"\xff", "no JSON in UTF-8"),
        (b"[1]", "no list of cells"),
        (b'{"worksheets": []}', "no list of cells"),
        (book([code([1])]), "source of cell 1 is no text"),  # type: ignore[list-item]
        (book([{"cell_type": "code"}]), "cell 1 has no source"),
        (book([code(["x = '\ud800'"])], ensure_ascii=True), "half a character"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_notebook_is_a_finding_and_the_rest_goes_on(
    here: Path, data: bytes, complaint: str
) -> None:
    (here / NAME).write_bytes(data)
    lay(here, {"grows.py": GROWS})
    found = {row["path"]: row for row in xlafix_json("check")["diagnostics"]}
    assert found["grows.py"]["code"] == "XLA103"
    assert found[NAME]["code"] == "XLA001"
    assert complaint in found[NAME]["message"]
    assert xlafix("fix").exit_code == 1
    assert (here / NAME).read_bytes() == data
    assert (here / "grows.py").read_text() == FIXED


def test_code_that_does_not_parse_is_a_finding_with_its_cell(here: Path) -> None:
    (here / NAME).write_bytes(book([*CELLS, code(["x = 1\n", "def f(:\n"])]))
    (finding,) = xlafix_json("check")["diagnostics"]
    assert (finding["code"], finding["cell"], finding["line"]) == ("XLA001", 5, 2)


def test_sentences_name_lines_of_cells(here: Path) -> None:
    body = lines(BODY.replace("rows = rows.write", "x = unknown(rows)\n            rows = rows.write"))
    (here / NAME).write_bytes(book([code(lines(IMPORT)), code(["y = 1\n"]), code(body)]))
    (finding,) = xlafix_json("check")["diagnostics"]
    row = next(number for number, line in enumerate(body, 1) if "unknown" in line)
    assert f"at line {row} of cell 3" in finding["unavailable"][0]["reason"]


@pytest.mark.parametrize(
    "source",
    [
        "  a = 1\n  b = 2\n",
        "# why\n\ta = 1\n",
        "!ls \\\n  -l \\\n  x\na = 1\n",
        "x = 1\n%cd y\n",
        "a = !ls\n",
        "obj??\n",
        "if a:\n    %time b\n",
    ],
)
def test_what_ipython_accepts_is_judged(source: str) -> None:
    data = book([code([GROWS]), code(lines(source)), code(["last = 1"])])
    found = notebook.read(data)
    compile(found.text, NAME, "exec")
    assert notebook.write(found, found.text) == data
    changed = notebook.write(found, found.text.replace("last = 1", "last = 2"))
    assert changed == data.replace(b"last = 1", b"last = 2")


def test_other_languages_and_saved_copies_are_left_alone(here: Path) -> None:
    other = {"kernelspec": {"language": "R"}, "language_info": {"name": "R"}}
    (here / "r.ipynb").write_bytes(book([code(["x <- 1\n"])], other))
    (here / ".ipynb_checkpoints").mkdir()
    (here / ".ipynb_checkpoints" / NAME).write_bytes(book(CELLS))
    assert xlafix_json("check")["diagnostics"] == []


def test_cells_that_look_like_our_marks() -> None:
    data = book([code(["# %% cell 2\n", "x = 1\n", "# notebook"]), code(["y = 2  # %% cell% 1"])])
    found = notebook.read(data)
    assert notebook.write(found, found.text) == data
    changed = notebook.write(found, found.text.replace("x = 1", "x = 3"))
    assert changed == data.replace(b"x = 1", b"x = 3")
    line = found.text.split("\n").index("y = 2  # %% cell% 1") + 1
    assert notebook.place(notebook.cells(found.text), line) == (2, 1)


SOURCES = st.lists(
    st.sampled_from(
        [
            "x = 1",
            "%magic a",
            "  !ls \\",
            "",
            "  z = 1",
            "y = %m",
            "# %% cell 1",
            "'ä🙂\\u2028'",
            "%%bash",
            "a?",
            "\t",
        ]
    ),
    max_size=5,
).map("\n".join)


@given(st.lists(SOURCES, max_size=4), st.booleans(), st.booleans(), st.sampled_from(["", "new = 1\n", "\n"]))
def test_any_text_comes_back(texts: list[str], single: bool, end: bool, before: str) -> None:
    texts = [text + "\n" * end for text in texts]
    cells = [code(text if single else lines(text)) for text in texts]
    data = book(cells)
    found = notebook.read(data)
    assert notebook.write(found, found.text) == data
    if cells and before:  # a line in front of the last cell's code
        at = found.text.rindex(f"{found.mark} {len(cells)}\n") + len(f"{found.mark} {len(cells)}\n")
        changed = json.loads(notebook.write(found, found.text[:at] + before + found.text[at:]))
        kept = ["".join(cell["source"]) for cell in changed["cells"]]
        assert kept[:-1] == texts[:-1]
        assert kept[-1].rstrip("\n") == (before + texts[-1]).rstrip("\n")


def test_a_change_beyond_a_cell_is_refused() -> None:
    found = notebook.read(book([code(["x = 1\n"]), code(["y = 1\n"])]))
    with pytest.raises(notebook.NotebookError, match="cell 2"):
        notebook.write(found, found.text.replace(f"{found.mark} 2\n", ""))
