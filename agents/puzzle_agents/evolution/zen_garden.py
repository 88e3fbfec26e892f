"""A genetic algorithm for Zen Puzzle Garden in which every clause of a plan is a move."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from puzzle_agents.agent import Budget
from puzzle_agents.evolution.agent import EvolutionAgent
from puzzle_agents.evolution.arguments import check_counts, check_limits, check_rates
from puzzle_agents.evolution.operators import cross, draw, tournament
from puzzle_agents.evolution.population import Chance, Genome, Genomes, Scores, Species
from puzzle_agents.evolution.zen_garden_plan import (
    ACTIONS,
    CLAUSE,
    COLUMNS,
    FULL,
    MOVE,
    PLAN,
    PROVED,
    SHORTEST,
    VALUES,
    Best,
    Known,
    Pool,
    Trail,
    play,
    vary,
)
from puzzle_envs.env import PuzzleEnv

MEMORY = 2**17
"""Capacity of the table of bounds, in gardens."""


class ZenGardenGA(EvolutionAgent["Plans"]):
    """Evolves plans in which every clause is a move, searching for ever shorter solutions.

    Differences from the paper's (section IV-D; `zen-ga-paper`): a clause chooses among possible
    moves, and a walk into a dead end backtracks at once; plans are shorter than the best solution
    so far, and a move is possible only if the garden's estimate, a lower bound, allows for that;
    bounds are memoised, and raised where no move is possible; clauses change places; plans with the
    same final garden do not crowd out others; and a stagnating population restarts, keeping the
    bounds.

    A plan that is not a solution scores higher for more sand raked and for fewer moves, both made
    and, by the bound, missing: each costs as much as a fifth of the sand.

    Guarantees nothing: bounds are keyed by 64-bit hashes, and the search is random. It stops at a
    solution that meets the bound, or when the generations or the budget are spent. Use it to find
    short solutions quickly; `astar` proves them optimal.

    An evaluation is one plan played, up to the first move that the estimate rejects. Backtracking
    is not counted: out of dead ends, out of gardens that the rule of two open sides (`hopeless`)
    excludes, and out of gardens scored before.
    """

    name: ClassVar[str] = "zen-ga"
    only: ClassVar[str] = "Zen Puzzle Garden"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        seed: int | None = 0,
        population: int = 10,
        generations: int | None = 5000,
        clauses: int = 20,
        crossover_rate: float = 0.5,
        shifted: float = 0.3,
        inserted: float = 0.5,
        rivals: int = 3,
        restart: int = 8,
        stop_at: int | None = None,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            seed: Random seed; None draws one from the system.
            population: Population size, and number of children per generation.
            generations: Maximum number of generations; None for no limit beyond the budget.
            clauses: Maximum number of moves of a plan.
            crossover_rate: Probability of crossing two children; every child is mutated afterwards.
            shifted: Probability that a mutation moves a clause.
            inserted: Probability that any other mutation inserts a clause instead of replacing one.
            rivals: Tournament size.
            restart: Generations without improvement before the population restarts.
            stop_at: Number of moves that is good enough to stop; None stops at the bound only.
        """
        super().__init__(budget, seed=seed, generations=generations)
        check_counts(population=population, clauses=clauses, rivals=rivals, restart=restart)
        check_limits(stop_at=stop_at)
        if clauses < 2 or population < 2:
            raise ValueError("One-point crossover takes at least 2 plans of 2 clauses.")
        check_rates(crossover_rate=crossover_rate, shifted=shifted, inserted=inserted)
        self.population, self.clauses, self.crossover_rate = population, clauses, crossover_rate
        self.shifted, self.inserted = shifted, inserted
        self.rivals, self.restart, self.stop_at = rivals, restart, stop_at

    def _species(self, env: PuzzleEnv) -> Plans:
        return Plans(self, env)

    def _actions(self, env: PuzzleEnv, species: Plans, genome: Genome) -> list[int] | None:
        return species.solution()


