"""Names of devices: what a scope's text means, how nested scopes combine, and which are not the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

DEFAULT = ""
"""No scope: the first GPU, or the first CPU where there is none."""

_PART = re.compile(r"(?i)(job):(\w+)|(replica|task):(\d+)|(?:device:)?([a-z_]+)(?::(\d+|\*))?")


@dataclass(frozen=True)
class Device:
    """A device, as far as a text says which; "" and None are what it leaves open."""

    job: str = ""
    replica: str = ""
    task: str = ""
    kind: str = ""
    index: int | None = None

    @property
    def text(self) -> str:
        """The shortest name that says the same on one machine, "" for no device."""
        parts = []
        if self.job and self.job != "localhost":
            parts.append(f"job:{self.job}")
        if self.replica not in ("", "0"):
            parts.append(f"replica:{self.replica}")
        if self.task not in ("", "0") or parts:
            parts.append(f"task:{self.task or 0}")
        if self.kind:
            parts.append(f"{self.kind}:{self.index or 0}")
        return "".join(f"/{part}" for part in parts)


def parse(text: str) -> Device | None:
    """The device that a text names; None where it names none that TensorFlow knows."""
    found = Device()
    for part in text.strip("/").split("/") if text else ():
        match = _PART.fullmatch(part)
        if match is None:
            return None
        job, name, field, number, kind, index = match.groups()
        if job:
            found = replace(found, job=name)
        elif field:
            whole = field.lower() == "task"
            found = replace(found, task=number) if whole else replace(found, replica=number)
        else:
            found = replace(found, kind=kind.upper(), index=None if index in (None, "*") else int(index))
    return found


def inside(outer: str, inner: str) -> str | None:
    """The device in a scope within another one: what the inner one leaves open stays. None: not known."""
    above, below = parse(outer), parse(inner)
    if above is None or below is None:
        return None
    if not below.kind:
        below = replace(below, kind=above.kind, index=above.index)
    elif below.index is None and above.index is not None:
        if above.kind != below.kind:
            return None
        below = replace(below, index=above.index)
    return replace(
        below,
        job=below.job or above.job,
        replica=below.replica or above.replica,
        task=below.task or above.task,
    ).text


def apart(first: str, second: str, without_gpu: bool) -> bool:
    """Are two devices certainly not the same? One of them may be no scope at all.

    without_gpu: the program is known to run where there is no GPU, so that the default is the first CPU.
    """
    one, other = parse(first) or Device(), parse(second) or Device()
    if (one.job or "localhost", one.task or "0") != (other.job or "localhost", other.task or "0"):
        return True
    if one.kind and other.kind:
        return (one.kind, one.index or 0) != (other.kind, other.index or 0)
    given = one if one.kind else other
    if not given.kind:
        return False
    return bool(given.index) or (given.kind == "CPU" and not without_gpu)


def needs_gpu(first: str, second: str) -> bool:
    """Are two devices apart only where there is a GPU, which then is the default?"""
    return apart(first, second, False) and not apart(first, second, True)
