"""Suites: what they come to, and what is refused, with its place."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from puzzle_agents.benchmark.row import Limits
from puzzle_agents.benchmark.suite import SuiteError, bundled, read_suite
from puzzle_agents.benchmark.task import in_order
from puzzle_agents.cli.app import main
from puzzle_agents.environments import puzzle_of
from puzzle_envs.generation import bins_of

SUITE = """
about = "A suite."
seeds = [3, 5]

[budget]
seconds = 2
memory = "1 GiB"
transitions = 1_000

[[environments]]
id = "ZenGarden-v0"
levels = ["first-steps/1", "test/4x4"]
first = 2
agents = ["random", "bfs", "hasty"]

[[environments]]
id = "HuaRongDao-v0"
options = { metric = "step" }
levels = ["classics/1"]
transitions = 50
agents = ["bfs"]

[agents.hasty]
name = "weighted-astar"
arguments = { weight = 2.5 }
"""


def suite_of(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_a_suite_comes_to(tmp_path: Path) -> None:
    suite = read_suite(str(suite_of(tmp_path, SUITE)))
    assert (suite.name, suite.about) == ("mine", "A suite.")
    assert [(task.level, task.agent, task.seed) for task in suite.tasks] == [
        *((level, agent, seed)
          for level in ("first-steps/1", "test/4x4/1", "test/4x4/2")
          for agent, seed in (("random", 3), ("random", 5), ("bfs", None), ("hasty", None))),
        ("classics/1", "bfs", None),
    ]  # fmt: skip
    hasty, box = suite.tasks[3], suite.tasks[-1]
    assert (hasty.name, hasty.arguments, hasty.kind) == (
        "weighted-astar",
        {"weight": 2.5},
        "search",
    )
    assert (hasty.optimum, hasty.budget) == (3, Limits(2.0, 2**30, 1000))
    assert box.budget == Limits(2.0, 2**30, 50)
    assert box.options == {"metric": "step"} and "step" in str(box.episode().begin().puzzle)


def test_keys_tell_tasks_apart_and_stay(tmp_path: Path) -> None:
    tasks = read_suite(str(suite_of(tmp_path, SUITE))).tasks
    again = read_suite(str(suite_of(tmp_path, SUITE.replace('about = "A suite."', "")))).tasks
    assert [task.key for task in tasks] == [task.key for task in again]
    assert len({task.key for task in tasks}) == len(tasks)
    other = replace(tasks[0], budget=Limits(3.0, 2**30, 1000))
    assert other.key != tasks[0].key and other.group == tasks[0].group


def test_one_task_of_each_group_comes_first() -> None:
    pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    tasks = read_suite("quick").tasks
    ordered = in_order(tasks)
    assert Counter(task.key for task in ordered) == Counter(task.key for task in tasks)
    groups = [task.group for task in ordered]
    firsts = len(set(groups))
    assert len(set(groups[:firsts])) == firsts
    assert ordered[0].env != ordered[1].env
    changes = sum(one != other for one, other in itertools.pairwise(groups[firsts:]))
    assert changes < firsts


@pytest.mark.parametrize("name", bundled())
def test_bundled_suites_are_read(name: str) -> None:
    pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    suite = read_suite(name)
    kinds = {(task.env, task.kind) for task in suite.tasks}
    without = {"hard": {"learning", "random"}, "ablations": {"random", "evolution"}}.get(
        name, set()
    )
    wanted = {"search", "learning", "random"} - without
    for env in ("ZenGarden-v0", "HuaRongDao-v0", "Kwirk-v0", "Skyscraper-v0"):
        assert {(env, kind) for kind in wanted} <= kinds
    if "evolution" not in without:
        assert {(env, "evolution") for env in ("ZenGarden-v0", "Skyscraper-v0")} <= kinds
    assert suite.about


def test_standard_has_a_ladder_of_each_puzzle_and_quick_two_easy_tiers_and_a_hard_one() -> None:
    pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    for name, tiers in (("standard", range(6, 20)), ("quick", range(3, 4))):
        sets: dict[str, set[str]] = defaultdict(set)
        for task in read_suite(name).tasks:
            sets[task.env].add(task.level.rpartition("/")[0])
        for env, names in sets.items():
            assert len(names) in tiers, (name, env)
            assert {one.partition("/")[2] for one in names} <= set(bins_of(puzzle_of(env)))


def test_agents_without_their_extra_are_left_out_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzle_agents.outside.planner.find_spec", lambda _: None)
    text = """
