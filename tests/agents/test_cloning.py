"""Demonstrations of agents, and policies that start from them."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzle_agents.cli.app import main
from puzzle_agents.demonstrations import Demonstration, Teacher, pairs_of
from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.levels import levels_of
from puzzle_envs.codec import Shape
from puzzle_envs.episodes.batch import Batch
from puzzle_envs.level import Level
from puzzle_envs.zen_garden import PUZZLE as GARDENS


@pytest.mark.parametrize(
    ("env", "options", "agent", "levels", "room"),
    [
        ("ZenGarden-v0", {}, "astar", "5 new 4x4+3 new 5x5", Shape(31, 6, 7)),
        ("HuaRongDao-v0", {}, "bfs", "train/1-10", None),
        ("Kwirk-v0", {}, "random", "train/1-3", None),
        ("Skyscraper-v0", {"mask": "empty"}, "skyscraper-exact", "5 new 4x4", Shape(125, 5, 5)),
    ],
)
def test_pairs_lead_from_each_level_to_its_solution(
    env: str, options: dict[str, Any], agent: str, levels: str, room: Shape | None
) -> None:
    puzzle = puzzle_of(env, **options)
    some = levels_of(puzzle, levels, 0)[:8]
    room = room or puzzle.format.joint_shape([puzzle.format.shape(one.record) for one in some])
    teacher = Teacher.of(agent, env, options, seed=3)
    shown = list(teacher.demonstrations(some))
    again = [one.actions for one in Teacher.of(agent, env, options, seed=3).demonstrations(some)]
    assert [one.actions for one in shown] == again
    assert (teacher.costs["solved"], teacher.costs["failed"]) == (len(some), 0)
    pairs = pairs_of(puzzle, shown, room=room, reward="sparse", discount=0.5)
    row = 0
    for one in shown:
        batch = Batch(puzzle, [one.level], 1, reward="sparse", room=room)
        frame = batch.begin_all(0)
        for left in range(len(one.actions) - 1, -1, -1):
            assert np.array_equal(pairs.planes[row], frame.planes[0])
            assert np.array_equal(pairs.masks[row], frame.masks[0])
            assert frame.masks[0, pairs.actions[row]]
            assert pairs.returns[row] == pytest.approx(0.5**left)
            frame = batch.advance(pairs.actions[row : row + 1])
            row += 1
        assert frame.outcomes["solved"][0]
    assert row == len(pairs.actions)


def test_levels_that_the_teacher_does_not_solve_are_counted() -> None:
    hard = GARDENS.format.find_all("test/16x16")[:2]
    easy = GARDENS.format.find_all("first-steps/1")
    teacher = Teacher.of("bfs", "ZenGarden-v0", expansions=20)
    shown = list(teacher.demonstrations([hard[0], *easy, hard[1]]))
    assert [one.level for one in shown] == easy
    assert (teacher.costs["solved"], teacher.costs["failed"]) == (1, 2)
    assert 40 <= teacher.costs["expanded"] <= 60


def test_an_empty_demonstration_gives_no_pairs() -> None:
    level: Level = GARDENS.format.find_all("first-steps/1")[0]
    shown = [
        Demonstration(level, [], 0),
        *Teacher.of("bfs", "ZenGarden-v0").demonstrations([level]),
    ]
    shape = GARDENS.format.shape(level.record)
    assert len(pairs_of(GARDENS, shown, room=shape).actions) == len(shown[1].actions)


needs_rl = pytest.mark.skipif(
    importlib.util.find_spec("sb3_contrib") is None, reason="needs the rl extra"
)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--teacher", "asta"], "There is no agent 'asta'. Did you mean"),
        (["--teacher", "kwirk-push-astar"], "no agent"),
        (["--teacher", "skyscraper-exact"], "does not play ZenGarden-v0"),
        pytest.param(
            ["--teacher", "astar", "--algo", "dqn"],
            "dqn cannot learn from a teacher",
            marks=needs_rl,
        ),
        (
            ["--teacher", "astar", "--demonstrated", "5", "--algo", "phs"],
            "learns from the teacher's solutions of all levels; leave out --demonstrated",
        ),
        (["--demonstrated", "500"], "needs --teacher"),
        pytest.param(
            ["--algo", "dagger"],
            "learns from a teacher, such as astar, or from solutions",
            marks=needs_rl,
        ),
        pytest.param(
            ["--algo", "dagger", "--teacher", "astar", "--demonstrated", "5"],
            "dagger asks its teacher throughout; leave out --demonstrated",
            marks=needs_rl,
        ),
    ],
)
def test_who_cannot_teach_is_told_before_anything_is_made(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["train", "zen-garden-4x4", "--output", str(tmp_path / "run"), *arguments])
    assert code == 2
    assert words in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "run").exists()


# --- policies that start from them ------------------------------------------------------------


@pytest.fixture
def small() -> Any:
    """A short run on layouts near their goal."""
    pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    import torch

    from puzzle_agents.learning.config import Config

    torch.set_num_threads(1)
    return Config(
        env="HuaRongDao-v0",
        stages=("train/1-10",),
        validation=("validation/1-10",),
        steps=8192,
        longest=30,
        envs=32,
        trunk={"channels": 16, "blocks": 1, "lines": 4},
        arguments={"n_steps": 32, "batch_size": 64, "learning_rate": 3e-3},
        evaluate_every=10_000,
    )


def test_fresh_levels_to_show_never_end_and_others_come_once(small: Any) -> None:
    from itertools import islice

    from puzzle_agents.learning.cloning import levels_to_show

    once = list(levels_to_show(small))
    assert len(once) == len({level.name for level in once}) == 400
    fresh = replace(small, stages=("16 fresh 1-10", "train/1-10+16 fresh 11-20"))
    many = list(islice(levels_to_show(fresh), 500))
    assert len({level.name for level in many}) == 500
    assert [level.name for level in islice(levels_to_show(fresh), 100)] == [
        level.name for level in many[:100]
    ]


def test_cloning_is_a_better_start_with_the_same_budget(small: Any, tmp_path: Path) -> None:
    from puzzle_agents.learning.model_file import load_model
    from puzzle_agents.learning.training import train

    taught = replace(small, teacher="bfs", demonstrated=3072)
    cards = [
        load_model(train(config, tmp_path / name, threads=1)).card.training
        for name, config in (("alone", small), ("taught", taught))
    ]
    alone, with_teacher = cards
    assert with_teacher["steps"] == alone["steps"] == small.steps
    teacher = with_teacher["teacher"]
    assert (teacher["agent"], teacher["demonstrated"], teacher["failed"]) == ("bfs", 3072, 0)
    assert teacher["expanded"] > teacher["solved"] > 100
    assert with_teacher["validation"] > alone["validation"] + 0.1


SEEING = {"kind": "relative", "channels": 16, "blocks": 1, "lines": 4, "legal": True}


@pytest.mark.parametrize(
    ("algorithm", "arguments", "trunk"), [("ppo", None, SEEING), ("a2c", {"n_steps": 16}, None)]
)
def test_other_policies_start_from_it_too_and_resume(
    algorithm: str,
    arguments: dict[str, Any] | None,
    trunk: dict[str, Any] | None,
    small: Any,
    tmp_path: Path,
) -> None:
    """A run that ends after the demonstrations goes on to the model of one that did not."""
    import torch

    from puzzle_agents.learning.config import write_config
    from puzzle_agents.learning.model_file import load_model
    from puzzle_agents.learning.run import Run
    from puzzle_agents.learning.training import resume, train

    config = replace(
        small, algorithm=algorithm, teacher="bfs", demonstrated=1000, steps=3048,
        arguments=small.arguments if arguments is None else arguments,
        trunk=trunk or small.trunk,
    )  # fmt: skip
    write_config(tmp_path / "config.json", config)
    first = next(Run(config, tmp_path, "", 1, lambda sentence: None).points())
    assert first.steps == 1000
    models = [resume(tmp_path, threads=1), train(config, tmp_path / "whole", threads=1)]
    one, other = map(load_model, models)
    assert one.card.training["teacher"] == other.card.training["teacher"]
    weights = (model.policy.state_dict().values() for model in (one, other))
    assert all(torch.equal(*pair) for pair in zip(*weights, strict=True))
