"""Random legal play: the baseline for all other agents."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_envs.common.arguments import whole_or_none
from puzzle_envs.env import PuzzleEnv

FIRST_GAME = 100
"""Step limit of the first game."""


class RandomPlay(Agent):
    """Plays uniformly random legal actions, game after game, until one is solved.

    Games may become unsolvable, so each is abandoned at a step limit: 100 for the first game, a
    tenth more for each that follows. It gives up after a number of games, if one is given.

    Guarantees nothing: no solution, no length, never a proof of `unsolvable`.
    """

    name: ClassVar[str] = "random"
    warming: ClassVar[int] = 500

    def __init__(
        self, budget: Budget | None = None, seed: int | None = 0, games: int | None = None
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            seed: Random seed; None draws one from the system.
            games: Number of games before it gives up; None for no limit beyond the budget.
        """
        super().__init__(budget)
        self.seed = whole_or_none("seed", seed, 0)
        self.games = whole_or_none("games", games, 1)

    def _plan(self, env: PuzzleEnv) -> Result:
        random = np.random.default_rng(self.seed)
        game = env.simulation(observation="planes")
        start = game.get_state()
        steps, games = 0, 1
        _, info = game.set_state(start)
        actions: list[int] = []
        longest = FIRST_GAME
        while not info["solved"]:
            if self.clock.is_over():
                return Result(Status.OUT_OF_TIME, expanded=steps, generated=steps)
            if self.budget.steps is not None and steps >= self.budget.steps:
                return Result(Status.GAVE_UP, expanded=steps, generated=steps)
            legal = np.flatnonzero(info["action_mask"])
            steps += 1
            if len(legal) == 0 or len(actions) >= longest:
                if games == self.games:
                    return Result(Status.GAVE_UP, expanded=steps, generated=steps)
                games += 1
                _, info = game.set_state(start)
                longest += longest // 10 if len(legal) else 0
                actions = []
                continue
            action = int(legal[random.integers(len(legal))])
            actions.append(action)
            _, _, _, _, info = game.step(action)
        moves = info["moves"] - start.moves
        return Result(Status.SOLVED, actions, moves, expanded=steps, generated=steps)
