"""Generated floors are what was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.draft import draft_of
from puzzle_envs.kwirk.generator import (
    SMALL,
    VARIED,
    Elements,
    canonical,
    draw,
    fewest_steps,
    from_all_sides,
    generate,
    varied,
)
from puzzle_envs.kwirk.level import FORMAT
from puzzle_envs.kwirk.sides import grid_of
from puzzle_envs.states.exploration import Exploration

ELEMENTS = Elements(blocks=3, turnstiles=1, holes=2)


def test_a_floor_takes_as_many_pushes_as_asked_for() -> None:
    level = generate(np.random.default_rng(4), 7, 9, ELEMENTS, range(3, 6))
    assert level.optimum in range(3, 6)
    assert (int(level.record["height"]), int(level.record["width"])) == (7, 9)
    search = Exploration(PUZZLE, np.array([level.record]))
    search.run()
    assert (search.moves, search.proves_optimum) == (level.optimum, True)
    steps = fewest_steps(level)
    assert level.optimum is not None
    assert steps is not None
    assert steps >= level.optimum


def test_two_characters() -> None:
    elements = Elements(blocks=2, holes=1, characters=2)
    level = generate(np.random.default_rng(5), 7, 7, elements, range(1, 4))
    assert level.record["characters"] == 2


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="Sides must be from 5 to 32, not 4 by 9"):
        generate(np.random.default_rng(0), 9, 4, ELEMENTS, range(1, 3))
    with pytest.raises(ValueError, match="No floor of 5 by 5"):
        generate(np.random.default_rng(0), 5, 5, Elements(blocks=1), range(90, 91), drafts=1)


@pytest.mark.parametrize("name", ["train", "easy", "two"])
def test_a_floor_becomes_a_draft_and_a_floor_again(name: str) -> None:
    for level in FORMAT.find_all(name):
        grid = grid_of(level.record)
        if not any(under for line in grid for _, under in line):
            text = draft_of(grid).text()
            assert text is not None
            assert canonical(FORMAT.parse(text, "again")[0]) == canonical(level)


@pytest.mark.parametrize("bin", VARIED)
def test_a_new_floor_is_a_training_floor_with_changes(bin: str) -> None:
    np_random, known = np.random.default_rng(6), FORMAT.find_all(f"train/{bin}")
    new = [draw(np_random, bin) for _ in range(12)]
    assert len({canonical(level) for level in [*new, *known]}) > len(known) + 8
    for level in new:
        search = Exploration(PUZZLE, np.array([level.record]))
        search.run()
        assert search.moves == level.optimum and level.optimum in SMALL[bin]
    once = varied(np_random, known[0], SMALL[bin], 1)
    own, other = (draft_of(grid_of(level.record)) for level in (known[0], once))
    assert sum(vars(own)[part] != vars(other)[part] for part in vars(own)) == 1


def test_turned_and_mirrored_floors_are_the_same() -> None:
    floor = FORMAT.find("#######\n#1a*> #\n#   O%#\n#######\n")[0]
    mirrored = FORMAT.find("#######\n# <*b1#\n#%O   #\n#######\n")[0]
    turned = FORMAT.find("####\n# 1#\n# c#\n# *#\n#O`#\n#% #\n####\n")[0]
    other = FORMAT.find("#######\n#1a*> #\n#  O %#\n#######\n")[0]
    assert canonical(floor) == canonical(mirrored) == canonical(turned)
    assert canonical(floor) != canonical(other)


def test_a_floor_from_all_sides_takes_as_many_pushes() -> None:
    floors = [PUZZLE.format.find(name)[0] for name in ("train/4-6/1", "two/1", "hard/3")]
    for floor in floors:
        sides = from_all_sides(floor)
        assert len({side.record.tobytes() for side in sides}) == 8
        assert floor.record.tobytes() in {side.record.tobytes() for side in sides}
        assert {canonical(side) for side in sides} == {canonical(floor)}
    for side in from_all_sides(floors[0]):
        search = Exploration(PUZZLE, np.array([side.record]))
        search.run(100_000)
        assert search.moves == floors[0].optimum
