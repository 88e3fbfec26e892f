"""What a player has solved and where play stopped, in a small file of the user's."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from puzzle_agents.fields import ANYTHING, of_type, table, table_of, whole
from puzzle_agents.reading import bytes_of_file, json_of
from puzzle_envs.common.files import write_whole
from puzzle_envs.level import Level, LevelFormat

__all__ = ["Progress", "progress_file"]

FORMAT = 1
"""What a file says of how it is written."""
KNOWN = {
    "format": whole(FORMAT, FORMAT),
    "solved": table_of(table_of(whole())),
    "last": table_of(of_type(str)),
}
PROGRESS = table(KNOWN, needed=KNOWN, others=ANYTHING)
VARIABLE = "PUZZLE_ENVS_PROGRESS"


def progress_file() -> Path | None:
    """Where progress is kept: PUZZLE_ENVS_PROGRESS, else in the user's folder for such things.

    None where the user has no such folder.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_STATE_HOME"
    base = os.environ.get(variable)
    try:
        folder = Path(base) if base else Path.home() / ".local" / "state"
    except RuntimeError:  # nobody's home
        return None
    return folder / "puzzle-envs" / "progress.json"


class Progress:
    """The fewest moves in which each level was solved, and the level that was played last.

    Every change is written at once. Another program that writes the same file meanwhile loses
    nothing: what it has written is read again before each change.
    """

    def __init__(self, path: Path | None, game: str, format: LevelFormat) -> None:
        """Read what there is.

        Args:
            path: The file; None: nothing is kept.
            game: The environment's id, and its options if there are any.
            format: What the levels are written with.
        """
        self._path, self._game, self._format = path, game, format
        self.complaint = "" if path else "There is no folder to keep progress in."
        """What is wrong with the file, for the player."""
        self._told = self._read()

    def best(self, level: Level) -> int | None:
        """The fewest moves in which a level was solved, if it was."""
        return self._solved().get(self._fingerprint(level))

    @property
    def last(self) -> str | None:
        """The name of the level that was played last."""
        last: dict[str, str] = self._told["last"]
        return last.get(self._game)

    def went_to(self, level: Level) -> None:
        """Keep that a level is being played."""
        self._told = self._read()
        if self.last != level.name:
            self._told["last"][self._game] = level.name
            self._write()

    def has_solved(self, level: Level, moves: int) -> None:
        """Keep that a level was solved in so many moves, if it never was in fewer."""
        self._told = self._read()
        before = self.best(level)
        if before is None or moves < before:
            self._solved()[self._fingerprint(level)] = moves
            self._write()

    def _solved(self) -> dict[str, int]:
        solved: dict[str, int] = self._told["solved"].setdefault(self._game, {})
        return solved

    def _fingerprint(self, level: Level) -> str:
        """The same for the same board, whatever its name or its file."""
        text = "\n".join(self._format.write(level.record))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    # --- the file -----------------------------------------------------------------------------

    def _read(self) -> dict[str, Any]:
        nothing: dict[str, Any] = {"format": FORMAT, "solved": {}, "last": {}}
        if self._path is None:
            return getattr(self, "_told", nothing)
        try:
            told = json_of(bytes_of_file(self._path))
        except FileNotFoundError:
            return nothing
        except OSError as error:
            self.complaint = f"{self._path} cannot be read: {error.strerror}."
            return getattr(self, "_told", nothing)
        except ValueError:
            told = None
        if not PROGRESS.holds(told):
            self._set_aside(self._path)
            return nothing
        return dict(told)

    def _set_aside(self, path: Path) -> None:
        aside = path.with_name(f"{path.name}.damaged")
        number = 1
        while aside.exists():
            number += 1
            aside = path.with_name(f"{path.name}.damaged-{number}")
        try:
            path.rename(aside)
        except OSError as error:
            self.complaint = f"{path} is damaged, and nothing new is kept: {error.strerror}."
            self._path = None
        else:
            self.complaint = f"{path} is damaged: it is now {aside.name}, and a new one begins."

    def _write(self) -> None:
        if self._path is None:
            return
        told = json.dumps(self._told, indent=1, sort_keys=True) + "\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, told.encode())
        except OSError as error:
            self.complaint = f"Progress cannot be kept in {self._path}: {error.strerror}."
