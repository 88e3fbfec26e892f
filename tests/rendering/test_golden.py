"""Pictures look as they were once looked at; `python -m tests.rendering.golden` renews them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from puzzle_envs.kwirk.picture import tiles
from puzzle_envs.rendering.theme import LIGHT, THEMES

pytest.importorskip("PIL", reason="needs pillow, of the extra bench")

from tests.rendering import golden

SLIGHT = 4
"""Of 255: what rounding makes of a colour elsewhere."""
FEW = 0.002
"""The share of pixels that may differ more."""


def differs(painted: NDArray[np.uint8], kept: NDArray[np.uint8]) -> bool:
    if painted.shape != kept.shape:
        return True
    difference = np.abs(painted.astype(int) - kept).max(axis=2)
    return bool((difference > SLIGHT).mean() > FEW)


@pytest.mark.parametrize("name", golden.STATES)
def test_it_looks_as_it_did(name: str) -> None:
    for file, painted in golden.pictures(name).items():
        assert not differs(painted, golden.read(file)), f"{file} is another picture now"


def test_all_kept_pictures_are_compared() -> None:
    kept = {file.name for file in golden.FOLDER.iterdir()}
    assert kept == {f"{name}-{theme}.png" for name in golden.STATES for theme in THEMES}
    assert all(file.stat().st_size < 32_000 for file in golden.FOLDER.iterdir())


def test_one_broken_tile_is_noticed() -> None:
    atlas = tiles.atlas(golden.CELL, LIGHT)
    whole = golden.read("floor-begun-light.png")
    broken = whole.copy()
    floor = atlas.picture(np.zeros((1, 1), np.int32))
    broken[: golden.CELL, : golden.CELL] = floor
    assert differs(broken, whole)
    assert not differs(np.clip(whole, 1, 255) - np.uint8(1), whole)
