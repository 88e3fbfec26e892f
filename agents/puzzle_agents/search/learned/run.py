"""A bootstrapping run in its folder: configuration, passes, validation, curve, checkpoint, model.

After each pass everything is saved, the checkpoint last; an interrupted run repeats its current
pass and gives the same model as an uninterrupted one.
"""

from __future__ import annotations

import io
import json
import shlex
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from puzzle_agents.demonstrations import Teacher
from puzzle_agents.fields import Kind, check, list_of, number, table, whole
from puzzle_agents.learning.archive import Archive
from puzzle_agents.learning.card import STEPS
from puzzle_agents.learning.config import write_config
from puzzle_agents.learning.curve import write_curve
from puzzle_agents.learning.levels import levels_of
from puzzle_agents.learning.training import CONFIG, MODEL, WHO, new_folder
from puzzle_agents.lock import held
from puzzle_agents.progress_bar import ProgressBar
from puzzle_agents.reading import bytes_of_file, json_of
from puzzle_agents.search.learned.bootstrap import Bootstrap, Pass, Sought, problem_of, sought
from puzzle_agents.search.learned.config import Config, read_config
from puzzle_agents.search.learned.model import Card, save_model
from puzzle_agents.search.learned.policy import Table
from puzzle_agents.search.search import Problem
from puzzle_envs.common.files import write_whole
from puzzle_envs.level import Level

__all__ = ["CHECKPOINT", "Point", "resume", "train"]

CHECKPOINT = "checkpoint.zip"
STATE, TABLE, SUMS = "state.json", "table.bin", "sums.bin"
LARGEST = 2**26
"""Maximum size of a checkpoint in bytes."""
LARGEST_STATE = 2**24
SECONDS = number(0, 10**12)
COUNTS = whole(0, 10**15)
SHARE = number(0, 1)


class Point(NamedTuple):
    """A point of the curve, after a pass."""

    steps: int
    """Expansions of training so far."""
    stage: int
    """Always 0: there is no curriculum."""
    training: float
    """Share of the training levels that the pass solved."""
    validation: float
    """Share of the validation levels solved within the pass's budget."""
    over_optimum: float
    """Their moves relative to the optimum."""
    expanded: float
    """The mean of the expansions in which they were solved."""
    budget: int
    seconds: float


POINT: dict[str, Kind] = {
    "steps": STEPS,
    "stage": whole(0, 0),
    "training": SHARE,
    "validation": SHARE,
    "over_optimum": number(0),
    "expanded": number(0),
    "budget": COUNTS,
    "seconds": SECONDS,
}
PASS = dict.fromkeys(Pass._fields, COUNTS)
KNOWN = {
    "budget": whole(1, 2**60),
    "seconds": SECONDS,
    "taught": list_of(COUNTS, 0, None),
    "passes": list_of(table(PASS, needed=PASS), 0, 10**5),
    "curve": list_of(table(POINT, needed=POINT), 0, 10**5),
}


def _silent(sentence: str) -> None:
    """Say nothing."""


def train(
    config: Config, folder: Path, command: str = "", say: Callable[[str], None] = _silent
) -> Path:
    """Train a model from scratch; return its file.

    Args:
        config: The configuration, checked before anything is written.
        folder: The folder of the run; it must not hold a run yet.
        command: The command line, for the model's card.
        say: Receives status messages.
    """
    config.check()
    with new_folder(folder):
        run = Run(config, folder, command, say)
        write_config(folder / CONFIG, config)
        return run.to_the_end()


def resume(folder: Path, command: str = "", say: Callable[[str], None] = _silent) -> Path:
    """Resume a run from its last checkpoint; return the model's file."""
    config = read_config(folder / CONFIG)
    with held(folder, WHO):
        return Run(config, folder, command, say).to_the_end()


