"""Models, their files, training and trained models as agents."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

import puzzle_agents
from puzzle_agents import Budget, Status
from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.learning.card import Card, ModelError
from puzzle_agents.learning.config import Config, read_config, write_config
from puzzle_agents.learning.evaluation import any_legal, evaluate, sides_of
from puzzle_agents.learning.levels import Stage, levels_of, new_levels
from puzzle_agents.learning.model_file import Model, load_model, save_model
from puzzle_agents.learning.networks import ActionHead, Trunk, ValueHead
from puzzle_agents.learning.policy_agent import PolicyAgent
from puzzle_agents.learning.presets import PRESETS
from puzzle_agents.learning.run import Run
from puzzle_agents.learning.teaching import TaughtVecEnv
from puzzle_agents.learning.training import MODEL, resume, train
from puzzle_agents.learning.training_job import CHECKPOINT
from puzzle_agents.learning.vec_env import to_sb3
from puzzle_agents.statistics import wilson
from puzzle_envs.codec import Shape
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import LevelError
from puzzle_envs.skyscraper.exact import solve
from puzzle_envs.skyscraper.level import clues_of, givens_of
from puzzle_envs.zen_garden import PUZZLE as GARDENS
from tests.sliding_tiles import PUZZLE as SLIDING_TILES

SMALL = {"channels": 8, "blocks": 1, "lines": 4}
CARDS = {
    "ZenGarden-v0": Card("maskable-ppo", "ZenGarden-v0", {}, 11, 4, 4, 19, SMALL),
    "HuaRongDao-v0": Card("maskable-ppo", "HuaRongDao-v0", {}, 13, 5, 4, 80, SMALL),
    "Skyscraper-v0": Card(
        "maskable-ppo", "Skyscraper-v0", {"mask": "consistent"}, 22, 4, 4, 64, SMALL
    ),
}
TINY = Config(
    env="ZenGarden-v0",
    stages=("first-steps/1", "20 new 4x4"),
    validation=("first-steps/1",),
    steps=2_000,
    longest=20,
    threshold=0.0,
    envs=8,
    trunk=SMALL,
    arguments={"n_steps": 16, "batch_size": 64},
    evaluate_every=500,
)


@pytest.fixture(autouse=True)
def _same_weights_every_time() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)  # several, on so little work, wait for each other


def environment(id: str, **arguments: Any) -> PuzzleEnv:
    return make_env(id, **arguments)


# --- networks ---------------------------------------------------------------------------------


def test_places_are_where_actions_take_place() -> None:
    garden = environment("ZenGarden-v0", level="....\n....\n....")
    places = puzzle_of("ZenGarden-v0").codec.places(Shape(17, 3, 4))
    for action in range(14):
        env = environment("ZenGarden-v0", level="....\n....\n....")
        observation, *_ = env.step(action)
        raked = garden.reset()[0][1] != observation[1]
        cell, heading = places[action]
        assert raked[divmod(cell, 4)], action
        row_wise = heading % 2 == 1
        assert raked.any(axis=1).sum() == (1 if row_wise else 3)
    assert places[14:] == [(-1, 0), (-1, 1), (-1, 2)]
    boxes = puzzle_of("HuaRongDao-v0").codec.places(Shape(80, 5, 4))
    assert boxes[4 * 7 + 2] == (7, 2)
    grids = puzzle_of("Skyscraper-v0").codec.places(Shape(64, 4, 4))
    assert grids[(2 * 4 + 3) * 4 + 1] == (11, 1)
    floors = puzzle_of("Kwirk-v0").codec.places(Shape(6 * 12, 3, 4))
    assert floors[4 * 5 + 3] == (5, 3)
    assert floors[4 * 12 + 12 + 5] == (5, 5)
    keys = puzzle_of("KwirkSteps-v0").codec.places(Shape(5, 3, 4))
    assert keys == [(-1, action) for action in range(5)]
    assert SLIDING_TILES.codec.places(Shape(3, 2, 2)) == [(-1, 0), (-1, 1), (-1, 2)]


def test_a_head_reads_each_action_at_its_place() -> None:
    """A change in one cell changes the numbers of that cell's actions and of those of no place."""
    places = [*puzzle_of("HuaRongDao-v0").codec.places(Shape(80, 5, 4)), (-1, 0)]
    head = ActionHead((8, 5, 4), places)
    features = torch.rand(1, 8, 5, 4)
    changed = features.clone()
    changed[0, :, 2, 1] += 1
    differ = (head(features.flatten(1)) != head(changed.flatten(1)))[0].numpy()
    assert set(np.flatnonzero(differ).tolist()) <= {4 * 9 + k for k in range(4)} | {80}
    assert differ[[36, 80]].all()
    assert ValueHead((8, 5, 4))(features.flatten(1)).shape == (1, 1)


