"""Environments by id, for command lines and files."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_agents.parameters import parameters
from puzzle_envs.common.suggestion import did_you_mean
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Level, LevelLike
from puzzle_envs.puzzle import Puzzle, example_of

__all__ = [
    "check_imported",
    "class_of",
    "ids",
    "import_package",
    "level_of",
    "make_env",
    "options_of",
    "puzzle_of",
]


def ids() -> list[str]:
    """The ids of this package, sorted."""
    return sorted(
        id
        for id, spec in gymnasium.registry.items()
        if str(spec.entry_point).startswith("puzzle_envs.")
    )


def known_ids() -> list[str]:
    """The ids of this package and of the puzzles imported so far, sorted."""
    return sorted({*ids(), *(id for id in gymnasium.registry if _imported_class(id) is not None)})


def _imported_class(id: str) -> type[PuzzleEnv] | None:
    """The class of a puzzle environment whose module is imported; None otherwise."""
    home, _, name = str(gymnasium.registry[id].entry_point).partition(":")
    found = getattr(sys.modules.get(home), name, None) if name else None
    return found if isinstance(found, type) and issubclass(found, PuzzleEnv) else None


def class_of(id: str) -> type[PuzzleEnv]:
    """The environment's class; a ValueError suggests similar ids.

    `my_puzzles:Mine-v0` first imports the package, which registers the id, as in gymnasium.make.
    """
    package, name = _parts(id)
    if package:
        import_package(package)
    if name not in gymnasium.registry:
        known = known_ids()
        raise ValueError(
            f"There is no environment '{id}'.{did_you_mean(id, known)} "
            f"Available: {', '.join(known)}; those of other packages as PACKAGE:ID."
        )
    home, _, class_name = str(gymnasium.spec(name).entry_point).partition(":")
    found_class = getattr(import_module(home), class_name, None) if class_name else None
    if not (isinstance(found_class, type) and issubclass(found_class, PuzzleEnv)):
        raise ValueError(
            f"'{id}' is not a puzzle environment; available: {', '.join(known_ids())}."
        )
    return found_class


def check_imported(id: str) -> None:
    """Reject an id whose package is not imported: files never import code."""
    package, name = _parts(id)
    spec = gymnasium.registry.get(name)
    home = package if spec is None else str(spec.entry_point).partition(":")[0]
    if home and home not in sys.modules:
        raise ValueError(
            f"'{id}' is not an environment of an imported puzzle; if you trust its package, "
            f"use `puzzle-envs --import {home}`."
        )


def _parts(id: str) -> tuple[str, str]:
    """Split an id into package and name; the package may be empty."""
    package, _, name = id.rpartition(":")
    return (package, name) if _is_package(package) else ("", id)


def _is_package(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def import_package(package: str) -> None:
    """Import a package, whose puzzles register themselves."""
    if not _is_package(package):
        raise ValueError(f"'{package}' is not a package name, such as my_puzzles.")
    try:
        import_module(package)
    except ImportError as error:
        here = Path(package.partition(".")[0])
        hint = " It is in this folder: set PYTHONPATH=. first." if here.is_dir() else ""
        raise ValueError(f"The package '{package}' cannot be imported: {error}.{hint}") from None


def puzzle_of(id: str, **options: Any) -> Puzzle:
    """The puzzle of an id, with puzzle-specific arguments such as a metric."""
    return class_of(id).puzzle.configured(**options)


def options_of(id: str) -> dict[str, Any]:
    """The types of an environment's puzzle-specific arguments, by name.

    Arguments that distinguish the ids of a puzzle are left out: name the other id instead.
    """
    puzzle = class_of(id).puzzle
    home = f"{puzzle.package}:"
    alike = [
        class_of(other).puzzle
        for other, spec in gymnasium.registry.items()
        if str(spec.entry_point).startswith(home)
    ]
    fixed = {name for one in alike for name, _ in one.options}
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
