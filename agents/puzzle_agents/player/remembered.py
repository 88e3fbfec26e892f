"""Progress of a player: solved levels and the level played last, in a small file."""

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

FORMAT = 1
"""Version of the file format."""
KNOWN = {
    "format": whole(FORMAT, FORMAT),
    "solved": table_of(table_of(whole())),
    "last": table_of(of_type(str)),
}
PROGRESS = table(KNOWN, needed=KNOWN, others=ANYTHING)
VARIABLE = "PUZZLE_ENVS_PROGRESS"


def progress_file() -> Path | None:
    """The progress file: PUZZLE_ENVS_PROGRESS, else in the user's data folder.

    None if the user has no such folder.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_STATE_HOME"
    base = os.environ.get(variable)
    try:
        folder = Path(base) if base else Path.home() / ".local" / "state"
    except RuntimeError:  # no home folder
        return None
    return folder / "puzzle-envs" / "progress.json"


class Progress:
    """The best solution length of each level, and the level played last.

    Every change is written at once. The file is re-read before each change, so that concurrent
    programs lose nothing.
    """

    def __init__(self, path: Path | None, game: str, format: LevelFormat) -> None:
        """Read the progress made so far.

        Args:
            path: The file; None keeps nothing.
            game: The environment's id and options.
            format: The level format.
        """
        self._path, self._game, self._format = path, game, format
        self.complaint = "" if path else "Progress is not saved: there is no folder for it."
        """What is wrong with the file, shown to the player."""
        self._parsed = self._read()

    def best(self, level: Level) -> int | None:
        """The fewest moves in which the level was solved; None if it never was."""
        return self._solved().get(self._fingerprint(level))

    @property
    def last(self) -> str | None:
        """The name of the level played last."""
        last: dict[str, str] = self._parsed["last"]
        return last.get(self._game)

    def went_to(self, level: Level) -> None:
        """Record the level being played."""
        self._parsed = self._read()
        if self.last != level.name:
            self._parsed["last"][self._game] = level.name
            self._write()

    def has_solved(self, level: Level, moves: int) -> None:
        """Record a solution if it is the shortest so far."""
        self._parsed = self._read()
        before = self.best(level)
        if before is None or moves < before:
            self._solved()[self._fingerprint(level)] = moves
            self._write()

    def _solved(self) -> dict[str, int]:
        solved: dict[str, int] = self._parsed["solved"].setdefault(self._game, {})
        return solved

    def _fingerprint(self, level: Level) -> str:
        """A hash of the board, independent of the level's name and file."""
        text = "\n".join(self._format.write(level.record))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    # --- the file -----------------------------------------------------------------------------

    def _read(self) -> dict[str, Any]:
        nothing: dict[str, Any] = {"format": FORMAT, "solved": {}, "last": {}}
        if self._path is None:
            return getattr(self, "_parsed", nothing)
        try:
            parsed = json_of(bytes_of_file(self._path))
        except FileNotFoundError:
            return nothing
        except OSError as error:
            self.complaint = f"{self._path} cannot be read: {error.strerror}."
            return getattr(self, "_parsed", nothing)
        except ValueError:
            parsed = None
        if not PROGRESS.holds(parsed):
            self._set_aside(self._path)
            return nothing
        return dict(parsed)

    def _set_aside(self, path: Path) -> None:
        aside = path.with_name(f"{path.name}.damaged")
        number = 1
        while aside.exists():
            number += 1
            aside = path.with_name(f"{path.name}.damaged-{number}")
        try:
            path.rename(aside)
        except OSError as error:
            self.complaint = f"{path} is damaged, and progress is not saved: {error.strerror}."
            self._path = None
        else:
            self.complaint = (
                f"{path} is damaged; it was renamed to {aside.name}, and progress starts over."
            )

    def _write(self) -> None:
        if self._path is None:
            return
        parsed = json.dumps(self._parsed, indent=1, sort_keys=True) + "\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, parsed.encode())
        except OSError as error:
            self.complaint = f"Progress cannot be saved in {self._path}: {error.strerror}."