def test_a_block_sees_the_whole_line() -> None:
    space = CARDS["HuaRongDao-v0"].observation_space
    for lines, reach in ((4, True), (0, False)):
        trunk = Trunk(space, channels=8, blocks=1, lines=lines)
        planes = torch.zeros(1, *space.shape)
        changed = planes.clone()
        changed[0, :, 0, 1] = 1
        differ = (trunk(planes) != trunk(changed)).reshape(8, 5, 4).any(0)
        assert bool(differ[4, 1]) == reach
        assert not differ[4, 3]
    apart = Trunk(space, channels=8, blocks=1, lines=0, reach=0)
    changed[0, :, 0, 1] = 1
    differ = (apart(torch.zeros_like(changed)) != apart(changed)).reshape(8, 5, 4).any(0)
    assert differ.nonzero().tolist() == [[0, 1]]


def test_half_the_digits_say_nearly_the_same() -> None:
    card = CARDS["ZenGarden-v0"]
    rated = []
    for half in (False, True):
        torch.manual_seed(1)
        trunk = Trunk(card.observation_space, channels=8, blocks=2, lines=4, half=half)
        places = puzzle_of("ZenGarden-v0").codec.places(Shape(19, 4, 4))
        head = ActionHead(trunk.board, places, half=half)
        rated.append(head(trunk(torch.ones(3, *card.observation_space.shape))))
        assert rated[-1].dtype == torch.float32
    assert not torch.equal(*rated)
    torch.testing.assert_close(*rated, rtol=0.05, atol=0.02)


# --- model files ------------------------------------------------------------------------------


def test_a_model_is_the_same_when_read_back(tmp_path: Path) -> None:
    for name, card in CARDS.items():
        model = Model(card)
        save_model(tmp_path / "a.model", card, model.policy.state_dict())
        again = load_model(tmp_path / "a.model")
        env = environment(
            name, levels="train/4x4" if card.width == 4 == card.height else "classics"
        )
        observation, info = env.reset()
        seen = observation[None], info["action_mask"][None]
        scores = model.scores(*seen)
        assert np.array_equal(scores, again.scores(*seen))
        assert np.isneginf(scores[seen[1] == 0]).all()
        assert np.exp(scores).sum() == pytest.approx(1)
        assert again.card == card


