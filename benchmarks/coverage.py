"""How many levels each search solves, and whether the portfolio keeps up with the best of them.

    python -m benchmarks.coverage Kwirk-v0=floors.txt ZenGarden-v0=gardens.txt -n 36

Each argument is an environment's id and a set of levels, bundled or in a file: typically generated
levels too large for optimal search, such as floors of 20 and more pushes, gardens of 12x12 and
boxes of 6x6, a few dozen each. Seconds are CPU seconds. Exit code 1: the portfolio solves at least
two levels fewer than one of its members.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from rich.console import Console

from benchmarks.measuring import FIRST_ONLY, until
from puzzle_agents.agent import Budget, WrongPuzzleError
from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.registry import PORTFOLIOS, make
from puzzle_envs.level import Level

AGENTS = (
    "portfolio", "bfws", "segments", "stages", "types", "greedy", "beam", "anytime", "novelty",
)  # fmt: skip
HEAD = ("agent", "solved", "moves", "CPU s")
MEMORY = "1 GiB"
MARGIN = 1
"""How many levels fewer than the best of its members the portfolio may solve."""


class Coverage(NamedTuple):
    """The results of an agent on a set."""

    agent: str
    solved: int
    of: int
    moves: float
    """Mean moves over the solved levels."""
    seconds: float
    """Total CPU seconds over the same levels."""

    def cells(self) -> tuple[str, ...]:
        """The row as texts."""
        moves = f"{self.moves:.1f}" if self.solved else ""
        return self.agent, f"{self.solved} of {self.of}", moves, f"{self.seconds:.1f}"


def coverage(id: str, levels: Sequence[Level], name: str, seconds: float) -> Coverage | None:
    """Run an agent on levels; None if it does not support them."""
    agent = make(name, Budget(seconds=None, memory=MEMORY), **FIRST_ONLY.get(name, {}))
    envs = [make_env(id, level) for level in levels]
    try:
        agent.check(envs[0].puzzle, envs[0].level)
    except WrongPuzzleError:
        return None
    agent.warm_up(envs[0])
    moves, spent = [], 0.0
    for env in envs:
        began = time.process_time()
        agent.watcher = until(began + seconds)
        result = agent.solve(env)
        if result.moves is not None:
            moves.append(result.moves)
            spent += time.process_time() - began
    return Coverage(name, len(moves), len(levels), fmean(moves) if moves else 0.0, spent)


def falls_behind(rows: Sequence[Coverage], members: Sequence[str]) -> bool:
    """Whether the portfolio falls behind the best of its members by more than the margin."""
    solved = {row.agent: row.solved for row in rows}
    best = max((solved[name] for name in members if name in solved), default=0)
    return "portfolio" in solved and solved["portfolio"] < best - MARGIN


def _wanted(text: str) -> tuple[str, str]:
    id, equals, name = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"write ENV=SET, such as Kwirk-v0=hard, not {text!r}")
    return id, name


def main() -> int:
    """Print a table for each set, as Markdown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="+", type=_wanted, metavar="ENV=SET", help="a set or a file")
    parser.add_argument("--seconds", type=float, default=10.0, help="of the processor, a level")
    parser.add_argument("-n", type=int, default=36, help="the first levels of each set")
    parser.add_argument("--agents", nargs="+", default=AGENTS, help="the agents' names")
    chosen = parser.parse_args()
    console, behind = Console(soft_wrap=True), False
    for id, name in chosen.sets:
        puzzle = puzzle_of(id)
        levels = puzzle.format.find_all(name)[: chosen.n]
        console.print(f"\n{id}, {name}\n\n| {' | '.join(HEAD)} |", markup=False)
        console.print(f"|{'---|' * len(HEAD)}", markup=False)
        rows = []
        for agent in chosen.agents:
            row = coverage(id, levels, agent, chosen.seconds)
            if row is not None:
                rows.append(row)
                console.print(f"| {' | '.join(row.cells())} |", markup=False)
        members = [member.agent for member in PORTFOLIOS.get(puzzle.title, PORTFOLIOS[""])]
        if falls_behind(rows, members):
            behind = True
            console.print("The portfolio is more than a level behind the best of its members.")
    return int(behind)


if __name__ == "__main__":
    sys.exit(main())