budget = { seconds = 1, memory = "1 GiB" }
[[environments]]
id = "ZenGarden-v0"
levels = ["rocks"]
first = 2
agents = ["astar", "lama"]
"""
    suite = read_suite(str(suite_of(tmp_path, text)))
    assert [task.agent for task in suite.tasks] == ["astar", "astar"]
    (sentence,) = suite.left_out
    assert sentence == (
        "lama needs the extra planners: pip install 'puzzle-envs[planners]'. It is skipped."
    )
    with pytest.raises(SuiteError, match="lama needs the extra planners"):
        read_suite(str(suite_of(tmp_path, text.replace('"astar", ', ""))))


@pytest.mark.parametrize(
    ("was", "instead", "place", "said"),
    [
        ("seeds =", "sedes =", "mine.toml: ", "no key 'sedes'. Did you mean 'seeds'?"),
        ("seconds = 2", "", "mine.toml: ", "'seconds' is missing in 'budget'"),
        ("seconds = 2", 'seconds = "2"', "mine.toml: 'budget.seconds'", "must be a number from 0"),
        ("seconds = 2", "seconds = 0", "budget: ", "more than 0 seconds"),
        ("1 GiB", "much", "budget: ", "like '2 GiB'"),
        ("transitions = 1_000", "transitions = 0", "'budget.transitions'", "integer from 1 to"),
        ("ZenGarden-v0", "ZenGardn-v0", "environments[1]: ", "mean 'ZenGarden-v0'"),
        ("test/4x4", "test/4x5", "environments[1].levels: ", "Did you mean 'test/5x5'"),
        ("first = 2", "first = 0", "'environments[1].first' must be", "from 1, not 0"),
        ("first = 2", "fist = 2", "'environments[1]'", "Did you mean 'first'?"),
        ('"bfs", "hasty"', '"dsf", "hasty"', "environments[1].agents: ", "Did you mean 'dfs'?"),
        ('"bfs", "hasty"', '"bfs", "bfs"', "environments[1].agents: ", "'bfs' is listed twice"),
        ('"step"', '"steps"', "environments[2]: ", "step"),
        ("metric", "metrik", "'environments[2].options'", "Did you mean 'metric'?"),
        ("weighted-astar", "weighted-star", "agents.hasty: ", "mean 'weighted-astar'"),
        ("weight = 2.5", "wait = 2.5", "'agents.hasty.arguments'", "Did you mean 'weight'?"),
        ("weight = 2.5", 'weight = "x"', "'agents.hasty.arguments.weight'", "must be a number"),
        ("weight = 2.5", "weight = 0.5", "agents.hasty: ", "0.5"),
        ("arguments =", "seeds = [1]\narguments =", "agents.hasty.seeds: ", "is deterministic"),
        ("seeds = [3, 5]", "seeds = []", "'seeds' must be", "a list of 1 to"),
        ("seeds = [3, 5]", "seeds = [3, '5']", "'seeds[2]' must be", "not '5'"),
        ('["classics/1"]', "[5]", "'environments[2].levels[1]' must be", "a string"),
        ("about =", "about", "mine.toml", "not TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_its_place(
    tmp_path: Path, was: str, instead: str, place: str, said: str
) -> None:
    assert was in SUITE
    path = suite_of(tmp_path, SUITE.replace(was, instead))
    with pytest.raises(SuiteError) as caught:
        read_suite(str(path))
    sentence = str(caught.value)
    assert place in sentence and said in sentence and "mine.toml" in sentence, sentence


def test_suites_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "suites"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in bundled())
    assert main(["list", "suites", "Kwirk-v0"]) == 2
