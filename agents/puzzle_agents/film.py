"""Plans as sequences of pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from puzzle_envs.env import PuzzleEnv
from puzzle_envs.rendering.theme import Theme

Picture = npt.NDArray[np.uint8]


def film(
    env: PuzzleEnv,
    actions: Iterable[int],
    frames: int,
    cell_pixels: int | None = None,
    theme: Theme | None = None,
    hold: int = 0,
) -> Iterator[Picture]:
    """The pictures of an animation, in order.

    Args:
        env: The environment, in the plan's initial state; it is not modified.
        actions: The plan.
        frames: Frames per action.
        cell_pixels: Size of a cell in pixels; None for the environment's.
        theme: Theme of the pictures; None for the environment's.
        hold: Additional frames of the first and last states.
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
