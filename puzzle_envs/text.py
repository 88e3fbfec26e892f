"""Boards as text: a level file split into boards, and errors that say where.

A line that begins with `;` is metadata of the board below it; an empty line ends a board.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = [
    "BYTE_ORDER_MARK",
    "LINE_END",
    "MOST_QUOTED",
    "Board",
    "LevelError",
    "Row",
    "boards_of",
    "fault_of",
    "lines_of",
    "named",
    "place_after",
    "quoted",
]


class LevelError(ValueError):
    """An unusable level: what is wrong, and where."""

    def __init__(self, message: str, source: str = "", line: int = 0, column: int = 0) -> None:
        """Line and column count from 1; 0 means that the error has no such place."""
        place = ":".join(str(part) for part in (source, line, column) if part)
        super().__init__(f"{place}: {message}" if place else message)
        self.source, self.line, self.column = source, line, column


LINE_END = re.compile(r"\r\n|\r|\n")
UNSEEN = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff"
"""Characters not allowed in levels, as part of a regular expression: invisible, ending a line for
some programs, or impossible in UTF-8. A tab counts as a space between words."""
BYTE_ORDER_MARK = "\ufeff"
"""Some editors begin a file with it; it is ignored there."""

UNSEEN_NAMES = {
    "\0": "NUL",
    "\t": "a tab",
    "\n": "a line end",
    "\v": "a vertical tab",
    "\f": "a form feed",
    "\r": "a carriage return",
    " ": "a space",
    BYTE_ORDER_MARK: "a byte order mark",
}

MOST_QUOTED = 40
"""Maximum length of text quoted in a message."""


def quoted(text: str) -> str:
    """Quote a piece of text for a message: truncated, with all characters visible."""
    shown = "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode()
        for one in text[:MOST_QUOTED]
    )
    return f"'{shown}'" if len(text) <= MOST_QUOTED else f"'{shown}...' ({len(text):,} characters)"


def named(character: str) -> str:
    """A character for a message: in quotes, or by name if it is hard to recognise."""
    if character in UNSEEN_NAMES:
        return UNSEEN_NAMES[character]
    seen = f"'{character}'" if character.isprintable() else ""
    if seen and character.isascii():
        return seen
    code, name = f"U+{ord(character):04X}", unicodedata.name(character, "").lower()
    if seen:
        return f"{seen} ({code}, {name})"
    return f"{name} ({code})" if name else f"the character {code}"


class Row(NamedTuple):
    """A line of a board or part of one, with its position."""

    line: int
    text: str
    column: int = 1

    def words(self) -> list[Row]:
        """The parts between spaces."""
        return [
            Row(self.line, word[0], self.column + word.start())
            for word in re.finditer(r"\S+", self.text)
        ]


@dataclass
class Board:
    """The lines of one board, not yet read by its puzzle."""

    source: str
    metadata: dict[str, Row] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    def error(self, message: str, line: int = 0, column: int = 0) -> LevelError:
        """A LevelError with the position in the file."""
        return LevelError(message, self.source, line or self.first_line, column)

    @property
    def first_line(self) -> int:
        """The first line of this board."""
        return min(row.line for row in [*self.metadata.values(), *self.rows])

    def misfit(self, row: Row, at: int, rest: str) -> LevelError:
        """The error for an invalid character of a row, at an index from 0."""
        sentence = f"{named(row.text[at])} {rest}"
        return self.error(sentence[0].upper() + sentence[1:], row.line, row.column + at)

    def switch(self, key: str, default: bool) -> bool:
        """The value of an on/off line."""
        row = self.metadata.get(key)
        if row is None:
            return default
        if row.text not in ("on", "off"):
            raise self.error(
                f"'{key}' must be on or off, not {quoted(row.text)}.", row.line, row.column
            )
        return row.text == "on"

    def number(self, row: Row, least: int, most: int, rule: str) -> int:
        """Parse a part of a line as a decimal number.

        Args:
            row: The part.
            least: The smallest value allowed, at least 0.
            most: The largest value allowed.
            rule: The sentence that states the rule, without its end.
        """
        digits = row.text.lstrip("0") or "0"
        if re.fullmatch("[0-9]+", row.text) and len(digits) <= len(str(most)):
            number = int(digits)
            if least <= number <= most:
                return number
        raise self.error(f"{rule}, not {quoted(row.text)}.", row.line, row.column)


def boards_of(text: str, source: str) -> Iterator[Board]:
    """Split a text at its empty lines; lines `;` without a key are comments."""
    board = Board(source)
    for number, line in enumerate(lines_of(text, source), start=1):
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
                    raise LevelError(f"{quoted(key)} is given twice for one board.", source, number)
                column = len(line) - len(value.lstrip()) + 1
                board.metadata[key] = Row(number, value.strip(), column)
        else:
            board.rows.append(Row(number, line))
    if board.rows or board.metadata:
        yield board


def lines_of(text: str, source: str) -> list[str]:
    """The lines of a text, after checking that all characters are visible."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    unseen = re.search(f"[{UNSEEN}]", text)
    if unseen is None:
        return LINE_END.split(text)
    name = named(unseen[0])
    raise LevelError(
        f"{name[0].upper() + name[1:]} is not allowed; a level consists of visible characters, "
        "spaces and line ends.",
        source,
        *place_after(text[: unseen.start()]),
    )


def place_after(text: str) -> tuple[int, int]:
    """Line and column, from 1, of what follows a text."""
    lines = LINE_END.split(text)
    return len(lines), len(lines[-1]) + 1


def fault_of(value: str) -> str:
    """Why a name or a note would not survive a file; empty if it would."""
    unseen = re.search(f"[{UNSEEN}\\n\\r]", value)
    if unseen is not None:
        return f"it contains {named(unseen[0])}"
    return "" if value == value.strip() else "it begins or ends with a space"
