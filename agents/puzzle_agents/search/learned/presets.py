"""Configurations of the models of learned search in the package."""

from __future__ import annotations

from puzzle_agents.search.learned.config import Config

__all__ = ["PRESETS"]

PRESETS = {
    "hua-rong-dao": Config(
        env="HuaRongDao-v0",
        levels=("train",),
        validation=("validation/11-20", "validation/21-40", "validation/41-80",
                    "validation/81-138"),
        tilings=(
            "cell in place", "plus in place", "square", "square in place", "large",
            "large in place",
        ),
        epochs=4,
        teacher="astar",
    ),
    "zen-garden": Config(
        env="ZenGarden-v0",
        levels=("train",),
        validation=("validation/6x6", "validation/8x8"),
        tilings=(
            "cell", "plus", "square", "square after", "large after", "row after", "column after",
        ),
        epochs=6,
        views=8,
        teacher="astar",
    ),
    "skyscraper": Config(
        env="Skyscraper-v0",
        levels=("train", "3000 new 6x6", "1500 new 7x7"),
        validation=("validation/6x6", "validation/7x7"),
        tilings=("traits",),
        epochs=1,
        teacher="astar",
        patience=20_000,
        steps=1_000_000,
    ),
    "kwirk": Config(
        env="Kwirk-v0",
        levels=("train from all sides",),
        validation=("validation/1-3", "validation/4-6", "validation/7-9"),
        budget=20,
        more=2,
    ),
}  # fmt: skip
"""By the names of the models."""
