"""Networks for board planes: a trunk that keeps the board's shape, and heads that read it.

Distant cells of one row or column interact in all four puzzles (the monk slides along them,
buildings hide each other), so a block sees the whole row and column of a cell besides its
neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn
from torch.nn import functional

from puzzle_agents.learning.relative import (
    HIDDEN,
    RelativeActionHead,
    RelativeTrunk,
    RelativeValueHead,
)
from puzzle_envs.codec import Codec

NARROW = 8
"""Features of each cell that the value of a board is computed from."""


class LineBlock(nn.Module):
    """A residual block: convolution over neighbours, and mixing along whole rows and columns.

    Weights are shared by all rows, and by all columns.
    """

    def __init__(self, channels: int, height: int, width: int, lines: int, reach: int) -> None:
        """Create the layers; `lines` channels are mixed along lines, `reach` bounds neighbours."""
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
        """Transform planes, keeping their shape."""
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
    """Maps observation planes to feature channels, flattened."""

    def __init__(
        self,
        observation_space: spaces.MultiBinary,
        channels: int = 48,
        blocks: int = 3,
        lines: int = 16,
        reach: int = 1,
        half: bool = False,
    ) -> None:
        """Create the layers.

        Args:
            observation_space: Planes, rows, columns.
            channels: Features per cell.
            blocks: Number of residual blocks.
            lines: Number of features mixed along lines; 0 for none.
            reach: Radius of the neighbours of a cell; 0 for lines only.
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
        """The features of each board, flattened."""
        with _autocast(self.in_half):
            return torch.relu(self.blocks(self.first(observations))).flatten(1).float()


class SquareTrunk(BaseFeaturesExtractor):
    """For numbers in a square: a small network reads each line from both ends, repeatedly.

    What it learns on one row applies to all rows and columns, and to rotated and reflected squares.
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
        """Create the layers.

        Args:
            observation_space: Planes, rows, columns.
            numbers: The first plane of numbers (`Codec.numbers`).
            channels: Features per cell.
            narrow: Features per cell as input of a line.
            hidden: Features of a line.
            rounds: Number of passes over all lines, with shared weights.
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
        """The features of each cell, flattened."""
        with _autocast(self.in_half):
            of_cells, of_clues, tell = self._both_ways()
            clues = _clues_of_lines(observations[:, self.clues :])
            heard = functional.linear(clues, of_clues, self.read.bias.repeat(2)).flatten(0, 2)
            cells = self.first(observations[:, : self.clues].permute(0, 2, 3, 1))
            for _ in range(self.rounds):
                narrow = torch.relu(self.narrow(torch.relu(cells)))
                lines = torch.stack([narrow, narrow.transpose(1, 2)], 1).flatten(3).flatten(0, 2)
                read = torch.relu(torch.addmm(heard, lines, of_cells.t()))
                told = functional.linear(read, *tell).reshape(len(cells), 2, *cells.shape[1:])
                rows, columns = told.unbind(1)
                cells = cells + self.mix(torch.relu(rows + columns.transpose(1, 2)))
            return torch.relu(cells).permute(0, 3, 1, 2).flatten(1).float()

    def _both_ways(self) -> tuple[torch.Tensor, torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        """The layers `read` (of cells, and of clues) and `tell`, for a line from both ends at once.

        Weights are reversed instead of lines: few numbers instead of many.
        """
        channels, size, _ = self.board
        hidden = self.read.out_features
        cells = self.read.weight[:, : -2 * size].reshape(hidden, size, -1)
        clues = self.read.weight[:, -2 * size :].reshape(hidden, 2, size)
        weight = self.tell.weight.reshape(size, channels, -1)
        bias = self.tell.bias.reshape(size, channels)
        return (
            torch.cat([cells, cells.flip(1)]).flatten(1),
            torch.cat([clues, clues.flip(1)]).flatten(1),
            (torch.cat([weight, weight.flip(0)], 2).flatten(0, 1), (bias + bias.flip(0)).flatten()),
        )


def _clues_of_lines(planes: torch.Tensor) -> torch.Tensor:
    """(batch, 2, lines, 2 * size): the clues at both ends of each row, then of each column."""
    size = planes.shape[-1]
    top, bottom, left, right = planes.reshape(-1, 4, size, size, size).unbind(1)
    rows = torch.cat([left[..., 0], right[..., 0]], 1)
    columns = torch.cat([top[:, :, 0], bottom[:, :, 0]], 1)
    return torch.stack([rows, columns], 1).transpose(2, 3)


TRUNKS: dict[str, type[BaseFeaturesExtractor]] = {
    "board": Trunk,
    "square": SquareTrunk,
    "relative": RelativeTrunk,
}
"""Trunks by `kind`."""


def extractor(trunk: Mapping[str, Any], codec: Codec, *, half: bool = False) -> dict[str, Any]:
    """Policy arguments of Stable-Baselines3 for a trunk of this kind and size."""
    sizes = {**trunk, "half": half}
    kind = sizes.pop("kind", "board")
    sizes.pop("legal", None)  # more planes, which the observation space has
    if kind == "square":
        sizes["numbers"] = codec.numbers
    return {"features_extractor_class": TRUNKS[kind], "features_extractor_kwargs": sizes}


class ActionHead(nn.Module):
    """One number per action, computed at the cell where the action takes place.

    `places` gives for each action the cell and its index among the cell's numbers; cell -1 means
    the board as a whole.
    """

    def __init__(
        self, board: Sequence[int], places: Sequence[tuple[int, int]], half: bool = False
    ) -> None:
        """Create the layers for features of this shape."""
        super().__init__()
        self.in_half = half
        channels, height, width = self.board = tuple(board)
        cells = height * width
        at_cells = 1 + max((kind for cell, kind in places if cell >= 0), default=-1)
        self.of_cells = nn.Sequential(
            nn.Conv2d(channels, HIDDEN, 1), nn.ReLU(), nn.Conv2d(HIDDEN, max(at_cells, 1), 1)
        )
        at_board = 1 + max((kind for cell, kind in places if cell < 0), default=-1)
        self.of_board = nn.Sequential(
            nn.Linear(channels * cells, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, max(at_board, 1))
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

    def __init__(self, board: Sequence[int], half: bool = False) -> None:
        """Create the layers for features of this shape."""
        super().__init__()
        self.in_half = half
        channels, height, width = self.board = tuple(board)
        self.narrow = nn.Conv2d(channels, NARROW, 1)
        self.whole = nn.Sequential(
            nn.Linear(NARROW * height * width, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1)
        )

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """The value of each board."""
        with _autocast(self.in_half):
            maps = torch.relu(self.narrow(features.reshape(-1, *self.board)))
            return self.whole(maps.flatten(1)).float()  # type: ignore[no-any-return]


def heads_of(
    trunk: BaseFeaturesExtractor, places: Sequence[tuple[int, int]], *, half: bool = False
) -> tuple[nn.Module, nn.Module]:
    """The heads for a trunk's features: of the actions, and of the value."""
    board: Sequence[int] = trunk.board  # type: ignore[assignment]
    if isinstance(trunk, RelativeTrunk):
        return RelativeActionHead(board, places, half=half), RelativeValueHead(board, half=half)
    return ActionHead(board, places, half=half), ValueHead(board, half=half)
