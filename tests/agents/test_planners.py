"""Levels as planning tasks: Fast Downward finds our optima, and every plan is a solution.

PUZZLE_ENVS_EXAMPLES=200 pytest tests/agents/test_planners.py -k optimum
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import puzzle_agents
import tests.sliding_tiles  # noqa: F401 registers its environment
from puzzle_agents import Budget, Status
from puzzle_agents.agent import WrongPuzzleError
from puzzle_agents.cli.app import main
from puzzle_agents.environments import make_env
from puzzle_agents.export import pddl_domain, pddl_problem, plan_of, played, sas, task_of
from puzzle_agents.outside.fast_downward import FastDownward
from puzzle_agents.outside.planner import Ended
from puzzle_agents.outside.skyscraper_cp_sat import CpSat
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.planning import Operator, Task
from tests.agents.test_search import fewest, standing
from tests.hua_rong_dao.boards import default_boards, lettered_boards
from tests.hua_rong_dao.test_rules import level_text as layout_text
from tests.kwirk.boards import boards as floors
from tests.skyscraper.boards import boards as grids
from tests.zen_garden.boards import boards as gardens
from tests.zen_garden.test_rules import level_text as garden_text

if None in (find_spec("up_fast_downward"), find_spec("pyperplan")):
    pytest.skip("needs the planners extra", allow_module_level=True)

EXAMPLES = settings(
    max_examples=int(os.environ.get("PUZZLE_ENVS_EXAMPLES", "20")),
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
picks = st.lists(st.integers(0, 99), max_size=6)
IDS = ("ZenGarden-v0", "HuaRongDao-v0", "Kwirk-v0", "KwirkSteps-v0")


def check(env: PuzzleEnv) -> None:
    """The cheapest plan from here is an optimal solution, as exploring all states says."""
    optimum = fewest(env)
    result = puzzle_agents.make("fast-downward", Budget(seconds=60), search="blind").solve(env)
    if optimum is None:
        assert result.status == Status.UNSOLVABLE
    else:
        assert (result.status, result.moves, result.proved_optimal) == ("solved", optimum, True)


@given(gardens(max_width=4, max_height=4), picks)
@EXAMPLES
def test_the_optimum_of_gardens(board: Any, picks: list[int]) -> None:
    check(standing("ZenGarden-v0", picks, level=garden_text(board.rows, board.switches)))


@given(default_boards() | lettered_boards(max_width=4, max_height=4), picks)
@EXAMPLES
def test_the_optimum_of_layouts(board: Any, picks: list[int]) -> None:
    check(standing("HuaRongDao-v0", picks, level=layout_text(board), metric=board.metric))


@pytest.mark.parametrize("id", ["Kwirk-v0", "KwirkSteps-v0"])
@given(text=floors(max_width=7, max_height=6), picks=picks)
@EXAMPLES
def test_the_optimum_of_floors(id: str, text: str, picks: list[int]) -> None:
    check(standing(id, picks, level=text))


@given(st.permutations(".12345678"))
@EXAMPLES
def test_the_optimum_of_tiles(tiles: list[str]) -> None:
    level = "/".join("".join(tiles[row : row + 3]) for row in (0, 3, 6))
    env = standing("SlidingTiles-v0", [], level=level)
    ours = puzzle_agents.make("bfs").solve(env)
    theirs = puzzle_agents.make("fast-downward", Budget(seconds=60), search="blind").solve(env)
    outcome = (ours.status, ours.moves, ours.proved_optimal)
    assert (theirs.status, theirs.moves, theirs.proved_optimal) == outcome


# --- agents -----------------------------------------------------------------------------------


@pytest.mark.parametrize("id", [*IDS, "SlidingTiles-v0"])
@pytest.mark.parametrize(
    ("agent", "arguments"),
    [
        ("fast-downward", {"search": "hmax"}),
        ("fast-downward", {"search": "merge-and-shrink"}),
        ("lama", {}),
        ("pyperplan", {}),
    ],
)
def test_every_planner_solves_a_first_level(id: str, agent: str, arguments: dict[str, Any]) -> None:
    env = make_env(id, **({"level": "test/1-10/1"} if id == "HuaRongDao-v0" else {}))
    result = puzzle_agents.make(agent, Budget(seconds=60), **arguments).solve(env)
    best = puzzle_agents.make("astar").solve(env).moves
    assert result.solved and result.moves is not None and best is not None
    assert result.moves == best if result.proved_optimal else result.moves >= best
    assert result.proved_optimal == (agent == "fast-downward")
    assert result.expanded > 0 and 0 < result.preparing < result.seconds


def test_a_plan_of_pddl_is_one_of_sas() -> None:
    """Pyperplan reads PDDL: where operators cost 1, its optimum is ours."""
    env = make_env("SlidingTiles-v0", level="123/746/.58")
    both = [
        puzzle_agents.make(agent, search=search).solve(env)
        for agent, search in (
            ("pyperplan", "astar"),
            ("pyperplan", "bfs"),
            ("fast-downward", "lmcut"),
        )
    ]
    assert {(result.moves, result.proved_optimal) for result in both} == {
        (puzzle_agents.make("astar").solve(env).moves, True)
    }


def test_lama_goes_on_with_better_solutions() -> None:
    env = make_env("HuaRongDao-v0", level="classics/1")
    first = puzzle_agents.make("lama", Budget(seconds=60)).solve(env)
    better = puzzle_agents.make("lama", Budget(seconds=20), anytime=True).solve(env)
    assert first.moves is not None and better.moves is not None
    assert 81 <= better.moves < first.moves
    assert not better.proved_optimal


def test_budgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    env = make_env("HuaRongDao-v0", level="classics/1")
    began = time.perf_counter()
    slow = puzzle_agents.make("fast-downward", Budget(seconds=1)).solve(env)
    assert slow.status == Status.OUT_OF_TIME and time.perf_counter() - began < 5
    assert not processes_in(tmp_path) and not list(tmp_path.iterdir())
    few = puzzle_agents.make("fast-downward", Budget(expansions=10), search="blind").solve(env)
    assert few.status == Status.GAVE_UP and few.expanded > 10 and not few.actions
    unlimited = puzzle_agents.make("lama", Budget(seconds=60, transitions=1)).solve(env)
    assert unlimited.solved and unlimited.generated > 1
    small = puzzle_agents.make("fast-downward", Budget(memory="16 MiB"), search="merge-and-shrink")
    assert small.solve(env).status == Status.OUT_OF_MEMORY


def test_a_limit_of_the_system_on_time_is_no_error() -> None:
    """The planner's exit code when it gets SIGXCPU, before the agent's clock is over."""
    assert FastDownward()._status(Ended(23, "")) == Status.OUT_OF_TIME


@pytest.mark.parametrize("agent", ["fast-downward", "lama", "pyperplan"])
def test_too_little_memory_to_begin(agent: str) -> None:
    env = make_env("ZenGarden-v0")
    for memory in ("1 MiB", "4 MiB"):
        result = puzzle_agents.make(agent, Budget(memory=memory)).solve(env)
        assert result.status == Status.OUT_OF_MEMORY


def processes_in(folder: Path) -> list[str]:
    """Running processes whose working directory is below a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if path.readlink().is_relative_to(folder):
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="processes end with their parent on Linux")
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_an_agent_that_is_ended_leaves_no_process_and_no_file(
    tmp_path: Path, number: int, code: int
) -> None:
    command = ["solve", "HuaRongDao-v0", "classics/1", "--agent", "fast-downward"]
    process = subprocess.Popen(
        [sys.executable, "-c", f"from puzzle_agents.cli.app import main; exit(main({command}))"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: bool(processes_in(tmp_path)))
    time.sleep(0.2)
    process.send_signal(number)
    assert process.wait(20) == code
    wait_until(lambda: not processes_in(tmp_path) and not list(tmp_path.iterdir()))


def test_a_configuration_in_the_words_of_the_planner() -> None:
    env = make_env("ZenGarden-v0")
    own = puzzle_agents.make("fast-downward", search="eager_greedy([ff()])").solve(env)
    assert own.solved and not own.proved_optimal
    bounded = puzzle_agents.make("fast-downward", search="astar(blind(),bound=1)").solve(env)
    assert bounded.status == Status.GAVE_UP
    with pytest.raises(ValueError, match="does not accept this search: No feature defined"):
        puzzle_agents.make("fast-downward", search="astar(blnd())").solve(env)
    with pytest.raises(ValueError, match="does not accept this search: 1 token"):
        puzzle_agents.make("fast-downward", search="astar(").solve(env)


def test_unsolvable_levels_are_proved_to_be() -> None:
    env = make_env("ZenGarden-v0", level="...\n.#.\n#.#")
    assert puzzle_agents.make("astar").solve(env).status == Status.UNSOLVABLE
    for agent in ("fast-downward", "pyperplan"):
        assert puzzle_agents.make(agent).solve(env).status == Status.UNSOLVABLE


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WrongPuzzleError, match="Skyscraper has no translation for planners"):
        puzzle_agents.make("lama").solve(make_env("Skyscraper-v0"))
    with pytest.raises(ValueError, match="search must be one of blind, hmax, lmcut"):
        puzzle_agents.make("fast-downward", search="ff")
    monkeypatch.setattr("puzzle_agents.outside.planner.find_spec", lambda _: None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'puzzle-envs\[planners\]'"):
        puzzle_agents.make("pyperplan").solve(make_env("ZenGarden-v0"))


# --- tasks and files --------------------------------------------------------------------------

SMALL = Task(
    start={"door": "shut", "me": "in"},
    goal={"me": "out"},
    operators=[
        Operator("open", {"door": "shut"}, {"door": "open"}, 0, (4,)),
        Operator("leave", {"door": "open"}, {"me": "out"}, 2, (1, 2)),
    ],
)


def test_a_task_as_text() -> None:
    lines = sas(SMALL).splitlines()
    assert lines[:7] == [
        "begin_version",
        "3",
        "end_version",
        "begin_metric",
        "1",
        "end_metric",
        "2",
    ]
    assert SMALL.variables == {"door": ("open", "shut"), "me": ("in", "out")}
    assert "begin_operator leave 1 0 0 1 0 1 -1 1 2 end_operator 0" in " ".join(lines)
    domain, problem = pddl_domain(SMALL), pddl_problem(SMALL)
    assert ":precondition (and (door-open))" in domain
    assert ":effect (and (me-out) (not (me-in)) (increase (total-cost) 2))" in domain
    assert "(door-shut)" in problem and "(:goal (and (me-out)))" in problem
    assert SMALL.actions_of(["open", "leave"]) == [4, 1, 2]
    with pytest.raises(ValueError, match="no operator 'close'"):
        SMALL.actions_of(["close"])


@pytest.mark.parametrize("id", IDS)
def test_names_are_words(id: str) -> None:
    """Of letters that every planner reads."""
    task = task_of(make_env(id))
    names = [operator.name for operator in task.operators]
    assert len(set(names)) == len(names)
    facts = [f"{name}-{value}" for name, known in task.variables.items() for value in known]
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", name) for name in names + facts)
    assert len(set(facts)) == len(facts)


# --- the command ------------------------------------------------------------------------------


def test_a_level_is_exported_and_a_plan_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    task = task_of(make_env("KwirkSteps-v0"))
    assert main(["export", "KwirkSteps-v0"]) == 0
    assert capsys.readouterr().out == sas(task)
    assert main(["export", "KwirkSteps-v0", "--format", "pddl", "--output", "floor.pddl"]) == 0
    assert Path("floor-domain.pddl").read_text() == pddl_domain(task)
    assert Path("floor.pddl").read_text() == pddl_problem(task)

    result = puzzle_agents.make("astar").solve(make_env("KwirkSteps-v0"))
    Path("empty").write_text("; cost = 0 (unit cost)\n")
    assert main(["export", "KwirkSteps-v0", "--plan", "empty"]) == 1
    capsys.readouterr()
    run = subprocess.run(
        [sys.executable, "-m", "pyperplan", "-s", "astar", "floor-domain.pddl", "floor.pddl"],
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0
    assert main(["export", "KwirkSteps-v0", "--plan", "floor.pddl.soln"]) == 0
    assert f"in {result.moves} moves" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(walk-1)", "The task has no operator 'walk-1'"),
        ("walk 1", "Line 1 is not an operator in brackets"),
        ("; a remark\n(a) (b)", "Line 2 is not an operator in brackets"),
    ],
)
def test_a_plan_that_is_none_is_refused(text: str, words: str) -> None:
    task = task_of(make_env("Kwirk-v0"))
    with pytest.raises(ValueError, match=re.escape(words)):
        task.actions_of(plan_of(text))


