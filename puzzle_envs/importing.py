"""Levels of other programs: texts in notations other than that of level files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from puzzle_envs.common.suggestion import did_you_mean
from puzzle_envs.level import Level, LevelError, LevelFormat
from puzzle_envs.text import Board, Row, lines_of

__all__ = ["Notation", "imported", "one_a_line"]

MOST_LEVELS = 10_000
"""Levels of one text; a record takes some kilobytes."""


class Notation(NamedTuple):
    """A notation of a puzzle's levels."""

    name: str
    fits: Callable[[str], bool]
    """Whether a text looks like this notation."""
    boards: Callable[[str, str], Iterator[Board]]
    """The boards of a text and its source, in the characters of level files, each row at its place
    in the text. A LevelError says what is wrong and where."""


def imported(
    format: LevelFormat,
    notations: Sequence[Notation],
    text: str,
    source: str,
    name: str | None = None,
) -> list[Level]:
    """The levels of a text in another notation.

    Args:
        format: The format of the puzzle's levels.
        notations: The notations to try.
        text: The text.
        source: The name of its file, for messages; its stem names a single level.
        name: The notation's name; None takes the first that fits.
    """
    boards: list[Board] = []
    for board in _chosen(notations, text, source, name).boards(text, source):
        if len(boards) == MOST_LEVELS:
            raise board.error(f"There are too many levels; a text can have {MOST_LEVELS:,}.")
        boards.append(board)
    return format.parse_boards(boards, source)


def _chosen(notations: Sequence[Notation], text: str, source: str, name: str | None) -> Notation:
    known = [notation.name for notation in notations]
    if name is None:
        for notation in notations:
            if notation.fits(text):
                return notation
        raise LevelError(
            f"This is not in a known notation ({', '.join(known)}); level files of puzzle-envs "
            "need no import.",
            source,
            1,
            1,
        )
    if name not in known:
        raise ValueError(
            f"There is no notation '{name}'.{did_you_mean(name, known)} "
            f"Available: {', '.join(known)}."
        )
    return notations[known.index(name)]


def one_a_line(name: str, format: LevelFormat) -> Notation:
    """A notation with one level per line; `;` begins a comment."""

    def boards(text: str, source: str) -> Iterator[Board]:
        for number, row in enumerate(_filled(text, source), start=1):
            board = Board(source, {"name": Row(row.line, str(number))}, [row])
            if not format.is_text(row.text):
                rule = format.text_rule(row.text) or f"Each line must be in the notation '{name}'."
                raise board.error(rule, row.line, 1)
            yield board

    def fits(text: str) -> bool:
        return any(format.is_text(line.partition(";")[0].rstrip()) for line in text.splitlines())

    return Notation(name, fits, boards)


def _filled(text: str, source: str) -> Iterator[Row]:
    """The nonempty lines, without comments."""
    for number, line in enumerate(lines_of(text, source), start=1):
        if content := line.partition(";")[0].rstrip():
            yield Row(number, content)
