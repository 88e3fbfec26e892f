"""The generator against the plain-Python twin, and against its own promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from puzzle_envs.level import Level, LevelError
from puzzle_envs.zen_garden.level import FORMAT, SWITCHES
from puzzle_envs.zen_garden.scattered import (
    DIFFICULTIES,
    Grade,
    canonical,
    generate,
    grade,
)
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.search import layers, optimum
from tests.zen_garden.twin import Twin

Things = dict[str, Any]

SMALL: list[Things] = [
    {"width": 4, "height": 4, "rocks": 3},
    {"width": 4, "height": 3, "rocks": 1, "leaves": (1, 1, 1)},
    {"width": 3, "height": 4, "rocks": 2, "ornaments": 1},
    {"width": 4, "height": 4, "rocks": 4, "ornaments": 1, "leaves": (2, 0, 1)},
    {"width": 5, "height": 3, "rocks": 1, "ornaments": 2},
    {"width": 1, "height": 1},
]


def random(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def split_text(level: Level) -> tuple[list[str], dict[str, bool]]:
    """The rows of a board, and those of its switches that are written down."""
    lines = FORMAT.write(level.record)
    rows = [line for line in lines if not line.startswith(";")]
    changed = [line[2:].split(": ") for line in lines if line.startswith(";")]
    return rows, {switch: value == "on" for switch, value in changed}


def twin_of(level: Level) -> Twin:
    rows, changed = split_text(level)
    return Twin.from_rows(
        rows, **{switch.replace("-", "_"): on for switch, on in (SWITCHES | changed).items()}
    )


def parse(rows: Sequence[str], switches: dict[str, bool] | None = None) -> Level:
    lines = [f"; {switch}: {'on' if on else 'off'}" for switch, on in (switches or {}).items()]
    return FORMAT.parse("\n".join([*lines, *rows]), "board")[0]


# --- what is on a board -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "things",
    [
        *SMALL,
        {"width": 16, "height": 16, "rocks": 40, "ornaments": 20, "leaves": (3, 4, 5)},
        {"width": 8, "height": 8, "rocks": 64 - 1},
        {"width": 9, "height": 6, "leaves": (54, 0, 0)},
        {"width": 7, "height": 9, "ornaments": 5, "switches": dict.fromkeys(SWITCHES, True)},
        {"width": 5, "height": 13, "rocks": 9, "switches": {"sideways-push": False}},
    ],
)
def test_a_board_has_exactly_what_was_asked_for(things: Things) -> None:
    level = generate(random(), **things, solvable=None)
    rows, switches = split_text(level)
    assert {len(row) for row in rows} == {things["width"]} and len(rows) == things["height"]
    found = Counter("".join(rows))
    leaves = things.get("leaves", (0, 0, 0))
    wanted = (things.get("rocks", 0), things.get("ornaments", 0), *leaves)
    assert tuple(found[character] for character in "#Byor") == wanted
    asked = things.get("switches", {})
    assert switches == {key: on for key, on in asked.items() if on != SWITCHES[key]}
    assert level.solvable is None and level.optimum is None


@pytest.mark.parametrize("seed", range(5))
def test_the_record_is_the_one_that_its_text_gives(seed: int) -> None:
    for things in (
        *SMALL,
        {"width": 16, "height": 16, "rocks": 9, "ornaments": 9, "leaves": (9, 9, 9)},
        {"width": 8, "height": 8, "ornaments": 1, "switches": {"turning-out": False}},
    ):
        level = generate(random(seed), **things, solvable=None)
        again = FORMAT.parse(FORMAT.text(level), "text")[0]
        assert again.record.tobytes() == level.record.tobytes()
        assert again.name == level.name


def test_every_solvable_board_is_equally_likely() -> None:
    np_random = random(7)
    drawn = Counter(
        "".join(split_text(generate(np_random, 3, 3, rocks=2))[0]) for _ in range(3_000)
    )
    solvable = 0
    for first in range(9):
        for second in range(first + 1, 9):
            cells = "".join("#" if cell in (first, second) else "." for cell in range(9))
            solvable += optimum(Twin.from_rows([cells[:3], cells[3:6], cells[6:]])) is not None
    assert len(drawn) == solvable
    share = 3_000 / solvable
    assert all(0.6 * share < count < 1.4 * share for count in drawn.values())


# --- chance -----------------------------------------------------------------------------------

SEEDED = """
import numpy as np
from puzzle_envs.zen_garden.scattered import generate
from puzzle_envs.zen_garden.level import FORMAT
np_random = np.random.default_rng(5)
for _ in range(5):
    print(FORMAT.text(generate(np_random, 5, 5, rocks=4, ornaments=1, optimum=range(3, 6))))
