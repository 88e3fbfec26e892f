"""Exact distances of every state of a small garden, by plain search, and what is said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.bitboards import copy_words
from puzzle_envs.compiled import kernel
from puzzle_envs.exploration import first_state
from puzzle_envs.tables import find_state
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


@kernel
def explore(levels: Any, states: Any, slots: Any, rows: Any, costs: Any) -> int:
    """Number every state that can be reached; -1: there are more than `states` holds."""
    slots[find_state(states[0], states, slots)] = 1
    count, expanded = 1, 0
    while expanded < count:
        found = successors(levels[0], states[expanded], rows, costs)
        for index in range(found):
            slot = find_state(rows[index], states, slots)
            if slots[slot] == 0:
                if count == states.shape[0]:
                    return -1
                copy_words(rows[index], states[count])
                count += 1
                slots[slot] = count
        expanded += 1
    return count


@kernel
def measure(
    levels: Any,
    states: Any,
    order: Any,
    slots: Any,
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
            after = slots[find_state(rows[index], states, slots)] - 1
            if distances[after] < FAR:
                distances[number] = min(distances[number], costs[index] + distances[after])


@kernel
def ask(
    levels: Any,
    findings: Any,
    states: Any,
    slots: Any,
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
            after = slots[find_state(rows[index], states, slots)] - 1
            drop = estimates[number] - costs[index] - estimates[after]
            drops[number] = max(drops[number], drop)
        copy_words(states[number], rows[0])
        representative(level, findings, rows[0])
        copy_words(rows[0], rows[1])
        representative(level, findings, rows[1])
        image = slots[find_state(rows[0], states, slots)] - 1
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
    words = PUZZLE.format.words(record)
    states = np.empty((room, words), np.uint64)
    first_state(levels, states[0])
    slots, rows = np.zeros(2 * room, np.int32), np.empty((4096, words), np.uint64)
    costs = np.empty(4096, np.int64)
    count = explore(levels, states, slots, rows, costs)
    if count < 0:
        return None
    states = states[:count]
    boards = (int(record["width"] * record["height"]) + 63) // 64
    sand = np.bitwise_count(states[:, :boards]).sum(axis=1)
    order = np.argsort(sand, kind="stable")
    distances, estimates, images, drops = (np.empty(count, np.int64) for _ in range(4))
    lost = np.empty(count, np.bool_)
    measure(levels, states, order, slots, rows, costs, distances)
    ask(
        levels, findings, states, slots, rows, costs,
        distances, estimates, lost, images, drops,
    )  # fmt: skip
    return Verdicts(states, distances, estimates, lost, images, drops)
