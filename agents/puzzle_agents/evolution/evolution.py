"""Evolution on islands: populations side by side that send each other their best."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from puzzle_agents.evolution.chance import new_chance
from puzzle_agents.evolution.population import Generation, Genome, Population, Species

__all__ = ["Evolution"]


class Evolution:
    """Advances its islands together, a generation at a time, in a thread each.

    What comes of it depends on the seed and not on which thread is the faster: islands meet after
    every generation.
    """

    def __init__(
        self,
        islands: Sequence[Species],
        seed: int | None,
        *,
        interval: int = 10,
        migrants: int = 2,
    ) -> None:
        """Draw no one yet.

        Args:
            islands: A species for each.
            seed: What chance depends on; None for chance itself.
            interval: Generations from one exchange to the next.
            migrants: How many of the best an island sends to the next one.
        """
        self.populations = [
            Population(species, new_chance(seed, number)) for number, species in enumerate(islands)
        ]
        self._interval, self._migrants = interval, migrants
        self.history: list[Generation] = []
        self._threads = ThreadPoolExecutor(len(islands)) if len(islands) > 1 else None

    def __enter__(self) -> Evolution:
        """Keep the threads until the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let the threads go."""
        if self._threads is not None:
            self._threads.shutdown()

    def advance(self, most: int) -> None:
        """Go on by a generation on every island, with so many evaluations at most together."""
        shares = [most // len(self.populations)] * len(self.populations)
        shares[0] += most % len(self.populations)
        if self._threads is None:
            self.populations[0].advance(most)
        else:
            list(self._threads.map(Population.advance, self.populations, shares))
            if self.generations % self._interval == 0:
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
            population.send(self.populations[number - 1], self._migrants)

    @property
    def generations(self) -> int:
        """How many there have been, the first one among them."""
        return self.populations[0].generations

    @property
    def evaluations(self) -> int:
        """Genomes evaluated on all islands."""
        return sum(population.evaluations for population in self.populations)

    @property
    def champion(self) -> Population:
        """The island that has the best, the first of equals."""
        return max(self.populations, key=lambda population: population.best_score)

    @property
    def best(self) -> Genome:
        """The best genome that ever was."""
        return self.champion.best

    @property
    def finished(self) -> bool:
        """Whether nothing better is looked for."""
        return self.champion.best_score >= self.champion.species.enough

    @property
    def bytes(self) -> int:
        """The memory of the arrays."""
        return sum(population.bytes for population in self.populations)
