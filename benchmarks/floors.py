"""Results of an agent on a folder of Kwirk floors: the tables of docs/kwirk_frontier.md.

    python -m benchmarks.floors FOLDER --seconds 150 --known benchmarks/best_known.csv

The agent stops at its first solution, and `improve` spends the rest of the CPU seconds on a shorter
one. Each solution is replayed by keys in KwirkSteps-v0 before it is printed. With a table of the
best known pushes, a last line compares with them. Exit code 1: solutions take more than 1.1 times
as many pushes on average, or 1.5 times on one floor. `--keep` writes
docs/measured/floors.json, with `--first` floors-first.json.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import gymnasium
from rich.console import Console
from rich.table import Table

from benchmarks.measuring import FIRST_ONLY, add_keep, keep, until
from puzzle_agents.agent import Budget, Result
from puzzle_agents.environments import make_env
from puzzle_agents.registry import make
from puzzle_agents.search.improve import Improver
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kwirk.codec import SWITCH
from puzzle_envs.kwirk.presses import key_presses

HEAD = (
    "floor", "status", "solved by", "CPU s", "as found", "states", "MB", "pushes", "best known",
    "bound", "improved by", "CPU s", "steps (switches)",
)  # fmt: skip
MOST_ON_AVERAGE, MOST = 1.1, 1.5
"""Maximum ratios to the best known pushes, on average and on a floor."""


class Attempt(NamedTuple):
    """A row of the table."""

    floor: str
    found: Result
    """The first solution."""
    seconds: float
    best: Result
    """The same, made shorter."""
    improving: float
    """The seconds that this took."""
    known: int | None
    """The pushes best known."""
    keys: Sequence[int]
    """The keys of the shorter solution."""

    @property
    def ratio(self) -> float | None:
        """The ratio to the best known pushes."""
        return self.best.moves / self.known if self.known and self.best.moves else None

    def cells(self) -> tuple[str, ...]:
        """The row as texts."""
        switches = self.keys.count(SWITCH)
        steps = str(len(self.keys) - switches or "")
        return (
            self.floor, self.found.status, getattr(self.found, "solved_by", ""),
            f"{self.seconds:.2f}", str(self.found.moves or ""), f"{self.found.unique:,}",
            f"{self.found.peak_bytes / 1e6:.1f}", str(self.best.moves or ""),
            str(self.known or ""), str(self.best.bound or ""), self.best.improved_by,
            f"{self.improving:.1f}", f"{steps} ({switches})" if switches else steps,
        )  # fmt: skip


def attempt(
    name: str, memory: str, path: Path, seconds: float, known: int | None, first: bool
) -> Attempt:
    """Solve a floor by pushes with an agent, shorten the solution, and replay it by keys.

    Args:
        name: The agent's name.
        memory: Limit of its tables.
        path: The floor.
        seconds: CPU seconds for both.
        known: The best known pushes.
        first: Do not shorten the solution.
    """
    env, budget = make_env("Kwirk-v0", path), Budget(seconds=None, memory=memory)
    agent = make(name, budget, **FIRST_ONLY.get(name, {}))
    agent.warm_up(env)
    began = time.process_time()
    agent.watcher = until(began + seconds)
    found = agent.solve(env)
    solved = time.process_time()
    if not found.solved:
        return Attempt(path.stem, found, solved - began, found, 0.0, known, [])
    if first:
        keys = _keys(env, path, found)
        return Attempt(path.stem, found, solved - began, found, 0.0, known, keys)
    improver = Improver(found.actions, budget)
    improver.watcher = until(began + seconds)
    best = improver.solve(env)
    improving = time.process_time() - solved
    return Attempt(path.stem, found, solved - began, best, improving, known, _keys(env, path, best))


def _keys(env: PuzzleEnv, path: Path, result: Result) -> list[int]:
    """The keys of a solution, checked to solve the floor."""
    keys = key_presses(env.record, env.get_state().words, result.actions)
    played = gymnasium.make("KwirkSteps-v0", level=path, max_episode_steps=len(keys))
    played.reset()
    for key in keys:
        *_, info = played.step(key)
        if info["illegal"]:
            raise RuntimeError(f"{path}: the key {key} is illegal.")
    if not info["solved"]:
        raise RuntimeError(f"{path}: the keys do not solve the floor.")
    return keys


def compared(attempts: Sequence[Attempt]) -> tuple[str, bool]:
    """A line that compares with the best known pushes, and whether they are few enough."""
    ratios = {row.floor: row.ratio for row in attempts if row.ratio is not None}
    if not ratios:
        return "No floor has both a solution and a known one.", True
    mean, worst = fmean(ratios.values()), max(ratios, key=lambda floor: ratios[floor])
    below = sum(ratio < 1 for ratio in ratios.values())
    line = (
        f"{len(ratios)} floors: {mean:.3f} times the best known on average, {below} below it, at "
        f"most {ratios[worst]:.2f} times ({worst})."
    )
    return line, mean <= MOST_ON_AVERAGE and ratios[worst] <= MOST


def kept_table(attempts: Sequence[Attempt]) -> Table:
    """The rows for docs/measured, with heads that differ."""
    heads = [*HEAD]
    heads[len(heads) - 1 - heads[::-1].index("CPU s")] = "improving, CPU s"
    table = Table(*heads)
    for row in attempts:
        table.add_row(*row.cells())
    return table


def _options(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> str:
    """The options that are not the defaults; the folder and the table are the user's own."""
    said = ["FOLDER", *(["--first"] if chosen.first else [])]
    for name in ("agent", "seconds", "memory"):
        if (value := getattr(chosen, name)) != parser.get_default(name):
            said.append(f"--{name} {value:g}" if name == "seconds" else f'--{name} "{value}"')
    said += [f"--floors {' '.join(chosen.floors)}"] if chosen.floors else []
    return " ".join([*said, *(["--known FILE"] if chosen.known else [])])


def _known(path: Path | None) -> Mapping[str, int]:
    if path is None:
        return {}
    with path.open(newline="") as file:
        return {row["floor"]: int(row["pushes"]) for row in csv.DictReader(file)}


def main() -> int:
    """Print a table as Markdown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="level files, one floor each")
    parser.add_argument("--agent", default="portfolio", help="the agent's name")
    parser.add_argument("--seconds", type=float, default=900.0, help="of the processor, a floor")
    parser.add_argument("--memory", default="4 GiB", help="limit of its tables")
    parser.add_argument("--floors", nargs="+", help="only these of the folder")
    parser.add_argument("--first", action="store_true", help="do not shorten the solutions")
    parser.add_argument("--known", type=Path, help="a table of the pushes best known")
    add_keep(parser, "floors")
    chosen = parser.parse_args()
    console, known, attempts = Console(soft_wrap=True), _known(chosen.known), []
    console.print(f"| {' | '.join(HEAD)} |", f"|{'---|' * len(HEAD)}", sep="\n", markup=False)
    for path in sorted(chosen.folder.glob("*.txt")):
        if chosen.floors is None or path.stem in chosen.floors:
            best_known = known.get(path.stem)
            row = attempt(
                chosen.agent, chosen.memory, path, chosen.seconds, best_known, chosen.first
            )
            attempts.append(row)
            console.print(f"| {' | '.join(row.cells())} |", markup=False)
    line, short_enough = compared(attempts)
    console.print(line, markup=False)
    if chosen.keep:
        name = "floors-first" if chosen.first else "floors"
        keep(name, [kept_table(attempts)], _options(parser, chosen))
    return int(not short_enough)


if __name__ == "__main__":
    sys.exit(main())
