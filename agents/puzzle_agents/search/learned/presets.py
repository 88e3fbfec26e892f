"""Configurations of the models of learned search in the package."""

from __future__ import annotations

from puzzle_agents.search.learned.config import Config

__all__ = ["PRESETS"]

PRESETS = {
    "hua-rong-dao": Config(
        env="HuaRongDao-v0",
        levels=("train",),
        validation=("validation",),
        tilings=(
            "cell in place", "plus in place", "square", "square in place", "large",
            "large in place",
        ),
        more=4,
    ),
    "zen-garden": Config(env="ZenGarden-v0", levels=("train",), validation=("validation",)),
    "kwirk": Config(
        env="Kwirk-v0",
        levels=("train from all sides",),
        validation=("validation",),
        budget=20,
        more=2,
    ),
}  # fmt: skip
"""By the names of the models."""