class Exploit:
    """Pickled, it would run a command when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {os.environ['PUZZLE_ENVS_EXPLOITED']}",)


def test_no_code_runs_from_a_model_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLE_ENVS_EXPLOITED", str(tmp_path / "exploited"))
    card = CARDS["ZenGarden-v0"]
    network = Model(card).policy.state_dict()
    for content in (network | {"weight": Exploit()}, (network, Exploit())):
        weights: Any = content
        packed = io.BytesIO()
        torch.save(weights, packed)
        with zipfile.ZipFile(tmp_path / "bad.model", "w") as parts:
            parts.writestr("model.json", json.dumps(asdict(card)))
            parts.writestr("weights.pt", packed.getvalue())
        with pytest.raises(ModelError, match="more than numbers"):
            load_model(tmp_path / "bad.model")
    assert not (tmp_path / "exploited").exists()


def test_a_file_cut_short_is_no_model(tmp_path: Path) -> None:
    path, card = tmp_path / "a.model", CARDS["ZenGarden-v0"]
    save_model(path, card, Model(card).policy.state_dict())
    whole = path.read_bytes()
    for length in range(0, len(whole), 997):
        path.write_bytes(whole[:length])
        with pytest.raises(ModelError):
            load_model(path)


# --- views ------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_a_view_is_the_turned_garden(data: st.DataObject) -> None:
    """What is played on a garden, and on its text turned, looks as the view says at each step."""
    rows = st.text(".....#y", min_size=4, max_size=4).map(list)
    board = np.array(data.draw(st.lists(rows, min_size=4, max_size=4)))
    side = data.draw(st.integers(0, 7))
    turned = board.T if side & 4 else board
    turned = turned[::-1] if side & 2 else turned
    turned = turned[:, ::-1] if side & 1 else turned
    texts = ("\n".join("".join(row) for row in one) for one in (board, turned))
    try:
        env, other = (environment("ZenGarden-v0", level=text) for text in texts)
    except LevelError:  # no sand
        return
    (planes, info), (seen, told) = env.reset(), other.reset()
    views = puzzle_of("ZenGarden-v0").codec.views(Shape(19, 4, 4))
    assert len(views) == 8
    view = views[side]
    while True:
        assert np.array_equal(planes.ravel()[view.planes], seen.ravel())
        assert np.array_equal(info["action_mask"], told["action_mask"][view.actions])
        legal = np.flatnonzero(info["action_mask"])
        if legal.size == 0 or info["solved"]:
            return
        action = data.draw(st.sampled_from(legal.tolist()))
        planes, *_, info = env.step(action)
        seen, *_, told = other.step(int(view.actions[action]))


def test_a_board_is_rated_from_the_side_that_is_asked_for() -> None:
    env = environment("ZenGarden-v0", level="train/4x4/1")
    planes, info = env.reset()
    model = Model(CARDS["ZenGarden-v0"])
    many = np.stack([planes] * 8), np.stack([info["action_mask"]] * 8)
    rated = model.scores(*many, np.arange(8))
    assert np.array_equal(rated[0], model.scores(*many)[0])
    assert np.isneginf(rated[:, info["action_mask"] == 0]).all()
    for side, view in enumerate(model.views):
        seen, mask = planes.ravel()[view.planes].reshape(planes.shape), np.empty(19, np.int8)
        mask[view.actions] = info["action_mask"]
        alone = model.scores(seen[None], mask[None])[0]
        assert rated[side] == pytest.approx(alone[view.actions], abs=1e-5)
    assert len({tuple(row) for row in rated.round(4)}) == 8
    assert sides_of(10, 8, fills=True).tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]
    assert not sides_of(10, 8, fills=False).any()
    assert len(Model(CARDS["HuaRongDao-v0"]).views) == 1


# --- policies as agents -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["sample", "greedy", "beam"])
def test_a_policy_solves_what_is_easy(mode: str) -> None:
    env = environment("ZenGarden-v0", level="..\n..")
    agent = PolicyAgent(model=Model(CARDS["ZenGarden-v0"]), mode=mode, width=64)
    result = agent.solve(env)  # replayed by the base class, in the small board's own actions
    assert result.solved or mode == "greedy"
    assert not result.proved_optimal
    assert result == replace(agent.solve(env), seconds=result.seconds)


def test_a_model_with_another_mask_plays_a_smaller_grid() -> None:
    env = environment("Skyscraper-v0", level="3:3/2/1/1/2/2/3/2/1/1/2/2")
    assert env.action_space.n == 27
    agent = PolicyAgent(model=Model(CARDS["Skyscraper-v0"]), mode="beam", width=400)
    assert agent.solve(env).solved


def test_a_beam_finds_what_samples_of_a_bad_policy_do_not() -> None:
    env = environment("HuaRongDao-v0", level="train/1-10/1")
    model = Model(CARDS["HuaRongDao-v0"])
    result = PolicyAgent(model=model, mode="beam", width=3000, longest=60).solve(env)
    assert result.solved
    assert result.moves is not None
    assert result.moves >= env.reset()[1]["optimum"]


def test_a_policy_keeps_to_its_budget() -> None:
    env = environment("HuaRongDao-v0", level="classics/1")
    model = Model(CARDS["HuaRongDao-v0"])
    for mode in ("sample", "greedy", "beam"):
        few = PolicyAgent(Budget(expansions=25), model=model, mode=mode).solve(env)
        assert (few.status, few.expanded) == (Status.GAVE_UP, 25)
        short = PolicyAgent(Budget(seconds=0.05), model=model, mode=mode, longest=10**6)
        assert short.solve(env).status == Status.OUT_OF_TIME
    assert PolicyAgent(model=model, longest=3, width=2).solve(env).expanded == 6


def test_a_policy_goes_on_from_the_middle_and_knows_when_it_is_done() -> None:
    env = environment("ZenGarden-v0", level="..\n..")
    solution = puzzle_agents.make("bfs").solve(env).actions
    for action in solution[:-1]:
        env.step(action)
    agent = PolicyAgent(model=Model(CARDS["ZenGarden-v0"]), width=50)
    assert agent.solve(env).solved
    env.step(solution[-1])
    assert agent.solve(env).actions == []


# --- levels and figures -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "bin"),
    [("HuaRongDao-v0", "1-10"), ("Kwirk-v0", "1-3"), ("Skyscraper-v0", "4x4"),
     ("ZenGarden-v0", "5x5")],
)  # fmt: skip
def test_every_generator_draws_levels_of_its_bins(env: str, bin: str) -> None:
    puzzle = puzzle_of(env)
    generator = puzzle.generator
    assert generator is not None
    bundled = puzzle.format.find_all(f"train/{bin}")
    levels = new_levels(puzzle, bin, 6, seed=1)
    keys = [generator.canonical(level) for level in levels]
    assert len(set(keys)) == 6
    assert {level.optimum is None for level in levels} == {False}
    if env in ("HuaRongDao-v0", "Kwirk-v0"):  # bins of optima
        low, high = map(int, bin.split("-"))
        assert all(low <= (level.optimum or 0) <= high for level in [*levels, *bundled])
    else:  # bins of sizes
        assert {puzzle.format.shape(level.record) for level in [*levels, *bundled]} == {
            puzzle.format.shape(bundled[0].record)
        }


def test_fresh_levels_are_replaced_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which ones are drawn depends on the actions alone; running episodes go on with theirs."""
    monkeypatch.setattr("puzzle_agents.learning.levels.PERIOD", 100)
    stage = Stage(GARDENS, "first-steps/1+16 fresh 4x4", 0)
    assert (stage.climbed, stage.moves) == ("4x4", True)
    assert not Stage(GARDENS, "5 new 4x4", 0).moves
    first, same, later = (stage.levels(steps) for steps in (0, 99, 350))
    assert first == same
    assert len(first) == len(later) == 17
    assert first[0] == later[0]
    assert [one.name for one in first[7:]] == [one.name for one in later[1:11]]
    assert not {one.name for one in first[1:7]} & {one.name for one in later}
    anew = Stage(GARDENS, "first-steps/1+16 fresh 4x4", 0).levels(350)
    assert [one.record.tobytes() for one in anew] == [one.record.tobytes() for one in later]
    vector: Any = gymnasium.make_vec("ZenGarden-v0", 64, levels=first).unwrapped
    planes, info = vector.reset(seed=1)
    before = vector.level_names.copy()
    vector.draw_from(later)
    assert before.tolist() == vector.level_names.tolist()
    gone = {one.name for one in first} - {one.name for one in later}
    assert gone & set(before.tolist())
    actions = info["action_mask"].argmax(axis=1)
    twin: Any = gymnasium.make_vec("ZenGarden-v0", 64, levels=first).unwrapped
    assert np.array_equal(planes, twin.reset(seed=1)[0])
    assert np.array_equal(vector.step(actions)[0], twin.step(actions)[0])
    vector.reset()
    assert set(vector.level_names.tolist()) <= {one.name for one in later}


