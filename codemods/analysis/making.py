"""The lines of new functions that make a random generator; a tab in front is one step of indentation."""

from __future__ import annotations


def constructor(statement: str) -> tuple[str, ...]:
    """An `__init__` for a class that inherits its own, with a statement of ours."""
    return (
        "def __init__(self, *args, **kwargs):",
        "\tsuper().__init__(*args, **kwargs)",
        f"\t{statement}",
        "",
    )


def getter(function: str, name: str, text: str, init_scope: str) -> tuple[str, ...]:
    """A function that makes the generator when it is first asked, outside of whatever is traced."""
    return (
        f"{name} = None",
        "",
        "",
        f"def {function}():",
        '\t"""The random generator of this module, made when it is first needed."""',
        f"\tglobal {name}",
        f"\tif {name} is None:",
        f"\t\twith {init_scope}():",
        f"\t\t\t{name} = {text}",
        f"\treturn {name}",
    )
