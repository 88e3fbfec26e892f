"""A player among the levels of a set: the game, its hints, what is known and kept of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from puzzle_agents.environments import make_env
from puzzle_agents.episode import Episode, write_episode
from puzzle_agents.player.game import Game
from puzzle_agents.player.hints import Hint, Hints, hint_agent
from puzzle_agents.player.remembered import Progress
from puzzle_envs.level import Level, LevelFormat, file_and_name

__all__ = ["BY_HAND", "Session", "levels_around"]

BY_HAND = "by hand"
"""Who did it, in the episodes of a player."""


def levels_around(format: LevelFormat, wanted: str) -> tuple[list[Level], int | None]:
    """The set that a level belongs to and its number there.

    A name or a file that means several levels is a set; then there is no number.
    """
    found = format.find(wanted)
    if len(found) > 1:
        return found, None
    level, place = found[0], file_and_name(wanted)
    around = level.set_name if place is None else place[0]
    if not around:
        return found, 0
    levels = format.find(around)
    return levels, [one.name for one in levels].index(level.name)


class Session:
    """What a player does, without a window."""

    def __init__(
        self,
        id: str,
        options: Mapping[str, Any],
        levels: Sequence[Level],
        progress: Progress,
        *,
        agent: str | None = None,
        save: Path | None = None,
        theme: str = "light",
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """Have no game yet: `go_to` begins one.

        Args:
            id: The environment's.
            options: The environment arguments of the puzzle's own.
            levels: The set.
            progress: What was solved before.
            agent: Who gives hints; None for the best one to ask.
            save: Where to write each solution.
            theme: How the levels are drawn.
            wake: Called, by another thread, when a hint has been found.
        """
        self.id, self.options, self.levels = id, dict(options), list(levels)
        self.progress, self._agent, self._save, self._wake = progress, agent, save, wake
        self._theme, self.number = theme, -1
        self.hints = Hints("", wake)

    @property
    def first_unsolved(self) -> int:
        """The number of the first level that was never solved; 0 if all were."""
        unsolved = (n for n, one in enumerate(self.levels) if self.progress.best(one) is None)
        return next(unsolved, 0)

    def go_to(self, number: int) -> bool:
        """Begin a level; False if there is none of this number."""
        if not 0 <= number < len(self.levels):
            return False
        self.hints.stop()
        self.number = number
        self.game = Game(make_env(self.id, self.level, theme=self._theme, **self.options))
        self.hints = Hints(self._agent or hint_agent(self.game.env), self._wake)
        self._optimum = self.level.optimum
        self.progress.went_to(self.level)
        return True

    @property
    def level(self) -> Level:
        """The level that is played."""
        return self.levels[self.number]

    @property
    def unit(self) -> str:
        """What moves are called."""
        counts = self.game.env.puzzle.codec.counts
        return counts[0] if counts else "moves"

    def play(self, action: int) -> bool:
        """Do an action; False if it is illegal. A solution is kept."""
        if not self.game.play(action):
            return False
        if self.solved:
            self.progress.has_solved(self.level, self.moves)
            if self._save is not None:
                self._write(self._save)
        return True

    # --- what is known ------------------------------------------------------------------------

    @property
    def solved(self) -> bool:
        """Whether the level is solved."""
        return bool(self.game.now.info["solved"])

    @property
    def moves(self) -> int:
        """The moves so far."""
        return int(self.game.now.info["moves"])

    def find_hint(self) -> Hint | None:
        """The hint for where the game stands, if it has been found."""
        self.game.env.set_state(self.game.now.state)
        hint = self.hints.known(self.game.env)
        if hint is not None and hint.proved and hint.left is not None and not self.moves:
            self._optimum = hint.left
        return hint

    def ask_for_hint(self) -> None:
        """Look for a hint."""
        self.game.env.set_state(self.game.now.state)
        self.hints.ask(self.game.env)

    @property
    def optimum(self) -> int | None:
        """The fewest moves that solve the level, as far as they are proved."""
        return self._optimum

    def verdict(self) -> str:
        """What to say of where the game stands; nothing as long as it just goes on."""
        unit = self.unit if self.moves != 1 else self.unit.removesuffix("s")
        if self.solved:
            more = None if self.optimum is None else self.moves - self.optimum
            if more is None:
                return f"Solved in {self.moves} {unit}."
            if more < 0:
                return (
                    f"Solved in {self.moves} {unit}, fewer than the {self.optimum} that the level "
                    "says are the fewest: correct its line."
                )
            compared = f"{more} more than needed" if more else "the fewest there are"
            return f"Solved in {self.moves} {unit}, {compared}."
        if not self.game.now.board.legal.any():
            return "Nothing can be done any more: undo, or begin again."
        return ""

    # --- saving -------------------------------------------------------------------------------

    def save(self) -> str:
        """Write the solution to a file; say where, or why not."""
        if not self.solved:
            return "A solution can be saved when the level is solved."
        return self._write(self._save or _unused(f"{self.id}-{self.level.name}"))

    def _write(self, path: Path) -> str:
        game = self.game
        text = game.env.puzzle.format.text(self.level)
        episode = Episode(
            self.id, self.options, self.level.name, text, game.actions, self.moves, BY_HAND
        )
        try:
            write_episode(path, episode)
        except OSError as error:
            return f"{path} cannot be written: {error.strerror}."
        return f"Saved: {path}"


def _unused(name: str) -> Path:
    """A file in the current folder that is not there yet."""
    stem = name.replace("/", "-")
    path, number = Path(f"{stem}.json"), 1
    while path.exists():
        number += 1
        path = Path(f"{stem}-{number}.json")
    return path