def test_new_levels_are_no_test_levels() -> None:
    from puzzle_envs.zen_garden.scattered import canonical

    levels = new_levels(GARDENS, "4x4", 60, seed=3)
    keys = {canonical(level) for level in levels}
    kept = {canonical(level) for level in GARDENS.format.find_all("test/4x4")}
    assert len(keys) == 60
    assert not keys & kept
    again = new_levels(GARDENS, "4x4", 60, seed=3)
    assert [one.record.tobytes() for one in again] == [one.record.tobytes() for one in levels]
    joined = levels_of(GARDENS, "3 new 4x4 + train/4x4", seed=3)
    assert len(joined) == 1003
    with pytest.raises(LevelError, match="no levels '9x9'; it has 4x4, 5x5"):
        new_levels(GARDENS, "9x9", 1, seed=0)
    with pytest.raises(LevelError):
        levels_of(GARDENS, "nowhere", seed=0)
    with pytest.raises(LevelError, match="no cells to leave empty"):
        levels_of(GARDENS, "3 new 4x4 with 2 empty", seed=0)
    begun = levels_of(puzzle_of("Skyscraper-v0"), "3 new 4x4 with 2 empty", seed=0)
    assert [level.optimum for level in begun] == [2, 2, 2]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_levels(preset: str) -> None:
    config = PRESETS[preset]
    puzzle = puzzle_of(config.env)
    for stage in config.stages:
        small = "+".join(
            " ".join(["2", *part.split()[1:]]) if "new" in part else part
            for part in stage.split("+")
        )
        assert levels_of(puzzle, small, seed=0)
    for name in config.validation:
        assert puzzle.format.find_all(name)


