"""Fillings of a line are counted as if each were written down."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.skyscraper.fillings import ANY, MOST, class_of, fillings


@kernel
def counted(missing: Any, tallest: Any, before: int, behind: int, free: Any) -> Any:
    return fillings(missing, tallest, before, behind, free)


@kernel
def classed(count: Any) -> int:
    return class_of(count)


def seen(line: tuple[int, ...], tallest: int = 0) -> int:
    count = 0
    for height in line:
        count += height > tallest
        tallest = max(tallest, height)
    return count


@given(
    st.sets(st.integers(1, 16), max_size=MOST),
    st.integers(0, 16),
    st.integers(ANY - 1, MOST + 1),
    st.integers(ANY - 1, MOST + 1),
    st.lists(st.integers(0, 2**17 - 1), min_size=MOST, max_size=MOST),
)
@settings(deadline=None)
def test_fillings_are_those_written_down(
    missing: set[int], tallest: int, before: int, behind: int, free: list[int]
) -> None:
    lines = [
        line
        for line in permutations(missing)
        if all(cells >> height & 1 for height, cells in zip(line, free, strict=False))
        and before in (ANY, seen(line, tallest))
        and behind in (ANY, seen(line[::-1]))
    ]
    bits = np.uint64(sum(1 << height for height in missing))
    found = counted(bits, np.uint64(tallest), before, behind, np.array(free, np.uint64))
    assert found == len(lines)


def test_more_fillings_are_of_a_higher_class() -> None:
    classes = [classed(np.uint64(count)) for count in range(721)]
    assert classes[:5] == [1, 2, 4, 5, 6]
    assert all(after - before in (0, 1, 2) for before, after in pairwise(classes))
