"""`puzzle-envs evaluate`: the share of levels that trained policies solve."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

NAME = "evaluate"

EXAMPLES = (
    "puzzle-envs evaluate zen-garden-5x5 runs/gardens --levels test/5x5",
    "puzzle-envs evaluate runs/gardens --levels test/4x4 --levels test/5x5 --samples 50",
)


def run(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL...",
            help="A run's folder, a model file, or the name of a pretrained model.",
        ),
    ],
    levels: Annotated[list[str], typer.Option(help="A set, such as test/5x5. Repeatable.")],
    samples: Annotated[int, typer.Option(min=1, help="Episodes per level.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the table as Markdown.")
    ] = None,
) -> int:
    """Evaluate trained policies on sets of levels, with random play for comparison.

    Prints the share of levels solved with its 95 % interval (Wilson), by one episode and by the
    best of all, moves relative to the optimum, and time per level.
    """
    from puzzle_agents.cli.output import check_writable
    from puzzle_agents.learning.scores import HEADS, as_markdown, scores_of
    from puzzle_agents.table import Cell, Table, columns
    from puzzle_agents.terminal import show
    from puzzle_envs.common.files import write_whole

    if markdown is not None:
        check_writable(markdown, "--markdown")
    rows = scores_of(models, levels, samples=samples, seed=seed)
    title = f"{rows[0].levels} levels of {', '.join(levels)}, at most {samples} episodes per level"
    heads = [head.format(samples=samples) for head in HEADS]
    if markdown is not None:
        write_whole(markdown, as_markdown(title, heads, rows).encode())
    show(Table(title, columns(heads), [[Cell(text) for text in row.cells()] for row in rows]))
    return 0