def test_a_plan_with_an_illegal_action_is_refused() -> None:
    with pytest.raises(ValueError, match="Action 0, number 1 of the plan, is illegal"):
        played(make_env("Kwirk-v0"), [0])


# --- CP-SAT -----------------------------------------------------------------------------------


@given(grids(min_size=3, max_size=5), picks)
@EXAMPLES
def test_the_constraint_solver_agrees_with_the_exact_search(board: Any, picks: list[int]) -> None:
    env = standing("Skyscraper-v0", picks, level=board.text)
    ours, theirs = (puzzle_agents.make(name).solve(env) for name in ("skyscraper-exact", "cp-sat"))
    assert theirs.status == ours.status
    if ours.proved_optimal and theirs.proved_optimal:
        assert theirs.moves == ours.moves


def test_the_constraint_solver_keeps_to_its_budget() -> None:
    env = make_env("Skyscraper-v0", level="test/7x7/1")
    assert puzzle_agents.make("cp-sat", Budget(seconds=1e-6)).solve(env).status == "out of time"
    hard = make_env("Skyscraper-v0", level="test/8x8/1")
    few = puzzle_agents.make("cp-sat", Budget(expansions=1)).solve(hard)
    assert few.expanded > 1 and few.status == "gave up" and not few.actions


def test_the_constraint_solver_ends_with_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = Timer(2, os.kill, (os.getpid(), signal.SIGINT))
    solved = CpSat._solved

    def interrupted(self: CpSat, model: Any) -> Any:
        timer.start()
        return solved(self, model)

    monkeypatch.setattr(CpSat, "_solved", interrupted)
    env = make_env("Skyscraper-v0", level="test/16x16/1")
    result = puzzle_agents.make("cp-sat", Budget(seconds=60)).solve(env)
    timer.join()
    assert result.status == "gave up" and result.seconds < 30
