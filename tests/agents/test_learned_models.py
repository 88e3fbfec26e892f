"""Model files of learned search, and the models in the package."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import puzzle_agents
from puzzle_agents import Budget
from puzzle_agents.environments import make_env
from puzzle_agents.learning.card import ModelError
from puzzle_agents.learning.card_file import CARD
from puzzle_agents.search.learned.model import (
    FOLDER,
    TABLE,
    Card,
    load_model,
    model_of,
    save_model,
)
from puzzle_agents.search.learned.presets import PRESETS
from tests.agents.test_learned_search import noise

# --- model files -------------------------------------------------------------------------------

CARD_OF = Card("phs", "ZenGarden-v0", {}, ["cell", "plus"], 6, 1.0, {"seed": 1})


def mutations(data: bytes, count: int) -> list[bytes]:
    chance, found = random.Random(0), [b"", data[: len(data) // 2]]
    for _ in range(count):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        found.append(bytes(damaged))
    return found


def refusal(read: Callable[[], Any]) -> str:
    """What a ValueError says; empty if there is none."""
    try:
        read()
    except ValueError as error:
        return str(error)
    return ""


def packed(parts: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return data.getvalue()


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    entries = noise(6)
    save_model(tmp_path / "a.model", CARD_OF, entries)
    model = load_model(tmp_path / "a.model")
    assert model.card is not None
    assert replace(model.card, unit=1.0) == CARD_OF
    assert np.abs(model.entries - entries).max() <= np.abs(entries).max() / 254 + 1e-6
    save_model(tmp_path / "b.model", model.card, model.entries)
    assert (load_model(tmp_path / "b.model").table == model.table).all()


def test_damaged_models_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.model"
    save_model(file, CARD_OF, noise(6))
    for data in mutations(file.read_bytes(), 300):
        file.write_bytes(data)
        said = refusal(lambda: load_model(file))
        assert said == "" or said.startswith(f"{file} is not a readable model: ")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda parts: parts.pop(TABLE), "Its parts are not"),
        (lambda parts: parts.update({"more.py": b""}), "Its parts are not"),
        (lambda parts: parts.update({TABLE: b"123"}), "Its table has 3 entries"),
        (lambda parts: told(parts, bits=22), "Its table has 64 entries, and its card says 22 bits"),
        (lambda parts: told(parts, bits=40), "'bits' must be an integer from 4 to 22"),
        (lambda parts: told(parts, unit="x"), "'unit' must be a number"),
        (lambda parts: told(parts, tilings=["x"]), "'tilings[1]' must be one of"),
        (lambda parts: told(parts, more=1), "There is no key 'more'"),
    ],
)
def test_wrong_models_are_refused(
    change: Callable[[dict[str, bytes]], Any], said: str, tmp_path: Path
) -> None:
    parts = {CARD: json.dumps(asdict(CARD_OF)).encode(), TABLE: bytes(64)}
    change(parts)
    (tmp_path / "a.model").write_bytes(packed(parts))
    assert said in refusal(lambda: load_model(tmp_path / "a.model"))


def told(parts: dict[str, bytes], **changes: Any) -> None:
    parts[CARD] = json.dumps(asdict(CARD_OF) | changes).encode()


def test_a_model_plays_its_own_puzzle_only(tmp_path: Path) -> None:
    save_model(tmp_path / "a.model", CARD_OF, noise(6))
    agent = puzzle_agents.make("phs", model=tmp_path / "a.model")
    assert agent.solve(make_env("ZenGarden-v0", "test/4x4/1")).solved
    with pytest.raises(ModelError, match=r"The model plays ZenGarden-v0, not HuaRongDao-v0"):
        agent.solve(make_env("HuaRongDao-v0", "classics/1"))
    with pytest.raises(ModelError, match=r"There is no model 'zen-gardn'"):
        model_of("zen-gardn")


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("hua-rong-dao", "classics/1"),
        ("zen-garden", "large/12"),
        ("kwirk", "validation/10-19/1"),
        ("skyscraper", "validation/8x8/2"),
    ],
)
def test_models_in_the_package_save_expansions(name: str, level: str) -> None:
    file = FOLDER / f"{name}.model"
    card = load_model(file).card
    assert card is not None and file.stat().st_size < 500_000
    config = PRESETS[name]
    assert (card.env, tuple(card.tilings), card.bits) == (config.env, config.tilings, config.bits)
    assert card.training["test"]["solved"] > 0.95 and card.training["seed"] == 0
    assert f"`{card.training['command']}`" in Path("docs/learned_models.md").read_text()
    env = make_env(card.env, level)
    budget = Budget(expansions=20_000)
    agent, uniform = (puzzle_agents.make("phs", budget, model=one) for one in (None, "none"))
    assert agent.training_for(env) == card.training
    guided, blind = agent.solve(env), uniform.solve(env)
    assert guided.solved and guided.expanded < blind.expanded


def test_each_preset_has_a_model_in_the_package() -> None:
    assert {file.stem for file in FOLDER.glob("*.model")} == set(PRESETS)
