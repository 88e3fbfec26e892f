"""Benchmark reports: tables, plots, files, and a page with replays."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from puzzle_agents.benchmark.busy import too_busy
from puzzle_agents.benchmark.report.faults import Faults, faults_in
from puzzle_agents.benchmark.report.folders import rows_of
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.benchmark.report.tables import all_scores, all_tables, answers
from puzzle_agents.benchmark.row import Row
from puzzle_agents.table import Table, counted

if TYPE_CHECKING:
    from puzzle_agents.benchmark.report.drawing import Plot


class Picture(NamedTuple):
    """A plot as files for documents."""

    title: str
    path: Path
    """The path of its files, up to -light.png and -dark.png."""

    def markdown(self, folder: Path) -> str:
        """A picture for both themes, in a document in that folder."""
        place = Path(os.path.relpath(self.path, folder)).as_posix()
        return (
            f'<picture><source media="(prefers-color-scheme: dark)" srcset="{place}-dark.png">'
            f'<img alt="{html.escape(self.title)}" src="{place}-light.png"></picture>\n'
        )


@dataclass(frozen=True)
class Report:
    """A report's content, and its files."""

    tables: list[Table]
    answers: list[Table]
    """The tables that summarise the results."""
    faults: Faults
    circumstances: list[str]
    files: list[Path]


def make_report(folders: Sequence[Path], output: Path) -> Report:
    """Report on the rows of some folders; all files are made before the first is written.

    Args:
        folders: Results of a benchmark, or of its shards.
        output: Folder for the files, created if missing.
    """
    from puzzle_agents.benchmark.report.episodes import record
    from puzzle_agents.benchmark.report.files import markdown, rows_csv, scores_csv
    from puzzle_agents.benchmark.report.iohprofiler import iohprofiler
    from puzzle_agents.benchmark.report.ladders import draw_ladders
    from puzzle_agents.benchmark.report.page import page
    from puzzle_agents.benchmark.report.plots import draw_plots
    from puzzle_agents.benchmark.report.targets import draw_targets
    from puzzle_envs.common.files import write_whole

    rows = rows_of(folders)
    results = Results(rows)
    plots = [*draw_ladders(results), *draw_plots(results), *draw_targets(results)]
    episodes = record(results)
    faults = faults_in(results)
    for number, sentence in episodes.faults.items():
        faults.setdefault(number, []).append(sentence)
    faults = dict(sorted(faults.items()))
    scores = all_scores(results)
    tables = all_tables(results, scores, faults)
    said = circumstances(rows)
    contents = {
        "report.md": markdown(tables, plots, faults, said).encode(),
        "report.html": page(results, tables, plots, episodes, faults, said).encode(),
        "rows.csv": rows_csv(results, faults).encode(),
        "scores.csv": scores_csv(scores).encode(),
        "iohprofiler.zip": iohprofiler(results),
    }
    for plot in plots:
        contents |= {f"{plot.name}.png": plot.png, f"{plot.name}.svg": plot.svg}
    output.mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        write_whole(output / name, data)
    files = [output / name for name in contents]
    return Report(tables, answers(results, scores, faults), faults, said, files)


def plots_for_documents(results: Results, theme: str) -> list[Plot]:
    """Each puzzle's coverage by tier, levels solved, and fixed targets."""
    from puzzle_agents.benchmark.report.ladders import draw_ladders
    from puzzle_agents.benchmark.report.plots import draw_cactus
    from puzzle_agents.benchmark.report.targets import draw_targets

    drawing = (draw_ladders, draw_cactus, draw_targets)
    return [plot for draw in drawing for plot in draw(results, theme)]


def make_images(folders: Sequence[Path], output: Path) -> list[Picture]:
    """Write the plots for documents as pictures, light and dark."""
    from puzzle_agents.benchmark.report.drawing import COLOURS_OF
    from puzzle_envs.common.files import write_whole

    results = Results(rows_of(folders))
    plots = {theme: plots_for_documents(results, theme) for theme in COLOURS_OF}
    output.mkdir(parents=True, exist_ok=True)
    for theme, drawn in plots.items():
        for plot in drawn:
            write_whole(output / f"{plot.name}-{theme}.png", plot.png)
    return [Picture(plot.title, output / plot.name) for plot in plots["light"]]


def publish_rows(folders: Sequence[Path], output: Path) -> Path:
    """Write the rows of some folders as one packed file; return its path."""
    from puzzle_agents.benchmark.published import PACKED, packed
    from puzzle_envs.common.files import write_whole

    lines = "".join(f"{row.to_json()}\n" for row in rows_of(folders))
    output.mkdir(parents=True, exist_ok=True)
    write_whole(output / PACKED, packed(lines.encode()))
    return output / PACKED


def _minute(began: str) -> str:
    """A time of a row, to the minute."""
    return began[:16].replace("T", " ")


def circumstances(rows: list[Row]) -> list[str]:
    """The title, and the circumstances of the measurements, taken from the rows."""
    suites = ", ".join(dict.fromkeys(row.suite for row in rows))
    processors = dict.fromkeys(f"{row.cpu}, {row.cores} cores" for row in rows)
    versions = dict.fromkeys(
        ", ".join(f"{package} {number}" for package, number in row.versions.items()) for row in rows
    )
    begun = sorted(row.began for row in rows)
    loads = [row.load for row in rows]
    busy = sum(too_busy(row.load, row.cores) for row in rows)
    doubt = ""
    if busy:
        doubt = f" {counted(busy, 'run')} started on a busy machine; such timings are unreliable."
    return [
        f"Benchmark {suites}",
        f"{counted(len(rows), 'run')}, started between {_minute(begun[0])} and "
        f"{_minute(begun[-1])} UTC.",
        f"{'; '.join(processors)}; load from {min(loads):.1f} to {max(loads):.1f}.{doubt}",
        f"{'; '.join(versions)}.",
    ]
