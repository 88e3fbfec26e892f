"""Simulated annealing of Skyscraper grids whose rows have no repeats, compiled.

A step rotates heights along a cycle of cells of a row, usually two, each to a cell where it is
allowed. The cost of a grid is one for each height repeated in a column, plus for each clue the
difference between its value and the buildings seen. Only lines that change are recounted.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.evolution.skyscraper_rows import may_stand
from puzzle_envs.kernels.bitboards import ONE, count_bits
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.level import Words
from puzzle_envs.skyscraper.rules import BOTTOM, FOUR_BITS, LEFT, RIGHT, TOP, scan_line
from puzzle_envs.states.chance import below, happens

__all__ = ["Grid", "Schedule", "anneal_all", "grid_cost"]

ZERO = np.uint64(0)
FOUR = np.uint64(4)

LONGEST = 4
"""Maximum length of a cycle."""
BLOCKED = 64
"""Maximum number of cells skipped per grid rated."""


@compiled
def _line_cost(line: Any, size: int, clue_before: int, clue_behind: int) -> int:
    """Repeats, and how far clues are missed, in a word with four bits a cell from its low end.

    They are the heights less one: no cell is empty.
    """
    heights, before, behind = scan_line(line, ZERO, size)
    cost = size - count_bits(heights)
    cost += abs(count_bits(before) - clue_before) if clue_before != 0 else 0
    return cost + (abs(count_bits(behind) - clue_behind) if clue_behind != 0 else 0)


@compiled
def _row_cost(line: Any, size: int, clues: Any, row: int) -> int:
    return _line_cost(line, size, clues[LEFT, row], clues[RIGHT, row])


@compiled
def _column_cost(line: Any, size: int, clues: Any, column: int) -> int:
    return _line_cost(line, size, clues[TOP, column], clues[BOTTOM, column])


@compiled
def _pack(genomes: Any, individual: int, size: int, rows: Any, columns: Any) -> None:
    """Pack a grid into words, one per line."""
    for line in range(size):
        rows[line] = columns[line] = ZERO
    for row in range(size):
        for column in range(size):
            height = np.uint64(genomes[individual, row * size + column] - 1) & FOUR_BITS
            rows[row] |= height << (FOUR * np.uint64(column))
            columns[column] |= height << (FOUR * np.uint64(row))


@compiled
def _unpack(rows: Any, size: int, genomes: Any, individual: int) -> None:
    for row in range(size):
        for column in range(size):
            genomes[individual, row * size + column] = _height(rows[row], column)


@compiled
def _nibble(line: Any, place: Any) -> Any:
    return (line >> (FOUR * np.uint64(place))) & FOUR_BITS


@compiled
def _height(line: Any, place: Any) -> int:
    return np.int64(_nibble(line, place)) + 1


@compiled
def _cost(rows: Any, columns: Any, size: int, clues: Any) -> int:
    cost = 0
    for line in range(size):
        cost += _row_cost(rows[line], size, clues, line)
        cost += _column_cost(columns[line], size, clues, line)
    return cost


@kernel
def grid_cost(genomes: Any, individual: int, size: int, clues: Any) -> int:
    """The cost of a grid, 0 for a solution."""
    rows, columns = scratch(16), scratch(16)
    _pack(genomes, individual, size, rows, columns)
    return _cost(rows, columns, size, clues)


@compiled
def _choose_cycle(
    line: Any, size: int, first: int, start: int, allowed: Any, chance: Any, cycle: Any
) -> int:
    """Choose cells of a row along which heights rotate, each taking the next one's.

    A cell takes the height of a random cell whose height it allows; the cycle closes once its last
    cell allows the height of the first. Returns the length of the cycle; 0 if none was found.
    """
    opening = _height(line, start)
    here, length, taken = start, 1, ONE << np.uint64(start)
    cycle[0] = np.uint64(start)
    while length < LONGEST:
        found, place = -1, below(chance, size)
        for _ in range(size):
            free = (taken >> np.uint64(place)) & ONE == 0
            if free and may_stand(allowed, first + here, _height(line, place)):
                found = place
                break
            place = place + 1 if place + 1 < size else 0
        if found < 0:
            return 0
        cycle[length] = np.uint64(found)
        length += 1
        taken |= ONE << np.uint64(found)
        here = found
        if may_stand(allowed, first + here, opening):
            return length
    return 0


class Grid(NamedTuple):
    """The grid to fill."""

    size: int
    clues: npt.NDArray[np.int64]
    allowed: Words
    """Heights allowed in each cell."""
    open_cells: npt.NDArray[np.uint8]
    """Cells that allow more than one height."""


class Schedule(NamedTuple):
    """The annealing schedule."""

    focus: float
    """Probability of skipping a cell whose row and column are correct."""
    hot: float
    cold: float
    """Final temperature."""


@compiled
def _anneal(
    genomes: Any,
    individual: int,
    grid: Grid,
    schedule: Schedule,
    steps: int,
    chance: Any,
    costs: Any,
) -> int:
    """Anneal a grid, write its final cost; return the number of grids rated.

    A step to a higher cost is accepted with a probability that falls with the difference and with
    the temperature. Cells whose lines are both correct are skipped with probability `focus`. A walk
    that hardly finds a legal step counts as if it had.
    """
    size, clues, open_cells = grid.size, grid.clues, grid.open_cells
    rows, columns, cycle = scratch(16), scratch(16), scratch(16)
    after, costs_after = scratch(16), scratch(16)
    row_costs, column_costs = scratch(16), scratch(16)
    _pack(genomes, individual, size, rows, columns)
    total = 0
    for line in range(size):
        row_costs[line] = np.uint64(_row_cost(rows[line], size, clues, line))
        column_costs[line] = np.uint64(_column_cost(columns[line], size, clues, line))
        total += np.int64(row_costs[line] + column_costs[line])
    rated, blocked, temperature = 1, 0, schedule.hot
    cooling = (schedule.cold / schedule.hot) ** (1.0 / max(steps, 1))
    most_blocked = BLOCKED * steps if open_cells.size > 0 else 0
    while rated < steps and total > 0 and blocked < most_blocked:
        cell = np.int64(open_cells[below(chance, open_cells.size)])
        row, start = cell // size, cell % size
        right = row_costs[row] == 0 and column_costs[start] == 0
        if right and happens(chance, schedule.focus):
            blocked += 1
            continue
        line = rows[row]
        length = _choose_cycle(line, size, cell - start, start, grid.allowed, chance, cycle)
        if length == 0:
            blocked += 1
            continue
        rated += 1
        temperature *= cooling
        row_after, change = line, 0
        for index in range(length):
            place = cycle[index]
            next_place = cycle[index + 1 if index + 1 < length else 0]
            difference = _nibble(line, place) ^ _nibble(line, next_place)
            row_after ^= difference << (FOUR * place)
            after[index] = columns[place] ^ (difference << (FOUR * np.uint64(row)))
            cost = _column_cost(after[index], size, clues, place)
            costs_after[index] = np.uint64(cost)
            change += cost - np.int64(column_costs[place])
        row_cost = _row_cost(row_after, size, clues, row)
        change += row_cost - np.int64(row_costs[row])
        if change > 0 and not happens(chance, math.exp(-change / temperature)):
            continue
        total += change
        rows[row], row_costs[row] = row_after, np.uint64(row_cost)
        for index in range(length):
            columns[cycle[index]] = after[index]
            column_costs[cycle[index]] = costs_after[index]
    _unpack(rows, size, genomes, individual)
    costs[individual] = -total
    return steps if 0 < most_blocked <= blocked else rated


@kernel
def anneal_all(
    genomes: Any,
    grid: Grid,
    schedule: Schedule,
    steps: int,
    most: int,
    chance: Any,
    scores: Any,
) -> int:
    """Anneal each grid with this many ratings; write minus its cost; return the ratings used.

    Stops at a solution, or after `most` ratings in all.
    """
    spent = 0
    for individual in range(genomes.shape[0]):
        if spent == most:
            break
        left = min(steps, most - spent)
        spent += _anneal(genomes, individual, grid, schedule, left, chance, scores)
        if scores[individual] == 0:
            break
    return spent
