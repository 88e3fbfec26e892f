"""The genetic algorithms for Skyscraper: the paper's and ours."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzle_agents
from puzzle_agents import Budget, Status
from puzzle_agents.environments import make_env
from puzzle_agents.evolution.agent import EvolutionAgent
from puzzle_agents.evolution.population import Genomes
from puzzle_agents.evolution.skyscraper import SkyscraperGA, heights_allowed
from puzzle_agents.evolution.skyscraper_annealing import Grid, Schedule, anneal_all, grid_cost
from puzzle_agents.evolution.skyscraper_rows import cross_rows, draw_rows
from puzzle_agents.papers.skyscraper.fitness import rate
from puzzle_agents.papers.skyscraper.genetic import SkyscraperPaperGA
from puzzle_agents.papers.skyscraper.operators import (
    cross_at_row,
    draw_grids,
    mutate_cells,
)
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.skyscraper.level import FORMAT
from puzzle_envs.states.chance import new_chance
from tests.skyscraper.boards import Board, boards
from tests.skyscraper.twin import Twin, cells
from tests.walks import replayed

NAMES = ["skyscraper-ga", "skyscraper-ga-paper"]
UNSOLVABLE = "1 1 1 . . . . . . . . ."
"""Three columns that each begin with the tallest."""
UNSOLVABLE_IN_SECRET = "2 2 2 2 . . . . . . . . . . . ."
"""The tallest building of the first row hides all of its column."""


def env_of(level: str, mask: str = "writes", **arguments: Any) -> PuzzleEnv:
    return make_env("Skyscraper-v0", level, mask=mask, **arguments)


def clues_and_givens(twin: Twin) -> tuple[np.ndarray, np.ndarray]:
    clues = np.array([twin.top, twin.bottom, twin.left, twin.right], np.int64)
    givens = [twin.givens.get(cell, 0) for cell in cells(twin.size)]
    return clues, np.array(givens, np.uint8)


def filled(twin: Twin, grid: np.ndarray) -> Twin:
    """The twin with these heights, the givens among them or not."""
    copied = twin.copy()
    copied.values = dict(zip(cells(twin.size), grid.tolist(), strict=True))
    return copied


def random_grids(twin: Twin, seed: int, count: int = 5) -> Genomes:
    """Rows of a kind: any heights in some, a permutation in others."""
    random = np.random.default_rng(seed)
    n = twin.size
    rows = [
        random.permutation(n) + 1 if random.random() < 0.5 else random.integers(1, n + 1, n)
        for _ in range(count * n)
    ]
    return np.array(rows, np.uint8).reshape(count, n * n)


# --- the paper's fitness and operators --------------------------------------------------------


@given(boards(max_size=6), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_fitness_is_the_twins(board: Board, seed: int) -> None:
    twin = board.twin()
    clues, _ = clues_and_givens(twin)
    genomes = random_grids(twin, seed)
    scores = np.zeros(len(genomes))
    rate(genomes, twin.size, clues, scores)
    for genome, score in zip(genomes, scores, strict=True):
        assert score == filled(twin, genome).fitness
    solution = np.array(board.square, np.uint8).reshape(1, -1)
    rate(solution, twin.size, clues, scores)
    assert scores[0] == filled(twin, solution[0]).fitness


def test_fitness_is_what_the_environment_says() -> None:
    env = env_of("9x9/hard-1")
    agent = SkyscraperPaperGA(Budget(expansions=1))
    species = agent._species(env)
    genomes, scores = np.zeros((1, 81), np.uint8), np.zeros(1)
    species.populate(genomes, new_chance(1))
    assert species.evaluate(genomes, scores, 1, new_chance(0)) == 1
    info: dict[str, Any] = {}
    given = env.level.record["given"]
    for cell, height in enumerate(genomes[0].tolist()):
        if not int(given[cell // 64]) >> cell % 64 & 1:
            info = env.step(cell * 9 + height - 1)[4]
    assert info["fitness"] == scores[0] < 0


def test_heights_out_of_range_are_faults_and_are_seen() -> None:
    """Algorithm 3 counts them in both scans; Algorithm 4 knows nothing of a range."""
    clues = np.array([[0, 0, 0], [0, 0, 0], [3, 0, 0], [0, 0, 0]], np.int64)
    grid = np.array([[1, 2, 5, 2, 3, 1, 3, 1, 2]], np.uint8)
    scores = np.zeros(1)
    rate(grid, 3, clues, scores)
    assert scores[0] == -2


GIVENS = np.array([0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1], np.uint8)


def kept(genomes: Genomes) -> bool:
    return bool((genomes[:, GIVENS != 0] == GIVENS[GIVENS != 0]).all())


def drawn(count: int, seed: int = 0) -> Genomes:
    genomes = np.zeros((count, 16), np.uint8)
    draw_grids(genomes, 4, GIVENS, new_chance(seed))
    return genomes


def test_grids_are_drawn_with_all_heights_and_their_givens() -> None:
    genomes = drawn(500)
    assert kept(genomes)
    free = genomes[:, GIVENS == 0]
    assert set(free.ravel().tolist()) == {1, 2, 3, 4}
    assert abs(free.mean() - 2.5) < 0.1


def test_grids_are_crossed_at_rows() -> None:
    genomes = np.repeat(np.array([[1], [2]], np.uint8), 16, axis=1)
    count = 801
    children = np.zeros((count, 16), np.uint8)
    cross_at_row(genomes, np.tile([0, 1], count), 4, 0.9, new_chance(0), children)
    rows = children.reshape(count, 4, 4)
    assert (rows == rows[:, :, :1]).all()
    of_first = (rows[::2, :, 0] == 1).sum(axis=1)
    shares = np.bincount(of_first, minlength=5) / of_first.size
    assert np.abs(shares - [*[0.9 / 4] * 4, 0.1]).max() < 0.06
    assert (children[0:800:2] + children[1:800:2] == 3).all()


def test_grids_that_are_not_crossed_are_copies() -> None:
    genomes = drawn(2)
    children = np.zeros((11, 16), np.uint8)
    cross_at_row(genomes, np.tile([0, 1], 10), 4, 0.0, new_chance(0), children)
    assert (children[0::2] == genomes[0]).all() and (children[1::2] == genomes[1]).all()


def test_mutation_is_as_frequent_as_it_should_be() -> None:
    children = drawn(3000)
    children[:, GIVENS == 0] = 14
    mutate_cells(children, 4, 0.09, GIVENS, new_chance(0))
    assert kept(children)
    free = children[:, GIVENS == 0]
    assert abs((free != 14).mean() - 0.09) < 0.01
    assert set(free[free != 14].tolist()) == {1, 2, 3, 4}


def test_the_papers_budget_and_patience() -> None:
    env = env_of("sparse/7x7-5")
    result = SkyscraperPaperGA(generations=45).solve(env)
    assert (result.status, result.evaluated) == (Status.GAVE_UP, 45 * 380)
    agent = SkyscraperPaperGA(patience=30)
    result = agent.solve(env)
    assert result.status == Status.GAVE_UP and len(agent.history) < 4500
    best = [generation.best for generation in agent.history]
    assert best[-31] == best[-1] > best[-32]


# --- ours -------------------------------------------------------------------------------------


def cost(twin: Twin, grid: np.ndarray) -> int:
    """What annealing goes down on, from the twin's lines."""
    grids = filled(twin, grid)
    rows = grids.grid()
    lines = [*rows, *zip(*rows, strict=True)]
    repeats = sum(twin.size - len(set(line)) for line in lines)
    return repeats + sum(abs(clue - number) for clue, number in grids.clues)


