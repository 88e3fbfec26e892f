"""A search for skyscraper grids on which `skyscraper-exact` is slower than a constraint solver.

    python -m benchmarks.hunt --grids 2000 --seed 1

Draws grids with only a few large clues, which leave little for propagation. Every other one is cut
from a Latin square and so has a solution; the clues of the others are drawn freely, and many are
unsolvable. Both solvers have the same task: the first solution, or with `--solutions 2` a second
one too; or a proof of unsolvability. Different answers are an error.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.cp_sat import count_solutions
from benchmarks.measuring import add_keep, keep
from puzzle_agents.agent import Budget
from puzzle_agents.exact.skyscraper import SkyscraperExact
from puzzle_envs.skyscraper.evolved import seen_from_edges
from puzzle_envs.skyscraper.level import SIZES, clues_of, givens_of, pack, towers_id

__all__ = ["Catch", "chase", "draw", "summary"]

Numbers = npt.NDArray[np.int64]

WORST = 10
"""Number of grids with the highest ratio to print."""

SECONDS = 60.0


# --- the grids --------------------------------------------------------------------------------


def draw(random: np.random.Generator, size: int, *, solvable: bool) -> Numbers:
    """The clues of a grid without givens, none of them small."""
    clues = _clues_of_square(random, size) if solvable else _free_clues(random, size)
    clues[clues < _large(size)] = 0
    standing = random.permutation(np.flatnonzero(clues))
    clues[standing[random.integers(size, 5 * size // 2) :]] = 0
    return clues


def _large(size: int) -> int:
    """The smallest clue to keep; in a 12x12 grid 4, which a third of all clues are."""
    return size // 3


def _clues_of_square(random: np.random.Generator, size: int) -> Numbers:
    """The clues of a partly shuffled cyclic square: where rows still rise, clues are large."""
    rows, columns, heights = (_shuffled(random, size) for _ in range(3))
    return seen_from_edges(heights[(rows[:, None] + columns) % size] + 1)


def _shuffled(random: np.random.Generator, size: int) -> Numbers:
    """The numbers below `size` after some swaps."""
    numbers = np.arange(size)
    for pair in random.integers(size, size=(random.integers(size + 1), 2)):
        numbers[pair] = numbers[pair[::-1]]
    return numbers


def _free_clues(random: np.random.Generator, size: int) -> Numbers:
    """Large numbers anywhere, but never contradicting each other on a line."""
    clues = np.zeros((2, 2, size), np.int64)
    for axis, end, line in random.permutation(list(np.ndindex(clues.shape))):
        clue = min(_large(size) - 1 + random.geometric(0.4), size - 2)
        if clues[axis, 1 - end, line] + clue <= size + 1:
            clues[axis, end, line] = clue
    return clues.ravel()


# --- comparison ---------------------------------------------------------------------------------


class Catch(NamedTuple):
    """A grid, and the times of both solvers."""

    id: str
    """Its id in Simon Tatham's Towers."""
    solutions: int | None
    """None if both ran out of time."""
    ours: float
    theirs: float
    """CPU seconds."""

    @property
    def ratio(self) -> float:
        """Our time relative to theirs."""
        return self.ours / self.theirs


def chase(size: int, clues: Numbers, solutions: int, seconds: float) -> Catch:
    """Let both solvers search for this many solutions of a grid without givens."""
    record = pack(size, clues.tolist(), [0] * size**2)
    id = towers_id(record)
    ours, spent = _ours(id, solutions, seconds)
    theirs, beside = count_solutions(size, clues_of(record), givens_of(record), solutions, seconds)
    if None not in (ours, theirs) and ours != theirs:
        raise ValueError(f"{id}: skyscraper-exact finds {ours} solutions and CP-SAT {theirs}.")
    return Catch(id, theirs if ours is None else ours, spent, beside)


def _ours(id: str, solutions: int, seconds: float) -> tuple[int | None, float]:
    """As `count_solutions` of CP-SAT."""
    agent = SkyscraperExact(Budget(seconds=seconds))
    env = gymnasium.make("Skyscraper-v0", level=id)
    env.reset()
    started = time.process_time()
    try:
        found = agent.count_solutions(env, solutions)
    except RuntimeError:  # the budget ended
        return None, time.process_time() - started
    return found, time.process_time() - started


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=12, choices=SIZES, help="rows and columns")
    parser.add_argument("--grids", type=int, default=2000, help="number of grids")
    parser.add_argument("--seed", type=int, default=0, help="random seed")
    parser.add_argument("--solutions", type=int, default=1, help="solutions to search for in each")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="limit of each attempt")
    add_keep(parser, "hunt")
    chosen = parser.parse_args()
    random = np.random.default_rng(chosen.seed)
    chase(chosen.size, draw(random, chosen.size, solvable=True), 1, SECONDS)  # compiles
    catches = [
        chase(
            chosen.size,
            draw(random, chosen.size, solvable=index % 2 == 0),
            chosen.solutions,
            chosen.seconds,
        )
        for index in track(range(chosen.grids), "hunting", transient=True)
    ]
    table = summary(catches)
    _print(table, catches)
    if chosen.keep:
        keep("hunt", [table], _options(parser, chosen))


def _options(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> str:
    """The options that are not the defaults."""
    said = {name: value for name, value in vars(chosen).items() if name != "keep"}
    return " ".join(
        f"--{name} {value:g}" for name, value in said.items() if value != parser.get_default(name)
    )


def summary(catches: list[Catch]) -> Table:
    """Quantiles of both times and of their ratio, grid by grid."""
    table = Table("CPU s", "median", "99 %", "99.9 %", "maximum")
    for label, name in (("ours", "ours"), ("CP-SAT", "theirs"), ("ours / CP-SAT", "ratio")):
        values = [getattr(catch, name) for catch in catches]
        table.add_row(label, *(f"{at:.3f}" for at in np.quantile(values, (0.5, 0.99, 0.999, 1))))
    return table


def _print(table: Table, catches: list[Catch]) -> None:
    console = Console(width=120)
    console.print(table)
    found = [catch.solutions for catch in catches]
    console.print(
        f"{len(catches)} grids: {found.count(0)} without a solution, {found.count(1)} with one "
        f"found, {sum(catch.ratio > 2 for catch in catches)} where ours takes more than twice as "
        "long. The worst:"
    )
    for catch in sorted(catches, key=lambda catch: catch.ratio, reverse=True)[:WORST]:
        console.print(f"{catch.ratio:.3f} = {catch.ours:.3f} s / {catch.theirs:.3f} s  {catch.id}")


if __name__ == "__main__":
    main()
