"""What the plots of a report share: looks of agents, and files made with matplotlib."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from puzzle_agents.benchmark.report.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#882255", "#44aa99",
    "#999933", "#332288",
)  # fmt: skip
"""Colours distinguishable without colour vision; line styles and markers differ too."""
STYLES = {
    "random": ":",
    "search": "-",
    "exact": "-.",
    "planner": (0, (1, 1)),
    "evolution": "--",
    "learning": (0, (5, 1)),
}
MARKERS = "osD^vP*X<>hp"

SETTINGS: Mapping[str, Any] = {
    "svg.hashsalt": "puzzle-envs", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3,
    "axes.axisbelow": True,
}  # fmt: skip


@dataclass(frozen=True)
class Plot:
    """A plot in both formats."""

    name: str
    title: str
    png: bytes
    svg: bytes


def drawn(
    figures: Iterable[tuple[str, str, Figure]], settings: Mapping[str, Any] | None = None
) -> list[Plot]:
    """The plots of figures with names and titles, which are made here; empty ones are left out."""
    try:
        import matplotlib
    except ImportError:
        raise ImportError(
            "The plots of a report need matplotlib: pip install 'puzzle-envs[bench]'"
        ) from None
    chosen: Any = {**SETTINGS, **(settings or {})}
    with matplotlib.rc_context(chosen), warnings.catch_warnings():
        # Letters that the font lacks are drawn as boxes.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        return [
            Plot(name, title, _bytes(figure, "png"), _bytes(figure, "svg"))
            for name, title, figure in figures
            if figure.axes
        ]


def _bytes(figure: Figure, form: str) -> bytes:
    """A file without the date and the program's version."""
    metadata = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
    file = io.BytesIO()
    figure.savefig(file, format=form, dpi=110, metadata=metadata[form])
    return file.getvalue()


def looks_of(results: Results, colours: tuple[str, ...] = COLOURS) -> dict[str, dict[str, Any]]:
    """The colour, line and marker of each agent."""
    return {
        agent: {
            "color": colours[number % len(colours)],
            "linestyle": STYLES.get(kind, "-"),
            "marker": MARKERS[number % len(MARKERS)],
        }
        for number, (agent, kind) in enumerate(results.kinds.items())
    }


def literal(text: str) -> str:
    r"""Escape characters that matplotlib would treat as mathematics."""
    text = text.replace("\\", "/").replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def file_name(text: str) -> str:
    """A text as part of a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