def permutations(genomes: Genomes, n: int) -> bool:
    return bool((np.sort(genomes.reshape(-1, n), axis=1) == np.arange(1, n + 1)).all())


def allowed_in(genomes: Genomes, allowed: np.ndarray) -> bool:
    return bool(((allowed >> genomes.astype(np.uint64)) & np.uint64(1)).all())


@given(boards(max_size=6), st.integers(0, 2**32), st.booleans())
@settings(max_examples=60, deadline=None)
def test_rows_stay_permutations_of_what_is_allowed(board: Board, seed: int, pruned: bool) -> None:
    twin, chance = board.twin(), new_chance(seed)
    n = twin.size
    clues, givens = clues_and_givens(twin)
    allowed = heights_allowed(FORMAT.find(board.text)[0].record, pruned=pruned)
    if allowed is None:
        assert n > 4 or not twin.solutions()
        return
    genomes, scores = np.zeros((8, n * n), np.uint8), np.zeros(8)
    if not draw_rows(genomes, n, allowed, chance):
        assert n > 4 or not twin.solutions()
        return
    assert permutations(genomes, n) and allowed_in(genomes, allowed)
    children = np.zeros_like(genomes)
    cross_rows(genomes, np.arange(16) % 8, n, 0.9, 0.5, chance, children)
    assert permutations(children, n) and allowed_in(children, allowed)
    several = np.flatnonzero(allowed & (allowed - np.uint64(1))).astype(np.uint8)
    grid, schedule = Grid(n, clues, allowed, several), Schedule(0.9, 0.6, 0.3)
    spent = anneal_all(children, grid, schedule, 50, 330, chance, scores)
    assert spent <= 330
    assert permutations(children, n) and allowed_in(children, allowed)
    assert ((givens == 0) | (givens == children)).all()
    rated = np.flatnonzero(scores < 0) if spent == 330 else np.arange(1)
    for index in rated.tolist():
        assert -scores[index] == cost(twin, children[index])
        assert -scores[index] == grid_cost(children, index, n, clues)


