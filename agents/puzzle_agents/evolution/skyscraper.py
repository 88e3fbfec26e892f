"""Our genetic algorithm for Skyscraper: rows without repeats, crossed by rows, annealed."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Budget, Result, Status
from puzzle_agents.evolution.agent import EvolutionAgent
from puzzle_agents.evolution.arguments import check_counts, check_limits, check_rates
from puzzle_agents.evolution.chance import new_chance
from puzzle_agents.evolution.operators import tournament
from puzzle_agents.evolution.population import Chance, Genome, Genomes, Scores, Species
from puzzle_agents.evolution.skyscraper_annealing import Grid, Schedule, anneal_all, grid_cost
from puzzle_agents.evolution.skyscraper_rows import cross_rows, draw_rows
from puzzle_agents.skyscraper_writes import skyscraper_record, words_of, writes_of
from puzzle_envs.common.arguments import flag, number
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Record
from puzzle_envs.skyscraper.exact import OVER, advance, begin, new_search
from puzzle_envs.skyscraper.level import clues_of, givens_of

__all__ = ["SkyscraperGA", "heights_allowed"]


def heights_allowed(record: Record, *, pruned: bool) -> npt.NDArray[np.uint64] | None:
    """For each cell a bit for each height that may stand there, None where a cell has none.

    Args:
        record: The level.
        pruned: Whether what follows from clues and givens, line by line and without a guess, is
            taken into account, or only the givens.
    """
    n = int(record["size"])
    search = new_search(n)
    begin(search, np.array(clues_of(record), np.int64), np.array(givens_of(record), np.int64))
    if pruned:
        advance(search, 1, 0)
        if search.grid.progress["status"][0] == OVER:
            return None
        return search.states[0, : n * n].astype(np.uint64) << np.uint64(1)
    every = 2 ** (n + 1) - 2
    return np.array([1 << given if given else every for given in givens_of(record)], np.uint64)


class Habits(NamedTuple):
    """How grids live: the arguments of the agent."""

    population: int
    tournament: int
    crossover: float
    share: float
    steps: int
    focus: float
    hot: float
    cold: float
    restart: int | None
    pruned: bool


class Rows(Species):
    """Grids of allowed heights without a height twice in a row; the score is minus their cost."""

    enough = 0.0

    def __init__(self, record: Record, habits: Habits) -> None:
        """Find out what may stand where."""
        self.habits = habits
        self.size = habits.population
        self._n = int(record["size"])
        self.genes = self._n**2
        self._clues = np.array(clues_of(record), np.int64).reshape(4, self._n)
        allowed = heights_allowed(record, pruned=habits.pruned)
        self._allowed = np.zeros(self.genes, np.uint64) if allowed is None else allowed
        several = (self._allowed & (self._allowed - np.uint64(1))) != 0
        self._open_cells = np.flatnonzero(several).astype(np.uint8)
        self._parents = np.zeros(2 * self.size, np.int64)
        self._best, self._unimproved = -np.inf, 0

    @property
    def promising(self) -> bool:
        """Whether rows can be filled at all, and where that can be done in one way, are right."""
        grid = np.zeros((1, self.genes), np.uint8)
        if not draw_rows(grid, self._n, self._allowed, new_chance(0)):
            return False
        return self._open_cells.size > 0 or self.cost(grid[0]) == 0

    def cost(self, grid: Genome) -> int:
        """How much is wrong."""
        return int(grid_cost(grid[np.newaxis], 0, self._n, self._clues))

    def populate(self, genomes: Genomes, chance: Chance) -> None:
        """Write random rows."""
        draw_rows(genomes, self._n, self._allowed, chance)

    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Let children take rows from two parents; begin anew where that has come to a stop."""
        habits = self.habits
        if habits.restart is not None and self._unimproved >= habits.restart:
            self._best, self._unimproved = -np.inf, 0
            self.populate(children, chance)
            return
        tournament(scores, habits.tournament, chance, self._parents)
        cross_rows(
            genomes, self._parents, self._n, habits.crossover, habits.share, chance, children
        )

    def shown(self, genome: Genome) -> list[int]:
        """The grid that it is."""
        return words_of(genome.tolist())

    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        """Anneal all, and count every grid that was rated on the way."""
        habits = self.habits
        grid = Grid(self._n, self._clues, self._allowed, self._open_cells)
        schedule = Schedule(habits.focus, habits.hot, habits.cold)
        spent = anneal_all(genomes, grid, schedule, habits.steps, most, chance, scores)
        best = scores.max()
        self._unimproved = 0 if best > self._best else self._unimproved + 1
        self._best = max(self._best, best)
        return int(spent)


