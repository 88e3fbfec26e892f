"""Time of the first step and the first solve, with an empty and with a filled cache.

Each figure is the CPU time of a whole new process, the best of several rounds, with its peak memory
and the number of kernels that it compiled. With --agents, the table instead shows the cost of each
further agent, or of those named, after A* has solved the same easy level: the CPU time of its first
solve minus that of its second.
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

from benchmarks.measuring import add_keep, keep
from puzzle_agents.registry import AGENTS

__all__ = ["FIRST_STEP", "LEVELS", "Start", "first_solve", "start"]

LEVELS = {
    "ZenGarden-v0": "mixed/4",
    "HuaRongDao-v0": "classics/1",
    "Kwirk-v0": "hard/4",
    "KwirkSteps-v0": "hard/4",
    "Skyscraper-v0": "5x5/hard-1",
}
"""An easy level of each id for A*."""
EASY = {
    "ZenGarden-v0": "first-steps/5",
    "HuaRongDao-v0": "classics/1",
    "Kwirk-v0": "easy/1",
    "KwirkSteps-v0": "easy/1",
    "Skyscraper-v0": "5x5/easy-1",
}
"""An easy level of each id for every agent."""
SECONDS = 5
"""The cell of an agent that does not solve it."""

FIRST_STEP = """
import gymnasium, puzzle_envs
env = gymnasium.make("{id}")
env.reset(seed=0)
env.step(0)
"""
SOLVING = """
from puzzle_agents.cli.app import main
try:
    main(["solve", "{id}", "{level}", "--agent", "{agent}", "--seconds", "{seconds}"])
except SystemExit as end:
    if end.code not in (0, 1):  # 1: it is not solved
        raise
"""


class Start(NamedTuple):
    """The cost of a process."""

    seconds: float
    """CPU seconds, including its children."""
    mebibytes: float
    """Peak memory."""
    kernels: tuple[str, ...]
    """The kernels that it compiled, in alphabetical order."""

    def __str__(self) -> str:
        """The text of a table cell."""
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


def first_solve(id: str, level: str, agent: str = "astar") -> str:
    """The code that solves a level."""
    return SOLVING.format(id=id, level=level, agent=agent, seconds=SECONDS)


def main() -> None:
    """Measure and print."""
    # A policy needs a model of each board, and its time goes into importing torch; planners are
    # other people's programs.
    further = [
        name
        for name, entry in AGENTS.items()
        if name != "astar" and entry.kind not in ("learning", "planner")
    ]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2, help="rounds for each figure")
    parser.add_argument("--ids", nargs="+", choices=LEVELS, default=list(LEVELS), metavar="ID")
    parser.add_argument(
        "--agents",
        nargs="*",
        choices=further,
        metavar="AGENT",
        help="every further agent, or those named",
    )
    add_keep(parser, "startup")
    options = parser.parse_args()
    if options.keep and (options.agents is not None or options.ids != list(LEVELS)):
        parser.error("--keep writes the starts of all ids; leave out --agents and --ids.")
    console = Console(width=120)
    if options.agents is not None:
        console.print(_further_agents(options.agents or further, options.ids, options.rounds))
        return
    table = Table("what", "nothing compiled", "the same again")
    for id in options.ids:
        _add(table, f"{id}, first step", FIRST_STEP.format(id=id), options.rounds)
    table.add_section()
    for id in options.ids:
        _add(table, f"{id}, first solve", first_solve(id, LEVELS[id]), options.rounds)
    console.print(table)
    if options.keep:
        keep("startup", [table])


def _further_agents(agents: Sequence[str], ids: Sequence[str], rounds: int) -> Table:
    """Seconds, mebibytes and kernels of the first solve of agents, by id."""
    table = Table("after A*", *ids)
    after = {id: Path(tempfile.mkdtemp()) for id in ids}
    for id, folder in after.items():
        start(first_solve(id, EASY[id]), folder)
    for agent in agents:
        cells = [
            str(min(_further(id, agent, folder) for _ in range(rounds)))
            if AGENTS[agent].condition(id) is not None
            else ""
            for id, folder in after.items()
        ]
        table.add_row(agent, *cells)
    for folder in after.values():
        shutil.rmtree(folder)
    return table


def _further(id: str, agent: str, after: Path) -> Start:
    """The cost of an agent's first solve minus its second, with the cache of other agents."""
    folder = Path(tempfile.mkdtemp())
    shutil.copytree(after, folder, dirs_exist_ok=True)
    cold, warm = (start(first_solve(id, EASY[id], agent), folder) for _ in range(2))
    shutil.rmtree(folder)
    return cold._replace(seconds=cold.seconds - warm.seconds)


def _add(table: Table, what: str, code: str, rounds: int) -> None:
    """A row about a program."""
    cold, warm = [], []
    for _ in range(rounds):
        folder = Path(tempfile.mkdtemp())
        cold.append(start(code, folder))
        warm.append(start(code, folder))
        shutil.rmtree(folder)
    table.add_row(what, str(min(cold)), str(min(warm)))


if __name__ == "__main__":
    main()
