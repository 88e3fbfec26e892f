"""What a picture promises, whatever it shows: an episode of each puzzle is filmed."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from puzzle_envs.rendering.atlas import Atlas
from puzzle_envs.rendering.picture import Picture
from tests.rendering.filmed import Filmed
from tests.rendering.golden import PUZZLES

EPISODES: list[Filmed] = [puzzle.filmed() for puzzle in PUZZLES]
NAMES = [puzzle.__name__.split(".")[1] for puzzle in PUZZLES]

each = pytest.mark.parametrize("film", EPISODES, ids=NAMES)


def same(pixels: Any, others: Any) -> None:
    np.testing.assert_array_equal(pixels, others)


@each
def test_a_picture_of_nothing(film: Filmed) -> None:
    picture = film.make(film.episode.actions)
    assert (picture.paint(8).shape, picture.text()) == film.blank


@each
@pytest.mark.parametrize("cell", [4, 5, 9, 16, 33, 96])
def test_any_cell_size(film: Filmed, cell: int) -> None:
    pixels = film.played(3).paint(cell)
    height, width = film.episode.first.shape[1:]
    frame = pixels.shape[0] - (height + film.ring) * cell
    assert frame == 0 if film.frame == 0 else 0 < frame <= film.frame * cell
    assert pixels.shape == (pixels.shape[0], (width + film.ring) * cell + frame, 3)
    assert pixels.dtype == np.uint8
    assert pixels.flags.c_contiguous
    assert pixels.flags.writeable
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100


@each
def test_a_cell_too_small_to_see(film: Filmed) -> None:
    for draw in (lambda: film.begun().paint(3), lambda: film.begun().slide(3, 5)):
        with pytest.raises(ValueError, match="3 pixels"):
            draw()


@each
def test_pictures_of_one_episode_are_equal(film: Filmed) -> None:
    for steps in range(film.length + 1):
        same(film.played(steps).paint(20), film.played(steps).paint(20))


@each
def test_every_picture_is_fresh(film: Filmed) -> None:
    for steps in (0, 1, film.length):
        picture = film.played(steps)
        frames = [picture.paint(16), *picture.slide(16, 5), picture.paint(16)]
        assert not any(np.shares_memory(frames[0], other) for other in frames[1:])
        kept = frames[-1].copy()
        for frame in frames:
            frame[:] = 0
        same(picture.paint(16), kept)


@each
def test_planes_may_change_afterwards(film: Filmed) -> None:
    picture = film.make(film.episode.actions)
    planes = film.episode.first.copy()
    picture.begin(planes)
    kept, text = picture.paint(16), picture.text()
    planes[:] = 0
    same(picture.paint(16), kept)
    assert picture.text() == text


@each
def test_tiles_are_drawn_once(film: Filmed, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = film.played(2)
    kept = picture.paint(18)
    monkeypatch.delattr(Atlas, "_add")
    monkeypatch.delattr("puzzle_envs.rendering.canvas.Canvas.wash")
    same(picture.paint(18), kept)


@each
def test_nothing_heavy_is_imported_to_paint(film: Filmed) -> None:
    code = (
        f"import sys; from {film.make.__module__} import Picture; "
        f"Picture({film.episode.actions}).paint(16); "
        "print([name for name in ('pygame', 'PIL', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@each
def test_padding_is_not_shown(film: Filmed) -> None:
    for episode in film.padded:
        picture, padded = film.begun(), film.begun(episode)
        for number, (action, planes) in enumerate(episode.steps):
            film.follow(picture, number, number + 1)
            padded.follow(action, planes)
            assert padded.text() == picture.text()
            for frame, other in zip(padded.slide(12, 3), picture.slide(12, 3), strict=True):
                same(frame, other)


@each
@pytest.mark.parametrize("frames", [1, 2, 7])
def test_a_slide_ends_in_the_picture(film: Filmed, frames: int) -> None:
    picture = film.begun()
    for number in range(film.length):
        film.follow(picture, number, number + 1)
        slide = list(picture.slide(16, frames))
        assert len(slide) == frames
        assert {frame.shape for frame in slide} == {picture.paint(16).shape}
        same(slide[-1], picture.paint(16))


@each
def test_a_slide_needs_a_frame(film: Filmed) -> None:
    with pytest.raises(ValueError, match="0 frames"):
        film.played(2).slide(16, 0)


@each
def test_an_illegal_action_moves_nothing(film: Filmed) -> None:
    steps, actions = film.illegal
    picture = film.played(steps)
    kept, text = picture.paint(16), picture.text()
    for action in actions:
        picture.follow(action, film.episode.steps[steps - 1][1].copy())
        for frame in [*picture.slide(16, 3), picture.paint(16)]:
            same(frame, kept)
        assert picture.text() == text


@each
def test_planes_that_no_step_leads_to_stand_still(film: Filmed) -> None:
    steps, jumps = film.jumps
    for planes in jumps:
        picture, expected = film.played(steps), film.make(film.episode.actions)
        picture.follow(1, planes)
        expected.begin(planes)
        assert picture.text() == expected.text()
        for frame in picture.slide(12, 3):
            same(frame, expected.paint(12))


def pickled(picture: Picture) -> Picture:
    double: Picture = pickle.loads(pickle.dumps(picture))
    return double


@each
@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickled])
def test_copies_go_on_alone(film: Filmed, duplicate: Callable[[Picture], Picture]) -> None:
    last = film.played(film.length).paint(16)
    for steps in range(film.length):
        original = film.played(steps)
        kept = original.paint(16)
        double = duplicate(original)
        for frame, other in zip(double.slide(16, 4), original.slide(16, 4), strict=True):
            same(frame, other)
        film.follow(double, steps, film.length)
        same(double.paint(16), last)
        same(original.paint(16), kept)


@each
def test_a_pickle_is_small(film: Filmed) -> None:
    assert len(pickle.dumps(film.large)) < film.largest_pickle