def test_intervals() -> None:
    assert wilson(0, 0) == (0, 1)
    assert wilson(0, 10)[0] == 0 < wilson(0, 10)[1] == pytest.approx(0.2775, abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(200, 200) == pytest.approx((0.9812, 1), abs=1e-4)


def test_evaluation_counts_what_was_solved() -> None:
    levels = GARDENS.format.find_all("first-steps")[:3]
    found = evaluate(any_legal, GARDENS, levels, samples=200, seed=1)
    assert found.solved.shape == (3, 200)
    assert found.rate(200) == 1
    assert 0 < found.solved.mean() < 1
    assert found.rate(1) <= found.rate(200)
    assert found.interval(200)[1] == 1
    optima = np.array([level.optimum for level in levels])
    assert (found.moves[found.solved] >= np.repeat(optima, 200).reshape(3, 200)[found.solved]).all()
    assert found.over_optimum >= 1
    cut = evaluate(any_legal, GARDENS, levels, samples=2, longest=1)
    assert not cut.solved[1:].any()


@pytest.mark.parametrize("said", [{"optimum": 99}, {"optimum": None, "solvable": False}])
def test_evaluation_refuses_a_level_that_says_what_it_disproves(said: dict[str, Any]) -> None:
    level = replace(GARDENS.format.find("first-steps/1")[0], **said)
    with pytest.raises(LevelError, match=r"but the policy solved it in .*; correct that line"):
        evaluate(any_legal, GARDENS, [level], samples=200, seed=1)


def test_later_episodes_are_played_more_freely() -> None:
    """A policy that is sure of what is wrong solves the level only where it is not followed."""
    level = GARDENS.format.find_all("first-steps")[:1]

    def stubborn(planes: np.ndarray, masks: np.ndarray, sides: np.ndarray) -> np.ndarray:
        rated = any_legal(planes, masks, sides)
        first = masks.argmax(axis=1)
        rated[np.arange(len(masks)), first] += 30
        return rated

    cold = evaluate(stubborn, GARDENS, level, samples=40, hottest=1)
    hot = evaluate(stubborn, GARDENS, level, samples=40, hottest=100)
    assert len(set(cold.solved[0].tolist())) == 1
    assert len(set(hot.solved[0].tolist())) == 2
    assert cold.solved[0, 0] == hot.solved[0, 0]


# --- training ---------------------------------------------------------------------------------


def test_a_teacher_rewards_what_agrees_with_the_solution_and_ends_what_does_not() -> None:
    levels = puzzle_of("Skyscraper-v0").format.find_all("train/4x4")[:5]
    vec_env = to_sb3(
        gymnasium.make_vec(
            "Skyscraper-v0", 8, levels=levels, autoreset_mode="SameStep", max_episode_steps=30
        )
    )
    taught = TaughtVecEnv(vec_env, levels)
    solutions = {
        level.name: np.array(solve(4, clues_of(level.record), givens_of(level.record)), int).ravel()
        for level in levels
    }
    taught.seed(3)
    planes: Any = taught.reset()
    random, solved, mistakes = np.random.default_rng(0), 0, 0
    for _ in range(200):
        before = heights_of(planes)
        shown = np.stack([solutions[name] for name in vec_env.puzzle_env.level_names])
        cells = [int(random.choice(np.flatnonzero(row == 0))) for row in before]
        heights = shown[np.arange(8), cells]
        wrong = random.random(8) < 0.05
        heights[wrong] = heights[wrong] % 4 + 1
        planes, rewards, dones, infos = taught.step(4 * np.array(cells) + heights - 1)
        assert rewards == pytest.approx(np.where(wrong, -0.25, 0.25))
        assert dones[wrong].all()
        for index in np.flatnonzero(dones):
            last = heights_of(infos[index]["terminal_observation"][None])[0]
            assert last[cells[index]] == heights[index]
            assert infos[index]["is_success"] == (last == shown[index]).all() == (not wrong[index])
            assert (heights_of(planes)[index] == 0).any()
        assert np.array_equal(taught.env_method("action_masks"), vec_env.puzzle_env.action_masks())
        solved, mistakes = solved + int((dones & ~wrong).sum()), mistakes + int(wrong.sum())
    assert min(solved, mistakes) > 20
    floors = to_sb3(gymnasium.make_vec("Kwirk-v0", 1, autoreset_mode="SameStep"))
    with pytest.raises(ValueError, match="Kwirk has no solutions to teach"):
        TaughtVecEnv(floors, [])
    flat = to_sb3(
        gymnasium.make_vec("Skyscraper-v0", 1, observation="flat", autoreset_mode="SameStep")
    )
    with pytest.raises(ValueError, match="use observation="):
        TaughtVecEnv(flat, [])


def heights_of(planes: np.ndarray) -> np.ndarray:
    """The heights that are seen of some 4x4 grids, (n, 16)."""
    heights: np.ndarray = np.einsum("k,nkc->nc", np.arange(1, 5), planes[:, 2:6].reshape(-1, 4, 16))
    return heights


def test_a_run_writes_all_that_it_should(tmp_path: Path) -> None:
    path = train(TINY, tmp_path, "a command")
    rows = (tmp_path / "curve.csv").read_text().splitlines()
    assert rows[0].startswith("steps,stage,training,validation")
    assert len(rows) >= 4
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.glob("tensorboard/*/events.out.tfevents.*"))
    assert read_config(tmp_path / "config.json") == TINY
    model = load_model(path)
    assert model.card.training["command"] == "a command"
    assert model.card.training["steps"] >= 2000
    with pytest.raises(FileExistsError, match="holds a run already"):
        train(TINY, tmp_path)
    before = path.read_bytes()
    assert resume(tmp_path).read_bytes() == before  # it was at its end


