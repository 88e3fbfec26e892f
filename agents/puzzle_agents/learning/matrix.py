"""Algorithms compared: each trained on presets with several seeds and the same budget of actions.

    python -m puzzle_agents.learning.matrix runs/matrix --preset zen-garden-4x4 --preset kwirk \
        --steps 1000000 --seeds 0,1,2 --page docs/algorithms.md

trains the missing runs (the same command resumes after any interruption), evaluates the test split,
and writes a section of the page for each preset: learning curves with bands, the interquartile mean
over seeds and tiers, and the probability that one algorithm does better than another, with
bootstrap intervals (Agarwal et al. 2021). `--algo maskable-ppo+astar` starts from the solutions of
a teacher. `--no-train` only writes the section again.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import torch
import typer

from puzzle_agents.cli.output import folder_for
from puzzle_agents.engines import ENGINES
from puzzle_agents.learning.algorithms import check, suited
from puzzle_agents.learning.config import Config
from puzzle_agents.learning.curve import Band, plot_bands, steps_and_shares
from puzzle_agents.learning.generalisation import Tier, tier_of
from puzzle_agents.learning.model_file import load_model
from puzzle_agents.learning.presets import PRESETS
from puzzle_agents.learning.sweep import SweepRun, check_is_this_one, seeds_of, sweep
from puzzle_agents.learning.training import MODEL
from puzzle_agents.page import Part, command_of, update
from puzzle_agents.statistics import bootstrap, improvement, iqm, with_interval
from puzzle_agents.table import Table, columns

ALL = ("maskable-ppo", "ppo", "a2c", "dqn")
SAMPLES = 10
MEASUREMENTS = 10
"""Points of each learning curve."""
HEADING = """# Algorithms compared

Written by `python -m puzzle_agents.learning.matrix`.

