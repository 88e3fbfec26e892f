"""Every bundled level of every puzzle, solved through its environment by an exact agent.

The agent comes to the optimum that the level's file records, and proves it. Of a train split, which
holds up to a thousand levels, every tenth is solved; with PUZZLE_ENVS_SLOW_TESTS set all of them
are, and the gardens that take seconds.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import pytest

import puzzle_agents
from puzzle_agents import AStar, Budget, Result, Status
from puzzle_agents.exact.skyscraper import SkyscraperExact
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.hua_rong_dao.level import METRICS
from puzzle_envs.hua_rong_dao.rooms import ROOMS
from puzzle_envs.level import Level, LevelFormat
from puzzle_envs.skyscraper.evolved import EVOLVED

SLOW_TESTS = "PUZZLE_ENVS_SLOW_TESTS" in os.environ
slow = pytest.mark.skipif(not SLOW_TESTS, reason="Set PUZZLE_ENVS_SLOW_TESTS=1 to run this.")

SAMPLED = 10
"""Of a train split one level of so many is always solved."""

MEMORY = "4 GB"
SECONDS, MANY_SECONDS = 60, 600
"""What one level may take; the machine may be busy."""


@dataclass(frozen=True)
class Way:
    """An environment, and the agent that solves it exactly."""

    id: str
    agent: str
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.id, *self.options.values()])

    @property
    def format(self) -> LevelFormat:
        """The format whose optima count as this environment does."""
        env = gymnasium.make(self.id, **self.options).unwrapped
        assert isinstance(env, PuzzleEnv)
        return env.puzzle.format

    def env(self, level: Level) -> gymnasium.Env[Any, Any]:
        """The environment of a level, at the beginning of an episode."""
        env = gymnasium.make(self.id, level=level, **self.options)
        env.reset()
        return env

    def result(self, level: Level) -> Result:
        """What the agent makes of a level."""
        seconds = MANY_SECONDS if level.name in SECONDS_LONG else SECONDS
        agent = puzzle_agents.make(self.agent, Budget(seconds, MEMORY))
        return agent.solve(self.env(level))


ZEN_GARDEN = Way("ZenGarden-v0", "astar")
SKYSCRAPER = Way("Skyscraper-v0", "skyscraper-exact")
WAYS = [
    ZEN_GARDEN,
    Way("Kwirk-v0", "astar"),
    Way("KwirkSteps-v0", "astar"),
    SKYSCRAPER,
    *(Way("HuaRongDao-v0", "hua-rong-dao-bfs", {"metric": metric}) for metric in METRICS),
]

SECONDS_LONG = {"large/11", "large/12", "large/13", "large/15"}
"""Gardens that A* solves in 3 to 12 seconds."""

WITHOUT_SYMMETRY = ["large/11", "large/12", "large/15"]
"""Gardens too large for the breadth-first search that confirms the other optima of gardens."""

OPEN = {"large/8": (6, 50_000, 7), "large/16": (9, 260_000, 13)}
"""Gardens whose optimum is open: the bound that A* proves in so many expansions, and the moves of
the best solution known."""

UNSOLVABLE = {"rocks/24", "proofs/1", "classics/10"}
"""Recorded as having no solution, in whatever they count."""

CLASSICS_ONLY = {"HuaRongDao-v0 straight", "HuaRongDao-v0 step"}
"""In these metrics the files record optima of the classics alone."""


def recorded(levels: list[Level]) -> list[Level]:
    """Those of which the file says an optimum, or that there is no solution."""
    return [level for level in levels if level.optimum is not None or level.solvable is False]


def planted(level: Level) -> bool:
    """Whether its file says a plan, or another of its puzzle's counts does."""
    return bool(level.plan) or "plan" in level.notes or "pushes" in level.notes


def _evolved(name: str) -> bool:
    """Whether the grids of a set take many guesses; any solution of a grid is optimal."""
    return name.partition("/")[2] in EVOLVED


def _too_hard(way: Way, name: str) -> bool:
    """Whether no agent proves the optima of a set; tests of its puzzle do."""
    return (way is SKYSCRAPER and _evolved(name)) or name.partition("/")[2] == ROOMS


SETS = [
    pytest.param(way, name, id=f"{way}-{name}")
    for way in WAYS
    for name in way.format.sets()
    if recorded(way.format.find(name)) and not _too_hard(way, name)
]


@pytest.mark.parametrize(("way", "name"), SETS)
def test_every_recorded_optimum_of_a_set_is_proved(way: Way, name: str) -> None:
    levels = recorded(way.format.find(name))
    if not SLOW_TESTS:
        levels = [level for level in levels if level.name not in SECONDS_LONG]
        levels = levels[:: SAMPLED if name.startswith("train/") else 1]
    for level in levels:
        result = way.result(level)
        if level.solvable:
            ending = (result.status, result.moves, result.proved_optimal)
            assert ending == (Status.SOLVED, level.optimum, True), level.name
        else:
            assert result.status == Status.UNSOLVABLE, level.name


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_every_level_has_its_record(way: Way) -> None:
    levels = [level for name in way.format.sets() for level in way.format.find(name)]
    if str(way) in CLASSICS_ONLY:
        levels = [level for level in levels if level.name.startswith("classics/")]
    without = [level for level in levels if level.name in OPEN or not planted(level)]
    unrecorded = {level.name for level in without} - {level.name for level in recorded(levels)}
    assert unrecorded == (set(OPEN) if way.id == "ZenGarden-v0" else set())
    stuck = {
        level.name for level in levels if level.solvable is False and "twins" not in level.name
    }
    assert stuck <= UNSOLVABLE


@slow
@pytest.mark.parametrize("name", WITHOUT_SYMMETRY)
def test_the_largest_optima_without_symmetry(name: str) -> None:
    [level] = ZEN_GARDEN.format.find(name)
    result = AStar(Budget(MANY_SECONDS, MEMORY), symmetry=False).solve(ZEN_GARDEN.env(level))
    assert (result.moves, result.proved_optimal) == (level.optimum, True)


@slow
@pytest.mark.parametrize("name", OPEN)
def test_the_bound_of_an_open_garden(name: str) -> None:
    """That its best known solution holds is tested with the other solutions of gardens."""
    [level] = ZEN_GARDEN.format.find(name)
    bound, expansions, moves = OPEN[name]
    result = AStar(Budget(seconds=None, memory=MEMORY, expansions=expansions)).solve(
        ZEN_GARDEN.env(level)
    )
    print(f"{name}: solved in {moves} moves; it takes {result.bound} at least")
    assert (result.bound, result.moves) == (bound, None)


UNIQUE = [name for name in SKYSCRAPER.format.sets() if name != "paper-like" and not _evolved(name)]


@pytest.mark.parametrize("name", UNIQUE)
def test_a_skyscraper_grid_has_one_solution(name: str) -> None:
    """Those like the paper's may have several, and evolved ones."""
    agent = SkyscraperExact()
    for level in SKYSCRAPER.format.find(name):
        if level.solvable is False:
            continue
        assert agent.is_unique(SKYSCRAPER.env(level)), level.name
