"""The plots of a report, drawn with matplotlib, reproducible from the rows."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Any

from puzzle_agents.benchmark.report.drawing import (
    COLOURS,
    COLOURS_OF,
    Plot,
    drawn,
    literal,
    looks_of,
)
from puzzle_agents.benchmark.report.panels import logarithmic, panels_of, whole_numbers
from puzzle_agents.benchmark.report.results import LevelKey, Results, holds
from puzzle_agents.benchmark.report.scores import (
    MEASURES,
    Measure,
    evaluations,
    first_cpu_seconds,
    first_transitions,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST = {"expanded": 1.0, "generated": 1.0, "CPU seconds": 1e-4}
"""Smaller values are drawn at the left edge of a plot."""
SCATTERED = ("search", "planner", "evolution", "learning")


def draw_plots(results: Results) -> list[Plot]:
    """All plots that have something to show."""
    return drawn(_Drawing(results).figures())


def draw_cactus(results: Results, theme: str = "light") -> list[Plot]:
    """The levels solved by transitions, and by CPU seconds."""
    return drawn(_Drawing(results, COLOURS_OF[theme]).cactus(), theme)


class _Drawing:
    def __init__(self, results: Results, colours: tuple[str, ...] = COLOURS) -> None:
        self.results = results
        self.looks = looks_of(results, colours)

    def cactus(self) -> Iterator[tuple[str, str, Figure]]:
        for function, least, name, unit in (
            (first_transitions, LEAST["generated"], "transitions", "transitions"),
            (first_cpu_seconds, LEAST["CPU seconds"], "cpu", "CPU seconds"),
        ):
            title = f"Levels solved, by {unit} until the first solution"
            yield f"cactus-{name}", title, self._cactus(function, least, unit)

    def figures(self) -> Iterator[tuple[str, str, Figure]]:
        yield from self.cactus()
        for measure, name, unit in (
            ("generated", "transitions", "transitions"),
            ("CPU seconds", "cpu", "CPU seconds"),
        ):
            title = f"Level by level: {unit} of the best agent of each kind"
            yield f"scatter-{name}", title, self._scatter(measure, unit)
        yield "difficulty", "Expansions by difficulty", self._difficulty()

    # --- cactus -------------------------------------------------------------------------------

    def _cactus(self, function: Measure, least: float, unit: str) -> Figure:
        agents = {puzzle: self._counting(puzzle, function) for puzzle in self.results.puzzles}
        shown = {agent for found in agents.values() for agent in found}
        figure, panels = panels_of(len(agents), self._shown(shown), markers=False)
        for axes, puzzle in zip(panels, agents, strict=True):
            curves = {
                agent: self._solved_within(puzzle, agent, function, least)
                for agent in agents[puzzle]
            }
            ends = [x for curve in curves.values() for x, _ in curve]
            right = 1.5 * max(10 * least, *ends, least)
            for agent, curve in curves.items():
                xs = [least, *(x for x, _ in curve), right]
                ys = [0.0, *(y for _, y in curve), curve[-1][1] if curve else 0.0]
                look = self.looks[agent] | {"marker": ""}
                axes.step(xs, ys, where="post", **look)
            logarithmic(axes, "x")
            axes.set(xlabel=unit, ylabel="levels solved", title=literal(puzzle))
            axes.set_ylim(0, 1.05 * len(self.results.levels(puzzle)))
            whole_numbers(axes.yaxis)
        return figure

    def _shown(self, agents: set[str]) -> dict[str, dict[str, Any]]:
        """The looks of these agents, in their order."""
        return {agent: look for agent, look in self.looks.items() if agent in agents}

    def _counting(self, puzzle: str, measure: Measure) -> list[str]:
        """The agents that count this measure."""
        return [
            agent
            for agent in self.results.agents(puzzle)
            if any(map(measure, self.results.rows_of(puzzle, agent)))
        ]

    def _solved_within(
        self, puzzle: str, agent: str, measure: Measure, least: float
    ) -> list[tuple[float, float]]:
        """Points of the curve; a run counts as a share of the level's runs."""
        steps = sorted(
            (max(measure(row), least), 1 / len(runs))
            for runs in self.results.runs(puzzle, agent).values()
            for row in runs
            if holds(row)
        )
        heights = itertools.accumulate(share for _, share in steps)
        return [(x, y) for (x, _), y in zip(steps, heights, strict=True)]

    # --- scatter ------------------------------------------------------------------------------

    def _scatter(self, measure: str, unit: str) -> Figure:
        pairs = [
            (puzzle, *pair, points)
            for puzzle in self.results.puzzles
            for pair in itertools.combinations(self._representatives(puzzle, measure), 2)
            if (points := self._points(puzzle, *pair, measure))
        ]
        figure, panels = panels_of(len(pairs))
        for axes, (puzzle, one, other, points) in zip(panels, pairs, strict=True):
            self._compare(axes, points)
            axes.set(xlabel=literal(f"{one}: {unit}"), ylabel=literal(f"{other}: {unit}"))
            axes.set_title(literal(puzzle))
        return figure

    def _representatives(self, puzzle: str, measure: str) -> list[str]:
        """The best agent of each kind (most solved, then fewest evaluations); of one kind two."""

        def rank(agent: str) -> tuple[float, float]:
            by_level = self.results.runs(puzzle, agent)
            solved = [row for runs in by_level.values() for row in runs if holds(row)]
            share = sum(sum(map(holds, runs)) / len(runs) for runs in by_level.values())
            return -share, median(map(evaluations, solved)) if solved else inf

        kinds = self.results.kinds
        ranked = sorted(self._counting(puzzle, MEASURES[measure][0]), key=rank)
        best = [
            next(agent for agent in ranked if kinds[agent] == kind)
            for kind in SCATTERED
            if any(kinds[agent] == kind for agent in ranked)
        ]
        return best if len(best) > 1 else [a for a in ranked if kinds[a] != "random"][:2]

    def _points(self, puzzle: str, one: str, other: str, measure: str) -> list[tuple[float, float]]:
        """Costs of both on each level that both attempted; empty if neither solved any."""
        pairs = (
            (self._cost(key, one, measure), self._cost(key, other, measure))
            for key in self.results.levels(puzzle)
        )
        points = [(x, y) for x, y in pairs if x is not None and y is not None]
        return points if any(min(point) < inf for point in points) else []

    def _compare(self, axes: Axes, points: list[tuple[float, float]]) -> None:
        """A point per level; unsolved levels lie on the dotted lines."""
        finite = [value for point in points for value in point if value != inf]
        low, high = min(finite), max(finite)
        edge = high * max(2.0, (high / low) ** 0.12)
        logarithmic(axes, "x", "y")
        axes.set(xlim=(low / 1.5, edge * 1.5), ylim=(low / 1.5, edge * 1.5))
        axes.plot([low / 1.5, edge], [low / 1.5, edge], color="0.6", linewidth=1)
        for line in (axes.axhline, axes.axvline):
            line(edge, color="0.4", linestyle=":", linewidth=1)
        axes.annotate("unsolved", (low / 1.4, edge), fontsize=7, va="bottom", color="0.4")
        axes.scatter(
            [min(x, edge) for x, _ in points], [min(y, edge) for _, y in points],
            s=18, alpha=0.7, color=COLOURS[0], linewidths=0,
        )  # fmt: skip

    def _cost(self, key: LevelKey, agent: str, measure: str) -> float | None:
        """Median over seeds, infinite if unsolved; None if the agent did not run."""
        runs = self.results.runs(key.puzzle, agent).get(key)
        if not runs:
            return None
        function, least = MEASURES[measure][0], LEAST[measure]
        return median(max(function(row), least) if holds(row) else inf for row in runs)

    # --- difficulty ---------------------------------------------------------------------------

    def _difficulty(self) -> Figure:
        curves: dict[str, dict[str, list[tuple[int, float]]]] = {}
        for puzzle in self.results.puzzles:
            found = {
                agent: self._by_optimum(puzzle, agent) for agent in self.results.agents(puzzle)
            }
            curves[puzzle] = {agent: curve for agent, curve in found.items() if curve}
        curves = {puzzle: found for puzzle, found in curves.items() if found}
        shown = {agent for found in curves.values() for agent in found}
        figure, panels = panels_of(len(curves), self._shown(shown))
        for axes, (puzzle, found) in zip(panels, curves.items(), strict=True):
            for agent, curve in found.items():
                xs, ys = zip(*curve, strict=True)
                axes.plot(xs, ys, **self.looks[agent], markersize=4, alpha=0.85)
            logarithmic(axes, "y")
            axes.set(xlabel="optimum, or fewest moves known", title=literal(puzzle))
            axes.set_ylabel("expansions, median over solved runs")
            whole_numbers(axes.xaxis)
        return figure

    def _by_optimum(self, puzzle: str, agent: str) -> list[tuple[int, float]]:
        groups: dict[int, list[int]] = defaultdict(list)
        for key, runs in self.results.runs(puzzle, agent).items():
            for row in runs:
                if holds(row) and row.expanded:
                    groups[self.results.best[key]].append(row.expanded)
        return [(moves, median(counts)) for moves, counts in sorted(groups.items())]
