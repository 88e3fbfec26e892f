"""A model's metadata, and the check whether boards fit it; needs no torch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any

from gymnasium import spaces

import puzzle_envs
from puzzle_agents import environments
from puzzle_agents.fields import (
    ANYTHING,
    Fields,
    check,
    list_of,
    number,
    of_type,
    one_of,
    optional,
    plain,
    table,
    table_of,
    text,
    truth,
    whole,
)
from puzzle_agents.learning.legal import LegalPlanes
from puzzle_envs.codec import Shape
from puzzle_envs.level import Level, LevelFormat
from puzzle_envs.puzzle import Puzzle

FORMAT = 1
"""Raised when older files become unreadable."""
ALGORITHM_NAMES = ("maskable-ppo", "ppo", "a2c", "dqn", "dagger")

SIZES: Mapping[str, Fields] = {
    "board": {
        "channels": whole(1, 1024),
        "blocks": whole(1, 64),
        "lines": whole(0, 256),
        "reach": whole(0, 8),
    },
    "relative": {
        "channels": whole(1, 1024),
        "blocks": whole(1, 64),
        "lines": whole(1, 256),
        "legal": truth,
    },
    "square": {
        "channels": whole(1, 1024),
        "narrow": whole(1, 256),
        "hidden": whole(1, 4096),
        "rounds": whole(1, 64),
    },
}
"""Arguments of each kind of trunk (`networks.TRUNKS`)."""
OPTIONS = table_of(plain)
STEPS, LENGTHS, SEEDS = whole(0, 10**15), whole(1, 10**6), whole(0, 2**32 - 1)
"""Bounds of actions per run, actions per episode, and random seeds."""
HOTTEST = 4.0
"""Default temperature of the last of several episodes."""
LARGEST_BOARD = 2**20
"""Maximum number of planes times cells."""

SHARE, COUNT = number(0, 1), whole(1, 10**9)
TEST = table(
    {
        "levels": list_of(text()),
        "count": COUNT,
        "samples": COUNT,
        "solved": SHARE,
        "interval": list_of(SHARE, 2, 2),
    },
    others=ANYTHING,
)
TRAINING = table(
    {
        "command": of_type(str),
        "seed": SEEDS,
        "steps": STEPS,
        "seconds": number(0, 10**12),
        "longest": LENGTHS,
        "hottest": number(1e-6, 1e6),
        "stages": list_of(text()),
        "validation": optional(SHARE),
        "test": TEST,
        "start": table({"model": text(), "steps": STEPS}, needed=("model", "steps")),
    },
    others=ANYTHING,
)
KNOWN: Fields = {
    "algorithm": one_of(ALGORITHM_NAMES),
    "env": text(),
    "options": OPTIONS,
    "planes": whole(1, 1024),
    "height": whole(1, 256),
    "width": whole(1, 256),
    "actions": whole(1, 2**16),
    "trunk": table_of(ANYTHING),
    "training": TRAINING,
    "version": text(),
    "format": whole(FORMAT, FORMAT),
}


class ModelError(ValueError):
    """A file without a usable model, with what to do about it."""


@dataclass(frozen=True)
class Card:
    """A model's metadata; invalid values raise a ModelError."""

    algorithm: str
    env: str
    """The id of the training environment."""
    options: Mapping[str, Any]
    """Environment arguments that change observations or legality, such as a mask."""
    planes: int
    height: int
    width: int
    actions: int
    trunk: Mapping[str, Any]
    training: Mapping[str, Any] = field(default_factory=dict)
    """The command, the seed, the steps and the results, for information."""
    version: str = puzzle_envs.__version__
    format: int = FORMAT

    def __post_init__(self) -> None:
        """Reject metadata that describes no possible network."""
        try:
            check(vars(self), table(KNOWN))
            puzzle = configured(imported_puzzle(self.env), self.options)
            check_trunk(self.trunk, puzzle)
            self._check_board(puzzle)
        except ModelError:
            raise
        except ValueError as error:
            raise ModelError(str(error)) from None

    def _check_board(self, puzzle: Puzzle) -> None:
        """Check that the numbers describe a possible board of the puzzle."""
        if self.planes * self.height * self.width > LARGEST_BOARD:
            raise ModelError(
                f"'planes', 'height' and 'width' make a board of more than {LARGEST_BOARD:,} "
                "numbers."
            )
        planes = len(puzzle.codec.planes(self.room))
        if planes != self.planes:
            raise ModelError(f"'planes' is {self.planes}; boards of {self.env} have {planes}.")
        places = puzzle.codec.places(self.room)
        cells = self.height * self.width
        fitting = len(places) == self.actions and all(cell < cells for cell, _ in places)
        if not fitting or puzzle.format.joint_shape([self.room]) != self.room:
            raise ModelError(
                f"'actions' is {self.actions}, which no board of {self.env} has that is "
                f"{self.width} wide and {self.height} high."
            )

    @property
    def observation_space(self) -> spaces.MultiBinary:
        """The observation space of its environments."""
        return spaces.MultiBinary((self.planes, self.height, self.width))

    @property
    def legal_planes(self) -> LegalPlanes | None:
        """What its network reads of the legal actions, if it does."""
        return LegalPlanes(self.puzzle.codec, self.room) if self.trunk.get("legal") else None

    @property
    def planes_seen(self) -> int:
        """The number of planes that its network reads."""
        legal = self.legal_planes
        return self.planes if legal is None else self.planes + legal.count

    @property
    def room(self) -> Shape:
        """The largest boards that it supports."""
        return Shape(self.actions, self.height, self.width)

    @property
    def puzzle(self) -> Puzzle:
        """The training puzzle, with its options."""
        return configured(imported_puzzle(self.env), self.options)

    @property
    def fits_all_sizes(self) -> bool:
        """Whether the network's weights do not depend on the size of boards."""
        return self.trunk.get("kind") == "relative"

    def check_plays(self, form: LevelFormat, levels: Iterable[Level]) -> None:
        """Reject levels that its network cannot play, on boards of their size."""
        if not self.fits_all_sizes:
            check_fits(self.room, form, levels)
            return
        for level in levels:
            if not self._knows(form.joint_shape([self.room, form.shape(level.record)])):
                raise _unfit(self.room, level, "has further kinds of actions")

    def _knows(self, room: Shape) -> bool:
        """Whether boards of this size have the kinds of actions of its training."""
        mine, theirs = (
            {(cell >= 0, kind) for cell, kind in self.puzzle.codec.places(one)}
            for one in (self.room, room)
        )
        return theirs <= mine

    def in_room(self, room: Shape) -> Card:
        """This card for boards of another size."""
        return replace(self, actions=room.actions, height=room.height, width=room.width)

    def longest(self, otherwise: int) -> int:
        """Episode length in training, in actions."""
        return int(self.training.get("longest", otherwise))

    @property
    def hottest(self) -> float:
        """Temperature of the last of several episodes on a level, chosen on validation levels."""
        return float(self.training.get("hottest", HOTTEST))

    def puzzle_for(self, puzzle: Puzzle) -> Puzzle:
        """An environment's puzzle as the model was trained on it; a ModelError if it is another.

        Options of the environment are kept, and moves are counted in its metric.
        """
        mine = imported_puzzle(self.env)
        if (mine.package, mine.environment) != (puzzle.package, puzzle.environment):
            raise ModelError(f"The model plays {self.env}, not {', '.join(puzzle.registered)}.")
        usual = signature(type(puzzle.format)).parameters
        parsed = {key: value for key, value in puzzle.options if value != usual[key].default}
        shown = puzzle.configured(**{**self.options, **parsed})
        return shown if shown.format.facts == puzzle.format.facts else puzzle

    def bytes_of(self, episodes: int) -> int:
        """Estimated memory of parallel episodes: planes and masks twice, plus scores."""
        return episodes * (2 * self.planes_seen * self.height * self.width + 40 * self.actions)


