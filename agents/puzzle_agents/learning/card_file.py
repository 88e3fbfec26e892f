"""Model files, opened as far as their cards; needs no torch."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from puzzle_agents.learning.archive import Archive
from puzzle_agents.learning.card import Card, ModelError, card_of, check_fits
from puzzle_agents.reading import bytes_of_file, json_of
from puzzle_envs.common.suggestion import did_you_mean
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle

FOLDER = Path(__file__).parent / "pretrained"
"""Folder of the pretrained models in the package."""
MODEL = "policy.model"
"""The model file of a run's folder."""
CARD, WEIGHTS = "model.json", "weights.pt"
LARGEST, LARGEST_CARD = 2**26, 2**16
"""Maximum sizes in bytes of a file, and of its unpacked card."""


@contextmanager
def blaming(path: Path, what: str = "is not a readable model") -> Iterator[None]:
    """Prepend the file's name to errors."""
    try:
        yield
    except FileNotFoundError:
        raise ModelError(f"There is no model file {path}.") from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder, not a model file.") from None
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise ModelError(f"{path} {what}: {error}") from None


def file_of(named: str) -> Path:
    """The model file of a run's folder, a file, or a pretrained model's name."""
    path = Path(named)
    with blaming(path):
        if path.is_dir():
            return path / MODEL
        if path.exists() or path.suffix:
            return path
    return pretrained_file(named)


def pretrained_file(named: str) -> Path:
    """The file of a pretrained model."""
    names = sorted(file.stem for file in FOLDER.glob("*.model"))
    if named not in names:
        there = ", ".join(names) or "none in this version"
        near = did_you_mean(named, names)
        raise ModelError(
            f"'{named}' is neither the folder of a run nor a pretrained model.{near} "
            f"The pretrained models: {there}."
        )
    return FOLDER / f"{named}.model"


def opened(path: Path) -> tuple[Card, Archive]:
    """A model's card, and the parts of its file; call it within `blaming`."""
    archive = Archive(bytes_of_file(path, LARGEST), packed=True)
    if others := set(archive.names) - {CARD, WEIGHTS}:
        raise ValueError(f"It has a part '{min(others)[:60]}', which models do not have.")
    return card_of(json_of(archive.read(CARD, LARGEST_CARD))), archive


def read_card(path: Path) -> Card:
    """Read the card of a model file."""
    with blaming(path):
        return opened(path)[0]


@functools.cache
def _pretrained_cards() -> dict[Path, Card]:
    return {path: read_card(path) for path in sorted(FOLDER.glob("*.model"))}


def file_for(puzzle: Puzzle, level: Level) -> Path:
    """The smallest pretrained model of a puzzle that fits a level.

    If none was trained on boards of this size, one whose network fits all sizes.
    """
    form, fitting = puzzle.format, {}
    for path, card in _pretrained_cards().items():
        try:
            card.puzzle_for(puzzle)
            check_fits(card.room, form, [level])
        except ModelError:
            continue
        fitting[path] = card.actions
    return min(fitting, key=fitting.__getitem__) if fitting else _of_all_sizes(puzzle, level)


def _of_all_sizes(puzzle: Puzzle, level: Level) -> Path:
    """The pretrained model for larger boards than those of training; a ModelError if none."""
    for path, card in _pretrained_cards().items():
        if card.fits_all_sizes:
            with suppress(ModelError):
                card.check_plays(card.puzzle_for(puzzle).format, [level])
                return path
    shape = puzzle.format.shape(level.record)
    raise ModelError(
        f"No pretrained model plays {puzzle.title} on boards of {shape.width} by "
        f"{shape.height}; train one with `puzzle-envs train`, and give its folder as the "
        "argument model."
    )
