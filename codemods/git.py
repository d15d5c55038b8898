"""What is asked of git: which files there are, and which of them have changes that are not staged.

No code of the analysed project may run, so hooks that git itself would run are off, and the index is
left as it is. Every question has an answer for "no git", and "git refuses": the caller goes on without.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

_COMMAND = ("git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C")
_UNOPENED = re.compile(rb"could not open directory '(.*?)/?':")


def work_tree(path: str) -> str | None:
    """The git work tree that the file or folder `path` (absolute) is in, by its `.git` alone."""
    folder = Path(path)
    return next((str(one) for one in (folder, *folder.parents) if (one / ".git").exists()), None)


def unstaged(paths: Sequence[str]) -> list[str]:
    """Those of `paths` whose git work tree holds changes of them that are not in the index.

    Writing to them would mix our change with one that has no copy. An untracked file is not among
    them: it has no change of its own to mix with, and the journal keeps its content. Empty also
    outside of git, without git, and where git refuses to answer. One call of git per work tree.
    """
    targets = {path: os.path.realpath(path) for path in paths}
    trees = {tree: files for tree, files in _by_tree(targets.values()).items() if tree}
    found = {file for tree, files in trees.items() for file in _modified(tree, files)}
    return [path for path, target in targets.items() if target in found]


def uncommitted(paths: Sequence[str]) -> str:
    """Why changes of files (absolute paths) could not be committed alone, or ""."""
    for tree, targets in _by_tree(map(os.path.realpath, paths)).items():
        if not tree:
            return f"{targets[0]} is in no git work tree"
        done = _run(tree, "status", "--porcelain=v1", "-z", "--no-renames", "--", *targets)
        if done is None:
            return f"git does not answer about {targets[0]}"
        if done.stdout:
            name = os.fsdecode(done.stdout.split(b"\0")[0][3:])
            return f"{os.path.join(tree, name)} differs from its last commit"
    return ""


def commit(paths: Sequence[str], message: str) -> str:
    """Commit what files (absolute paths) hold, nothing else that is staged; what git says if it refuses.

    The hooks of the user run, as in any commit.
    """
    for tree, targets in _by_tree(map(os.path.realpath, paths)).items():
        command = ["git", "-C", tree, "commit", "--quiet", "--only", "--file=-", "--", *targets]
        try:
            done = subprocess.run(
                command, input=message.encode(), capture_output=True, env=_environment(), check=False
            )
        except OSError as error:
            return str(error)
        if done.returncode:
            return (done.stderr or done.stdout).decode(errors="replace").strip()
    return ""


def _by_tree(paths: Iterable[str]) -> dict[str, list[str]]:
    """Files (real paths) by their git work tree, those in none under ""."""
    trees: dict[str, list[str]] = {}
    for path in dict.fromkeys(paths):
        trees.setdefault(work_tree(os.path.dirname(path)) or "", []).append(path)
    return trees


def files(folder: str) -> tuple[list[str], list[str]] | None:
    """(files, folders that cannot be opened) below `folder`: what is tracked, and what is not ignored.

    Paths are relative to it; a nested repository that is not tracked ends with `/`. None where git
    does not answer.
    """
    done = _run(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if done is None:
        return None
    names = [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]
    unopened = [os.fsdecode(match) for match in _UNOPENED.findall(done.stderr)]
    return list(dict.fromkeys(names)), unopened


def ignored(folder: str) -> bool:
    """Whether git ignores the folder itself."""
    return _run(os.path.dirname(folder), "check-ignore", "-q", "--", folder) is not None


def _modified(tree: str, targets: Sequence[str]) -> list[str]:
    """Those of `targets`, real paths in `tree`, that differ from the index."""
    arguments = ["status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames"]
    arguments += ["--ignore-submodules=all", "--"]
    if sum(map(len, targets)) < 50_000:  # a command line has an end; without names git looks at all files
        arguments += targets
    done = _run(tree, *arguments)
    if done is None:
        return []
    rows = (os.fsdecode(row) for row in done.stdout.split(b"\0"))
    names = {os.path.join(tree, row[3:]) for row in rows if row[1:2].strip()}
    return [file for file in targets if file in names]


def _run(folder: str, *arguments: str) -> subprocess.CompletedProcess[bytes] | None:
    """Git's answer, or None where there is none."""
    environment = {**_environment(), "LC_ALL": "C"}
    if arguments[0] == "check-ignore":  # which takes no patterns
        del environment["GIT_LITERAL_PATHSPECS"]
    try:
        command = [*_COMMAND, folder, *arguments]
        return subprocess.run(command, capture_output=True, env=environment, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None


def _environment() -> dict[str, str]:
    """For git to look at the folder that it is told, and to take paths as they are."""
    kept = {k: v for k, v in os.environ.items() if k not in ("GIT_DIR", "GIT_WORK_TREE")}
    return {**kept, "GIT_LITERAL_PATHSPECS": "1"}
