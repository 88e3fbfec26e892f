"""The search library against exact distances of whole graphs, for every puzzle."""

from __future__ import annotations

import dataclasses
import io
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import rich.console
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import puzzle_agents
from puzzle_agents import Agent, AStar, Beam, Budget, IDAStar, Result, Status, WeightedAStar
from puzzle_agents.agent import WrongPuzzleError
from puzzle_agents.progress import Progress
from puzzle_agents.progress_line import ProgressLine
from puzzle_agents.search.open_lists import OpenLists
from puzzle_agents.search.reversible import all_goals
from puzzle_agents.search.search import Searcher
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import LevelError
from puzzle_envs.states.nodes import FIRST_ROOM
from tests.graphs import Graph
from tests.hua_rong_dao.boards import Board
from tests.hua_rong_dao.boards import boards as layouts
from tests.hua_rong_dao.test_rules import level_text as layout_text
from tests.kwirk.boards import boards as floors
from tests.skyscraper.boards import boards as grids
from tests.zen_garden.boards import boards as gardens
from tests.zen_garden.test_rules import level_text as garden_text

OPTIMAL = ["bfs", "uniform-cost", "astar", "idastar", "iddfs", "fringe", "anytime"]
COMPLETE = ["dfs", "greedy", "novelty", "weighted-astar", "bfws", "types", "portfolio"]
LEARNED = ["levin", "phs", "rooted", "guided-greedy", "guided-beam"]
BEAMS = ("beam", "guided-beam")
DEEPENING = ["idastar", "iddfs"]
"""They go round and round where there is no solution and moves lead back."""
REVERSIBLE = ["bidirectional", "frontier"]
GENERAL = [*OPTIMAL, *COMPLETE, *LEARNED, "beam"]
EXAMPLES = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


def standing(id: str, picks: list[int], **arguments: Any) -> PuzzleEnv:
    """An environment some random legal actions after its beginning."""
    try:
        env = gymnasium.make(id, **arguments).unwrapped
    except LevelError:
        assume(False)
    assert isinstance(env, PuzzleEnv)
    _, info = env.reset()
    for pick in picks:
        legal = np.flatnonzero(info["action_mask"])
        if legal.size:
            info = env.step(int(legal[pick % legal.size]))[4]
    return env


def fewest(env: PuzzleEnv) -> int | None:
    """The exact distance from where it stands, by the graph of all states."""
    try:
        graph = Graph(env.puzzle, env.record[0], np.array(env.get_state().words, np.uint64))
    except OverflowError:
        assume(False)
    return int(graph.distances[0]) if graph.solvable[0] else None


def check(env: PuzzleEnv, names: list[str]) -> None:
    """Every agent says the truth about the way from here."""
    optimum = fewest(env)
    for name in names:
        seconds = 0.2 if optimum is None and name in DEEPENING else 30
        agree(name, puzzle_agents.make(name, Budget(seconds=seconds)).solve(env), optimum)


def agree(name: str, result: Result, optimum: int | None) -> None:
    if optimum is None:
        allowed = {Status.UNSOLVABLE}
        if name in BEAMS:
            allowed.add(Status.GAVE_UP)
        if name in DEEPENING:
            allowed.add(Status.OUT_OF_TIME)
        assert result.status in allowed, (name, result)
        return
    if name in BEAMS and not result.solved:
        assert result.status == Status.GAVE_UP
        return
    assert result.solved and result.moves is not None, (name, result)
    assert result.moves >= optimum
    assert result.bound is None or result.bound <= optimum, (name, result)
    if name in OPTIMAL + REVERSIBLE:
        assert (result.moves, result.proved_optimal) == (optimum, True), (name, result)
    if result.proved_optimal:
        assert result.moves == optimum


choices = st.lists(st.integers(0, 99), max_size=6)


@given(gardens(max_width=4, max_height=4), choices)
@EXAMPLES
def test_gardens(board: Any, picks: list[int]) -> None:
    check(standing("ZenGarden-v0", picks, level=garden_text(board.rows, board.switches)), GENERAL)


@given(layouts(), choices)
@EXAMPLES
def test_layouts(board: Any, picks: list[int]) -> None:
    env = standing("HuaRongDao-v0", picks, level=layout_text(board), metric=board.metric)
    check(env, GENERAL)
    result = puzzle_agents.make("bidirectional", Budget(memory="256 MiB")).solve(env)
    if result.status != Status.OUT_OF_MEMORY:  # more solved layouts than that
        agree("bidirectional", result, fewest(env))
    if len(env.get_state().words) == 1:
        result = puzzle_agents.make("frontier").solve(env)
        agree("frontier" if not picks else "frontier amid a move", result, fewest(env))


