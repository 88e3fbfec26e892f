"""What budgets, generators and agents say to arguments that they cannot take."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_agents import Agent, Budget, make, names
from puzzle_agents.agent import WrongPuzzleError, bytes_of
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.generation import new_levels
from puzzle_envs.level import LevelError
from puzzle_envs.zen_garden import PUZZLE
from tests.test_bad_values import (
    BOTH,
    NO_FLAGS,
    NO_INTEGERS,
    NO_NUMBERS,
    NO_POSITIVE,
    OF_VECTORS,
    SEEDS,
    SINGLE,
    VECTOR,
    Entry,
    Named,
    Values,
    needs_reset,
    none_of,
    pairs,
    plain,
    positive,
    refuse,
)
from tests.test_environments import make as make_env
from tests.test_environments import make_vec

BUDGETS = {
    "seconds": Entry(
        lambda _, value: Budget(seconds=value),
        {TypeError: NO_NUMBERS, ValueError: [0, -1, -0.5, math.nan, math.inf, -math.inf,
                                             Named(10**400, "seconds")]},
    ),
    "memory": Entry(
        lambda _, value: Budget(memory=value),
        {
            TypeError: [None, 5.5, True, b"2 GiB", [], {}, math.nan],
            ValueError: [
                "lots", "", "2", "GiB", "-2 GiB", "2 GiB 3", "1 parsec", "nan GiB", "1e9 B", 0, -5,
                1000, "1 B", 2**70, "99999999999 GiB", "9" * 400 + " GiB", "٣ GiB GiB",
            ],
        },
    ),
    "expansions": Entry(
        lambda _, value: Budget(expansions=value),
        {TypeError: NO_INTEGERS, ValueError: [*NO_POSITIVE, 2**70]},
    ),
    "transitions": Entry(
        lambda _, value: Budget(transitions=value),
        {TypeError: NO_INTEGERS, ValueError: [*NO_POSITIVE, 2**70]},
    ),
    "bytes_of": Entry(
        lambda _, value: bytes_of(value),
        {TypeError: [None, 1.5], ValueError: ["x", "9" * 400 + " B"]},
    ),
    "make": Entry(
        lambda _, name: make(name),
        {TypeError: [None, 5, b"astar", ["astar"]], ValueError: [Named("a-star", "'a-star'"), ""]},
    ),
    "make budget": Entry(
        lambda _, budget: make("astar", budget=budget),
        {TypeError: [10, 1.5, "10 s", {"seconds": 1}, Budget, True]},
    ),
    "solve": Entry(
        lambda _, env: make("astar").solve(env),
        {WrongPuzzleError: [None, 5, "ZenGarden-v0", object(), Named(PuzzleEnv, "PuzzleEnv")]},
    ),
    "solve others": Entry(
        lambda _, id: make("astar").solve(gymnasium.make(id)),
        {WrongPuzzleError: [Named("CartPole-v1", "CartPole")]},
    ),
    "solve vectors": Entry(
        lambda _, id: make("astar").solve(gymnasium.make_vec(id)),  # type: ignore[arg-type]
        {WrongPuzzleError: [Named("Kwirk-v0", "KwirkVectorEnv")]},
    ),
}  # fmt: skip


GENERATION = {
    "count": Entry(
        lambda _, count: new_levels(PUZZLE, "5x5", count, 0),
        {TypeError: [None, 1.5, "3", True], ValueError: [-1]},
    ),
    "seed": Entry(lambda _, seed: new_levels(PUZZLE, "5x5", 1, seed), SEEDS),
    "bin": Entry(
        lambda _, bin: new_levels(PUZZLE, bin, 1, 0),
        {LevelError: [Named(None, "'None'"), Named(5, "'5'"), "5x", Named([], "'[]'")]},
    ),
}


@pairs({**BUDGETS, **GENERATION})
def test_budgets_and_what_makes_agents_and_levels_refuse(
    call: Callable[[Any, Any], object], error: type[Exception], value: Any
) -> None:
    refuse(lambda: call(None, plain(value)), error, value)


def counts(*of: str, none: bool = False) -> dict[str, Values]:
    return dict.fromkeys(of, positive(none=none))


def bounded(name: str, most: int) -> dict[str, Values]:
    """A count of which so many would keep an agent busy for ever."""
    values = positive(none=False)
    return {name: {**values, ValueError: [*values[ValueError], most + 1, 10**9]}}


def flags(*of: str) -> dict[str, Values]:
    return {name: {TypeError: NO_FLAGS} for name in of}


def choices(*of: str) -> dict[str, Values]:
    return dict.fromkeys(of, none_of(None))


def rates(*of: str) -> dict[str, Values]:
    wrong: Values = {TypeError: [None, *NO_NUMBERS], ValueError: [-0.1, 1.1, math.nan, math.inf]}
    return dict.fromkeys(of, wrong)


SEED: dict[str, Values] = {"seed": SEEDS}
NO_TEXTS: Values = {TypeError: [5, True, [], {}, b"none"]}
SEARCHING: dict[str, Values] = {"estimate": NO_TEXTS, **flags("symmetry")}
PRUNING: dict[str, Values] = {**SEARCHING, **flags("dead_ends")}
BY_HEURISTIC: dict[str, Values] = {"heuristic": NO_TEXTS, **flags("symmetry")}
TRAINED: dict[str, Values] = {
    **BY_HEURISTIC,
    "model": {TypeError: [5, 1.5, b"x", [], True]},
    "epsilon": {TypeError: [None, *NO_NUMBERS], ValueError: [0, -0.1, 1.1, math.nan, math.inf]},
}
DEEPENING: dict[str, Values] = {
    **SEARCHING,
    "table": {TypeError: [None, 1.5, True, []], ValueError: ["x", "", -5]},
}
GENETIC = {**SEED, **counts("generations", none=True)}
ISLANDS = {**bounded("islands", 64), **counts("patience", none=True)}
GUIDED: dict[str, Values] = {**choices("heuristic"), **counts("window")}
LAYERED = {
    **GUIDED,
    **choices("subgoals"),
    **flags("deadlocks"),
    **counts("sequence_tries", "start_tries"),
}
ARGUMENTS: dict[str, dict[str, Values]] = {
    "random": {**SEED, **counts("games", none=True)},
    **dict.fromkeys(("bfs", "dfs", "uniform-cost", "astar", "greedy"), PRUNING),
    **dict.fromkeys(("fringe", "novelty", "bidirectional", "frontier"), SEARCHING),
    "bfws": {**BY_HEURISTIC, **bounded("width", 2)},
    "segments": BY_HEURISTIC,
    "stages": flags("symmetry"),
    "types": {**BY_HEURISTIC, **SEED},
    **dict.fromkeys(("levin", "phs", "guided-greedy"), TRAINED),
    "rooted": {
        **TRAINED,
        "slope": {TypeError: [None, *NO_NUMBERS], ValueError: [-1, 1001, math.nan, math.inf]},
    },
    "guided-beam": {**TRAINED, **counts("width")},
    "portfolio": {
        "agents": NO_TEXTS, **flags("improve", "symmetry"), **SEED, **bounded("jobs", 64),
    },
    "weighted-astar": {
        **PRUNING,
        "weight": {TypeError: [None, *NO_NUMBERS], ValueError: [0, 0.9, 11, math.nan, math.inf]},
    },
    "iddfs": DEEPENING,
    "idastar": DEEPENING,
    "beam": {**SEARCHING, **counts("width")},
    "anytime": {**SEARCHING, **counts("width")},
    "hua-rong-dao-bfs": flags("mirror"),
    "hua-rong-dao-bfs-paper": {},
    "kwirk-bfs-paper": {},
    "kwirk-dfs-paper": {},
    "kwirk-astar-paper": GUIDED,
    "kwirk-fringe-paper": GUIDED,
    "kwirk-layers-astar": LAYERED,
    "kwirk-layers-fringe": LAYERED,
    "zen-astar-paper": flags("duplicates"),
    "zen-ga": {
        **GENETIC,
        **counts("population", "clauses", "restart"),
        **bounded("rivals", 10_000),
        **counts("stop_at", none=True),
        **rates("crossover_rate", "shifted", "inserted"),
    },
    "zen-ga-paper": {
        **GENETIC,
        **counts("population", "clauses", "pairs"),
        **counts("stop_at", none=True),
        **rates("kept", "crossover_rate", "mutation_rate"),
    },
    "fast-downward": choices("search"),
    "lama": flags("anytime"),
    "pyperplan": choices("search"),
    "cp-sat": {},
    "skyscraper-exact": {},
    "skyscraper-ga": {
        **GENETIC,
        **ISLANDS,
        **counts("population", "steps"),
        **bounded("tournament", 10_000),
        **counts("restart", none=True),
        **rates("crossover", "share", "focus"),
        "hot": {TypeError: [None, *NO_NUMBERS], ValueError: [0, -1, math.nan, math.inf]},
        "cold": {TypeError: [None, *NO_NUMBERS], ValueError: [0, -1, 5, math.nan]},
        **flags("pruned"),
    },
    "skyscraper-ga-paper": {
        **GENETIC,
        **ISLANDS,
        **counts("population"),
        **bounded("tournament", 10_000),
        **rates("crossover", "mutation"),
    },
    "maskable-ppo": {
        **SEED,
        **choices("mode"),
        **counts("width"),
        **counts("longest", none=True),
        "hottest": {TypeError: [*NO_NUMBERS], ValueError: [0, -1, math.nan, math.inf]},
        "model": {TypeError: [5, 1.5, b"x", [], True]},
    },
}  # fmt: skip


def test_the_table_has_all_agents() -> None:
    assert ARGUMENTS.keys() == set(names())


@pytest.mark.parametrize("agent", names())
def test_an_agent_refuses(agent: str) -> None:
    """Every argument of every agent, and those that it does not have."""
    if agent == "maskable-ppo":
        pytest.importorskip("stable_baselines3")
    from puzzle_agents.parameters import parameters
    from puzzle_agents.registry import class_of as class_of_agent

    table = ARGUMENTS[agent]
    assert table.keys() == parameters(class_of_agent(agent)).keys() - {"budget"}
    for name, values in table.items():
        for error, wrong in values.items():
            for value in wrong:
                refuse(functools.partial(_make, agent, name, plain(value)), error, value)
        assert isinstance(make(agent), Agent)
    said = Named(3, f"'{agent}' got an unexpected keyword argument 'bugdet'")
    refuse(lambda: make(agent, bugdet=3), TypeError, said)
    with pytest.raises(TypeError, match=r"'seconds'\. Limits are arguments of the budget: budget="):
        make(agent, seconds=3)


def _make(agent: str, name: str, value: Any) -> Agent:
    return make(agent, **{name: value})


def test_a_vector_for_stable_baselines_is_one_of_ours() -> None:
    pytest.importorskip("stable_baselines3", reason="needs the rl extra")
    from puzzle_agents.learning import vec_env

    to_sb3: Any = vec_env.to_sb3
    for wrong in (None, 5, "ZenGarden-v0", make_env("ZenGarden-v0")):
        refuse(functools.partial(to_sb3, wrong), TypeError, wrong)
    refuse(lambda: to_sb3(make_vec("ZenGarden-v0", 2)), ValueError, Named(0, "SameStep"))
    needs_reset(lambda: to_sb3(make_vec("Kwirk-v0", 2, autoreset_mode="SameStep")).step([0, 0]))


def test_the_table_is_long_enough() -> None:
    """Entry points × values, without counting an environment's five ids or an agent's name."""
    of_agents = {
        (name, error, repr(value))
        for table in ARGUMENTS.values()
        for name, values in table.items()
        for error, wrong in values.items()
        for value in wrong
    }
    tables = (SINGLE, VECTOR, BOTH, OF_VECTORS, BUDGETS, GENERATION)
    in_tables = sum(
        len(wrong)
        for table in tables
        for entry in table.values()
        for wrong in entry.values.values()
    )
    assert in_tables + len(of_agents) >= 600
