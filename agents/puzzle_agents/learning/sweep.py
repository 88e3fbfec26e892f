"""Sweeps: training runs with different seeds and settings, each in its own folder."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from puzzle_agents.engines.job import Engine
from puzzle_agents.learning.card_file import MODEL, read_card
from puzzle_agents.learning.config import Config, read_config, write_config
from puzzle_agents.learning.training import CONFIG, WHO
from puzzle_agents.learning.training_job import CHECKPOINT, TrainingJob
from puzzle_agents.lock import held
from puzzle_agents.reading import json_of
from puzzle_envs.common.files import write_whole
from puzzle_envs.common.suggestion import did_you_mean

MOST_RUNS = 1000
LARGEST_SEED = 2**32 - 1
WORD = re.compile(r"[A-Za-z][\w.-]{0,60}")
FIELDS = tuple(
    one.name
    for one in fields(Config)
    if isinstance(one.default, int | float | str | None) and one.name not in ("algorithm", "seed")
)
"""Settings other than arguments of the algorithm."""


@dataclass(frozen=True)
class SweepRun:
    """One run of a sweep."""

    folder: Path
    config: Config
    settings: Mapping[str, Any]
    """The settings varied in the sweep, except the seed."""

    @property
    def name(self) -> str:
        """Its name within the sweep."""
        return self.folder.name

    @property
    def is_over(self) -> bool:
        """Whether its model, the last of its files, is written."""
        if not (self.folder / MODEL).exists():
            return False
        return int(read_card(self.folder / MODEL).training.get("steps", 0)) >= self.config.steps


def seeds_of(text: str) -> list[int]:
    """Parse seeds: 0,1,2."""
    seeds = []
    for part in text.split(","):
        if not re.fullmatch(r"[0-9]{1,10}", part.strip()) or int(part) > LARGEST_SEED:
            raise ValueError(
                f"Seeds are whole numbers from 0 to {LARGEST_SEED}, such as 0,1,2, not "
                f"'{part:.20}'."
            )
        seeds.append(int(part))
    return _distinct("seed", seeds)


def settings_of(pairs: Iterable[str]) -> dict[str, list[Any]]:
    """Parse the values of settings: n_steps=32,64."""
    settings: dict[str, list[Any]] = {}
    for pair in pairs:
        key, _, text = pair.partition("=")
        key = key.strip().replace("-", "_")
        if not key or not text:
            raise ValueError(f"'{pair:.60}' sets nothing; write key=value or key=value,value.")
        if key in settings:
            raise ValueError(f"'{key:.60}' is set twice; give all its values at once.")
        settings[key] = _distinct(key, [_value(key, part.strip()) for part in text.split(",")])
    return settings


def _value(key: str, text: str) -> Any:
    """Parse a number, a truth value, none or a word."""
    if text == "none":
        return None
    try:
        value = json_of(text.encode())
    except ValueError:
        value = text
    if isinstance(value, bool | int | float) or (value == text and WORD.fullmatch(text)):
        return value
    raise ValueError(f"'{key:.60}' cannot be set to '{text:.60}'.")


def _distinct(key: str, values: list[Any]) -> list[Any]:
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"The {key:.60} {value} is given twice.")
    return values


def runs_of(
    base: Config, seeds: Sequence[int], settings: Mapping[str, Sequence[Any]], folder: Path
) -> list[SweepRun]:
    """All runs of a sweep, checked: every combination of settings with every seed.

    Args:
        base: The configuration to vary.
        seeds: Random seeds of each combination.
        settings: Values of the configuration's fields and of the algorithm's arguments.
        folder: Folder for the runs' folders.
    """
    from puzzle_agents.learning.algorithms import check

    count = len(seeds)
    for values in settings.values():
        count *= len(values)
    if count > MOST_RUNS:
        raise ValueError(f"These are {count:,} runs; a sweep has at most {MOST_RUNS:,}.")
    _check_keys(base, settings)
    runs = []
    for chosen in itertools.product(*settings.values()):
        own = dict(zip(settings, chosen, strict=True))
        of_config = {key: value for key, value in own.items() if key in FIELDS}
        arguments = {key: value for key, value in own.items() if key not in FIELDS}
        config = replace(base, arguments={**base.arguments, **arguments}, **of_config)
        config.check()
        check(config.algorithm, config.arguments)
        for seed in seeds:
            name = ",".join(f"{key}={shown(value)}" for key, value in {**own, "seed": seed}.items())
            run = SweepRun(folder / name, replace(config, seed=seed), own)
            check_is_this_one(run)
            runs.append(run)
    return runs


def shown(value: Any) -> str:
    """A value as on the command line."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _check_keys(base: Config, settings: Iterable[str]) -> None:
    """Reject unknown settings, with suggestions."""
    from puzzle_agents.learning.algorithms import arguments_of

    known = [*FIELDS, *arguments_of(base.algorithm)]
    for key in settings:
        if key not in known:
            raise ValueError(
                f"There is no setting '{key:.60}'.{did_you_mean(key, known)} Settings of the run: "
                f"{', '.join(FIELDS)}; all others are arguments of {base.algorithm}."
            )


def check_is_this_one(run: SweepRun) -> None:
    """Reject a folder that holds another run."""
    config = run.folder / CONFIG
    if config.exists() and read_config(config) != run.config:
        raise ValueError(
            f"{run.folder} holds a run of another configuration; name another folder with --output."
        )


def sweep(
    runs: Sequence[SweepRun],
    folder: Path,
    engine: Engine,
    places: int,
    command: str = "",
    *,
    threads: int = 1,
    say: Callable[[str], None],
) -> dict[str, str]:
    """Run the incomplete runs, each from its last checkpoint; return which failed and why.

    Args:
        runs: All runs of the sweep.
        folder: The sweep's folder, which exists.
        engine: The engine to run them.
        places: Number of parallel runs.
        command: The command line, for the models' cards.
        threads: Threads of each network.
        say: Receives status messages.
    """
    faults: dict[str, str] = {}
    with ExitStack() as kept:
        kept.enter_context(held(folder, "sweep"))
        left = {run.name: run for run in runs if not run.is_over}
        for run in left.values():
            run.folder.mkdir(exist_ok=True)
            kept.enter_context(held(run.folder, WHO))
        jobs = [_job(run, command, threads) for run in left.values()]
        over = len(runs) - len(jobs)
        say(f"{over} of {len(runs)} runs are done.")
        for moment in kept.enter_context(closing(engine(jobs, places))):
            _write(left[moment.run].folder, moment.files)
            if moment.said:
                say(f"{moment.run}: {moment.said}")
            if moment.fault is not None:
                faults[moment.run] = moment.fault
            if moment.over:
                over += 1
                say(f"{over} of {len(runs)} runs are done.")
    return faults


def _job(run: SweepRun, command: str, threads: int) -> TrainingJob:
    """The rest of a run, whose folder exists."""
    config, checkpoint = run.folder / CONFIG, run.folder / CHECKPOINT
    if not config.exists():
        write_config(config, run.config)
    data = checkpoint.read_bytes() if checkpoint.exists() else None
    package = run.config.puzzle.package
    return TrainingJob(run.name, run.config, command, threads, package, data)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a run's folder, the model last: it exists only if the run is complete."""
    for name in sorted(files, key=lambda name: name == MODEL):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, files[name])
