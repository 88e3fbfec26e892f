"""The tables of states: every state is found again, however many slots there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.states.nodes import MOST_BYTES, Nodes
from puzzle_envs.states.tables import Memory, find_state, hash_state, load_state, number_in

MANY = 1 << 19
"""States after which slots no longer grow sixteenfold."""


@kernel
def found_again(memory: Memory, count: int, state: Any) -> int:
    same = 0
    for number in range(count):
        load_state(memory, number, state)
        slot = find_state(memory, state, hash_state(memory.layout, state))
        same += number_in(memory, slot) == number
    return same


@pytest.mark.parametrize(("words", "fields"), [(1, 1), (2, 4), (5, 2), (6, 2)])
def test_a_state_and_its_slots_take_at_most_64_bytes(words: int, fields: int) -> None:
    nodes, count = Nodes(words, 1 << 27, fields), 0
    random = np.random.default_rng(words)
    sizes = {nodes.slots.size}
    while count < MANY:
        room = nodes.room
        wide = nodes.table.shape[1]
        nodes.table[count:room] = random.integers(2**32, size=(room - count, wide), dtype=np.uint32)
        before, count = count, room
        assert nodes.grow(count)
        sizes.add(nodes.slots.size)
    assert before > 1 << 15 and len(sizes) > 2
    assert nodes.bytes(count) - nodes.scratch.bytes <= MOST_BYTES * count
    assert found_again(nodes.memory, count, np.empty(words, np.uint64)) == count
