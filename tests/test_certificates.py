"""What levels say of their solutions: read, written, contradicted."""

from __future__ import annotations

import pytest

from puzzle_agents.agent import FalseLevelError
from puzzle_agents.environments import make_env
from puzzle_agents.registry import make
from puzzle_envs.codec import at_cell
from puzzle_envs.hua_rong_dao import PUZZLE as HUA_RONG_DAO
from puzzle_envs.kwirk import PUZZLE as KWIRK
from puzzle_envs.kwirk import STEPS
from puzzle_envs.level import Level, LevelError
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.skyscraper import PUZZLE as SKYSCRAPER
from puzzle_envs.states.certificates import certified, moves_of, without_detours
from puzzle_envs.zen_garden import PUZZLE

ROW = ".."  # two cells in a row: one move
TWO_ROWS = "..\n.."


def read(lines: str, board: str = ROW) -> Level:
    return PUZZLE.format.parse(f"; name: x\n{lines}\n{board}\n", "here")[0]


def test_a_certificate_comes_back_from_a_file() -> None:
    level = PUZZLE.format.parse("; name: x\n; known: 9\n; bound: 7\n; plan: 3 0 2\n..\n", "")[0]
    assert (level.known, level.bound, level.plan) == (9, 7, (3, 0, 2))
    assert (level.optimum, level.solvable, level.fewest, level.least) == (None, True, 9, 7)
    again = PUZZLE.format.parse(PUZZLE.format.text(level), "")[0]
    assert (again.known, again.bound, again.plan) == (9, 7, (3, 0, 2))


@pytest.mark.parametrize(
    "puzzle", [PUZZLE, HUA_RONG_DAO, KWIRK, SKYSCRAPER], ids=lambda puzzle: puzzle.package
)
def test_every_bundled_plan_solves_its_level(puzzle: Puzzle) -> None:
    levels = [level for name in puzzle.format.sets() for level in puzzle.format.find(name)]
    plans = [level for level in levels if level.plan]
    assert len(plans) > 300
    for level in plans:
        assert moves_of(puzzle, level, level.plan) == level.fewest, level.name
    assert not [level.name for level in levels if level.known is not None and not level.plan]


def test_a_plan_that_solves_nothing_is_no_certificate() -> None:
    level = read("; author: me")
    assert (found := certified(PUZZLE, level, [2])) is not None
    assert (found.fewest, found.plan) == (1, (2,))
    assert moves_of(PUZZLE, level, [2]) == 1
    for plan in ([], [0], [77]):
        assert moves_of(PUZZLE, level, plan) is None
        assert certified(PUZZLE, level, plan) is None


def test_a_plan_loses_its_detours() -> None:
    """Pushing a block away and back is one; the step into the exit is left."""
    level = KWIRK.format.parse("; name: x\n#######\n#1a  %#\n#     #\n#######\n", "here")[0]
    away, back, out = at_cell(7 + 1, 1), at_cell(7 + 4, 3), at_cell(7 + 4, 1)
    assert moves_of(KWIRK, level, [away, back, away, out]) == 3
    assert without_detours(KWIRK, level, [away, back, away, out]) == [away, out]
    assert without_detours(KWIRK, level, [away, back, out]) == [out]


def test_an_optimum_may_have_a_solution() -> None:
    level = PUZZLE.format.parse("; name: x\n; optimum: 1\n; plan: 3\n..\n", "")[0]
    assert (level.fewest, level.least, level.plan) == (1, 1, (3,))
    assert "; plan: 3\n" in PUZZLE.format.text(level)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (
            "; known: many",
            "here:2:10: 'known' must be a number from 0 to 1,000,000,000, not 'many'.",
        ),
        ("; bound: -1", "here:2:10: 'bound' must be a number"),
        ("; plan: 3 x 4", "here:2:11: A plan must be a list of actions"),
        ("; known: 3\n; bound: 4", "'bound' 4 is more than 'known' 3"),
        ("; optimum: 3\n; known: 4", "only for levels whose optimum is not known"),
        ("; optimum: none\n; bound: 4", "only for levels whose optimum is not known"),
        ("; plan: 3", "a 'plan' needs 'optimum' or 'known'"),
        ("; optimum: none\n; plan: 3", "a 'plan' needs 'optimum' or 'known'"),
    ],
)
def test_a_wrong_certificate_is_refused_with_its_place(lines: str, fault: str) -> None:
    with pytest.raises(LevelError) as caught:
        read(lines)
    assert fault in str(caught.value)
    assert str(caught.value).startswith(("here:2:", "here:3:"))


def test_another_way_of_counting_keeps_it_as_notes() -> None:
    text = "; name: x\n; known: 9\n; plan: 3 0\n######\n#1  %#\n######\n"
    level = STEPS.format.parse(text, "")[0]
    assert (level.known, level.plan) == (None, ())
    assert "; known: 9\n; plan: 3 0\n" in STEPS.format.text(level)


@pytest.mark.parametrize(
    ("lines", "board", "agent", "line"),
    [
        ("; known: 5\n; bound: 2", ROW, "greedy", "; bound: 2'"),
        ("; known: 1", TWO_ROWS, "astar", "; known: 1'"),
        ("; known: 1", "#.#\n###", "bfs", "; known: 1'"),
    ],
)
def test_what_an_agent_disproves_is_refused(lines: str, board: str, agent: str, line: str) -> None:
    env = make_env("ZenGarden-v0", read(lines, board))
    with pytest.raises(FalseLevelError) as caught:
        make(agent).solve(env)
    assert line in str(caught.value)
    assert caught.value.result is not None


def test_a_shorter_solution_than_the_known_one_is_welcome() -> None:
    env = make_env("ZenGarden-v0", read("; known: 5\n; bound: 1"))
    assert make("astar").solve(env).moves == 1
