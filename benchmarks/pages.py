"""Pages that are written from kept results, whole or between the markers of a benchmark's tables.

The pages of puzzle_agents.page come from docs/measured. A page of docs/reproduced comes from the
JSON file beside it, which `puzzle-envs reproduce --output docs/reproduced` writes;
the tables of a benchmark come from the rows in docs/results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from puzzle_agents.page import shown
from puzzle_agents.papers.report import markdown

__all__ = ["BENCHMARKS", "PAGES", "ROOT"]

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
IMAGES = DOCS / "images"
REPRODUCED = sorted(DOCS.glob("reproduced/*.json"))
LEARNING = [DOCS / f"{name}.md" for name in ("algorithms", "learned_models", "pretrained")]


def _reproduced(path: Path) -> str:
    """The page of a reproduction."""
    return markdown(json.loads(path.read_text("utf-8")))


def _benchmark(page: Path, suite: str, with_plots: bool) -> str:
    """A page with the tables of a suite, its own text unchanged."""
    from puzzle_agents.benchmark.report import Picture, circumstances, plots_for_documents
    from puzzle_agents.benchmark.report.faults import faults_in
    from puzzle_agents.benchmark.report.files import answers_markdown, around_tables
    from puzzle_agents.benchmark.report.folders import rows_of
    from puzzle_agents.benchmark.report.results import Results
    from puzzle_agents.benchmark.report.tables import all_scores, answers

    rows = rows_of([DOCS / "results" / suite])
    results = Results(rows)
    faults = faults_in(results)
    tables = answers(results, all_scores(results), faults)
    pictures = [
        Picture(plot.title, IMAGES / plot.name).markdown(page.parent)
        for plot in (plots_for_documents(results, "light") if with_plots else [])
    ]
    told = answers_markdown(tables, faults, circumstances(rows), pictures)
    return told.join(around_tables(page.read_text("utf-8"), str(page)))


BENCHMARKS: Mapping[Path, Callable[[], str]] = {
    page: partial(_benchmark, page, suite, with_plots)
    for page, suite, with_plots in (
        (DOCS / "benchmark.md", "standard", True),
        (DOCS / "top_tiers.md", "hard", False),
    )
}
"""Pages with text of their own around a benchmark's tables; they need the extra bench."""

PAGES: Mapping[Path, Callable[[], str]] = {
    **{path.with_suffix(".md"): partial(_reproduced, path) for path in REPRODUCED},
    **{path: partial(shown, path) for path in LEARNING},
}
"""Pages that are written whole."""
