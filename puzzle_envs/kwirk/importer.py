"""Floors in the notations of other programs.

`solver`, the notation of the solver DDD-Kwirk, one level per file:

    MAX_STEPS (20+0)
    ###########
    #  ^   aO #
    # 1*   bO2#
    ###########

Walls are `#` or `+`, `1` is the first character, `3` to `5` are the others, `2` is the exit. A
turnstile can be one capital letter in all of its cells. Its newer files have `%`, `*` and `1` to
`4` as ours do. Text outside the walls is a comment.

`puzzle-boy`, the notation of Puzzle Boy in HTML5, as rows or in its JSON, {"id", "data"}:

    111111111
    1  b A3 1
    1 0  B321
    111111111

Walls are `1`, the exit is `2`, holes are `3`; `0` is the character that begins, `*`, `#` and `$`
are the others, who follow in reading order. A letter from `a` to `r` is the pivot of a turnstile,
and determines where its arms lie; every other character is a block.

Sokoban is rejected: no floor is equivalent to such a level. In both, one box is pushed at a time
and none is pulled. But in Sokoban a box on its goal stays a box, goals are not obstacles, and the
level is solved when all goals are covered, wherever the keeper is. Here a block that fills a hole
is gone, a hole is an obstacle for characters, and the level is solved when they have reached the
exit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from puzzle_envs.importing import Notation
from puzzle_envs.kwirk.codec import STEPS
from puzzle_envs.kwirk.level import ARMS, CHARACTERS, HOLE_UNDER, LARGEST, LETTERS
from puzzle_envs.text import (
    BYTE_ORDER_MARK,
    LINE_END,
    Board,
    LevelError,
    Row,
    boards_of,
    lines_of,
    place_after,
    quoted,
)

Grid = dict[tuple[int, int], str]
"""Characters by row and column."""

# --- DDD-Kwirk --------------------------------------------------------------------------------

WALLS = ("#", "+")
OLDER = str.maketrans("+2345", "#%234")
NEWER = str.maketrans("+", "#")


def _solver(text: str, source: str) -> Iterator[Board]:
    _refuse_sokoban(text, source)
    board, under, remarks = Board(source), [], []
    for number, line in enumerate(lines_of(text, source), start=1):
        if line.startswith(WALLS):
            board.rows.append(Row(number, line.rstrip()))
        elif line.startswith(HOLE_UNDER):
            under.append(Row(number, line))
        elif line.strip():
            remarks.append(Row(number, line.strip()))
    if not board.rows:
        return
    _check_size(board)
    if remarks:
        note = "; ".join(row.text for row in remarks)
        board.metadata["note"] = Row(remarks[0].line, note)
    if not any("%" in row.text for row in board.rows):
        _check_exit(board)
        _draw_turnstiles(board)
        board.rows = [row._replace(text=row.text.translate(OLDER)) for row in board.rows]
    board.rows = [row._replace(text=row.text.translate(NEWER)) for row in board.rows] + under
    yield board


def _is_solver(text: str) -> bool:
    """Also accepts Sokoban, to reject it later, but not our level files."""
    lines = LINE_END.split(text.removeprefix(BYTE_ORDER_MARK))
    has_walls = any(line.startswith(WALLS) for line in lines)
    is_ours = any(line.startswith(";") for line in lines)
    return (has_walls and not is_ours) or _keeper(text) is not None


def _draw_turnstiles(board: Board) -> None:
    """Replace turnstiles in capital letters by a pivot and arms."""
    grid = _grid(board.rows)
    drawn = dict(grid)
    for place, letter in grid.items():
        if not re.fullmatch("[A-NP-Z]", letter):
            continue
        sides = [grid.get((place[0] + down, place[1] + right), "") for down, right in STEPS]
        arms = [way for way, side in enumerate(sides) if side in (letter, ARMS[way])]
        if not arms:
            raise _fault(board, place, "stands alone; a turnstile has a pivot and arms")
        if len(arms) > 1 or sides[arms[0]] != letter:
            drawn[place] = "*"
        else:
            down, right = STEPS[arms[0]]
            _check_pivot(board, grid, (place[0] + down, place[1] + right))
            drawn[place] = ARMS[(arms[0] + 2) % 4]
    board.rows = _rows(board.rows, drawn)


def _check_pivot(board: Board, grid: Grid, place: tuple[int, int]) -> None:
    """Reject a turnstile of two equal letters, either of which may be the pivot."""
    letter = grid[place]
    beside = [(place[0] + down, place[1] + right) for down, right in STEPS]
    if sum(grid.get(one) in (letter, ARMS[way]) for way, one in enumerate(beside)) < 2:
        raise _fault(board, place, "is a pivot or an arm; draw the arm as one of ^ > ` <")


# --- Puzzle Boy in HTML5 ----------------------------------------------------------------------

PLAYERS = "0*#$"
TURNSTILES = dict(
    zip(
        "abcdefghijklmnopqr",
        (1, 2, 4, 8, 3, 6, 12, 9, 5, 10, 11, 7, 14, 13, 15, 15, 15, 15),
        strict=True,
    )
)
"""Arms of each letter, one bit each: up, right, down, left."""


def _puzzle_boy(text: str, source: str) -> Iterator[Board]:
    boards = _of_json(text, source) if _is_json(text) else boards_of(text, source)
    for number, board in enumerate(boards, start=1):
        if not board.rows:
            raise board.error("These lines have no level below them.")
        board.metadata.setdefault("name", Row(board.first_line, str(number)))
        yield _redrawn(board)


def _is_json(text: str) -> bool:
    return text.removeprefix(BYTE_ORDER_MARK).lstrip()[:1] in ("[", "{")


def _is_puzzle_boy(text: str) -> bool:
    lines = LINE_END.split(text.removeprefix(BYTE_ORDER_MARK))
    return _is_json(text) or any(re.fullmatch("1{3,} *", line) for line in lines)


def _of_json(text: str, source: str) -> Iterator[Board]:
    """The boards of a list of objects; their lines are those of `data`."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    try:
        parsed = json.loads(text)
    except json.JSONDecodeError as error:
        sentence, place = f"It is not JSON: {error.msg}.", place_after(text[: error.pos])
        raise LevelError(sentence, source, *place) from None
    except (RecursionError, ValueError):
        raise LevelError("This is not a list of levels.", source, 1, 1) from None
    for number, one in enumerate(parsed if isinstance(parsed, list) else [parsed], start=1):
        if not isinstance(one, dict) or not isinstance(one.get("data"), str):
            raise LevelError(f"Level {number} is not an object with a text 'data'.", source, 1, 1)
        yield _of_object(one, number, source)


