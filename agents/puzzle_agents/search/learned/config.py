"""The configuration of a bootstrapping run, as stored in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from puzzle_agents.demonstrations import EXPANSIONS, check_teacher
from puzzle_agents.fields import check, list_of, number, one_of, optional, table, text, whole
from puzzle_agents.learning.card import OPTIONS, SEEDS, STEPS, configured, imported_puzzle
from puzzle_agents.learning.config import parsed
from puzzle_agents.learning.levels import check_stage
from puzzle_agents.search.learned.bootstrap import Settings
from puzzle_agents.search.learned.model import ALGORITHMS, BITS, TILING_NAMES
from puzzle_envs.puzzle import Puzzle

__all__ = ["Config", "read_config"]

USUAL = Settings()
KNOWN = {
    "env": text(),
    "levels": list_of(text()),
    "validation": list_of(text()),
    "algorithm": one_of(ALGORITHMS),
    "steps": STEPS,
    "options": OPTIONS,
    "seed": SEEDS,
    "tilings": TILING_NAMES,
    "bits": BITS,
    "budget": whole(1, 10**9),
    "gain": number(0, 10),
    "epochs": whole(0, 1000),
    "rate": number(0, 100),
    "epsilon": number(1e-6, 1),
    "views": whole(0, 64),
    "more": number(0, 1000),
    "rounds": whole(0, 10**6),
    "heuristic": optional(text()),
    "teacher": optional(text()),
    "patience": whole(1, 10**12),
    "every": whole(1, 10**6),
}


@dataclass(frozen=True)
class Config:
    """A run; the same configuration on the same machine gives the same model."""

    env: str
    """The environment id."""
    levels: tuple[str, ...]
    """The training levels (`levels.levels_of`)."""
    validation: tuple[str, ...]
    """Sets to search after each pass."""
    algorithm: str = "phs"
    steps: int = 50_000_000
    """After this many expansions no further pass begins."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Puzzle-specific environment arguments, such as a metric."""
    seed: int = 0
    tilings: tuple[str, ...] = ("cell", "plus", "square", "square after", "diamond after")
    """The features of the policy (`tilings.TILINGS`)."""
    bits: int = 18
    """The table has two to this power entries."""
    budget: int = USUAL.budget
    gain: float = USUAL.gain
    epochs: int = USUAL.epochs
    rate: float = USUAL.rate
    epsilon: float = USUAL.epsilon
    views: int = USUAL.views
    more: float = USUAL.more
    rounds: int = USUAL.rounds
    heuristic: str | None = None
    """The puzzle's heuristic to search with; None: its default estimate."""
    teacher: str | None = None
    """An agent whose solutions are learned from first."""
    patience: int = EXPANSIONS
    """Maximum number of its expansions on each level."""
    every: int = 1
    """Only every n-th of the training levels is used."""

    def check(self) -> None:
        """Reject impossible configurations; a ValueError names the field."""
        check(vars(self), table(KNOWN))
        self.puzzle.check_heuristic(self.heuristic)
        for one in self.levels:
            check_stage(self.puzzle, one)
        self.puzzle.format.find_all(self.validation)
        if self.teacher is not None:
            check_teacher(self.teacher, self.env)

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle to train on, with its options."""
        return configured(imported_puzzle(self.env), self.options)

    @property
    def settings(self) -> Settings:
        """The settings of learning."""
        return Settings(*(getattr(self, name) for name in Settings._fields))


def read_config(path: Path) -> Config:
    """Read a configuration; a ValueError says what is wrong."""
    with parsed(path) as data:
        check(data, table(KNOWN, needed=("env", "levels", "validation")))
        lists = {
            name: tuple(data[name]) for name in ("levels", "validation", "tilings") if name in data
        }
        config = Config(**data | lists)
        config.check()
    return config
