"""Random floors and random play for hypothesis tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from hypothesis import strategies as st

from tests.kwirk.twin import (
    ARMS,
    DIRECTIONS,
    EXIT,
    FLOOR,
    HOLE,
    HOLE_UNDER,
    LETTERS,
    NUMBERS,
    PIVOT,
    WALL,
    Block,
    Cell,
    Encoding,
    Outcome,
    Twin,
    neighbour,
)


@st.composite
def boards(
    draw: st.DrawFn,
    min_side: int = 5,
    max_width: int = 9,
    max_height: int = 9,
    max_characters: int = 3,
) -> str:
    """Level texts with pieces and holes of any shape; mostly something can be pushed at once.

    Args:
        draw: Supplied by hypothesis.
        min_side: Least width and height, the walls around the floor included; at least 4.
        max_width: Greatest width.
        max_height: Greatest height.
        max_characters: Greatest number of characters, up to 4.
    """
    width = draw(st.integers(min_side, max_width), label="width")
    height = draw(st.integers(min_side, max_height), label="height")
    board = dict.fromkeys(product(range(height), range(width)), WALL)
    board.update(dict.fromkeys(product(range(1, height - 1), range(1, width - 1)), FLOOR))
    board[draw(st.sampled_from(_empty(board)[::-1]), label="exit")] = EXIT
    room = len(_empty(board))
    kinds = draw(st.sampled_from(("blocks", "turnstiles", "both")), label="pieces")
    if kinds != "blocks":
        for _ in range(draw(st.integers(1, max(1, min(4, room // 8))), label="turnstiles")):
            _draw_turnstile(draw, board)
    blocks: list[Block] = []
    if kinds != "turnstiles":
        longest = draw(st.integers(1, 4), label="longest side of a block")
        count = draw(st.integers(1, max(1, min(8, room // 4))), label="blocks")
        for letter in LETTERS[:count]:
            _draw_block(draw, board, blocks, letter, longest)
    _draw_ground(draw, board)
    hidden = _draw_hidden_holes(draw, board, blocks)
    for number in NUMBERS[: draw(st.integers(1, max_characters), label="characters")]:
        _draw_character(draw, board, hidden, number)
    return _text(board, hidden)


@st.composite
def choices(draw: st.DrawFn, max_size: int = 60) -> list[int]:
    """Integers for `random_walk`; long walks are as frequent as short ones."""
    size = draw(st.integers(0, max_size), label="actions")
    return draw(st.lists(st.integers(0, 1023), min_size=size, max_size=size))


def random_walk(
    start: Twin, choices: Iterable[int], encoding: Encoding
) -> Iterator[tuple[int, Outcome]]:
    """Play on, and yield every action with its outcome.

    Each integer picks one of the legal actions, three out of four times one that moves a piece if
    there is any, modulo their number. The walk ends with the integers, or when there is no legal
    action.
    """
    twin = start
    for place, choice in enumerate(choices):
        legal = list(twin.outcomes(encoding))
        if not legal:
            return
        pushes = [each for each in legal if _pieces(each[1].twin) != _pieces(twin)]
        index, kind = divmod(choice, 4)
        picked = pushes if kind < 3 and pushes else legal
        # With the place, so that a list of equal integers does not go to and fro.
        action, outcome = picked[(index + place) % len(picked)]
        yield action, outcome
        twin = outcome.twin


def _empty(board: dict[Cell, str]) -> list[Cell]:
    """The cells of the floor with nothing on them, from the middle of the board outwards.

    Hypothesis likes to draw the first of a list; in the middle pieces can move.
    """
    last_row, last_column = max(board)
    cells = [cell for cell, sign in board.items() if sign == FLOOR]
    return sorted(
        cells, key=lambda cell: abs(2 * cell[0] - last_row) + abs(2 * cell[1] - last_column)
    )


def _draw_turnstile(draw: st.DrawFn, board: dict[Cell, str]) -> None:
    """Put a turnstile on the board if it has room for one, rather where it can turn."""
    empty = _empty(board)
    pivots = [cell for cell in empty if _sides(cell, empty)]
    if len(empty) < 3 or not pivots:
        return
    # A pivot is amid nine cells; with eight of them empty it finds room to turn.
    roomy = [cell for cell in pivots if len(_around(cell).intersection(empty)) >= 8]
    anywhere = not roomy or draw(st.integers(0, 5), label="anywhere at 5") == 5
    pivot = draw(st.sampled_from(pivots if anywhere else roomy), label="pivot")
    sides = _sides(pivot, empty)
    most = min(len(sides), len(empty) - 2)  # A cell at least is for a character.
    arms = st.lists(st.sampled_from(sides), min_size=1, max_size=most, unique=True)
    board[pivot] = PIVOT
    for side in draw(arms, label="arms"):
        board[neighbour(pivot, side)] = ARMS[side]


def _sides(pivot: Cell, empty: list[Cell]) -> list[int]:
    """The sides on which a turnstile there can have an arm."""
    return [side for side in DIRECTIONS if neighbour(pivot, side) in empty]


def _around(cell: Cell) -> set[Cell]:
    """The cell itself and the eight around it."""
    row, column = cell
    return set(product(range(row - 1, row + 2), range(column - 1, column + 2)))


def _draw_block(
    draw: st.DrawFn, board: dict[Cell, str], blocks: list[Block], letter: str, longest: int
) -> None:
    """Put a block on the board if it has room for one, rather where it can be pushed."""
    empty = _empty(board)
    fitting = [
        block
        for height, width in product(range(1, longest + 1), repeat=2)
        for block in (Block(letter, *corner, height, width) for corner in empty)
        if set(block.cells).issubset(empty) and height * width < len(empty)
    ]
    movable = [block for block in fitting if _can_move(block, empty)]
    if not fitting:
        return
    anywhere = not movable or draw(st.integers(0, 5), label="anywhere at 5") == 5
    block = draw(st.sampled_from(fitting if anywhere else movable), label=f"block {letter}")
    board.update(dict.fromkeys(block.cells, letter))
    blocks.append(block)


def _can_move(block: Block, empty: list[Cell]) -> bool:
    """Whether the block has room ahead and a cell behind it to be pushed from."""
    room = {*empty, *block.cells}
    return any(
        room.issuperset(block.stepped(direction).cells)
        and any(cell in empty for cell in block.stepped((direction + 2) % 4).cells)
        for direction in DIRECTIONS
    )


def _draw_ground(draw: st.DrawFn, board: dict[Cell, str]) -> None:
    """Make walls and holes of some of the floor, but not of all."""
    floor = draw(st.sampled_from((12, 6, 3)), label="cells of floor to one of each kind")
    kinds = "".join(kind for kind in (HOLE, WALL) if draw(st.booleans(), label=f"uses {kind}"))
    pool: tuple[Cell, ...] = ()
    if HOLE in kinds and draw(st.booleans(), label="uses a pool of holes"):
        corner = draw(st.sampled_from(_empty(board)), label="corner of the pool")
        sides = draw(st.integers(1, 3), label="height"), draw(st.integers(1, 3), label="width")
        pool = Block(HOLE, *corner, *sides).cells
    for cell in _empty(board)[1:]:
        palette = HOLE if cell in pool else FLOOR * floor + kinds
        board[cell] = draw(st.sampled_from(palette), label=f"at {cell}")


def _draw_hidden_holes(draw: st.DrawFn, board: dict[Cell, str], blocks: list[Block]) -> list[Cell]:
    """Holes under arms and blocks, but under no block altogether."""
    if not draw(st.booleans(), label="hidden holes"):
        return []
    standing = [draw(st.sampled_from(block.cells), label="cell on the floor") for block in blocks]
    cells = [
        cell
        for cell, sign in sorted(board.items())
        if sign in ARMS + LETTERS and cell not in standing
    ]
    return [cell for cell in cells if draw(st.booleans(), label=f"hole under {cell}")]


def _draw_character(
    draw: st.DrawFn, board: dict[Cell, str], hidden: list[Cell], number: str
) -> None:
    """Put a character on the board if it has room for one."""
    empty = _empty(board)
    if not empty:
        return
    pushing = [cell for cell in empty if _can_push(board, hidden, cell)]
    cells = pushing if pushing and draw(st.integers(0, 5), label="anywhere at 5") < 5 else empty
    board[draw(st.sampled_from(cells), label=f"character {number}")] = number


def _can_push(board: dict[Cell, str], hidden: list[Cell], cell: Cell) -> bool:
    """Whether a character on the cell has something to push, all others taken for walls."""
    alone = {place: WALL if sign in NUMBERS else sign for place, sign in board.items()}
    twin = Twin.from_text(_text(alone | {cell: NUMBERS[0]}, hidden))
    pushes = (twin.act(direction, "steps") for direction in DIRECTIONS)
    return any(push is not None and _pieces(push.twin) != _pieces(twin) for push in pushes)


def _pieces(twin: Twin) -> tuple[object, ...]:
    return twin.blocks, twin.turnstiles


def _text(board: dict[Cell, str], hidden: list[Cell]) -> str:
    height, width = (1 + last for last in max(board))
    rows = ["".join(board[row, column] for column in range(width)) for row in range(height)]
    return "\n".join(rows + [f"{HOLE_UNDER} {column} {row}" for row, column in hidden])
