"""Results of a sweep: a row per run, and means over the seeds per setting."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from statistics import fmean

from puzzle_agents.learning.card_file import MODEL, read_card
from puzzle_agents.learning.sweep import SweepRun, shown
from puzzle_agents.statistics import bootstrap, mean
from puzzle_agents.table import Table, columns


def runs_csv(runs: Sequence[SweepRun], faults: Mapping[str, str]) -> str:
    """A row per run: its settings, its seed, and the results in its model's card."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    settings = list(runs[0].settings)
    rows.writerow(["run", *settings, "seed", "steps", "validation", "seconds", "fault"])
    for run in runs:
        training = {} if run.name in faults else read_card(run.folder / MODEL).training
        own = [shown(value) for value in run.settings.values()]
        found = [training.get(key, "") for key in ("steps", "validation", "seconds")]
        rows.writerow([run.name, *own, run.config.seed, *found, faults.get(run.name, "")])
    return file.getvalue()


def summary(runs: Sequence[SweepRun], faults: Mapping[str, str]) -> Table:
    """A line per setting: the mean over its seeds, with an interval."""
    settings: dict[tuple[str, ...], list[SweepRun]] = {}
    for run in runs:
        settings.setdefault(tuple(map(shown, run.settings.values())), []).append(run)
    keys = list(runs[0].settings)
    heads = columns([*keys, "seeds", "solved, %", "95 %", "minutes"], names=len(keys))
    table = Table("Validation levels solved by one episode, means over seeds", heads)
    for own, group in settings.items():
        table.add(*own, *_figures(group, faults))
    return table


def _figures(group: Sequence[SweepRun], faults: Mapping[str, str]) -> list[str]:
    """The figures of a setting; the interval is a bootstrap over at least two seeds."""
    cards = [read_card(run.folder / MODEL).training for run in group if run.name not in faults]
    shares = [100 * float(card.get("validation") or 0) for card in cards]
    minutes = [float(card.get("seconds", 0)) / 60 for card in cards]
    average = interval = time = "–"
    if cards:
        average, time = f"{fmean(shares):.1f}", f"{fmean(minutes):.1f}"
    if len(cards) > 1:
        low, high = bootstrap([shares], mean)
        interval = f"{low:.1f}–{high:.1f}"
    return [str(len(cards)), average, interval, time]
