"""Searches by novelty, by segments and by types, and portfolios of them."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzle_agents
from puzzle_agents import Budget, Status
from puzzle_agents.agent import WrongPuzzleError
from puzzle_agents.environments import make_env
from puzzle_agents.progress import Snapshot
from puzzle_agents.registry import PORTFOLIOS
from puzzle_agents.search.portfolio import PortfolioResult
from puzzle_agents.search.seen import Seen, group_of, novelty_of
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.kwirk.presses import key_presses
from puzzle_envs.verbs import atom_count, atoms, milestones
from tests.graphs import Graph
from tests.kwirk.boards import boards as floors
from tests.walks import replayed
from tests.zen_garden.boards import boards as gardens
from tests.zen_garden.test_rules import level_text as garden_text

GOING_UP = Path(__file__).parents[3] / "shared" / "levels" / "kwirk_going_up"


# --- novelty ----------------------------------------------------------------------------------


@kernel
def judge(seen: Seen, key: int, count: int, width: int) -> int:
    return novelty_of(seen, count, group_of(seen, key), width)


ATOMS = 70
states = st.tuples(st.integers(0, 2), st.lists(st.integers(0, ATOMS - 1), max_size=6, unique=True))


@given(st.lists(states, max_size=40), st.sampled_from([1, 2]))
@settings(deadline=None)
def test_novelty_is_the_size_of_the_smallest_new_set_of_atoms(
    shown: list[tuple[int, list[int]]], width: int
) -> None:
    pairs = (ATOMS * (ATOMS - 1) // 2 + 63) // 64
    seen = Seen(
        np.zeros((2, 1), np.int8),
        np.zeros(ATOMS, np.int32),
        np.zeros(4, np.uint64),
        np.zeros(8, np.uint32),
        np.array([0, 2], np.int64),
        np.zeros((4, 2 + pairs), np.uint64),
    )
    known: set[tuple[int, tuple[int, ...]]] = set()
    for group, found in shown:
        seen.atoms[: len(found)] = found
        sets = {(group, one) for size in (1, 2) for one in combinations(sorted(found), size)}
        sizes = [len(one) for _, one in sets - known if len(one) <= width]
        assert judge(seen, group, len(found), width) == (min(sizes) - 1 if sizes else 2)
        known.update(sets)


@kernel
def look(levels: Any, states: Any, planes: Any, passed: Any, found: Any, counts: Any) -> int:
    for index in range(states.shape[0]):
        passed[index] = milestones(levels[0], states[index])
        counts[index] = atoms(levels[0], states[index], planes, found[index])
    return atom_count(levels[0], planes)


def check_verbs(env: PuzzleEnv) -> None:
    """Milestones never come undone; atoms are distinct, in bounds, and tell states apart."""
    try:
        graph = Graph(env.puzzle, env.record[0], most=2000)
    except OverflowError:
        return
    passed, counts = (np.zeros(len(graph.states), np.int64) for _ in range(2))
    found = np.zeros((len(graph.states), env.planes.size + 1), np.int32)
    planes = np.zeros((2, env.planes.size), np.int8)
    most = look(env.record, graph.states, planes, passed, found, counts)
    assert (passed[graph.edges[:, 0]] <= passed[graph.edges[:, 1]]).all()
    for count, row in zip(counts, found, strict=True):
        assert len(set(row[:count].tolist())) == count
        assert ((row[:count] >= 0) & (row[:count] < most)).all()


@given(floors(max_width=6, max_height=6, max_characters=3))
@settings(max_examples=30, deadline=None)
def test_atoms_and_milestones_of_floors(text: str) -> None:
    check_verbs(make_env("Kwirk-v0", text))


@given(gardens(max_width=4, max_height=4))
@settings(max_examples=30, deadline=None)
def test_atoms_and_milestones_of_gardens(board: Any) -> None:
    check_verbs(make_env("ZenGarden-v0", garden_text(board.rows, board.switches)))


def largest_floor() -> str:
    """A floor as large as there is, with a block across it that has to be pushed down twice."""
    inside = [["1"] + [" "] * 29, *([" "] * 30 for _ in range(28)), [" "] * 29 + ["%"]]
    for column in range(29):
        inside[14][column] = "a"
    inside[14][29] = "#"
    inside[16][0] = "O"
    return "\n".join(["#" * 32, *("#" + "".join(row) + "#" for row in inside), "#" * 32]) + "\n"


@pytest.mark.parametrize("agent", ["bfws", "segments", "types", "stages"])
def test_the_largest_floor(agent: str) -> None:
    """No board is read or written beyond its end."""
    result = puzzle_agents.make(agent).solve(make_env("Kwirk-v0", largest_floor()))
    assert result.solved and result.moves == 2


# --- heuristics by name ---------------------------------------------------------------------------


def test_what_is_no_lower_bound_serves_no_proof() -> None:
    env = make_env("Kwirk-v0", "easy/1")
    for name in ("astar", "idastar", "beam", "anytime", "novelty"):
        with pytest.raises(ValueError, match="'relaxed' of Kwirk is not a lower bound"):
            puzzle_agents.make(name, estimate="relaxed").solve(env)
    for heuristic in ("relaxed", "path", "pieces", "tables"):
        assert puzzle_agents.make("bfws", heuristic=heuristic).solve(env).solved
    with pytest.raises(ValueError, match="has no heuristic 'relax'; it has relaxed, path, pieces"):
        puzzle_agents.make("bfws", heuristic="relax").solve(env)


def test_chance_is_the_seed() -> None:
    env = make_env("ZenGarden-v0", "mixed/4")
    one, again, other = (puzzle_agents.make("types", seed=seed).solve(env) for seed in (1, 1, 2))
    assert one.actions == again.actions and one.expanded == again.expanded
    assert one.expanded != other.expanded


@pytest.mark.parametrize("name", ["bfws", "segments", "types", "stages", "portfolio"])
def test_who_watches_sees_states(name: str) -> None:
    env = make_env("Kwirk-v0", "hard/3")
    seen: list[Snapshot] = []
    agent = puzzle_agents.make(name)

    def watch(snapshot: Snapshot) -> int:
        seen.append(snapshot)
        return 10

    agent.watcher = watch
    assert agent.solve(env).solved
    assert len(seen) > 3 and all(one.waiting is not None and one.waiting >= 0 for one in seen)
    for snapshot in seen[1:]:
        assert snapshot.state is not None
        env.set_state(env.get_state()._replace(words=tuple(snapshot.state)))


@pytest.mark.parametrize(("agent", "verb"), [("segments", "aims"), ("stages", "outlook")])
def test_who_needs_a_verb_asks_for_it_and_not_for_a_name(
    agent: str, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, garden = make_env("Kwirk-v0", "easy/1"), make_env("ZenGarden-v0", "first-steps/1")
    assert floor.puzzle.implements(verb) and not garden.puzzle.implements(verb)
    named = {**garden.puzzle.heuristics, "path": lambda record: np.zeros(1, np.uint64)}
    monkeypatch.setitem(vars(garden.puzzle), "heuristics", named)
    with pytest.raises(WrongPuzzleError, match=f"{agent} needs .* has none"):
        puzzle_agents.make(agent).solve(garden)


ON_A_SMALL_STACK = """
import threading
from puzzle_agents import make
from puzzle_agents.agent import WrongPuzzleError
from puzzle_agents.environments import make_env

