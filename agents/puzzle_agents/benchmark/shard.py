"""Suites in parts, for independent machines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from puzzle_agents.benchmark.task import Task

MOST = 10_000


@dataclass(frozen=True)
class Shard:
    """One of several parts."""

    number: int
    """From 1."""
    count: int

    def of(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks of this part; the parts partition all tasks.

        Keys are hashes, so every part gets a similar share of each agent and each level.
        """
        if self.count > len(tasks):
            raise ValueError(
                f"--shard {self} asks for more parts than the suite has runs ({len(tasks)}); use "
                "fewer."
            )
        mine = {task.key for task in sorted(tasks, key=lambda task: task.key)[self._places]}
        return [task for task in tasks if task.key in mine]

    @property
    def _places(self) -> slice:
        return slice(self.number - 1, None, self.count)

    @property
    def suffix(self) -> str:
        """Suffix of its folder after the suite's name."""
        return f"-{self.number}-of-{self.count}"

    def __str__(self) -> str:
        """As on the command line."""
        return f"{self.number}/{self.count}"


def shard_of(text: str) -> Shard:
    """Parse a shard: 3/10 is the third of ten."""
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    shard = Shard(int(found[1]), int(found[2])) if found else None
    if shard is None or not 1 <= shard.number <= shard.count <= MOST:
        raise ValueError(
            f"A shard is K/N, part K of N, such as 3/10, with N at most {MOST:,}; not '{text:.20}'."
        )
    return shard