def test_the_same_run_gives_the_same_model(tmp_path: Path) -> None:
    one, other = (load_model(train(TINY, tmp_path / name)) for name in "ab")
    weights = (model.policy.state_dict().values() for model in (one, other))
    assert all(torch.equal(*pair) for pair in zip(*weights, strict=True))


@pytest.mark.parametrize(
    ("threshold", "patience", "stages"),
    [
        (0.0, 100, [0, 1, 1, 1]),  # solved well enough at once
        (1.1, 100, [0, 0, 0, 0]),
        (1.1, 1, [0, 0, 1, 1]),  # no better at the second measurement
    ],
)
def test_a_curriculum_climbs_by_validation_and_never_stands_still(
    threshold: float, patience: int, stages: list[int], tmp_path: Path
) -> None:
    train(replace(TINY, threshold=threshold, patience=patience), tmp_path)
    rows = [line.split(",") for line in (tmp_path / "curve.csv").read_text().splitlines()]
    assert [int(row[1]) for row in rows[1:]] == stages
    assert {row[4] for row in rows[1:]} == {"1.0"}  # climbed: the share of its own set


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    config = replace(TINY, steps=10**8, evaluate_every=200)
    write_config(tmp_path / "config.json", config)
    code = "import sys, pathlib; from puzzle_agents.learning.training import resume; "
    code += "resume(pathlib.Path(sys.argv[1]))"
    run = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    while not (tmp_path / CHECKPOINT).exists():
        assert run.poll() is None
        time.sleep(0.1)
    time.sleep(0.3)
    run.send_signal(signal.SIGKILL)
    run.wait()
    before = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    write_config(tmp_path / "config.json", replace(config, steps=before["steps"] + 500))
    resume(tmp_path)
    after = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    assert after["steps"] >= before["steps"] + 500
    assert after["curve"][: len(before["curve"])] == before["curve"]
    assert after["optimizer"]["state"][0]["step"] > before["optimizer"]["state"][0]["step"]


