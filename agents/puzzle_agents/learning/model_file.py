"""Model files with numbers and text only: loading one runs no code from it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces

import puzzle_envs
from puzzle_agents.learning.algorithms import ALGORITHMS
from puzzle_agents.learning.card import Card, ModelError
from puzzle_agents.learning.card_file import CARD, LARGEST, WEIGHTS, blaming, opened
from puzzle_agents.learning.tensors import read_tensors
from puzzle_envs.codec import Shape
from puzzle_envs.common.files import write_whole
from puzzle_envs.level import Level

AT_ONCE = 8192
"""Batch size of the network, limited by the memory of its activations."""
BESIDE = 2**20
"""Maximum overhead of a weights file in bytes."""


class Model:
    """A trained network, for inference."""

    def __init__(self, card: Card) -> None:
        """Create a network with untrained weights."""
        self.card = card
        self.policy = _network(card)
        self.policy.set_training_mode(False)
        self.views = card.puzzle.codec.views(card.room)[:1]
        """Views of boards: the usual one, and those of all levels that `sides` was asked for."""
        self._legal = card.legal_planes
        self._sides: dict[Shape, list[int]] = {}
        self._larger: dict[Shape, Model] = {}

    def for_levels(self, levels: Sequence[Level]) -> Model:
        """This model, or the same weights for larger boards, if these levels need it.

        A ModelError if its network is of one size.
        """
        card, form = self.card, self.card.puzzle.format
        shapes = [form.shape(level.record) for level in levels]
        room = form.joint_shape([*shapes, card.room])
        card.check_plays(form, levels)
        if room == card.room:
            return self
        if room not in self._larger:
            larger = Model(card.in_room(room))
            larger.policy.load_state_dict(self.policy.state_dict())
            self._larger[room] = larger
        return self._larger[room]

    def sides(self, level: Level, samples: int) -> npt.NDArray[np.intp]:
        """The views in which a level is seen in its episodes: a different one each time."""
        codec, room = self.card.puzzle.codec, self.card.room
        shape = self.card.puzzle.format.shape(level.record)
        if shape not in self._sides:
            views = [view.within(room, shape, codec) for view in codec.views(shape)[1:]]
            first = len(self.views)
            self._sides[shape] = [0, *range(first, first + len(views))]
            self.views += views
        return np.resize(self._sides[shape], samples)

    def _rated(self, planes: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> torch.Tensor:
        if self._legal is not None:
            planes = self._legal.beside(planes, masks)
        with torch.no_grad():
            parts = [planes[start : start + AT_ONCE] for start in range(0, len(planes), AT_ONCE)]
            return torch.cat([self._rated_at_once(torch.as_tensor(one).float()) for one in parts])

    def _rated_at_once(self, seen: torch.Tensor) -> torch.Tensor:
        if hasattr(self.policy, "q_net"):
            rated: torch.Tensor = self.policy.q_net(seen)
        else:  # as the policy's own distribution would, which rejects NaN
            rated = self.policy.action_net(self.policy.extract_features(seen))
            rated -= rated.logsumexp(-1, keepdim=True)
        return rated

    def scores(
        self,
        planes: npt.NDArray[np.int8],
        masks: npt.NDArray[np.int8],
        sides: npt.NDArray[np.intp] | None = None,
    ) -> npt.NDArray[np.float64]:
        """Log probabilities of each action of some boards.

        Illegal actions have -inf.

        Args:
            planes: The boards.
            masks: Their legal actions.
            sides: The view in which each board is seen (`sides`); by default the usual one.
        """
        seen_and_done = (self.card.observation_space.shape, (self.card.actions,))
        if (planes.shape[1:], masks.shape[1:]) != seen_and_done:
            raise ModelError(
                f"The model needs boards of {self.card.planes} planes, {self.card.width} by "
                f"{self.card.height}, with {self.card.actions} actions; these differ."
            )
        if sides is None or not sides.any():
            rated = self._rated(planes, masks)
        else:
            rated = torch.empty(masks.shape)
            for side in np.unique(sides).tolist():
                view, chosen = self.views[side], sides == side
                turned = planes[chosen].reshape(-1, len(view.planes))[:, view.planes]
                legal = np.empty_like(masks[chosen])
                legal[:, view.actions] = masks[chosen]
                seen = self._rated(turned.reshape(-1, *planes.shape[1:]), legal)
                rated[torch.as_tensor(chosen)] = seen[:, view.actions]
        legal = torch.as_tensor(masks) > 0
        if not torch.isfinite(rated[legal]).all():
            raise ModelError("The model's scores are not finite: its weights are too large.")
        rated = torch.where(legal, rated.double(), -torch.inf)
        return torch.log_softmax(rated, 1).numpy()


def save_model(path: Path, card: Card, weights: Mapping[str, torch.Tensor]) -> None:
    """Write a model atomically."""
    numbers = io.BytesIO()
    torch.save(dict(weights), numbers)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr(CARD, json.dumps(asdict(card), indent=2, default=np.generic.item) + "\n")
        parts.writestr(WEIGHTS, numbers.getvalue())
    write_whole(path, packed.getvalue())


def load_model(path: Path) -> Model:
    """Read a model; a ModelError says what is wrong and what to do.

    Sizes are checked before anything is unpacked or created.
    """
    with blaming(path):
        card, archive = opened(path)
        network = _network(card, outline=True)
        wanted = network.state_dict()  # a tensor with several names occurs several times
        own = sum(tensor.nbytes for tensor in network.parameters())
        most = sum(tensor.nbytes for tensor in wanted.values()) + BESIDE
        size = archive.size(WEIGHTS)
        if not own <= size <= min(most, LARGEST):
            raise ModelError(
                f"Its weights take {size:,} bytes, and the network that its card describes "
                f"{own:,}, of at most {LARGEST >> 20} MiB; train it again."
            )
        weights = tensors_like(wanted, read_tensors(archive.read(WEIGHTS, LARGEST)))
        model = Model(card)
    model.policy.load_state_dict(weights)
    return model


def tensors_like(wanted: Mapping[str, torch.Tensor], parsed: Any) -> dict[str, torch.Tensor]:
    """Convert arrays to tensors, checking names, types and shapes."""
    if not isinstance(parsed, dict) or parsed.keys() != wanted.keys():
        names = parsed.keys() if isinstance(parsed, dict) else ()
        differ = sorted(map(str, set(names) ^ wanted.keys()))[:3]
        raise ModelError(
            f"Its weights do not fit the network that version {puzzle_envs.__version__} makes "
            f"({', '.join(differ)[:200]}); train it again."
        )
    found = {}
    for name, like in wanted.items():
        array = parsed[name]
        tensor = torch.from_numpy(np.array(array)) if isinstance(array, np.ndarray) else None
        if tensor is None or (tensor.shape, tensor.dtype) != (like.shape, like.dtype):
            raise ModelError(
                f"Its weights '{name}' do not fit the network that version "
                f"{puzzle_envs.__version__} makes; train it again."
            )
        if not torch.isfinite(tensor).all():
            raise ModelError(f"Its weights '{name}' are not all numbers; train it again.")
        found[name] = tensor
    return found


def _network(card: Card, *, outline: bool = False) -> Any:
    """The Stable-Baselines3 policy that a card describes; an outline has shapes only."""
    policy = ALGORITHMS[card.algorithm].policy
    network: dict[str, Any] = {"codec": card.puzzle.codec, "trunk": dict(card.trunk)}
    seen = spaces.MultiBinary((card.planes_seen, card.height, card.width))
    done = spaces.Discrete(card.actions)
    if not outline:
        return policy(seen, done, lambda _: 0.0, **network)
    with torch.device("meta") as nowhere:
        policy = type(policy.__name__, (policy,), {"device": nowhere})
        return policy(seen, done, lambda _: 0.0, **network)
