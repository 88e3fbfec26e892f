"""Shared parts of the speed benchmarks: circumstances, yardstick, best of several rounds."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import gymnasium
import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from puzzle_agents.progress import Snapshot, Watcher
from puzzle_envs.common.files import write_whole
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.exploration import Exploration

FIRST_ONLY: dict[str, dict[str, Any]] = {"portfolio": {"improve": False}}
"""Arguments that make an agent stop at its first solution."""
SLICE = 1 << 10
"""Expansions between two checks of the time."""
YARDSTICK = "PUZZLE_ENVS_YARDSTICK"
"""The variable that names a program for comparison: it prints lines `<name> <million/s>`."""


KEPT = Path(__file__).parent.parent / "docs" / "measured"
"""The folder of figures that documents show; benchmarks.figures fills them in."""


def circumstances() -> str:
    """The machine, its load and the versions."""
    return (
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}; Python {platform.python_version()}, numpy {np.__version__}, "
        f"numba {numba.__version__}, gymnasium {gymnasium.__version__}"
    )


def begun() -> Console:
    """A console on which the circumstances are printed."""
    console = Console(width=100)
    console.print(circumstances(), highlight=False)
    return console


def add_keep(parser: argparse.ArgumentParser, name: str) -> None:
    """The option to keep the tables in a file."""
    parser.add_argument("--keep", action="store_true", help=f"write docs/measured/{name}.json")


def keep(name: str, tables: Iterable[Table], options: str = "") -> None:
    """Write tables to a file.

    Args:
        name: The benchmark's name, or with a hyphen that of one of its variants.
        tables: What was printed.
        options: The command's options that change the figures, before `--keep`.
    """
    module = name.partition("-")[0]
    kept = {
        "command": " ".join(filter(None, ("python -m", f"benchmarks.{module}", options, "--keep"))),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "circumstances": circumstances(),
        "tables": [
            {
                "heads": [str(column.header) for column in table.columns],
                "rows": [
                    [str(cell).strip() for cell in cells]
                    for cells in zip(*(column.cells for column in table.columns), strict=True)
                ],
            }
            for table in tables
        ],
    }
    KEPT.mkdir(exist_ok=True)
    text = json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
    write_whole(KEPT / f"{name}.json", text.encode())


def yardstick(rounds: int = 1) -> dict[str, float]:
    """The rates printed by the named program, each the best of several runs."""
    program = os.environ.get(YARDSTICK)
    rates: dict[str, float] = {}
    for _ in range(rounds if program else 0):
        lines = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
        for name, rate in (line.split() for line in lines.splitlines()):
            rates[name] = max(rates.get(name, 0.0), float(rate))
    return rates


def best_seconds(
    rounds: int, work: Callable[[], Any], clock: Callable[[], float] = time.process_time
) -> float:
    """The shortest round, after one that is not counted; by default in CPU time of this process."""
    work()
    best = float("inf")
    for _ in range(rounds):
        started = clock()
        work()
        best = min(best, clock() - started)
    return best


def until(end: float) -> Watcher:
    """Ends an agent at a CPU time, independently of the load of the machine."""

    def watch(snapshot: Snapshot) -> int:
        if time.process_time() > end:
            raise KeyboardInterrupt
        return SLICE

    return watch


def explored(
    puzzle: Puzzle, level: str, rounds: int, *, pruned: bool = True
) -> tuple[Exploration, float]:
    """All states of a level by breadth-first search, and the seconds of the shortest round."""
    record = np.array([puzzle.format.find(level)[0].record])
    searches: list[Exploration] = []

    def explore() -> None:
        searches[:] = [Exploration(puzzle, record, pruned=pruned)]
        searches[0].run(to_solution=False)

    seconds = best_seconds(rounds, explore)
    return searches[0], seconds