def check_fits(room: Shape, form: LevelFormat, levels: Iterable[Level]) -> None:
    """Reject levels that do not fit a model with boards of this size."""
    for level in levels:
        own = form.shape(level.record)
        if form.joint_shape([room, own]) == room:
            continue
        fault = f"is larger ({own.width} by {own.height})"
        if own.height <= room.height and own.width <= room.width:
            fault = f"has {own.actions} actions where the model knows {room.actions}"
        raise _unfit(room, level, fault)


def _unfit(room: Shape, level: Level, fault: str) -> ModelError:
    return ModelError(
        f"The model was trained on boards up to {room.width} by {room.height}, and '{level.name}' "
        f"{fault}: train one on a set that contains it, with `puzzle-envs train`."
    )


def card_of(parsed: Any) -> Card:
    """Parse and check a file's card."""
    said = parsed if isinstance(parsed, dict) else {}
    if type(said.get("format")) is not int or said["format"] != FORMAT:
        version = said.get("version", "unknown")
        raise ModelError(
            f"It was written by version {str(version)[:20]} in another format; this is "
            f"{puzzle_envs.__version__}, which reads format {FORMAT}: train it again."
        )
    try:
        check(said, table(KNOWN, needed=KNOWN))
    except ValueError as error:
        raise ModelError(str(error)) from None
    return Card(**said)


def imported_puzzle(env: str) -> Puzzle:
    """The puzzle of a registered id, without importing code."""
    try:
        environments.check_imported(env)
        return environments.puzzle_of(env)
    except ValueError as error:
        raise ModelError(f"'env': {error}") from None


def configured(puzzle: Puzzle, options: Mapping[str, Any]) -> Puzzle:
    """The puzzle with puzzle-specific arguments."""
    try:
        found = puzzle.configured(**options)
        found.format  # noqa: B018 (created on first use)
    except (TypeError, ValueError) as error:
        raise ModelError(f"'options': {error}") from None
    return found


def check_trunk(trunk: Mapping[str, Any], puzzle: Puzzle) -> None:
    """Reject impossible network sizes."""
    kind = trunk.get("kind", "board")
    kinds = one_of(SIZES)
    check(kind, kinds, "trunk.kind")
    check(trunk, table({"kind": kinds, **SIZES[kind]}), "trunk")
    if kind == "square" and puzzle.codec.numbers is None:
        raise ModelError(
            f"'trunk.kind' square is for numbers in squares, and {puzzle.title} has none."
        )
