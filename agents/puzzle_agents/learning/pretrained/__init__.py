"""The models that come with the package."""

from __future__ import annotations

import functools
from pathlib import Path

from puzzle_agents.learning.model_file import Model, ModelError, load_model
from puzzle_envs.env import PuzzleEnv

__all__ = ["model_of", "pretrained", "pretrained_for"]

FOLDER = Path(__file__).parent


@functools.cache
def pretrained(name: str) -> Model:
    """One of the models by its name, which is that of its file."""
    names = sorted(path.stem for path in FOLDER.glob("*.model"))
    if name not in names:
        there = ", ".join(names) or "none in this version"
        raise ModelError(f"There is no pretrained model '{name}'; there are {there}.")
    return load_model(FOLDER / f"{name}.model")


def model_of(named: str) -> Model:
    """A model by what a person calls it: a run's folder, a file, a pretrained one's name."""
    path = Path(named)
    if path.is_dir():
        return load_model(path / "policy.model")
    return load_model(path) if path.exists() or path.suffix else pretrained(named)


def pretrained_for(env: PuzzleEnv) -> Model:
    """The smallest pretrained model whose boards the environment's level fits on."""
    shape = env.puzzle.format.shape(env.level.record)
    fitting = [
        model
        for model in (pretrained(path.stem) for path in FOLDER.glob("*.model"))
        if model.card.plays(env)
        and model.card.height >= shape.height
        and model.card.width >= shape.width
        and model.card.actions >= shape.actions
    ]
    if not fitting:
        raise ModelError(
            f"No pretrained model plays {env.puzzle.title} on boards of {shape.width} by "
            f"{shape.height}; train one with `puzzle-envs train`, and name its file."
        )
    return min(fitting, key=lambda model: model.card.actions)