def _of_object(one: dict[str, Any], number: int, source: str) -> Board:
    id = one.get("id")
    name = str(id) if isinstance(id, str | int) else str(number)
    place = f"{source}, level {quoted(name)}"
    lines = lines_of(one["data"].rstrip(), place)
    rows = [Row(line, text) for line, text in enumerate(lines, start=1)]
    return Board(place, {"name": Row(1, name)}, rows)


def _redrawn(board: Board) -> Board:
    """The rows in our characters."""
    _check_size(board)
    _check_exit(board)
    grid = _grid(board.rows)
    drawn = {place: {"1": "#", "2": "%", "3": "O"}.get(sign, sign) for place, sign in grid.items()}
    drawn |= _characters(board, grid)
    drawn |= _blocks(board, grid)
    under = list(_arms(board, grid, drawn))
    return Board(board.source, board.metadata, _rows(board.rows, drawn) + under)


def _characters(board: Board, grid: Grid) -> Grid:
    """The characters in their order."""
    places = [place for place, sign in grid.items() if sign in PLAYERS]
    first = [number for number, place in enumerate(places) if grid[place] == "0"]
    if len(first) != 1:
        line = board.rows[0].line
        raise board.error(f"A level has one '0', the first character, not {len(first)}.", line, 1)
    if len(places) > CHARACTERS:
        many = f"is one character too many; the maximum is {CHARACTERS}"
        raise _fault(board, places[CHARACTERS], many)
    ordered = places[first[0] :] + places[: first[0]]
    return {place: str(number) for number, place in enumerate(ordered, start=1)}


