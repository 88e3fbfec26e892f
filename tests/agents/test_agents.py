"""What every agent promises, and breadth-first search against the plain-Python twin."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings

import puzzle_agents
from puzzle_agents import Agent, BreadthFirst, Budget, RandomPlay, Result, Status
from puzzle_agents.agent import FIRST_SLICE
from puzzle_agents.environments import make_env
from puzzle_agents.progress import Progress
from puzzle_envs.env import PuzzleEnv
from tests.walks import replayed
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.search import optimum
from tests.zen_garden.test_rules import level_text, make

GENERAL = ["random", "bfs"]
"""The agents that take any puzzle."""

UNSOLVABLE = "#.#\n###\n"
"""A pocket one cell wide: entering is fatal."""


def solve(agent: Agent, text: str) -> Result:
    return agent.solve(make(text))


@given(boards(max_width=4, max_height=3))
@settings(max_examples=150, deadline=None)
def test_breadth_first_search_agrees_with_the_twin(board: Board) -> None:
    result = solve(BreadthFirst(), level_text(board.rows, board.switches))
    expected = optimum(board.twin())
    if expected is None:
        assert result.status == Status.UNSOLVABLE
    else:
        assert (result.status, result.moves) == (Status.SOLVED, expected)
        assert result.proved_optimal


@pytest.mark.parametrize("name", GENERAL)
def test_an_agent_leaves_the_environment_as_it_was(name: str) -> None:
    env = make("...\n...\n")
    env.reset(seed=3)
    before = (env.get_state(), env.np_random.bit_generator.state)
    result = puzzle_agents.make(name).solve(env)
    assert (env.get_state(), env.np_random.bit_generator.state) == before
    assert result.solved
    assert replayed(env, result.actions)["moves"] == result.moves


@pytest.mark.parametrize("name", GENERAL)
def test_an_agent_plans_from_where_the_environment_stands(name: str) -> None:
    """In the middle of a walk, whose move is already counted, and through wrappers."""
    env = gymnasium.make("ZenGarden-v0", level=".#.\n...\n")
    env.reset()
    env.step(0)
    puzzle_env = env.unwrapped
    assert isinstance(puzzle_env, PuzzleEnv)
    begun = puzzle_env.get_state().moves
    result = puzzle_agents.make(name).solve(env)
    assert result.solved and result.moves is not None
    assert replayed(env, result.actions)["moves"] == begun + result.moves


def test_a_solved_environment_needs_no_actions() -> None:
    env = make(".")
    env.step(0)
    for agent in (BreadthFirst(), RandomPlay()):
        result = agent.solve(env)
        assert (result.status, result.actions, result.moves) == (Status.SOLVED, [], 0)


def test_unsolvable_is_proved_only_by_search() -> None:
    assert solve(BreadthFirst(), UNSOLVABLE).status == Status.UNSOLVABLE
    result = solve(RandomPlay(Budget(seconds=0.2)), UNSOLVABLE)
    assert (result.status, result.actions, result.moves) == (Status.OUT_OF_TIME, [], None)


def test_budgets_are_kept() -> None:
    solve(BreadthFirst(), "...\n...\n")  # compiles, which no budget counts on
    board = "............\n" * 12
    late = solve(BreadthFirst(Budget(seconds=0.05)), board)
    assert late.status == Status.OUT_OF_TIME and late.seconds < 2
    few = solve(BreadthFirst(Budget(expansions=100)), board)
    assert few.status == Status.GAVE_UP and few.expanded == 100
    small = solve(BreadthFirst(Budget(memory="2 MiB")), board)
    assert small.status == Status.OUT_OF_MEMORY and small.peak_bytes <= 2 * 2**20
    some = solve(RandomPlay(Budget(expansions=50)), UNSOLVABLE)
    assert some.status == Status.GAVE_UP and some.expanded == 50


def test_slices_get_longer_only_where_states_were_expanded() -> None:
    """While a search only gets more memory, the time that an expansion takes is not known."""
    asked: list[int] = []

    def run(expansions: int) -> Status | None:
        asked.append(expansions)
        return Status.GAVE_UP if len(asked) == 10 else None

    counted = iter(Progress(expanded=max(0, count - 8)) for count in range(100))
    RandomPlay()._in_slices(run, lambda: next(counted))
    assert asked[:4] == [FIRST_SLICE] * 4 and asked[-1] > FIRST_SLICE


def test_random_play_gives_up_after_as_many_games_as_it_is_told() -> None:
    env = gymnasium.make("ZenGarden-v0", level="large/16")
    env.reset()
    one, ten = (RandomPlay(seed=1, games=games).solve(env) for games in (1, 10))
    assert (one.status, ten.status) == (Status.GAVE_UP, Status.GAVE_UP)
    assert one.expanded < ten.expanded < 2_000
    with pytest.raises(ValueError, match="games"):
        RandomPlay(games=0)


def test_random_play_depends_on_its_seed_alone() -> None:
    results = [solve(RandomPlay(seed=seed), "...\n...\n...\n").actions for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]


def test_counters_mean_what_they_say() -> None:
    result = solve(BreadthFirst(), "....\n" * 4)
    assert result.moves == 3
    assert result.unique <= result.generated + 1
    assert result.expanded <= result.unique
    assert result.peak_bytes > 0 and result.seconds > 0


def test_another_puzzle_is_searched_by_the_same_code() -> None:
    env = gymnasium.make("SlidingTiles-v0", level="867/254/3.1")
    env.reset()
    result = BreadthFirst().solve(env)
    assert result.solved and result.moves == len(result.actions) == 31
    assert result.proved_optimal


class Liar(Agent):
    """Claims what does not hold."""

    name = "liar"

    def __init__(self, actions: list[int], moves: int) -> None:
        super().__init__()
        self.claim = Result(Status.SOLVED, actions, moves)

    def _plan(self, env: PuzzleEnv) -> Result:
        return self.claim


@pytest.mark.parametrize(
    ("actions", "moves"),
    [([0], 2), ([0, 0], 2), ([], 0), ([1], 1)],
    ids=["wrong count", "illegal", "nothing", "unsolved"],
)
def test_a_plan_that_does_not_hold_is_never_returned(actions: list[int], moves: int) -> None:
    with pytest.raises(RuntimeError, match="The plan"):
        solve(Liar(actions, moves), ".\n.\n" if moves != 1 else "..\n..\n")


def test_agents_by_name() -> None:
    assert set(GENERAL) < set(puzzle_agents.names())
    for name in puzzle_agents.names():
        if name != "maskable-ppo" or find_spec("sb3_contrib"):
            assert puzzle_agents.make(name).name == name
    assert isinstance(puzzle_agents.make("bfs"), BreadthFirst)
    assert puzzle_agents.make("random", Budget(seconds=1), seed=4).budget.seconds == 1


def test_memory_is_read_in_units() -> None:
    assert [Budget(memory=text).bytes for text in ("2 GiB", "1.5GB", "500 MB", "1024 KiB")] == [
        2 * 2**30,
        1_500_000_000,
        500_000_000,
        2**20,
    ]


def test_a_search_goes_on_after_its_solution() -> None:
    """Stopping at the solution in the midst of a layer does not mix up the layers."""
    from puzzle_envs.states.exploration import Exploration
    from puzzle_envs.zen_garden import PUZZLE

    record = np.array([PUZZLE.format.find("....\n" * 4)[0].record])
    search = Exploration(PUZZLE, record, pruned=False)
    search.run()
    assert search.solved and search.moves == 3
    search.run(to_solution=False)
    assert search.layers == [1, 8, 96, 461, 606, 286, 52] and search.moves == 3


def test_known_counts_of_states() -> None:
    """Boards whose whole state spaces were counted before, with and without sideways pushes."""
    from puzzle_envs.states.exploration import Exploration
    from puzzle_envs.zen_garden import PUZZLE

    sample = ".....\n.B.B.\n.....\n.B...\n"
    for text, layers, moves in (
        ("....\n" * 4, [1, 8, 96, 461, 606, 286, 52], 3),
        (sample, 34_093, 3),
        ("; sideways-push: off\n" + sample, 24_338, 4),
    ):
        record = np.array([PUZZLE.format.find(text)[0].record])
        search = Exploration(PUZZLE, record, pruned=False)
        search.run(to_solution=False)
        assert search.exhausted and search.moves == moves
        assert layers in (search.layers, search.unique)


@pytest.mark.parametrize(
    ("width", "height"),
    [
        *((w, h) for w in range(1, 7) for h in range(w, 7)),
        *((2, 1), (4, 3), (9, 1), (1, 9), (8, 2), (2, 8), (7, 3), (3, 7), (6, 4)),
    ],
)
def test_empty_gardens_have_their_known_optimum(width: int, height: int) -> None:
    shorter = min(width, height)
    result = solve(BreadthFirst(), ("." * width + "\n") * height)
    assert result.moves == (1 if shorter == 1 else (shorter + 1) // 2 + 1)


@pytest.mark.parametrize("width", range(1, 8))
@pytest.mark.parametrize("depth", range(1, 6))
def test_sections_closed_on_three_sides(width: int, depth: int) -> None:
    """Of even width always solvable, of odd width w only to a depth of (w - 1) / 2."""
    wall = "#" * (width + 2)
    text = "\n".join(["#" + "." * width + "#"] * depth + [wall]) + "\n"
    expected = width % 2 == 0 or depth <= (width - 1) // 2
    assert solve(BreadthFirst(), text).solved == expected


@given(boards(max_width=5, max_height=4))
@settings(max_examples=150, deadline=None)
def test_no_state_on_the_way_to_a_solution_is_called_hopeless(board: Board) -> None:
    """With and without pruning: the same optimum, or the same proof that there is none."""
    from puzzle_envs.states.exploration import Exploration
    from puzzle_envs.zen_garden import PUZZLE

    record = np.array([PUZZLE.format.find(level_text(board.rows, board.switches))[0].record])
    found = []
    for pruned in (False, True):
        search = Exploration(PUZZLE, record, pruned=pruned)
        search.run()
        found.append(search.moves if search.solved else None)
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("agent", "id", "level", "options", "expansions"),
    [
        ("idastar", "HuaRongDao-v0", "classics/2", {"metric": "step"}, 100),
        # Too short a warm-up for a solution: the improvement is compiled without one.
        ("portfolio", "ZenGarden-v0", "test/14x14/1", {}, 8_000),
    ],
)
def test_warming_up_leaves_nothing_to_compile(
    agent: str, id: str, level: str, options: dict[str, str], expansions: int, tmp_path: Path
) -> None:
    """Nor does it change where the environment stands, or the agent."""
    code = f"""
