"""The solvers of the Kwirk paper: what they find, and what they count."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import puzzle_agents
from puzzle_agents import Budget, Status
from puzzle_agents.environments import make_env
from puzzle_agents.papers.kwirk.aims import FILL, MOVE_BLOCK, ROTATE, aim_record
from puzzle_agents.papers.kwirk.deadlocks import is_deadlock
from puzzle_agents.papers.kwirk.rooms import Floor, Kind
from puzzle_agents.papers.kwirk.sequences import SubGoals
from puzzle_agents.papers.kwirk.solver import PaperResult
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.level import LevelLike

SIMPLE = ["kwirk-bfs-paper", "kwirk-dfs-paper", "kwirk-astar-paper", "kwirk-fringe-paper"]
LAYERS = ["kwirk-layers-astar", "kwirk-layers-fringe"]
GOING_UP = Path(__file__).parents[3] / "shared" / "levels" / "kwirk_going_up"
BEST = {
    "easy-1": 4, "easy-2": 4, "easy-3": 4, "easy-4": 5, "easy-5": 8, "easy-6": 9, "easy-7": 8,
    "easy-8": 9, "easy-9": 10, "easy-10": 7, "average-1": 10, "average-4": 109, "average-5": 30,
    "hard-1": 25, "hard-3": 34, "hard-5": 12,
}  # fmt: skip
"""The best m of the paper's Table 1."""
TOGETHER = {"easy-6": 8, "easy-10": 6}
"""Those for two characters, and their pushes."""


def standing(level: LevelLike, **arguments: Any) -> PuzzleEnv:
    return make_env("Kwirk-v0", level, **arguments)


def solve(name: str, env: PuzzleEnv, **arguments: Any) -> PaperResult:
    budget = Budget(seconds=90, memory="4 GiB")
    return cast(PaperResult, puzzle_agents.make(name, budget, **arguments).solve(env))


def known(name: str) -> PuzzleEnv:
    path = GOING_UP / f"{name}.txt"
    if not path.is_file():
        pytest.skip(f"The known floors are not at {GOING_UP}.")
    return standing(str(path))


# --- the paper's floors -----------------------------------------------------------------------


@pytest.mark.parametrize("name", BEST)
def test_best_of_table_1(name: str) -> None:
    """A* is one of those with the paper's best m; it opens fewer than breadth-first search."""
    env = known(name)
    result = solve("kwirk-astar-paper", env)
    assert result.tasks == BEST[name]
    assert result.moves == TOGETHER.get(name, BEST[name])
    if name != "hard-5":
        breadth_first = solve("kwirk-bfs-paper", env)
        assert breadth_first.tasks == BEST[name]
        assert breadth_first.proved_optimal == (name not in TOGETHER)


@pytest.mark.parametrize(("name", "opened"), [("easy-4", 22), ("average-4", 3218)])
def test_opened_states_are_those_of_the_paper(name: str, opened: int) -> None:
    assert solve("kwirk-bfs-paper", known(name)).opened == pytest.approx(opened, rel=0.001)


@pytest.mark.parametrize("name", [name for name in BEST if name.startswith("easy")])
def test_every_solver_solves_the_easy_floors(name: str) -> None:
    env = known(name)
    for solver in [*SIMPLE, *LAYERS]:
        result = solve(solver, env)
        assert result.solved, (solver, result)
        assert result.tasks is not None and result.tasks >= BEST[name]


@pytest.mark.parametrize(
    "arguments",
    [
        {"subgoals": "holes"},
        {"deadlocks": False},
        {"sequence_tries": 10},
        {"start_tries": 10},
        {"sequence_tries": 10, "start_tries": 10},
    ],
)
def test_variations_of_section_5(arguments: dict[str, Any]) -> None:
    for name in ("easy-4", "easy-7", "hard-1"):
        assert solve("kwirk-layers-astar", known(name), **arguments).solved


# --- bundled floors ---------------------------------------------------------------------------


@pytest.mark.parametrize("level", PUZZLE.format.find_all("easy"), ids=lambda level: level.name)
def test_bundled_floors(level: Any) -> None:
    """The base class replays every solution."""
    env = standing(level)
    alone = int(level.record["characters"]) == 1
    for solver in [*SIMPLE, *LAYERS]:
        result = solve(solver, env)
        assert result.solved, (solver, result)
        assert result.moves is not None and level.optimum is not None
        assert result.moves >= level.optimum
        assert result.tasks is not None and result.tasks >= result.moves
        if alone and solver == "kwirk-bfs-paper":
            assert (result.tasks, result.proved_optimal) == (level.optimum, True)


