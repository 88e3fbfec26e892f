"""The genetic algorithm of the paper on Zen Puzzle Garden (section IV-D)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from puzzle_agents.agent import Budget
from puzzle_agents.evolution.agent import EvolutionAgent
from puzzle_agents.evolution.arguments import check_counts, check_limits, check_rates
from puzzle_agents.evolution.evolution import Evolution
from puzzle_agents.evolution.operators import cross, draw, tournament
from puzzle_agents.evolution.population import Chance, Genome, Genomes, Scores, Species
from puzzle_agents.papers.zen_garden.script import mutate_clauses, perform, score
from puzzle_envs.env import PuzzleEnv


class ZenGardenPaperGA(EvolutionAgent["Scripts"]):
    """Evolves scripts of moves as the paper prints it: one population, no restarts.

    A script has 20 clauses (c, (p, d) x 8): enter by face c; at an ornament push it p times, p from
    0; where there are two turns take number d; after the last pair begin again with the first. A
    closed entrance is skipped at no cost. The fitness is 10 for each clause that made no move, plus
    200 times the share of the sand that is raked, or 300 for a solution; 0 at a dead end.

    Selection is that of JGAP, the library that the paper names: crossed scripts and mutants compete
    with their parents. Crossover cuts between clauses; mutation draws a whole new clause.

    Guarantees nothing. Use it to compare with the paper; `zen-ga` is better at the same task. The
    result is the shortest solution among all scripts, though another script may score as much: a
    solution in 13 moves scores 370, and so do two moves that leave a twentieth of the sand.
    """

    name: ClassVar[str] = "zen-ga-paper"
    only: ClassVar[str] = "Zen Puzzle Garden"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        seed: int | None = 0,
        population: int = 1000,
        generations: int | None = 100,
        clauses: int = 20,
        pairs: int = 8,
        kept: float = 0.95,
        crossover_rate: float = 0.35,
        mutation_rate: float = 0.07,
        stop_at: int | None = None,
    ) -> None:
        """Create an agent; defaults are those of the paper, or of its library JGAP.

        Args:
            budget: Limits of each attempt.
            seed: Random seed; None draws one from the system.
            population: Number of scripts (section V: 1000).
            generations: Maximum number of generations (section V: 100); None for no limit beyond
                the budget.
            clauses: Maximum number of moves of a script (m of section IV-D: 20).
            pairs: Number of pairs (p, d) of a clause. Section IV-D prints 8, and elsewhere up to
                20 choices in a move.
            kept: Share of the population that the best scripts fill (section V: 95 %); copies of
                the very best fill the rest (JGAP's BestChromosomesSelector).
            crossover_rate: Number of pairs crossed, as a share of the population. The paper has no
                figure; 0.35 is JGAP's default.
            mutation_rate: Probability that a clause mutates (section V: 0.07).
            stop_at: Number of moves that is good enough to stop; None runs all generations, as in
                the paper.
        """
        super().__init__(budget, seed=seed, generations=generations)
        check_counts(population=population, clauses=clauses, pairs=pairs)
        check_limits(stop_at=stop_at)
        if clauses < 2 or population < 2:
            raise ValueError("One-point crossover takes at least 2 scripts of 2 clauses.")
        check_rates(kept=kept, crossover_rate=crossover_rate, mutation_rate=mutation_rate)
        self.population, self.clauses, self.pairs, self.kept = population, clauses, pairs, kept
        self.crossover_rate, self.mutation_rate = crossover_rate, mutation_rate
        self.stop_at = stop_at

    def _species(self, env: PuzzleEnv) -> Scripts:
        return Scripts(self, env)

    def _actions(self, env: PuzzleEnv, species: Scripts, genome: Genome) -> list[int] | None:
        return None if species.solution is None else species.actions(species.solution)

    def _found_after(self, evolution: Evolution) -> int:
        """Evaluations up to the shortest solution, though another script may score more."""
        species = evolution.champion.species
        assert isinstance(species, Scripts)
        if species.solution is None:
            return super()._found_after(evolution)
        return species.found_after


class Scripts(Species):
    """Scripts for one garden, from the current state."""

    def __init__(self, agent: ZenGardenPaperGA, env: PuzzleEnv) -> None:
        """Make working space."""
        self._agent, self._record = agent, env.record
        record = env.record[0]
        width, height = int(record["width"]), int(record["height"])
        self._start = np.array(env.get_state().words, np.uint64)
        self._length = 1 + 2 * agent.pairs
        self.size, self.genes = agent.population, agent.clauses * self._length
        clause = [2 * (width + height), *(max(1, max(width, height) - 1), 2) * agent.pairs]
        self._counts = np.array(clause * agent.clauses, np.int64)
        self._state = np.zeros_like(self._start)
        self._done = np.zeros(2 * int(record["area"]) + 8, np.int64)
        self._parents = np.zeros(2 * round(agent.crossover_rate * self.size), np.int64)
        self._pool = np.zeros((2 * self.size + self._parents.size, self.genes), np.uint8)
        self._pool_scores = np.zeros(len(self._pool))
        self._moves = np.zeros(len(self._pool), np.int64)
        self._changed = np.zeros(self.size, np.bool_)
        self._offspring = 0
        self.evaluated = 0
        self.solution: Genome | None = None
        """The first of the shortest solutions so far."""
        self.moves = 0
        """Its moves."""
        self.found_after = 0
        """Scripts evaluated up to the generation that brought it."""

    def populate(self, genomes: Genomes, chance: Chance) -> None:
        """Draw scripts."""
        draw(genomes, self._counts, chance)

    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Fill the pool: parents, then crossed scripts, then the copies of parents that mutated."""
        size, agent = self.size, self._agent
        mutants = self._pool[size + self._parents.size :]
        self._pool[:size], self._pool_scores[:size] = genomes, scores
        tournament(scores, 1, chance, self._parents)
        crossed = self._pool[size : size + self._parents.size]
        cross(genomes, self._parents, self._length, 1.0, chance, crossed)
        mutants[:] = genomes
        mutate_clauses(
            mutants, self._counts, self._length, agent.mutation_rate, chance, self._changed
        )
        count = int(self._changed.sum())
        mutants[:count] = mutants[self._changed]
        self._offspring = len(crossed) + count

    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        """Score the first scripts, or what is new in the pool; then the best get their places."""
        if not self._offspring:
            return self._score(genomes, scores, most)
        size, end = self.size, self.size + self._offspring
        self._pool_scores[size:end] = -np.inf
        count = self._score(self._pool[size:end], self._pool_scores[size:end], most)
        best = np.argsort(-self._pool_scores[:end], kind="stable")
        kept = max(1, round(self._agent.kept * size))
        chosen = np.concatenate([best[:kept], best[: size - kept]])
        genomes[:], scores[:] = self._pool[chosen], self._pool_scores[chosen]
        self._offspring = 0
        return count

    def _score(self, scripts: Genomes, scores: Scores, most: int) -> int:
        count = min(most, len(scripts))
        moves = self._moves[:count]
        score(
            self._record, self._start, scripts[:count], self._length, self._state, self._done,
            moves, scores[:count],
        )  # fmt: skip
        self.evaluated += count
        solutions = np.flatnonzero(moves >= 0)
        if solutions.size:
            first = solutions[np.argmin(moves[solutions])]
            if self.solution is None or moves[first] < self.moves:
                self.solution, self.moves = scripts[first].copy(), int(moves[first])
                self.found_after = self.evaluated
                if self.moves <= (self._agent.stop_at or 0):
                    self.enough = -np.inf  # scores alone do not tell solutions
        return count

    @property
    def shortest(self) -> int | None:
        """The moves of the shortest solution so far."""
        return None if self.solution is None else self.moves

    def actions(self, script: Genome) -> list[int] | None:
        """The actions of a script that solves the level."""
        count = perform(self._record, self._start.copy(), script, self._length, self._done)
        return None if count < 0 else self._done[:count].tolist()
