"""Solutions entered for levels: played, compared with what is known, recorded as episodes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from puzzle_agents.episode import Episode, moves_of, read_episode
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Level
from puzzle_envs.text import quoted

MOST_ACTIONS = 10**6
"""More than any solution on the command line has."""


def actions_in(text: str) -> list[int]:
    """The actions of a text such as '3 60 8'; a ValueError says what is wrong with it."""
    words = text.replace(",", " ").split()
    if not words or len(words) > MOST_ACTIONS:
        raise ValueError("A solution is an episode file (.json), or its actions, such as '3 60 8'.")
    for number, word in enumerate(words, start=1):
        if not re.fullmatch(r"[0-9]{1,9}", word):
            raise ValueError(
                f"Action {number} is '{word[:40]}', not a number; a solution is an episode file "
                "(.json), or its actions, such as '3 60 8'."
            )
    return [int(word) for word in words]


def actions_for(env: PuzzleEnv, id: str, options: Mapping[str, Any], path: Path) -> list[int]:
    """The actions of an episode on this level; a ValueError says that it is on another."""
    episode = read_episode(path)
    theirs, form = episode.begin(), env.puzzle.format
    if episode.env != id:
        raise ValueError(f"{path} is an episode of {episode.env}, not of {id}.")
    if dict(episode.options) != dict(options):
        raise ValueError(
            f"{path} was played with other options: {dict(episode.options) or 'none'}."
        )
    if form.write(theirs.level.record) != form.write(env.level.record):
        raise ValueError(
            f"{path} is an episode on {quoted(episode.level)}, not on {quoted(env.level.name)}."
        )
    return list(episode.actions)


def entered(
    env: PuzzleEnv, id: str, options: Mapping[str, Any], actions: Sequence[int], by: str
) -> Episode:
    """The episode of a solution, played to its end; a ValueError says why it is none."""
    moves, level = moves_of(env, actions), env.level
    text = env.puzzle.format.text(level)
    episode = Episode(id, dict(options), level.name, text, tuple(actions), moves, by)
    episode.replay()
    return episode


def record_path(folder: Path, episode: Episode) -> Path:
    """The file of the record for a level, played with these options."""
    options = [f"{key}={value}" for key, value in sorted(episode.options.items())]
    names = (re.sub(r"[^A-Za-z0-9_.=-]+", "-", name)[:100].lstrip(".-") for name in
             ("_".join((episode.env, *options)), episode.level))  # fmt: skip
    first, second = (name or "level" for name in names)
    return folder / first / f"{second}.json"


def compared(level: Level, moves: int) -> str:
    """What a solution of this many moves means for its level."""
    if level.solvable is False:
        return "The level is stated to be unsolvable; the level file is wrong."
    if level.optimum is not None:
        if moves < level.optimum:
            return f"The level states an optimum of {level.optimum}; the level file is wrong."
        if moves == level.optimum:
            return "This is the optimum."
        return f"The optimum is {level.optimum}."
    if moves < level.least:
        return f"The level states a lower bound of {level.least}; the level file is wrong."
    if moves == level.least:
        return f"This meets the proved lower bound of {level.least}, so it is the optimum."
    bound = f" At least {level.bound} are needed." if level.bound is not None else ""
    if level.known is None:
        return f"No solution was known.{bound}"
    if moves < level.known:
        return f"This is the shortest known; it was {level.known}.{bound}"
    if moves == level.known:
        return f"The shortest known has as many.{bound}"
    return f"The shortest known has {level.known}.{bound}"
