"""A population, and the species that a puzzle provides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.evolution.operators import diversity
from puzzle_envs.level import Words

Genome = npt.NDArray[np.uint8]
Genomes = npt.NDArray[np.uint8]
"""One row per individual."""
Scores = npt.NDArray[np.float64]
"""Higher is better; -inf where not evaluated."""
Chance = Words
"""State of a random generator (chance.py)."""


class Generation(NamedTuple):
    """Statistics of a generation, for plots."""

    evaluations: int
    """Genomes evaluated on all islands so far."""
    best: float
    """The best score so far."""
    mean: float
    """Mean score of this generation."""
    diversity: float
    """Probability that two of its individuals differ in a gene."""


class Species(ABC):
    """What a puzzle provides: its genomes, their variation and their scores.

    Each island has its own species, which may hold scratch memory.
    """

    size: int
    """Population size."""
    genes: int
    """Length of a genome; a gene is an integer from 0 to 255."""
    elite: int = 0
    """Elitism: how many of the best survive unchanged."""
    enough: float = np.inf
    """The score at which the search stops."""

    @abstractmethod
    def populate(self, genomes: Genomes, chance: Chance) -> None:
        """Write the first generation."""

    @abstractmethod
    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Write the next generation: selection, crossover, mutation (operators.py)."""

    @property
    def shortest(self) -> int | None:
        """The moves of the shortest solution so far, if the search goes on after one."""
        return None

    def shown(self, genome: Genome) -> Sequence[int] | None:
        """The state that the best genome leads to, for display; None if there is none."""
        return None

    @abstractmethod
    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        """Score as many genomes as the evaluations allow; return the number of evaluations.

        A species that improves genomes on the way writes them back and counts those evaluations.
        """


class Population:
    """The individuals of one island."""

    def __init__(self, species: Species, chance: Chance) -> None:
        """Create an empty population; the first `advance` draws it."""
        self.species, self.chance = species, chance
        self.genomes = np.zeros((species.size, species.genes), np.uint8)
        self._children = np.zeros_like(self.genomes)
        self.scores = np.full(species.size, -np.inf)
        self.generations = 0
        self.evaluations = 0
        self.best = np.zeros(species.genes, np.uint8)
        """The best genome so far."""
        self.best_score = -np.inf
        self.best_since = 0
        """Evaluations up to and including the generation that found it."""
        self._tally = np.zeros(256, np.int64)

    def advance(self, most: int) -> None:
        """Advance by one generation, with at most this many evaluations."""
        if self.generations == 0:
            self.species.populate(self.genomes, self.chance)
            kept = 0
        else:
            kept = self._replace()
        self.scores[kept:] = -np.inf
        self.evaluations += self.species.evaluate(
            self.genomes[kept:], self.scores[kept:], most, self.chance
        )
        self.generations += 1
        self._note_best()

    def _replace(self) -> int:
        """Replace parents by children; return the number of elite individuals, which come first."""
        kept = self.species.elite
        if kept:
            best = np.argsort(-self.scores, kind="stable")[:kept]
            self._children[:kept] = self.genomes[best]
        self.species.breed(self.genomes, self.scores, self._children[kept:], self.chance)
        if kept:
            self.scores[:kept] = self.scores[best]
        self.genomes, self._children = self._children, self.genomes
        return kept

    def _note_best(self) -> None:
        first = int(np.argmax(self.scores))
        if self.scores[first] > self.best_score:
            self.best_score = float(self.scores[first])
            self.best = self.genomes[first].copy()
            self.best_since = self.evaluations

    def send(self, other: Population, count: int) -> None:
        """Migration: replace another population's worst by copies of the best."""
        best = np.argsort(-self.scores, kind="stable")[:count]
        worst = np.argsort(other.scores, kind="stable")[:count]
        other.genomes[worst] = self.genomes[best]
        other.scores[worst] = self.scores[best]

    @property
    def mean(self) -> float:
        """Mean of the scores evaluated."""
        scores = self.scores[np.isfinite(self.scores)]
        return float(scores.mean()) if scores.size else -np.inf

    @property
    def diversity(self) -> float:
        """Probability that two individuals differ in a gene."""
        return float(diversity(self.genomes, self._tally))

    @property
    def bytes(self) -> int:
        """Memory of the arrays, in bytes."""
        return 2 * self.genomes.nbytes + self.scores.nbytes
