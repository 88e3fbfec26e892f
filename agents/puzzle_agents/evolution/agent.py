"""The base class of the genetic algorithms."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

import numpy as np

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.evolution.arguments import check_counts, check_limits
from puzzle_agents.evolution.evolution import Evolution
from puzzle_agents.evolution.population import Generation, Genome, Species
from puzzle_agents.progress import Progress, Snapshot
from puzzle_envs.common.arguments import whole_or_none
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.states.paths import total_cost

Kind = TypeVar("Kind", bound=Species)
ALL = 2**62
"""No limit on evaluations."""


class EvolutionAgent(Agent, Generic[Kind]):
    """Evolves genomes until one is good enough, or the generations or the budget are spent.

    Guarantees nothing: no solution, no length, never a proof of `unsolvable`. `evaluated` and
    `expanded` of a Result count genomes evaluated, and so does `Budget.expansions`.
    """

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        seed: int | None = 0,
        generations: int | None = None,
        islands: int = 1,
        patience: int | None = None,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            seed: Random seed; None draws one from the system.
            generations: Maximum number of generations; None for no limit beyond the budget.
            islands: Number of populations, each evolved in its own thread.
            patience: Generations without improvement before it gives up; None for never.
        """
        super().__init__(budget)
        check_counts(islands=islands)
        check_limits(generations=generations, patience=patience)
        self.seed = whole_or_none("seed", seed, 0)
        self.generations, self.islands = generations, islands
        self.patience = patience
        self.history: list[Generation] = []
        """Best score, mean score and diversity of each generation of the last attempt."""
        self.found_after = 0
        """Evaluations of the last attempt up to and including the generation that found its
        best."""

    @property
    def generation(self) -> int:
        """Number of generations of the last attempt."""
        return len(self.history)

    @property
    def best_score(self) -> float:
        """The best score of the last attempt."""
        return self.history[-1].best if self.history else -np.inf

    @abstractmethod
    def _species(self, env: PuzzleEnv) -> Kind:
        """Create the species that evolves solutions of a level."""

    @abstractmethod
    def _actions(self, env: PuzzleEnv, species: Kind, genome: Genome) -> list[int] | None:
        """The solution that a genome encodes; None if it encodes none."""

    def _plan(self, env: PuzzleEnv) -> Result:
        env.puzzle.load_rules()
        islands = [self._species(env) for _ in range(self.islands)]
        with Evolution(islands, self.seed) as evolution:
            if evolution.bytes > self.budget.bytes:
                return Result(Status.OUT_OF_MEMORY)
            status = self._in_slices(
                lambda most: self._run(evolution, most),
                lambda: self._look(evolution),
                lambda: self._sight(evolution),
            )
        self.history = evolution.history
        actions = self._actions(env, islands[0], evolution.best) if self.history else None
        self.found_after = self._found_after(evolution)
        if actions is not None:
            status = Status.SOLVED
        return Result(
            status,
            actions=actions or [],
            moves=None if actions is None else self._moves(env, actions),
            expanded=evolution.evaluations,
            generated=evolution.evaluations,
            evaluated=evolution.evaluations,
            peak_bytes=evolution.bytes,
        )

    @staticmethod
    def _look(evolution: Evolution) -> Progress:
        done, best = evolution.evaluations, evolution.champion.best_score
        return Progress(done, bytes=evolution.bytes, best=best, generated=done)

    def _sight(self, evolution: Evolution) -> Snapshot:
        begun = evolution.generations > 0
        state = evolution.champion.species.shown(evolution.best) if begun else None
        return Snapshot(self._look(evolution), state)

    def _found_after(self, evolution: Evolution) -> int:
        return evolution.champion.best_since

    def _run(self, evolution: Evolution, evaluations: int) -> Status | None:
        """Run whole generations for about this many evaluations, within the budget."""
        until, limit = evolution.evaluations + evaluations, self.budget.steps
        while evolution.evaluations < until:
            if evolution.generations == self.generations or self._is_out_of_patience(evolution):
                return Status.GAVE_UP
            left = ALL if limit is None else limit - evolution.evaluations
            if left <= 0:
                return Status.GAVE_UP
            evolution.advance(left)
            if evolution.shortest is not None:
                self.note(evolution.shortest, evolution.evaluations)
            if evolution.finished:
                return Status.SOLVED
        return None

    def _is_out_of_patience(self, evolution: Evolution) -> bool:
        history = evolution.history
        if self.patience is None or len(history) <= self.patience:
            return False
        return history[-1].best <= history[-1 - self.patience].best

    @staticmethod
    def _moves(env: PuzzleEnv, actions: list[int]) -> int:
        words = np.array(env.get_state().words, np.uint64)
        return total_cost(env.record, words, actions)
