"""The supported algorithms: policies with our networks, and our defaults."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any, NamedTuple

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from stable_baselines3.common.utils import LinearSchedule
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork

from puzzle_agents.learning.dagger import DAgger
from puzzle_agents.learning.networks import extractor, heads_of
from puzzle_envs.codec import Codec, Places, Shape

# --- policies ----------------------------------------------------------------------------------


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
        """A network with its own trunk."""
        arguments = self._update_features_extractor(self.net_args, features_extractor=None)
        return BoardQNetwork(**arguments, codec=self._codec, half=self._half).to(self.device)


def _places(codec: Codec, observed: Any, done: Any) -> Places:
    """Where the actions of these spaces take place."""
    _, height, width = observed.shape
    return codec.places(Shape(int(done.n), height, width))


# --- algorithms --------------------------------------------------------------------------------


class Algorithm(NamedTuple):
    """A class of Stable-Baselines3, its policy, and arguments that differ from its defaults."""

    kind: type[BaseAlgorithm]
    policy: Any
    arguments: Mapping[str, Any]


ON_POLICY = {"n_steps": 64, "batch_size": 1024, "n_epochs": 3, "learning_rate": 1e-3}
ALGORITHMS = {
    "maskable-ppo": Algorithm(MaskablePPO, MaskableBoardPolicy, ON_POLICY | {"ent_coef": 0.01}),
    "ppo": Algorithm(PPO, BoardPolicy, ON_POLICY | {"ent_coef": 0.01}),
    "a2c": Algorithm(A2C, BoardPolicy, {"n_steps": 16, "ent_coef": 0.01}),
    "dqn": Algorithm(
        DQN,
        BoardQPolicy,
        {
            "learning_rate": 5e-4,
            "buffer_size": 100_000,
            "learning_starts": 10_000,
            "batch_size": 256,
            "train_freq": 1,
            "gradient_steps": 4,
            "target_update_interval": 1_000,
            "exploration_fraction": 0.3,
        },
    ),
    "dagger": Algorithm(DAgger, MaskableBoardPolicy, ON_POLICY | {"n_epochs": 1}),
}
"""By their names on the command line."""


OURS = frozenset(
    {"policy", "env", "policy_kwargs", "seed", "device", "tensorboard_log", "_init_setup_model"}
)
"""Arguments set by `build`."""
LEAST = {
    "n_steps": 1, "batch_size": 2, "n_epochs": 1, "buffer_size": 1, "train_freq": 1,
    "target_update_interval": 1, "kept_rollouts": 1,
}  # fmt: skip
"""Lower bounds of some arguments."""


def suited(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The subset of some arguments that an algorithm accepts."""
    takes = signature(_algorithm(name).kind).parameters
    return {key: value for key, value in arguments.items() if key in takes}


def arguments_of(name: str) -> list[str]:
    """What an algorithm can be given."""
    return [key for key in signature(_algorithm(name).kind).parameters if key not in OURS]


def check(name: str, arguments: Mapping[str, Any]) -> None:
    """Reject unknown algorithms and unsuitable arguments.

    Arguments decided by the run itself are not accepted; others must have the type of their
    defaults.
    """
    known, takes = arguments_of(name), signature(_algorithm(name).kind).parameters
    for key, value in arguments.items():
        if key not in known:
            raise ValueError(f"{name} has no argument '{key}'.")
        usual = _algorithm(name).arguments.get(key, takes[key].default)
        if not _is_like(value, usual) or value < LEAST.get(key, value):
            raise ValueError(f"The argument '{key}' of {name} cannot be {value!r:.60}.")


def _is_like(value: Any, usual: Any) -> bool:
    """Whether a value has the type of a default."""
    if usual is None or value is None:
        return value is None or isinstance(value, int | float | str)
    if isinstance(usual, float):
        return type(value) in (int, float)
    return type(value) is type(usual)


def _algorithm(name: str) -> Algorithm:
    if name not in ALGORITHMS:
        raise ValueError(f"There is no algorithm '{name}'; choose from {', '.join(ALGORITHMS)}.")
    return ALGORITHMS[name]


def build(
    name: str,
    vec_env: VecEnv,
    codec: Codec,
    *,
    trunk: Mapping[str, Any],
    half: bool = False,
    arguments: Mapping[str, Any],
    seed: int | None = None,
    tensorboard: str | None = None,
) -> BaseAlgorithm:
    """Create an untrained model, whose learning rate decays to a tenth during training.

    Args:
        name: One of ALGORITHMS.
        vec_env: The environments to train on.
        codec: Of its puzzle.
        trunk: Arguments of the network (`networks.TRUNKS`).
        half: Whether to run under bfloat16 autocast.
        arguments: Arguments of the algorithm that differ from those in ALGORITHMS.
        seed: Random seed of weights, actions and environments.
        tensorboard: A folder for TensorBoard logs.
    """
    check(name, arguments)
    algorithm = _algorithm(name)
    policy = {"codec": codec, "trunk": trunk, "half": half}
    chosen = {**algorithm.arguments, **arguments}
    if "learning_rate" in chosen:  # smaller steps towards the end give a more stable policy
        rate = float(chosen["learning_rate"])
        chosen["learning_rate"] = LinearSchedule(rate, rate / 10, 1.0)
    try:
        return algorithm.kind(
            algorithm.policy,
            vec_env,
            policy_kwargs=policy,
            seed=seed,
            tensorboard_log=tensorboard,
            device="cpu",
            **chosen,
        )
    except (AssertionError, ArithmeticError, MemoryError, TypeError, ValueError) as error:
        raise ValueError(f"{name} rejects the arguments {dict(arguments)}: {error}") from error
