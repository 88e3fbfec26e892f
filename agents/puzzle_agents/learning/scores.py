"""The share of levels that policies solve, compared with random legal actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import puzzle_agents.learning.extra  # noqa: F401 (says what is missing)
from puzzle_agents.learning.card import Card, ModelError
from puzzle_agents.learning.card_file import file_of, read_card
from puzzle_agents.learning.evaluation import (
    Evaluation,
    Rate,
    Sides,
    any_legal,
    evaluate,
    usual_side,
)
from puzzle_agents.learning.levels import unseen_levels
from puzzle_envs.level import Level

HEADS = (
    "policy", "trained for", "solved in 1", "95 %", "solved in {samples}", "95 %",
    "moves / optimum", "ms per level",
)  # fmt: skip
MOST_BYTES = 2**32
"""Memory limit of all episodes together."""


class Score(NamedTuple):
    """The results of a policy."""

    policy: str
    steps: int
    """Actions of training; 0 for none."""
    samples: int
    found: Evaluation

    @property
    def levels(self) -> int:
        """Number of levels evaluated."""
        return len(self.found.solved)

    def cells(self) -> list[str]:
        """The cells under HEADS, as text."""
        return [
            self.policy,
            f"{self.steps:,}" if self.steps else "",
            *self._share(1),
            *self._share(self.samples),
            f"{self.found.over_optimum:.3f}",
            f"{1000 * self.found.seconds / self.levels:.1f}",
        ]

    def _share(self, samples: int) -> tuple[str, str]:
        low, high = self.found.interval(samples)
        return f"{100 * self.found.rate(samples):.1f} %", f"{100 * low:.1f} to {100 * high:.1f}"


def scores_of(
    models: Sequence[str], levels: Sequence[str], *, samples: int, seed: int
) -> list[Score]:
    """Evaluate each model, and random legal actions, on the levels of these sets."""
    played = _levels_of(models, levels, samples)
    from puzzle_agents.learning.models import model_of  # torch takes seconds to import

    loaded = [
        (name, model.for_levels(played[model.card.puzzle.options]))
        for name, model in zip(models, map(model_of, models), strict=True)
    ]

    def play(rate: Rate, card: Card, sides: Sides = usual_side) -> Evaluation:
        return evaluate(
            rate,
            card.puzzle,
            played[card.puzzle.options],
            room=card.room,
            sides=sides,
            samples=samples,
            longest=card.longest(1000),
            hottest=card.hottest,
            seed=seed,
        )

    found = []
    for name, model in loaded:
        steps = int(model.card.training.get("steps", 0))
        label = f"{model.card.algorithm}: {name}"
        found.append(Score(label, steps, samples, play(model.scores, model.card, model.sides)))
    return [*found, Score("random legal actions", 0, samples, play(any_legal, loaded[0][1].card))]


Played: TypeAlias = dict[tuple[tuple[str, Any], ...], list[Level]]
"""Levels by the puzzle's options."""


def _levels_of(models: Sequence[str], sets: Sequence[str], samples: int) -> Played:
    """The levels to play; a ModelError if a model cannot, before any is loaded."""
    cards = [read_card(file_of(name)) for name in models]
    _check_same_puzzle(cards)
    played: Played = {}
    for name, card in zip(models, cards, strict=True):
        puzzle = card.puzzle
        if puzzle.options not in played:
            played[puzzle.options] = [one for name in sets for one in unseen_levels(puzzle, name)]
        levels = played[puzzle.options]
        try:
            card.check_plays(puzzle.format, levels)
        except ModelError as error:
            raise ModelError(f"{name}: {error}") from None
        room = puzzle.format.joint_shape(
            [card.room, *(puzzle.format.shape(level.record) for level in levels)]
        )
        if card.in_room(room).bytes_of(len(levels) * samples) > MOST_BYTES:
            raise ModelError(
                f"{samples:,} episodes on each of {len(levels):,} levels need more than "
                f"{MOST_BYTES >> 30} GiB; use fewer."
            )
    return played


def check_same_puzzle(models: Sequence[str]) -> str:
    """The environment that all models play; a ModelError if they play several."""
    return _check_same_puzzle([read_card(file_of(name)) for name in models])


def _check_same_puzzle(cards: Sequence[Card]) -> str:
    envs = {card.env for card in cards}
    if len(envs) != 1:
        raise ModelError(f"The models play different puzzles: {', '.join(sorted(envs))}.")
    return envs.pop()


def as_markdown(title: str, heads: Sequence[str], scores: Sequence[Score]) -> str:
    """The scores as a Markdown table."""
    rows = [heads, ["---"] * len(heads), *(score.cells() for score in scores)]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([f"{title}:", "", *lines]) + "\n"