env, agent = make_env("Kwirk-v0", "hard/3"), make("stages")
assert agent.solve(env).solved  # compiled where there is room
threading.stack_size(1 << 18)
thread = threading.Thread(target=lambda: print(agent.solve(env).status))
thread.start()
thread.join()
"""


def test_plans_of_fills_fit_the_small_stacks_of_some_threads() -> None:
    ran = subprocess.run([sys.executable, "-c", ON_A_SMALL_STACK], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "solved\n")


# --- portfolios ---------------------------------------------------------------------------------


def test_a_portfolio_says_what_it_ran_and_what_solved_it() -> None:
    env = make_env("Kwirk-v0", "hard/3")
    results = [puzzle_agents.make("portfolio", jobs=jobs).solve(env) for jobs in (1, 1, 2)]
    for result in results:
        assert isinstance(result, PortfolioResult) and result.solved
        assert list(result.ran) == [*(member.title for member in PORTFOLIOS["Kwirk"]), "improve"]
        assert result.solved_by in result.ran
        assert result.expanded == sum(result.ran.values())
    assert results[0].actions == results[1].actions


def test_a_portfolio_of_ones_own() -> None:
    env = make_env("Kwirk-v0", "hard/3")
    result = puzzle_agents.make("portfolio", agents="astar, bfws").solve(env)
    assert isinstance(result, PortfolioResult) and list(result.ran) == ["astar", "bfws", "improve"]
    spent = puzzle_agents.make("portfolio", Budget(expansions=7), agents="types, dfs").solve(env)
    assert (spent.status, spent.expanded) == (Status.GAVE_UP, 7)
    with pytest.raises(ValueError, match="made of searches that can take turns, not of 'random'"):
        puzzle_agents.make("portfolio", agents="bfws, random").solve(env)
    with pytest.raises(ValueError, match="There is no agent 'bwfs'"):
        puzzle_agents.make("portfolio", agents="bwfs").solve(env)


@pytest.mark.parametrize(
    ("id", "level"),
    [("Kwirk-v0", "test/20-39/1"), ("ZenGarden-v0", "test/8x8/1"), ("HuaRongDao-v0", "classics/1")],
)
def test_a_member_searches_as_it_does_alone(id: str, level: str) -> None:
    budget, env = Budget(transitions=100_000), make_env(id, level)
    alone = puzzle_agents.make("greedy", budget).solve(env)
    member = puzzle_agents.make("portfolio", budget, agents="greedy", improve=False).solve(env)
    assert alone.solved
    assert (alone.actions, alone.expanded) == (member.actions, member.expanded)


def test_members_of_a_portfolio_share_the_transitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever their branching, and however often the clock is looked at."""
    env = make_env("ZenGarden-v0", "test/16x16-leaves/1")
    budget, results = Budget(None, transitions=60_000), []
    for slice_ in (1, 1024):
        monkeypatch.setattr("puzzle_agents.agent.FIRST_SLICE", slice_)
        agent = puzzle_agents.make("portfolio", budget, agents="astar, greedy, bfws")
        results.append(agent.solve(env))
    first, second = results
    assert isinstance(first, PortfolioResult) and isinstance(second, PortfolioResult)
    assert not first.solved and first.ran == second.ran
    generated = []
    for name, expanded in first.ran.items():
        ran = puzzle_agents.make(name, Budget(None, expansions=expanded)).solve(env)
        generated.append(ran.generated)
    assert min(generated) > 0.6 * max(generated)


@pytest.mark.skipif(not GOING_UP.exists(), reason="needs the floors of the paper")
@pytest.mark.parametrize("name", ["average-2", "average-6", "average-7", "average-9"])
def test_floors_that_breadth_first_search_does_not_solve(name: str) -> None:
    """In seconds; and the solutions hold by keys."""
    path = str(GOING_UP / f"{name}.txt")
    env = make_env("Kwirk-v0", path)
    budget = Budget(seconds=None, expansions=1_000_000)
    result = puzzle_agents.make("portfolio", budget).solve(env)
    assert result.solved
    keys = key_presses(env.record, env.get_state().words, result.actions)
    assert replayed(make_env("KwirkSteps-v0", path), keys)["pushes"] == result.moves
