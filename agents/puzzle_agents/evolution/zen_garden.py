"""A genetic algorithm for Zen Puzzle Garden whose plans waste no clause."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from puzzle_agents.agent import Budget
from puzzle_agents.evolution.agent import EvolutionAgent
from puzzle_agents.evolution.operators import cross, draw, tournament
from puzzle_agents.evolution.population import Chance, Genome, Genomes, Scores, Species
from puzzle_agents.evolution.zen_garden_plan import (
    CLAUSE,
    COLUMNS,
    FULL,
    MOVE,
    VALUES,
    carry_out,
    least_moves,
    play,
    vary,
)
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.verbs import NEVER

__all__ = ["ZenGardenGA"]


class ZenGardenGA(EvolutionAgent["Plans"]):
    """Evolves plans every clause of which is a move, and looks for ever shorter solutions.

    What differs from the paper's (section IV-D; `zen-ga-paper`): a clause picks among the moves
    that are possible, and a move that leads to a dead end or to a garden that is proved lost is
    taken back at once; plans have one move fewer than the shortest solution so far; clauses change
    places; plans that end alike do not crowd out others; and a population that gets no better
    gives way to a new one.

    Guarantees nothing. It stops where the estimate of the garden, a lower bound, is reached, and
    else goes on until the generations or the budget are spent. Use it for short solutions soon;
    `astar` proves them shortest.

    An evaluation is a plan played, or a move taken back because the estimate proved the garden
    lost. A move that a dead end or the rule of two open sides (`hopeless`) forbids is not scored,
    and not counted.

    | Puzzle | Can I use it? | Optimal in |
    |--------|---------------|------------|
    | Zen Puzzle Garden | yes | no guarantee |
    | others | no | |
    """

    name: ClassVar[str] = "zen-ga"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        seed: int | None = 0,
        population: int = 20,
        generations: int | None = 500,
        clauses: int = 20,
        crossover_rate: float = 0.5,
        shifted: float = 0.3,
        inserted: float = 0.5,
        rivals: int = 3,
        restart: int = 15,
        stop_at: int | None = None,
    ) -> None:
        """Make an agent.

        Args:
            budget: What it may spend on each attempt.
            seed: What chance depends on; None for chance itself.
            population: How many plans there are, and how many children a generation has.
            generations: How many at most; None for as many as the budget allows.
            clauses: The most moves of a plan.
            crossover_rate: How likely two children are crossed; all children are changed after.
            shifted: How likely the change is that a clause goes to another place.
            inserted: How likely, if not, a new clause is put in; else it takes another's place.
            rivals: Of how many drawn at random the best becomes a parent.
            restart: Generations without a better plan until all begin anew.
            stop_at: Moves at which nothing better is looked for; None: the estimate alone.
        """
        super().__init__(budget, seed=seed, generations=generations)
        numbers = {
            "population": population, "clauses": clauses, "rivals": rivals, "restart": restart,
            "stop_at": stop_at,
        }  # fmt: skip
        for name, number in numbers.items():
            if number is not None and number < 1:
                raise ValueError(f"{name} is {number}; give at least 1.")
        if clauses < 2 or population < 2:
            raise ValueError("One-point crossover takes at least 2 plans of 2 clauses.")
        rates = {"crossover_rate": crossover_rate, "shifted": shifted, "inserted": inserted}
        for name, rate in rates.items():
            if not 0 <= rate <= 1:
                raise ValueError(f"{name} is {rate}; give a number from 0 to 1.")
        self.population, self.clauses, self.crossover_rate = population, clauses, crossover_rate
        self.shifted, self.inserted = shifted, inserted
        self.rivals, self.restart, self.stop_at = rivals, restart, stop_at

    def _species(self, env: PuzzleEnv) -> Plans:
        if env.puzzle.format.puzzle != "zen_garden":
            raise TypeError(f"{self.name} solves Zen Puzzle Garden only, not {env.puzzle.title}.")
        return Plans(self, env)

    def _actions(self, env: PuzzleEnv, species: Plans, genome: Genome) -> list[int] | None:
        return species.actions(genome)


class Plans(Species):
    """Plans for one garden, from where play stands."""

    def __init__(self, agent: ZenGardenGA, env: PuzzleEnv) -> None:
        """Begin with no plan."""
        self._agent, self._record = agent, env.record
        record = env.record[0]
        self._start = np.array(env.get_state().words, np.uint64)
        self._findings = env.puzzle.findings(record)
        self.size, self.genes = agent.population, agent.clauses * CLAUSE
        least = least_moves(self._record, self._findings, self._start)
        self.enough = FULL - MOVE * max(least if least < NEVER else 0, agent.stop_at or 0)
        self._counts = np.full(self.genes, VALUES, np.int64)
        most = 2 * int(record["area"]) + 8
        self._states = np.zeros((2, self._start.size), np.uint64)
        self._saved = np.zeros((most, self._start.size), np.uint64)
        self._stops = np.zeros((most, COLUMNS), np.int64)
        self._done = np.zeros(most, np.int64)
        self._tally = np.zeros(2, np.int64)
        self._shortest = np.array([agent.clauses + 1, -1], np.int64)
        # parents first, then children
        self._pool = np.zeros((2 * self.size, self.genes), np.uint8)
        self._scores = np.full(2 * self.size, -np.inf)
        self._standings = np.full(2 * self.size, -np.inf)
        self._ends = np.zeros((2 * self.size, self._start.size), np.uint64)
        self._parents = np.zeros(self.size + 1, np.int64)
        self._begun = False
        self._best, self._stale, self._known = -np.inf, 0, agent.clauses + 1

    def populate(self, genomes: Genomes, chance: Chance) -> None:
        """Draw plans."""
        draw(genomes, self._counts, chance)
        self._begun = False
        self._best, self._stale = -np.inf, 0

    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Cross and change plans, or draw all anew where they have not become better for long."""
        best = float(self._standings[: self.size].max())
        if best > self._best or self._shortest[0] < self._known:
            self._best, self._stale, self._known = best, 0, int(self._shortest[0])
        else:
            self._stale += 1
        if self._stale >= self._agent.restart:
            self.populate(children, chance)
            return
        agent, offspring = self._agent, self._pool[self.size :]
        tournament(self._standings[: self.size], agent.rivals, chance, self._parents)
        cross(genomes, self._parents, CLAUSE, agent.crossover_rate, chance, offspring)
        clauses = max(1, min(agent.clauses, int(self._shortest[0]) - 1))
        vary(offspring, clauses, agent.shifted, agent.inserted, chance)
        self._begun = True

    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        """Play new plans, and let them compete with their parents for a place."""
        size, shortest = self.size, self._shortest[0]
        if not self._begun:
            self._pool[:size] = genomes
            count = self._play(slice(0, size), most)
        else:
            count = self._play(slice(size, 2 * size), most)
            found = self._shortest[0] < shortest
            self._choose(size + int(self._shortest[1]) if found else None)
        genomes[:], scores[:] = self._pool[:size], self._scores[:size]
        return count

    def _play(self, rows: slice, most: int) -> int:
        self._scores[rows] = self._standings[rows] = -np.inf
        return play(
            self._record, self._findings, self._start, self._pool[rows], self._scores[rows],
            self._standings[rows], self._ends[rows], most, self._shortest, self._states,
            self._saved, self._stops, self._done, self._tally,
        )  # fmt: skip

    def _choose(self, found: int | None) -> None:
        """The best go first; of those that end alike one, as long as there are others.

        A new shortest solution has a place in any case, so that the engine sees it.
        """
        order = np.argsort(-self._standings, kind="stable").tolist()
        if found is not None:
            order.remove(found)
            order.insert(0, found)
        seen: set[bytes] = set()
        first: list[int] = []
        again: list[int] = []
        for number in order:
            end = self._ends[number].tobytes()
            (again if end in seen else first).append(number)
            seen.add(end)
        chosen = (first + again)[: self.size]
        for array in (self._pool, self._scores, self._standings, self._ends):
            array[: self.size] = array[chosen]

    def actions(self, plan: Genome) -> list[int] | None:
        """The actions of a plan that solves the level."""
        count = carry_out(
            self._record, self._findings, self._start.copy(), plan.copy(), self._states[1],
            self._saved, self._stops, self._done, self._tally,
        )  # fmt: skip
        return None if count < 0 else self._done[:count].tolist()
