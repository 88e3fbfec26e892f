"""What a level is: `python -m puzzle_envs Kwirk-v0 easy/1` prints it and the size of its states."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import gymnasium

from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import LevelError


def main(arguments: Sequence[str] | None = None) -> int:
    """Print; 0 done, 2 wrong usage."""
    ids = sorted(
        id
        for id, spec in gymnasium.registry.items()
        if str(spec.entry_point).startswith("puzzle_envs.")
    )
    parser = argparse.ArgumentParser(
        prog="python -m puzzle_envs", description="Print a level and the size of its states."
    )
    parser.add_argument("id", choices=ids, help="an environment")
    parser.add_argument("level", nargs="?", help="a name or a file (default: the id's own)")
    chosen = parser.parse_args(arguments)
    try:
        print(describe(chosen.id, chosen.level))
    except LevelError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def describe(id: str, name: str | None) -> str:
    """The text of a level, and what its environment is like."""
    env = gymnasium.make(id, level=name).unwrapped
    if not isinstance(env, PuzzleEnv):
        raise TypeError(f"{id} is no puzzle environment.")
    env.reset()
    form, level = env.puzzle.format, env.level
    planes, height, width = env.observation_space.shape or (0, 0, 0)
    known = "not known" if level.optimum is None else str(level.optimum)
    return "\n".join(
        [
            form.text(level).rstrip(),
            "",
            f"optimum ({form.optimum_key}): {'none' if level.solvable is False else known}",
            f"state: {8 * form.words(level.record)} bytes",
            f"actions: {env.action_space.n}",
            f"observation: {planes} planes of {width} by {height}",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
