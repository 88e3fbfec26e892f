"""A player's session on a set of levels: the game, its hints and the saved progress."""

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

BY_HAND = "by hand"
"""The agent named in episodes of a player."""


def levels_around(format: LevelFormat, wanted: str) -> tuple[list[Level], int | None]:
    """The set that a level belongs to, and its index in the set.

    If the name or file means several levels, they are the set, and the index is None.
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
    """The logic of play, without a window."""

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
        """Prepare a session; `go_to` starts a game.

        Args:
            id: The environment's id.
            options: The environment's puzzle-specific arguments.
            levels: The set.
            progress: The player's progress so far.
            agent: The agent that gives hints; None for the puzzle's default.
            save: File to which each solution is written.
            theme: Theme of the pictures.
            wake: Called by another thread when a hint has been found.
        """
        self.id, self.options, self.levels = id, dict(options), list(levels)
        self.progress, self._agent, self._save, self._wake = progress, agent, save, wake
        self._theme, self.number = theme, -1
        self.hints = Hints("", wake)

    @property
    def first_unsolved(self) -> int:
        """Index of the first unsolved level; 0 if all are solved."""
        unsolved = (n for n, one in enumerate(self.levels) if self.progress.best(one) is None)
        return next(unsolved, 0)

    def go_to(self, number: int) -> bool:
        """Start the level with this index; return False if there is none."""
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
        """The current level."""
        return self.levels[self.number]

    @property
    def unit(self) -> str:
        """The unit of the move count."""
        counts = self.game.env.puzzle.codec.counts
        return counts[0] if counts else "moves"

    def play(self, action: int) -> bool:
        """Play an action and record a solution; return False if it is illegal."""
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
        """The hint for the current state, if one has been found."""
        self.game.env.set_state(self.game.now.state)
        hint = self.hints.known(self.game.env)
        if hint is not None and hint.proved and hint.left is not None and not self.moves:
            self._optimum = hint.left
        return hint

    def ask_for_hint(self) -> None:
        """Search for a hint."""
        self.game.env.set_state(self.game.now.state)
        self.hints.ask(self.game.env)

    @property
    def optimum(self) -> int | None:
        """The fewest moves that solve the level, where proved."""
        return self._optimum

    @property
    def fewest(self) -> tuple[str, str]:
        """What is known of the fewest moves: what the number is, and the number."""
        if self.optimum is not None:
            return "fewest", str(self.optimum)
        if self.level.solvable is False:
            return "fewest", "none"
        known = self.level.known
        return ("fewest", "?") if known is None else ("best known", str(known))

    def verdict(self) -> str:
        """The message about the game's state; empty while play goes on."""
        unit = self.unit if self.moves != 1 else self.unit.removesuffix("s")
        if self.solved:
            known = self.level.known
            if self.optimum is None and known is not None:
                return f"Solved in {self.moves} {unit}; the best known solution takes {known}."
            if self.optimum is None:
                return f"Solved in {self.moves} {unit}."
            more = self.moves - self.optimum
            if more < 0:
                return (
                    f"Solved in {self.moves} {unit}, fewer than the level's stated optimum of "
                    f"{self.optimum}; correct the level file."
                )
            compared = f"{more} more than the optimum" if more else "the optimum"
            return f"Solved in {self.moves} {unit}, {compared}."
        if not self.game.now.board.legal.any():
            return "No legal move is left: undo or restart."
        return ""

    # --- saving -------------------------------------------------------------------------------

    def save(self) -> str:
        """Write the solution to a file; say where, or why not."""
        if not self.solved:
            return "Solve the level first, then save the solution."
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
    """An unused file name in the current folder."""
    stem = name.replace("/", "-")
    path, number = Path(f"{stem}.json"), 1
    while path.exists():
        number += 1
        path = Path(f"{stem}-{number}.json")
    return path