def _blocks(board: Board, grid: Grid) -> Grid:
    """The blocks, in our letters."""
    letters: dict[str, str] = {}
    blocks = {}
    for place, sign in grid.items():
        if sign in PLAYERS + " 123" or sign in TURNSTILES:
            continue
        if sign.isspace():
            raise _fault(board, place, "is not part of a level")
        if sign not in letters and len(letters) == len(LETTERS):
            raise _fault(board, place, f"is one block too many; there is room for {len(LETTERS)}")
        if sign not in letters:
            letters[sign] = LETTERS[len(letters)]
        blocks[place] = letters[sign]
    return blocks


def _arms(board: Board, grid: Grid, drawn: Grid) -> Iterator[Row]:
    """Draw the turnstiles; yield a line for each hole under an arm."""
    for place, sign in grid.items():
        if sign not in TURNSTILES:
            continue
        drawn[place] = "*"
        for way, (down, right) in enumerate(STEPS):
            if not TURNSTILES[sign] >> way & 1:
                continue
            arm = place[0] + down, place[1] + right
            lies_on = drawn.get(arm, "#")
            if lies_on not in " O":
                what = ("up", "right", "down", "left")[way]
                raise _fault(board, place, f"has no room for its arm {what}")
            if lies_on == "O":
                yield Row(board.rows[place[0]].line, f"{HOLE_UNDER} {arm[1]} {arm[0]}")
            drawn[arm] = ARMS[way]


# --- Sokoban ----------------------------------------------------------------------------------

SOKOBAN = frozenset(" #@+$*._-")


def _keeper(text: str) -> tuple[int, int] | None:
    """Line and column of the first keeper or box of a row of Sokoban; None if there is none."""
    for number, line in enumerate(LINE_END.split(text), start=1):
        if SOKOBAN.issuperset(line) and (found := re.search("[@$]", line)):
            return number, found.start() + 1
    return None


def _refuse_sokoban(text: str, source: str) -> None:
    if place := _keeper(text):
        raise LevelError(
            "This is Sokoban, which has no equivalent in Kwirk: there boxes stay on their goals "
            "and can leave them, here blocks fill holes for good; there all goals count, here the "
            "exit (docs/levels.md).",
            source,
            *place,
        )


# --- helpers ----------------------------------------------------------------------------------


def _grid(rows: Sequence[Row]) -> Grid:
    return {
        (number, column): sign
        for number, row in enumerate(rows)
        for column, sign in enumerate(row.text)
    }


def _rows(rows: Sequence[Row], grid: Grid) -> list[Row]:
    """The rows with other characters."""
    return [
        row._replace(text="".join(grid[number, column] for column in range(len(row.text))))
        for number, row in enumerate(rows)
    ]


def _check_size(board: Board) -> None:
    """Reject a level that is too large for a floor."""
    for number, row in enumerate(board.rows):
        if number == LARGEST or len(row.text) > LARGEST:
            column = 1 if number == LARGEST else LARGEST + 1
            sentence = f"This is beyond the largest floor, {LARGEST} by {LARGEST}."
            raise board.error(sentence, row.line, column)


def _check_exit(board: Board) -> None:
    """Reject a level without an exit, or with two."""
    exits = [place for place, one in _grid(board.rows).items() if one == "2"]
    if not exits:
        raise board.error("There is no exit, '2'.", board.rows[0].line, 1)
    if len(exits) > 1:
        raise _fault(board, exits[1], "is a second exit; a level has one")


def _fault(board: Board, place: tuple[int, int], rest: str) -> LevelError:
    return board.misfit(board.rows[place[0]], place[1], f"{rest}.")


NOTATIONS = (
    Notation("puzzle-boy", _is_puzzle_boy, _puzzle_boy),
    Notation("solver", _is_solver, _solver),
)
