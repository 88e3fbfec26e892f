"""Levels: found by name, read from text, written back, the same way for every puzzle.

A level file holds boards. Lines that begin with `;` say something about the board below them
(`; name: 3`, `; optimum: 4`); an empty line ends a board. A puzzle's own LevelFormat reads the
rows in between. A name such as `rocks/3` means board `3` of levels/<puzzle>/rocks.txt, and
`mine.txt/3` the one of a file of one's own.
"""

from __future__ import annotations

import functools
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from puzzle_envs.arguments import shown
from puzzle_envs.files import write_whole
from puzzle_envs.suggestion import did_you_mean

__all__ = [
    "Board",
    "Level",
    "LevelError",
    "LevelFormat",
    "LevelLike",
    "Shape",
    "record_dtype",
    "save_levels",
]

Record: TypeAlias = Any
"""One element of an array of a puzzle's level dtype."""


def record_dtype(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """A dtype whose elements have their fields as attributes, compiled or not."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


class LevelError(ValueError):
    """A level that cannot be used: what is wrong, and where."""

    def __init__(self, message: str, source: str = "", line: int = 0, column: int = 0) -> None:
        """Line and column count from 1; 0 means that the fault has no such place."""
        place = ":".join(str(part) for part in (source, line, column) if part)
        super().__init__(f"{place}: {message}" if place else message)
        self.source, self.line, self.column = source, line, column


ROW_KEYS, COLUMN_KEYS = "qwertyuiop", "asdfghjkl;"
"""Keys for the rows and the columns of a board, from the upper left cell on."""


class Shape(NamedTuple):
    """What the spaces of an environment need in order to hold a set of levels."""

    actions: int
    height: int
    width: int

    def cell_keys(self) -> Iterator[tuple[str, int]]:
        """The keys of each cell that has some, and its number, counted row by row."""
        for row, upper in enumerate(ROW_KEYS[: self.height]):
            for column, lower in enumerate(COLUMN_KEYS[: self.width]):
                yield upper + lower, row * self.width + column

    def way_keys(self) -> dict[str, int]:
        """The keys of a cell and an arrow, where each cell has four actions: up, right and on."""
        return {
            keys + arrow: 4 * cell + way
            for keys, cell in self.cell_keys()
            for way, arrow in enumerate("↑→↓←")
        }


@dataclass(frozen=True, eq=False)
class Level:
    """One level: its name, its record for the rules, and what is known of it."""

    name: str
    record: Record
    optimum: int | None = None
    """The fewest moves of the paper, where a search proved it."""
    solvable: bool | None = None
    """False where a search proved that there is no solution."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """The remaining metadata lines, author and the like."""
    optimum_key: str | None = None
    """The metadata key of the optimum, which says what it counts; None: its format's own."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Level:
        """Nothing changes a level, so copies of an environment share theirs."""
        return self


LevelLike: TypeAlias = Level | str | os.PathLike[str]
"""A level, its name, its file, or its text."""


class Row(NamedTuple):
    """A line of a board, and where it stands."""

    line: int
    text: str


@dataclass
class Board:
    """The lines of one board, before its puzzle has read them."""

    source: str
    metadata: dict[str, Row] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    def error(self, message: str, line: int = 0, column: int = 0) -> LevelError:
        """A LevelError that says where in the file the fault is."""
        return LevelError(message, self.source, line or self.first_line, column)

    @property
    def first_line(self) -> int:
        """The line at which this board begins."""
        return min(row.line for row in [*self.metadata.values(), *self.rows])

    def switch(self, key: str, default: bool) -> bool:
        """The value of an on/off line."""
        row = self.metadata.get(key)
        if row is None:
            return default
        if row.text not in ("on", "off"):
            raise self.error(f"'{key}' is on or off, not '{row.text}'.", row.line)
        return row.text == "on"


class LevelFormat(ABC):
    """How the levels of one puzzle are read, written and laid out; one object in its level.py."""

    puzzle: str
    """The name of the puzzle's folder."""
    id = ""
    """The environment's id, which messages name; without one they name the folder."""
    dtype: np.dtype[Any]
    """A level for the rules: one record of this dtype."""
    switches: frozenset[str] = frozenset()
    """Metadata keys of this puzzle's own."""
    remarks: frozenset[str] = frozenset()
    """Metadata keys that say something of a level and change nothing; they become its notes."""
    optimum_key = "optimum"
    """The metadata key of the optimum that this format's levels have."""
    counts: tuple[()] | tuple[str, str] = ()
    """Where a puzzle has two counts: what its info calls its moves, and the effort besides."""
    facts: Mapping[str, str] = MappingProxyType({})
    """What every info says besides, such as the metric that moves are counted in."""

    def configured(self, **options: Any) -> LevelFormat:
        """The format under the environment arguments of this puzzle's own."""
        if options:
            named = ", ".join(map(repr, options))
            raise TypeError(f"{self.id or self.puzzle} has no argument {named}.")
        return self

    def planned(self, records: np.ndarray) -> np.ndarray:
        """The levels as searches see them that weigh costs: whole moves may be longer there.

        States and actions stay the same.
        """
        return records

    @abstractmethod
    def read(self, board: Board) -> Record:
        """The record of a board; a LevelError says what is wrong with it and where."""

    @abstractmethod
    def write(self, record: Record) -> list[str]:
        """The switch lines and rows that `read` turns into this record."""

    @abstractmethod
    def words(self, record: Record) -> int:
        """How many 64-bit words a state of this level takes."""

    @abstractmethod
    def shape(self, record: Record) -> Shape:
        """The spaces this level needs by itself."""

    @abstractmethod
    def planes(self, shape: Shape) -> tuple[str, ...]:
        """The names of the observation planes of an environment of this shape, in order."""

    def joint_shape(self, shapes: Sequence[Shape]) -> Shape:
        """The spaces that hold levels of all these shapes."""
        return Shape(*(max(sizes) for sizes in zip(*shapes, strict=True)))

    @abstractmethod
    def fit(self, records: np.ndarray, shape: Shape) -> None:
        """Write into the records what depends on the shape shared with other levels."""

    @abstractmethod
    def is_text(self, text: str) -> bool:
        """Whether a string without line breaks is a level rather than the name of one."""

    def action_text(self, action: int, shape: Shape) -> str:
        """An action of an environment of this shape, for people; by default its number."""
        return str(action)

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """Keys that do an action together, a character each: letters, digits, arrows `↑→↓←`."""
        return {}

    # --- reading ------------------------------------------------------------------------------

    def find(self, wanted: LevelLike) -> list[Level]:
        """The levels meant by a name, a file or a text; a whole set gives all of its levels."""
        if isinstance(wanted, Level):
            return [self._adopted(wanted)]
        if not isinstance(wanted, (str, os.PathLike)):
            raise TypeError(f"A level is a name, a file, a text or a Level, not {shown(wanted)}.")
        if isinstance(wanted, str) and ("\n" in wanted or self.is_text(wanted)):
            return self.parse(wanted, source="level text")
        path = Path(wanted)
        if path.suffix == ".txt" or path.is_file():
            if not path.is_file():
                raise LevelError(f"There is no level file {path}.")
            return list(_read_file(self, path, path.stat().st_mtime_ns))
        if path.parent.suffix == ".txt":
            return [self._find_in_file(path.parent, path.name)]
        return self._find_bundled(str(wanted))

    def _adopted(self, level: Level) -> Level:
        """A level that a format of the same puzzle has read, maybe with other moves."""
        if level.record.dtype != self.dtype:
            raise LevelError(f"'{level.name}' is a level of another puzzle.")
        if level.optimum_key in (None, self.optimum_key):
            return level
        return replace(self.parse(self.text(level), level.name)[0], name=level.name)

    def _find_in_file(self, path: Path, name: str) -> Level:
        levels = self.find(path)
        for level in levels:
            if level.name == name:
                return level
        near = did_you_mean(name, [level.name for level in levels], 3)
        raise LevelError(f"There is no level '{name}' in {path}.{near}")

    def find_all(self, wanted: LevelLike | Iterable[LevelLike]) -> list[Level]:
        """The levels meant by one or several names, files or texts."""
        if isinstance(wanted, (Level, str, os.PathLike)):
            return self.find(wanted)
        given: object = wanted
        if isinstance(given, bytes) or not isinstance(given, Iterable):
            raise TypeError(
                f"levels is a set's name, a file, or several levels, not {shown(given)}."
            )
        levels = [level for one in wanted for level in self.find(one)]
        if not levels:
            raise LevelError("A set of levels needs at least one level.")
        return levels

    def parse(self, text: str, source: str, prefix: str = "") -> list[Level]:
        """Every level in a text. All are read before any is returned."""
        boards = list(_boards(text, source))
        if not boards:
            raise LevelError("There is no level here.", source)
        lines: dict[str, int] = {}
        levels = []
        for board in boards:
            level = self._level(board, prefix, alone=len(boards) == 1)
            if level.name in lines:
                raise board.error(
                    f"A second board is called '{level.name}' (the first is at line "
                    f"{lines[level.name]}); give each board a '; name:' line of its own."
                )
            lines[level.name] = board.first_line
            levels.append(level)
        return levels

    def _level(self, board: Board, prefix: str, *, alone: bool) -> Level:
        remarks = {"author", "note", *self.remarks} - {self.optimum_key}
        known = {"name", self.optimum_key, *remarks, *self.switches}
        for key, row in board.metadata.items():
            if key not in known:
                near = did_you_mean(key, sorted(known))
                raise board.error(f"'{key}' is not a key.{near}", row.line)
        if not board.rows:
            raise board.error("These lines have no board below them.")
        if "name" in board.metadata:
            name = board.metadata["name"].text
        elif alone:
            name = Path(board.source).stem
        else:
            raise board.error("This board has no name; write '; name: ...' above it.")
        optimum, solvable = _optimum(board, self.optimum_key)
        notes: dict[str, str] = {
            key: row.text for key, row in board.metadata.items() if key in remarks
        }
        record = self.fitted(self.read(board))
        return Level(prefix + name, record, optimum, solvable, notes, self.optimum_key)

    def fitted(self, record: Record) -> Record:
        """The record of a level that is alone in its set."""
        records = np.array([record], self.dtype)
        self.fit(records, self.shape(record))
        return records[0]

    # --- the bundled levels -------------------------------------------------------------------

    def sets(self) -> list[str]:
        """The names of the bundled sets."""
        folder = _levels_folder() / self.puzzle
        files = sorted(folder.rglob("*.txt"), key=lambda file: _natural(str(file)))
        return [file.relative_to(folder).with_suffix("").as_posix() for file in files]

    def count(self, wanted: str) -> int:
        """How many levels `find_all` would give; those of bundled sets are not read."""
        folder = _levels_folder() / self.puzzle
        below = [name for name in self.sets() if f"{name}/".startswith(f"{wanted}/")]
        texts = [(folder / f"{name}.txt").read_text(encoding="utf-8") for name in below]
        boards = sum(1 for text in texts for _ in _boards(text, wanted))
        return boards or len(self.find_all(wanted))

    def _load_set(self, name: str) -> list[Level]:
        path = _levels_folder() / self.puzzle / f"{name}.txt"
        return list(_read_file(self, path, path.stat().st_mtime_ns, prefix=f"{name}/"))

    def _find_bundled(self, wanted: str) -> list[Level]:
        wanted = wanted.strip("/")
        sets = self.sets()
        below = [name for name in sets if name == wanted or name.startswith(f"{wanted}/")]
        if below:
            return [level for name in below for level in self._load_set(name)]
        candidates = list(sets)
        for name in sets:
            if wanted.startswith(f"{name}/"):
                levels = self._load_set(name)
                matching = [level for level in levels if level.name == wanted]
                if matching:
                    return matching
                candidates = [level.name for level in levels]
        raise LevelError(
            f"{self.id or self.puzzle} has no level or set '{wanted}'."
            f"{did_you_mean(wanted, candidates, 3)} Its sets are {', '.join(sets) or 'none'}."
        )

    # --- writing ------------------------------------------------------------------------------

    def text(self, level: Level) -> str:
        """The level as a level file holds it."""
        lines = [f"; name: {level.name.rpartition('/')[2]}"]
        lines += [f"; {key}: {value}" for key, value in level.notes.items()]
        key = level.optimum_key or self.optimum_key
        if level.optimum is not None:
            lines.append(f"; {key}: {level.optimum}")
        if level.solvable is False:
            lines.append(f"; {key}: none")
        return "\n".join([*lines, *self.write(level.record)]) + "\n"


def save_levels(path: Path, format: LevelFormat, levels: Sequence[Level], head: str = "") -> None:
    """Write a level file, whole or not at all."""
    texts = [format.text(level) for level in levels]
    write_whole(path, "\n".join([head, *texts] if head else texts).encode())


@functools.lru_cache(maxsize=256)
def _read_file(
    format: LevelFormat, path: Path, modified: int, prefix: str = ""
) -> tuple[Level, ...]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise LevelError("This file is not text in UTF-8.", str(path)) from None
    return tuple(format.parse(text, str(path), prefix))


def _boards(text: str, source: str) -> Iterator[Board]:
    """Split a text at its empty lines; lines `;` without a key are comments."""
    board = Board(source)
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            if board.rows:
                yield board
                board = Board(source)
        elif line.startswith(";"):
            if board.rows:
                yield board
                board = Board(source)
            key, colon, value = line[1:].partition(":")
            if colon:
                key = key.strip()
                if key in board.metadata:
                    raise LevelError(f"'{key}' is said twice for one board.", source, number)
                board.metadata[key] = Row(number, value.strip())
        else:
            board.rows.append(Row(number, line))
    if board.rows or board.metadata:
        yield board


def _optimum(board: Board, key: str) -> tuple[int | None, bool | None]:
    row = board.metadata.get(key)
    if row is None:
        return None, None
    if row.text == "none":
        return None, False
    if not row.text.isdecimal():
        raise board.error(f"An optimum is a number or 'none', not '{row.text}'.", row.line)
    return int(row.text), True


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key under which board 10 comes after board 9."""
    return [
        (int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)
    ]


def _levels_folder() -> Path:
    """levels/ inside the installed package, or beside it in a checkout."""
    here = Path(__file__).parent
    return here / "levels" if (here / "levels").is_dir() else here.parent / "levels"
