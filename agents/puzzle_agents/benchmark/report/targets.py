"""Fixed targets: the share of runs within a factor of the best known, over transitions.

Of agents that go on after their first solution: evolution, and searches that improve one.
"""

from __future__ import annotations

from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING

from puzzle_agents.benchmark.report.drawing import COLOURS_OF, Plot, drawn, literal, looks_of
from puzzle_agents.benchmark.report.panels import logarithmic, panels_of
from puzzle_agents.benchmark.report.results import Results, holds
from puzzle_agents.benchmark.row import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TARGETS = (1.0, 1.1, 1.5)
"""Factors of the fewest moves known."""
TITLE = "Fixed targets: share of runs within a factor of the fewest known moves"


def reached(row: Row, target: float) -> float:
    """The transitions after which a run had a solution of this many moves; infinite if never."""
    if not holds(row):
        return inf
    return next((transitions for transitions, _, moves in row.found if moves <= target), inf)


def anytime_agents(results: Results, puzzle: str) -> list[str]:
    """The agents of a puzzle that continue after their first solution."""
    return [
        agent
        for agent in results.agents(puzzle)
        if results.kinds[agent] == "evolution"
        or any(len(row.found) > 1 for row in results.rows_of(puzzle, agent))
    ]


def curve(results: Results, puzzle: str, agent: str, factor: float) -> list[tuple[float, float]]:
    """Transitions, and the share of runs at the target by then; levels without solution left out.

    A level of which no solution is known is part of the whole.
    """
    runs = [
        (row, results.best.get(key))
        for key, rows in results.runs(puzzle, agent).items()
        for row in rows
        if row.solvable is not False
    ]
    hits = sorted(
        hit for row, best in runs if best is not None and (hit := reached(row, factor * best)) < inf
    )
    shares = accumulate(1 / len(runs) for _ in hits)
    return list(zip(hits, shares, strict=True))


def draw_targets(results: Results, theme: str = "light") -> list[Plot]:
    """A panel for each puzzle and target."""
    figures = (("fixed-targets", TITLE, _figure(results, COLOURS_OF[theme])) for _ in range(1))
    return drawn(figures, theme)


def _figure(results: Results, colours: tuple[str, ...]) -> Figure:
    agents = {puzzle: anytime_agents(results, puzzle) for puzzle in results.puzzles}
    shown = {agent for its in agents.values() for agent in its}
    looks = {agent: look for agent, look in looks_of(results, colours).items() if agent in shown}
    panels = [(puzzle, factor) for puzzle, its in agents.items() if its for factor in TARGETS]
    figure, axes = panels_of(len(panels), looks, markers=False)
    for one, (puzzle, factor) in zip(axes, panels, strict=True):
        rows = [row for agent in agents[puzzle] for row in results.rows_of(puzzle, agent)]
        right = max(10.0, *(row.generated for row in rows))
        for agent in agents[puzzle]:
            points = curve(results, puzzle, agent, factor)
            xs = [1.0, *(max(x, 1.0) for x, _ in points), right]
            ys = [0.0, *(y for _, y in points), points[-1][1] if points else 0.0]
            one.step(xs, ys, where="post", **looks[agent] | {"marker": ""})
        logarithmic(one, "x")
        one.set(xlabel="transitions", ylabel="share of runs", ylim=(-0.03, 1.03))
        times = "" if factor == 1 else f"{factor:g} times the "
        one.set_title(literal(f"{puzzle}: {times}best known"))
    return figure
