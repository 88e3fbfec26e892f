"""A plan as pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from puzzle_envs.env import PuzzleEnv
from puzzle_envs.rendering.theme import Theme

__all__ = ["film", "pictures"]

Picture = npt.NDArray[np.uint8]


def pictures(
    env: PuzzleEnv, actions: Iterable[int], cell_pixels: int | None = None
) -> list[Picture]:
    """The state from which a plan starts, and what each of its actions leads to.

    Args:
        env: The environment, standing where the plan starts; it is left untouched.
        actions: The plan.
        cell_pixels: The size of a cell in pixels; by default the environment's.
    """
    return list(film(env, actions, 1, cell_pixels))


def film(
    env: PuzzleEnv,
    actions: Iterable[int],
    frames: int,
    cell_pixels: int | None = None,
    theme: Theme | None = None,
    hold: int = 0,
) -> Iterator[Picture]:
    """The same one after the other, with so many frames for each action, in motion.

    Args:
        env: As above.
        actions: The plan.
        frames: How many for each action.
        cell_pixels: As above.
        theme: How it is drawn; by default as the environment is.
        hold: So many more frames of the beginning and of the end.
    """
    actor = env.simulation(render_mode="rgb_array", observation="planes")
    actor.cell_pixels = env.cell_pixels if cell_pixels is None else cell_pixels
    actor.theme = env.theme if theme is None else theme
    actor.set_state(env.get_state())
    yield from actor.motion(1 + hold)
    for action in actions:
        actor.step(action)
        yield from actor.motion(frames)
    yield from hold * [actor.render()]
