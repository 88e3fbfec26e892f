"""Networks for boards of planes: a trunk that keeps the board's shape, and heads that read it.

Cells that lie far apart in one row or column concern each other in all four puzzles (the monk
slides along them, buildings hide each other), so besides the neighbours of a cell a block looks at
its whole row and column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from puzzle_envs.codec import Codec

__all__ = ["ActionHead", "SquareTrunk", "Trunk", "ValueHead", "extractor"]


class LineBlock(nn.Module):
    """A residual block: neighbours by convolution, and each row and column as a whole.

    The same weights serve all rows, and the same all columns: which row it is makes no difference.
    """

    def __init__(self, channels: int, height: int, width: int, lines: int, reach: int) -> None:
        """So many of the channels are mixed along lines; neighbours are those within reach."""
        super().__init__()
        self.near = nn.Conv2d(channels, channels, 2 * reach + 1, padding=reach)
        self.lines = lines
        if lines:
            self.narrow = nn.Conv2d(channels, lines, 1)
            self.along_rows = nn.Linear(lines * width, lines * width)
            self.along_columns = nn.Linear(lines * height, lines * height)
            self.widen = nn.Conv2d(2 * lines, channels, 1)
        self.after = nn.Conv2d(channels, channels, 1)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Planes of the same shape."""
        seen = self.near(planes)
        if self.lines:
            seen = seen + self.widen(self._along_lines(torch.relu(self.narrow(planes))))
        return planes + self.after(torch.relu(seen))  # type: ignore[no-any-return]

    def _along_lines(self, planes: torch.Tensor) -> torch.Tensor:
        batch, channels, height, width = planes.shape
        rows = planes.permute(0, 2, 1, 3).reshape(batch, height, channels * width)
        rows = self.along_rows(rows).reshape(batch, height, channels, width).permute(0, 2, 1, 3)
        columns = planes.permute(0, 3, 1, 2).reshape(batch, width, channels * height)
        columns = self.along_columns(columns).reshape(batch, width, channels, height)
        return torch.relu(torch.cat([rows, columns.permute(0, 2, 3, 1)], 1))


def _autocast(half: bool) -> torch.autocast:
    """Autocast to bfloat16: twice as fast on processors that support it."""
    return torch.autocast("cpu", torch.bfloat16, enabled=half)


class Trunk(BaseFeaturesExtractor):
    """From observation planes to as many channels of features, flat."""

    def __init__(
        self,
        observation_space: spaces.MultiBinary,
        channels: int = 48,
        blocks: int = 3,
        lines: int = 16,
        reach: int = 1,
        half: bool = False,
    ) -> None:
        """Make the layers.

        Args:
            observation_space: Planes, rows, columns.
            channels: Features of a cell.
            blocks: How many blocks follow each other.
            lines: Of the features, how many are looked at along whole lines; 0 for none.
            reach: How far the neighbours are that a cell looks at; 0 for lines alone.
            half: Whether to run under bfloat16 autocast; outputs are float32.
        """
        planes, height, width = observation_space.shape
        super().__init__(observation_space, channels * height * width)
        self.board = (channels, height, width)
        self.in_half = half
        self.first = nn.Conv2d(planes, channels, 2 * reach + 1, padding=reach)
        self.blocks = nn.Sequential(
            *(LineBlock(channels, height, width, lines, reach) for _ in range(blocks))
        )

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The features of each board, as one row."""
        with _autocast(self.in_half):
            return torch.relu(self.blocks(self.first(observations))).flatten(1).float()


class SquareTrunk(BaseFeaturesExtractor):
    """For numbers in a square: one small network reads each line from both ends, some times over.

    So whatever it learns of a row it knows of all rows and columns, and of squares that are turned
    or mirrored.
    """

    def __init__(
        self,
        observation_space: spaces.MultiBinary,
        numbers: int,
        channels: int = 48,
        narrow: int = 16,
        hidden: int = 128,
        rounds: int = 3,
        half: bool = False,
    ) -> None:
        """Make the layers.

        Args:
            observation_space: Planes, rows, columns.
            numbers: The first plane of numbers (`Codec.numbers`).
            channels: Features of a cell.
            narrow: How many features of each cell a line is read by.
            hidden: Features of a line.
            rounds: How often all lines are read, with the same weights.
            half: Whether to run under bfloat16 autocast.
        """
        _, size, _ = observation_space.shape
        super().__init__(observation_space, channels * size * size)
        self.board = (channels, size, size)
        self.rounds, self.in_half = rounds, half
        self.clues = numbers + size
        self.first = nn.Linear(self.clues, channels)
        self.narrow = nn.Linear(channels, narrow)
        self.read = nn.Linear(size * narrow + 2 * size, hidden)
        self.tell = nn.Linear(hidden, size * channels)
        self.mix = nn.Linear(channels, channels)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The features of each cell, as one row."""
        with _autocast(self.in_half):
            clues = _clues_of_lines(observations[:, self.clues :])
            cells = self.first(observations[:, : self.clues].permute(0, 2, 3, 1))
            for _ in range(self.rounds):
                lines = _lines_of(torch.relu(self.narrow(torch.relu(cells)))).flatten(3)
                told = self.tell(torch.relu(self.read(torch.cat([lines, clues], 3))))
                cells = cells + self.mix(
                    torch.relu(_cells_of(told.reshape(*told.shape[:3], self.board[1], -1)))
                )
            return torch.relu(cells).permute(0, 3, 1, 2).flatten(1).float()


