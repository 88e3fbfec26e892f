"""Episodes in files: a level, the actions taken on it, and by whom.

A file is JSON with text and numbers; reading it runs no code from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import puzzle_envs
from puzzle_agents.environments import check_imported, class_of, make_env, puzzle_of
from puzzle_agents.fields import Fields, check, list_of, plain, table, table_of, text, whole
from puzzle_agents.reading import LARGEST, bytes_of_file, json_of
from puzzle_envs.common import arguments
from puzzle_envs.common.files import write_whole
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Level, LevelError
from puzzle_envs.text import quoted

FORMAT = 1
"""Version of the file format."""


COUNT = whole(0, 2**62)
KNOWN: Fields = {
    "format": whole(FORMAT, FORMAT),
    "env": text(),
    "options": table_of(plain),
    "level": text(),
    "level_text": text(LARGEST),
    "actions": list_of(COUNT, 0, None),
    "moves": COUNT,
    "agent": text(),
    "version": text(),
}
KIND = table(KNOWN, needed=KNOWN)


class EpisodeError(ValueError):
    """A file without an episode, or with an inconsistent one."""


@dataclass(frozen=True)
class Episode:
    """A level and the actions taken from its start."""

    env: str
    """The environment's id."""
    options: Mapping[str, str | int | float | bool]
    """Puzzle-specific environment arguments, such as the metric."""
    level: str
    """The level's name."""
    level_text: str
    actions: tuple[int, ...]
    moves: int
    """Moves of the actions, as the paper counts them."""
    agent: str
    """Name of the agent."""
    version: str = puzzle_envs.__version__
    """Version of puzzle-envs."""

    def begin(self, render_mode: str | None = None) -> PuzzleEnv:
        """An environment in the episode's initial state."""
        return make_env(self.env, self._read_level(), render_mode, **self.options)

    def replay(self) -> None:
        """Replay the actions; an EpisodeError says where they do not solve the level as stated."""
        env = self.begin()
        solved, moves = False, 0
        for number, action in enumerate(self.actions, start=1):
            if solved:
                raise EpisodeError(f"The level is already solved before action {number}.")
            _, _, _, _, info = env.step(action)
            if info["illegal"]:
                raise EpisodeError(f"Action {number} ({action}) is illegal on '{self.level}'.")
            solved, moves = info["solved"], info["moves"]
        if self.actions and not solved:
            raise EpisodeError(f"After all actions '{self.level}' is not solved.")
        if moves != self.moves:
            raise EpisodeError(f"The actions take {moves} moves, not {self.moves}.")

    def _read_level(self) -> Level:
        format = puzzle_of(self.env, **self.options).format
        levels = format.parse(self.level_text, "level_text")
        if len(levels) != 1:
            raise EpisodeError(f"'level_text' holds {len(levels)} levels instead of one.")
        return replace(levels[0], name=self.level)


def moves_of(env: PuzzleEnv, actions: Sequence[int]) -> int:
    """The moves of a solution from the environment's state; a ValueError says why it is none."""
    actor, name = env.simulation(observation="planes"), quoted(env.level.name)
    start = actor.get_state()
    _, info = actor.set_state(start)
    count = int(actor.action_space.n)
    for number, action in enumerate(actions, start=1):
        if arguments.whole(f"Action {number}", action, 0) >= count:
            raise ValueError(f"Action {number} is {action}, and {name} has {count} actions.")
        if info["solved"]:
            raise ValueError(
                f"{name} is already solved before action {number}; end the plan there."
            )
        _, _, _, _, info = actor.step(action)
        if info["illegal"]:
            raise ValueError(
                f"Action {number} ({action}) is illegal on {name}; is it a plan for this level, "
                "from this state?"
            )
    if not info["solved"]:
        raise ValueError(f"The plan of {len(actions)} actions does not solve {name}.")
    return int(info["moves"] - start.moves)


def write_episode(path: Path, episode: Episode) -> None:
    """Write a file atomically."""
    parsed = {"format": FORMAT, **asdict(episode)}
    write_whole(path, (json.dumps(parsed, indent=1, ensure_ascii=False) + "\n").encode())


def read_episode(path: Path) -> Episode:
    """Read a file; an EpisodeError says why it has no episode that can be replayed here.

    Actions are checked to be valid numbers; `Episode.replay` plays them.
    """
    if not path.is_file():
        there = f"{path} is a folder, not an episode." if path.is_dir() else ""
        raise EpisodeError(there or f"There is no episode file {path}.")
    try:
        parsed = json_of(bytes_of_file(path))
    except ValueError as error:
        raise EpisodeError(f"{path} is not an episode, or it is damaged: {error}") from None
    try:
        return _episode_of(parsed)
    except EpisodeError as error:
        raise EpisodeError(f"{path} has no episode that can be replayed: {error}") from None


def _episode_of(parsed: Any) -> Episode:
    """Parse and check the content of a file."""
    if not isinstance(parsed, dict) or parsed.get("format") != FORMAT:
        version = parsed.get("version", "unknown") if isinstance(parsed, dict) else "unknown"
        raise EpisodeError(
            f"'format' is not {FORMAT}, the one that puzzle-envs {puzzle_envs.__version__} reads "
            f"(the file is from version {version})."
        )
    try:
        check(parsed, KIND)
    except ValueError as error:
        raise EpisodeError(str(error)) from None
    fields = {key: value for key, value in parsed.items() if key != "format"}
    episode = Episode(**fields | {"actions": tuple(parsed["actions"])})
    _check_meaning(episode)
    return episode


def _check_meaning(episode: Episode) -> None:
    """Reject what this version's environments do not know."""
    try:
        check_imported(episode.env)
        class_of(episode.env)
        level = episode._read_level()
    except (LevelError, TypeError, ValueError) as error:
        raise EpisodeError(str(error)) from None
    actions = puzzle_of(episode.env, **episode.options).format.shape(level.record).actions
    for number, action in enumerate(episode.actions, start=1):
        if action >= actions:
            raise EpisodeError(
                f"Action {number} is {action}, and '{episode.level}' has {actions} actions."
            )
