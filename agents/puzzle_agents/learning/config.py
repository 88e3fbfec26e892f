"""Everything that decides a training run, as it is written into the run's folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from puzzle_agents.fields import (
    ANYTHING,
    check,
    list_of,
    number,
    one_of,
    optional,
    plain,
    table,
    table_of,
    text,
    truth,
    whole,
)
from puzzle_agents.learning.card import (
    ALGORITHM_NAMES,
    LENGTHS,
    OPTIONS,
    SEEDS,
    check_trunk,
    configured,
    imported_puzzle,
)
from puzzle_agents.learning.levels import check_stage
from puzzle_agents.reading import bytes_of_file, json_of
from puzzle_envs.common.files import write_whole
from puzzle_envs.episodes.batch import REWARDS
from puzzle_envs.puzzle import Puzzle

__all__ = ["TAUGHT", "Config", "read_config", "write_config"]

TAUGHT = "taught"
LARGEST = 2**20
"""Bytes of a configuration."""
KNOWN = {
    "env": text(),
    "stages": list_of(text()),
    "validation": list_of(text()),
    "algorithm": one_of(ALGORITHM_NAMES),
    "steps": whole(1, 10**12),
    "longest": LENGTHS,
    "reward": one_of((*REWARDS, TAUGHT)),
    "options": OPTIONS,
    "threshold": number(0, 100),
    "envs": whole(1, 2**16),
    "seed": SEEDS,
    "trunk": table_of(ANYTHING),
    "half": truth,
    "arguments": table_of(optional(plain)),
    "evaluate_every": whole(1, 10**12),
}


@dataclass(frozen=True)
class Config:
    """A training run. The same one on the same machine gives the same model."""

    env: str
    """The id of the environment."""
    stages: tuple[str, ...]
    """A curriculum: what each stage draws its levels from (`levels.levels_of`)."""
    validation: tuple[str, ...]
    """Sets on which the solve rate is measured while training."""
    algorithm: str = "maskable-ppo"
    steps: int = 2_000_000
    """Actions done in all episodes together."""
    longest: int = 100
    """Actions after which an episode is cut off."""
    reward: str = "sparse"
    """One of the environment's, or "taught" (`teaching.TaughtVecEnv`)."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the environment's own, such as a mask."""
    threshold: float = 0.8
    """The share of solved episodes at which the next stage begins."""
    envs: int = 128
    """Episodes side by side."""
    seed: int = 0
    trunk: Mapping[str, Any] = field(
        default_factory=lambda: {"channels": 32, "blocks": 2, "lines": 8}
    )
    """The size of the network (`networks.TRUNKS`)."""
    half: bool = True
    """Whether the network trains under bfloat16 autocast."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Of the algorithm, where they differ from what is usual here (`algorithms.ALGORITHMS`)."""
    evaluate_every: int = 200_000
    """Actions from one measurement and checkpoint to the next."""

    def check(self) -> None:
        """Refuse what no run can have; a ValueError names the field."""
        check(vars(self), table(KNOWN))
        check_trunk(self.trunk, self.puzzle)
        for stage in self.stages:
            check_stage(self.puzzle, stage)
        self.puzzle.format.find_all(self.validation)
        if self.reward == TAUGHT and self.puzzle.solution is None:
            raise ValueError(
                f"'reward' taught: {self.puzzle.title} has no solutions to teach; choose another."
            )

    @property
    def puzzle(self) -> Puzzle:
        """What is trained on, with its options."""
        return configured(imported_puzzle(self.env), self.options)


def write_config(path: Path, config: Config) -> None:
    """Write it as JSON."""
    write_whole(
        path, (json.dumps(asdict(config), indent=2, default=np.generic.item) + "\n").encode()
    )


def read_config(path: Path) -> Config:
    """Read it back; a ValueError says what is wrong."""
    try:
        told = json_of(bytes_of_file(path, LARGEST))
        check(told, table(KNOWN, needed=("env", "stages", "validation")))
        lists = {name: tuple(told[name]) for name in ("stages", "validation")}
        config = Config(**told | lists)
        config.check()
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f"{path.parent} is no run folder: it has no {path.name}.") from None
    except ValueError as error:
        raise ValueError(f"{path} is no configuration of a run: {error}") from None
    return config
