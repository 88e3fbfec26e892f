"""The genetic algorithms for Zen Puzzle Garden: the paper's and ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzle_agents import Budget, Result, Status, make
from puzzle_agents.environments import make_env
from puzzle_agents.evolution.zen_garden import Plans, ZenGardenGA
from puzzle_agents.papers.zen_garden.genetic import Scripts, ZenGardenPaperGA
from puzzle_agents.papers.zen_garden.script import score
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.states.chance import new_chance
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.test_rules import level_text
from tests.zen_garden.test_rules import make as env_of
from tests.zen_garden.twin import AHEAD, LEFT, RIGHT, Twin

Clause = tuple[int, ...]


def clause(face: int, *pairs: int) -> Clause:
    """Face counted from 0, then pushes and turns; the rest are 0."""
    return (face, *pairs, *[0] * (16 - len(pairs)))


def scored(env: PuzzleEnv, script: Sequence[Clause], *, clauses: int = 20) -> tuple[float, int]:
    """The fitness of a script and its moves, -1 where it does not solve the level.

    A script that is too short goes on with its last clause, whose entrance is raked by then.
    """
    length = len(script[0])
    rows = [*script, *[script[-1]] * (clauses - len(script))]
    genes = np.array([[gene for row in rows for gene in row]], np.uint8)
    start = np.array(env.get_state().words, np.uint64)
    state, actions = np.zeros_like(start), np.zeros(2000, np.int64)
    moves, scores = np.zeros(1, np.int64), np.zeros(1)
    score(env.record, start, genes, length, state, actions, moves, scores)
    return float(scores[0]), int(moves[0])


@pytest.mark.parametrize(("columns", "expected"), [(3, 470), (4, 460), (5, 450), (6, 440)])
def test_fitness_of_solutions(columns: int, expected: int) -> None:
    """One column a move."""
    env = env_of("\n".join(["." * columns] * 2) + "\n")
    script = [clause(face) for face in range(columns)]
    assert scored(env, script) == (expected, columns)


def test_fitness_without_a_move_and_with_some_sand_left() -> None:
    rocks = env_of("#.\n.#\n")
    assert scored(rocks, [clause(0)]) == (200, -1)  # the face of a rock
    columns = env_of("\n".join(["." * 8] * 3) + "\n")
    assert scored(columns, [clause(face) for face in range(2)]) == (180 + 50, -1)
    four = env_of("....\n....\n")
    assert scored(four, [clause(0), clause(1)]) == (180 + 100, -1)
    wide = env_of("#..\n##.\n##.\n")
    assert scored(wide, [clause(2)]) == (190 + 150, -1)


def test_two_moves_that_leave_a_quarter() -> None:
    env = env_of("...\n...\n..#\n")
    # columns of 3, 3 and 2: two moves leave a quarter
    assert scored(env, [clause(0), clause(1)]) == (330, -1)


def test_a_dead_end_is_worth_nothing() -> None:
    """He enters from the north and is stuck on the second of two cells."""
    env = env_of("#.####\n#.####\n######\n####..\n")
    assert scored(env, [clause(1), clause(0)]) == (0, -1)


def performed(twin: Twin, script: Sequence[Clause]) -> tuple[int, bool]:
    """The rules text once more: moves, and whether he got stuck on sand."""
    moves = 0
    for face, *numbers in script:
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        if twin.monk is None:
            if face not in twin.legal():
                continue
            twin.act(face)
            moves += 1
        used = 0
        while twin.monk is not None:
            choices = [action - twin.faces for action in twin.legal()]
            if not choices:
                return moves, True
            if len(choices) == 1:
                twin.act(twin.faces + choices[0])
                continue
            pushes, turn = pairs[used % len(pairs)]
            used += 1
            if AHEAD in choices:
                for _ in range(pushes):
                    if twin.faces + AHEAD in twin.legal():
                        twin.act(twin.faces + AHEAD)
            turns = [way for way in (LEFT, RIGHT) if twin.faces + way in twin.legal()]
            if turns:
                twin.act(twin.faces + turns[min(turn, len(turns) - 1)])
    return moves, False


@given(boards(max_width=8, max_height=7), st.integers(0, 2**32 - 1), st.sampled_from((1, 2, 8)))
@settings(max_examples=150, deadline=None)
def test_scripts_against_the_twin(board: Board, seed: int, pairs: int) -> None:
    env = env_of(level_text(board.rows, board.switches))
    random = np.random.default_rng(seed)
    script = [
        (int(random.integers(board.faces)), *random.integers(0, (3, 2) * pairs).tolist())
        for _ in range(12)
    ]
    twin = board.twin()
    area = len(twin.unraked)
    moves, stuck = performed(twin, script)
    expected = 0.0
    if not stuck:
        share = 300 if twin.solved else 200 * (1 - len(twin.unraked) / area)
        expected = (12 - moves) * 200 / 12 + share
    found, solved_in = scored(env, script, clauses=12)
    assert found == pytest.approx(expected)
    assert solved_in == (moves if twin.solved else -1)


@given(boards(max_width=7, max_height=6), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_plans_that_solve_do_so_by_the_twin(board: Board, seed: int) -> None:
    """What `solution` says, and that its moves are those of the best score."""
    env = env_of(level_text(board.rows, board.switches))
    agent = ZenGardenGA(population=10)
    species = Plans(agent, env)
    genomes, scores = np.zeros((10, species.genes), np.uint8), np.zeros(10)
    chance = new_chance(seed)
    species.populate(genomes, chance)
    species.evaluate(genomes, scores, 10**9, chance)
    actions = species.solution()
    assert (actions is None) == (scores.max() < 0)
    if actions is None:
        return
    twin = board.twin()
    moves = sum(twin.act(action) for action in actions)
    assert twin.solved
    assert scores.max() == 300 - 10 * moves


@given(boards(max_width=4, max_height=4), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_what_is_remembered_is_a_bound(board: Board, seed: int) -> None:
    """No solution is refused: who goes on until the bound is reached has a shortest one."""
    env = env_of(level_text(board.rows, board.switches))
    found = make("zen-ga", seed=seed, generations=100).solve(env)
    best = make("astar").solve(env)
    if found.solved:
        assert found.moves is not None
        assert best.moves is not None
        assert found.moves >= best.moves
        if found.evaluated < 100 * 10:
            assert found.moves == best.moves
    if best.solved:
        assert found.solved


@pytest.mark.parametrize("level", ["first-steps/6", "leaves/2", "leaves/4", "rocks/4"])
def test_it_stops_where_memory_proves_the_solution_shortest(level: str) -> None:
    """The estimate of the start alone is less than the optimum."""
    env = env_of(level)
    result = make("zen-ga", generations=2000).solve(env)
    assert result.moves == env.puzzle.choose(level, None)[0].optimum
    assert result.evaluated < 2000 * 10


def both() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", ["zen-ga", "zen-ga-paper"])


def solve(name: str, env: PuzzleEnv, budget: Budget | None = None, **more: Any) -> Result:
    return make(name, budget, **more).solve(env)


@both()
@pytest.mark.parametrize(("level", "optimum"), [("rocks/1", 4), ("leaves/4", 4), ("mixed/7", 5)])
def test_it_solves_in_the_fewest_moves(name: str, level: str, optimum: int) -> None:
    assert solve(name, env_of(level), seed=1, stop_at=optimum).moves == optimum


@both()
def test_the_same_seed_gives_the_same_result(name: str) -> None:
    env = env_of("ornaments/8")
    agents = [make(name, seed=seed, generations=8) for seed in (3, 3, 4)]
    results = [agent.solve(env) for agent in agents]
    histories = [getattr(agent, "history", None) for agent in agents]
    assert results[0].actions == results[1].actions
    assert histories[0] == histories[1] != histories[2]


@both()
@pytest.mark.parametrize("expansions", [1, 30, 2345])
def test_a_budget_of_evaluations_is_kept(name: str, expansions: int) -> None:
    result = solve(name, env_of("rocks/18"), Budget(expansions=expansions))
    assert result.evaluated <= expansions
    assert result.evaluated >= expansions - 1


@both()
def test_a_budget_of_seconds_is_kept(name: str) -> None:
    budget = Budget(seconds=0.05)
    result = solve(name, env_of("rocks/24"), budget, generations=None)
    assert result.status == Status.OUT_OF_TIME
    assert result.seconds < 2


@both()
def test_a_level_without_a_solution(name: str) -> None:
    result = solve(name, env_of("rocks/24"), generations=10)
    assert (result.status, result.actions, result.moves) == (Status.GAVE_UP, [], None)


@both()
def test_from_the_midst_of_a_walk(name: str) -> None:
    """He stands on sand: that walk is finished first and costs nothing more."""
    env = env_of("first-steps/9")
    _, _, _, _, info = env.step(1)
    assert info["action_mask"][env.action_space.n - 3 :].any()
    result = solve(name, env, generations=60)
    assert result.solved


@both()
def test_a_garden_beside_a_larger_one(name: str) -> None:
    env = make_env("ZenGarden-v0", levels=["first-steps/2", "rocks/18"])
    env.reset(options={"level": 0})
    assert solve(name, env, stop_at=3).moves == 3


@both()
@pytest.mark.parametrize("stop_at", [20, 21, 25, 10**6])
def test_to_stop_at_more_moves_than_a_plan_has_takes_the_first_solution(
    name: str, stop_at: int
) -> None:
    for level in ("rocks/1", "mixed/7", "rocks/24"):
        result = solve(name, env_of(level), clauses=20, stop_at=stop_at, generations=30)
        assert result.solved == (result.moves is not None)


def test_the_values_of_a_script_depend_on_the_board() -> None:
    species = Scripts(ZenGardenPaperGA(population=400), env_of("leaves/5"))  # 6 by 5
    genomes: npt.NDArray[np.uint8] = np.zeros((400, species.genes), np.uint8)
    species.populate(genomes, new_chance(0))
    assert genomes.reshape(-1, 17).max(axis=0).tolist() == [21, *[4, 1] * 8]


def test_the_papers_algorithm_never_loses_its_best() -> None:
    agent = ZenGardenPaperGA(population=200, generations=30)
    result = agent.solve(env_of("rocks/3"))
    assert result.solved
    bests = [generation.best for generation in agent.history]
    assert bests == sorted(bests)
    assert 0 < agent.found_after <= result.evaluated


def test_the_pool_keeps_the_best_and_copies_the_very_best() -> None:
    agent = ZenGardenPaperGA(population=100, generations=2)
    species = Scripts(agent, env_of("rocks/1"))
    chance = new_chance(0)
    genomes, scores = np.zeros((100, species.genes), np.uint8), np.zeros(100)
    species.populate(genomes, chance)
    species.evaluate(genomes, scores, 10**9, chance)
    before = np.sort(scores)[::-1].copy()
    species.breed(genomes, scores, np.zeros_like(genomes), chance)
    count = species.evaluate(genomes, scores, 10**9, chance)
    assert 70 < count <= 170  # 70 crossed, and a changed copy of most of 100
    assert (scores[:95] >= before[:95]).all()
    assert scores[95:].tolist() == scores[:5].tolist()


@pytest.mark.parametrize("agent", [ZenGardenGA, ZenGardenPaperGA])
@pytest.mark.parametrize("single", [{"clauses": 1}, {"population": 1}])
def test_crossover_takes_two(agent: Any, single: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="One-point crossover takes at least 2"):
        agent(**single)
