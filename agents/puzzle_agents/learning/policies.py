"""Stable-Baselines3 policies with the networks of this package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork

from puzzle_agents.learning.networks import extractor, heads_of
from puzzle_envs.codec import Codec, Places, Shape


class _OnBoards:
    """Heads that read the board, instead of layers on flat features."""

    observation_space: Any
    action_space: Any
    action_net: Any
    value_net: Any

    def __init__(
        self,
        *arguments: Any,
        codec: Codec,
        trunk: Mapping[str, Any],
        half: bool = False,
        **more: Any,
    ) -> None:
        self._codec, self._half = codec, half
        more |= {"net_arch": [], "ortho_init": False, **extractor(trunk, codec, half=half)}
        super().__init__(*arguments, **more)

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)  # type: ignore[misc]
        places = _places(self._codec, self.observation_space, self.action_space)
        trunk = self.features_extractor  # type: ignore[attr-defined]
        self.action_net, self.value_net = heads_of(trunk, places, half=self._half)
        self.optimizer = self.optimizer_class(  # type: ignore[attr-defined]
            self.parameters(),  # type: ignore[attr-defined]
            lr=lr_schedule(1),
            **self.optimizer_kwargs,  # type: ignore[attr-defined]
        )


class BoardPolicy(_OnBoards, ActorCriticPolicy):
    """The policy of PPO and A2C."""


class MaskableBoardPolicy(_OnBoards, MaskableActorCriticPolicy):
    """The policy of MaskablePPO."""


class BoardQNetwork(QNetwork):
    """Values of the actions, read where these take place."""

    def __init__(self, *arguments: Any, codec: Codec, half: bool = False, **more: Any) -> None:
        """Create the layers."""
        super().__init__(*arguments, **more)
        places = _places(codec, self.observation_space, self.action_space)
        self.q_net, _ = heads_of(self.features_extractor, places, half=half)  # type: ignore[assignment]


class BoardQPolicy(DQNPolicy):
    """The policy of DQN."""

    def __init__(
        self,
        *arguments: Any,
        codec: Codec,
        trunk: Mapping[str, Any],
        half: bool = False,
        **more: Any,
    ) -> None:
        """Create the network and its target."""
        self._codec, self._half = codec, half
        more |= {"net_arch": [], **extractor(trunk, codec, half=half)}
        super().__init__(*arguments, **more)

    def make_q_net(self) -> BoardQNetwork:
        """A network with a trunk of its own."""
        arguments = self._update_features_extractor(self.net_args, features_extractor=None)
        return BoardQNetwork(**arguments, codec=self._codec, half=self._half).to(self.device)


def _places(codec: Codec, observed: Any, done: Any) -> Places:
    """Where the actions of these spaces take place."""
    _, height, width = observed.shape
    return codec.places(Shape(int(done.n), height, width))
