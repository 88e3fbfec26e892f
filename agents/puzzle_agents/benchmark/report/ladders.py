"""Plots of the ladders: for each puzzle, what share of each tier's levels an agent decides."""

from __future__ import annotations

from collections import defaultdict
from math import nan
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from puzzle_agents.benchmark.report.drawing import (
    COLOURS_OF,
    Plot,
    drawn,
    file_name,
    literal,
    looks_of,
)
from puzzle_agents.benchmark.report.results import LevelKey, Results, decides

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 8.4, 4.0
"""Of a plot, in inches."""


class Ladder(NamedTuple):
    """The tiers of a puzzle in a benchmark, and the coverage of each by each agent."""

    levels: dict[str, list[LevelKey]]
    """By tier, in order."""
    coverage: dict[str, dict[str, float]]
    """By agent and tier."""

    @property
    def tiers(self) -> list[str]:
        """The names of the tiers."""
        return list(self.levels)


def tier_of(name: str) -> str:
    """The tier of a level, by the level's name."""
    return name.rpartition("/")[0]


def ladder_of(results: Results, id: str) -> Ladder:
    """The tiers in the order of the puzzle's generator; sets that it does not draw come last."""
    found: dict[str, list[LevelKey]] = defaultdict(list)
    for key in results.levels(id):
        found[tier_of(results.names[key])].append(key)
    bins = _bins(results, id)

    def rank(name: str) -> int:
        bin = name.partition("/")[2]
        return bins.index(bin) if bin in bins else len(bins)

    ordered = {tier: found[tier] for tier in sorted(found, key=rank)}
    return Ladder(ordered, coverage_by_tier(results, id))


def coverage_by_tier(results: Results, id: str) -> dict[str, dict[str, float]]:
    """The share of each set's levels that each agent decides; seeds count with their mean."""
    coverage: dict[str, dict[str, float]] = {}
    for agent in results.agents(id):
        shares: dict[str, list[float]] = defaultdict(list)
        for key, rows in results.runs(id, agent).items():
            shares[tier_of(results.names[key])].append(fmean(map(decides, rows)))
        coverage[agent] = {name: fmean(found) for name, found in shares.items()}
    return coverage


def _bins(results: Results, id: str) -> list[str]:
    """The bins of the puzzle's generator; none if its package is not imported."""
    from puzzle_agents.environments import check_imported, puzzle_of
    from puzzle_envs.generation import bins_of

    name = next(key.puzzle for key in results.levels(id)).partition(" ")[0]
    try:
        check_imported(name)
    except ValueError:
        return []
    return bins_of(puzzle_of(name))


def draw_ladders(results: Results, theme: str = "light") -> list[Plot]:
    """A plot for each puzzle with several tiers."""
    colours = COLOURS_OF[theme]
    return drawn(
        (
            (f"coverage-{file_name(id)}", f"Coverage by tier: {id}", _figure(results, id, colours))
            for id in results.puzzles
            if len(ladder_of(results, id).tiers) > 1
        ),
        theme,
    )


def _figure(results: Results, id: str, colours: tuple[str, ...]) -> Figure:
    from matplotlib.figure import Figure

    ladder, looks = ladder_of(results, id), looks_of(results, colours)
    figure = Figure(figsize=(WIDTH, HEIGHT))
    axes = figure.add_axes((0.08, 0.27, 0.67, 0.65))
    for agent, shares in ladder.coverage.items():
        ys = [100 * shares.get(tier, nan) for tier in ladder.tiers]  # no line across a gap
        look = looks[agent] | {"markersize": 4, "alpha": 0.85, "label": literal(agent)}
        axes.plot(range(len(ys)), ys, **look)
    names = [tier.rpartition("/")[2] for tier in ladder.tiers]
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set(ylim=(-3, 103), ylabel="levels decided, %", title=literal(id))
    figure.legend(loc="center right", handlelength=3, fontsize=8)
    return figure
