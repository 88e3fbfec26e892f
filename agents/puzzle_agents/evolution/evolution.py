"""The island model: populations that evolve side by side and exchange their best."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from puzzle_agents.evolution.population import Generation, Genome, Population, Species
from puzzle_envs.states.chance import new_chance

INTERVAL = 10
"""Generations between migrations."""
MIGRANTS = 2
"""Number of best individuals that an island sends to the next."""


class Evolution:
    """Advances the islands together, generation by generation, each in its own thread.

    Results depend on the seed, not on thread timing: the islands synchronise after each generation.
    """

    def __init__(self, islands: Sequence[Species], seed: int | None) -> None:
        """Create an island for each species, its population still empty."""
        self.populations = [
            Population(species, new_chance(seed, number)) for number, species in enumerate(islands)
        ]
        self.history: list[Generation] = []
        self._threads = ThreadPoolExecutor(len(islands)) if len(islands) > 1 else None

    def __enter__(self) -> Evolution:
        """Keep the threads until exit."""
        return self

    def __exit__(self, *_: object) -> None:
        """Shut the threads down."""
        if self._threads is not None:
            self._threads.shutdown()

    def advance(self, most: int) -> None:
        """Advance each island by one generation, with at most this many evaluations in all."""
        shares = [most // len(self.populations)] * len(self.populations)
        shares[0] += most % len(self.populations)
        if self._threads is None:
            self.populations[0].advance(most)
        else:
            list(self._threads.map(Population.advance, self.populations, shares))
            if self.generations % INTERVAL == 0:
                self._migrate()
        self.history.append(
            Generation(
                self.evaluations,
                self.champion.best_score,
                float(np.mean([one.mean for one in self.populations])),
                float(np.mean([one.diversity for one in self.populations])),
            )
        )

    def _migrate(self) -> None:
        for number, population in enumerate(self.populations):
            population.send(self.populations[number - 1], MIGRANTS)

    @property
    def generations(self) -> int:
        """Number of generations so far, the first included."""
        return self.populations[0].generations

    @property
    def evaluations(self) -> int:
        """Genomes evaluated on all islands."""
        return sum(population.evaluations for population in self.populations)

    @property
    def champion(self) -> Population:
        """The island with the best score; the first among equals."""
        return max(self.populations, key=lambda population: population.best_score)

    @property
    def best(self) -> Genome:
        """The best genome so far."""
        return self.champion.best

    @property
    def shortest(self) -> int | None:
        """The moves of the shortest solution of all islands, as `Species.shortest`."""
        found = (population.species.shortest for population in self.populations)
        return min((moves for moves in found if moves is not None), default=None)

    @property
    def finished(self) -> bool:
        """Whether the best score is good enough to stop."""
        return self.champion.best_score >= self.champion.species.enough

    @property
    def bytes(self) -> int:
        """Memory of the arrays, in bytes."""
        return sum(population.bytes for population in self.populations)
