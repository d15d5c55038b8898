"""Who may import whom, and what is imported only when it is needed."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "codemods"

# From left to right: a room imports its own row and the rows above, never those below.
LAYERS = [
    ["knowledge", "model"],
    ["source", "edits", "notebook"],
    ["analysis"],
    ["rewrite"],
    ["context"],
    ["rule"],
    ["transforms"],
    ["registry"],
    ["settings", "suppress", "baseline"],
    ["ignoring"],
    ["outcome"],
    ["gate"],
    ["fixing"],
    ["engine"],
    ["git", "journal", "files"],
    ["project", "apply", "cache", "executors", "verify", "pins"],
    ["report", "review"],
    ["__init__"],
    ["cli", "lsp", "integrations"],
    ["__main__"],
]
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}

# Libraries that only these rooms may import; nobody imports TensorFlow or JAX, they run in other processes.
ROOMS_OF = {
    "libcst": {"rewrite"},
    "gast": {"analysis"},
    "beniget": {"analysis"},
    "click": {"cli"},
    "bowler": {"integrations"},
    "tensorflow": set(),
    "jax": set(),
}
LAZY = {"libcst", "gast", "beniget", "tensorflow", "jax", "keras", "numpy", "rich", "bowler", "pathspec"}


def modules() -> Iterator[tuple[str, Path]]:
    """(dotted name below the package, path) of every module; "__init__" is the package itself."""
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = list(path.relative_to(ROOT / PACKAGE).with_suffix("").parts)
        if parts[-1] == "__init__" and len(parts) > 1:
            parts.pop()
        yield ".".join(parts), path


MODULES = dict(modules())


def imports(name: str, path: Path) -> Iterator[tuple[int, str]]:
    """(line, absolute dotted name) of everything that a module imports, wherever in it that stands."""
    package = [PACKAGE, *name.split(".")]
    if path.name != "__init__.py" or name == "__init__":
        package.pop()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base += node.module.split(".") if node.module else []
            for alias in node.names:
                yield node.lineno, ".".join([*base, alias.name])


def room(dotted: str) -> str:
    """The row name of "codemods.analysis.link" and the like: "analysis"; the API itself is "__init__"."""
    parts = dotted.split(".")
    if len(parts) > 1 and parts[1].startswith("__"):
        return "knowledge"  # metadata such as __version__: a constant without imports
    return parts[1] if len(parts) > 1 and parts[1] in RANK else "__init__"


def test_every_module_has_its_place() -> None:
    assert MODULES
    assert {name.split(".")[0] for name in MODULES} <= set(RANK), "say in LAYERS where a new module belongs"


@pytest.mark.parametrize("name", MODULES)
def test_import_direction(name: str) -> None:
    own = name.split(".")[0]
    wrong = []
    for line, target in imports(name, MODULES[name]):
        if target.split(".")[0] == PACKAGE and RANK[room(target)] > RANK[own]:
            wrong.append(f"line {line}: {own} imports {target}")
    assert wrong == []


@pytest.mark.parametrize("name", MODULES)
def test_transforms_know_only_rule_and_knowledge(name: str) -> None:
    if name.split(".")[0] != "transforms":
        return
    targets = {room(target) for _, target in imports(name, MODULES[name]) if target.split(".")[0] == PACKAGE}
    assert targets <= {"rule", "knowledge"}


@pytest.mark.parametrize("name", MODULES)
def test_libraries_stay_in_their_room(name: str) -> None:
    own = name.split(".")[0]
    for line, target in imports(name, MODULES[name]):
        library = target.split(".")[0]
        assert own in ROOMS_OF.get(library, {own}), f"line {line}: {own} imports {library}"


def test_the_parser_of_imports_sees_every_form(tmp_path: Path) -> None:
    path = tmp_path / "link.py"
    path.write_text(
        "import libcst as cst\nfrom . import names\nfrom .. import rule\nfrom ..model import Edit\n"
        "def f():\n    from codemods import engine, __version__\n"
    )
    found = [target for _, target in imports("analysis.link", path)]
    assert found == [
        "libcst",
        "codemods.analysis.names",
        "codemods.rule",
        "codemods.model.Edit",
        "codemods.engine",
        "codemods.__version__",
    ]
    assert [room(target) for target in found[1:]] == ["analysis", "rule", "model", "engine", "knowledge"]


def loaded_by(code: str) -> set[str]:
    """Top-level names in sys.modules of a fresh interpreter that ran `code`."""
    tail = (
        "\nimport json, sys\nprint('\\n' + json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + tail], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    names: list[str] = json.loads(done.stdout.splitlines()[-1])
    return set(names)


def test_importing_the_package_loads_nothing_heavy() -> None:
    names = loaded_by("import codemods")
    assert PACKAGE in names
    assert names & (LAZY | {"click"}) == set()


def test_version_loads_nothing_heavy() -> None:
    code = (
        "import runpy, sys\nsys.argv = ['xlafix', '--version']\n"
        "try:\n    runpy.run_module('codemods', run_name='__main__')\n"
        "except SystemExit as stop:\n    assert not stop.code, stop.code\n"
    )
    names = loaded_by(code)
    assert PACKAGE in names
    assert names & LAZY == set()
