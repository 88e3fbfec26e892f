"""The conformance vectors: every complete excursion of thirteen small boards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.zen_garden.twin import TURNS, Twin, entrances

FILE = Path(__file__).with_name("conformance.txt")
COMPASS = "NESW"


@dataclass(frozen=True, order=True)
class Excursion:
    """One excursion as the file lists it; choices such as "pWN" name compass directions."""

    face: int
    choices: str
    outcome: str
    rows: tuple[str, ...]
    solved: bool


@dataclass(frozen=True)
class Vector:
    """A board and all its excursions."""

    name: str
    rows: tuple[str, ...]
    remark: str
    excursions: tuple[Excursion, ...]


def read_vectors() -> list[Vector]:
    """All vectors of the file, in its order."""
    boards: list[tuple[str, list[Excursion]]] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("--- "):
            boards.append((line.removeprefix("--- "), []))
        elif line and not line.startswith(";"):
            boards[-1][1].append(_read_excursion(line))
    return [_read_vector(heading, excursions) for heading, excursions in boards]


def _read_vector(heading: str, excursions: list[Excursion]) -> Vector:
    name, _, rest = heading.partition(": ")
    board, _, remark = rest.partition("/  ")
    return Vector(name, tuple(board.split("/")), remark, tuple(excursions))


def _read_excursion(line: str) -> Excursion:
    entry, outcome, board, *flags = line.split()
    face, _, choices = entry.partition(":")
    return Excursion(int(face), choices, outcome, tuple(board.split("/")), flags == ["SOLVED"])


def actions(vector: Vector, excursion: Excursion) -> tuple[int, ...]:
    """The excursion as action numbers of a board that stands alone.

    A push and a turn in the same direction are the same action.
    """
    height, width = len(vector.rows), len(vector.rows[0])
    heading = entrances(height, width)[excursion.face - 1][1]
    numbers = [excursion.face - 1]
    for direction in excursion.choices.replace("p", ""):
        turn = (COMPASS.index(direction) - heading + 1) % 4 - 1
        numbers.append(2 * width + 2 * height + TURNS.index(turn))
        heading = COMPASS.index(direction)
    return tuple(numbers)


def described(start: Twin, actions: tuple[int, ...]) -> Excursion:
    """The excursion that the actions lead to from the start, in the words of the file."""
    twin = start.copy()
    entry, *on_sand = actions
    twin.act(entry)
    choices = ""
    for action in on_sand:
        ornaments = set(twin.ornaments)
        assert twin.monk is not None, "The excursion is over, but actions are left."
        heading = (twin.monk[2] + TURNS[action - twin.faces]) % 4
        twin.act(action)
        choices += ("" if twin.ornaments == ornaments else "p") + COMPASS[heading]
    outcome = "DEAD" if twin.monk is not None else "exit"
    return Excursion(entry + 1, choices, outcome, tuple(twin.rows()), twin.solved)
