"""Learning curves, as tables and plots."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from puzzle_envs.common.files import whole_file, write_whole


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
    """The same of the sets that decide when the next stage begins."""
    over_optimum: float
    """Their moves relative to the optimum."""
    seconds: float
    """Seconds so far."""


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
    axes.legend(loc="lower right")
    with whole_file(folder / "curve.png") as file:
        figure.savefig(file, format="png", dpi=120)
