"""The command line. Nothing but what a command needs is imported for it."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `xlafix` and exit: 0 clean, 1 findings, 2 a failure of ours, of the files or of the settings."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:
        from codemods import __version__

        print(f"xlafix {__version__}")
        sys.exit(0)
    import gc

    from codemods.cli.app import run

    gc.set_threshold(500_000, 20, 100)  # trees live until the end: looking for garbage in them costs much
    sys.exit(run(given))