@pytest.mark.parametrize(
    ("algorithm", "arguments"),
    [("maskable-ppo", TINY.arguments), ("ppo", TINY.arguments), ("a2c", {"n_steps": 16})],
)
def test_an_interrupted_run_gives_the_model_of_one_that_was_not(
    algorithm: str,
    arguments: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has gone on to the next stage in between, where levels are replaced."""
    monkeypatch.setattr("puzzle_agents.learning.run.PERIOD", 256)
    monkeypatch.setattr("puzzle_agents.learning.levels.PERIOD", 256)
    stages = ("first-steps/1", "first-steps/1+16 fresh 4x4")
    config = replace(TINY, algorithm=algorithm, arguments=arguments, stages=stages)
    write_config(tmp_path / "config.json", config)
    points = Run(config, tmp_path, "", 1, lambda sentence: None).points()
    assert [next(points).stage for _ in range(2)] == [0, 1]
    resume(tmp_path, threads=1)
    whole = train(config, tmp_path / "whole", threads=1)
    weights = (load_model(path).policy.state_dict() for path in (tmp_path / MODEL, whole))
    assert all(torch.equal(*pair) for pair in zip(*(one.values() for one in weights), strict=True))
    curves = [(one / "curve.csv").read_text().splitlines() for one in (tmp_path, whole.parent)]
    curve, other = ([line.split(",")[:-1] for line in lines] for lines in curves)  # no seconds
    assert curve == other


@pytest.mark.parametrize("algorithm", ["ppo", "a2c", "dqn"])
def test_other_algorithms(algorithm: str, tmp_path: Path) -> None:
    arguments = {
        "ppo": {"n_steps": 16, "batch_size": 64},
        "a2c": {"n_steps": 16},
        "dqn": {"learning_starts": 100},
    }[algorithm]
    config = replace(TINY, algorithm=algorithm, arguments=arguments, steps=600)
    model = load_model(train(config, tmp_path))
    env = environment("ZenGarden-v0", level="..\n..")
    assert PolicyAgent(model=model, width=100).solve(env).solved


def test_what_cannot_be_trained_leaves_nothing_behind(tmp_path: Path) -> None:
    for wrong, message in (
        (
            replace(TINY, algorithm="sarsa"),
            "'algorithm' must be one of maskable-ppo, ppo, a2c, dqn, not 'sarsa'",
        ),
        (replace(TINY, stages=("nowhere",)), "nowhere"),
        (replace(TINY, reward="much"), "'reward' must be one of"),
        (replace(TINY, algorithm="a2c"), "a2c has no argument 'batch_size'"),
    ):
        with pytest.raises(ValueError, match=message):
            train(wrong, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_configurations_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    with pytest.raises(ValueError, match="is not a run folder"):
        read_config(path)
    for text, message in (
        ("{", "is not JSON"),
        ("[]", "a table of keys and values"),
        ('{"env": "a", "speed": 3}', "There is no key 'speed'"),
        ("{}", "The key 'env' is missing"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            read_config(path)
