"""Legal actions as planes, for networks that read them beside a board.

On a floor these tell what the character can reach, which would take a network many layers to find.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzle_envs.codec import Codec, Shape

__all__ = ["LegalPlanes"]


class LegalPlanes:
    """Turns masks into planes: one for each kind of action that takes place at a cell."""

    def __init__(self, codec: Codec, room: Shape) -> None:
        """Find out where the actions of boards of this size take place."""
        cells, kinds = np.array(codec.places(room), np.intp).reshape(-1, 2).T
        self.count = 1 + max(kinds[cells >= 0].tolist(), default=-1)
        """Number of planes."""
        self._board = (self.count, room.height, room.width)
        self._actions = np.flatnonzero(cells >= 0)
        self._entries = (kinds * room.height * room.width + cells)[self._actions]

    def beside(
        self, planes: npt.NDArray[np.int8], masks: npt.NDArray[np.generic]
    ) -> npt.NDArray[np.int8]:
        """The planes of some boards, followed by those of their legal actions."""
        legal = np.zeros((len(planes), int(np.prod(self._board))), np.int8)
        legal[:, self._entries] = masks[:, self._actions]
        return np.concatenate([planes, legal.reshape(len(planes), *self._board)], axis=1)
