"""Boards of sliding tiles in plain Python, and A* on them by hand and by other libraries."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

Tiles = tuple[int, ...]
"""A board row by row; 0 is the gap."""


def random_board(random: np.random.Generator, side: int) -> Tiles:
    """A random solvable permutation: every second one."""
    while True:
        board = tuple(random.permutation(side * side).tolist())
        if is_solvable(board):
            return board


def is_solvable(board: Tiles) -> bool:
    """A slide along a row keeps the parity of inversions; one along a column of four changes it."""
    numbers = [tile for tile in board if tile]
    inversions = sum(
        one > other for place, one in enumerate(numbers) for other in numbers[place + 1 :]
    )
    side = side_of(board)
    rows_below = 0 if side % 2 else side - 1 - board.index(0) // side
    return (inversions + rows_below) % 2 == 0


def level_text(board: Tiles) -> str:
    """A board in the toy puzzle's level format."""
    text = "".join(f"{tile:X}" if tile else "." for tile in board)
    side = side_of(board)
    return "/".join(text[row : row + side] for row in range(0, len(text), side))


def side_of(board: Tiles) -> int:
    """3 or 4."""
    return 3 if len(board) == 9 else 4


def _beside(cell: int, side: int) -> Tiles:
    row, column = divmod(cell, side)
    around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return tuple(side * y + x for y, x in around if 0 <= y < side and 0 <= x < side)


def _distance(tile: int, cell: int, side: int) -> int:
    (row, column), (home_row, home_column) = divmod(cell, side), divmod(tile - 1, side)
    return abs(row - home_row) + abs(column - home_column) if tile else 0


BESIDE = {side: [_beside(cell, side) for cell in range(side * side)] for side in (3, 4)}
"""The adjacent cells of each cell."""
AWAY = {
    side: [
        [_distance(tile, cell, side) for cell in range(side * side)] for tile in range(side * side)
    ]
    for side in (3, 4)
}
"""The distance of each cell from each tile's goal; the gap has none."""


def by_hand(board: Tiles) -> tuple[list[Tiles], int]:
    """A* as usually written, with a heap and a dictionary of costs; the path and the expansions."""
    side = side_of(board)
    goal, beside, away = (*range(1, side * side), 0), BESIDE[side], AWAY[side]
    ahead = sum(away[tile][cell] for cell, tile in enumerate(board))
    heap = [(ahead, ahead, board)]
    costs, parents = {board: 0}, {board: board}
    expanded = 0
    while heap:
        total, ahead, board = heapq.heappop(heap)
        if board == goal:
            break
        cost = total - ahead
        if cost > costs[board]:
            continue
        expanded += 1
        cost += 1
        gap = board.index(0)
        for cell in beside[gap]:
            tile = board[cell]
            cells = list(board)
            cells[gap], cells[cell] = tile, 0
            successor = tuple(cells)
            if successor not in costs or cost < costs[successor]:
                costs[successor] = cost
                parents[successor] = board
                left = ahead + away[tile][gap] - away[tile][cell]
                heapq.heappush(heap, (cost + left, left, successor))
    way = []
    while parents[board] != board:
        way.append(board)
        board = parents[board]
    return way[::-1], expanded


class EightPuzzle:
    """A board with the interface of simpleai and aima3."""

    def __init__(self, board: Tiles) -> None:
        self.initial_state = self.initial = board
        self.expanded = 0

    def actions(self, state: Tiles) -> tuple[int, ...]:
        """The cells whose tiles can slide. Both libraries call this once per expansion."""
        self.expanded += 1
        return BESIDE[3][state.index(0)]

    def result(self, state: Tiles, action: int) -> Tiles:
        """The board after a slide."""
        cells = list(state)
        cells[cells.index(0)], cells[action] = cells[action], 0
        return tuple(cells)

    def is_goal(self, state: Tiles) -> bool:
        """Whether all tiles are at their goals."""
        return state == (1, 2, 3, 4, 5, 6, 7, 8, 0)

    goal_test = is_goal

    def cost(self, state: Tiles, action: int, after: Tiles) -> int:
        """The cost of a slide, for simpleai."""
        return 1

    def path_cost(self, cost: int, state: Tiles, action: int, after: Tiles) -> int:
        """The cost of a path and a slide, for aima3."""
        return cost + 1

    def heuristic(self, state: Tiles) -> int:
        """Manhattan distance, for simpleai."""
        return sum([AWAY[3][tile][cell] for cell, tile in enumerate(state)])

    def h(self, node: Any) -> int:
        """Manhattan distance, for aima3."""
        return self.heuristic(node.state)


def middling_boards(random: np.random.Generator, count: int) -> list[tuple[Tiles, int]]:
    """Random boards of the 8-puzzle that take 20 to 26 moves, with their optima."""
    boards: list[tuple[Tiles, int]] = []
    while len(boards) < count:
        board = random_board(random, 3)
        moves = len(by_hand(board)[0])
        if 20 <= moves <= 26:
            boards.append((board, moves))
    return boards


def hand_written(board: Tiles) -> tuple[int, int]:
    """The moves and expansions of the hand-written search."""
    way, expanded = by_hand(board)
    return len(way), expanded


def installed_libraries() -> dict[str, Callable[[Tiles], tuple[int, int]]]:
    """The peers that are installed."""
    found: dict[str, Callable[[Tiles], tuple[int, int]]] = {}
    for name, function, options in (
        ("simpleai", "astar", {"graph_search": True}),
        ("aima3", "astar_search", {}),
    ):
        try:
            a_star = getattr(import_module(f"{name}.search"), function)
        except ImportError:
            continue

        def solve(
            board: Tiles, a_star: Callable[..., Any] = a_star, options: Any = options
        ) -> tuple[int, int]:
            problem = EightPuzzle(board)
            node = a_star(problem, **options)
            return node.depth, problem.expanded

        found[name] = solve
    return found
