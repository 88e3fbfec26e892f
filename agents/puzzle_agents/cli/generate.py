"""`puzzle-envs generate`: write new levels to a level file."""

from __future__ import annotations

from typing import Annotated

import typer

from puzzle_agents.cli.arguments import LevelFile
from puzzle_agents.table import counted

NAME = "generate"

EXAMPLES = (
    "puzzle-envs generate ZenGarden-v0 --bin 5x5 --count 20 --output gardens.txt",
    "puzzle-envs generate HuaRongDao-v0 --bin 81-138 --count 1",
    "puzzle-envs solve ZenGarden-v0 --all-levels gardens.txt",
)


def run(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An environment id; see `list`.")],
    bin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BIN",
            help="Size or difficulty, named as the training sets are, such as 5x5 or 1-10. "
            "Repeatable.",
            show_default="all",
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, max=10**6, help="Number of levels per bin.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    output: LevelFile = None,
) -> int:
    """Generate random levels and write them to a level file, each with its proved optimum.

    No two levels are equal up to symmetry, and none is in the bundled validation or test sets. The
    same seed gives the same levels.
    """
    from dataclasses import replace
    from itertools import chain

    from puzzle_agents.cli.output import check_level_file
    from puzzle_agents.environments import puzzle_of
    from puzzle_agents.progress_bar import ProgressBar
    from puzzle_envs.generation import bins_of, new_levels
    from puzzle_envs.level import save_levels

    puzzle = puzzle_of(env)
    if output is not None:
        check_level_file(output)
    bins = list(dict.fromkeys(bin or bins_of(puzzle)))
    if not bins:
        raise ValueError(f"{puzzle.title} has no generator.")
    streams = [new_levels(puzzle, name, count, seed) for name in bins]
    levels = []
    with ProgressBar() as bar:
        for level in chain.from_iterable(streams):
            levels.append(replace(level, name=level.name.removeprefix("new/").replace("/", "-")))
            bar.show("Generating levels", len(levels), count * len(bins))
    bins_given = "".join(f" --bin {name}" for name in bins)
    id = env.rpartition(":")[2]  # in a level file, what comes before a colon is a key
    head = f"; Written by puzzle-envs {NAME} {id}{bins_given} --count {count} --seed {seed}"
    if output is None:
        typer.echo("\n".join([head, *map(puzzle.format.text, levels)]), nl=False)
        return 0
    save_levels(output, puzzle.format, levels, head)
    typer.echo(f"{output}: {counted(len(levels), 'level')} of {env}")
    return 0
