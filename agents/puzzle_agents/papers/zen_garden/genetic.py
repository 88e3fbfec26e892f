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
from puzzle_agents.papers.zen_garden.script import (
    COMPONENT,
    FULL,
    PRINTED,
    SAND_SHARE,
    SKIPPED,
    ZERO,
    mutate_clauses,
    mutate_scripts,
    perform,
    score,
)
from puzzle_envs.common.arguments import one_of, whole
from puzzle_envs.env import PuzzleEnv

__all__ = ["ZenGardenPaperGA"]

DEAD_ENDS = {"zero": ZERO, "component": COMPONENT, "printed": PRINTED, "skipped": SKIPPED}
CUTS = ("clause", "number")
UNITS = ("clause", "number", "script")
SUCCESSIONS = ("pool", "children")


class ZenGardenPaperGA(EvolutionAgent["Scripts"]):
    """Evolves scripts of moves as the paper prints it, once and without looking back.

    A script has 20 clauses (c, (p, d) x 8): enter by face c; at an ornament push it p times; where
    two turns are to be had take number d. A closed entrance is skipped and costs nothing. Its
    fitness is 10 for each clause not made use of, and 200 times the share of the sand that is
    raked, or 300 for a solution.

    Guarantees nothing. Use it to compare with the paper; `zen-ga` is better at the same task.
    The result is the shortest solution that any script was, even if another script scored more:
    a solution in 13 moves scores 370, two moves that leave a twentieth of the sand score 370 too.
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
        pushes_from: int = 0,
        dead_end: str = "zero",
        cut: str = "clause",
        mutated: str = "clause",
        succession: str = "pool",
        elite: int = 0,
        stop_at: int | None = None,
    ) -> None:
        """Make an agent; what is not given is as in the paper, or as its library JGAP has it.

        Args:
            budget: What it may spend on each attempt.
            seed: What chance depends on; None for chance itself.
            population: How many scripts there are (section V: 1000).
            generations: How many at most (section V: 100); None for as many as the budget allows.
            clauses: The most moves of a script (m of section IV-D: 20).
            pairs: How many (p, d) a clause has. Section IV-D prints 8 and assumes at most 20
                choices in a move: who has used up the 8 begins again with the first. 20 pairs are
                the other reading.
            kept: How much of the population the best scripts make up (section V: 95 %); copies of
                the very best fill up the rest, as JGAP's BestChromosomesSelector does.
            crossover_rate: Couples crossed, as a share of the population. The paper has no figure;
                0.35 is what JGAP does unless told otherwise.
            mutation_rate: How likely a gene mutates (section V: 0.07).
            pushes_from: The least p. Section IV-D says both "a number of times (>= 0)", the
                default, and 1 <= p. Either way p < max(x, y) - 1.
            dead_end: What a script is worth that gets stuck on sand: "zero", as section IV-D says
                of a deadlock; "component": nothing for the sand, but something for the clauses
                left, as its last sentence can be read; "printed": as any other, which is what the
                printed code does as long as sand is left; "skipped": such a clause is taken back.
            cut: Where a script is cut for one-point crossover: before a "clause", since section V
                says that a chromosome has 20 genes; or before any "number".
            mutated: What mutates as a whole: a "clause", for the same reason, a "number", or one
                clause of a "script".
            succession: "pool": parents, crossed scripts and mutants compete for a place, which is
                how JGAP goes about it; "children": children of the best replace all parents.
            elite: How many of the best go on with "children"; a "pool" keeps the best anyway.
            stop_at: Moves at which nothing better is looked for; None runs all the generations,
                as the paper does.
        """
        super().__init__(budget, seed=seed, generations=generations)
        check_counts(population=population, clauses=clauses, pairs=pairs)
        check_limits(stop_at=stop_at)
        if clauses < 2 or population < 2:
            raise ValueError("One-point crossover takes at least 2 scripts of 2 clauses.")
        check_rates(kept=kept, crossover_rate=crossover_rate, mutation_rate=mutation_rate)
        one_of("pushes_from", pushes_from, (0, 1))
        one_of("dead_end", dead_end, tuple(DEAD_ENDS))
        one_of("cut", cut, CUTS)
        one_of("mutated", mutated, UNITS)
        one_of("succession", succession, SUCCESSIONS)
        if not 0 <= whole("elite", elite) < population or (elite and succession == "pool"):
            raise ValueError(
                f'elite is {elite}; give fewer than the population, and with succession="children".'
            )
        self.population, self.clauses, self.pairs, self.kept = population, clauses, pairs, kept
        self.crossover_rate, self.mutation_rate = crossover_rate, mutation_rate
        self.pushes_from, self.dead_end, self.elite = pushes_from, dead_end, elite
        self.cut, self.mutated, self.succession, self.stop_at = cut, mutated, succession, stop_at

    def _species(self, env: PuzzleEnv) -> Scripts:
        return Scripts(self, env)

    def _actions(self, env: PuzzleEnv, species: Scripts, genome: Genome) -> list[int] | None:
        return None if species.shortest is None else species.actions(species.shortest)

    def _found_after(self, evolution: Evolution) -> int:
        """Of the shortest solution, which another script may outscore."""
        species = evolution.champion.species
        assert isinstance(species, Scripts)
        return (
            species.found_after if species.shortest is not None else super()._found_after(evolution)
        )


class Scripts(Species):
    """Scripts for one garden, from where play stands."""

    def __init__(self, agent: ZenGardenPaperGA, env: PuzzleEnv) -> None:
        """Begin with no script."""
        self._agent, self._record = agent, env.record
        record = env.record[0]
        width, height = int(record["width"]), int(record["height"])
        self._start = np.array(env.get_state().words, np.uint64)
        self._length = 1 + 2 * agent.pairs
        self.size, self.genes, self.elite = (
            agent.population,
            agent.clauses * self._length,
            agent.elite,
        )
        if agent.stop_at is not None:
            self.enough = FULL + (agent.clauses - agent.stop_at) * (SAND_SHARE / agent.clauses)
        pushes = max(1, max(width, height) - 1 - agent.pushes_from)
        clause = [2 * (width + height), *(pushes, 2) * agent.pairs]
        self._counts = np.array(clause * agent.clauses, np.int64)
        self._states = np.zeros((2, self._start.size), np.uint64)
        self._done = np.zeros(2 * int(record["area"]) + 8, np.int64)
        couples = round(agent.crossover_rate * self.size)
        self._parents = np.zeros(max(2 * couples, self.size + 1), np.int64)
        self._pool = np.zeros((2 * self.size + 2 * couples, self.genes), np.uint8)
        self._pool_scores = np.zeros(len(self._pool))
        self._moves = np.zeros(len(self._pool), np.int64)
        self._changed = np.zeros(self.size, np.bool_)
        self._crossed = 2 * couples
        self._offspring = 0
        self.evaluated = 0
        self.shortest: Genome | None = None
        """The first of the shortest solutions so far."""
        self.moves = 0
        """Its moves."""
        self.found_after = 0
        """Scripts evaluated up to the generation that brought it."""

    def populate(self, genomes: Genomes, chance: Chance) -> None:
        """Draw scripts."""
        draw(genomes, self._counts, chance)

    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Cross and mutate, into the pool of the candidates or in the place of the parents."""
        if self._agent.succession == "pool":
            self._fill_pool(genomes, scores, chance)
        else:
            self._replace(genomes, scores, children, chance)

    def _fill_pool(self, genomes: Genomes, scores: Scores, chance: Chance) -> None:
        """Parents first, then who is crossed, then changed copies of parents."""
        size, crossed = self.size, self._crossed
        self._pool[:size] = genomes
        self._pool_scores[:size] = scores
        parents = self._parents[:crossed]
        tournament(scores, 1, chance, parents)
        cross(genomes, parents, self._cut, 1.0, chance, self._pool[size : size + crossed])
        mutants = self._pool[size + crossed :]
        mutants[:] = genomes
        self._mutate(mutants, chance)
        count = int(self._changed.sum())
        mutants[:count] = mutants[self._changed]
        self._offspring = crossed + count

    def _replace(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        """Children of the best, each of which is as likely a parent as the next."""
        best = np.argsort(-scores, kind="stable")[: max(1, round(self._agent.kept * self.size))]
        parents = self._parents[: self.size + 1]
        tournament(scores[: len(best)], 1, chance, parents)
        parents[:] = best[parents]
        cross(genomes, parents, self._cut, self._agent.crossover_rate, chance, children)
        self._mutate(children, chance)

    def _mutate(self, scripts: Genomes, chance: Chance) -> None:
        agent = self._agent
        mutate = mutate_scripts if agent.mutated == "script" else mutate_clauses
        block = 1 if agent.mutated == "number" else self._length
        changed = self._changed[: len(scripts)]
        mutate(scripts, self._counts, block, agent.mutation_rate, chance, changed)

    @property
    def _cut(self) -> int:
        """What a cut is a multiple of."""
        return self._length if self._agent.cut == "clause" else 1

    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        """Score scripts; of a pool those that are new, before the best get their places."""
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
        agent, moves = self._agent, self._moves[:count]
        score(
            self._record, self._start, scripts[:count], self._length, agent.pushes_from,
            DEAD_ENDS[agent.dead_end], self._states, self._done, moves, scores[:count],
        )  # fmt: skip
        self.evaluated += count
        solutions = np.flatnonzero(moves >= 0)
        if solutions.size:
            first = solutions[np.argmin(moves[solutions])]
            if self.shortest is None or moves[first] < self.moves:
                self.shortest, self.moves = scripts[first].copy(), int(moves[first])
                self.found_after = self.evaluated
        return count

    def actions(self, script: Genome) -> list[int] | None:
        """The actions of a script that solves the level."""
        agent = self._agent
        count = perform(
            self._record, self._start.copy(), script, self._length, agent.pushes_from,
            DEAD_ENDS[agent.dead_end], self._states[1], self._done,
        )  # fmt: skip
        return None if count < 0 else self._done[:count].tolist()
