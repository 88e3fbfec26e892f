"""Grids of 16x16: a height takes a fifth bit, and the pairs of some clues more than a word."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import gymnasium
import numpy as np
import pytest

from puzzle_agents.evolution.skyscraper import SkyscraperGA
from puzzle_agents.evolution.skyscraper_annealing import grid_cost
from puzzle_agents.papers.skyscraper.fitness import rate
from puzzle_agents.registry import make as make_agent
from puzzle_envs.skyscraper.evolved import seen_from_edges
from puzzle_envs.skyscraper.exact import ExactSearch, count_solutions
from puzzle_envs.skyscraper.generator import begun, random_square
from puzzle_envs.skyscraper.level import FORMAT, clues_of, givens_of, pack, towers_id
from puzzle_envs.skyscraper.lines import in_one_word, lines_of
from puzzle_envs.states.chance import new_chance
from tests.skyscraper.boards import Board
from tests.skyscraper.test_rules import make, play
from tests.skyscraper.twin import Twin

SIZE = 16


@cache
def square() -> np.ndarray:
    return random_square(np.random.default_rng(1), SIZE)


def board(empty: int) -> Board:
    """A grid with so many cells empty, as hypothesis would draw it."""
    random = np.random.default_rng(empty)
    givens = square().ravel().copy()
    givens[random.permutation(SIZE**2)[:empty]] = 0
    rows = FORMAT.write(pack(SIZE, seen_from_edges(square()).tolist(), givens.tolist()))
    return Board(tuple(rows), "consistent", tuple(map(tuple, square().tolist())))


@pytest.mark.parametrize("empty", [256, 60, 3])
def test_play_agrees_with_the_twin(empty: int) -> None:
    one = board(empty)
    picks = np.random.default_rng(0).integers(0, 1 << 16, 24).tolist()
    play(make(one), one.twin(), picks)


def test_a_small_grid_beside_it_plays_as_the_twin_does() -> None:
    small = Board(("  3 . .", ". . . . .", ". . 1 . .", "1 . . . .", "  . . ."), "writes", ())
    twin = Twin.from_rows(small.rows, mask="writes", largest=SIZE)
    play(make(small, board(9)), twin, list(range(7, 300, 29)))


def test_every_height_is_written_over_by_every_other() -> None:
    one = replace(board(1), mask="writes")
    at = givens_of(FORMAT.find(one.text)[0].record).index(0)
    env, twin = make(one), one.twin()
    env.reset()
    wrong = [height for height in range(SIZE, 0, -1) if height != square().ravel()[at]]
    for height in [*wrong, wrong[0]]:
        action = at * SIZE + height - 1
        info = env.step(action)[4]
        twin.act(action)
        assert info["fitness"] == twin.fitness and env.set_state(env.get_state())


def test_text_and_id_come_back() -> None:
    record = FORMAT.find(board(100).text)[0].record
    assert givens_of(record).count(0) == 100 and max(givens_of(record)) == SIZE
    assert FORMAT.find(towers_id(record))[0].record == record


@pytest.mark.parametrize("agent", ["astar", "skyscraper-exact", "skyscraper-ga"])
def test_agents_solve_what_is_nearly_filled(agent: str) -> None:
    env = gymnasium.make("Skyscraper-v0", level=board(30).text)
    env.reset()
    result = make_agent(agent).solve(env)
    assert (result.status, result.moves) == ("solved", 30)


def test_genomes_are_rated_as_the_twin_does() -> None:
    random = np.random.default_rng(2)
    one = board(256)
    twin = one.twin()
    genomes = random.integers(1, SIZE + 1, (3, SIZE**2)).astype(np.uint8)
    genomes[0] = square().ravel()
    scores = np.zeros(3)
    clues = np.array(clues_of(FORMAT.find(one.text)[0].record), np.int64).reshape(4, SIZE)
    rate(genomes, SIZE, clues, scores)
    for genome, score in zip(genomes, scores, strict=True):
        twin.values = {divmod(cell, SIZE): int(height) for cell, height in enumerate(genome)}
        assert score == twin.fitness
    assert grid_cost(genomes, 0, SIZE, clues) == 0 < grid_cost(genomes, 1, SIZE, clues)


def test_rows_are_drawn_with_all_sixteen_heights() -> None:
    env = make(board(256))
    env.reset()
    species = SkyscraperGA()._species(env)
    genomes = np.zeros((4, SIZE**2), np.uint8)
    species.populate(genomes, new_chance(0))
    assert (np.sort(genomes.reshape(-1, SIZE), axis=1) == np.arange(1, SIZE + 1)).all()


@pytest.mark.parametrize("left", range(6, 12))
def test_clues_whose_pairs_take_more_than_a_word(left: int) -> None:
    """Up to the tallest all heights rise, behind it all fall: in every such row there is one 16."""
    right = SIZE + 1 - left
    assert not in_one_word(left, right) and in_one_word(5, 12)
    openings = lines_of(SIZE).openings[left, right]
    assert int(openings[-1]) == 1 << left - 1
    clues = [0] * (4 * SIZE)
    clues[2 * SIZE], clues[3 * SIZE] = left, right
    search = ExactSearch(SIZE)
    search.load(clues, [0] * SIZE**2)
    assert search.run()
    assert search.solution is not None
    row = search.solution[0]
    assert (np.diff(row[:left]) > 0).all() and (np.diff(row[left - 1 :]) < 0).all()


@pytest.mark.parametrize(("left", "solutions"), [(8, 1), (7, 0), (9, 0)])
def test_such_clues_are_met_by_a_whole_row_or_refuted(left: int, solutions: int) -> None:
    row = [*range(2, 16, 2), 16, *range(15, 0, -2)]  # 8 seen from the left, 9 from the right
    rest = [[row[(at + shift) % SIZE] for at in range(SIZE)] for shift in range(1, SIZE)]
    givens, clues = np.array([row, *rest]), [0] * (4 * SIZE)
    clues[2 * SIZE], clues[3 * SIZE] = left, 9
    givens[0, ::2], givens[5, ::2] = 0, 0
    assert count_solutions(SIZE, clues, givens.ravel()) == solutions


def test_most_of_a_solution_can_be_given() -> None:
    level = FORMAT.find(board(40).text)[0]
    assert givens_of(begun(np.random.default_rng(0), level, 5).record).count(0) == 5