@given(boards(max_size=4))
@settings(max_examples=25, deadline=None)
def test_no_solution_is_pruned(board: Board) -> None:
    allowed = heights_allowed(FORMAT.find(board.text)[0].record, pruned=True)
    for solution in board.twin().solutions():
        assert allowed is not None
        assert allowed_in(np.array(solution, np.uint8).reshape(1, -1), allowed)


def test_annealing_brings_costs_down() -> None:
    record = FORMAT.find("paper-like/9x9-1")[0].record
    species = SkyscraperGA(population=10)._species(env_of("paper-like/9x9-1"))
    allowed = heights_allowed(record, pruned=True)
    assert allowed is not None
    genomes, scores, chance = np.zeros((10, 81), np.uint8), np.zeros(10), new_chance(0)
    species.populate(genomes, chance)
    before = [species.cost(genome) for genome in genomes]
    assert species.evaluate(genomes, scores, 10**6, chance) <= 40_000
    after = [species.cost(genome) for genome in genomes]
    assert max(after) < min(before) / 2
    assert scores[0] == -after[0]


def test_a_row_is_drawn_wherever_there_is_one() -> None:
    """A chain of cells with two heights each: the first choice settles all."""
    n = 6
    allowed = np.full((n, n), 2 ** (n + 1) - 2, np.uint64)
    for column in range(n):
        allowed[2, column] = 1 << (column + 1) | 1 << ((column + 1) % n + 1)
    genomes = np.zeros((200, n * n), np.uint8)
    assert draw_rows(genomes, n, allowed.ravel(), new_chance(0))
    assert permutations(genomes, n) and allowed_in(genomes, allowed.ravel())
    assert len({tuple(row) for row in genomes[:, 12:18].tolist()}) == 2
    allowed[2, :3] = 0b110
    assert not draw_rows(genomes, n, allowed.ravel(), new_chance(0))


def test_hard_grids_are_solved_within_the_papers_budget() -> None:
    for name in ("paper-like/8x8-1", "paper-like/9x9-1", "sparse/7x7-3"):
        result = SkyscraperGA(Budget(expansions=1_710_000)).solve(env_of(name))
        assert result.solved and result.evaluated <= 1_710_000


def test_what_propagation_leaves_open_is_up_to_chance() -> None:
    """With all cells known at once, one evaluation; without pruning, many."""
    env = env_of("paper-like/4x4-1")
    assert SkyscraperGA().solve(env).evaluated == 1
    assert SkyscraperGA(pruned=False).solve(env).evaluated > 1


