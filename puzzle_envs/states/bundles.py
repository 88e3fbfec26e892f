"""Named bundles of arguments for the kernels of searches.

Unpacking a bundle costs about a microsecond a call: nothing for a slice of a search, but too much
for a step of an episode, so `advance` in episodes/stepping.py takes the parts one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from puzzle_envs.level import Words
from puzzle_envs.verbs import Costs, Findings, Rows, State


class Instance(NamedTuple):
    """A level, and what its states are evaluated with."""

    levels: np.ndarray
    """An array of one record."""
    findings: Findings
    merged: bool
    """Whether mirror images and rotations count as one state."""

    @classmethod
    def plain(cls, levels: np.ndarray) -> Instance:
        """A level without findings and without merging."""
        return cls(levels, np.empty(0, np.uint64), False)


class Scratch(NamedTuple):
    """Working memory for expanding a state."""

    state: State
    rows: Rows
    """For its successors; if they do not fit, the kernel returns to get more rows."""
    costs: Costs

    @classmethod
    def of(cls, words: int, successors: int) -> Scratch:
        """Room for this many successors of states of this many words."""
        rows: Words = np.empty((successors, words), np.uint64)
        return cls(np.empty(words, np.uint64), rows, np.empty(successors, np.int64))

    @property
    def bytes(self) -> int:
        """The memory it takes."""
        return int(self.rows.nbytes + self.costs.nbytes)