@pytest.mark.parametrize("level", PUZZLE.format.find_all("two"), ids=lambda level: level.name)
def test_several_characters(level: Any) -> None:
    """Only those in the way move aside, so a search that ends without a solution proves none."""
    env = standing(level)
    for solver in [*SIMPLE, *LAYERS]:
        result = solve(solver, env)
        assert result.status in (Status.SOLVED, Status.GAVE_UP), solver
        if result.solved:
            assert result.moves is not None and level.optimum is not None
            assert result.moves >= level.optimum


@pytest.mark.parametrize("solver", [*SIMPLE, *LAYERS])
def test_a_floor_without_a_solution(solver: str) -> None:
    [level] = PUZZLE.format.find("proofs/1")
    assert solve(solver, standing(level)).status == Status.UNSOLVABLE


def test_a_solved_floor() -> None:
    env = standing("#####\n#1 %#\n#####")
    result = solve("kwirk-layers-astar", env)
    assert (result.tasks, result.moves, len(result.actions)) == (0, 0, 1)
    env.step(result.actions[0])
    assert solve("kwirk-astar-paper", env).actions == []


def test_a_budget_of_expansions() -> None:
    for solver in [*SIMPLE, *LAYERS]:
        result = puzzle_agents.make(solver, Budget(expansions=50)).solve(standing("proofs/1"))
        assert (result.status, result.expanded) == (Status.GAVE_UP, 50)


# --- transitions ------------------------------------------------------------------------------

COMBO = """\
#######
##%####
##O####
##   1#
## a 2#
## ####
#######"""


def test_combo_push() -> None:
    """4.1.3, Figure 1: one waits in the corner, while the other one pushes the block above it."""
    result = solve("kwirk-bfs-paper", standing(COMBO))
    assert (result.tasks, result.moves) == (4, 3)
    assert solve("kwirk-bfs-paper", standing(COMBO.replace("2", " "))).status == Status.UNSOLVABLE


# --- the global layer -------------------------------------------------------------------------

FIGURE_3 = """\
##############
#    O    ^  #
# 1a #   b* %#
#    #    `  #
#O#####c######
#            #
##############"""
"""The shape of Figure 3: from room 1 over hole B and past turnstile D, or by hole A and block C."""


def floor_of(env: PuzzleEnv) -> Floor:
    return Floor(env.record[0], tuple(env.get_state().words))


def test_rooms_and_connectors_of_figure_3() -> None:
    floor = floor_of(standing(FIGURE_3))
    assert len(floor.rooms) == 4
    kinds = sorted(connector.kind for connector in floor.connectors)
    assert kinds == [Kind.BLOCK, Kind.HOLE, Kind.HOLE, Kind.TURNSTILE]
    assert floor.room_of(floor.exit) != floor.room_of(floor.characters[0])


def test_sequences_of_figure_3() -> None:
    """The block west of the turnstile stops both ways of turning, so it is moved away first."""
    floor = floor_of(standing(FIGURE_3))
    sequences = list(SubGoals(floor).sequences())
    assert [goal.kind for goal in sequences[0]] == [FILL, MOVE_BLOCK, ROTATE]
    filled, moved, _ = sequences[0]
    a, b = 2 * floor.width + 3, 2 * floor.width + 9
    assert (filled.block, filled.goals, moved.block) == (a, frozenset({floor.width + 5}), b)
    kinds = [[goal.kind for goal in sequence] for sequence in sequences]
    assert [FILL, MOVE_BLOCK, MOVE_BLOCK, ROTATE] in kinds
    assert len(set(sequences)) == len(sequences)
    assert all(sequence[-1].kind == ROTATE for sequence in sequences)


def test_sub_goals_for_holes_alone() -> None:
    floor = floor_of(standing(FIGURE_3))
    for sequence in SubGoals(floor, only_holes=True).sequences():
        assert {goal.kind for goal in sequence} == {FILL}


# --- the local layer --------------------------------------------------------------------------


@kernel
def deadlocked(levels: Any, aims: Any, state: Any, corner: int) -> bool:
    return is_deadlock(levels[0], aims[0], state, corner)


@pytest.mark.parametrize(("behind", "dead"), [("# #####", False), ("#######", True)])
def test_deadlock_of_figure_5(behind: str, dead: bool) -> None:
    """The block has to be pushed north: from the west corner, where there is room south of it."""
    floor = f"#######\n#  O %#\n#1    #\n# a   #\n{behind}\n#######"
    env = standing(floor)
    state = np.array(env.get_state().words, np.uint64)
    aim = aim_record(FILL, 0, [1 * 7 + 3])
    assert deadlocked(env.record, aim, state, 3 * 7 + 2) == dead


def test_every_solver_is_registered() -> None:
    paper = {name for name in puzzle_agents.names() if re.match(r"kwirk-.*", name)}
    assert paper == {*SIMPLE, *LAYERS}


def test_looking_for_sequences_ends_in_time() -> None:
    floor = floor_of(standing(FIGURE_3))
    with pytest.raises(TimeoutError):
        next(SubGoals(floor, spent=lambda: True).sequences())
