"""Width search on boxes: an inadmissible heuristic, and atoms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from puzzle_envs.hua_rong_dao.estimate import estimate, find_plain, has_patterns
from puzzle_envs.hua_rong_dao.relaxed_plan import relaxed_plan
from puzzle_envs.hua_rong_dao.rules import _blocks, _cells, rules
from puzzle_envs.kernels.bitboards import ONE, number_of
from puzzle_envs.level import Record, Words
from puzzle_envs.puzzle import Findings

RELAXED = 2
"""The first word of the findings; those of an estimate begin with 0 or 1."""


def _relaxed(record: Record) -> Words:
    return np.array([RELAXED], np.uint64)


def _usual(record: Record) -> Words:
    """The pattern database of boxes small enough for one, otherwise relaxed plans."""
    plain = find_plain(record)
    return plain if has_patterns(plain) else _relaxed(record)


HEURISTICS: Mapping[str, Findings] = {"usual": _usual, "relaxed": _relaxed}


@rules
def heuristic(level: Any, findings: Any, state: Any) -> Any:
    """The length of a relaxed plan, or an estimate."""
    if findings[0] == RELAXED:
        return relaxed_plan(level, state)
    return estimate(level, findings, state)


@rules
def atom_count(level: Any, planes: Any) -> Any:
    """One per shape and cell."""
    return level.shapes * _cells(level)


@rules
def atoms(level: Any, state: Any, planes: Any, found: Any) -> int:
    """The shape and the place of each block."""
    count = 0
    for shape in range(level.shapes):
        blocks = _blocks(level, state, shape)
        while blocks != 0:
            lowest = blocks & (~blocks + ONE)
            blocks ^= lowest
            found[count] = shape * _cells(level) + number_of(lowest)
            count += 1
    return count
