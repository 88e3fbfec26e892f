"""Which boards and environments a model plays."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents import environments
from puzzle_agents.agent import Budget, Status
from puzzle_agents.cli.app import WRONG_USAGE, main
from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.card import Card, ModelError
from puzzle_agents.learning.evaluation import evaluate
from puzzle_agents.learning.model_file import Model
from puzzle_agents.learning.models import pretrained, pretrained_for
from puzzle_agents.learning.policy_agent import PolicyAgent
from puzzle_agents.player.hints import Hints
from tests.agents.small_models import CARDS
from tests.agents.test_cli import error_of
from tests.agents.test_model_files import GARDEN, GRID

KWIRK = Card("maskable-ppo", "Kwirk-v0", {}, 15, 8, 8, 256, GARDEN.trunk)
WIDE = "; goal: a 2 5\naa....\naa....\n......"


@pytest.mark.parametrize(
    ("card", "env", "level", "words"),
    [
        (GARDEN, "Skyscraper-v0", "4x4/easy-1", "The model plays ZenGarden-v0, not Sky"),
        (KWIRK, "KwirkSteps-v0", "easy/1", "The model plays Kwirk-v0, not KwirkSteps-v0"),
        (GARDEN, "ZenGarden-v0", "large/1", "up to 4 by 4, and 'large/1' is larger (10 by 8)"),
        (GARDEN, "ZenGarden-v0", "....\n....\n....\n....\n....", "is larger (4 by 5)"),
        (GRID, "Skyscraper-v0", "5x5/easy-1", "is larger (5 by 5)"),
        (CARDS["HuaRongDao-v0"], "HuaRongDao-v0", WIDE, "is larger (6 by 3)"),
        (KWIRK, "Kwirk-v0", "two/1", "has 288 actions where the model knows 256"),
        (KWIRK, "Kwirk-v0", "hard/3", "is larger"),
    ],
)  # fmt: skip
def test_a_model_meets_a_board_that_it_was_not_made_for(
    card: Card, env: str, level: str, words: str, tmp_path: Path
) -> None:
    """Whoever lets it play, the sentence is the same."""
    made = environments.make_env(env, level)
    model = Model(card)
    for mode in ("sample", "greedy", "beam"):
        with pytest.raises(ModelError, match=re.escape(words)):
            PolicyAgent(model=model, mode=mode).solve(made)
    if made.puzzle.environment == puzzle_of(card.env).environment:
        with pytest.raises(ModelError, match=re.escape(words)):
            evaluate(model.scores, card.puzzle, [made.level], room=card.room)


def test_a_hint_of_a_model_that_is_too_small_is_its_sentence() -> None:
    hints = Hints("maskable-ppo")
    env = environments.make_env("Skyscraper-v0", "9x9/easy-1")
    hints.ask(env)
    while hints.is_busy:
        time.sleep(0.05)
    assert hints.failure.startswith("maskable-ppo has no hint: No pretrained model plays Skyscra")
    assert hints.failure.endswith("and give its folder as the argument model.")


def test_without_a_model_of_its_size_a_board_gets_one_of_every_size() -> None:
    puzzle = puzzle_of("ZenGarden-v0")
    trained, larger = (puzzle.format.find(name)[0] for name in ("test/6x6/1", "large/1"))
    assert pretrained_for(puzzle, trained) is pretrained("zen-garden-6x6")
    model, shape = pretrained_for(puzzle, larger), puzzle.format.shape(larger.record)
    assert (model.card.height, model.card.width) == (shape.height, shape.width)
    own = pretrained("zen-garden-6x6").policy.state_dict()
    assert all(torch.equal(own[name], one) for name, one in model.policy.state_dict().items())
    env = environments.make_env("ZenGarden-v0", larger)
    assert PolicyAgent(Budget(transitions=50)).solve(env).generated == 50


def test_evaluate_plays_larger_boards_with_a_network_of_every_size(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["evaluate", "zen-garden-6x6", "--levels", "large/1", "--samples", "1"]) == 0
    assert "1 level of large/1" in capsys.readouterr().out


def test_a_network_of_every_size_plays_no_other_kinds_of_actions() -> None:
    """A second character has actions of its own."""
    with pytest.raises(ModelError, match="'two/1' has further kinds of actions: train one"):
        pretrained("kwirk-10-19").for_levels(puzzle_of("Kwirk-v0").format.find("two/1"))
    env = environments.make_env("Kwirk-v0", "two/1")
    with pytest.raises(ModelError, match="No pretrained model plays Kwirk on boards of"):
        PolicyAgent().solve(env)
    larger = environments.make_env("Kwirk-v0", "hard/3")
    assert PolicyAgent(Budget(transitions=50)).solve(larger).generated == 50


def test_a_model_rates_no_boards_of_another_size() -> None:
    model = Model(GARDEN)
    planes, masks = np.zeros((2, 11, 4, 4), np.int8), np.ones((2, 19), np.int8)
    assert model.scores(planes, masks).shape == (2, 19)
    for other in ((planes[:, 1:], masks), (planes[..., :3], masks), (planes, masks[:, :18])):
        with pytest.raises(ModelError, match="The model needs boards of 11 planes, 4 by 4, with"):
            model.scores(*other)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["zen-garden-4x4", "--levels", "large"], "'large/1' is larger (10 by 8)"),
        (["zen-garden-4x4", "--levels", "test/4x4", "--levels", "test/5x5"], "'test/5x5/1' is la"),
        (["kwirk-10-19", "--levels", "two"], "'two/1' has further kinds of actions"),
        (["skyscraper-4x4", "--levels", "9x9"], "is larger (9 by 9)"),
        (["zen-garden-5x5", "zen-garden-4x4", "--levels", "test/5x5"], "zen-garden-4x4: The model"),
        (
            ["zen-garden-4x4", "kwirk-10-19", "--levels", "test/4x4"],
            "The models play different puzzles",
        ),
        (["zen-garden-4x4", "--levels", "test/9x9"], "ZenGarden-v0 has no level or set"),
        (["zen-garden-4", "--levels", "test/4x4"], "Did you mean 'zen-garden-4x4'?"),
        (
            ["kwirk-10-19", "--levels", "test/1-3", "--samples", "10000000"],
            "need more than 4 GiB; use",
        ),
        (["zen-garden-4x4", "--levels", "test/4x4", "--markdown", "no/a.md"], "There is no folder"),
    ],
)
def test_what_evaluate_refuses_before_it_plays(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("puzzle_agents.learning.model_file.load_model", None)
    assert main(["evaluate", *arguments]) == WRONG_USAGE
    assert words in error_of(capsys)


def test_solve_and_evaluate_say_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = ["--agent", "maskable-ppo", "--argument", "model=zen-garden-4x4"]
    assert main(["solve", "ZenGarden-v0", "large/1", *told]) == WRONG_USAGE
    said = error_of(capsys)
    assert main(["evaluate", "zen-garden-4x4", "--levels", "large/1"]) == WRONG_USAGE
    assert error_of(capsys) == f"zen-garden-4x4: {said}"


@pytest.mark.parametrize("trained", ["move", "straight", "step"])
@pytest.mark.parametrize("played", [{}, {"metric": "move"}, {"metric": "step"}])
def test_moves_are_counted_as_the_environment_counts_them(
    trained: str, played: dict[str, str]
) -> None:
    """Whatever metric the model was trained in; a wrong count would be a fault of the agent."""
    card = replace(CARDS["HuaRongDao-v0"], options={"metric": trained})
    env = environments.make_env("HuaRongDao-v0", "train/1-10/1", **played)
    torch.manual_seed(0)
    agent = PolicyAgent(model=Model(card), mode="beam", width=3000, longest=60)
    assert agent.solve(env).solved


@pytest.mark.parametrize(
    "played", [{}, {"mask": "writes"}, {"mask": "consistent"}, {"mask": "empty"}]
)
@pytest.mark.parametrize("trained", [{}, {"mask": "writes"}, {"mask": "empty"}])
def test_what_is_played_is_legal_under_the_environment_s_mask(
    trained: dict[str, str], played: dict[str, str]
) -> None:
    card = replace(CARDS["Skyscraper-v0"], options=trained)
    level = "3:3/2/1/1/2/2/3/2/1/1/2/2"
    env = environments.make_env("Skyscraper-v0", level, **played)
    torch.manual_seed(0)
    result = PolicyAgent(model=Model(card), mode="sample", width=50, longest=40).solve(env)
    free = all(one.get("mask", "writes") == "writes" for one in (trained, played))
    assert result.solved == (not free)  # a random policy gets nowhere where it may overwrite


def test_ratings_that_are_no_numbers_are_a_sentence() -> None:
    model = Model(GARDEN)
    with torch.no_grad():
        for tensor in model.policy.parameters():
            tensor.fill_(1e30)
    with pytest.raises(ModelError, match="scores are not finite"):
        PolicyAgent(model=model).solve(environments.make_env("ZenGarden-v0", "first-steps/1"))


def test_a_policy_keeps_to_its_budget_of_memory() -> None:
    env = environments.make_env("ZenGarden-v0", "first-steps/1")
    agent = PolicyAgent(Budget(memory="1 MiB"), model=Model(GARDEN), width=10**12)
    assert agent.solve(env).status == Status.OUT_OF_MEMORY


def test_boards_are_rated_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    model, levels = pretrained("zen-garden-4x4"), puzzle_of("ZenGarden-v0").format.find("test/4x4")
    found = []
    for at_once in (8192, 7):
        monkeypatch.setattr("puzzle_agents.learning.model_file.AT_ONCE", at_once)
        found.append(
            evaluate(model.scores, puzzle_of("ZenGarden-v0"), levels[:9], room=model.card.room)
        )
    assert np.array_equal(found[0].solved, found[1].solved)
