"""`puzzle-envs train`: reinforcement learning, going on with a run, and sweeps of runs."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzle_agents.cli.engine import Engine, EngineName, Jobs, check_engine

if TYPE_CHECKING:
    from puzzle_agents.learning.config import Config

__all__ = ["EXAMPLES", "NAME", "run"]

NAME = "train"

EXAMPLES = (
    "puzzle-envs train zen-garden-5x5 --output runs/gardens",
    "puzzle-envs train Kwirk-v0 --levels train/1-3 "
    "--levels train/1-3+train/4-6 --validation validation/1-3",
    "puzzle-envs train --resume runs/gardens",
    "puzzle-envs train kwirk --seeds 0,1,2 --set n_steps=32,64 --output runs/kwirk-steps",
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
        typer.Option(help="maskable-ppo, ppo, a2c or dqn.", show_default="maskable-ppo"),
    ] = None,
    levels: Annotated[
        list[str] | None,
        typer.Option(
            help="What to draw levels from: a set such as train/5x5, or '5000 new 5x5' from the "
            "generator, or several with + between. Several times: a curriculum, easiest first.",
        ),
    ] = None,
    validation: Annotated[
        list[str] | None, typer.Option(help="A set on which to measure. Several times: all.")
    ] = None,
    steps: Annotated[
        int | None, typer.Option(min=1, max=10**12, help="Actions to train for.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**32 - 1, help="What chance depends on.")
    ] = None,
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
            "longest, reward, threshold, envs, half or evaluate_every. Several times: all of it.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="The run's folder, a new one; or a sweep's, which has a folder for each run.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Go on with this run where its last checkpoint was."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Threads of the network.")] = 1,
    jobs: Jobs = None,
    engine: Engine = None,
) -> int:
    """Train a policy with Stable-Baselines3, or several that differ in seeds and settings.

    The run's folder holds the model, the configuration, the learning curve (CSV and PNG) and the
    checkpoint from which --resume goes on after any interruption. Ctrl-C and SIGTERM save a
    checkpoint first.

    With --seeds or --set it is a sweep: runs side by side, whose means over the seeds are printed
    and whose results are in FOLDER/runs.csv. The same command goes on where it was stopped. Exit
    code 1: a run could not be trained.
    """
    from puzzle_agents.learning import training  # says so where the extra is missing

    command = " ".join(["puzzle-envs", *sys.argv[1:]])
    changes: dict[str, Any] = {
        "algorithm": algo, "steps": steps, "seed": seed,
        "stages": levels and tuple(levels), "validation": validation and tuple(validation),
    }  # fmt: skip
    given = {key: value for key, value in changes.items() if value is not None and value != ()}
    if resume is not None:
        if what or given or output is not None or seeds or settings or jobs or engine:
            raise ValueError(
                "--resume goes on with a run as it is: leave out what to train, and all options "
                "but --threads."
            )
        model = training.resume(resume, command, threads=threads, say=_say)
    elif seeds is not None or settings:
        if seed is not None and seeds is not None:
            raise ValueError("--seeds says all seeds of a sweep: leave out --seed.")
        config = _config(what, given)
        folder = output or Path("runs") / f"{what}-{config.algorithm}-sweep"
        return _sweep(
            config, seeds, settings or [], folder, command, threads, jobs,
            engine or EngineName.LOCAL,
        )  # fmt: skip
    elif jobs is not None or engine is not None:
        raise ValueError("--jobs and --engine are for sweeps: give --seeds or --set, too.")
    else:
        config = _config(what, given)
        folder = output or Path("runs") / f"{what}-{config.algorithm}-{config.seed}"
        model = training.train(config, folder, command, threads=threads, say=_say)
    typer.echo(f"The model is {model}")
    return 0


def _sweep(
    config: Config,
    seeds: str | None,
    settings: list[str],
    folder: Path,
    command: str,
    threads: int,
    jobs: int | None,
    engine: EngineName,
) -> int:
    """Train all runs of a sweep, and say what came of them."""
    from puzzle_agents.cli.output import folder_for
    from puzzle_agents.engines import ENGINES
    from puzzle_agents.learning.sweep import runs_of, seeds_of, settings_of, sweep
    from puzzle_agents.learning.sweep_table import runs_csv, summary
    from puzzle_agents.machine import cores
    from puzzle_agents.terminal import show
    from puzzle_envs.common.files import write_whole

    check_engine(engine)
    of_each = [config.seed] if seeds is None else seeds_of(seeds)
    runs = runs_of(config, of_each, settings_of(settings), folder)
    with folder_for(folder):
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
    """The preset or the environment, with what was given."""
    from puzzle_agents.environments import puzzle_of
    from puzzle_agents.learning.card import ALGORITHM_NAMES
    from puzzle_agents.learning.config import Config
    from puzzle_agents.learning.presets import PRESETS

    algorithm = given.get("algorithm", ALGORITHM_NAMES[0])
    if algorithm not in ALGORITHM_NAMES:
        raise ValueError(
            f"There is no algorithm '{algorithm}'; there are {', '.join(ALGORITHM_NAMES)}."
        )
    if what in PRESETS:
        config = replace(PRESETS[what], **given)
        if algorithm != PRESETS[what].algorithm:  # the preset's arguments are for that one
            from puzzle_agents.learning.algorithms import suited

            config = replace(config, arguments=suited(algorithm, config.arguments))
        return config
    if not what:
        raise ValueError(f"Name an environment, or a preset: {', '.join(PRESETS)}.")
    try:
        puzzle_of(what)
    except ValueError as error:
        raise ValueError(f"{error} Presets are {', '.join(PRESETS)}.") from None
    if "stages" not in given or "validation" not in given:
        raise ValueError(f"Give --levels and --validation for {what}, or take a preset.")
    return Config(env=what, **given)
