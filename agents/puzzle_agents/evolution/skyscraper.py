"""A memetic algorithm for Skyscraper: rows without repeats, row crossover, annealing."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from puzzle_agents.agent import Budget, Result, Status
from puzzle_agents.evolution.agent import EvolutionAgent
from puzzle_agents.evolution.arguments import check_counts, check_limits, check_rates
from puzzle_agents.evolution.operators import tournament
from puzzle_agents.evolution.population import Chance, Genome, Genomes, Scores, Species
from puzzle_agents.evolution.skyscraper_annealing import Grid, Schedule, anneal_all, grid_cost
from puzzle_agents.evolution.skyscraper_rows import cross_rows, draw_rows
from puzzle_agents.skyscraper_writes import skyscraper_record, words_of, writes_of
from puzzle_envs.common.arguments import flag, number
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Record, Words
from puzzle_envs.skyscraper.exact import OVER, advance, begin, new_search
from puzzle_envs.skyscraper.level import clues_of, givens_of
from puzzle_envs.states.chance import new_chance


def heights_allowed(record: Record, *, pruned: bool) -> Words | None:
    """Bitmasks of the heights allowed in each cell; None if a cell has none.

    Args:
        record: The level.
        pruned: Exclude what clues and givens rule out line by line, without guessing, instead of
            only what the givens rule out.
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


class Parameters(NamedTuple):
    """Parameters of the genetic algorithm."""

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
    """Grids of allowed heights, distinct within each row; the score is minus the cost."""

    enough = 0.0

    def __init__(self, record: Record, parameters: Parameters) -> None:
        """Determine which heights are allowed where."""
        self.parameters = parameters
        self.size = parameters.population
        self._n = int(record["size"])
        self.genes = self._n**2
        self._clues = np.array(clues_of(record), np.int64).reshape(4, self._n)
        allowed = heights_allowed(record, pruned=parameters.pruned)
        self._allowed = np.zeros(self.genes, np.uint64) if allowed is None else allowed
        several = (self._allowed & (self._allowed - np.uint64(1))) != 0
        self._open_cells = np.flatnonzero(several).astype(np.uint8)
        self._parents = np.zeros(2 * self.size, np.int64)
        self._best, self._unimproved = -np.inf, 0

    @property
    def promising(self) -> bool:
        """Whether every row can be filled, and, if only one grid is possible, it is a solution."""
        grid = np.zeros((1, self.genes), np.uint8)
        if not draw_rows(grid, self._n, self._allowed, new_chance(0)):
            return False
        return self._open_cells.size > 0 or self.cost(grid[0]) == 0

    def cost(self, grid: Genome) -> int:
        """The number of errors."""
        return int(grid_cost(grid[np.newaxis], 0, self._n, self._clues))

    def populate(self, genomes: Genomes, chance: Chance) -> None:
        """Draw random rows."""
        draw_rows(genomes, self._n, self._allowed, chance)

    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Cross rows of two parents, or restart a population that has stopped improving."""
        parameters = self.parameters
        if parameters.restart is not None and self._unimproved >= parameters.restart:
            self._best, self._unimproved = -np.inf, 0
            self.populate(children, chance)
            return
        tournament(scores, parameters.tournament, chance, self._parents)
        cross_rows(
            genomes,
            self._parents,
            self._n,
            parameters.crossover,
            parameters.share,
            chance,
            children,
        )

    def shown(self, genome: Genome) -> list[int]:
        """The grid itself."""
        return words_of(genome.tolist())

    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        """Anneal the genomes; every grid rated on the way is an evaluation."""
        parameters = self.parameters
        grid = Grid(self._n, self._clues, self._allowed, self._open_cells)
        schedule = Schedule(parameters.focus, parameters.hot, parameters.cold)
        spent = anneal_all(genomes, grid, schedule, parameters.steps, most, chance, scores)
        best = scores.max()
        self._unimproved = 0 if best > self._best else self._unimproved + 1
        self._best = max(self._best, best)
        return int(spent)


class SkyscraperGA(EvolutionAgent[Rows]):
    """A memetic algorithm: grids with distinct heights in each row, improved by annealing.

    With `pruned`, what clues and givens rule out line by line is excluded from genomes beforehand.
    Children take rows from two parents; each is then annealed by swaps within a row, scored by
    repeats in columns and by how far each clue is missed. Every grid rated, even within a step,
    counts as an evaluation.

    Heights already written are overwritten where the solution found differs. Guarantees nothing;
    within the paper's 1,710,000 evaluations it solves nearly all grids up to 8x8, and about half of
    the hardest 9x9 ones. To solve grids, use `skyscraper-exact`; this one shows what a genetic
    algorithm can do.
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
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            seed: Random seed; None draws one from the system.
            generations: Maximum number of generations; None for no limit beyond the budget.
            islands: Number of populations, each evolved in its own thread.
            patience: Generations without improvement before it gives up; None for never.
            population: Population size of an island.
            tournament: Tournament size.
            crossover: Crossover rate.
            share: Probability that a row of a crossed child is the second parent's.
            steps: Grids rated to anneal a child.
            focus: Probability of skipping a cell whose row and column are correct.
            hot: Initial temperature, in units of cost.
            cold: Final temperature.
            restart: Generations without improvement before an island restarts; None for never.
            pruned: Exclude heights that clues and givens rule out, not only those that givens do.
        """
        super().__init__(
            budget, seed=seed, generations=generations, islands=islands, patience=patience
        )
        check_counts(population=population, tournament=tournament, steps=steps)
        check_limits(restart=restart)
        check_rates(crossover=crossover, share=share, focus=focus)
        pruned = flag("pruned", pruned)
        if not 0 < number("cold", cold) <= number("hot", hot):
            raise ValueError(f"hot is {hot} and cold is {cold}; give 0 < cold <= hot.")
        self.parameters = Parameters(
            population, tournament, crossover, share, steps, focus, hot, cold, restart, pruned
        )

    def _plan(self, env: PuzzleEnv) -> Result:
        if not self._species(env).promising:
            return Result(Status.GAVE_UP)
        return super()._plan(env)

    def _species(self, env: PuzzleEnv) -> Rows:
        return Rows(skyscraper_record(env, self.name), self.parameters)

    def _actions(self, env: PuzzleEnv, species: Rows, genome: Genome) -> list[int] | None:
        return None if species.cost(genome) else writes_of(env, genome.tolist())
