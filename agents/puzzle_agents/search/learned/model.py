"""Model files of learned search: a card and a table of small integers, packed.

Loading one runs no code from it, and takes as much memory as its table, which is bounded.
"""

from __future__ import annotations

import functools
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import puzzle_envs
from puzzle_agents.fields import (
    Fields,
    check,
    list_of,
    number,
    one_of,
    optional,
    table,
    text,
    whole,
)
from puzzle_agents.learning.archive import Archive
from puzzle_agents.learning.card import OPTIONS, TRAINING, ModelError, configured, imported_puzzle
from puzzle_agents.learning.card_file import CARD, LARGEST_CARD, MODEL, blaming
from puzzle_agents.reading import bytes_of_file, json_of
from puzzle_agents.search.learned.policy import Packed, Table
from puzzle_agents.search.learned.tilings import TILINGS, TRAITS
from puzzle_envs.common.files import write_whole
from puzzle_envs.common.suggestion import did_you_mean
from puzzle_envs.puzzle import Puzzle

__all__ = [
    "ALGORITHMS", "BITS", "FOLDER", "TABLE", "TILING_NAMES", "Card", "Model", "load_model",
    "model_of", "name_of", "save_model", "shipped_for", "uniform",
]  # fmt: skip

ALGORITHMS = ("phs", "levin")
FOLDER = Path(__file__).parent / "models"
"""Folder of the models in the package, which are named after the puzzle."""
NONE = "none"
"""Instead of a model: the uniform policy."""
TABLE = "table.bin"
FORMAT = 1
"""Raised when older files become unreadable."""
BITS = whole(4, 22)
"""The range of `bits`: a table has two to this power entries."""
TILING_NAMES = list_of(one_of((*TILINGS, TRAITS)), 1, len(TILINGS) + 1)
LARGEST = 2**23
"""Maximum size of a file in bytes."""
MOST = 127
"""The largest entry of a table in a file."""
UNPACKED = np.float32(1)
"""The unit of a table in training."""
KNOWN: Fields = {
    "algorithm": one_of(ALGORITHMS),
    "env": text(),
    "options": OPTIONS,
    "tilings": TILING_NAMES,
    "bits": BITS,
    "unit": number(0, 1000),
    "training": TRAINING,
    "version": text(),
    "format": whole(FORMAT, FORMAT),
    "heuristic": optional(text()),
}
NEEDED = [name for name in KNOWN if name != "heuristic"]


@dataclass(frozen=True)
class Card:
    """A model's metadata; a ModelError says what is wrong with it."""

    algorithm: str
    """The search that it was trained with."""
    env: str
    options: Mapping[str, Any]
    """Environment arguments in training, such as a metric."""
    tilings: Sequence[str]
    bits: int
    unit: float
    """The value of an entry of 1 in the file."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """The command, the seed and the results, for information."""
    heuristic: str | None = None
    """The heuristic that it was trained with; None for the puzzle's default estimate."""
    version: str = puzzle_envs.__version__
    format: int = FORMAT

    def __post_init__(self) -> None:
        """Reject metadata that does not describe a table."""
        try:
            check(vars(self), table(KNOWN, needed=NEEDED))
        except ValueError as error:
            raise ModelError(str(error)) from None

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle it was trained on."""
        return configured(imported_puzzle(self.env), self.options)


@dataclass(frozen=True)
class Model:
    """A policy."""

    table: Table | Packed
    tilings: Sequence[str]
    card: Card | None = None
    """None for the uniform policy, and in training."""
    unit: np.float32 = UNPACKED
    """The value of an entry of 1."""

    @property
    def entries(self) -> Table:
        """The values of the entries."""
        return self.table * self.unit

    def heuristic_for(self, puzzle: Puzzle) -> str:
        """The heuristic that it was trained with, or the puzzle's default estimate."""
        trained = None if self.card is None else self.card.heuristic
        return next(iter(puzzle.estimates)) if trained is None else trained

    def check(self, puzzle: Puzzle) -> None:
        """Reject another puzzle than the one it was trained on."""
        if self.card is None:
            return
        mine = imported_puzzle(self.card.env)
        if (mine.package, mine.environment) != (puzzle.package, puzzle.environment):
            ids = ", ".join(puzzle.registered)
            raise ModelError(
                f"The model plays {self.card.env}, not {ids}: train one with `puzzle-envs train "
                f"{ids} --algo phs`, or search with model={NONE}."
            )


def uniform() -> Model:
    """The policy that gives all moves the same probability."""
    return Model(np.zeros(1, np.float32), ())


def save_model(path: Path, card: Card, entries: Table) -> None:
    """Write a model atomically; entries are rounded to whole units."""
    unit = float(np.abs(entries).max()) / MOST or 1.0
    rounded = np.rint(entries / np.float32(unit)).astype(np.int8)
    fields = asdict(card) | {"unit": unit}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr(CARD, json.dumps(fields, indent=2, default=np.generic.item) + "\n")
        parts.writestr(TABLE, rounded.tobytes())
    write_whole(path, packed.getvalue())


def load_model(path: Path) -> Model:
    """Read a model; a ModelError says what is wrong and what to do."""
    with blaming(path):
        archive = Archive(bytes_of_file(path, LARGEST), packed=True)
        if set(archive.names) != {CARD, TABLE}:
            raise ModelError(f"Its parts are not the {CARD} and {TABLE} of a learned search.")
        fields = json_of(archive.read(CARD, LARGEST_CARD))
        check(fields, table(KNOWN, needed=NEEDED))
        card = Card(**fields)
        size = archive.size(TABLE)
        if size != 1 << card.bits:
            raise ModelError(f"Its table has {size:,} entries, and its card says {card.bits} bits.")
        entries = np.frombuffer(archive.read(TABLE, size), np.int8)
    return Model(entries, tuple(card.tilings), card, np.float32(card.unit))


def model_of(named: str) -> Model:
    """The model in a run's folder or a file, a shipped one by its name, or the uniform policy."""
    if named == NONE:
        return uniform()
    path = Path(named)
    if path.is_dir():
        return load_model(path / MODEL)
    if path.exists() or path.suffix:
        return load_model(path)
    names = sorted(file.stem for file in FOLDER.glob("*.model"))
    if named not in names:
        raise ModelError(
            f"There is no model '{named}' of a learned search;{did_you_mean(named, names)} there "
            f"are {', '.join([*names, NONE])}, folders of runs, and files."
        )
    return _kept(FOLDER / f"{named}.model")


def name_of(puzzle: Puzzle) -> Path:
    """The file of a puzzle's model in the package."""
    return FOLDER / f"{puzzle.package.rpartition('.')[2].replace('_', '-')}.model"


def shipped_for(puzzle: Puzzle) -> Model:
    """The model in the package for a puzzle; the uniform policy if there is none."""
    file = name_of(puzzle)
    if not file.exists():
        return uniform()
    model = _kept(file)
    try:
        model.check(puzzle)
    except ModelError:  # another encoding of the puzzle
        return uniform()
    return model


@functools.cache
def _kept(file: Path) -> Model:
    return load_model(file)
