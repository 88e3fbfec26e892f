"""Models by name, pretrained ones included."""

from __future__ import annotations

import functools
from pathlib import Path

from puzzle_agents.learning.card_file import FOLDER, file_for, file_of, pretrained_file
from puzzle_agents.learning.model_file import Model, load_model
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle


def pretrained(name: str) -> Model:
    """Load a pretrained model."""
    return _kept(pretrained_file(name))


def model_of(named: str) -> Model:
    """Load a model from a run's folder, a file, or a pretrained model's name."""
    file = file_of(named)
    return _kept(file) if file.parent == FOLDER else load_model(file)


def pretrained_for(puzzle: Puzzle, level: Level) -> Model:
    """The smallest pretrained model of a puzzle that fits a level, on boards of its size."""
    return _kept(file_for(puzzle, level)).for_levels([level])


@functools.cache
def _kept(file: Path) -> Model:
    return load_model(file)