@given(st.permutations("a.bc..").map("".join), st.sampled_from(["move", "straight", "step"]))
@EXAMPLES
def test_frontier_search_of_small_boxes(cells: str, metric: str) -> None:
    """States of one word, which random boxes seldom have."""
    text = f"; goal: a 1 2\n{cells[:3]}\n{cells[3:]}\n"
    check(standing("HuaRongDao-v0", [], level=text, metric=metric), ["frontier", "bidirectional"])


def test_more_goals_than_there_is_room_for_at_first() -> None:
    """Tens of thousands of solved layouts, all of them beginnings of the search backwards."""
    rows = ("a.b", "cde", "ff.", "ggh", "ijh", "ikk")
    text = layout_text(Board(rows, "move", ("a", 0, 2)))
    env = standing("HuaRongDao-v0", [], level=text)
    problem = AStar()._problem(env)
    goals = all_goals(problem, problem.max_bytes)
    assert len(goals) > FIRST_ROOM
    with pytest.raises(MemoryError):
        all_goals(problem, goals.nbytes - 1)
    short = puzzle_agents.make("bidirectional", Budget(memory="1 MiB")).solve(env)
    assert short.status == Status.OUT_OF_MEMORY
    both, one = (puzzle_agents.make(name).solve(env) for name in ("bidirectional", "bfs"))
    assert (both.status, both.moves) == (one.status, one.moves)


@pytest.mark.parametrize("id", ["Kwirk-v0", "KwirkSteps-v0"])
@given(text=floors(max_width=7, max_height=6, max_characters=2), picks=choices)
@EXAMPLES
def test_floors(id: str, text: str, picks: list[int]) -> None:
    check(standing(id, picks, level=text), [*GENERAL, "segments", "stages"])


@given(grids(min_size=3, max_size=4), choices)
@EXAMPLES
def test_grids(board: Any, picks: list[int]) -> None:
    env = standing("Skyscraper-v0", picks, level=board.text)
    names = [name for name in GENERAL if name != "bfs"]
    check(env, names)
    result = puzzle_agents.make("bfs").solve(env)
    assert result.solved == (fewest(env) is not None)


@pytest.mark.parametrize("name", [*GENERAL, *REVERSIBLE])
def test_tiles(name: str) -> None:
    """Boards at known distances from their goal; 31 is the farthest."""
    for text, moves in (("123/456/78.", 0), ("123/456/7.8", 1), ("867/254/3.1", 31)):
        env = standing("SlidingTiles-v0", [], level=text)
        agree(name, puzzle_agents.make(name).solve(env), moves)
    half = standing("SlidingTiles-v0", [], level="213/456/78.")
    seconds = 0.2 if name in DEEPENING else 30
    agree(name, puzzle_agents.make(name, Budget(seconds=seconds)).solve(half), None)


# --- what results say -------------------------------------------------------------------------


def test_weights_bound_the_cost() -> None:
    for level in ("rocks/3", "leaves/5", "mixed/4"):
        env = standing("ZenGarden-v0", [], level=level)
        optimum = AStar().solve(env).moves
        assert optimum is not None
        for weight in (1, 1.5, 3):
            result = WeightedAStar(weight=weight).solve(env)
            assert result.moves is not None and optimum <= result.moves <= weight * optimum


def test_symmetry_saves_states_and_nothing_else() -> None:
    env = standing("ZenGarden-v0", [], level="....\n....\n....\n....\n")
    with_images, without = (AStar(symmetry=symmetry).solve(env) for symmetry in (True, False))
    assert with_images.moves == without.moves == 3
    assert 2 * with_images.unique < without.unique


def test_another_estimate() -> None:
    env = standing("HuaRongDao-v0", [], level="classics/1")
    plain, oracle = AStar().solve(env), AStar(estimate="oracle").solve(env)
    assert plain.moves == oracle.moves == 81
    assert 50 * oracle.expanded < plain.expanded


