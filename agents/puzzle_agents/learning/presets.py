"""Configurations of training runs by name, those of the pretrained models among them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from puzzle_agents.learning.config import DAGGER, TAUGHT, Config

GRIDS: dict[str, Any] = {
    "options": {"mask": "empty"},
    "reward": TAUGHT,
    "trunk": {"kind": "square", "channels": 32, "narrow": 16, "hidden": 96, "rounds": 4},
    "arguments": {"ent_coef": 0.003, "gamma": 0.9},
}
RELATIVE: dict[str, Any] = {"kind": "relative", "channels": 48, "blocks": 3, "lines": 16}
REACHING: dict[str, Any] = {**RELATIVE, "legal": True}
"""Beside the board it reads the legal actions, which tell what the character can reach."""
BOARD: dict[str, Any] = {"channels": 48, "blocks": 3, "lines": 16}
EXPLORING: dict[str, Any] = {"ent_coef": 0.03}
CONTINUED: dict[str, Any] = {**EXPLORING, "learning_rate": 5e-4}
"""Arguments of presets that begin with a ladder's model (--start)."""
AGGREGATED: dict[str, Any] = {"kept_rollouts": 8, "n_epochs": 4, "batch_size": 256}
"""Arguments of dagger where solutions are short: few lessons per rollout, each learned often."""
NARROW: dict[str, Any] = {**RELATIVE, "channels": 32}
GARDEN_STAGES = (
    "1600 fresh 4x4",
    "400 fresh 4x4+1600 fresh 5x5",
    "200 fresh 4x4+400 fresh 5x5+800 fresh 6x6",
)
FLOOR_STAGES = (
    "150 fresh 1-3 from all sides",
    "40 fresh 1-3 from all sides+40 fresh 4-6 from all sides+train/4-6 from all sides",
    "train/1-3+40 fresh 4-6 from all sides+train/4-6 from all sides"
    "+160 fresh 7-9 from all sides+train/7-9 from all sides",
)
GRID_STAGES = (
    "1600 fresh 4x4",
    "400 fresh 4x4+400 fresh 5x5 with 10 empty+1600 fresh 5x5",
    "200 fresh 4x4+600 fresh 5x5+400 fresh 6x6 with 14 empty+1600 fresh 6x6",
)
GARDENS = Config(
    env="ZenGarden-v0",
    stages=("20000 new 4x4",),
    validation=("validation/4x4",),
    longest=40,
    steps=2_000_000,
    trunk=BOARD,
    arguments=EXPLORING,
)
PRESETS = {
    "zen-garden-4x4": GARDENS,
    "zen-garden-4x4-relative": replace(GARDENS, trunk=RELATIVE),
    "zen-garden-5x5": Config(
        env="ZenGarden-v0",
        stages=("20000 new 4x4+20000 new 5x5",),
        validation=("validation/5x5",),
        longest=60,
        steps=8_000_000,
        trunk=BOARD,
        arguments=EXPLORING,
    ),
    "hua-rong-dao": Config(
        env="HuaRongDao-v0",
        stages=("3000 new 1-10", "3000 new 1-10+6000 new 11-20"),
        validation=("validation/1-10", "validation/11-20"),
        longest=100,
        steps=2_000_000,
        arguments=EXPLORING,
    ),
    "kwirk": Config(
        env="Kwirk-v0",
        stages=(
            "train/1-3 from all sides",
            "600 new 4-6 from all sides+train from all sides",
        ),
        validation=("validation/1-3", "validation/4-6", "validation/7-9"),
        longest=40,
        steps=3_000_000,
        arguments=EXPLORING,
    ),
    "skyscraper-4x4": Config(
        env="Skyscraper-v0",
        stages=("10000 new 4x4",),
        validation=("validation/4x4",),
        longest=16,
        steps=1_500_000,
        **GRIDS,
    ),
    "skyscraper-5x5": Config(
        env="Skyscraper-v0",
        stages=("5000 new 5x5 with 8 empty+5000 new 5x5 with 14 empty+20000 new 5x5",),
        validation=("validation/5x5",),
        longest=25,
        steps=5_000_000,
        **GRIDS,
    ),
    "zen-garden-ladder": Config(
        env="ZenGarden-v0",
        stages=GARDEN_STAGES,
        validation=("validation/4x4", "validation/5x5", "validation/6x6"),
        longest=80,
        steps=7_000_000,
        evaluate_every=250_000,
        trunk=RELATIVE,
        arguments=EXPLORING,
    ),
    "zen-garden-ladder-8x8": Config(
        env="ZenGarden-v0",
        stages=(
            *GARDEN_STAGES,
            "100 fresh 4x4+200 fresh 5x5+400 fresh 6x6+800 fresh 8x8",
        ),
        validation=("validation/4x4", "validation/5x5", "validation/6x6", "validation/8x8"),
        longest=120,
        steps=30_000_000,
        evaluate_every=250_000,
        trunk=RELATIVE,
        arguments=EXPLORING,
    ),
    "zen-garden-6x6": Config(
        env="ZenGarden-v0",
        stages=("200 fresh 4x4+800 fresh 5x5+1200 fresh 6x6",),
        validation=("validation/4x4", "validation/5x5", "validation/6x6"),
        longest=80,
        steps=3_000_000,
        trunk=RELATIVE,
        arguments=CONTINUED,
        evaluate_every=250_000,
    ),
    "kwirk-ladder": Config(
        env="Kwirk-v0",
        stages=FLOOR_STAGES,
        validation=("validation/1-3", "validation/4-6", "validation/7-9"),
        longest=60,
        steps=3_000_000,
        trunk=NARROW,
        arguments=EXPLORING,
        evaluate_every=250_000,
    ),
    "kwirk-ladder-39": Config(
        env="Kwirk-v0",
        stages=(
            *FLOOR_STAGES,
            "train/4-6+train/7-9+160 fresh 10-19",
            "train/7-9+80 fresh 10-19+16 fresh 20-39",
        ),
        validation=(
            "validation/1-3",
            "validation/4-6",
            "validation/7-9",
            "validation/10-19",
            "validation/20-39",
        ),
        longest=120,
        steps=15_000_000,
        trunk=NARROW,
        arguments=EXPLORING,
        evaluate_every=250_000,
    ),
    "kwirk-7-9": Config(
        env="Kwirk-v0",
        algorithm=DAGGER,
        teacher="astar",
        stages=(
            "train/1-3+train/4-6 from all sides+200 fresh 4-6 from all sides"
            "+train/7-9 from all sides+400 fresh 7-9 from all sides",
        ),
        validation=("validation/1-3", "validation/4-6", "validation/7-9"),
        longest=60,
        steps=800_000,
        trunk=REACHING,
        arguments=AGGREGATED,
        evaluate_every=100_000,
    ),
    "kwirk-10-19": Config(
        env="Kwirk-v0",
        algorithm=DAGGER,
        teacher="bfws",
        stages=(
            "train/4-6 from all sides+train/7-9 from all sides+100 fresh 7-9 from all sides"
            "+160 fresh 10-19 from all sides",
        ),
        validation=("validation/1-3", "validation/4-6", "validation/7-9", "validation/10-19"),
        longest=80,
        steps=500_000,
        trunk=REACHING,
        arguments=AGGREGATED,
        evaluate_every=50_000,
    ),
    "hua-rong-dao-ladder": Config(
        env="HuaRongDao-v0",
        stages=(
            "800 fresh 1-10",
            "200 fresh 1-10+1200 fresh 11-20",
            "100 fresh 1-10+400 fresh 11-20+1200 fresh 21-40",
            "100 fresh 1-10+200 fresh 11-20+600 fresh 21-40+1000 fresh 41-80",
            "100 fresh 1-10+200 fresh 11-20+400 fresh 21-40+600 fresh 41-80+600 fresh 81-138",
        ),
        validation=(
            "validation/1-10",
            "validation/11-20",
            "validation/21-40",
            "validation/41-80",
            "validation/81-138",
        ),
        longest=250,
        steps=6_000_000,
        trunk=NARROW,
        arguments=EXPLORING,
        evaluate_every=125_000,
    ),
    "hua-rong-dao-40": Config(
        env="HuaRongDao-v0",
        algorithm=DAGGER,
        teacher="astar",
        stages=("100 fresh 1-10+400 fresh 11-20+1600 fresh 21-40",),
        validation=("validation/1-10", "validation/11-20", "validation/21-40"),
        longest=150,
        steps=2_000_000,
        trunk=RELATIVE,
        evaluate_every=250_000,
    ),
    "hua-rong-dao-138": Config(
        env="HuaRongDao-v0",
        algorithm=DAGGER,
        teacher="hua-rong-dao-bfs",
        teacher_expansions=100_000,
        stages=("100 fresh 1-10+200 fresh 11-20+400 fresh 21-40+800 fresh 41-80+600 fresh 81-138",),
        validation=(
            "validation/1-10",
            "validation/11-20",
            "validation/21-40",
            "validation/41-80",
            "validation/81-138",
        ),
        longest=300,
        steps=1_500_000,
        trunk=RELATIVE,
        evaluate_every=125_000,
    ),
    "skyscraper-ladder": Config(
        env="Skyscraper-v0",
        stages=GRID_STAGES,
        validation=("validation/4x4", "validation/5x5", "validation/6x6"),
        longest=36,
        steps=16_000_000,
        threshold=0.5,
        evaluate_every=250_000,
        **GRIDS,
    ),
    "skyscraper-6x6": Config(
        env="Skyscraper-v0",
        algorithm=DAGGER,
        stages=("200 fresh 4x4+600 fresh 5x5+1600 fresh 6x6",),
        validation=("validation/4x4", "validation/5x5", "validation/6x6"),
        longest=36,
        steps=12_000_000,
        evaluate_every=500_000,
        **{**GRIDS, "arguments": {}},
    ),
    "skyscraper-ladder-7x7": Config(
        env="Skyscraper-v0",
        stages=(
            *GRID_STAGES,
            "200 fresh 4x4+400 fresh 5x5+600 fresh 6x6+200 fresh 7x7 with 20 empty+800 fresh 7x7",
        ),
        validation=("validation/4x4", "validation/5x5", "validation/6x6", "validation/7x7"),
        longest=49,
        steps=20_000_000,
        evaluate_every=250_000,
        **GRIDS,
    ),
}
"""By the names of their models; ladders are trained on several tiers, with one network for all."""
