"""Levin tree search and related agents, with the models in the package or your own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from puzzle_agents.agent import Budget
from puzzle_agents.search.learned import orders
from puzzle_agents.search.learned.levin import LevinSearch
from puzzle_agents.search.learned.model import Model, model_of, shipped_for
from puzzle_agents.search.search import HeuristicAgent, Problem
from puzzle_envs.common.arguments import number, shown, whole
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle

__all__ = ["EPSILON", "PHS", "GuidedBeam", "GuidedGreedy", "Levin", "Rooted"]

EPSILON = 0.005
"""The default share of the probability that is distributed evenly over all moves."""


class Levin(HeuristicAgent):
    """Expands the state with the lowest d / pi: its depth over the probability of the path to it.

    Levin tree search. The policy is a softmax over a state's successors, whose scores are sums of
    table entries for the patches of the board that the move changes; it was trained by PHS*
    (`puzzle-envs train`). Moves to dead ends, as proved by the heuristic, get no probability. With
    model="none" all moves are equally likely.

    Complete: it finds a solution or proves that there is none, within the budget, since every move
    gets a share of `epsilon`. Not optimal.

    Use it to measure a policy without a heuristic; `phs` expands fewer states.
    """

    name: ClassVar[str] = "levin"
    order: ClassVar[int] = orders.LEVIN
    """Its keys, by which states are expanded."""

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        model: str | Path | Model | None = None,
        heuristic: str | None = None,
        epsilon: float = EPSILON,
        symmetry: bool = True,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            model: A run's folder, a file, the name of a model in the package, a model, or "none"
                for the uniform policy; None for the puzzle's model in the package, if it has one.
            heuristic: The puzzle's heuristic or estimate to use; None for the one that the model
                was trained with or, with the uniform policy, that of the puzzle's model in the
                package.
            epsilon: The share of the probability that is distributed evenly over all moves.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
        """
        super().__init__(budget, heuristic=heuristic, symmetry=symmetry)
        if not isinstance(model, str | Path | Model | None):
            raise TypeError(
                f"model must be a folder, a file, a name or a Model, not {shown(model)}."
            )
        self._model = model_of(str(model)) if isinstance(model, str | Path) else model
        self.epsilon = number("epsilon", epsilon, 1e-6, 1)

    def model_for(self, puzzle: Puzzle) -> Model:
        """The model given, or the one in the package; the uniform policy if there is none."""
        return shipped_for(puzzle) if self._model is None else self._model

    def training_for(self, env: PuzzleEnv) -> Mapping[str, Any]:
        """The training according to the model's card."""
        card = self.model_for(env.puzzle).card
        return {} if card is None else card.training

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject a model of another puzzle."""
        super().check(puzzle, level)
        if self._model is not None:
            self._model.check(puzzle)

    def _usual(self, puzzle: Puzzle) -> str | None:
        model = self.model_for(puzzle)
        return (shipped_for(puzzle) if model.card is None else model).heuristic_for(puzzle)

    def _order(self) -> orders.Order:
        return orders.Order(self.order)

    def _search(self, problem: Problem) -> LevinSearch:
        return LevinSearch(problem, self.model_for(problem.puzzle), self.epsilon, self._order())


class PHS(Levin):
    """Expands the state with the lowest (g + h) / pi ^ (1 + h / g): policy-guided heuristic search.

    PHS*: as `levin`, with the cost so far and the heuristic in the key.

    Complete: it finds a solution or proves that there is none, within the budget, since every move
    gets a share of `epsilon`. Not optimal.

    Use it on many levels of a puzzle that a model was trained on.
    """

    name: ClassVar[str] = "phs"
    order: ClassVar[int] = orders.PHS


class Rooted(Levin):
    """Levin tree search from several roots of each path: rerooted Levin tree search.

    A state with a lower heuristic value than the previous root, or with other milestones, becomes a
    root too. The effort below a root does not depend on how unlikely the path to it is. The weight
    of a root t is exp(-slope h(t) / h(start)), with the puzzle's heuristic h.

    Complete: it finds a solution or proves that there is none, within the budget, since every move
    gets a share of `epsilon`. Not optimal.

    Use it if solutions consist of stages and the policy is wrong in a few places.
    """

    name: ClassVar[str] = "rooted"
    order: ClassVar[int] = orders.ROOTED

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        model: str | Path | Model | None = None,
        slope: float = 4.0,
        heuristic: str | None = None,
        epsilon: float = EPSILON,
        symmetry: bool = True,
    ) -> None:
        """Create an agent, as `levin`, with `slope`: how much roots near the goal are favoured."""
        super().__init__(
            budget, model=model, heuristic=heuristic, epsilon=epsilon, symmetry=symmetry
        )
        self.slope = number("slope", slope, 0, 1000)

    def _order(self) -> orders.Order:
        return orders.Order(self.order, slope=self.slope)


class GuidedGreedy(Levin):
    """Expands the state with the most likely path: greedy search by the policy of `levin`.

    Complete: it finds a solution or proves that there is none, within the budget, since every move
    gets a share of `epsilon`. Not optimal.

    Use it to see how far the policy alone goes.
    """

    name: ClassVar[str] = "guided-greedy"
    order: ClassVar[int] = orders.LIKELIEST


class GuidedBeam(Levin):
    """Beam search with the keys of `phs`: at each depth it expands the best `width` states.

    Incomplete: a narrow beam may miss every solution. Not optimal, but its solutions are shorter
    than those of `phs`; a wider beam finds shorter ones, for more expansions.

    Use it for short solutions of levels that A* does not solve.
    """

    name: ClassVar[str] = "guided-beam"
    order: ClassVar[int] = orders.PHS

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        model: str | Path | Model | None = None,
        width: int = 100,
        heuristic: str | None = None,
        epsilon: float = EPSILON,
        symmetry: bool = True,
    ) -> None:
        """Create an agent, as `levin`, with `width`: states expanded at each depth."""
        super().__init__(
            budget, model=model, heuristic=heuristic, epsilon=epsilon, symmetry=symmetry
        )
        self.width = whole("width", width, 1)

    def _order(self) -> orders.Order:
        return orders.Order(self.order, width=self.width)
