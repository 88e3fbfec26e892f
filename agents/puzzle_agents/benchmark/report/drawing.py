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
DARK: Mapping[str, Any] = {
    "figure.facecolor": "#0d1117", "axes.facecolor": "#0d1117", "savefig.facecolor": "#0d1117",
    "text.color": "#e6edf3", "axes.labelcolor": "#e6edf3", "axes.edgecolor": "#8b949e",
    "xtick.color": "#e6edf3", "ytick.color": "#e6edf3", "grid.color": "#8b949e",
    "legend.facecolor": "#0d1117", "legend.edgecolor": "#8b949e",
}  # fmt: skip
BRIGHT = (
    "#56b4e9", "#ff9d5c", "#2fd6a8", "#f2a6cf", "#f0c14b", "#a5d8ff", "#e87da6", "#7be0d3",
    "#d6d66b", "#a99cf5",
)  # fmt: skip
"""As COLOURS, on a dark ground."""

COLOURS_OF = {"light": COLOURS, "dark": BRIGHT}
"""The colours of lines, by theme."""

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


def drawn(figures: Iterable[tuple[str, str, Figure]], theme: str = "light") -> list[Plot]:
    """The plots of figures with names and titles, which are made here; empty ones are left out."""
    try:
        import matplotlib
    except ImportError:
        raise ImportError(
            "The plots of a report need matplotlib: pip install 'puzzle-envs[bench]'"
        ) from None
    chosen: Any = {**SETTINGS, **(DARK if theme == "dark" else {})}
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
