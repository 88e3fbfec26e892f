"""`puzzle-envs import`: convert levels of other programs to a level file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzle_agents.cli.arguments import LevelFile
from puzzle_agents.table import counted

if TYPE_CHECKING:
    from puzzle_envs.level import Level

NAME = "import"

EXAMPLES = (
    "puzzle-envs import Kwirk-v0 29.txt --output floor.txt",
    "puzzle-envs import Kwirk-v0 level.json --format puzzle-boy --output floors.txt",
    "puzzle-envs import HuaRongDao-v0 codes.txt --output layouts.txt",
)


def run(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An environment id; see `list`.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files to read.")],
    format: Annotated[
        str | None,
        typer.Option(
            metavar="NOTATION",
            help="The notation of the files: solver or puzzle-boy for Kwirk, codes for Hua Rong "
            "Dao, ids for Skyscraper.",
            show_default="detected",
        ),
    ] = None,
    output: LevelFile = None,
) -> int:
    """Convert levels from other notations into a level file.

    The notations are described in docs/levels.md. Errors name line and column.
    """
    from puzzle_agents.cli.output import check_level_file
    from puzzle_agents.environments import puzzle_of
    from puzzle_agents.reading import text_of_file
    from puzzle_envs.importing import imported
    from puzzle_envs.level import save_levels

    puzzle = puzzle_of(env)
    if not puzzle.notations:
        raise ValueError(f"{puzzle.title} has no notations other than that of its level files.")
    if output is not None:
        check_level_file(output)
    levels: list[Level] = []
    for path in files:
        text = text_of_file(path)
        found = imported(puzzle.format, puzzle.notations, text, str(path), format)
        levels += _named(found, path) if len(files) > 1 else found
    if output is None:
        typer.echo("\n".join(map(puzzle.format.text, levels)), nl=False)
        return 0
    save_levels(output, puzzle.format, levels)
    typer.echo(f"{output}: {counted(len(levels), 'level')} of {env}")
    return 0


def _named(levels: list[Level], path: Path) -> list[Level]:
    """The levels of one file among several, named after it."""
    if len(levels) == 1:
        return [replace(levels[0], name=path.stem)]
    return [replace(level, name=f"{path.stem}-{level.name}") for level in levels]
