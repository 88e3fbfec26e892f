"""Forms of observations: planes as kernels write them, or what other software needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from puzzle_envs.common.arguments import one_of

if TYPE_CHECKING:
    from puzzle_envs.episodes.batch import Batch
    from puzzle_envs.rendering.theme import Theme

__all__ = ["FORMS", "Form", "Observation", "Planes", "form_of"]

Planes: TypeAlias = npt.NDArray[np.int8]
"""Zeros and ones: planes, rows, columns; stacked for several episodes."""

Observation: TypeAlias = npt.NDArray[Any]
"""An observation in one of the forms."""


class Form(NamedTuple):
    """One form, for the episodes of one environment."""

    space: spaces.Space[Observation]
    """Space of one observation."""
    converted: Callable[[Planes], Observation] | None
    """Converts the planes of several episodes; None returns them unchanged."""


def form_of(name: str, batch: Batch, cell_pixels: int, theme: Theme) -> Form:
    """The form with this name.

    Args:
        name: As in FORMS.
        batch: The episodes to observe.
        cell_pixels: Size of a cell in images.
        theme: Theme of images.
    """
    one_of("observation", name, FORMS)
    return FORMS[name](batch, cell_pixels, theme)


def _planes(batch: Batch, cell_pixels: int, theme: Theme) -> Form:
    return Form(spaces.MultiBinary(batch.observed[1:]), None)


def _box(batch: Batch, cell_pixels: int, theme: Theme) -> Form:
    return Form(spaces.Box(0, 1, batch.observed[1:], np.uint8), _as_bytes)


def _float(batch: Batch, cell_pixels: int, theme: Theme) -> Form:
    return Form(spaces.Box(0, 1, batch.observed[1:], np.float32), _as_floats)


def _flat(batch: Batch, cell_pixels: int, theme: Theme) -> Form:
    return Form(spaces.Box(0, 1, (math.prod(batch.observed[1:]),), np.float32), _as_rows)


def _image(batch: Batch, cell_pixels: int, theme: Theme) -> Form:
    images = Images(batch, cell_pixels, theme)
    return Form(spaces.Box(0, 255, images.shape, np.uint8), images)


FORMS: Mapping[str, Callable[[Batch, int, Theme], Form]] = {
    "planes": _planes,
    "box": _box,
    "float": _float,
    "flat": _flat,
    "image": _image,
}
"""The values of `observation`."""


def _as_bytes(planes: Planes) -> Observation:
    return planes.view(np.uint8)


def _as_floats(planes: Planes) -> Observation:
    return planes.astype(np.float32)


def _as_rows(planes: Planes) -> Observation:
    return planes.reshape(len(planes), -1).astype(np.float32)


class Images:
    """Draws states with the puzzle's picture, each at the size of the largest board's.

    An image shows its state only, not how it was reached: equal states look the same.
    """

    def __init__(self, batch: Batch, cell_pixels: int, theme: Theme) -> None:
        """Determine the largest picture of this batch's levels."""
        self._picture = batch.puzzle.picture(batch.shape.actions, theme)
        self._cell = cell_pixels
        sizes = []
        for planes in batch.largest_boards():
            self._picture.begin(planes)
            sizes.append(self._picture.size(cell_pixels))
        heights, widths = zip(*sizes, strict=True)
        self.shape = (max(heights), max(widths), 3)

    def __call__(self, planes: Planes) -> Observation:
        """Draw an image of each state, black beyond a smaller board."""
        images = np.zeros((len(planes), *self.shape), np.uint8)
        for image, board in zip(images, planes, strict=True):
            self._picture.begin(board)
            picture = self._picture.paint(self._cell)
            height, width, _ = picture.shape
            image[:height, :width] = picture
        return images
