"""One population, and what a puzzle brings to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.evolution.operators import diversity

__all__ = ["Chance", "Generation", "Genome", "Genomes", "Population", "Scores", "Species"]

Genome = npt.NDArray[np.uint8]
Genomes = npt.NDArray[np.uint8]
"""A row for each individual."""
Scores = npt.NDArray[np.float64]
"""Higher is better; -inf where nothing was evaluated."""
Chance = npt.NDArray[np.uint64]
"""The state of a random generator (chance.py)."""


class Generation(NamedTuple):
    """A generation, for plots."""

    evaluations: int
    """Genomes evaluated up to its end, all islands together."""
    best: float
    """The best score so far."""
    mean: float
    """Of the scores in this generation."""
    diversity: float
    """How likely two of its individuals differ in a gene."""


class Species(ABC):
    """What a puzzle brings: what a genome is, how genomes vary, how good they are.

    Each island has a species of its own, so that it may keep working space.
    """

    size: int
    """How many individuals a population has."""
    genes: int
    """The length of a genome; a gene is a number from 0 to 255."""
    elite: int = 0
    """How many of the best go on unchanged."""
    enough: float = np.inf
    """The score at which nothing better is looked for."""

    @abstractmethod
    def populate(self, genomes: Genomes, chance: Chance) -> None:
        """Write the first generation."""

    @abstractmethod
    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Write the next generation: selection, crossover, mutation (operators.py)."""

    def shown(self, genome: Genome) -> Sequence[int] | None:
        """The words of the state that the best genome leads to, for people; None: no such state."""
        return None

    @abstractmethod
    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        """Write the scores of as many genomes as evaluations allow; return how many it took.

        A species that improves genomes as it goes writes them back, and counts what that took.
        """


class Population:
    """The individuals of one island, generation after generation."""

    def __init__(self, species: Species, chance: Chance) -> None:
        """Begin with nobody; the first generation is drawn when it is advanced to."""
        self.species, self.chance = species, chance
        self.genomes = np.zeros((species.size, species.genes), np.uint8)
        self._children = np.zeros_like(self.genomes)
        self.scores = np.full(species.size, -np.inf)
        self.generations = 0
        self.evaluations = 0
        self.best = np.zeros(species.genes, np.uint8)
        """The best genome that ever was."""
        self.best_score = -np.inf
        self.best_since = 0
        """How many evaluations had been made when the generation that brought it was over."""
        self._tally = np.zeros(256, np.int64)

    def advance(self, most: int) -> None:
        """Go on by a generation, with so many evaluations at most."""
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
        """Let children take the place of their parents; return how many of the best stay first."""
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
        """Let copies of the best take the place of the worst elsewhere."""
        best = np.argsort(-self.scores, kind="stable")[:count]
        worst = np.argsort(other.scores, kind="stable")[:count]
        other.genomes[worst] = self.genomes[best]
        other.scores[worst] = self.scores[best]

    @property
    def mean(self) -> float:
        """Of the scores, as far as there are any."""
        scores = self.scores[np.isfinite(self.scores)]
        return float(scores.mean()) if scores.size else -np.inf

    @property
    def diversity(self) -> float:
        """How likely two individuals differ in a gene."""
        return float(diversity(self.genomes, self._tally))

    @property
    def bytes(self) -> int:
        """The memory of its arrays."""
        return 2 * self.genomes.nbytes + self.scores.nbytes
