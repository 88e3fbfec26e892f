"""Policies of Stable-Baselines3 with the networks of this package."""

from __future__ import annotations

from typing import Any

from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule

from puzzle_agents.learning.actions import Places
from puzzle_agents.learning.networks import ActionHead, Trunk, ValueHead

__all__ = ["BoardPolicy", "MaskableBoardPolicy"]


class _OnBoards:
    """Heads that read the board, in the place of layers on a flat row of features."""

    action_net: Any
    value_net: Any

    def __init__(self, *arguments: Any, places: Places, trunk: dict[str, Any], **more: Any) -> None:
        self._places = places
        more |= {
            "net_arch": [],
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": trunk,
            "ortho_init": False,
        }
        super().__init__(*arguments, **more)

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)  # type: ignore[misc]
        board = self.features_extractor.board  # type: ignore[attr-defined]
        half = self.features_extractor.in_half  # type: ignore[attr-defined]
        self.action_net = ActionHead(board, self._places, half=half)
        self.value_net = ValueHead(board, half=half)
        self.optimizer = self.optimizer_class(  # type: ignore[attr-defined]
            self.parameters(),  # type: ignore[attr-defined]
            lr=lr_schedule(1),
            **self.optimizer_kwargs,  # type: ignore[attr-defined]
        )


class BoardPolicy(_OnBoards, ActorCriticPolicy):
    """For PPO and A2C."""


class MaskableBoardPolicy(_OnBoards, MaskableActorCriticPolicy):
    """For MaskablePPO."""
