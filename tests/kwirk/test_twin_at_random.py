"""The twin of Kwirk's rules on random floors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.kwirk.boards import boards, choices, random_walk
from tests.kwirk.test_twin import KEYS, opposite, order, played, pressed, push, unhurried
from tests.kwirk.twin import (
    DIRECTIONS,
    DOWN,
    ENCODINGS,
    HOLE_UNDER,
    LEFT,
    RIGHT,
    SWITCH,
    UP,
    Cell,
    Encoding,
    Frame,
    Outcome,
    Twin,
    min_pushes,
    min_steps,
    neighbour,
)


@unhurried
@given(boards(min_side=4, max_characters=4))
def test_a_starting_position_is_its_text(text: str) -> None:
    assert Twin.from_text(text).text() == text


@unhurried
@given(boards(), choices(), st.sampled_from(ENCODINGS))
def test_positions_stay_sound(text: str, picks: list[int], encoding: Encoding) -> None:
    twin = Twin.from_text(text)
    for _, outcome in random_walk(twin, picks, encoding):
        check_nothing_overlaps(outcome.twin)
        check_holes_are_filled_by_blocks(twin, outcome.twin)
        twin = outcome.twin
    assert (twin.solved or twin.lost(encoding)) == (not twin.legal(encoding))


def check_nothing_overlaps(twin: Twin) -> None:
    """Nothing lies on anything else, characters stand on floor, and some of every block does."""
    stand = [character.cell for character in twin.characters]
    cells = [*twin.walls, twin.exit, *stand]
    for block in twin.blocks:
        assert not twin.holes.issuperset(block.cells)
        cells += block.cells
    for pivot, arms in twin.turnstiles:
        cells += [pivot, *(neighbour(pivot, side) for side in arms)]
    assert len(cells) == len(set(cells))
    assert twin.holes.isdisjoint(stand)


def check_holes_are_filled_by_blocks(before: Twin, after: Twin) -> None:
    """As many holes are gone as the blocks that are gone had cells."""
    kept = {block.letter for block in after.blocks}
    gone = [cell for block in before.blocks if block.letter not in kept for cell in block.cells]
    assert after.holes <= before.holes
    assert len(before.holes) - len(after.holes) == len(gone)


@unhurried
@given(boards(), choices(max_size=30))
def test_a_push_is_a_row_of_key_presses(text: str, picks: list[int]) -> None:
    twin = Twin.from_text(text)
    for action, outcome in random_walk(twin, picks, "pushes"):
        keys = list(keys_of(twin, action, outcome))
        assert pressed(twin, "".join(KEYS[key] for key in keys)) == outcome.twin
        assert len(keys) - keys.count(SWITCH) == outcome.steps
        twin = outcome.twin


def keys_of(twin: Twin, action: int, outcome: Outcome) -> Iterator[int]:
    """The key presses of a push, of leaving, or of walking aside."""
    kind, place = divmod(action, twin.frame.cells)
    cell = divmod(place if kind >= 4 else action // 4, twin.frame.width)
    left = [number for number in order(twin) if number not in order(outcome.twin)]
    turn = order(twin).index(left[0] if left else order(outcome.twin)[0])
    yield from [SWITCH] * turn
    walk, way = twin.walks[turn], list[int]()
    for distance in reversed(range(walk[cell])):
        key = next(key for key in DIRECTIONS if walk.get(behind(cell, key)) == distance)
        way.append(key)
        cell = behind(cell, key)
    yield from reversed(way)
    if kind < 4:
        yield action % 4


def behind(cell: Cell, direction: int) -> Cell:
    """The cell from which a step in the direction leads onto a cell."""
    return neighbour(cell, opposite(direction))


@unhurried
@given(boards(), choices())
def test_a_key_press_is_a_push_if_it_meets_something(text: str, picks: list[int]) -> None:
    twin = Twin.from_text(text)
    for key, outcome in random_walk(twin, picks, "steps"):
        if key != SWITCH:
            cell = twin.characters[0].cell
            row, column = neighbour(cell, key)
            leaves, *things = twin.planes()[[1, 3, 7, 8, 9, 10], row, column]
            met = Outcome(outcome.twin, 0 if leaves else 1, 1) if leaves or any(things) else None
            assert twin.act(push(twin, *cell, key), "pushes") == met
        twin = outcome.twin


@unhurried
@given(boards(), choices())
def test_a_mirrored_floor_mirrors_the_play(text: str, picks: list[int]) -> None:
    check_play_is_seen(text, picks, mirrored, (UP, LEFT, DOWN, RIGHT, SWITCH))


@unhurried
@given(boards(), choices())
def test_a_transposed_floor_transposes_the_play(text: str, picks: list[int]) -> None:
    check_play_is_seen(text, picks, transposed, (LEFT, DOWN, RIGHT, UP, SWITCH))


def check_play_is_seen(
    text: str, picks: list[int], view: Callable[[str], str], keys: Sequence[int]
) -> None:
    """Play goes the same way in another view of the floor, where each key is another."""
    twin, other = Twin.from_text(text), Twin.from_text(view(text))
    for key, outcome in random_walk(twin, picks, "steps"):
        assert sorted(keys[each] for each in twin.legal("steps")) == other.legal("steps")
        seen = other.act(keys[key], "steps")
        assert seen is not None
        assert seen.twin.text() == view(outcome.twin.text())
        assert order(seen.twin) == order(outcome.twin)
        twin, other = outcome.twin, seen.twin


def mirrored(text: str) -> str:
    """The level in a mirror, left and right exchanged."""
    rows, holes = parts(text)
    last = len(rows[0]) - 1
    lines = [row[::-1].translate(str.maketrans("<>", "><")) for row in rows]
    return joined(lines, [(row, last - column) for row, column in holes])


def transposed(text: str) -> str:
    """The level with rows and columns exchanged."""
    rows, holes = parts(text)
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    lines = [column.translate(str.maketrans("^>`<", "<`>^")) for column in columns]
    return joined(lines, [(column, row) for row, column in holes])


def parts(text: str) -> tuple[list[str], list[Cell]]:
    """The rows of a level text and the cells of its hidden holes."""
    lines = text.split("\n")
    rows = [line for line in lines if not line.startswith(HOLE_UNDER)]
    hidden = [line.split() for line in lines[len(rows) :]]
    return rows, [(int(y), int(x)) for _, x, y in hidden]


def joined(rows: list[str], holes: list[Cell]) -> str:
    """The level text of rows and hidden holes."""
    return "\n".join(rows + [f"{HOLE_UNDER} {column} {row}" for row, column in sorted(holes)])


@unhurried
@given(boards(), choices(max_size=30), st.tuples(*[st.integers(0, 3)] * 3))
def test_a_wider_frame_changes_only_the_numbers(
    text: str, picks: list[int], extra: tuple[int, int, int]
) -> None:
    twin = Twin.from_text(text)
    own = twin.frame
    frame = Frame(own.height + extra[0], own.width + extra[1], own.characters + extra[2])
    wide = Twin.from_text(text, frame)
    for action, outcome in random_walk(twin, picks, "pushes"):
        legal = [renumbered(each, own, frame) for each in twin.legal("pushes")]
        assert wide.legal("pushes") == legal
        after = played(wide, renumbered(action, own, frame))
        assert (after.cost, after.steps) == (outcome.cost, outcome.steps)
        assert after.twin == replace(outcome.twin, frame=frame)
        planes = after.twin.planes()
        assert (planes[:, : own.height, : own.width] == outcome.twin.planes()).all()
        assert planes.sum() == outcome.twin.planes().sum()
        twin, wide = outcome.twin, after.twin


def renumbered(action: int, frame: Frame, wider: Frame) -> int:
    """The number in a wider frame of an action of the pushes."""
    kind, place = divmod(action, frame.cells)
    if kind >= 4:
        row, column = divmod(place, frame.width)
        return kind * wider.cells + row * wider.width + column
    cell, direction = divmod(action, 4)
    row, column = divmod(cell, frame.width)
    return 4 * (row * wider.width + column) + direction


@unhurried
@given(boards(min_side=4, max_width=6, max_height=5, max_characters=2))
def test_both_encodings_solve_the_same_levels(text: str) -> None:
    start = Twin.from_text(text)
    steps, pushes = min_steps(start), min_pushes(start)
    if steps is None or pushes is None:
        assert steps is pushes is None
    else:
        assert pushes <= steps
