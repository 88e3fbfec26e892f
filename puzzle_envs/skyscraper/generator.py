"""Generator of grids with one solution each, graded; and of the bundled sets.

    python -m puzzle_envs.skyscraper.generator levels/skyscraper

writes the sets to that folder, reproducibly.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.generation import MEASURED, Generator, distinct, write_sets
from puzzle_envs.level import Level, LevelError
from puzzle_envs.skyscraper import PUZZLE
from puzzle_envs.skyscraper.codec import SIDES, writing
from puzzle_envs.skyscraper.evolved import EVOLVED, evolve, seen_from_edges
from puzzle_envs.skyscraper.exact import ExactSearch, solution
from puzzle_envs.skyscraper.level import FORMAT, SIZES, clues_of, givens_of, pack

__all__ = [
    "BINS",
    "GENERATOR",
    "GRADES",
    "Effort",
    "begun",
    "canonical",
    "draw",
    "effort",
    "generate",
    "ladder_levels",
    "level_sets",
    "random_square",
]

Numbers = npt.NDArray[np.int64]


# --- difficulty ---------------------------------------------------------------------------------

GRADES = ("easy", "average", "hard")

MOST_GUESSES = {3: 0, 4: 0, 5: 0, 6: 1, 7: 5, 8: 12, 9: 20, 10: 45, 11: 80, 12: 150}
"""By size, the maximum number of guesses in the proof of an average grid. Of grids drawn without a
grade one in ten exceeds it at 4x4, one in four at 5x5, about one in three from 6x6 on."""

UNDECIDED = 2000
"""A grid whose proof takes more guesses than this is treated as having several solutions."""


class Effort(NamedTuple):
    """The effort to solve a grid and to prove its solution unique."""

    size: int
    guesses: int
    """Guesses of the exact search in this proof. Everything else follows by propagation in single
    rows and columns."""
    numbers: int
    """Number of clues and givens."""

    @property
    def grade(self) -> str:
        """A human estimate of the difficulty.

        "easy": no guesses, and at least 3n clues and givens in an n x n grid.
        "average": no guesses with fewer of them, or at most MOST_GUESSES.
        "hard": more guesses; up to 5x5 any guess. No 3x3 is hard.
        """
        if self.guesses > MOST_GUESSES[self.size]:
            return "hard"
        return "average" if self.guesses or self.numbers < _plenty(self.size) else "easy"


def _plenty(size: int) -> int:
    """Minimum number of clues and givens of an easy grid."""
    return 3 * size


def effort(level: Level) -> Effort:
    """Solve a grid; a LevelError if it has no solution, or several."""
    clues, givens = clues_of(level.record), givens_of(level.record)
    search = ExactSearch(int(level.record["size"]), UNDECIDED)
    search.load(clues, givens)
    search.run(2)
    if search.solutions != 1:
        has = "several solutions" if search.solutions else "no solution"
        raise LevelError(f"The grid '{level.name}' has {has}; only grids with one have a grade.")
    return Effort(search.n, search.nodes, _count(clues) + _count(givens))


def _count(numbers: Numbers | Sequence[int]) -> int:
    return int(np.count_nonzero(numbers))


# --- random grids -------------------------------------------------------------------------------


def generate(
    np_random: np.random.Generator,
    size: int,
    *,
    clues: float | None = None,
    grade: str | None = None,
    attempts: int = 1_000,
) -> Level:
    """A random grid with exactly one solution.

    It starts from a complete Latin square with its clues. Givens are removed one by one while the
    solution stays unique and no harder than the grade allows; then, with `clues=None`, clues. So
    givens are left only where the clues alone do not suffice.

    Args:
        np_random: Random number generator.
        size: Rows and columns, from 3 to 16.
        clues: The share of the 4n clues that stand, from 0 to 1; None, those that are needed.
        grade: One of GRADES.
        attempts: Number of grids to draw before a LevelError lists their grades.
    """
    if size not in SIZES:
        raise ValueError(f"size must be from {SIZES[0]} to {SIZES[-1]}, not {size}.")
    if clues is not None and not 0 <= clues <= 1:
        raise ValueError(f"clues must be from 0 to 1 or None, not {clues}.")
    if grade not in (None, *GRADES):
        raise ValueError(f"grade must be one of {', '.join(GRADES)}, not {grade!r}.")
    if attempts < 1:
        raise ValueError(f"attempts must be at least 1, not {attempts}.")
    search = ExactSearch(size, UNDECIDED)
    refusals: Counter[str] = Counter()
    for _ in range(attempts):
        thinning = _Thinning(np_random, search, clues, grade)
        found = thinning.effort()
        if grade in (None, found.grade):
            return _level(size, thinning.clues, thinning.givens, found)
        refusals[found.grade] += 1
    reasons = ", ".join(f"{count} were {reason}" for reason, count in refusals.most_common())
    raise LevelError(
        f"None of {attempts} grids of {size}x{size} was {grade}: {reasons}. Try "
        "another grade, another share of clues or more attempts."
    )


class _Thinning:
    """Removal of numbers from a complete square."""

    def __init__(
        self,
        np_random: np.random.Generator,
        search: ExactSearch,
        share: float | None,
        grade: str | None,
    ) -> None:
        self._np_random, self._search = np_random, search
        size = search.n
        square = random_square(np_random, size)
        self.givens = square.ravel().copy()
        self.clues = seen_from_edges(square)
        if share is not None:
            standing = round(share * self.clues.size)
            self.clues[np_random.permutation(self.clues.size)[standing:]] = 0
        self._guesses = {"easy": 0, "average": MOST_GUESSES[size]}.get(grade or "", UNDECIDED)
        self._numbers = _plenty(size) if grade == "easy" else 0
        self._take_away(self.givens)
        if share is None:
            self._take_away(self.clues)

    def _take_away(self, numbers: Numbers) -> None:
        """Remove redundant numbers, several at a time while that succeeds."""
        order = [place for place in self._np_random.permutation(numbers.size) if numbers[place]]
        at, together = 0, max(1, len(order) // 4)
        while at < len(order):
            places = order[at : at + together]
            taken = numbers[places]
            numbers[places] = 0
            if self._stands():
                at += len(places)
                together *= 2
                continue
            numbers[places] = taken
            at += len(places) == 1
            together = max(1, len(places) // 2)

    def _stands(self) -> bool:
        """Whether the grid is unique, not too hard, and has enough numbers."""
        if _count(self.clues) + _count(self.givens) < self._numbers:
            return False
        search = self._search
        search.load(self.clues, self.givens)
        search.run(2, self._guesses)
        return search.exhausted and search.solutions == 1

    def effort(self) -> Effort:
        """The effort of the current grid."""
        self._stands()
        numbers = _count(self.clues) + _count(self.givens)
        return Effort(self._search.n, self._search.nodes, numbers)


def _level(size: int, clues: Numbers, givens: Numbers, found: Effort | None) -> Level:
    """A level named by a checksum of its text, so that equal grids have equal names."""
    record = pack(size, clues.tolist(), givens.tolist())
    checksum = zlib.crc32("\n".join(FORMAT.write(record)).encode())
    return Level(
        name=f"{size}x{size} {checksum:08x}",
        record=record,
        optimum=int(record["free"]),
        solvable=True,
        notes={"note": f"guesses to prove it: {found.guesses}"} if found else {},
    )


# --- squares ----------------------------------------------------------------------------------


def random_square(np_random: np.random.Generator, size: int) -> Numbers:
    """A Latin square, n x n. Every square is possible, though not equally likely."""
    free = [set(range(1, size + 1)) for _ in range(size)]
    square = np.zeros((size, size), np.int64)
    # A Latin rectangle can always be completed, so every row has a filling.
    for row in np_random.permutation(size):
        for column, height in enumerate(_random_row(np_random, free)):
            square[row, column] = height
            free[column].remove(height)
    return square


def _random_row(np_random: np.random.Generator, free: Sequence[set[int]]) -> list[int]:
    """Distinct heights for all columns, each from those free there."""
    columns: dict[int, int] = {}  # by height

    def fill(column: int, tried: set[int]) -> bool:
        """Assign a height to a column, displacing others if necessary (augmenting path)."""
        for height in np_random.permutation(sorted(free[column])).tolist():
            if height in tried:
                continue
            tried.add(height)
            if height not in columns or fill(columns[height], tried):
                columns[height] = column
                return True
        return False

    for column in np_random.permutation(len(free)).tolist():
        fill(column, set())
    return sorted(columns, key=columns.__getitem__)


# --- grids that are the same but for how one looks at them ------------------------------------


def canonical(level: Level) -> bytes:
    """The canonical form of a grid under rotations and reflections."""
    size = int(level.record["size"])
    table = np.zeros((size + 2, size + 2), np.uint8)
    clues = np.reshape(clues_of(level.record), (len(SIDES), size))
    table[0, 1:-1], table[-1, 1:-1], table[1:-1, 0], table[1:-1, -1] = clues
    table[1:-1, 1:-1] = np.reshape(givens_of(level.record), (size, size))
    turned = [np.rot90(table, turns) for turns in range(4)]
    return min(view.tobytes() for table in turned for view in (table, table.T))


# --- the sets ---------------------------------------------------------------------------------

SEED = 12

GRADED = range(4, 10)
"""Sizes with a file of their own, and the number of grids per grade."""
OF_EACH_GRADE = 7

PAPER_LIKE = {4: 5, 5: 5, 6: 5, 7: 5, 8: 1, 9: 1}
"""Number of grids like those of the paper, by size."""

SPARSE = range(6, 10)
"""Sizes of the hardest grids, their number, and the number they are chosen from."""
SPARSE_CHOSEN, SPARSE_DRAWN = 5, 40

BINS = {f"{size}x{size}": size for size in range(4, 8)}
"""Sizes for training, by the names of their files, and the number of grids of each."""
IN_SPLITS = {4: 1470, 5: 1470, 6: 210, 7: 210}

TWINS, SIZE_OF_TWINS = "twins", 7
"""The bin of pairs of a solvable and an unsolvable grid, and their size."""

DEAL = (*["train"] * 5, "validation", "test")
"""Grids are dealt to these splits and grades in turn, so that all are alike."""


def level_sets(size: int) -> Iterator[tuple[str, Level]]:
    """The grids of one size with their sets, distinct up to symmetry."""
    np_random = np.random.default_rng((SEED, size))
    seen: set[bytes] = set()

    def unseen(draw: Callable[[], Level]) -> Level:
        while canonical(level := draw()) in seen:
            pass
        seen.add(canonical(level))
        return level

    def fresh(grade: str, clues: float | None = None) -> Level:
        return unseen(lambda: generate(np_random, size, clues=clues, grade=grade))

    if size in GRADED:
        for grade in GRADES:
            for number in range(1, OF_EACH_GRADE + 1):
                yield f"{size}x{size}", replace(fresh(grade), name=f"{grade}-{number}")
    for number in range(1, PAPER_LIKE.get(size, 0) + 1):
        level = unseen(lambda: _paper_like(np_random, size))
        yield "paper-like", replace(level, name=f"{size}x{size}-{number}")
    if size in SPARSE:
        drawn = [fresh("hard") for _ in range(SPARSE_DRAWN)]
        hardest = sorted(drawn, key=lambda level: effort(level).guesses)[-SPARSE_CHOSEN:]
        for number, level in enumerate(hardest, start=1):
            yield "sparse", replace(level, name=f"{size}x{size}-{number}")
    if size in BINS.values():
        names: Counter[str] = Counter()
        for index in range(IN_SPLITS[size]):
            split = DEAL[index % len(DEAL)]
            level = unseen(lambda: draw(np_random, f"{size}x{size}", index))  # noqa: B023
            names[split] += 1
            yield f"{split}/{size}x{size}", replace(level, name=str(names[split]), notes={})


def draw(np_random: np.random.Generator, bin: str, number: int | None = None) -> Level:
    """A new grid of one of the bins, distributed as in the splits.

    Up to 7x7 its number determines the grade; without one, it is random.
    """
    if bin in EVOLVED:
        return _planted(evolve(np_random, EVOLVED[bin]))
    if bin == TWINS:
        return twins(np_random)[np_random.integers(2)]
    number = int(np_random.integers(6)) if number is None else number
    grade = GRADES[number % len(GRADES)]
    # Half of the easy ones show all of their clues.
    clues = 1.0 if grade == "easy" and number % 2 else None
    return generate(np_random, BINS[bin], clues=clues, grade=grade)


def _planted(square: Numbers) -> Level:
    """A grid with all clues of a full square and no givens; the square is its plan."""
    size = len(square)
    level = _level(size, seen_from_edges(square), np.zeros(size**2, np.int64), None)
    heights = square.ravel().tolist()
    plan = tuple(writing(size, place, height) for place, height in enumerate(heights))
    return replace(level, plan=plan)


def twins(np_random: np.random.Generator) -> tuple[Level, Level]:
    """A grid with one solution, and an unsolvable one that differs in one clue.

    Unsolvability is proved by exhaustion, with at least one guess.
    """
    search = ExactSearch(SIZE_OF_TWINS, UNDECIDED)
    while True:
        level = generate(np_random, SIZE_OF_TWINS, grade="hard")
        clues, givens = np.array(clues_of(level.record)), np.array(givens_of(level.record))
        for place in np_random.permutation(np.flatnonzero(clues)).tolist():
            wrong = clues.copy()
            wrong[place] += 1 if np_random.random() < 0.5 else -1
            if not 1 <= wrong[place] <= SIZE_OF_TWINS:
                continue
            search.load(wrong, givens)
            search.run(1, UNDECIDED)
            if search.exhausted and not search.solutions and search.nodes:
                without = _level(SIZE_OF_TWINS, wrong, givens, None)
                return level, replace(without, optimum=None, solvable=False)


def ladder_levels(bin: str) -> dict[str, list[Level]]:
    """Evolved grids, or pairs of solvable and unsolvable ones, by set."""

    def drawn(np_random: np.random.Generator) -> tuple[Level, ...]:
        return twins(np_random) if bin == TWINS else (draw(np_random, bin),)

    found: dict[str, list[Level]] = {}
    for split, count in MEASURED.items():
        np_random = np.random.default_rng((SEED, count, len(bin), *bin.encode()))
        apart = chain.from_iterable(found.values())
        found[f"{split}/{bin}"] = distinct(count, partial(drawn, np_random), canonical, apart)
    return found


def begun(np_random: np.random.Generator, level: Level, empty: int) -> Level:
    """The grid with only this many cells empty, the rest given from its solution."""
    heights = solution(level.record)
    if heights is None:
        raise LevelError(f"The grid '{level.name}' has no solution.")
    open_cells = np.flatnonzero(np.array(givens_of(level.record)) == 0)
    givens = heights.ravel().copy()
    givens[np_random.permutation(open_cells)[:empty]] = 0
    return _level(len(heights), np.array(clues_of(level.record)), givens, None)


def _paper_like(np_random: np.random.Generator, size: int) -> Level:
    """All clues of a random square, and no givens: often there are several solutions."""
    clues = seen_from_edges(random_square(np_random, size))
    return _level(size, clues, np.zeros(size**2, np.int64), None)


WRITTEN = "; Written by python -m puzzle_envs.skyscraper.generator"

HEADS = {
    "paper-like": "; All clues and no givens, as in the paper; a grid may have several solutions.",
    "sparse": "; Grids with one solution each, those of many hard ones that took the most guesses.",
}
"""File headers of sets, where they differ."""

OF_LADDER = {
    TWINS: "; Pairs of a grid with one solution and one without that differs in one clue.",
    **dict.fromkeys(EVOLVED, "; All clues of squares evolved to need many guesses; their plans."),
}
"""The same for the splits of a bin."""

UNIQUE = "; Grids with one solution each; no two are the same turned or mirrored."


def _head(name: str) -> str:
    split, _, bin = name.partition("/")
    return OF_LADDER.get(bin, UNIQUE) if split in MEASURED else HEADS.get(name, UNIQUE)


def _sets() -> dict[str, list[Level]]:
    """All sets; some have grids of several sizes."""
    sets: dict[str, list[Level]] = {}
    for size in GRADED:
        for name, level in level_sets(size):
            sets.setdefault(name, []).append(level)
    return sets


GENERATOR = Generator(
    bins=(*BINS, *EVOLVED, TWINS),
    draw=draw,
    canonical=canonical,
    parts={
        "graded": _sets,
        **{bin: partial(ladder_levels, bin) for bin in (*EVOLVED, TWINS)},
    },
    head=lambda name: f"{_head(name)}\n{WRITTEN}\n",
    begun=begun,
)

if __name__ == "__main__":
    write_sets(PUZZLE)
