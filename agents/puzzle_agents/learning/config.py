"""The configuration of a training run, as stored in its folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from puzzle_agents.demonstrations import check_teacher
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

__all__ = ["DAGGER", "TAUGHT", "Config", "parsed", "read_config", "write_config"]

TAUGHT = "taught"
DAGGER = "dagger"
TEACHABLE = ("maskable-ppo", "ppo", "a2c", DAGGER)
"""Algorithms that can learn from a teacher: those whose networks are policies."""
LARGEST = 2**20
"""Maximum size of a configuration in bytes."""
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
    "patience": whole(1, 10**6),
    "envs": whole(1, 2**16),
    "seed": SEEDS,
    "trunk": table_of(ANYTHING),
    "half": truth,
    "arguments": table_of(optional(plain)),
    "evaluate_every": whole(1, 10**12),
    "teacher": optional(text()),
    "demonstrated": whole(1, 10**12),
    "teacher_expansions": whole(1, 10**12),
    "start": optional(text()),
}


@dataclass(frozen=True)
class Config:
    """A training run; the same configuration on the same machine gives the same model."""

    env: str
    """The environment id."""
    stages: tuple[str, ...]
    """A curriculum: the levels of each stage (`levels.levels_of`)."""
    validation: tuple[str, ...]
    """Sets for measuring the solve rate during training."""
    algorithm: str = "maskable-ppo"
    steps: int = 2_000_000
    """Total number of actions of all episodes."""
    longest: int = 100
    """Episode length limit in actions."""
    reward: str = "sparse"
    """The environment's reward, or "taught" (`solutions.SolutionVecEnv`)."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Puzzle-specific environment arguments, such as a mask."""
    threshold: float = 0.8
    """Share of validation levels, of a stage's last bin, at which the next stage begins."""
    patience: int = 5
    """Measurements without progress in that share after which it begins, too."""
    envs: int = 128
    """Number of parallel episodes."""
    seed: int = 0
    trunk: Mapping[str, Any] = field(
        default_factory=lambda: {"channels": 32, "blocks": 2, "lines": 8}
    )
    """Size of the network (`networks.TRUNKS`)."""
    half: bool = True
    """Whether to train the network under bfloat16 autocast."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the algorithm that differ from the defaults (`algorithms.ALGORITHMS`)."""
    evaluate_every: int = 200_000
    """Actions between evaluations and checkpoints."""
    teacher: str | None = None
    """An agent whose solutions the policy learns from: first (`cloning`), or with dagger throughout
    (`asking`)."""
    demonstrated: int = 100_000
    """The number of its actions to learn from first, which count as actions of the run."""
    teacher_expansions: int = 5_000
    """Limit of the teacher's search from each state with dagger, in expansions."""
    start: str | None = None
    """A trained model whose weights the policy begins with: a run's folder, a file or a name."""

    def check(self) -> None:
        """Reject impossible configurations; a ValueError names the field."""
        check(vars(self), table(KNOWN))
        check_trunk(self.trunk, self.puzzle)
        for stage in self.stages:
            check_stage(self.puzzle, stage)
        self.puzzle.format.find_all(self.validation)
        if self.teacher is not None:
            check_teacher(self.teacher, self.env)
            if self.algorithm not in TEACHABLE:
                raise ValueError(
                    f"'teacher': {self.algorithm} cannot learn from a teacher; choose one of "
                    f"{', '.join(TEACHABLE)}."
                )
        if self.algorithm == DAGGER and (self.reward == TAUGHT) == (self.teacher is not None):
            raise ValueError(
                "'algorithm' dagger learns from a teacher, such as astar, or from solutions with "
                "the reward taught; give one of the two."
            )
        if self.reward == TAUGHT and self.puzzle.solution is None:
            raise ValueError(
                f"'reward' taught: {self.puzzle.title} has no solutions to teach; choose another."
            )

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle to train on, with its options."""
        return configured(imported_puzzle(self.env), self.options)


def write_config(path: Path, config: Any) -> None:
    """Write a configuration as JSON."""
    write_whole(
        path, (json.dumps(asdict(config), indent=2, default=np.generic.item) + "\n").encode()
    )


def read_config(path: Path) -> Config:
    """Read a configuration; a ValueError says what is wrong."""
    with parsed(path) as data:
        check(data, table(KNOWN, needed=("env", "stages", "validation")))
        lists = {name: tuple(data[name]) for name in ("stages", "validation")}
        config = Config(**data | lists)
        config.check()
    return config


@contextmanager
def parsed(path: Path) -> Iterator[Any]:
    """What a configuration file holds; errors in it become sentences about the file."""
    try:
        yield json_of(bytes_of_file(path, LARGEST))
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f"{path.parent} is not a run folder: it has no {path.name}.") from None
    except ValueError as error:
        raise ValueError(f"{path} is not a run configuration: {error}") from None
