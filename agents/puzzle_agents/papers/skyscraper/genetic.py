"""The genetic algorithm of the Skyscraper paper: heights in cells, drawn, crossed and mutated."""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple, get_args

import numpy as np

from puzzle_agents.agent import Budget
from puzzle_agents.evolution.agent import EvolutionAgent
from puzzle_agents.evolution.arguments import check_counts, check_rates
from puzzle_agents.evolution.operators import tournament
from puzzle_agents.evolution.population import Chance, Genome, Genomes, Scores, Species
from puzzle_agents.papers.skyscraper.fitness import rate
from puzzle_agents.papers.skyscraper.operators import (
    cross_at_row,
    draw_grids,
    mutate_cells,
)
from puzzle_agents.skyscraper_writes import skyscraper_record, words_of, writes_of
from puzzle_envs.common.arguments import one_of, whole
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Record
from puzzle_envs.skyscraper.level import clues_of, givens_of

__all__ = ["Competitors", "Givens", "Mutated", "SkyscraperPaperGA", "Uncrossed"]

Competitors = Literal["all", "first"]
Uncrossed = Literal["copies", "new"]
Mutated = Literal["set", "added"]
Givens = Literal["kept", "rated"]


class Reading(NamedTuple):
    """The parameters of the paper's Table II, and how its text is read where it leaves it open."""

    population: int
    tournament: int
    crossover: float
    mutation: float
    competitors: Competitors
    uncrossed: Uncrossed
    lowest_point: int
    children: int
    mutated: Mutated
    givens: Givens
    elite: int


class Grids(Species):
    """Grids of any heights, rated by the paper's fitness."""

    enough = 0.0

    def __init__(self, record: Record, reading: Reading) -> None:
        """Make working space for the grids of a level."""
        self.reading = reading
        self.size, self.elite = reading.population, reading.elite
        self._n = int(record["size"])
        self.genes = self._n**2
        self._clues = np.array(clues_of(record), np.int64).reshape(4, self._n)
        self._givens = np.array(givens_of(record), np.uint8)
        kept = reading.givens == "kept"
        self._kept = self._givens if kept else np.zeros_like(self._givens)
        # Of each two parents come two children or one, and one more pair for an odd number.
        self._parents = np.zeros(2 * self.size // reading.children + 2, np.int64)

    def populate(self, genomes: Genomes, chance: Chance) -> None:
        """Write random grids."""
        draw_grids(genomes, self._n, self._kept, chance)

    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Select (Algorithm 2), cross (Algorithm 5), mutate (Algorithm 6)."""
        reading = self.reading
        if reading.competitors == "first":
            scores = scores[: reading.tournament + 1]
        tournament(scores, reading.tournament, chance, self._parents)
        cross_at_row(
            genomes,
            self._parents,
            self._n,
            reading.crossover,
            reading.lowest_point,
            reading.children,
            reading.uncrossed == "new",
            self._kept,
            chance,
            children,
        )
        adds = reading.mutated == "added"
        mutate_cells(children, self._n, reading.mutation, adds, self._kept, chance)

    def shown(self, genome: Genome) -> list[int]:
        """The grid that it is."""
        return words_of(genome.tolist())

    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        """Count what is wrong."""
        count = min(most, len(genomes))
        rate(genomes[:count], self._n, self._clues, self._givens, scores)
        return count


class SkyscraperPaperGA(EvolutionAgent[Grids]):
    """The paper's genetic algorithm, with its parameters (Table II) unless others are given.

    A genome is the heights of all cells; what the level gives is fixed, what has been written is
    written over. Guarantees nothing, and rarely solves grids from 7x7 on; `skyscraper-ga` is the
    better one, `skyscraper-exact` the one to solve grids with. Use it to see what the paper saw.

    The paper's budget is `generations` of `population` each, the first one among them: 1,710,000
    evaluations.
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
        competitors: Competitors = "all",
        uncrossed: Uncrossed = "copies",
        lowest_point: int = 0,
        children: int = 2,
        mutated: Mutated = "set",
        givens: Givens = "kept",
        elite: int = 0,
    ) -> None:
        """Make an agent; where the paper contradicts itself the pseudocode goes before the text.

        Args:
            budget: What it may spend on each attempt.
            seed: What chance depends on; None for chance itself.
            generations: How many at most, the first one among them.
            islands: How many populations evolve side by side; the paper has one.
            patience: After how many generations without a better genome it gives up. Algorithm 1
                has such a test, but no number for it anywhere: None, never.
            population: How many individuals.
            tournament: How many compete to be a parent.
            crossover: How likely two parents are crossed.
            mutation: How likely a cell is changed.
            competitors: Who is drawn for a tournament: "all", as the text says ("the random
                selection of a few individuals"), or the "first" of the population only, as
                Algorithm 2 has it ("0 <= i <= k"): then all but eleven are in vain, which cannot
                be meant, so here the text goes first.
            uncrossed: What two parents have as children when they are not crossed: "copies" of
                them (Algorithm 5) or two "new" random grids (the text).
            lowest_point: The lowest row before which to cross: "between 0 and the game size
                (exclusive)", so 0, with which the parents are but exchanged; or 1.
            children: How many of a crossover's children live: 2 (Algorithm 5 returns both), or 1
                (Algorithm 1 adds "offspring").
            mutated: Whether a random height is "set" (Algorithm 6) or "added" to what is there
                (the text), which may lead out of range, as Algorithm 3 provides for.
            givens: Whether they are "kept" in all genomes, as they are in the environment; or
                evolve like other cells and are "rated", minus one for each that is wrong. The
                paper has none.
            elite: How many of the best go on unchanged: 0, there is nothing of it in Algorithm 1.
        """
        super().__init__(
            budget, seed=seed, generations=generations, islands=islands, patience=patience
        )
        one_of("competitors", competitors, get_args(Competitors))
        one_of("uncrossed", uncrossed, get_args(Uncrossed))
        one_of("lowest_point", lowest_point, (0, 1))
        one_of("children", children, (1, 2))
        one_of("mutated", mutated, get_args(Mutated))
        one_of("givens", givens, get_args(Givens))
        check_counts(population=population, tournament=tournament)
        if not 0 <= whole("elite", elite) < population:
            raise ValueError(f"elite is {elite}; give fewer than the population, {population}.")
        check_rates(crossover=crossover, mutation=mutation)
        self.reading = Reading(
            population, tournament, crossover, mutation,
            competitors, uncrossed, lowest_point, children, mutated, givens, elite,
        )  # fmt: skip

    def _species(self, env: PuzzleEnv) -> Grids:
        return Grids(skyscraper_record(env, self.name), self.reading)

    def _actions(self, env: PuzzleEnv, species: Grids, genome: Genome) -> list[int] | None:
        scores = np.zeros(1)
        species.evaluate(genome[np.newaxis], scores, 1, np.zeros(1, np.uint64))
        return writes_of(env, genome.tolist()) if scores[0] == species.enough else None
