"""The genetic algorithm of the Skyscraper paper: heights in cells, drawn, crossed and mutated."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from puzzle_agents.agent import Budget
from puzzle_agents.evolution.agent import EvolutionAgent
from puzzle_agents.evolution.arguments import check_counts, check_rates
from puzzle_agents.evolution.operators import tournament
from puzzle_agents.evolution.population import Chance, Genome, Genomes, Scores, Species
from puzzle_agents.papers.skyscraper.fitness import rate
from puzzle_agents.papers.skyscraper.operators import cross_at_row, draw_grids, mutate_cells
from puzzle_agents.skyscraper_writes import skyscraper_record, words_of, writes_of
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Record
from puzzle_envs.skyscraper.level import clues_of, givens_of


class Grids(Species):
    """Grids of any heights, rated by the paper's fitness."""

    enough = 0.0

    def __init__(self, record: Record, agent: SkyscraperPaperGA) -> None:
        """Make working space for the grids of a level."""
        self._agent, self.size = agent, agent.population
        self._n = int(record["size"])
        self.genes = self._n**2
        self._clues = np.array(clues_of(record), np.int64).reshape(4, self._n)
        self._givens = np.array(givens_of(record), np.uint8)
        self._parents = np.zeros(self.size + 2, np.int64)

    def populate(self, genomes: Genomes, chance: Chance) -> None:
        """Write random grids."""
        draw_grids(genomes, self._n, self._givens, chance)

    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Select (Algorithm 2), cross (Algorithm 5), mutate (Algorithm 6)."""
        agent = self._agent
        tournament(scores, agent.tournament, chance, self._parents)
        cross_at_row(genomes, self._parents, self._n, agent.crossover, chance, children)
        mutate_cells(children, self._n, agent.mutation, self._givens, chance)

    def shown(self, genome: Genome) -> list[int]:
        """The grid that a genome encodes."""
        return words_of(genome.tolist())

    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        """Score genomes by their faults."""
        count = min(most, len(genomes))
        rate(genomes[:count], self._n, self._clues, scores)
        return count


class SkyscraperPaperGA(EvolutionAgent[Grids]):
    """The paper's genetic algorithm, with its parameters (Table II) unless others are given.

    A genome is the heights of all cells; the givens are fixed, heights already written are
    overwritten. Parents are chosen by tournaments among all individuals, as the text says:
    Algorithm 2 draws from the first few only. Otherwise it follows the pseudocode: two children per
    pair of parents, copies if they are not crossed; mutation sets a height; no elite.

    Guarantees nothing, and rarely solves grids from 7x7 on. Use it to compare with the paper;
    `skyscraper-ga` is better at the same task, `skyscraper-exact` solves grids in milliseconds.

    The paper's budget is `generations` generations of `population` genomes, including the first:
    1,710,000 evaluations.
    """

    name: ClassVar[str] = "skyscraper-ga-paper"
    only: ClassVar[str] = "Skyscraper"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        seed: int | None = 0,
        generations: int | None = 4500,
        islands: int = 1,
        patience: int | None = None,
        population: int = 380,
        tournament: int = 10,
        crossover: float = 0.9,
        mutation: float = 0.09,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            seed: Random seed; None draws one from the system.
            generations: Maximum number of generations, including the first.
            islands: Number of populations, evolved in parallel; the paper has one.
            patience: Generations without improvement before it gives up; None for never. The paper
                has such a test in Algorithm 1, but no number.
            population: Population size.
            tournament: Tournament size.
            crossover: Crossover rate.
            mutation: Probability that a cell mutates.
        """
        super().__init__(
            budget, seed=seed, generations=generations, islands=islands, patience=patience
        )
        check_counts(population=population, tournament=tournament)
        check_rates(crossover=crossover, mutation=mutation)
        self.population, self.tournament = population, tournament
        self.crossover, self.mutation = crossover, mutation

    def _species(self, env: PuzzleEnv) -> Grids:
        return Grids(skyscraper_record(env, self.name), self)

    def _actions(self, env: PuzzleEnv, species: Grids, genome: Genome) -> list[int] | None:
        scores = np.zeros(1)
        species.evaluate(genome[np.newaxis], scores, 1, np.zeros(1, np.uint64))
        return writes_of(env, genome.tolist()) if scores[0] == species.enough else None
