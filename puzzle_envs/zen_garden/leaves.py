"""Making planted gardens harder: leaves in the order in which the plan rakes, and ornaments.

The plan remains a solution: of the chosen cells, those raked first get yellow leaves, then come
orange ones, then red ones. Raking in another order leads to leaves that are still locked.

Ornaments in place of rocks stop the monk of the plan just as the rocks did, and the plan does not
push them. But they can be pushed in many ways, most of which make the garden unsolvable.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Level, Words
from puzzle_envs.states.certificates import certified
from puzzle_envs.verbs import LevelRecord, apply, start
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.level import FORMAT
from puzzle_envs.zen_garden.planted import LEAVES, unraked, words_of

__all__ = ["ornamented", "strewn"]


@kernel
def visit(levels: LevelRecord, plan: npt.NDArray[np.int64], states: Words) -> None:
    """Write the state before the first action of a plan, and after each."""
    level = levels[0]
    start(level, states[0])
    for number in range(plan.size):
        copy_words(states[number], states[number + 1])
        apply(level, states[number + 1], plan[number])


def _raked(level: Level) -> Iterator[int]:
    """The cells of a garden in the order in which its plan rakes them."""
    records, plan = np.array([level.record]), np.array(level.plan, np.int64)
    states = np.zeros((plan.size + 1, FORMAT.words(level.record)), np.uint64)
    visit(records, plan, states)
    left = unraked(records, states[0])
    for state in states[1:]:
        now = unraked(records, state)
        gone, left = left & ~now, now
        yield from (cell for cell in range(gone.bit_length()) if gone >> cell & 1)


def strewn(np_random: np.random.Generator, level: Level, each: int) -> Level | None:
    """The garden with leaves of each colour added; None if its plan no longer solves it."""
    cells = list(_raked(level))
    chosen = np.sort(np_random.permutation(len(cells))[: each * len(LEAVES)])
    changed = np.array([level.record])
    for number, index in enumerate(chosen.tolist()):
        leaf = words_of(1 << cells[index])
        changed[LEAVES[number // each]] |= leaf
        changed["sand"] &= ~leaf
    text = "\n".join(FORMAT.write(changed[0]))
    garden = FORMAT.parse(f"; name: {zlib.crc32(text.encode()):08x}\n{text}", "strewn")[0]
    return certified(PUZZLE, garden, level.plan)


def ornamented(level: Level) -> Level | None:
    """The garden with all rocks replaced by ornaments; None if its plan no longer solves it."""
    text = "\n".join(FORMAT.write(level.record)).replace("#", "B")
    garden = FORMAT.parse(f"; name: {zlib.crc32(text.encode()):08x}\n{text}", "ornamented")[0]
    return certified(PUZZLE, garden, level.plan)
