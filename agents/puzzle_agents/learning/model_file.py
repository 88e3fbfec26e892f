"""Trained models in files that hold numbers and text only: loading one runs no code from it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces

import puzzle_envs
from puzzle_agents import environments
from puzzle_agents.learning.actions import places_of
from puzzle_agents.learning.algorithms import ALGORITHMS
from puzzle_agents.learning.networks import extractor
from puzzle_agents.learning.views import views_of
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.files import write_whole
from puzzle_envs.level import Shape
from puzzle_envs.puzzle import Puzzle

__all__ = ["Card", "Model", "ModelError", "load_model", "puzzle_of", "save_model"]

FORMAT = 1
"""Raised whenever older files can no longer be read."""
LARGEST = 64 * 2**20
"""No part of a file may unpack to more bytes than this."""


class ModelError(ValueError):
    """A file that holds no model that fits, with what to do about it."""


@dataclass(frozen=True)
class Card:
    """What is known of a model beside its weights."""

    algorithm: str
    env: str
    """The id that it was trained on."""
    options: Mapping[str, Any]
    """Arguments of the environment that change what is seen or legal, such as a mask."""
    planes: int
    height: int
    width: int
    actions: int
    trunk: Mapping[str, Any]
    training: Mapping[str, Any] = field(default_factory=dict)
    """The command, the seed, the steps, and how well it did: for people."""
    version: str = puzzle_envs.__version__
    format: int = FORMAT

    @property
    def observation_space(self) -> spaces.MultiBinary:
        """What the model looks at."""
        return spaces.MultiBinary((self.planes, self.height, self.width))

    @property
    def room(self) -> Shape:
        """The largest boards that it knows."""
        return Shape(self.actions, self.height, self.width)

    def plays(self, env: PuzzleEnv) -> bool:
        """Whether the environment's actions are those that it was trained on."""
        entry = gymnasium.spec(self.env).entry_point
        return entry == f"{env.puzzle.package}:{env.puzzle.environment}"


class Model:
    """A trained network, to play with."""

    def __init__(self, card: Card) -> None:
        """Make a network with untrained weights."""
        self.card = card
        algorithm = ALGORITHMS[card.algorithm]
        space: Any = spaces.Discrete(card.actions)
        network: dict[str, Any] = {
            "places": places_of(
                puzzle_of(card.env).format.puzzle, card.actions, card.height, card.width
            ),
            "trunk": dict(card.trunk),
        }
        policy = algorithm.policy
        if policy == "MlpPolicy":
            policy = algorithm.kind.policy_aliases[policy]
            network = {**extractor(card.trunk), "net_arch": [128]}
        self.policy: Any = policy(card.observation_space, space, lambda _: 0.0, **network)
        self.policy.set_training_mode(False)
        self.views = views_of(puzzle_of(card.env).format.puzzle, card.planes, card.room)

    def _rated(self, planes: npt.NDArray[np.int8]) -> torch.Tensor:
        with torch.no_grad():
            seen = torch.as_tensor(planes).float()
            if hasattr(self.policy, "q_net"):
                rated: torch.Tensor = self.policy.q_net(seen)
            else:
                rated = self.policy.get_distribution(seen).distribution.logits
        return rated

    def scores(
        self,
        planes: npt.NDArray[np.int8],
        masks: npt.NDArray[np.int8],
        sides: npt.NDArray[np.intp] | None = None,
    ) -> npt.NDArray[np.float64]:
        """How the network rates each action of some boards, as logarithms of probabilities.

        Illegal actions have -inf.

        Args:
            planes: The boards.
            masks: Their legal actions.
            sides: From which side each board is looked at (`views.views_of`); by default the usual.
        """
        if sides is None or not sides.any():
            rated = self._rated(planes)
        else:
            rated = torch.empty(masks.shape)
            for side in np.unique(sides).tolist():
                view, chosen = self.views[side], sides == side
                turned = planes[chosen].reshape(-1, len(view.planes))[:, view.planes]
                seen = self._rated(turned.reshape(-1, *planes.shape[1:]))
                rated[torch.as_tensor(chosen)] = seen[:, view.actions]
        rated = torch.where(torch.as_tensor(masks) > 0, rated.double(), -torch.inf)
        return torch.log_softmax(rated, 1).numpy()


def puzzle_of(env: str) -> Puzzle:
    """The puzzle that an id belongs to."""
    try:
        return environments.puzzle_of(env)
    except ValueError as error:
        raise ModelError(str(error)) from None


def save_model(path: Path, card: Card, weights: Mapping[str, torch.Tensor]) -> None:
    """Write a model, whole or not at all."""
    numbers = io.BytesIO()
    torch.save(dict(weights), numbers)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("model.json", json.dumps(asdict(card), indent=2) + "\n")
        parts.writestr("weights.pt", numbers.getvalue())
    write_whole(path, packed.getvalue())


def load_model(path: Path) -> Model:
    """Read a model; a ModelError says why that is not possible, and what to do."""
    try:
        with zipfile.ZipFile(path) as parts:
            card = _card_of(json.loads(_part(parts, "model.json")), path)
            weights = torch.load(
                io.BytesIO(_part(parts, "weights.pt")), map_location="cpu", weights_only=True
            )
    except FileNotFoundError:
        raise ModelError(f"There is no model file {path}.") from None
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, RuntimeError, OSError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{path} is no model file, or a damaged one: {error}") from None
    except Exception as error:  # the unpickler's: the weights hold more than numbers
        raise ModelError(f"{path} holds more than weights and is not loaded: {error}") from None
    model = Model(card)
    try:
        model.policy.load_state_dict(weights)
    except (RuntimeError, AttributeError, TypeError) as error:
        raise ModelError(
            f"The weights in {path} do not fit the network that version "
            f"{puzzle_envs.__version__} makes of its card (it was written by {card.version}); "
            f"train it again: {error}"
        ) from None
    return model


def _part(parts: zipfile.ZipFile, name: str) -> bytes:
    if parts.getinfo(name).file_size > LARGEST:
        raise ModelError(f"{parts.filename} unpacks to more than {LARGEST >> 20} MiB.")
    return parts.read(name)


def _card_of(told: Any, path: Path) -> Card:
    told = told if isinstance(told, dict) else {}
    if told.get("format") != FORMAT:
        version = told.get("version", "unknown")
        raise ModelError(
            f"{path} was written by version {version} in another format; this is "
            f"{puzzle_envs.__version__}, which reads format {FORMAT}: train it again."
        )
    try:
        card = Card(**told)
    except TypeError as error:
        raise ModelError(f"The card in {path} is not complete: {error}") from None
    numbers: tuple[Any, ...] = (card.planes, card.height, card.width, card.actions)
    sound = all(isinstance(number, int) and 0 < number < 2**16 for number in numbers)
    if card.algorithm not in ALGORITHMS or not sound:
        raise ModelError(f"The card in {path} describes no model that is known here.")
    return card
