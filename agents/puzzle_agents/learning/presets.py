"""Configurations of the pretrained models."""

from __future__ import annotations

from typing import Any

from puzzle_agents.learning.config import TAUGHT, Config

GARDENS: dict[str, Any] = {
    "trunk": {"channels": 48, "blocks": 3, "lines": 16},
    "arguments": {"ent_coef": 0.03},
}
GRIDS: dict[str, Any] = {
    "options": {"mask": "empty"},
    "reward": TAUGHT,
    "trunk": {"kind": "square", "channels": 32, "narrow": 16, "hidden": 96, "rounds": 4},
    "arguments": {"ent_coef": 0.003, "gamma": 0.9},
}
PRESETS = {
    "zen-garden-4x4": Config(
        env="ZenGarden-v0",
        stages=("20000 new 4x4",),
        validation=("validation/4x4",),
        longest=40,
        steps=2_000_000,
        **GARDENS,
    ),
    "zen-garden-5x5": Config(
        env="ZenGarden-v0",
        stages=("20000 new 4x4+20000 new 5x5",),
        validation=("validation/5x5",),
        longest=60,
        steps=8_000_000,
        **GARDENS,
    ),
    "hua-rong-dao": Config(
        env="HuaRongDao-v0",
        stages=("3000 new 1-10", "3000 new 1-10+6000 new 11-20"),
        validation=("validation/1-10", "validation/11-20"),
        longest=100,
        steps=2_000_000,
        arguments={"ent_coef": 0.03},
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
        arguments={"ent_coef": 0.03},
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
}
"""By the names of the models."""
