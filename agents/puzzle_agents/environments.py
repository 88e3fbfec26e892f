"""Environments by id, for command lines and files."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import gymnasium

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_agents.parameters import parameters
from puzzle_envs.common.suggestion import did_you_mean
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Level, LevelLike
from puzzle_envs.puzzle import Puzzle, example_of

__all__ = ["class_of", "ids", "level_of", "make_env", "options_of", "puzzle_of"]


def ids() -> list[str]:
    """The ids of this package, sorted."""
    return sorted(
        id
        for id, spec in gymnasium.registry.items()
        if str(spec.entry_point).startswith("puzzle_envs.")
    )


def class_of(id: str) -> type[PuzzleEnv]:
    """The environment's class; a ValueError suggests similar ids."""
    if id not in gymnasium.registry:
        known = ids()
        raise ValueError(
            f"There is no environment '{id}'.{did_you_mean(id, known)} "
            f"There are {', '.join(known)}."
        )
    package, _, name = str(gymnasium.spec(id).entry_point).partition(":")
    found_class = getattr(import_module(package), name, None) if name else None
    if not (isinstance(found_class, type) and issubclass(found_class, PuzzleEnv)):
        raise ValueError(f"'{id}' is not a puzzle environment; there are {', '.join(ids())}.")
    return found_class


def puzzle_of(id: str, **options: Any) -> Puzzle:
    """The puzzle of an id, with puzzle-specific arguments such as a metric."""
    return class_of(id).puzzle.configured(**options)


def options_of(id: str) -> dict[str, Any]:
    """The types of an environment's puzzle-specific arguments, by name.

    Arguments that distinguish the ids of a puzzle are left out: name the other id instead.
    """
    puzzle = class_of(id).puzzle
    alike = [class_of(other).puzzle for other in ids()]
    fixed = {name for one in alike if one.package == puzzle.package for name, _ in one.options}
    taken = parameters(type(puzzle.format))
    return {name: hint for name, hint in taken.items() if name not in fixed}


def make_env(
    id: str, level: LevelLike | None = None, render_mode: str | None = None, **options: Any
) -> PuzzleEnv:
    """Create an environment of one level, unwrapped and reset."""
    class_of(id)
    made = gymnasium.make(id, level=level, render_mode=render_mode, **options).unwrapped
    assert isinstance(made, PuzzleEnv)
    made.reset()
    return made


def level_of(puzzle: Puzzle, wanted: str | None, otherwise: str = "") -> Level:
    """Find the level that a name, a file or a text means; None for the puzzle's default.

    Args:
        puzzle: The puzzle of the level.
        wanted: The name, file or text.
        otherwise: What to do with a whole set, appended to the error that rejects one.
    """
    found = puzzle.format.find(puzzle.default_level if wanted is None else wanted)
    if len(found) > 1:
        raise ValueError(
            f"'{wanted}' holds {len(found)} levels; name one, such as "
            f"'{example_of(wanted, found)}'{otherwise}."
        )
    return found[0]
