"""Pictures look as they were once looked at; `python -m tests.rendering.golden` renews them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from puzzle_envs.kwirk.picture import tiles
from puzzle_envs.rendering.theme import LIGHT
from tests.rendering import golden

KEPT = sorted(file.name for file in golden.FOLDER.glob("*.png"))


@pytest.fixture(scope="module")
def painted() -> dict[str, NDArray[np.uint8]]:
    return golden.paint_all()


def looks_like(painted: NDArray[np.uint8], kept: NDArray[np.uint8]) -> bool:
    """As the eye sees it: noise and rounding may differ between versions of NumPy."""
    if painted.shape != kept.shape:
        return False
    difference = np.abs(painted.astype(int) - kept)
    return bool(difference.mean() < 2 and (difference.max(axis=2) > 60).mean() < 0.002)


@pytest.mark.parametrize("file", KEPT)
def test_looks_as_it_did(file: str, painted: dict[str, NDArray[np.uint8]]) -> None:
    assert looks_like(painted[file], golden.read(file))


def test_every_state_is_kept(painted: dict[str, NDArray[np.uint8]]) -> None:
    assert sorted(painted) == KEPT
    assert all(file.stat().st_size < 50_000 for file in golden.FOLDER.iterdir())


def test_one_broken_tile_is_noticed() -> None:
    whole = golden.read("kwirk-on_the_way-light.png")
    assert looks_like(np.clip(whole, 1, 255) - np.uint8(1), whole)
    broken = whole.copy()
    broken[: golden.CELL, : golden.CELL] = tiles.atlas(golden.CELL, LIGHT).picture(
        np.zeros((1, 1), np.int32)
    )
    assert not looks_like(broken, whole)
