"""Exact distances of every state of a small garden, by plain search, and what is said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.states.paths import beginning
from puzzle_envs.states.tables import (
    Memory,
    find_state,
    hash_state,
    keep_state,
    layout_of,
    number_in,
    take_slot,
)
from puzzle_envs.verbs import estimate, hopeless, representative, solved, successors
from puzzle_envs.zen_garden import PUZZLE

PUZZLE.load_rules()

FAR = 2**30
"""The distance from where there is no solution."""


@kernel
def estimate_of(levels: Any, findings: Any, state: Any) -> int:
    """The estimate of one state."""
    return estimate(levels[0], findings, state)


@kernel
def represent(levels: Any, findings: Any, state: Any) -> None:
    """Replace one state by its representative."""
    representative(levels[0], findings, state)


@compiled
def number_of(memory: Memory, state: Any) -> Any:
    """The number of a state; -1: it was not reached."""
    return number_in(memory, find_state(memory, state, hash_state(memory.layout, state)))


@kernel
def explore(levels: Any, memory: Memory, states: Any, rows: Any, costs: Any) -> int:
    """Number every state that can be reached; -1: there are more than `states` holds."""
    count, expanded = 0, -1
    copy_words(states[0], rows[0])
    found = 1
    while True:
        for index in range(found):
            hashed = hash_state(memory.layout, rows[index])
            slot = find_state(memory, rows[index], hashed)
            if memory.slots[slot] == 0:
                if count == states.shape[0]:
                    return -1
                copy_words(rows[index], states[count])
                keep_state(memory, count, rows[index])
                take_slot(memory, slot, hashed, count)
                count += 1
        expanded += 1
        if expanded == count:
            return count
        found = successors(levels[0], states[expanded], rows, costs)


@kernel
def measure(
    levels: Any,
    memory: Memory,
    states: Any,
    order: Any,
    rows: Any,
    costs: Any,
    distances: Any,
) -> None:
    """The distance of every state, those with the least sand first: each move rakes some."""
    for place in range(order.size):
        number = order[place]
        distances[number] = FAR
        if solved(levels[0], states[number]):
            distances[number] = 0
            continue
        found = successors(levels[0], states[number], rows, costs)
        for index in range(found):
            after = number_of(memory, rows[index])
            if distances[after] < FAR:
                distances[number] = min(distances[number], costs[index] + distances[after])


@kernel
def ask(
    levels: Any,
    findings: Any,
    memory: Memory,
    states: Any,
    rows: Any,
    costs: Any,
    distances: Any,
    estimates: Any,
    lost: Any,
    images: Any,
    drops: Any,
) -> None:
    """What the verbs say of every state.

    `images` gets the distance of the representative (-1: no such state was reached, -2: it does
    not stand for itself), `drops` by how much more than its cost a move lowers the estimate.
    """
    level = levels[0]
    for number in range(distances.size):
        estimates[number] = estimate(level, findings, states[number])
        lost[number] = hopeless(level, states[number])
    for number in range(distances.size):
        drops[number] = 0
        found = successors(level, states[number], rows, costs)
        for index in range(found):
            after = number_of(memory, rows[index])
            drop = estimates[number] - costs[index] - estimates[after]
            drops[number] = max(drops[number], drop)
        copy_words(states[number], rows[0])
        representative(level, findings, rows[0])
        copy_words(rows[0], rows[1])
        representative(level, findings, rows[1])
        image = number_of(memory, rows[0])
        images[number] = distances[image] if image >= 0 else -1
        for word in range(states.shape[1]):
            if rows[0, word] != rows[1, word]:
                images[number] = -2


@dataclass(frozen=True)
class Verdicts:
    """What is true of every state of a level that can be reached, and what the verbs say."""

    states: npt.NDArray[np.uint64]
    distances: npt.NDArray[np.int64]
    estimates: npt.NDArray[np.int64]
    lost: npt.NDArray[np.bool_]
    images: npt.NDArray[np.int64]
    drops: npt.NDArray[np.int64]


def verdicts(text: str, room: int = 1 << 16) -> Verdicts | None:
    """Explore a level whole; None if it has more states than there is room for."""
    record = PUZZLE.format.find(text)[0].record
    levels, findings = np.array([record]), PUZZLE.findings(record)
    first = beginning(PUZZLE, levels)
    words = first.size
    table, slots = np.empty((room, 2 * words), np.uint32), np.zeros(2 * room, np.uint32)
    memory = Memory(layout_of(words, room), table, slots, room)
    states, rows = np.empty((room, words), np.uint64), np.empty((4096, words), np.uint64)
    states[0] = first
    costs = np.empty(4096, np.int64)
    count = explore(levels, memory, states, rows, costs)
    if count < 0:
        return None
    states = states[:count]
    boards = (int(record["width"] * record["height"]) + 63) // 64
    sand = np.bitwise_count(states[:, :boards]).sum(axis=1)
    order = np.argsort(sand, kind="stable")
    distances, estimates, images, drops = (np.empty(count, np.int64) for _ in range(4))
    lost = np.empty(count, np.bool_)
    measure(levels, memory, states, order, rows, costs, distances)
    ask(
        levels, findings, memory, states, rows, costs, distances, estimates,
        lost, images, drops,
    )  # fmt: skip
    return Verdicts(states, distances, estimates, lost, images, drops)