def test_an_island_that_has_come_to_a_stop_begins_anew() -> None:
    """Without annealing chance alone makes all grids alike in some generations."""
    agent = SkyscraperGA(pruned=False, generations=100, population=10, steps=1, restart=40)
    agent.solve(env_of(UNSOLVABLE_IN_SECRET))
    diversities = np.array([generation.diversity for generation in agent.history])
    begun_anew = np.flatnonzero(np.diff(diversities) > 0.3) + 1
    assert begun_anew.size >= 1 and begun_anew[0] > 40
    assert diversities[begun_anew[0] - 1] < 0.1 < 0.5 < diversities[begun_anew[0]]


# --- both -------------------------------------------------------------------------------------


def solver_of(name: str) -> EvolutionAgent[Any]:
    """One that solves 4x4/average-1: with the paper's parameters all grids are soon alike."""
    patient: dict[str, Any] = {"population": 1000, "tournament": 3}
    return agent_of(name, **(patient if "paper" in name else {}))


def agent_of(name: str, budget: Budget | None = None, **arguments: Any) -> EvolutionAgent[Any]:
    agent = puzzle_agents.make(name, budget, **arguments)
    assert isinstance(agent, EvolutionAgent)
    return agent


@pytest.mark.parametrize("islands", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_what_comes_of_it_depends_on_the_seed(name: str, islands: int) -> None:
    env = env_of("sparse/7x7-5")
    runs = []
    for seed in (1, 1, 2):
        agent = agent_of(name, Budget(expansions=20_000), seed=seed, islands=islands)
        result = agent.solve(env)
        runs.append((agent.history, result.actions, result.evaluated))
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("name", NAMES)
def test_budgets_are_kept(name: str) -> None:
    env = env_of("sparse/9x9-5")
    for islands in (1, 2):
        for expansions in (1, 379, 12_345):
            result = agent_of(name, Budget(expansions=expansions), islands=islands).solve(env)
            assert (result.status, result.evaluated) == (Status.GAVE_UP, expansions)
            assert result.expanded == expansions
    unpruned: dict[str, Any] = {} if "paper" in name else {"pruned": False}
    late = agent_of(name, Budget(seconds=0.1), generations=None, **unpruned).solve(
        env_of(UNSOLVABLE)
    )
    assert late.status == Status.OUT_OF_TIME and 0.1 < late.seconds < 2


@pytest.mark.parametrize("name", NAMES)
def test_unsolvable_levels_are_given_up(name: str) -> None:
    for level in (UNSOLVABLE, UNSOLVABLE_IN_SECRET):
        result = agent_of(name, Budget(expansions=50_000)).solve(env_of(level))
        assert (result.status, result.actions, result.moves) == (Status.GAVE_UP, [], None)


@pytest.mark.parametrize("mask", ["writes", "consistent", "empty"])
@pytest.mark.parametrize("name", NAMES)
def test_in_the_midst_of_an_episode(name: str, mask: str) -> None:
    """Only what the level gives is fixed, whatever has been written."""
    random = np.random.default_rng(0)
    for steps in (0, 3, 12):
        env = env_of("4x4/average-1", mask)
        for _ in range(steps):
            env.step(int(random.choice(np.flatnonzero(env.action_masks()))))
        before = env.get_state()
        result = solver_of(name).solve(env)
        assert result.solved and env.get_state() == before
        assert replayed(env, result.actions)["moves"] == before.moves + len(result.actions)


@pytest.mark.parametrize("name", NAMES)
def test_a_solved_grid_takes_no_writes(name: str) -> None:
    env = env_of("4x4/average-1")
    for action in solver_of(name).solve(env).actions:
        env.step(action)
    result = solver_of(name).solve(env)
    assert (result.status, result.actions, result.moves) == (Status.SOLVED, [], 0)


@pytest.mark.parametrize("name", NAMES)
def test_grids_of_several_sizes(name: str) -> None:
    """Actions count with the largest grid of the set."""
    env = gymnasium.make("Skyscraper-v0", levels=["4x4/average-1", "9x9/easy-1"])
    env.reset(options={"level": "4x4/average-1"})
    assert solver_of(name).solve(env).solved