class Run:
    """A run, resumed from its last checkpoint if there is one."""

    def __init__(
        self, config: Config, folder: Path, command: str, say: Callable[[str], None]
    ) -> None:
        """Create the levels and the table."""
        self.config, self.folder = config, folder
        self._command, self._say = command, say
        self._puzzle = puzzle = config.puzzle
        began = time.process_time()
        self._levels = [
            one for name in config.levels for one in levels_of(puzzle, name, config.seed)
        ][:: config.every]
        self._seconds = time.process_time() - began
        self._validation = puzzle.format.find_all(config.validation)
        self._sought_in = [self._problem_of(level) for level in self._validation]
        self.curve: list[Point] = []
        entries, sums = _empty(config), _empty(config)
        self.bootstrap = Bootstrap(
            [self._problem_of(level) for level in self._levels],
            config.tilings, config.settings, config.seed, entries, sums, config.budget,
        )  # fmt: skip
        if (folder / CHECKPOINT).exists():
            self._take_up()

    def _problem_of(self, level: Level) -> Problem:
        return problem_of(self._puzzle, level, self.config.heuristic)

    @property
    def _expanded(self) -> int:
        return sum(one.expanded for one in self.bootstrap.passes)

    @property
    def _is_over(self) -> bool:
        return self.bootstrap.is_over or self._expanded >= self.config.steps

    def to_the_end(self) -> Path:
        """Train; return the model's file. Ctrl-C loses the current pass."""
        try:
            while not self._is_over:
                self._pass()
                self._measure()
        except KeyboardInterrupt:
            again = shlex.join(["puzzle-envs", "train", "--resume", str(self.folder)])
            self._say(f"Interrupted in pass {len(self.bootstrap.passes) + 1}. Resume with: {again}")
            raise
        if not (self.folder / MODEL).exists():
            self._write()
        return self.folder / MODEL

    def _pass(self) -> None:
        """Go through the training levels once."""
        began, bootstrap = time.process_time(), self.bootstrap
        is_taught = self.config.teacher is not None and not bootstrap.passes
        if is_taught:
            detail, steps = f"solutions of {self.config.teacher}", self._lessons()
        else:
            detail = f"pass {len(bootstrap.passes) + 1}, {bootstrap.budget:,} expansions"
            steps = bootstrap.steps()
        total = len(bootstrap.open_ones)
        with ProgressBar() as bar:
            for done in steps:
                bar.show("levels", done, total, detail)
        self._seconds += time.process_time() - began

    def _lessons(self) -> Iterator[int]:
        config = self.config
        assert config.teacher is not None
        teacher = Teacher.of(
            config.teacher, config.env, config.options, expansions=config.patience, seed=config.seed
        )
        return self.bootstrap.lessons(teacher, self._levels)

    def _measure(self) -> None:
        """Search the validation levels, and write everything."""
        bootstrap = self.bootstrap
        last = bootstrap.passes[-1]
        found = [
            sought(one, bootstrap.model, bootstrap.settings, last.budget) for one in self._sought_in
        ]
        solved = [one for one in found if one.path is not None]
        point = Point(
            self._expanded, 0, last.solved / max(last.levels, 1), len(solved) / len(found),
            over_optimum(self._validation, found),
            float(np.mean([one.expanded for one in solved])) if solved else 0.0,
            last.budget, round(self._seconds, 3),
        )  # fmt: skip
        self.curve.append(point)
        self._write()
        self._say(
            f"{self._called}: {last.solved:,} of "
            f"{last.levels:,} levels solved, {point.validation:.0%} of "
            f"{len(found):,} validation levels, in {point.expanded:,.0f} expansions on average."
        )

    @property
    def _called(self) -> str:
        """The last pass by its name."""
        count = len(self.bootstrap.passes)
        if self.config.teacher is not None and count == 1:
            return f"Solutions of {self.config.teacher}"
        return f"Pass {count}, {self.bootstrap.passes[-1].budget:,} expansions"

    def _write(self) -> None:
        """Write the model, the curve and, last, their checkpoint."""
        config, bootstrap = self.config, self.bootstrap
        training = {
            "command": self._command,
            "seed": config.seed,
            "steps": self._expanded,
            "seconds": round(self._seconds, 1),
            "validation": self.curve[-1].validation if self.curve else None,
        }
        if config.teacher is not None and bootstrap.passes:
            first = bootstrap.passes[0]
            training["teacher"] = {
                "agent": config.teacher,
                "solved": first.solved,
                "failed": first.levels - first.solved,
                "expanded": first.expanded,
            }
        card = Card(
            config.algorithm, config.env, dict(config.options), list(config.tilings), config.bits,
            1.0, training, config.heuristic,
        )  # fmt: skip
        save_model(self.folder / MODEL, card, bootstrap.table)
        write_curve(self.folder, self.curve, "expansions")
        state = {
            "budget": bootstrap.budget,
            "seconds": self._seconds,
            "passes": [one._asdict() for one in bootstrap.passes],
            "taught": bootstrap.taught,
            "curve": [one._asdict() for one in self.curve],
        }
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as parts:
            parts.writestr(STATE, json.dumps(state))
            parts.writestr(TABLE, bootstrap.table.tobytes())
            parts.writestr(SUMS, bootstrap.sums.tobytes())
        write_whole(self.folder / CHECKPOINT, packed.getvalue())

    def _take_up(self) -> None:
        """Resume from the last checkpoint."""
        path, bootstrap = self.folder / CHECKPOINT, self.bootstrap
        try:
            archive = Archive(bytes_of_file(path, LARGEST), packed=False)
            state: Any = json_of(archive.read(STATE, LARGEST_STATE))
            check(state, table(KNOWN, needed=KNOWN))
            bootstrap.table = _numbers(archive, TABLE, self.config)
            bootstrap.sums = _numbers(archive, SUMS, self.config)
        except ValueError as error:
            raise ValueError(
                f"{path} is not a checkpoint of this run: {error} Without it the run starts over."
            ) from None
        if (bootstrap.sums < 0).any():
            raise ValueError(f"{path} is not a checkpoint of this run: {SUMS} has negative sums.")
        bootstrap.budget, self._seconds = state["budget"], float(state["seconds"])
        bootstrap.taught = state["taught"]
        bootstrap.passes = [Pass(**one) for one in state["passes"]]
        self.curve = [Point(**one) for one in state["curve"]]


def over_optimum(levels: list[Level], found: list[Sought]) -> float:
    """The mean of moves relative to the optimum, of the levels solved whose optimum is known."""
    shares = [
        one.cost / level.optimum
        for level, one in zip(levels, found, strict=True)
        if one.path is not None and level.optimum
    ]
    return float(np.mean(shares)) if shares else 0.0


def _empty(config: Config) -> Table:
    return np.zeros(1 << config.bits, np.float32)


def _numbers(archive: Archive, name: str, config: Config) -> Table:
    """A table of a checkpoint, of the size that the configuration says."""
    size = 4 << config.bits
    data = archive.read(name, size)
    if len(data) != size:
        raise ValueError(f"'{name}' has {len(data):,} bytes, and {config.bits} bits make {size:,}.")
    numbers = np.frombuffer(data, np.float32).copy()
    if not np.isfinite(numbers).all():
        raise ValueError(f"'{name}' has entries that are no numbers.")
    return numbers