def test_the_same_counters_in_all() -> None:
    env = standing("SlidingTiles-v0", [], level="867/254/3.1")
    for name in [*GENERAL, *REVERSIBLE]:
        result = puzzle_agents.make(name).solve(env)
        assert 0 < result.expanded <= result.generated
        assert result.peak_bytes > 0 and result.seconds > 0
        assert result.until_last_jump <= result.expanded
        if name not in ("idastar", "iddfs"):
            assert result.unique <= result.generated + 1
        if name in ("bfs", "bidirectional", "frontier"):
            assert result.evaluated == result.reopened == 0
        if name == "uniform-cost":
            assert result.evaluated >= result.unique - 1
    astar = AStar().solve(env)
    assert astar.until_last_jump < astar.expanded and astar.reopened == 0


def test_searches_depend_on_nothing_but_the_level() -> None:
    for name in GENERAL:
        results = [
            puzzle_agents.make(name).solve(standing("ZenGarden-v0", [], level="mixed/4"))
            for _ in range(2)
        ]
        assert results[0].actions == results[1].actions
        assert results[0].expanded == results[1].expanded


# --- budgets ----------------------------------------------------------------------------------


def hard_tiles() -> PuzzleEnv:
    """A board of the 15-puzzle that takes millions of expansions."""
    return standing("SlidingTiles-v0", [], level="EF8C/BAD9/2613/574.")


def test_bidirectional_needs_the_goals() -> None:
    """No goal to start from is no proof that there is none."""
    env = standing("ZenGarden-v0", [])
    puzzle = dataclasses.replace(env.puzzle, reversible=True)
    with pytest.raises(WrongPuzzleError, match="the verb 'goals'"):
        puzzle_agents.make("bidirectional").check(puzzle, env.level)


@pytest.mark.parametrize("name", [*OPTIMAL, "bidirectional", "frontier"])
def test_budgets_end_a_search(name: str) -> None:
    env = hard_tiles()
    puzzle_agents.make(name, Budget(expansions=1)).solve(env)  # compiles
    few = puzzle_agents.make(name, Budget(expansions=1000)).solve(env)
    assert (few.status, few.actions, few.moves) == (Status.GAVE_UP, [], None)
    assert few.expanded <= 1000
    late = puzzle_agents.make(name, Budget(seconds=0.2)).solve(env)
    assert late.status == (Status.SOLVED if name == "anytime" else Status.OUT_OF_TIME)
    assert not late.proved_optimal and late.seconds < 1


@pytest.mark.parametrize(
    "name",
    [
        "bfs", "uniform-cost", "astar", "fringe", "bidirectional", "frontier", "greedy", "bfws",
        "types", "portfolio",
    ],
)  # fmt: skip
@pytest.mark.parametrize("memory", ["2 MiB", "24 MiB"])
def test_memory_is_not_exceeded(name: str, memory: str) -> None:
    budget = Budget(seconds=60, memory=memory)
    result = puzzle_agents.make(name, budget).solve(hard_tiles())
    assert result.status == Status.OUT_OF_MEMORY or (name in COMPLETE and result.solved)
    assert result.peak_bytes <= budget.bytes


LIMITED = """
import resource, sys
import tests.sliding_tiles as tiles
from puzzle_agents import Budget, make
env = tiles.SlidingTilesEnv(level="EF8C/BAD9/2613/574.")
tiles.PUZZLE.register()
env.reset()
make(sys.argv[1], Budget(expansions=1)).solve(env)  # compiles
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + 200 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
result = make(sys.argv[1], Budget(seconds=60, memory="8 GiB")).solve(env)
print(result.status)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
@pytest.mark.parametrize("name", ["bfs", "astar", "bidirectional", "frontier", "anytime"])
def test_where_the_system_gives_less_than_the_budget(name: str) -> None:
    """The search ends as out of memory; it does not bring the process down."""
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, name], cwd=root, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == ("solved" if name == "anytime" else "out of memory")


def test_an_estimate_that_takes_more_than_the_budget() -> None:
    env = standing("HuaRongDao-v0", [], level="hardest/6-0-1")
    for name in ("astar", "anytime", "idastar", "bidirectional"):
        agent = puzzle_agents.make(name, Budget(memory="1 MiB"), estimate="oracle")
        result = agent.solve(env)
        assert result.status == Status.OUT_OF_MEMORY or result.solved


def test_growing_in_the_midst_of_a_search_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Least of all that a state is taken for one met before because it had to wait for room."""
    for id, level in (("ZenGarden-v0", "mixed/4"), ("SlidingTiles-v0", "867/254/3.1")):
        env = standing(id, [], level=level)
        for name in DEEPENING if id == "ZenGarden-v0" else ["idastar"]:
            ample = puzzle_agents.make(name).solve(env)
            with monkeypatch.context() as patched:
                patched.setattr("puzzle_agents.search.deepening.FIRST_ROWS", 1)
                patched.setattr("puzzle_agents.search.deepening.FIRST_DEPTH", 1)
                tight = puzzle_agents.make(name).solve(env)
            assert (tight.moves, tight.expanded) == (ample.moves, ample.expanded)
    for name in ("astar", "fringe", "beam", "bfs"):
        env = standing("ZenGarden-v0", [], level="mixed/4")
        ample = puzzle_agents.make(name).solve(env)
        with monkeypatch.context() as patched:
            patched.setattr("puzzle_envs.states.nodes.FIRST_ROWS", 8)
            patched.setattr("puzzle_envs.states.nodes.FIRST_ROOM", 16)
            tight = puzzle_agents.make(name).solve(env)
        assert tight.moves == ample.moves


