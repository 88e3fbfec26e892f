"""Panels of one figure, side by side, with one legend."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from puzzle_agents.benchmark.report.drawing import literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

COLUMNS = 3
PANEL, LEFT, RIGHT, BELOW, ABOVE = (4.2, 3.2), 0.75, 0.15, 0.5, 0.3
"""Size of a panel and its margins, in inches."""


def panels_of(
    count: int, looks: Mapping[str, dict[str, Any]] | None = None, *, markers: bool = True
) -> tuple[Figure, list[Axes]]:
    """A figure with this many panels and a legend of agents by their looks, without a window.

    The layout is computed here: matplotlib's own draws everything several times.
    """
    from matplotlib.figure import Figure

    looks = looks or {}
    columns = max(1, min(COLUMNS, count))
    lines = max(1, ceil(count / columns))
    width = max(2, columns) * PANEL[0]
    beside = max(1, min(len(looks), int(width / 1.6)))
    height = lines * PANEL[1] + (0.25 + 0.22 * ceil(len(looks) / beside) if looks else 0)
    figure = Figure(figsize=(width, height))
    if looks:
        _add_legend(figure, looks, beside, markers=markers)
    places = [divmod(number, columns) for number in range(count)]
    return figure, [
        figure.add_axes(
            (
                (column * PANEL[0] + LEFT) / width,
                1 - ((line + 1) * PANEL[1] - BELOW) / height,
                (PANEL[0] - LEFT - RIGHT) / width,
                (PANEL[1] - BELOW - ABOVE) / height,
            )
        )
        for line, column in places
    ]


def _add_legend(
    figure: Figure, looks: Mapping[str, dict[str, Any]], beside: int, *, markers: bool
) -> None:
    from matplotlib.lines import Line2D

    bare = {} if markers else {"marker": ""}
    figure.legend(
        [Line2D([], [], **look | bare) for look in looks.values()],
        list(map(literal, looks)),
        loc="lower center", ncols=beside, handlelength=3,
    )  # fmt: skip


def logarithmic(axes: Axes, *names: Literal["x", "y"]) -> None:
    """Log scales, without minor grid lines."""
    from matplotlib.ticker import LogLocator, NullLocator

    for name in names:
        axes.set(**{f"{name}scale": "log"})
        axis = axes.xaxis if name == "x" else axes.yaxis
        axis.set_major_locator(LogLocator(numticks=8))
        axis.set_minor_locator(NullLocator())


def whole_numbers(axis: Axis) -> None:
    """Ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins=8, integer=True))
