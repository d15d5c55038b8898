r"""Start a rule: its module with all the headings, and a folder of golden cases with a first one.

    python scripts/new_rule.py XLA106 loop-carried-shape \
        --consequence error --loose 'while_loop\(' --word while_loop

The module finds nothing until somebody writes its function, and nothing runs it until
`codemods/registry.py` lists it; what to add there is printed. Exit status 2 where the code or the
name is not free, or not of the right form; nothing is written then.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from codemods.registry import RULES
from codemods.rule import HEADINGS

ROOT = Path(__file__).resolve().parent.parent
CONSEQUENCES = ("silent", "abort", "error")
HINTS = {
    "What it does": "Finds ... in code that XLA compiles, ... and derives ...",
    "Why it fails under XLA": (
        "What XLA does with it, and the message of the compiler as it prints it:\n\n"
        "    InvalidArgumentError: ..."
    ),
    "Example": "    @tf.function(jit_compile=True)\n    def f(x):\n        ...",
    "Use instead": "    @tf.function(jit_compile=True)\n    def f(x):\n        ...",
    "Fix safety": "Safe where ... Unsafe where ... Not offered where ...",
    "References": "- Measured with TensorFlow ... on XLA:CPU.",
}
MODULE = '''"""One line: the problem, as a sentence about the program.

{sections}
"""

from __future__ import annotations

from collections.abc import Iterator

from codemods.rule import Consequence, Context, Diagnostic, rule


@rule(
    "{code}",
    "{name}",
    Consequence.{consequence},
    loose=r"{loose}",
    words={words},
)
def check(ctx: Context) -> Iterator[Diagnostic]:
    del ctx  # yield ctx.diagnostic(node, message, [ctx.fix(...)]), or with the reason why there is no fix
    yield from ()
'''
CASE = """import tensorflow as tf


def f(x):  # nothing compiles this with XLA
    return x + 1.0


ENTRY = "f"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
"""


class NotFreeError(Exception):
    """The code, the name or a file cannot be used."""


def texts(
    code: str, name: str, consequence: str, loose: str, words: Sequence[str], root: Path = ROOT
) -> dict[Path, str]:
    """Path -> text of what a new rule starts with. Raises NotFreeError."""
    if not re.fullmatch(r"XLA[1-9]\d\d", code):
        raise NotFreeError(f"{code} is no code of a rule, such as XLA106 (XLA0xx is about xlafix itself)")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", name):
        raise NotFreeError(f"{name} is no name of a problem, such as loop-carried-shape")
    taken = next((rule for rule in RULES if code == rule.code or name == rule.name), None)
    if taken is not None:
        raise NotFreeError(f"{taken.code} {taken.name} exists")
    if '"' in loose:
        raise NotFreeError("the regular expression must not contain a double quote")
    if any(not re.fullmatch(r"[\w.(\[=]+", word, re.ASCII) for word in words):
        raise NotFreeError("a word is of letters, digits and ._([=")
    re.compile(loose)
    module = root / "codemods" / "transforms" / f"{name.replace('-', '_')}.py"
    folder = root / "tests" / "golden" / name
    for path in (module, folder):
        if path.exists():
            raise NotFreeError(f"{path.relative_to(root)} exists")
    sections = "\n\n".join(f"## {heading}\n\n{HINTS[heading]}" for heading in HEADINGS)
    listed = "(" + "".join(f'b"{word}", ' for word in words).rstrip(" " if len(words) == 1 else ", ") + ")"
    filled = MODULE.format(
        sections=sections, code=code, name=name, consequence=consequence.upper(), loose=loose, words=listed
    )
    return {module: filled, folder / "skip_not_compiled.py": CASE}


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("code", help="XLA1xx loops and arrays, XLA2xx random numbers, XLA3xx devices, ...")
    parser.add_argument("name", help="the problem, not the cure, with hyphens")
    parser.add_argument("--consequence", choices=CONSEQUENCES, required=True, help="the worst one")
    parser.add_argument(
        "--loose",
        required=True,
        metavar="REGEX",
        help="only functions with a match are judged in code that nothing shows to be compiled",
    )
    parser.add_argument(
        "--word", action="append", required=True, help="one of these is in every match; repeat for several"
    )
    given = parser.parse_args(arguments)
    try:
        files = texts(given.code, given.name, given.consequence, given.loose, given.word, root)
    except (NotFreeError, re.error) as error:
        print(f"new_rule: {error}", file=sys.stderr)
        return 2
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        print(f"written: {path.relative_to(root)}")
    stem = given.name.replace("-", "_")
    print(f"next: import {stem} in codemods/registry.py and add {stem}.check to RULES;")
    print("golden cases, as tests/golden/README.md describes them; python scripts/document_rules.py")
    return 0


if __name__ == "__main__":
    sys.exit(main())