"""


def test_the_same_seed_gives_the_same_boards_in_every_process() -> None:
    outputs = []
    for hash_seed in ("0", "1", "random"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", SEEDED], env=environment, capture_output=True, check=True
        )
        outputs.append(run.stdout)
    assert outputs[0].strip() and outputs[0] == outputs[1] == outputs[2]


def test_the_stream_goes_on_from_board_to_board() -> None:
    np_random = random()
    names = [generate(np_random, 6, 6, rocks=5).name for _ in range(20)]
    assert len(set(names)) == 20
    np_random = random()
    assert names == [generate(np_random, 6, 6, rocks=5).name for _ in range(20)]


# --- certificates -----------------------------------------------------------------------------


@pytest.mark.parametrize("things", SMALL)
def test_solvable_boards_are_solvable(things: Things) -> None:
    np_random = random(1)
    for _ in range(6):
        level = generate(np_random, **things)
        assert level.solvable is True and level.optimum is None
        assert optimum(twin_of(level)) is not None


@pytest.mark.parametrize("things", [SMALL[0], SMALL[2], SMALL[3]])
def test_unsolvable_boards_are_unsolvable(things: Things) -> None:
    np_random = random(2)
    for _ in range(6):
        level = generate(np_random, **things, solvable=False)
        assert level.solvable is False and level.optimum is None
        assert optimum(twin_of(level)) is None
        assert "; optimum: none" in FORMAT.text(level)


@pytest.mark.parametrize("wanted", [range(3), range(3, 5), range(5, 7)])
def test_the_optimum_is_proved_and_in_its_bounds(wanted: range) -> None:
    np_random = random(3)
    kinds: list[Things] = [{"rocks": 5}, {"rocks": 4, "leaves": (1, 0, 1)}]
    for things in kinds:
        level = generate(np_random, 4, 4, **things, optimum=wanted)
        assert level.optimum in wanted and level.solvable is True
        assert level.optimum == optimum(twin_of(level))


@given(boards(max_width=4, max_height=4))
@settings(max_examples=60, deadline=None)
def test_the_grade_agrees_with_the_twin(board: Board) -> None:
    switches = {key.replace("_", "-"): bool(on) for key, on in board.switches.items()}
    found = grade(parse(board.rows, switches))
    moves = optimum(board.twin())
    assert found.optimum == moves
    reached = [len(layer) for layer in layers(board.twin())]
    assert 1 <= found.states <= sum(reached[:moves])


def test_bounds_on_states_are_kept() -> None:
    np_random = random(4)
    for solvable in (True, False):
        level = generate(np_random, 5, 5, rocks=4, solvable=solvable, states=range(300, 500))
        found = grade(level)
        assert found.states in range(300, 500)
        assert level.notes == {"note": f"{found.states} states"}
        assert level.optimum == found.optimum and (level.optimum is not None) == solvable


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_difficulty_is_kept(difficulty: str) -> None:
    np_random = random(5)
    for _ in range(3):
        level = generate(np_random, 5, 5, rocks=4, difficulty=difficulty)
        assert grade(level).difficulty == difficulty
        assert level.optimum == grade(level).optimum


def test_difficulties_take_both_measures() -> None:
    assert Grade(3, 250).difficulty == "easy"
    assert Grade(4, 20).difficulty == Grade(3, 251).difficulty == "medium"
    assert Grade(5, 5_000).difficulty == "medium"
    assert Grade(6, 20).difficulty == Grade(2, 5_001).difficulty == "hard"
    assert Grade(200, 10**12).difficulty == "hard"
    assert Grade(None, 20).difficulty == "unsolvable"


# --- what cannot be done ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("things", "message"),
    [
        ({"width": 17, "height": 4}, "1 to 16 cells, not 17 by 4"),
        ({"width": 4, "height": 0}, "not 4 by 0"),
        ({"rocks": -1}, "rocks must be at least 0, not -1"),
        ({"leaves": (0, 0, -2)}, "red must be at least 0, not -2"),
        ({"leaves": (1, 1)}, "three numbers"),
        ({"rocks": 10, "ornaments": 6}, "4x4 10# 6B: 16 objects on 16 cells"),
        ({"leaves": (8, 8, 1)}, "4x4 8y 8o 1r: 17 objects"),
        ({"switches": {"sideways": True}}, "no switch 'sideways'; there are sideways-push"),
        ({"difficulty": "nasty"}, "easy, medium, hard, not 'nasty'"),
        ({"optimum": range(4, 4)}, "is empty"),
        ({"states": range(1, 9, 2)}, "its step is not 1"),
        ({"optimum": range(4, 6), "solvable": False}, "need solvable=True"),
        ({"difficulty": "easy", "solvable": None}, "need solvable=True"),
        ({"states": range(9), "solvable": None}, "needs a search"),
        ({"attempts": 0}, "attempts must be at least 1, not 0"),
        ({"most_states": 0}, "most_states must be at least 1, not 0"),
    ],
)
def test_impossible_wishes_are_refused_in_words(things: Things, message: str) -> None:
    square: Things = {"width": 4, "height": 4}
    with pytest.raises(ValueError, match=re.escape(message)):
        generate(random(), **(square | things))


def test_attempts_used_up_say_what_was_drawn() -> None:
    with pytest.raises(LevelError, match=r"^None of 50 boards of 4x4 3# met") as error:
        generate(random(), 4, 4, rocks=3, optimum=range(9, 12), attempts=50)
    reasons = re.findall(r"(\d+) were ([a-z ]+)", str(error.value))
    assert sum(int(count) for count, _ in reasons) == 50
    assert {reason for _, reason in reasons} == {"unsolvable", "too short"}
    with pytest.raises(LevelError, match="1 were too long"):
        generate(random(), 4, 4, optimum=range(2), attempts=1)
    with pytest.raises(LevelError, match="20 were solvable"):
        generate(random(), 2, 2, solvable=False, attempts=20)


def test_undecided_boards_are_passed_over() -> None:
    with pytest.raises(LevelError, match="3 were undecided within 5 positions"):
        generate(random(), 8, 8, rocks=2, attempts=3, most_states=5)
    level = generate(random(), 6, 6, rocks=4)
    with pytest.raises(LevelError, match=f"'{level.name}' has no grade: it is undecided within 5"):
        grade(level, most_states=5)


# --- the eight ways to look at a board --------------------------------------------------------


def views(rows: Sequence[str]) -> list[list[str]]:
    """A board turned and mirrored, by numpy."""
    cells = np.array([list(row) for row in rows])
    turned = [np.rot90(cells, turns) for turns in range(4)]
    both = [*turned, *(np.fliplr(view) for view in turned)]
    return [["".join(row) for row in view] for view in both]


@given(boards(max_width=6, max_height=6), boards(max_width=3, max_height=3, any_switches=False))
@settings(max_examples=100, deadline=None)
def test_the_canonical_form_is_shared_by_the_eight_views_alone(board: Board, other: Board) -> None:
    switches = {key.replace("_", "-"): bool(on) for key, on in board.switches.items()}
    forms = {canonical(parse(view, switches)) for view in views(board.rows)}
    assert len(forms) == 1
    same = list(board.rows) in views(other.rows) and board.switches == other.switches
    assert (canonical(parse(other.rows)) in forms) == same


def test_the_canonical_form_tells_switches_and_shapes_apart() -> None:
    rows = [".#..", "...."]
    forms = {
        canonical(parse(rows)),
        canonical(parse(rows, {"turning-out": False})),
        canonical(parse(rows, {"push-onto-leaf": True})),
        canonical(parse([".#......"])),
    }
    assert len(forms) == 4


def test_all_views_of_a_board_have_one_grade() -> None:
    np_random = random(6)
    kinds: list[Things] = [
        {"rocks": 4},
        {"rocks": 3, "ornaments": 1},
        {"rocks": 2, "leaves": (1, 1, 1)},
    ]
    for things in kinds:
        level = generate(np_random, 5, 4, **things)
        assert len({grade(parse(view)) for view in views(split_text(level)[0])}) == 1


def test_equal_boards_have_equal_names() -> None:
    names: dict[str, set[str]] = {}
    np_random = random(8)
    for _ in range(200):
        level = generate(np_random, 3, 2, rocks=2, solvable=None)
        names.setdefault("/".join(split_text(level)[0]), set()).add(level.name)
    assert len(names) == 15
    assert all(len(alike) == 1 for alike in names.values())
    assert len(set.union(*names.values())) == 15