class SkyscraperGA(EvolutionAgent[Rows]):
    """A genetic algorithm whose grids have no height twice in a row, and are annealed.

    Before it begins, all that follows from clues and givens line by line is drawn once
    (`pruned`): heights that this excludes stand in no genome. Children take rows from two parents;
    then each is annealed by steps that exchange heights within a row, scored by what repeats in
    columns and by how far each clue is missed. Every grid rated, be it by a step alone, counts as
    an evaluation.

    What has been written is written over where the solution found says otherwise. Guarantees
    nothing; within the paper's 1,710,000 evaluations it solves nearly all grids up to 8x8, and
    about half of the hardest 9x9 ones. Use it to see what a genetic algorithm can do,
    `skyscraper-exact` to solve grids.
    """

    name: ClassVar[str] = "skyscraper-ga"
    only: ClassVar[str] = "Skyscraper"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        seed: int | None = 0,
        generations: int | None = None,
        islands: int = 1,
        patience: int | None = None,
        population: int = 20,
        tournament: int = 2,
        crossover: float = 0.9,
        share: float = 0.1,
        steps: int = 4000,
        focus: float = 0.95,
        hot: float = 0.5,
        cold: float = 0.25,
        restart: int | None = 50,
        pruned: bool = True,
    ) -> None:
        """Make an agent.

        Args:
            budget: What it may spend on each attempt.
            seed: What chance depends on; None for chance itself.
            generations: How many at most; None for as many as the budget allows.
            islands: How many populations evolve side by side, in a thread each.
            patience: After how many generations without a better grid it gives up; None for never.
            population: How many grids on an island.
            tournament: How many compete to be a parent.
            crossover: How likely a child has two parents.
            share: How likely each row of such a child is the second parent's.
            steps: How many grids the annealing of a child rates.
            focus: How likely it passes over a cell whose row and column are right.
            hot: Its temperature at the beginning, in units of what is wrong.
            cold: Its temperature in the end.
            restart: After how many generations without a better one an island begins anew; None
                for never.
            pruned: Whether heights are excluded by what follows from clues and givens, or by
                givens only.
        """
        super().__init__(
            budget, seed=seed, generations=generations, islands=islands, patience=patience
        )
        check_counts(population=population, tournament=tournament, steps=steps)
        check_limits(restart=restart)
        check_rates(crossover=crossover, share=share, focus=focus)
        pruned = flag("pruned", pruned)
        if not 0 < number("cold", cold) <= number("hot", hot):
            raise ValueError(f"It is {hot} hot and {cold} cold; give 0 < cold <= hot.")
        self.habits = Habits(
            population, tournament, crossover, share, steps, focus, hot, cold, restart, pruned
        )

    def _plan(self, env: PuzzleEnv) -> Result:
        if not self._species(env).promising:
            return Result(Status.GAVE_UP)
        return super()._plan(env)

    def _species(self, env: PuzzleEnv) -> Rows:
        return Rows(skyscraper_record(env, self.name), self.habits)

    def _actions(self, env: PuzzleEnv, species: Rows, genome: Genome) -> list[int] | None:
        return None if species.cost(genome) else writes_of(env, genome.tolist())