import sys, puzzle_agents
from puzzle_agents import Budget
from puzzle_agents.environments import make_env
env = make_env({id!r}, {level!r}, **{options})
env.step(int(env.action_masks().argmax()))
agent = puzzle_agents.make({agent!r}, Budget(seconds=20, expansions={expansions}))
type(agent).warming = 2_000
before, budget = env.get_state(), agent.budget
agent.warm_up(env)
assert (env.get_state(), agent.budget) == (before, budget)
print("warm", file=sys.stderr)
print(agent.solve(env).status)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PUZZLE_ENVS_CACHE": str(tmp_path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    before, _, after = done.stderr.partition("warm\n")
    assert "compiling" in before and after == ""
    assert done.stdout == ("solved\n" if agent == "portfolio" else "gave up\n")


@pytest.mark.parametrize(
    ("agent", "package", "id", "level"),
    [
        ("kwirk-layers-astar", "numba", "Kwirk-v0", "test/40-79/1"),
        ("cp-sat", "ortools", "Skyscraper-v0", "test/16x16/1"),
    ],
)
def test_a_warm_up_ends_soon_though_no_expansion_does(
    agent: str, package: str, id: str, level: str
) -> None:
    pytest.importorskip(package, reason="needs the planners extra")
    warmed = puzzle_agents.make(agent)
    began = time.monotonic()
    warmed.warm_up(make_env(id, level))
    assert time.monotonic() - began < 60
