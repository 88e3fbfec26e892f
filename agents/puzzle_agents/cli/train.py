"""`puzzle-envs train`: train a policy, resume a run, or run a sweep."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzle_agents.cli.arguments import folder_option
from puzzle_agents.cli.engine import Engine, EngineName, Jobs, check_engine

if TYPE_CHECKING:
    from puzzle_agents.learning.config import Config
    from puzzle_agents.learning.sweep import SweepRun

__all__ = ["EXAMPLES", "NAME", "run"]

NAME = "train"
SEARCHES = ("phs", "levin")
"""The algorithms of learned search; all others are of Stable-Baselines3."""

EXAMPLES = (
    "puzzle-envs train zen-garden-5x5 --output runs/gardens",
    "puzzle-envs train Kwirk-v0 --levels train/1-3 "
    "--levels train/1-3+train/4-6 --validation validation/1-3",
    "puzzle-envs train --resume runs/gardens",
    "puzzle-envs train kwirk --seeds 0,1,2 --set n_steps=32,64 --output runs/kwirk-steps",
    "puzzle-envs train zen-garden-4x4 --teacher astar --output runs/taught",
    "puzzle-envs train ZenGarden-v0 --start zen-garden-6x6 --levels '400 fresh 8x8' "
    "--validation validation/8x8",
    "puzzle-envs train hua-rong-dao --algo phs --output runs/boxes",
)


def run(
    what: Annotated[
        str,
        typer.Argument(
            metavar="ENV",
            help="An id such as ZenGarden-v0, or a preset such as zen-garden-5x5.",
            show_default=False,
        ),
    ] = "",
    algo: Annotated[
        str | None,
        typer.Option(
            help="maskable-ppo, ppo, a2c, dqn or dagger; or phs or levin, for learned search.",
            show_default="maskable-ppo",
        ),
    ] = None,
    levels: Annotated[
        list[str] | None,
        typer.Option(
            help="Training levels: a set such as train/5x5, '5000 new 5x5' from the generator, or "
            "several joined by +. Repeatable: a curriculum, easiest first.",
        ),
    ] = None,
    validation: Annotated[
        list[str] | None, typer.Option(help="A set for validation. Repeatable.")
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(min=1, max=10**12, help="Number of actions, or expansions, to train for."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**32 - 1, help="Random seed.")] = None,
    seeds: Annotated[
        str | None,
        typer.Option(metavar="0,1,2", help="A sweep: a run with each of these seeds."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE,...",
            help="A sweep: runs with each value of an argument of the algorithm, or of steps, "
            "longest, reward, threshold, patience, envs, half, evaluate_every, teacher, "
            "demonstrated or start. Repeatable; all combined.",
        ),
    ] = None,
    teacher: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="Learn first from the solutions of this agent, such as astar (behaviour "
            "cloning); with --algo dagger throughout, from the states that the policy reaches.",
        ),
    ] = None,
    demonstrated: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10**12,
            help="Number of the teacher's actions to learn from; they count as steps.",
            show_default="100000",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Begin with the weights of this model: a run's folder, a file, or the name of a "
            "pretrained model with a network like that of this run.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        folder_option("A new folder for the run, or for a sweep with a folder per run."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Resume this run from its last checkpoint."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Threads used by PyTorch.")] = 1,
    jobs: Jobs = None,
    engine: Engine = None,
) -> int:
    """Train a policy with Stable-Baselines3, or several that differ in seeds and settings.

    With --algo phs or levin, train the policy of a learned search by bootstrapping: it takes
    about a minute, and needs no PyTorch.

    The run's folder holds the model, the configuration, the learning curve (CSV and PNG) and the
    checkpoint from which --resume continues after any interruption. Ctrl-C and SIGTERM save a
    checkpoint first.

    With --seeds or --set it is a sweep of parallel runs: it prints means over the seeds and writes
    FOLDER/runs.csv. If interrupted, the same command resumes. Exit code 1: a run could not be
    trained.
    """
    command = " ".join(["puzzle-envs", *sys.argv[1:]])
    changes: dict[str, Any] = {
        "algorithm": algo, "steps": steps, "seed": seed,
        "stages": levels and tuple(levels), "validation": validation and tuple(validation),
        "teacher": teacher, "demonstrated": demonstrated, "start": start,
    }  # fmt: skip
    given = {key: value for key, value in changes.items() if value is not None and value != ()}
    if resume is not None:
        if what or given or output is not None or seeds or settings or jobs or engine:
            raise ValueError(
                "--resume continues a run unchanged; leave out ENV and all options but --threads."
            )
        model = _resumed(resume, command, threads)
    elif demonstrated is not None and teacher is None:
        raise ValueError("--demonstrated needs --teacher.")
    elif algo in SEARCHES:
        if start is not None:
            raise ValueError(f"{algo} begins with no model; leave out --start.")
        if demonstrated is not None:
            raise ValueError(
                f"{algo} learns from the teacher's solutions of all levels; leave out "
                "--demonstrated."
            )
        if seeds is not None or settings or jobs or engine:
            raise ValueError(
                f"Sweeps are for policies; train {algo} once for each seed, with --seed."
            )
        _check_threads(threads, algo)
        model = _bootstrapped(what, given, output, command)
    elif seeds is not None or settings:
        check_engine(engine)
        runs = _runs(what, given, seeds, settings or [], output)
        return _train_all(runs, command, threads, jobs, engine or EngineName.LOCAL)
    elif jobs is not None or engine is not None:
        raise ValueError("--jobs and --engine need a sweep; also give --seeds or --set.")
    else:
        from puzzle_agents.learning import training

        config = _config(what, given)
        folder = output or Path("runs") / f"{what}-{config.algorithm}-{config.seed}"
        model = training.train(config, folder, command, threads=threads, say=_say)
    typer.echo(f"Model: {model}")
    return 0


def _resumed(folder: Path, command: str, threads: int) -> Path:
    """The model of a run that is resumed, a policy's or a learned search's."""
    from puzzle_agents.learning import training
    from puzzle_agents.learning.config import parsed
    from puzzle_agents.search.learned import run

    with parsed(folder / training.CONFIG) as data:
        algorithm = data.get("algorithm") if isinstance(data, dict) else None
    if algorithm in SEARCHES:
        _check_threads(threads, algorithm)
        return run.resume(folder, command, _say)
    return training.resume(folder, command, threads=threads, say=_say)


def _check_threads(threads: int, algorithm: str) -> None:
    if threads != 1:
        raise ValueError(f"{algorithm} learns on one core; leave out --threads.")


def _bootstrapped(what: str, given: dict[str, Any], output: Path | None, command: str) -> Path:
    """The model of a new run of a learned search."""
    from puzzle_agents.search.learned.config import Config
    from puzzle_agents.search.learned.presets import PRESETS
    from puzzle_agents.search.learned.run import train

    given = {"levels" if key == "stages" else key: value for key, value in given.items()}
    algorithm = given["algorithm"]
    if what in PRESETS:
        config = replace(PRESETS[what], **given)
    else:
        _check_environment(what, PRESETS)
        if "levels" not in given or "validation" not in given:
            raise ValueError(f"Give --levels and --validation for {what}, or use a preset.")
        config = Config(env=what, **given)
    folder = output or Path("runs") / f"{what}-{algorithm}-{config.seed}"
    return train(config, folder, command, _say)


def _check_environment(what: str, presets: Iterable[str]) -> None:
    """Reject names that are neither an environment nor a preset."""
    from puzzle_agents.environments import puzzle_of

    if not what:
        raise ValueError(f"Give an environment or a preset: {', '.join(presets)}.")
    try:
        puzzle_of(what)
    except ValueError as error:
        raise ValueError(f"{error} Presets: {', '.join(presets)}.") from None


def _runs(
    what: str, given: dict[str, Any], seeds: str | None, settings: list[str], output: Path | None
) -> list[SweepRun]:
    """The runs of a sweep, all checked."""
    from puzzle_agents.learning.sweep import runs_of, seeds_of, settings_of

    values = settings_of(settings)
    if seeds is not None and "seed" in given:
        raise ValueError("--seeds gives all seeds of a sweep; leave out --seed.")
    if "steps" in values and "steps" in given:
        raise ValueError("--set gives the number of steps; leave out --steps.")
    config = _config(what, given)
    folder = output or Path("runs") / f"{what}-{config.algorithm}-sweep"
    return runs_of(config, [config.seed] if seeds is None else seeds_of(seeds), values, folder)


def _train_all(
    runs: list[SweepRun], command: str, threads: int, jobs: int | None, engine: EngineName
) -> int:
    """Train all runs of a sweep, and print the results."""
    from puzzle_agents.cli.output import folder_for
    from puzzle_agents.engines import ENGINES
    from puzzle_agents.learning.sweep import sweep
    from puzzle_agents.learning.sweep_table import runs_csv, summary
    from puzzle_agents.machine import cores
    from puzzle_agents.terminal import show
    from puzzle_envs.common.files import write_whole

    with folder_for(runs[0].folder.parent) as folder:
        places = jobs or max(1, cores() // threads)
        faults = sweep(runs, folder, ENGINES[engine], places, command, threads=threads, say=_say)
        write_whole(folder / "runs.csv", runs_csv(runs, faults).encode())
    show(summary(runs, faults))
    typer.echo(f"Written: {folder / 'runs.csv'}")
    for name, fault in faults.items():
        _say(f"{name} could not be trained: {fault}")
    return 1 if faults else 0


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _config(what: str, given: dict[str, Any]) -> Config:
    """The configuration of a preset or an environment, with the options given."""
    from puzzle_agents.learning.card import ALGORITHM_NAMES
    from puzzle_agents.learning.config import DAGGER, Config
    from puzzle_agents.learning.presets import PRESETS

    algorithm = given.get("algorithm")
    if algorithm not in (None, *ALGORITHM_NAMES):
        raise ValueError(
            f"There is no algorithm '{algorithm}'; choose from "
            f"{', '.join([*ALGORITHM_NAMES, *SEARCHES])}."
        )
    if what in PRESETS:
        preset = PRESETS[what]
        if algorithm not in (None, preset.algorithm):  # its arguments and teacher are for its own
            import puzzle_agents.learning.extra  # noqa: F401 (says what is missing)
            from puzzle_agents.learning.algorithms import suited

            preset = replace(preset, arguments=suited(algorithm, preset.arguments), teacher=None)
        config = replace(preset, **given)
    else:
        _check_environment(what, PRESETS)
        if "stages" not in given or "validation" not in given:
            raise ValueError(f"Give --levels and --validation for {what}, or use a preset.")
        config = Config(env=what, **_network_of(given.get("start")) | given)
    if config.algorithm == DAGGER and "demonstrated" in given:
        raise ValueError("dagger asks its teacher throughout; leave out --demonstrated.")
    return config


def _network_of(start: str | None) -> dict[str, Any]:
    """The settings that a run shares with the model that it begins with."""
    from puzzle_agents.learning.card_file import file_of, read_card

    if start is None:
        return {}
    card = read_card(file_of(start))
    return {"algorithm": card.algorithm, "trunk": card.trunk, "options": card.options}
