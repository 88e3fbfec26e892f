"""Learning curves, as tables and plots."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from puzzle_agents.statistics import Numbers
from puzzle_envs.common.files import whole_file, write_whole

CURVE = "curve.png"
"""The picture of a run's learning curve, in its folder."""


class Point(NamedTuple):
    """A point of the learning curve."""

    steps: int
    """Actions so far."""
    stage: int
    """Stage of the curriculum, from 0."""
    training: float
    """Share of recent training episodes solved."""
    validation: float
    """Share of validation levels solved by one sampled episode each."""
    climbed: float
    """That share for the sets that decide when the next stage begins."""
    over_optimum: float
    """Their moves relative to the optimum."""
    seconds: float
    """Seconds so far."""


class Band(NamedTuple):
    """The curves of several runs: their middle, and an interval at each point."""

    steps: Numbers
    middle: Numbers
    interval: Numbers
    """(points, 2)."""


def steps_and_shares(folder: Path) -> tuple[Numbers, Numbers]:
    """The steps and the validation shares of a run's curve."""
    with (folder / "curve.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    steps = np.array([float(row["steps"]) for row in rows])
    return steps, np.array([float(row["validation"]) for row in rows])


def plot_bands(path: Path, bands: Mapping[str, Band]) -> None:
    """Draw curves with bands as a PNG; nothing without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for name, band in bands.items():
        (line,) = axes.plot(band.steps, 100 * band.middle, label=name)
        low, high = 100 * band.interval.T
        axes.fill_between(band.steps, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set(xlabel="actions", ylabel="validation levels solved in one episode, %", ylim=(0, 100))
    axes.legend(loc="best")
    with whole_file(path) as file:
        figure.savefig(file, format="png", dpi=120)


def write_curve(folder: Path, points: Sequence[Any], axis: str = "actions") -> None:
    """Write curve.csv, and curve.png if matplotlib is installed.

    Args:
        folder: The folder of the run.
        points: Tuples with the names of Point, or more.
        axis: What the steps are.
    """
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(points[0]._fields if points else Point._fields)
    rows.writerows(points)
    write_whole(folder / "curve.csv", table.getvalue().encode())
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    steps = [point.steps for point in points]
    axes.plot(steps, [100 * point.training for point in points], label="training")
    axes.plot(steps, [100 * point.validation for point in points], label="validation")
    for before, point in itertools.pairwise(points):
        if point.stage != before.stage:
            axes.axvline(before.steps, color="0.7", linestyle=":")
    axes.set(xlabel=axis, ylabel="solved, %", ylim=(0, 100))
    axes.legend(loc="best")
    with whole_file(folder / CURVE) as file:
        figure.savefig(file, format="png", dpi=120)
