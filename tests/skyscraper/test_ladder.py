"""Evolved grids, pairs of solvable and unsolvable ones, and the sets of both."""

from __future__ import annotations

import numpy as np
import pytest

from puzzle_envs.generation import MEASURED
from puzzle_envs.level import Level
from puzzle_envs.skyscraper.evolved import EVOLVED, Evolution, evolve, seen_from_edges
from puzzle_envs.skyscraper.exact import ExactSearch, count_solutions
from puzzle_envs.skyscraper.generator import (
    SEED,
    draw,
    random_square,
    twins,
)
from puzzle_envs.skyscraper.level import FORMAT, clues_of, givens_of

SPLITS = ("validation", "test")


def random(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def guesses(level: Level) -> int:
    """How many the first solution takes, 1000 at most."""
    size = int(level.record["size"])
    search = ExactSearch(size)
    search.load(clues_of(level.record), givens_of(level.record))
    search.run(1, 1000)
    return search.nodes


@pytest.mark.parametrize("bin", ["8x8", "10x10"])
def test_an_evolved_grid_shows_the_clues_of_its_plan(bin: str) -> None:
    level = draw(random(), bin)
    size = int(level.record["size"])
    square = np.array(level.plan).reshape(size, size) % size + 1
    heights = np.arange(1, size + 1)
    assert (np.sort(square, axis=0) == heights[:, None]).all()
    assert (np.sort(square, axis=1) == heights).all()
    assert seen_from_edges(square).tolist() == clues_of(level.record)
    assert not any(givens_of(level.record)) and level.optimum == size**2
    assert guesses(level) >= EVOLVED[bin].least


def test_evolution_makes_grids_harder() -> None:
    """Beside grids that are annealed alone, and random ones."""
    changed = EVOLVED["8x8"]
    annealed = changed._replace(changes=0, least=0)
    plain = Evolution(8, 0, 0, 100, 0)
    search = ExactSearch(8)

    def median(evolution: Evolution) -> float:
        counts = []
        for seed in range(15):
            clues = seen_from_edges(evolve(random(seed), evolution))
            search.load(clues, np.zeros(64, np.int64))
            search.run(1)
            counts.append(search.nodes)
        return float(np.median(counts))

    assert median(changed) > median(annealed) + 5
    assert (
        seen_from_edges(evolve(random(), annealed)).sum()
        > seen_from_edges(evolve(random(), plain)).sum()
    )


@pytest.mark.parametrize("seed", range(3))
def test_twins_differ_in_one_clue(seed: int) -> None:
    with_solution, without = twins(random(seed))
    assert (with_solution.solvable, without.solvable) == (True, False)
    one, other = (clues_of(level.record) for level in (with_solution, without))
    changes = [abs(clue - wrong) for clue, wrong in zip(one, other, strict=True) if clue != wrong]
    assert changes == [1] and givens_of(with_solution.record) == givens_of(without.record)
    for level, solutions in ((with_solution, 1), (without, 0)):
        record = level.record
        assert count_solutions(7, clues_of(record), givens_of(record)) == solutions


def test_small_grids_come_a_hundred_a_second() -> None:
    """On one core of ours more than 300; the machine may be busy, so CPU time counts."""
    from time import process_time

    np_random = random()
    draw(np_random, "7x7")
    begun = process_time()
    for _ in range(100):
        draw(np_random, "7x7")
    assert process_time() - begun < 1


# --- the sets ---------------------------------------------------------------------------------


def test_a_random_square_is_no_evolved_one() -> None:
    levels = FORMAT.find("test/16x16")
    plain = [seen_from_edges(random_square(random(seed), 16)).sum() for seed in range(10)]
    assert min(sum(clues_of(level.record)) for level in levels) > max(plain)


@pytest.mark.parametrize("bin", EVOLVED)
def test_the_splits(bin: str) -> None:
    for split, count in MEASURED.items():
        levels = FORMAT.find(f"{split}/{bin}")
        assert len(levels) == count
        for level in levels:
            assert int(level.record["size"]) == EVOLVED[bin].size
            assert all(clues_of(level.record)) and not any(givens_of(level.record))
            assert len(level.plan) == level.optimum == EVOLVED[bin].size ** 2


@pytest.mark.parametrize("bin", ["12x12", "16x16-hard"])
def test_the_seed_gives_the_first_grid_again(bin: str) -> None:
    for split, count in MEASURED.items():
        drawn = draw(np.random.default_rng((SEED, count, len(bin), *bin.encode())), bin)
        stored = FORMAT.find(f"{split}/{bin}")[0]
        assert FORMAT.write(drawn.record) == FORMAT.write(stored.record)
        assert drawn.plan == stored.plan


def test_propagation_leaves_hard_grids_open() -> None:
    search = ExactSearch(16)
    for level in FORMAT.find("validation/16x16-hard"):
        search.load(clues_of(level.record), givens_of(level.record))
        search.run(1, 0)
        assert search.candidates >= EVOLVED["16x16-hard"].unclear
