"""Exact search for skyscraper grids: all solutions, or a proof that there are no more.

Each line with a clue is pruned of all that is in no filling (`lines.py`); each placed cell
propagates (`candidates.py`). If that leaves a choice, a candidate is guessed; if it fails, it is
removed, and the consequences are drawn before the next guess. Guesses are kept on a stack of
complete states, so that the search can be interrupted and resumed.

Nearly all grids take few guesses. A grid that has taken many most likely suffers from a wrong one
near the bottom of the stack. So once its patience is exhausted the search restarts repeatedly,
keeping what was refuted without guesses, and branches where it has failed most (`choice.py`). Each
restart allows half as many failures more, which makes the search complete; once a solution is known
there are no more restarts, so that none is counted twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE, number_of
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.level import Record
from puzzle_envs.skyscraper.candidates import (
    Grid,
    code_of,
    fill,
    keep,
    new_grid,
    place,
    place_singles,
    remove,
)
from puzzle_envs.skyscraper.choice import Weights, blame, fewest, forget, heaviest, new_weights
from puzzle_envs.skyscraper.level import SIZES, clues_of, givens_of
from puzzle_envs.skyscraper.lines import Lines, in_one_word, lines_of, lowest, prune_line

__all__ = ["ExactSearch", "count_solutions", "solution", "solve"]

UNTOUCHED, OPEN, AT_SOLUTION, OVER = range(4)
"""Status of a search: nothing done; a choice to make; at a solution; exhausted."""

SLICE = 4096
"""Guesses between checks for Ctrl-C; at most a second."""

PATIENCE = 256
"""Guesses before the first restart; few generated grids need as many. The next restart comes after
half as many failures, and each later one after half as many again."""


class Search(NamedTuple):
    """The arrays of one search."""

    grid: Grid
    lines: Lines

    clues: npt.NDArray[np.int64]
    """[line, end]: rows from left and right, then columns from top and bottom."""

    states: npt.NDArray[np.uint16]
    """[depth]: the candidates after this many guesses."""

    guesses: npt.NDArray[np.int64]
    """[depth]: the candidate guessed there, and the number of cells written before."""

    firsts: npt.NDArray[np.int16]
    """The writes of the first solution."""

    weights: Weights


def new_search(n: int, patience: int = PATIENCE) -> Search:
    """Allocate a search for n x n grids."""
    lines, grid = lines_of(n), new_grid(n)
    grid.progress["patience"] = patience
    return Search(
        grid=grid,
        lines=lines._replace(
            kept=lines.kept.copy(),
            pairs=lines.pairs.copy(),
            order=lines.order.copy(),
            layers=lines.layers.copy(),
        ),
        clues=np.zeros((2 * n, 2), np.int64),
        states=np.zeros((n * n + 1, 3 * n * n + n), np.uint16),
        guesses=np.zeros((n * n + 1, 2), np.int64),
        firsts=np.zeros((n * n, 3), np.int16),
        weights=new_weights(n),
    )


# --- propagation ------------------------------------------------------------------------------


@compiled
def _prune(search: Search, state: Any, line: Any) -> Any:
    """Prune a line; return False if it has no filling.

    Clues whose pairs are too many for a word are met one after the other.
    """
    n, (left, right) = search.grid.n, search.clues[line]
    both = in_one_word(left, right)
    for end in range(1 if both else 2):
        first, second = left if both or end == 0 else 0, right if both or end == 1 else 0
        if not prune_line(state, (n + line) * n, first, second, search.lines):
            return False
        if not keep(state, search.grid, line, search.lines.kept):
            return False
    search.grid.progress[0].changed &= ~(1 << line)
    return True


@compiled
def _next_line(progress: Any) -> Any:
    """The next changed line, in turn: round robin saves one pruning in six."""
    waiting = progress.changed & progress.clued
    later = (waiting >> progress.next) << progress.next
    line = number_of(lowest(np.uint64(later if later != 0 else waiting)))
    progress.next = line + 1
    return line


@compiled
def _conclude(search: Search, state: Any, possible: Any) -> Any:
    """Propagate all changes; return False on a contradiction.

    Does nothing after a change that was itself a contradiction.
    """
    progress = search.grid.progress[0]
    possible = possible and place_singles(state, search.grid)
    while possible and progress.changed & progress.clued != 0:
        possible = _prune(search, state, _next_line(progress)) and place_singles(state, search.grid)
    progress.changed = 0
    progress.singles = 0
    return possible


@compiled
def _assume(search: Search, depth: Any, code: Any) -> Any:
    """Guess a candidate on a copy of the state; return False on a contradiction."""
    before, state = search.states[depth], search.states[depth + 1]
    for index in range(state.size):
        state[index] = before[index]
    search.guesses[depth, 0], search.guesses[depth, 1] = code, search.grid.progress[0].written
    search.grid.progress[0].depth = depth + 1
    placed = place(state, search.grid, code >> 8, (code >> 4) & 15, code & 15)
    return _conclude(search, state, placed)


@compiled
def _take_back(search: Search) -> Any:
    """Backtrack over the last guess and refute it; return False if that contradicts too."""
    progress = search.grid.progress[0]
    progress.depth -= 1
    code, progress.written = search.guesses[progress.depth, 0], search.guesses[progress.depth, 1]
    state = search.states[progress.depth]
    removed = remove(state, search.grid, code >> 8, (code >> 4) & 15, code & 15)
    return _conclude(search, state, removed)


# --- the search -------------------------------------------------------------------------------


@compiled
def _choice(search: Search) -> Any:
    """The candidate to guess; -1 if everything is placed."""
    progress = search.grid.progress[0]
    if progress.nodes < progress.patience:
        return fewest(search.grid.n, search.states[progress.depth])
    if progress.failures >= progress.allowed and progress.solutions == 0:
        _start_over(search)
    return heaviest(search.grid, search.states[progress.depth], search.weights)


@compiled
def _start_over(search: Search) -> None:
    """Restart: backtrack over all guesses."""
    progress = search.grid.progress[0]
    progress.failures = 0
    progress.allowed += progress.allowed // 2 + 1
    if progress.depth > 0:
        progress.depth = 0
        progress.written = search.guesses[0, 1]


@compiled
def _weigh_failure(search: Search) -> None:
    """Update the weights after a contradiction, once patience is exhausted."""
    progress = search.grid.progress[0]
    if progress.nodes >= progress.patience:
        progress.failures += 1
        blame(search.grid, search.states[progress.depth], search.weights)


@compiled
def _in_range(numbers: Any, n: Any) -> Any:
    """Whether all numbers are from 0 to n."""
    for index in range(numbers.size):
        if numbers[index] < 0 or numbers[index] > n:
            return False
    return True


@kernel
def begin(search: Search, clues: Any, givens: Any) -> Any:
    """Initialise the search without propagation; return False for invalid numbers."""
    grid, lines, state = search.grid, search.lines, search.states[0]
    n, progress = grid.n, grid.progress[0]
    progress.depth = progress.nodes = progress.solutions = progress.singles = 0
    progress.written = progress.clued = progress.next = progress.tried = progress.held = 0
    progress.failures = progress.allowed = progress.patience // 3
    progress.status = OVER
    forget(grid, search.weights)
    if not (_in_range(clues, n) and _in_range(givens, n)):
        return False
    fill(state, grid)
    possible = True
    for cell in range(n * n):
        if givens[cell] > 0:
            possible = possible and place(state, grid, cell // n, cell % n, givens[cell] - 1)
    progress.written = 0
    for line in range(2 * n):
        side = 2 * n if line < n else -n
        first, second = clues[side + line], clues[side + line + n]
        search.clues[line, 0], search.clues[line, 1] = first, second
        if first + second > 0:
            progress.clued |= 1 << line
            opening = lines.openings[first, second]
            possible = possible and keep(state, grid, line, opening)
    progress.changed = (1 << (2 * n)) - 1
    progress.status = UNTOUCHED if possible else OVER
    return True


@kernel
def advance(search: Search, solutions: Any, nodes: Any) -> None:
    """Search until this many solutions, for at most this many nodes."""
    progress = search.grid.progress[0]
    last = progress.nodes + nodes
    possible = progress.status != AT_SOLUTION
    if progress.status == UNTOUCHED:
        possible = _conclude(search, search.states[0], True)
        progress.status = OPEN
    while progress.status != OVER:
        if not possible:
            if progress.depth == 0:
                progress.status = OVER
            else:
                progress.status = OPEN
                possible = _take_back(search)
                if not possible:
                    _weigh_failure(search)
            continue
        code = _choice(search)
        if code < 0:
            progress.status = AT_SOLUTION
            _count_solution(search)
            if progress.solutions >= solutions:
                return
            possible = False
        elif progress.nodes >= last:
            return
        else:
            progress.nodes += 1
            possible = _assume(search, progress.depth, code)
            if not possible:
                _weigh_failure(search)


@compiled
def _count_solution(search: Search) -> None:
    """Count a solution, and record the first."""
    progress = search.grid.progress[0]
    if progress.solutions == 0:
        for index in range(progress.written):
            for part in range(3):
                search.firsts[index, part] = search.grid.writes[index, part]
    progress.solutions += 1


@kernel
def look_ahead(search: Search, tries: Any) -> Any:
    """Look-ahead: drop candidates that lead to contradictions; return whether it is complete.

    The search must be open, without guesses.
    """
    n, progress = search.grid.n, search.grid.progress[0]
    for _ in range(tries):
        if progress.held == n * n * n or progress.status == OVER:
            return True
        cell, height = progress.tried // n, progress.tried % n
        progress.tried = (progress.tried + 1) % (n * n * n)
        progress.held += 1
        heights = np.uint64(search.states[0, cell])
        if heights & (heights - ONE) == 0 or heights & (ONE << np.uint64(height)) == 0:
            continue
        if _assume(search, 0, code_of(cell // n, cell % n, height)):
            progress.depth = 0
            progress.written = search.guesses[0, 1]
        else:
            progress.held = 0
            if not _take_back(search):
                progress.status = OVER
    return False


# --- Python interface -------------------------------------------------------------------------


class ExactSearch:
    """A search for all solutions of one grid after another, run in slices."""

    def __init__(self, n: int, patience: int = PATIENCE) -> None:
        """Allocate memory for n x n grids; `patience` is as `PATIENCE`."""
        if n not in SIZES:
            raise ValueError(f"n must be from {SIZES[0]} to {SIZES[-1]}, not {n!r}.")
        self.n = n
        self._search = new_search(n, patience)
        self._progress = self._search.grid.progress
        self._givens = np.zeros(n * n, np.int64)

    def load(self, clues: npt.ArrayLike, givens: npt.ArrayLike) -> None:
        """Start with a grid.

        Args:
            clues: 4n numbers, 0 for none: top and bottom from left to right, then left and right
                from top to bottom.
            givens: The n x n cells row by row, 0 for empty.
        """
        numbers = self._numbers(clues, 4 * self.n, "clues")
        self._givens = self._numbers(givens, self.n**2, "givens")
        if not begin(self._search, numbers, self._givens):
            raise ValueError(self._wrong_number(np.concatenate((numbers, self._givens))))

    def _numbers(self, given: npt.ArrayLike, size: int, name: str) -> npt.NDArray[np.int64]:
        numbers = np.array(given, np.int64).ravel()
        if numbers.size != size:
            raise ValueError(f"A grid of {self.n} has {size} {name}, not {numbers.size}.")
        return numbers

    def _wrong_number(self, numbers: npt.NDArray[np.int64]) -> str:
        wrong = next(number for number in numbers.tolist() if not 0 <= number <= self.n)
        return f"Clues and givens must be from 0 to {self.n}, not {wrong}."

    def run(self, solutions: int = 1, nodes: int | None = None) -> bool:
        """Continue the search; return whether it is over.

        Args:
            solutions: Stop at this many solutions, including earlier calls.
            nodes: Stop after this many further guesses; 0 only propagates the givens.
        """
        while not self._is_over(solutions):
            advance(self._search, solutions, SLICE if nodes is None else nodes)
            if nodes is not None:
                break
        return self._is_over(solutions)

    def _is_over(self, solutions: int) -> bool:
        return self.exhausted or self.solutions >= solutions

    def look_ahead(self) -> None:
        """Try each value of each cell, and drop those that lead to contradictions.

        Repeats until nothing changes, assuming one value at a time. The search must be as
        `run(nodes=0)` left it.
        """
        if self._progress["status"][0] == OPEN and not self.nodes:
            while not look_ahead(self._search, SLICE):
                pass

    @property
    def nodes(self) -> int:
        """Number of guesses made."""
        return int(self._progress["nodes"][0])

    @property
    def candidates(self) -> int:
        """Number of heights that cells may still have, after the guesses that stand."""
        cells = self._search.states[self._progress["depth"][0], : self.n**2]
        return int(np.unpackbits(cells.view(np.uint8)).sum())

    @property
    def solutions(self) -> int:
        """Number of solutions found."""
        return int(self._progress["solutions"][0])

    @property
    def exhausted(self) -> bool:
        """Whether it is proved that there are no more solutions."""
        return bool(self._progress["status"][0] == OVER)

    @property
    def writes(self) -> npt.NDArray[np.int16]:
        """The first solution as rows of cell, value and depth, in the order derived.

        The depth is the number of guesses that the write depends on, itself included: the first row
        of a new depth is the guess. Givens are left out. Empty if no solution is known.
        """
        count = self._givens.size - np.count_nonzero(self._givens) if self.solutions else 0
        return self._search.firsts[:count].copy()

    @property
    def solution(self) -> npt.NDArray[np.int64] | None:
        """The first solution, n x n."""
        if not self.solutions:
            return None
        cells, writes = self._givens.copy(), self.writes
        cells[writes[:, 0]] = writes[:, 1]
        return cells.reshape(self.n, self.n)


def solution(record: Record) -> npt.NDArray[np.int64] | None:
    """The heights of a level's solution, n x n; None where there is none."""
    return solve(int(record["size"]), clues_of(record), givens_of(record))


def solve(n: int, clues: npt.ArrayLike, givens: npt.ArrayLike) -> npt.NDArray[np.int64] | None:
    """A solution of a grid, n x n; None if there is none. See `ExactSearch.load`."""
    search = ExactSearch(n)
    search.load(clues, givens)
    search.run()
    return search.solution


def count_solutions(n: int, clues: npt.ArrayLike, givens: npt.ArrayLike, limit: int = 2) -> int:
    """Count the solutions of a grid, up to the limit: 1 of 2 proves uniqueness."""
    search = ExactSearch(n)
    search.load(clues, givens)
    search.run(limit)
    return search.solutions
