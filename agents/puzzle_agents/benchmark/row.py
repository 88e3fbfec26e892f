"""What came of a task: a row, one line of JSON in the results of a benchmark."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from puzzle_agents.agent import Status
from puzzle_agents.fields import Kind, check, of_type
from puzzle_agents.reading import json_of
from puzzle_agents.registry import Kind as AgentKind
from puzzle_envs.common.files import naming

__all__ = ["ERROR", "ROWS", "Given", "Limits", "Row", "append_row", "mend", "read_rows"]

ROWS = "rows.jsonl"
"""The file of a results folder that holds its rows."""


ERROR = "error"
"""The status of a task that ended with an error instead of a result."""
STATUSES = (*(str(status) for status in Status), ERROR)


@dataclass(frozen=True)
class Limits:
    """What each task of a suite may spend. Memory is in bytes; None does not bind."""

    seconds: float
    memory: int
    transitions: int | None


@dataclass(frozen=True, kw_only=True)
class Given:
    """One level, one agent, one seed, and what it may spend."""

    suite: str
    env: str
    options: dict[str, Any]
    level: str
    level_text: str
    agent: str
    """What the suite calls it."""
    name: str
    """What the registry of agents calls it."""
    arguments: dict[str, Any]
    kind: AgentKind
    seed: int | None
    """None for an agent that leaves nothing to chance."""
    budget: Limits
    optimum: int | None
    """What the level says of itself, whatever came of this task."""
    solvable: bool | None


@dataclass(frozen=True, kw_only=True)
class Row(Given):
    """How it ended."""

    key: str
    """16 hex digits of everything that decides the row."""
    status: str
    """A value of Status, or `error`."""
    error: str | None
    """The sentence that says what went wrong, or what the result says against the level."""
    moves: int | None
    proved_optimal: bool
    """The agent's claim."""
    bound: int | None
    actions: list[int] | None
    verified: bool
    """Whether a replay without the agent came to the solution and its moves."""

    expanded: int
    generated: int
    unique: int
    evaluated: int
    reopened: int
    seconds: float
    """Wall time of the attempt."""
    cpu_seconds: float
    warm_seconds: float
    """Spent on compiling and loading before the clock started."""
    peak_bytes: int
    """The agent's tables."""
    peak_rss: int
    """By how much the process grew, as the system saw it; 0 where it cannot be known."""
    train_steps: int | None
    train_seconds: float | None

    began: str
    load: float
    """The machine's load average when the task began."""
    versions: dict[str, str]
    cpu: str
    cores: int

    @property
    def solved(self) -> bool:
        """Whether the agent says that it solved the level."""
        return self.status == Status.SOLVED

    def to_json(self) -> str:
        """The row as one line, without its end."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: bytes) -> Row:
        """Read a row; a ValueError says what is wrong with it."""
        values = json_of(line)
        check(values, _kind_of_rows())
        row = cls(**values | {"budget": Limits(**values["budget"])})
        if not row.budget.seconds > 0:
            raise ValueError(f"'seconds' of a budget cannot be {row.budget.seconds}.")
        if row.status not in STATUSES:
            raise ValueError(f"'status' is one of {', '.join(STATUSES)}, not '{row.status}'.")
        return row


@cache
def _kind_of_rows() -> Kind:
    return of_type(Row, least=0)


def read_rows(path: Path) -> list[Row]:
    """All rows of a file; a last line without an end was never finished, and is left out."""
    return list(_rows(path))


def append_row(path: Path, row: Row) -> None:
    """Add a row in one write, and hand it to the disk."""
    line = f"{row.to_json()}\n".encode()
    with naming(path), path.open("ab", buffering=0) as file:
        while line:  # one write, unless the system takes less
            line = line[file.write(line) or 0 :]
        os.fsync(file)


def mend(path: Path) -> int:
    """Cut off a last line that was never finished, at once; return how many bytes it had."""
    if not path.exists():
        return 0
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
    return len(data) - whole


def _rows(path: Path) -> Iterator[Row]:
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines[:-1], start=1):
        try:
            yield Row.from_json(line)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error} Remove that line.") from None