Every run of a preset has the same budget of actions, and is measured on the validation split.
The figures below are of the test split, which is used for no decision. Bands and intervals are 95 %
bootstrap intervals over seeds (percentiles of 2,000 resamples, stratified by tier); IQM is the
interquartile mean over seeds and tiers, and the probability of improvement is that of a run of one
algorithm solving more of a tier than a run of the other, as in rliable.
"""


class Cell(NamedTuple):
    """The runs of an algorithm on a preset, one for each seed."""

    preset: str
    algorithm: str
    """With the teacher, if there is one: maskable-ppo+astar."""
    runs: Sequence[SweepRun]


def cells_of(
    presets: Sequence[str],
    algorithms: Sequence[str],
    seeds: Sequence[int],
    steps: int,
    folder: Path,
) -> list[Cell]:
    """All runs of a matrix, checked."""
    return [
        Cell(preset, name, [_run(preset, name, seed, steps, folder) for seed in seeds])
        for preset, name in itertools.product(presets, algorithms)
    ]


def _run(preset: str, name: str, seed: int, steps: int, folder: Path) -> SweepRun:
    config = _config(preset, name, steps)
    run = SweepRun(folder / f"{preset},{name},seed={seed}", replace(config, seed=seed), {})
    check_is_this_one(run)
    return run


def _config(preset: str, name: str, steps: int) -> Config:
    """A preset with another algorithm, whose own defaults hold where the preset's cannot."""
    if preset not in PRESETS:
        raise ValueError(f"There is no preset '{preset}'; choose from {', '.join(PRESETS)}.")
    algorithm, _, teacher = name.partition("+")
    base = PRESETS[preset]
    config = replace(
        base,
        algorithm=algorithm,
        arguments=suited(algorithm, base.arguments),
        steps=steps,
        evaluate_every=max(1, steps // MEASUREMENTS),
        teacher=teacher or None,
        demonstrated=max(1, steps // 10),
    )
    config.check()
    check(config.algorithm, config.arguments)
    return config


def sections_of(cells: Sequence[Cell], images: Path, command: str) -> dict[str, list[Part]]:
    """A section for each preset, whose pictures are written to a folder."""
    sections: dict[str, list[Part]] = {}
    images.mkdir(parents=True, exist_ok=True)
    for preset, group in itertools.groupby(cells, lambda cell: cell.preset):
        own = list(group)
        results = {cell.algorithm: _results(cell) for cell in own}
        name = f"algorithms-{preset}.png"
        plot_bands(images / name, {cell.algorithm: _band(cell) for cell in own})
        runs = own[0].runs
        seeds = ", ".join(str(run.config.seed) for run in runs)
        sections[preset] = [
            f"{command}: {runs[0].config.steps:,} actions, seeds {seeds}.",
            f"![Learning curves on {preset}]({images.name}/{name})",
            *(_solved(results, samples) for samples in (1, SAMPLES)),
            *([_improvements(results)] if len(own) > 1 else []),
        ]
    return sections


Results = Sequence[Sequence[Tier]]
"""For each test set the results of the runs."""


def _results(cell: Cell) -> Results:
    """The runs' results on the test sets that belong to the validation sets."""
    sets = [name.replace("validation/", "test/", 1) for name in cell.runs[0].config.validation]
    models = [load_model(run.folder / MODEL) for run in cell.runs]
    return [[tier_of(model, name, samples=SAMPLES) for model in models] for name in sets]


def _shares(results: Results, samples: int) -> list[list[float]]:
    """The share of each set that each run solves, in percent."""
    return [[100 * tier.sampled.rate(samples) for tier in tiers] for tiers in results]


def _solved(results: dict[str, Results], samples: int) -> Table:
    sets = [tiers[0].name for tiers in next(iter(results.values()))]
    heads = columns(["algorithm", *sets, "IQM", "95 %"])
    table = Table(f"Solved in {samples}, %: means over seeds", heads)
    for name, own in results.items():
        shares = _shares(own, samples)
        middle, low, high = with_interval(shares, iqm)
        means = [f"{np.mean(part):.1f}" for part in shares]
        table.add(name, *means, f"{middle:.1f}", f"{low:.1f} to {high:.1f}")
    return table


def _improvements(results: dict[str, Results]) -> Table:
    heads = columns(["", *(f"over {name}" for name in results)])
    table = Table(f"Probability of improvement, solved in {SAMPLES}", heads)
    shares = {name: _shares(own, SAMPLES) for name, own in results.items()}
    for name, own in shares.items():
        row = []
        for other, theirs in shares.items():
            value, low, high = improvement(own, theirs)
            row.append("" if other == name else f"{value:.2f} ({low:.2f} to {high:.2f})")
        table.add(name, *row)
    return table


def _band(cell: Cell) -> Band:
    """The interquartile mean of the validation curves, with its interval at each point."""
    curves = [steps_and_shares(run.folder) for run in cell.runs]
    steps = curves[0][0]
    shares = np.array([np.interp(steps, *curve) for curve in curves])
    intervals = [bootstrap([column.tolist()], iqm) for column in shares.T]
    return Band(steps, iqm(shares.T), np.array(intervals).reshape(-1, 2))


def main(
    folder: Annotated[Path, typer.Argument(help="Folder of the runs.")],
    preset: Annotated[list[str], typer.Option(help="Repeatable.")],
    steps: Annotated[int, typer.Option(min=1, help="Budget of actions of each run.")],
    algo: Annotated[
        list[str] | None, typer.Option(help="Repeatable.", show_default=", ".join(ALL))
    ] = None,
    seeds: Annotated[str, typer.Option(metavar="0,1,2")] = "0,1,2",
    page: Annotated[Path | None, typer.Option(help="Output page.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Parallel runs.")] = 1,
    train: Annotated[bool, typer.Option(help="Train what is not trained yet.")] = True,
) -> None:
    """Train the matrix and write the page."""
    torch.set_num_threads(1)
    command = command_of("puzzle_agents.learning.matrix", without=("--no-train",))
    cells = cells_of(preset, algo or ALL, seeds_of(seeds), steps, folder)
    faults: dict[str, str] = {}
    if train:
        runs = [run for cell in cells for run in cell.runs]
        with folder_for(folder):
            faults = sweep(runs, folder, ENGINES["local"], jobs, command.strip("`"), say=_say)
    for name, fault in faults.items():
        _say(f"{name} could not be trained: {fault}")
    whole = [cell for cell in cells if all(run.is_over for run in cell.runs)]
    if left := len(cells) - len(whole):
        _say(f"{left} of {len(cells)} cells are not trained to their end and are left out.")
    if page is not None and whole:
        update(page, HEADING, sections_of(whole, page.parent / "images", command))


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    typer.run(main)
