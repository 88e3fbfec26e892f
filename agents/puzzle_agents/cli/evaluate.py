"""`puzzle-envs evaluate`: the share of levels that trained policies solve."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

NAME = "evaluate"

EXAMPLES = (
    "puzzle-envs evaluate zen-garden-5x5 runs/gardens --levels test/5x5",
    "puzzle-envs evaluate runs/gardens --levels test/4x4 --levels test/5x5 --samples 50",
    "puzzle-envs evaluate runs/gardens --levels test/4x4 --levels test/8x8 --by-set "
    "--beside greedy --beside astar",
)


def run(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL...",
            help="A run's folder, a model file, or the name of a pretrained model.",
        ),
    ],
    levels: Annotated[
        list[str],
        typer.Option(
            help="A set, such as test/5x5, or new levels, such as '200 new 5x5'. Repeatable.",
        ),
    ],
    samples: Annotated[int, typer.Option(min=1, help="Episodes per level.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    by_set: Annotated[
        bool,
        typer.Option("--by-set", help="One row per set, including greedy episodes."),
    ] = False,
    beside: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="With --by-set: a search to compare with. Repeatable."),
    ] = None,
    expansions: Annotated[
        int | None,
        typer.Option(min=1, help="Limit of each search in expansions.", show_default="100000"),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the table as Markdown.")
    ] = None,
) -> int:
    """Evaluate trained policies on sets of levels, with random play for comparison.

    Prints the share of levels solved with its 95 % interval (Wilson), by one episode and by the
    best of all, moves relative to the optimum, and time per level. Networks of the kind "relative"
    also play boards larger than those of their training.

    With --by-set, how policies generalise: a row for each set, of tiers trained on or not.
    """
    from puzzle_agents.cli.output import check_writable

    if markdown is not None:
        check_writable(markdown, "--markdown")
    if by_set:
        return _by_set(models, levels, samples, seed, beside or [], expansions, markdown)
    if beside or expansions is not None:
        raise ValueError("--beside and --expansions need --by-set.")
    from puzzle_agents.learning.scores import HEADS, as_markdown, scores_of
    from puzzle_agents.table import Cell, Table, columns, counted
    from puzzle_agents.terminal import show
    from puzzle_envs.common.files import write_whole

    rows = scores_of(models, levels, samples=samples, seed=seed)
    title = (
        f"{counted(rows[0].levels, 'level')} of {', '.join(levels)}, "
        f"at most {samples} episodes per level"
    )
    heads = [head.format(samples=samples) for head in HEADS]
    if markdown is not None:
        write_whole(markdown, as_markdown(title, heads, rows).encode())
    show(Table(title, columns(heads), [[Cell(text) for text in row.cells()] for row in rows]))
    return 0


def _by_set(
    models: list[str],
    sets: list[str],
    samples: int,
    seed: int,
    agents: list[str],
    expansions: int | None,
    markdown: Path | None,
) -> int:
    """Print a row for each policy, random play and each agent on each set."""
    from puzzle_agents.demonstrations import EXPANSIONS, check_teacher
    from puzzle_agents.learning.scores import check_same_puzzle
    from puzzle_agents.terminal import show
    from puzzle_envs.common.files import write_whole

    puzzle = check_same_puzzle(models)
    for agent in agents:
        check_teacher(agent, puzzle)
    from puzzle_agents.learning.generalisation import table_of
    from puzzle_agents.learning.models import model_of

    table = table_of(
        [(name, model_of(name)) for name in models],
        sets,
        agents,
        samples=samples,
        expansions=expansions or EXPANSIONS,
        seed=seed,
    )
    if markdown is not None:
        write_whole(markdown, table.markdown().encode())
    show(table)
    return 0
