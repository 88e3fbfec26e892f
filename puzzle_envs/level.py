"""Levels: found by name, read from text and written back, for every puzzle.

A level file holds boards (text.py), each with metadata lines above it: `; name: 3`, `; optimum: 4`,
or `; known: 9`, `; bound: 7` and `; plan: 3 1 2` if no optimum is proved. The puzzle's LevelFormat
reads a board's rows. A name such as `rocks/3` means board `3` of levels/<puzzle>/rocks.txt, and
`mine.txt/3` that of your own file. Text is UTF-8, with any line ends.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzle_envs.codec import Codec, Shape
from puzzle_envs.common.arguments import shown
from puzzle_envs.common.files import write_whole
from puzzle_envs.common.suggestion import did_you_mean
from puzzle_envs.text import (
    BYTE_ORDER_MARK,
    LINE_END,
    MOST_QUOTED,
    Board,
    LevelError,
    boards_of,
    fault_of,
    place_after,
    quoted,
)

__all__ = [
    "Level",
    "LevelError",
    "LevelFormat",
    "LevelLike",
    "Words",
    "file_and_name",
    "levels_folder",
    "record_dtype",
    "save_levels",
]

Record: TypeAlias = Any
"""One element of an array of a puzzle's level dtype."""
Words: TypeAlias = npt.NDArray[np.uint64]
"""The words of states, findings or bitboards."""


