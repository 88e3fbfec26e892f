"""Networks whose weights fit boards of every size, computed by few, large matrix products.

A block mixes whole rows and whole columns with weights that depend on how far apart two cells are,
not on where they are; so what is learned on one board holds anywhere on another, larger ones
included. The features of one cell stand next to each other: each layer is then a product of large
matrices, which processors do several times faster than convolutions of so few cells.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn
from torch.nn import functional

FARTHEST = 5
"""Distances from this one on share weights, so that larger boards have no untrained ones."""
HIDDEN = 64
"""Size of the hidden layer of a head."""
GAZES = 4
"""Weighted means over the board that heads read."""


class Line(nn.Module):
    """Mixes the features of the cells of each row, by distance."""

    def __init__(self, features: int, length: int) -> None:
        """Create the weights; those of a distance do not depend on the length of lines."""
        super().__init__()
        apart = 2 * FARTHEST + 1
        scale = (features * min(apart, 2 * length - 1)) ** -0.5
        self.weights = nn.Parameter(scale * torch.randn(apart, features, features))
        self.bias = nn.Parameter(torch.zeros(features))
        cells = torch.arange(length)
        distance = (cells[None, :] - cells[:, None]).clamp(-FARTHEST, FARTHEST) + FARTHEST
        self.register_buffer("distance", distance, persistent=False)
        self.distance: torch.Tensor

    def forward(self, lines: torch.Tensor) -> torch.Tensor:
        """Transform (batch, lines, length, features)."""
        batch, count, length, features = lines.shape
        weights = self.weights[self.distance].permute(1, 3, 0, 2)
        matrix = weights.reshape(length * features, length * features)
        rows = lines.reshape(batch * count, length * features)
        return functional.linear(rows, matrix, self.bias.repeat(length)).reshape(lines.shape)


class Block(nn.Module):
    """A residual block: each cell, its row and its column."""

    def __init__(self, channels: int, lines: int, height: int, width: int) -> None:
        """Create the layers; `lines` features of each cell are mixed along lines."""
        super().__init__()
        self.narrow = nn.Linear(channels, lines)
        self.rows, self.columns = Line(lines, width), Line(lines, height)
        self.widen = nn.Linear(channels + 2 * lines, channels)
        self.after = nn.Linear(channels, channels)

    def forward(self, cells: torch.Tensor) -> torch.Tensor:
        """Transform (batch, height, width, channels)."""
        narrow = torch.relu(self.narrow(cells))
        columns = self.columns(narrow.transpose(1, 2)).transpose(1, 2)
        along = torch.relu(torch.cat([self.rows(narrow), columns], 3))
        seen = self.widen(torch.cat([cells, along], 3))
        return cells + self.after(torch.relu(seen))  # type: ignore[no-any-return]


class RelativeTrunk(BaseFeaturesExtractor):
    """Maps observation planes to features of each cell, flattened."""

    def __init__(
        self,
        observation_space: spaces.MultiBinary,
        channels: int = 48,
        blocks: int = 3,
        lines: int = 16,
        half: bool = False,
    ) -> None:
        """Create the layers.

        Args:
            observation_space: Planes, rows, columns.
            channels: Features per cell.
            blocks: Number of residual blocks.
            lines: Number of features mixed along lines.
            half: Whether to run under bfloat16 autocast, also the features.
        """
        planes, height, width = observation_space.shape
        super().__init__(observation_space, channels * height * width)
        self.board = (channels, height, width)
        self.in_half = half
        self.first = nn.Linear(planes, channels)
        self.blocks = nn.Sequential(*(Block(channels, lines, height, width) for _ in range(blocks)))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The features of each cell, row by row."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.in_half):
            cells = self.first(observations.permute(0, 2, 3, 1))
            return torch.relu(self.blocks(cells)).flatten(1)


class Gaze(nn.Module):
    """Weighted means of the cells' features over the board, with learned weights."""

    def __init__(self, channels: int) -> None:
        """Create the layer."""
        super().__init__()
        self.weigh = nn.Linear(channels, GAZES)

    def forward(self, cells: torch.Tensor) -> torch.Tensor:
        """(batch, GAZES * channels) of (batch, cells, channels)."""
        weights: torch.Tensor = self.weigh(cells).float().softmax(1).to(cells.dtype)
        return (weights.transpose(1, 2) @ cells).flatten(1)


class RelativeActionHead(nn.Module):
    """One number per action, computed at the cell where the action takes place.

    Actions without a cell read the board as a whole.
    """

    def __init__(
        self,
        board: Sequence[int],
        places: Sequence[tuple[int, int]],
        half: bool = False,
    ) -> None:
        """Create the layers for features of this shape."""
        super().__init__()
        self.in_half = half
        self.channels, height, width = board
        cells = height * width
        at_cells = 1 + max((kind for cell, kind in places if cell >= 0), default=0)
        at_board = 1 + max((kind for cell, kind in places if cell < 0), default=0)
        self.of_cells = nn.Sequential(
            nn.Linear(self.channels, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, at_cells)
        )
        self.gaze = Gaze(self.channels)
        self.of_board = nn.Sequential(
            nn.Linear(GAZES * self.channels, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, at_board)
        )
        index = [
            cell * at_cells + kind if cell >= 0 else cells * at_cells + kind
            for cell, kind in places
        ]
        self.register_buffer("index", torch.tensor(index), persistent=False)
        self.index: torch.Tensor

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """The numbers of all actions."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.in_half):
            cells = features.reshape(len(features), -1, self.channels)
            numbers = [self.of_cells(cells).flatten(1), self.of_board(self.gaze(cells))]
            return torch.cat(numbers, 1)[:, self.index].float()


class RelativeValueHead(nn.Module):
    """One number for the board."""

    def __init__(self, board: Sequence[int], half: bool = False) -> None:
        """Create the layers for features of this shape."""
        super().__init__()
        self.in_half = half
        self.channels = board[0]
        self.gaze = Gaze(self.channels)
        self.whole = nn.Sequential(
            nn.Linear((GAZES + 1) * self.channels, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1)
        )

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """The value of each board."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.in_half):
            cells = features.reshape(len(features), -1, self.channels)
            seen = torch.cat([self.gaze(cells), cells.mean(1).to(cells.dtype)], 1)
            return self.whole(seen).float()  # type: ignore[no-any-return]
