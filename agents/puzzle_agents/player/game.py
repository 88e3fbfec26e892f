"""A level being played, with its full history for undo and redo."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from puzzle_envs.env import PuzzleEnv
from puzzle_envs.episodes.batch import State
from puzzle_envs.rendering.controls import Board
from puzzle_envs.rendering.picture import Picture


@dataclass(frozen=True)
class Moment:
    """A state of the game and its picture."""

    board: Board
    info: dict[str, Any]
    state: State
    picture: Picture
    action: int | None
    """The action that led here; None at the start."""


class Game:
    """The history of actions on a level, and the player's position in it."""

    def __init__(self, env: PuzzleEnv, actions: Iterable[int] = ()) -> None:
        """Start from an environment's current state and play some actions.

        Args:
            env: The environment; it is not modified.
            actions: Actions to play first.
        """
        self.env = env.simulation(observation="planes")
        planes, info = self.env.set_state(env.get_state())
        picture = self.env.puzzle.picture(int(self.env.action_space.n), self.env.theme)
        picture.begin(planes)
        self.moments = [self._moment(planes, info, picture, None)]
        """All moments from the start to the last one reached."""
        self.position = 0
        for action in actions:
            self.play(action)

    @property
    def now(self) -> Moment:
        """The current moment."""
        return self.moments[self.position]

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions played up to now."""
        done = self.moments[1 : self.position + 1]
        return tuple(moment.action for moment in done if moment.action is not None)

    @property
    def last(self) -> int:
        """The index of the last moment."""
        return len(self.moments) - 1

    def play(self, action: int) -> bool:
        """Play an action and drop the redo history; return False if it is illegal."""
        if not self.now.board.legal[action]:
            return False
        if self.position < self.last and self.moments[self.position + 1].action == action:
            return self.go_to(self.position + 1)
        self.env.set_state(self.now.state)
        planes, _, _, _, info = self.env.step(action)
        picture = copy.deepcopy(self.now.picture)
        picture.follow(action, planes)
        self.moments[self.position + 1 :] = [self._moment(planes, info, picture, action)]
        self.position += 1
        return True

    def go_to(self, position: int) -> bool:
        """Go to a moment of the history; return False if there is none or it is the current one."""
        if not 0 <= position <= self.last or position == self.position:
            return False
        self.position = position
        return True

    def _moment(
        self, planes: Any, info: dict[str, Any], picture: Picture, action: int | None
    ) -> Moment:
        state = self.env.get_state()
        board = Board(planes, np.asarray(info["action_mask"], bool), state.words)
        return Moment(board, info, state, picture, action)