def record_dtype(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """A dtype whose elements have their fields as attributes, compiled or not."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


LARGEST_OPTIMUM = 10**9
"""Far beyond any search, but small enough for every array of moves."""

CERTIFICATE = ("known", "bound", "plan")
"""Metadata keys for what is known of solutions, in the puzzle's first way of counting moves."""
LARGEST_ACTION = 2**20
"""Greater than the number of actions of any environment."""


@dataclass(frozen=True, eq=False)
class Level:
    """A level: its name, its record for the rules, and its metadata."""

    name: str
    record: Record
    optimum: int | None = None
    """The fewest moves, counted as in the paper, if proved."""
    solvable: bool | None = None
    """False if proved unsolvable."""
    known: int | None = None
    """The moves of the shortest solution found, where no optimum is proved."""
    bound: int | None = None
    """A proved lower bound on the moves of any solution, where no optimum is proved."""
    plan: tuple[int, ...] = ()
    """Actions that solve it from its start in `optimum` or `known` moves."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Other metadata lines, such as the author."""
    set_name: str = ""
    """The bundled set of the level, which prefixes its name with a `/`."""
    optimum_key: str = ""
    """Which of the puzzle's optima `optimum` is; empty for the environment's default."""

    def __post_init__(self) -> None:
        """Reject optima that are too large for arrays of moves, and contradictions."""
        if self.optimum is not None and not 0 <= self.optimum <= LARGEST_OPTIMUM:
            raise LevelError(
                f"The optimum of {quoted(self.name)} must be from 0 to {LARGEST_OPTIMUM:,}."
            )
        if fault := self._contradiction():
            raise LevelError(f"The metadata of {quoted(self.name)} is inconsistent: {fault}.")

    def _contradiction(self) -> str:
        """The contradiction between statements on solutions; empty if there is none."""
        decided = self.optimum is not None or self.solvable is False
        if decided and (self.known is not None or self.bound is not None):
            return "'known' and 'bound' are only for levels whose optimum is not known"
        if self.known is not None and self.bound is not None and self.bound > self.known:
            return f"'bound' {self.bound} is more than 'known' {self.known}"
        if self.plan and self.fewest is None:
            return "a 'plan' needs 'optimum' or 'known', its moves"
        return ""

    @property
    def fewest(self) -> int | None:
        """The best known upper bound on the moves: the optimum, or those of a solution found."""
        return self.known if self.optimum is None else self.optimum

    @property
    def least(self) -> int:
        """The best known lower bound on the moves."""
        return (self.bound or 0) if self.optimum is None else self.optimum

    @property
    def name_in_file(self) -> str:
        """The content of its `; name:` line."""
        return self.name.removeprefix(f"{self.set_name}/") if self.set_name else self.name

    def __deepcopy__(self, memo: dict[int, Any]) -> Level:
        """Levels are immutable, so copies of an environment share them."""
        return self


LevelLike: TypeAlias = Level | str | os.PathLike[str]
"""A level, its name, its file, or its text."""


class LevelFormat(ABC):
    """Reads, writes and lays out the levels of one puzzle; one object in its level.py."""

    puzzle: str
    """Name of the puzzle's folder."""
    id = ""
    """The environment's id for messages; by default they name the folder."""
    dtype: np.dtype[Any]
    """The dtype of a level record, as used by the rules."""
    codec: Codec
    """The meaning of planes and actions for these levels."""
    switches: frozenset[str] = frozenset()
    """Puzzle-specific metadata keys."""
    remarks: frozenset[str] = frozenset()
    """Metadata keys for information only, which become notes."""
    optimum_keys: tuple[str, ...] = ("optimum",)
    """Metadata keys of optima, one for each move count of the puzzle."""
    optimum_key = "optimum"
    """The key of this format's optimum; the others become notes."""
    facts: Mapping[str, str] = MappingProxyType({})
    """Constant entries of every info, such as the metric of moves."""

    def configured(self, **options: Any) -> LevelFormat:
        """The format with the puzzle-specific arguments of an environment."""
        unknown = sorted(options.keys() - self.arguments())
        if unknown:
            named = ", ".join(map(repr, unknown))
            raise TypeError(f"{self.id or self.puzzle} has no argument {named}.")
        return type(self)(**options) if options else self

    @classmethod
    def arguments(cls) -> list[str]:
        """The names of the puzzle-specific environment arguments."""
        return list(inspect.signature(cls).parameters)

    @abstractmethod
    def read(self, board: Board) -> Record:
        """The record of a board; a LevelError says what is wrong and where."""

    @abstractmethod
    def write(self, record: Record) -> list[str]:
        """The switch lines and rows that `read` would parse to this record."""

    @abstractmethod
    def words(self, record: Record) -> int:
        """Number of 64-bit words of a state of this level."""

    @abstractmethod
    def shape(self, record: Record) -> Shape:
        """The spaces of this level alone."""

    def joint_shape(self, shapes: Sequence[Shape]) -> Shape:
        """The smallest spaces that fit levels of all these shapes."""
        return Shape(*(max(sizes) for sizes in zip(*shapes, strict=True)))

    @abstractmethod
    def fit(self, records: np.ndarray, shape: Shape) -> None:
        """Write into the records what depends on the shape shared with other levels."""

    @abstractmethod
    def is_text(self, text: str) -> bool:
        """Whether a string without line breaks is a level rather than a name."""

    def text_rule(self, text: str) -> str:
        """The error in a string that is nearly a level in one line; empty if it is not."""
        return ""

    # --- reading ------------------------------------------------------------------------------

    def find(self, wanted: LevelLike) -> list[Level]:
        """The levels meant by a name, a file or a text; all levels of a set."""
        if isinstance(wanted, Level):
            return [self._own(wanted)]
        if not isinstance(wanted, (str, os.PathLike)):
            raise TypeError(
                f"A level must be a name, a file, a text or a Level, not {shown(wanted)}."
            )
        if isinstance(wanted, str) and self._is_level(wanted):
            return self.parse(wanted, source="level text")
        path = os.fspath(wanted)
        found = file_and_name(path)
        if found is not None:
            file, name = found
            levels = list(_read_file(self, file, file.stat().st_mtime_ns))
            return [self._named(name, levels, file)] if name else levels
        if path.endswith(".txt") or ".txt/" in path:
            file = Path(path[: path.find(".txt/") + 4] if ".txt/" in path else path)
            if os.path.isdir(file):
                raise LevelError(f"{file} is a folder, not a level file.")
            raise LevelError(f"There is no level file {file}.")
        return self._find_bundled(path)

    def _own(self, level: Level) -> Level:
        """A level as this format reads it; it may come from a format with another move count."""
        if level.record.dtype.names != self.dtype.names:
            raise LevelError(f"{quoted(level.name)} is not a level of {self.id or self.puzzle}.")
        if level.optimum_key in ("", self.optimum_key):
            return level
        return self.parse(self.text(level), level.name, level.set_name)[0]

    def _is_level(self, text: str) -> bool:
        """Whether a string is a level rather than a name."""
        return bool(LINE_END.search(text)) or self.is_text(text.removeprefix(BYTE_ORDER_MARK))

    def _named(self, name: str, levels: Sequence[Level], file: Path) -> Level:
        for level in levels:
            if level.name == name:
                return level
        near = did_you_mean(name, [level.name for level in levels], 3)
        raise LevelError(f"There is no level {quoted(name)} in {file}.{near}")

    def find_all(self, wanted: LevelLike | Iterable[LevelLike]) -> list[Level]:
        """The levels meant by one or several names, files or texts."""
        if isinstance(wanted, (Level, str, os.PathLike)):
            return self.find(wanted)
        given: object = wanted
        if isinstance(given, bytes) or not isinstance(given, Iterable):
            raise TypeError(
                f"levels must be a set's name, a file, or several levels, not {shown(given)}."
            )
        levels = [level for one in wanted for level in self.find(one)]
        if not levels:
            raise LevelError("A set of levels needs at least one level.")
        return levels

    def parse(self, text: str, source: str, set_name: str = "") -> list[Level]:
        """Every level in a text; all are read before any is returned."""
        return self.parse_boards(list(boards_of(text, source)), source, set_name)

    def parse_boards(self, boards: Sequence[Board], source: str, set_name: str = "") -> list[Level]:
        """The levels of boards of one text."""
        if not boards:
            raise LevelError("There is no level here.", source)
        lines: dict[str, int] = {}
        levels = []
        for board in boards:
            level = self._level(board, set_name, alone=len(boards) == 1)
            if level.name in lines:
                raise board.error(
                    f"A second board is called {quoted(level.name)} (the first is at line "
                    f"{lines[level.name]}); give each board its own '; name:' line."
                )
            lines[level.name] = board.first_line
            levels.append(level)
        return levels

    def _level(self, board: Board, set_name: str, *, alone: bool) -> Level:
        certified = self.optimum_key == self.optimum_keys[0]
        remarks = {"author", "note", *self.remarks, *self.optimum_keys, *CERTIFICATE}
        remarks -= {self.optimum_key, *(CERTIFICATE if certified else ())}
        known = sorted({"name", self.optimum_key, *CERTIFICATE, *remarks, *self.switches})
        for key, row in board.metadata.items():
            if key not in known:
                raise board.error(
                    f"{quoted(key)} is not a key.{did_you_mean(key, known)} The keys are "
                    f"{', '.join(known)}.",
                    row.line,
                )
        if not board.rows:
            raise board.error("These lines have no board below them.")
        name = _name(board, alone=alone)
        optima = {key: _optimum(board, key) for key in self.optimum_keys}
        optimum, solvable = optima[self.optimum_key]
        certificate = _certificate(board) if certified else {}
        if "known" in certificate:
            solvable = True
        notes: dict[str, str] = {
            key: row.text for key, row in board.metadata.items() if key in remarks
        }
        record = self.fitted(self.read(board))
        full_name = f"{set_name}/{name}" if set_name else name
        try:
            return Level(
                full_name, record, optimum, solvable, **certificate, notes=notes,
                set_name=set_name, optimum_key=self.optimum_key,
            )  # fmt: skip
        except LevelError as error:
            lines = [board.metadata[key].line for key in CERTIFICATE if key in board.metadata]
            raise board.error(str(error), min(lines, default=0)) from None

    def fitted(self, record: Record) -> Record:
        """The record of a level that is alone in its set."""
        records = np.array([record], self.dtype)
        self.fit(records, self.shape(record))
        return records[0]

    # --- the bundled levels -------------------------------------------------------------------

    def sets(self) -> list[str]:
        """Names of the bundled sets."""
        folder = levels_folder() / self.puzzle
        files = sorted(folder.rglob("*.txt"), key=lambda file: _natural(str(file)))
        return [file.relative_to(folder).with_suffix("").as_posix() for file in files]

    def count(self, wanted: str) -> int:
        """Number of levels that `find_all` would return, without reading bundled sets."""
        folder = levels_folder() / self.puzzle
        below = [name for name in self.sets() if f"{name}/".startswith(f"{wanted}/")]
        texts = [(folder / f"{name}.txt").read_text(encoding="utf-8") for name in below]
        boards = sum(1 for text in texts for _ in boards_of(text, wanted))
        return boards or len(self.find_all(wanted))

    def _load_set(self, name: str) -> list[Level]:
        path = levels_folder() / self.puzzle / f"{name}.txt"
        return list(_read_file(self, path, path.stat().st_mtime_ns, set_name=name))

    def _find_bundled(self, wanted: str) -> list[Level]:
        wanted = wanted.strip("/")
        sets = self.sets()
        below = [name for name in sets if name == wanted or name.startswith(f"{wanted}/")]
        if below:
            return [level for name in below for level in self._load_set(name)]
        candidates, there = list(sets), _sets_in_words(sets)
        for name in sets:
            if wanted.startswith(f"{name}/"):
                levels = self._load_set(name)
                matching = [level for level in levels if level.name == wanted]
                if matching:
                    return matching
                candidates = [level.name for level in levels]
                there = f"The set '{name}' has {len(levels)} levels."
        rule = self.text_rule(wanted)
        if not rule and len(wanted) > MOST_QUOTED:
            rule = "A level as a text has a line for each of its rows."
        raise LevelError(
            f"{self.id or self.puzzle} has no level or set {quoted(wanted)}."
            f"{did_you_mean(wanted, candidates, 3)}{f' {rule}' if rule else ''} {there}"
        )

    # --- writing ------------------------------------------------------------------------------

    def text(self, level: Level) -> str:
        """The level in the format of a level file; a LevelError if a file cannot hold it."""
        if not level.name_in_file:
            raise LevelError("A level without a name cannot be saved in a file; give it one.")
        lines = []
        for key, value in (("name", level.name_in_file), *level.notes.items()):
            if fault := fault_of(value):
                raise LevelError(f"The {key} {quoted(value)} cannot be saved in a file: {fault}.")
            lines.append(f"; {key}: {value}")
        key = level.optimum_key or self.optimum_key
        if level.optimum is not None:
            lines.append(f"; {key}: {level.optimum}")
        if level.solvable is False:
            lines.append(f"; {key}: none")
        for key, number in (("known", level.known), ("bound", level.bound)):
            if number is not None:
                lines.append(f"; {key}: {number}")
        if level.plan:
            lines.append(f"; plan: {' '.join(map(str, level.plan))}")
        return "\n".join([*lines, *self.write(level.record)]) + "\n"


def save_levels(path: Path, format: LevelFormat, levels: Sequence[Level], head: str = "") -> None:
    """Write a level file atomically."""
    names: dict[str, str] = {}
    for level in levels:
        name = level.name_in_file
        if name in names:
            raise LevelError(
                f"{path} is not written: it would hold two levels called {quoted(name)} "
                f"({quoted(names[name])} and {quoted(level.name)}); give one another name."
            )
        names[name] = level.name
    texts = [format.text(level) for level in levels]
    write_whole(path, "\n".join([head, *texts] if head else texts).encode())


def file_and_name(wanted: str) -> tuple[Path, str] | None:
    """The file and the name in `mine.txt/a/1`; the name is None for all levels."""
    if os.path.isfile(wanted):
        return Path(wanted), ""
    for end in re.finditer(r"\.txt(?=/)", wanted):
        if os.path.isfile(wanted[: end.end()]):
            return Path(wanted[: end.end()]), wanted[end.end() + 1 :]
    return None


def _sets_in_words(sets: Sequence[str]) -> str:
    """The names of some sets; of the many below a folder, such as test/4x4, only one."""
    single = [name for name in sets if "/" not in name]
    below = [name for name in sets if "/" in name]
    if below:
        folders = [f"{name}/" for name in dict.fromkeys(one.partition("/")[0] for one in below)]
        several = (
            " and ".join([", ".join(folders[:-1]), folders[-1]]) if folders[1:] else folders[0]
        )
        single.append(f"{'and ' if single else ''}those below {several}, such as {below[0]}")
    return f"Its sets are {', '.join(single) or 'none'}."


@functools.lru_cache(maxsize=256)
def _read_file(
    format: LevelFormat, path: Path, modified: int, set_name: str = ""
) -> tuple[Level, ...]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LevelError(f"This file cannot be read: {error.strerror}.", str(path)) from None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise LevelError(
            f"This file is not UTF-8 text: invalid byte {data[error.start]:#04x}.",
            str(path),
            *place_after(data[: error.start].decode()),
        ) from None
    return tuple(format.parse(text, str(path), set_name))


def _name(board: Board, *, alone: bool) -> str:
    """The name of a board; a single one may be named after its file."""
    row = board.metadata.get("name")
    if row is None and not alone:
        raise board.error("This board has no name; write '; name: ...' above it.")
    if row is not None and not row.text:
        raise board.error("A name cannot be empty.", row.line, row.column)
    name = Path(board.source).stem if row is None else row.text
    if fault := fault_of(name):
        line = board.first_line if row is None else row.line
        raise board.error(f"{quoted(name)} cannot be a name: {fault}.", line)
    return name


def _optimum(board: Board, key: str) -> tuple[int | None, bool | None]:
    row = board.metadata.get(key)
    if row is None:
        return None, None
    if row.text == "none":
        return None, False
    rule = f"'{key}' must be 'none' or a number from 0 to {LARGEST_OPTIMUM:,}"
    return board.number(row, 0, LARGEST_OPTIMUM, rule), True


def _certificate(board: Board) -> dict[str, Any]:
    """What a board states about its solutions besides an optimum, as fields of a Level."""
    found: dict[str, Any] = {}
    for key in ("known", "bound"):
        if (row := board.metadata.get(key)) is not None:
            rule = f"'{key}' must be a number from 0 to {LARGEST_OPTIMUM:,}"
            found[key] = board.number(row, 0, LARGEST_OPTIMUM, rule)
    if (row := board.metadata.get("plan")) is not None:
        rule = "A plan must be a list of actions, numbers separated by spaces"
        found["plan"] = tuple(board.number(word, 0, LARGEST_ACTION, rule) for word in row.words())
    return found


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts board 10 after board 9."""
    parts = re.split("([0-9]+)", name)
    numbers = [number.lstrip("0") for number in parts[1::2]]
    sizes: list[tuple[int, str]] = [(-1, part) for part in parts]
    sizes[1::2] = [(len(number), number) for number in numbers]
    return sizes


def levels_folder() -> Path:
    """The folder levels/, in the installed package or next to it in a checkout."""
    here = Path(__file__).parent
    return here / "levels" if (here / "levels").is_dir() else here.parent / "levels"