def _clues_of_lines(planes: torch.Tensor) -> torch.Tensor:
    """(batch, 4, lines, 2 * size): the clues at the beginning and at the end of each line.

    The four are rows from the left and from the right, columns from the top and from the bottom.
    """
    size = planes.shape[-1]
    top, bottom, left, right = planes.reshape(-1, 4, size, size, size).unbind(1)
    top, bottom, left, right = (
        side.transpose(1, 2)
        for side in (top[:, :, 0], bottom[:, :, 0], left[..., 0], right[..., 0])
    )
    ways = [(left, right), (right, left), (top, bottom), (bottom, top)]
    return torch.stack([torch.cat(way, 2) for way in ways], 1)


def _lines_of(cells: torch.Tensor) -> torch.Tensor:
    """(batch, 4, lines, cells, features) of (batch, rows, columns, features)."""
    columns = cells.transpose(1, 2)
    return torch.stack([cells, cells.flip(2), columns, columns.flip(2)], 1)


def _cells_of(lines: torch.Tensor) -> torch.Tensor:
    """The way back: for each cell the sum of what its four lines tell."""
    rows, backwards, columns, upwards = lines.unbind(1)
    return rows + backwards.flip(2) + (columns + upwards.flip(2)).transpose(1, 2)


TRUNKS: dict[str, type[BaseFeaturesExtractor]] = {"board": Trunk, "square": SquareTrunk}
"""By their `kind`."""


def extractor(trunk: Mapping[str, Any], codec: Codec, *, half: bool = False) -> dict[str, Any]:
    """What a policy of Stable-Baselines3 takes for the trunk of this kind and size."""
    sizes = {**trunk, "half": half}
    kind = sizes.pop("kind", "board")
    if kind == "square":
        sizes["numbers"] = codec.numbers
    return {"features_extractor_class": TRUNKS[kind], "features_extractor_kwargs": sizes}


class ActionHead(nn.Module):
    """One number for each action, read where on the board the action takes place.

    `places` says for each action the cell and which of that cell's numbers it is; cell -1 stands
    for an action that concerns the board as a whole.
    """

    def __init__(
        self,
        board: Sequence[int],
        places: Sequence[tuple[int, int]],
        hidden: int = 64,
        half: bool = False,
    ) -> None:
        """Make the layers for features of this shape."""
        super().__init__()
        self.in_half = half
        channels, height, width = self.board = tuple(board)
        cells = height * width
        at_cells = 1 + max((kind for cell, kind in places if cell >= 0), default=-1)
        self.of_cells = nn.Sequential(
            nn.Conv2d(channels, hidden, 1), nn.ReLU(), nn.Conv2d(hidden, max(at_cells, 1), 1)
        )
        at_board = 1 + max((kind for cell, kind in places if cell < 0), default=-1)
        self.of_board = nn.Sequential(
            nn.Linear(channels * cells, hidden), nn.ReLU(), nn.Linear(hidden, max(at_board, 1))
        )
        index = [
            kind * cells + cell if cell >= 0 else max(at_cells, 1) * cells + kind
            for cell, kind in places
        ]
        self.register_buffer("index", torch.tensor(index), persistent=False)
        self.index: torch.Tensor

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """The numbers of all actions."""
        with _autocast(self.in_half):
            maps = self.of_cells(features.reshape(-1, *self.board)).flatten(1)
            return torch.cat([maps, self.of_board(features)], 1)[:, self.index].float()


class ValueHead(nn.Module):
    """One number for the board."""

    def __init__(
        self, board: Sequence[int], narrow: int = 8, hidden: int = 64, half: bool = False
    ) -> None:
        """Make the layers for features of this shape."""
        super().__init__()
        self.in_half = half
        channels, height, width = self.board = tuple(board)
        self.narrow = nn.Conv2d(channels, narrow, 1)
        self.whole = nn.Sequential(
            nn.Linear(narrow * height * width, hidden), nn.ReLU(), nn.Linear(hidden, 1)
        )

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """The value of each board."""
        with _autocast(self.in_half):
            maps = torch.relu(self.narrow(features.reshape(-1, *self.board)))
            return self.whole(maps.flatten(1)).float()  # type: ignore[no-any-return]
