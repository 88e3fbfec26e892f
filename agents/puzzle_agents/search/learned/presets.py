"""Configurations of the models of learned search in the package."""

from __future__ import annotations

from puzzle_agents.search.learned.config import Config

__all__ = ["PRESETS"]

PRESETS = {
    "hua-rong-dao": Config(
        env="HuaRongDao-v0",
        levels=("train", "20 new 5x6", "100 new 6x6", "50 new 6x7", "30 new 8x8"),
        validation=("validation/41-80", "validation/81-138", "validation/6x6", "validation/6x7",
                    "validation/8x8"),
        tilings=("cell", "plus", "square", "large"),
        bits=19,
        budget=10_000,
        teacher="astar",
        rounds=3,
        heuristic="usual",
    ),
    "zen-garden": Config(
        env="ZenGarden-v0",
        levels=("train", "1000 new 6x6", "1000 new 8x8", "200 new 10x10-mixed"),
        validation=("validation/6x6", "validation/8x8"),
        tilings=(
            "cell", "plus", "square", "square after", "large after", "row after", "column after",
        ),
        bits=19,
        epochs=1,
        views=4,
        teacher="astar",
        patience=300,
        rounds=3,
    ),
    "skyscraper": Config(
        env="Skyscraper-v0",
        levels=("train/7x7", "1000 new 8x8"),
        validation=("validation/7x7", "validation/8x8"),
        tilings=("traits",),
        heuristic="look-ahead",
        budget=2_000,
        steps=4_000_000,
    ),
    "kwirk": Config(
        env="Kwirk-v0",
        levels=("train", "300 new 10-19", "60 new 20-39"),
        validation=("validation/4-6", "validation/7-9", "validation/10-19"),
        heuristic="relaxed",
        steps=400_000,
    ),
}  # fmt: skip
"""By the names of the models."""