class Plans(Species):
    """Plans for one garden, from the current state, and the bounds learnt about it."""

    def __init__(self, agent: ZenGardenGA, env: PuzzleEnv) -> None:
        """Create an empty population."""
        self._agent, self._record = agent, env.record
        record = env.record[0]
        self._start = np.array(env.get_state().words, np.uint64)
        self._known = Known(env.puzzle.findings(record), np.zeros((MEMORY, 2), np.uint64))
        self.size, self.genes = agent.population, agent.clauses * CLAUSE
        self._counts = np.full(self.genes, VALUES, np.int64)
        most = 2 * int(record["area"]) + 8
        words = self._start.size
        self._trail = Trail(
            np.zeros(words, np.uint64),
            np.zeros(words, np.uint64),
            np.zeros((most, words), np.uint64),
            np.zeros((most, COLUMNS), np.int64),
            np.zeros(most, np.int64),
        )
        self._shortest = np.array([agent.clauses + 1, -1, 0, 0], np.int64)
        self._solution = np.zeros(most, np.int64)
        self._pool = Pool(
            np.zeros((2 * self.size, self.genes), np.uint8),
            np.full(2 * self.size, -np.inf),
            np.full(2 * self.size, -np.inf),
            np.zeros((2 * self.size, words), np.uint64),
            np.zeros(2 * self.size, np.int64),
        )
        self._parents = np.zeros(self.size + 1, np.int64)
        self._begun = False
        self._best, self._stale, self._least = -np.inf, 0, agent.clauses + 1

    def populate(self, genomes: Genomes, chance: Chance) -> None:
        """Draw random plans."""
        draw(genomes, self._counts, chance)
        self._begun = False
        self._best, self._stale = -np.inf, 0

    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Cross and mutate plans, or restart a population that has stopped improving."""
        best = float(self._pool.standings[: self.size].max())
        if best > self._best or self._shortest[SHORTEST] < self._least:
            self._best, self._stale, self._least = best, 0, int(self._shortest[SHORTEST])
        else:
            self._stale += 1
        if self._stale >= self._agent.restart:
            self.populate(children, chance)
            return
        agent, offspring = self._agent, self._pool.plans[self.size :]
        tournament(self._pool.standings[: self.size], agent.rivals, chance, self._parents)
        cross(genomes, self._parents, CLAUSE, agent.crossover_rate, chance, offspring)
        made = int(self._pool.lengths[: self.size].max())
        clauses = max(1, min(agent.clauses, int(self._shortest[SHORTEST]) - 1, made + 1))
        vary(offspring, clauses, agent.shifted, agent.inserted, chance)
        self._begun = True

    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        """Play the new plans, which compete with their parents for survival."""
        size, shortest = self.size, self._shortest[SHORTEST]
        fresh = min(size, most)
        if not self._begun:
            self._pool.plans[:size] = genomes
            self._play(fresh, fresh)
        else:
            self._play(size + fresh, fresh)
            found = self._shortest[SHORTEST] < shortest
            self._choose(size + fresh, int(self._shortest[PLAN]) if found else None)
        genomes[:], scores[:] = self._pool.plans[:size], self._pool.scores[:size]
        return fresh

    def _play(self, end: int, fresh: int) -> None:
        """Play the last `fresh` of the first `end` plans of the pool."""
        play(
            self._record, self._known, self._start, Pool._make(array[:end] for array in self._pool),
            fresh, Best(self._shortest, self._solution), self._trail,
        )  # fmt: skip
        proved = int(self._shortest[PROVED])
        most = self._agent.clauses
        self.enough = FULL - MOVE * max(
            proved if proved <= most else 0, min(self._agent.stop_at or 0, most)
        )

    def _choose(self, count: int, found: int | None) -> None:
        """Select survivors by rank, preferring plans with different final gardens.

        A new shortest solution always survives, so that the engine sees it.
        """
        order = np.argsort(-self._pool.standings[:count], kind="stable").tolist()
        if found is not None:
            order.remove(found)
            order.insert(0, found)
        seen: set[bytes] = set()
        first: list[int] = []
        again: list[int] = []
        for number in order:
            end = self._pool.ends[number].tobytes()
            (again if end in seen else first).append(number)
            seen.add(end)
        chosen = (first + again)[: self.size]
        for array in self._pool:
            array[: self.size] = array[chosen]

    def shown(self, genome: Genome) -> list[int]:
        """Where the best plan of this generation ends; the best plan's own end is not kept."""
        best = int(np.argmax(self._pool.scores[: self.size]))
        return self._pool.ends[best].tolist()  # type: ignore[no-any-return]

    @property
    def shortest(self) -> int | None:
        """The moves of the shortest solution so far; a restart keeps it."""
        moves = int(self._shortest[SHORTEST])
        return None if moves > self._agent.clauses else moves

    def solution(self) -> list[int] | None:
        """The actions of the shortest solution so far."""
        if self.shortest is None:
            return None
        actions: list[int] = self._solution[: self._shortest[ACTIONS]].tolist()
        return actions
