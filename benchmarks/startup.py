"""How long the first step and the first solve take, with nothing compiled yet and with everything.

Each figure is the CPU time of a whole new process, the best of some rounds, and its peak memory;
beside it is how many kernels it compiled.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

__all__ = ["FIRST_STEP", "LEVELS", "Start", "first_solve", "start"]

LEVELS = {
    "ZenGarden-v0": "mixed/4",
    "HuaRongDao-v0": "classics/1",
    "Kwirk-v0": "hard/4",
    "KwirkSteps-v0": "hard/4",
    "Skyscraper-v0": "5x5/hard-1",
}
"""A level of each id that A* solves at once."""
AGENTS = ("greedy", "idastar", "bfs", "beam", "anytime")
"""Other agents, to begin with what the first has left compiled."""

FIRST_STEP = """
import gymnasium, puzzle_envs
env = gymnasium.make("{id}")
env.reset(seed=0)
env.step(0)
"""
SOLVING = """
from puzzle_agents.cli.app import main
main(["solve", "{id}", "{level}", "--agent", "{agent}"])
"""


class Start(NamedTuple):
    """What a process took."""

    seconds: float
    """CPU seconds, of its children too."""
    mebibytes: float
    """The most memory that it had at a time."""
    kernels: tuple[str, ...]
    """The kernels that it compiled, in alphabetical order."""

    def __str__(self) -> str:
        """In a cell of the table."""
        return f"{self.seconds:.2f} s, {self.mebibytes:.0f} MiB, {len(self.kernels)} kernels"


def start(code: str, cache: Path) -> Start:
    """Run some code in a new process that keeps its kernels in this folder."""
    before = _kept(cache)
    environment = {**os.environ, "PUZZLE_ENVS_CACHE": str(cache)}
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"This ended with {process.returncode}: {code}")
    kernels = tuple(sorted(file.rpartition("-")[0] for file in _kept(cache) - before))
    return Start(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, kernels)


def _kept(cache: Path) -> set[str]:
    return {path.name for path in cache.iterdir()} if cache.exists() else set()


def first_solve(id: str, agent: str = "astar") -> str:
    """The code that solves the level of an id."""
    return SOLVING.format(id=id, level=LEVELS[id], agent=agent)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2, help="rounds for each figure")
    parser.add_argument("--agents", action="store_true", help="also: every further agent")
    options = parser.parse_args()
    table = Table("what", "nothing compiled", "the same again")
    for id in LEVELS:
        _add(table, f"{id}, first step", [FIRST_STEP.format(id=id)], options.rounds)
    table.add_section()
    for id in LEVELS:
        _add(table, f"{id}, first solve", [first_solve(id)], options.rounds)
    for agent in AGENTS if options.agents else ():
        table.add_section()
        for id in LEVELS:
            codes = [first_solve(id), first_solve(id, agent)]
            _add(table, f"{id}, {agent} after astar", codes, options.rounds)
    Console(width=100).print(table)


def _add(table: Table, what: str, codes: Sequence[str], rounds: int) -> None:
    """A row about the last of some programs that run one after the other."""
    cold, warm = [], []
    for _ in range(rounds):
        folder = Path(tempfile.mkdtemp())
        cold.append([start(code, folder) for code in codes][-1])
        warm.append(start(codes[-1], folder))
        shutil.rmtree(folder)
    table.add_row(what, str(min(cold)), str(min(warm)))


if __name__ == "__main__":
    main()
