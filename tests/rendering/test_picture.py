"""What holds for the pictures of all puzzles."""

from __future__ import annotations

import pytest

from puzzle_agents.environments import ids, make_env
from puzzle_envs.rendering.picture import LARGEST_CELL, SMALLEST_CELL, Picture, cell_that_fits


def picture_of(id: str) -> Picture:
    picture = make_env(id, render_mode="rgb_array")._picture
    assert picture is not None
    return picture


@pytest.mark.parametrize("id", ids())
def test_a_picture_knows_its_size(id: str) -> None:
    picture = picture_of(id)
    for cell in (4, 5, 13, 24):
        assert picture.size(cell) == picture.paint(cell).shape[:2]


@pytest.mark.parametrize("id", ids())
def test_the_cell_that_fits_is_the_largest(id: str) -> None:
    picture = picture_of(id)
    for height, width in ((480, 640), (1080, 700), (300, 2000)):
        cell = cell_that_fits(picture, height, width)
        assert picture.size(cell)[0] <= height and picture.size(cell)[1] <= width
        assert picture.size(cell + 1)[0] > height or picture.size(cell + 1)[1] > width
    assert cell_that_fits(picture, *picture.size(37)) == 37


def test_the_cell_that_fits_has_bounds() -> None:
    picture = picture_of("ZenGarden-v0")
    assert cell_that_fits(picture, 1, 1000) == SMALLEST_CELL
    assert cell_that_fits(picture, 10**6, 10**6) == LARGEST_CELL
