"""The controls of Kwirk: by pushes, or by the original game's keys."""

from __future__ import annotations

from puzzle_envs.kwirk.controls.pushes import PushControls
from puzzle_envs.kwirk.controls.steps import StepControls
from puzzle_envs.kwirk.level import FloorFormat
from puzzle_envs.level import LevelFormat


def controls(format: LevelFormat) -> PushControls | StepControls:
    """The controls of a floor."""
    by_keys = isinstance(format, FloorFormat) and format.keys
    return StepControls() if by_keys else PushControls()
