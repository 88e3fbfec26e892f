"""Plans made shorter: by `improve`, by agents with what is left of their budget, on the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import puzzle_agents
from puzzle_agents import Budget, Result, Status, improve
from puzzle_agents.cli.app import main
from puzzle_agents.environments import make_env
from puzzle_agents.search.portfolio import PortfolioResult
from puzzle_envs.env import PuzzleEnv
from tests.sliding_tiles import PUZZLE as SLIDING_TILES
from tests.walks import replayed

GOING_UP = Path(__file__).parents[3] / "shared" / "levels" / "kwirk_going_up"
FEW = Budget(None, expansions=30_000)


@pytest.fixture(autouse=True, scope="module")
def tiles() -> None:
    if "SlidingTiles-v0" not in gymnasium.registry:
        SLIDING_TILES.register()


def moves_of(env: PuzzleEnv, actions: Sequence[int]) -> int:
    """Play a solution."""
    actor = env.simulation(observation="planes")
    start = actor.get_state()
    actor.set_state(start)
    return int(replayed(actor, actions)["moves"]) - start.moves


CASES = [
    ("ZenGarden-v0", "mixed/4", {}, "dfs"),
    ("ZenGarden-v0", "large/2", {}, "beam"),
    ("HuaRongDao-v0", "classics/1", {}, "greedy"),
    ("HuaRongDao-v0", "classics/1", {"metric": "step"}, "greedy"),
    ("Kwirk-v0", "hard/3", {}, "dfs"),
    ("Kwirk-v0", "two/4", {}, "dfs"),
    ("KwirkSteps-v0", "easy/4", {}, "dfs"),
    ("KwirkSteps-v0", "two/2", {}, "dfs"),
    ("Skyscraper-v0", "4x4/easy-1", {}, "dfs"),
    ("SlidingTiles-v0", "724/5.6/831", {}, "greedy"),
]


@pytest.mark.parametrize(("id", "level", "options", "agent"), CASES)
def test_every_puzzle(id: str, level: str, options: dict[str, Any], agent: str) -> None:
    """A plan that holds, never longer, the same again, with a bound that is none too high."""
    env = make_env(id, level, **options)
    before = env.get_state()
    found = puzzle_agents.make(agent, Budget(None, expansions=200_000)).solve(env)
    assert found.moves is not None
    result, again = (improve(env, found.actions, FEW, seed=3) for _ in range(2))
    assert result.solved and result.moves == moves_of(env, result.actions) <= found.moves
    assert result.found_moves == found.moves
    assert bool(result.improved_by) == (result.moves < found.moves)
    assert (result.actions, result.expanded) == (again.actions, again.expanded)
    assert result.bound is not None and result.bound <= result.moves
    if env.level.optimum is not None:
        assert result.bound <= env.level.optimum <= result.moves
    assert env.get_state() == before


@pytest.mark.parametrize(("id", "level", "options", "_"), CASES)
def test_an_optimum_stays_one(id: str, level: str, options: dict[str, Any], _: str) -> None:
    env = make_env(id, level, **options)
    best = puzzle_agents.make("astar", Budget(None, expansions=2_000_000)).solve(env)
    assert best.proved_optimal
    result = improve(env, best.actions, FEW)
    assert (result.moves, result.improved_by) == (best.moves, "")


def test_small_levels_end_with_a_proof() -> None:
    env = make_env("Kwirk-v0", floor())
    found = puzzle_agents.make("dfs", Budget(None)).solve(env)
    result = improve(env, found.actions, Budget(None))
    best = puzzle_agents.make("astar", Budget(None)).solve(env)
    assert result.proved_optimal and result.moves == best.moves == result.bound


def floor() -> str:
    """The floor of hard/3, without what is known of it."""
    env = make_env("Kwirk-v0", "hard/3")
    return "\n".join(env.puzzle.format.write(env.level.record)) + "\n"


def test_needless_actions_and_loops_go() -> None:
    """A detour, there and back, before each move of an optimal plan."""
    env = make_env("SlidingTiles-v0", "125/348/67.")
    actions: list[int] = []
    actor = env.simulation()
    actor.reset()
    for _ in range(3):
        for action in range(int(actor.action_space.n)):
            state = actor.get_state()
            *_, info = actor.step(action)
            if info["illegal"] or info["solved"]:
                actor.set_state(state)
            else:
                actions.append(action)
                break
    actions += puzzle_agents.make("astar", Budget(None)).solve(actor).actions
    result = improve(env, actions, FEW)
    assert result.moves == puzzle_agents.make("astar", Budget(None)).solve(env).moves


@pytest.mark.skipif(not GOING_UP.exists(), reason="needs the floors of the paper")
@pytest.mark.parametrize(
    ("name", "agent", "most"), [("average-6", "bfws", 33), ("average-9", "bfws", 37)]
)
def test_floors_that_a_star_does_not_solve(name: str, agent: str, most: int) -> None:
    env = make_env("Kwirk-v0", str(GOING_UP / f"{name}.txt"))
    found = puzzle_agents.make(agent, Budget(None)).solve(env)
    result = improve(env, found.actions, Budget(None, expansions=1_000_000))
    assert result.moves is not None and result.moves <= most < (found.moves or 0)
    assert result.improved_by == "neighbourhoods"


# --- budgets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 7, 100, 5000])
def test_expansions_are_not_exceeded(limit: int) -> None:
    env = make_env("HuaRongDao-v0", "classics/1")
    found = puzzle_agents.make("greedy", Budget(None)).solve(env)
    result = improve(env, found.actions, Budget(None, expansions=limit))
    assert result.solved and result.expanded <= limit


def test_time_is_not_exceeded() -> None:
    env = make_env("HuaRongDao-v0", "hardest/6-0-1")
    found = puzzle_agents.make("greedy", Budget(None)).solve(env)
    improve(env, found.actions, FEW)  # compiles
    assert improve(env, found.actions, Budget(seconds=0.5)).seconds < 2


def test_plans_of_a_thousand_moves() -> None:
    """They take no longer than others to begin with, and become much shorter."""
    env = make_env("HuaRongDao-v0", "classics/1")
    found = puzzle_agents.make("dfs", Budget(None)).solve(env)
    assert found.moves is not None and found.moves > 1000
    result = improve(env, found.actions, Budget(None, expansions=200_000))
    assert result.moves is not None and result.moves < found.moves / 4


@pytest.mark.parametrize("memory", ["1 MiB", "4 MiB", "24 MiB"])
def test_memory_is_not_exceeded(memory: str) -> None:
    env = make_env("HuaRongDao-v0", "hardest/6-0-1")
    found = puzzle_agents.make("greedy", Budget(None)).solve(env)
    budget = Budget(None, memory=memory, expansions=300_000)
    result = improve(env, found.actions, budget)
    assert result.solved and result.peak_bytes <= budget.bytes


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda plan: plan[:-1], r"The plan of \d+ actions does not solve 'easy/1'"),
        (lambda plan: [], r"The plan of 0 actions does not solve 'easy/1'"),
        (lambda plan: [plan[0], plan[0], *plan], r"Action 2 \(\d+\) is illegal on 'easy/1'"),
        (
            lambda plan: [*plan, plan[0]],
            r"'easy/1' is already solved before action \d+; end the plan there",
        ),
        (lambda plan: [10**6, *plan], r"Action 1 is 1000000, and 'easy/1' has \d+ actions"),
        (lambda plan: [-1, *plan], "Action 1 must be at least 0, not -1"),
        (lambda plan: ["up", *plan], "Action 1 must be an integer"),
    ],
)
def test_what_is_no_solution_is_refused(change: Any, said: str) -> None:
    env = make_env("Kwirk-v0", "easy/1")
    plan = puzzle_agents.make("astar", Budget(None)).solve(env).actions
    with pytest.raises((TypeError, ValueError), match=said):
        improve(env, change(plan))


def test_a_plan_for_another_level_is_refused() -> None:
    plan = puzzle_agents.make("astar", Budget(None)).solve(make_env("Kwirk-v0", "hard/3")).actions
    with pytest.raises(ValueError, match="is it a plan for this level, from this state"):
        improve(make_env("Kwirk-v0", "easy/1"), plan)


# --- agents that use what is left -----------------------------------------------------------------


@pytest.mark.parametrize("metric", ["move", "step"])
def test_boxes_too_large_for_a_star(metric: str) -> None:
    """Their plans form macro-moves, whatever block moved last."""
    env = make_env("HuaRongDao-v0", "test/6x7/2", metric=metric)
    found = puzzle_agents.make("bfws", Budget(None, expansions=200_000)).solve(env)
    result = improve(env, found.actions, Budget(None, expansions=100_000))
    assert result.improved_by == "neighbourhoods"
    assert moves_of(env, found.actions) > moves_of(env, result.actions) == result.moves


def test_a_portfolio_says_what_improved_its_solution() -> None:
    env = make_env("Kwirk-v0", "hard/3")
    first = puzzle_agents.make("portfolio", Budget(None), improve=False).solve(env)
    result = puzzle_agents.make("portfolio", FEW).solve(env)
    assert isinstance(first, PortfolioResult) and isinstance(result, PortfolioResult)
    assert first.found_moves is None and "improve" not in first.ran
    assert result.solved_by == first.solved_by and result.found_moves == first.moves
    assert first.moves is not None and result.moves is not None
    assert result.moves <= first.moves and result.moves == env.level.optimum
    assert result.expanded == sum(result.ran.values()) and result.ran["improve"] > 0


def test_anytime_improves_what_its_beam_found() -> None:
    env = make_env("HuaRongDao-v0", "classics/1")
    result = puzzle_agents.make("anytime", FEW, width=1).solve(env)
    assert result.found_moves is not None and result.moves is not None
    assert result.bound is not None and result.bound <= result.moves <= result.found_moves


# --- the command ----------------------------------------------------------------------------------


def written(tmp_path: Path, *more: str) -> Path:
    path = tmp_path / "found.json"
    assert (
        main(
            [
                "solve",
                "Kwirk-v0",
                "hard/3",
                "--agent",
                "dfs",
                "--seconds",
                "600",
                "--save",
                str(path),
                *more,
            ]
        )
        == 0
    )
    return path


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, shorter = written(tmp_path), tmp_path / "shorter.json"
    limits = ["--expansions", "100000"]
    assert main(["improve", str(found), *limits, "--save", str(shorter)]) == 0
    out = capsys.readouterr().out
    assert "Kwirk-v0 hard/3, improve: solved in 31 moves, shortened from 67 by " in out
    assert json.loads(shorter.read_text())["moves"] == 31
    assert main(["improve", str(shorter), *limits, "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["moves"], line["found_moves"], line["improved_by"]) == (31, 31, None)


def test_the_command_refuses_what_is_no_solution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = written(tmp_path)
    episode = json.loads(found.read_text())
    found.write_text(json.dumps(episode | {"actions": [], "moves": 0}))
    assert main(["improve", str(found)]) == 2
    assert "The plan of 0 actions does not solve 'hard/3'" in capsys.readouterr().err
    assert main(["improve", str(tmp_path / "none.json")]) == 2
    assert "There is no episode file" in capsys.readouterr().err


def test_a_level_solved_at_the_start() -> None:
    env = make_env("SlidingTiles-v0", "123/456/78.")
    result = improve(env, [], Budget(expansions=10))
    assert (result.status, result.moves, result.actions) == (Status.SOLVED, 0, [])
    assert isinstance(result, Result)


def test_a_cheaper_plan_of_more_actions_is_not_mixed_with_the_one_before() -> None:
    """A neighbourhood finds a plan of fewer moves with more actions than were tried before."""
    env = make_env("HuaRongDao-v0", "validation/8x8/9")
    found = [
        63, 92, 156, 188, 220, 245, 182, 177, 204, 233, 237, 82, 229, 233, 166, 134, 112, 139, 172,
        236, 205, 197, 225, 228, 162, 130, 135, 143, 208, 176, 240, 208, 201,
    ]  # fmt: skip
    shorter = improve(env, found, FEW)
    assert moves_of(env, shorter.actions) == shorter.moves
    assert (shorter.moves or 99) <= 21
