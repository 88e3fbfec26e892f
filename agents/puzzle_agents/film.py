"""A plan as pictures."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from puzzle_envs.env import PuzzleEnv

__all__ = ["film", "pictures"]

Picture = npt.NDArray[np.uint8]


def pictures(env: PuzzleEnv, actions: Iterable[int], cell: int | None = None) -> list[Picture]:
    """The state from which a plan starts, and what each of its actions leads to.

    Args:
        env: The environment, standing where the plan starts; it is left untouched.
        actions: The plan.
        cell: The size of a cell in pixels; by default the environment's.
    """
    return film(env, actions, 1, cell)


def film(
    env: PuzzleEnv, actions: Iterable[int], frames: int, cell: int | None = None
) -> list[Picture]:
    """The same with so many frames for each action, in motion."""
    actor = env.simulation(render_mode="rgb_array")
    actor.cell_pixels = env.cell_pixels if cell is None else cell
    actor.set_state(env.get_state())
    shown = actor.motion(1)
    for action in actions:
        actor.step(action)
        shown += actor.motion(frames)
    return shown
