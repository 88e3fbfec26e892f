"""All states of a small floor and what solving costs from each, for tests."""

from __future__ import annotations

import heapq
import itertools
from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.compiled import kernel
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.verbs import NEVER, solved, start, successors

MOST_STATES = 1500


@kernel
def _first_of(levels: Any, state: Any) -> None:
    start(levels[0], state)


@kernel
def _moves_from(levels: Any, state: Any, rows: Any, costs: Any) -> int:
    return successors(levels[0], state, rows, costs)


@kernel
def _is_solved(levels: Any, state: Any) -> bool:
    return solved(levels[0], state)


class Graph(NamedTuple):
    """All states that can be reached, the moves between them, and what solving costs."""

    states: list[np.ndarray]
    moves: list[tuple[int, int, int]]
    costs: list[int]


def begun(puzzle: Puzzle, level: Level) -> tuple[np.ndarray, np.ndarray]:
    """The level as an array of one record, and its first state."""
    puzzle.load_rules()
    record = np.array([level.record])
    state = np.empty(puzzle.format.words(level.record), np.uint64)
    _first_of(record, state)
    return record, state


def explored(puzzle: Puzzle, level: Level, most: int = MOST_STATES) -> Graph | None:
    """The graph of a level; None where it is too large."""
    record, state = begun(puzzle, level)
    rows, costs = np.empty((512, state.size), np.uint64), np.empty(512, np.int64)
    numbers, states, moves = {state.tobytes(): 0}, [state], []
    for number in itertools.count():
        if number == len(states):
            break
        for index in range(_moves_from(record, states[number], rows, costs)):
            other = numbers.setdefault(rows[index].tobytes(), len(states))
            if other == len(states):
                states.append(rows[index].copy())
            moves.append((number, other, int(costs[index])))
        if len(states) > most:
            return None
    ends = [number for number, state in enumerate(states) if _is_solved(record, state)]
    return Graph(states, moves, _distances(len(states), moves, ends))


def _distances(count: int, moves: list[tuple[int, int, int]], ends: list[int]) -> list[int]:
    """Dijkstra's algorithm, backward."""
    into: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for before, after, cost in moves:
        into[after].append((before, cost))
    result = [NEVER] * count
    heap = [(0, end) for end in ends]
    while heap:
        cost, number = heapq.heappop(heap)
        if cost < result[number]:
            result[number] = cost
            for before, more in into[number]:
                heapq.heappush(heap, (cost + more, before))
    return result
