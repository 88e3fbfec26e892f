"""Rows: the result of a task as a line of JSON in a benchmark's results."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from puzzle_agents.agent import Status
from puzzle_agents.benchmark.published import PACKED, unpacked
from puzzle_agents.fields import Kind, check, of_type
from puzzle_agents.reading import json_of
from puzzle_agents.registry import Kind as AgentKind
from puzzle_envs.common.files import naming

ROWS = "rows.jsonl"
"""The file of the rows in a results folder."""


ERROR = "error"
"""Status of a task that ended with an error instead of a result."""
STATUSES = (*(str(status) for status in Status), ERROR)


@dataclass(frozen=True)
class Limits:
    """Limits of each task of a suite. Memory is in bytes; None means no limit."""

    seconds: float
    memory: int
    transitions: int | None


@dataclass(frozen=True, kw_only=True)
class Given:
    """One level, one agent, one seed and a budget."""

    suite: str
    env: str
    options: dict[str, Any]
    level: str
    level_text: str
    agent: str
    """The agent's name in the suite."""
    name: str
    """The agent's name in the registry."""
    arguments: dict[str, Any]
    kind: AgentKind
    seed: int | None
    """None for a deterministic agent."""
    budget: Limits
    optimum: int | None
    """The level's stated optimum, independent of this task."""
    known: int | None
    """The fewest moves known to suffice, if it states no optimum."""
    solvable: bool | None


@dataclass(frozen=True, kw_only=True)
class Row(Given):
    """A task with its result."""

    key: str
    """A hash (16 hex digits) of everything that determines the row."""
    status: str
    """A value of Status, or `error`."""
    error: str | None
    """What went wrong, or how the result contradicts the level."""
    moves: int | None
    proved_optimal: bool
    """As claimed by the agent."""
    bound: int | None
    actions: list[int] | None
    found: list[list[float]]
    """Transitions, seconds and moves of each solution that was shorter than those before."""
    verified: bool
    """Whether a replay without the agent confirmed the solution and its moves."""

    expanded: int
    generated: int
    unique: int
    evaluated: int
    reopened: int
    seconds: float
    """Wall time of the attempt."""
    cpu_seconds: float
    warm_seconds: float
    """Seconds of compiling and loading before the clock started."""
    preparing: float
    """Those of `seconds` in which the level was translated for another engine."""
    peak_bytes: int
    """Memory of the agent's tables."""
    peak_rss: int
    """Growth of the process, as seen by the system; 0 if unknown."""
    train_steps: int | None
    train_seconds: float | None

    began: str
    load: float
    """Load average of the machine at the start of the task."""
    versions: dict[str, str]
    cpu: str
    cores: int

    @property
    def solved(self) -> bool:
        """Whether the agent claims a solution."""
        return self.status == Status.SOLVED

    def to_json(self) -> str:
        """The row as one line, without its end."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: bytes) -> Row:
        """Parse a row; a ValueError says what is wrong with it."""
        values = json_of(line)
        check(values, _kind_of_rows())
        row = cls(**values | {"budget": Limits(**values["budget"])})
        if not row.budget.seconds > 0:
            raise ValueError(f"'seconds' of a budget cannot be {row.budget.seconds}.")
        if any(len(point) != 3 for point in row.found):
            raise ValueError("'found' holds transitions, seconds and moves of each solution.")
        if row.status not in STATUSES:
            raise ValueError(f"'status' must be one of {', '.join(STATUSES)}, not '{row.status}'.")
        return row


@cache
def _kind_of_rows() -> Kind:
    return of_type(Row, least=0)


def read_rows(path: Path) -> list[Row]:
    """All rows of a file, packed or not; an incomplete last line is left out."""
    return list(_rows(path))


def append_row(path: Path, row: Row) -> None:
    """Append a row in one write, and sync it to the disk."""
    line = f"{row.to_json()}\n".encode()
    with naming(path), path.open("ab", buffering=0) as file:
        while line:  # one write, unless the system accepts less
            line = line[file.write(line) or 0 :]
        os.fsync(file)


def mend(path: Path) -> int:
    """Truncate an incomplete last line; return its length in bytes."""
    if not path.exists():
        return 0
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
    return len(data) - whole


def _rows(path: Path) -> Iterator[Row]:
    for number, line in enumerate(_lines(path)[:-1], start=1):
        try:
            yield Row.from_json(line)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error} Remove that line.") from None


def _lines(path: Path) -> list[bytes]:
    if path.name != PACKED:
        return path.read_bytes().split(b"\n")
    try:
        return unpacked(path).split(b"\n")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