def test_a_table_takes_no_more_than_its_memory() -> None:
    env = standing("ZenGarden-v0", [], level="mixed/4")
    small, none = IDAStar(table="64 KiB").solve(env), IDAStar(table=0).solve(env)
    assert small.moves == none.moves == 5
    assert small.expanded < none.expanded
    assert small.peak_bytes - none.peak_bytes <= 64 * 2**10


def test_ctrl_c_gives_back_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(AStar):
        def _search(self, problem: Any) -> Any:
            search = super()._search(problem)
            run = search.run

            def interrupted(expansions: int) -> Status | None:
                if search.count("expanded") > 5000:
                    raise KeyboardInterrupt
                return run(min(expansions, 1000))

            monkeypatch.setattr(search, "run", interrupted)
            return search

    result = Interrupted().solve(hard_tiles())
    assert result.status == Status.GAVE_UP
    assert result.expanded > 5000 and result.bound is not None and result.bound > 20


def test_a_narrow_beam_gives_up_where_a_wide_one_does_not() -> None:
    env = standing("HuaRongDao-v0", [], level="classics/9")
    statuses = {Beam(width=width).solve(env).status for width in (1, 100_000)}
    assert statuses == {Status.GAVE_UP, Status.SOLVED}


# --- the progress line ------------------------------------------------------------------------


def test_the_progress_line_says_how_far_it_has_come() -> None:
    line = ProgressLine("astar")
    text = line.text(Progress(3_000_000, 5_000_000, 100 * 2**20, 46), seconds=2.0)
    assert text == "astar: 5,000,000 states, 1.50 M expanded/s, 100 MiB, lower bound 46"
    assert line.text(Progress(0), seconds=1.0) == "astar: 0 states, 0.00 M expanded/s, 0 MiB"
    text = ProgressLine("zen-ga").text(Progress(80_000, bytes=2**20, best=-3.5), seconds=0.1)
    assert text == "zen-ga: 80,000 genomes, 0.80 M evaluated/s, 1 MiB, best score -3.5"


def test_it_appears_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    real = rich.console.Console
    shown = {}
    for terminal in (True, False):
        stream = io.StringIO()
        console = partial(real, file=stream, force_terminal=terminal, width=100)
        monkeypatch.setattr(rich.console, "Console", lambda stderr, made=console: made())
        monkeypatch.setattr("puzzle_agents.progress_line.PATIENCE", 0.0)
        monkeypatch.setattr("puzzle_agents.progress_line.PAUSE", 0.0)
        AStar(Budget(expansions=50_000)).solve(hard_tiles())
        shown[terminal] = stream.getvalue()
    assert "astar: " in shown[True] and "lower bound" in shown[True]
    assert shown[False] == ""


def test_every_search_agent_says_what_it_is_good_for() -> None:
    for name in set(puzzle_agents.names()) - {"maskable-ppo"}:
        agent: Agent = puzzle_agents.make(name)
        if isinstance(agent, Searcher):
            text = type(agent).__doc__ or ""
            assert "Use it" in text
            assert "ptimal" in text and "omplete" in text


def test_open_lists_have_room_for_the_successors_of_any_state() -> None:
    lists = OpenLists()
    lists._pools["used"] = 4_000
    lists.grow(1_000, 1_000_000)
    assert lists.room > 1_000_000


def test_a_million_successors_of_a_state_do_not_outlast_the_budget() -> None:
    env = standing("ZenGarden-v0", [], level="test/16x16-ornaments/2")
    agent = puzzle_agents.make("astar", Budget(seconds=3, memory="2 GiB"))
    agent.warm_up(env)
    result = agent.solve(env)
    assert result.status == Status.OUT_OF_TIME and result.expanded > 0 and result.seconds < 10
