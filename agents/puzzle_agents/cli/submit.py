"""`puzzle-envs submit`: enter a solution of a level."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from puzzle_agents.cli.arguments import PuzzleOptions, options_typed
from puzzle_agents.table import counted

NAME = "submit"

EXAMPLES = (
    "puzzle-envs list open",
    "puzzle-envs submit ZenGarden-v0 test/16x16/3 episode.json --by 'A. Monk'",
    "puzzle-envs submit ZenGarden-v0 first-steps/1 '0 2 1'",
)


def run(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An environment id; see `list`.")],
    level: Annotated[
        str, typer.Argument(metavar="LEVEL", help="A name (easy/1), or a level of a file.")
    ],
    solution: Annotated[
        str,
        typer.Argument(metavar="SOLUTION", help="An episode (FILE.json), or actions: '3 60 8'."),
    ],
    option: PuzzleOptions = None,
    by: Annotated[str, typer.Option(help="Who, or which program, found it.")] = "unknown",
    records: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder of the records, one file per level.")
    ] = Path("records"),
) -> int:
    """Submit a solution: it is replayed, compared with what is known, and recorded.

    The record is an episode, for `watch`, `improve` and `record`. It replaces only a longer one.
    Nothing is sent anywhere. Exit code 1: the existing record is at least as short.
    """
    from puzzle_agents.cli.output import check_writable
    from puzzle_agents.environments import level_of, make_env, puzzle_of
    from puzzle_agents.episode import moves_of, write_episode
    from puzzle_agents.submission import (
        actions_for,
        actions_in,
        compared,
        entered,
        record_path,
    )

    if not 0 < len(by.strip()) <= 200:
        raise ValueError("--by takes a name of 1 to 200 characters.")
    options = options_typed(option, env)
    made = make_env(env, level_of(puzzle_of(env, **options), level), **options)
    if solution.endswith(".json"):
        actions = actions_for(made, env, options, Path(solution))
    else:
        actions = actions_in(solution)
    episode = entered(made, env, options, actions, by.strip())
    path = record_path(records, episode)
    check_writable(path, "--records", with_folders=True)
    typer.echo(f"{made.level.name}: solved in {counted(episode.moves, 'move')}. "
               f"{compared(made.level, episode.moves)}")  # fmt: skip
    if path.exists():
        before = moves_of(made, actions_for(made, env, options, path))
        if before <= episode.moves:
            typer.echo(f"{path} is unchanged: its solution takes {counted(before, 'move')}.")
            return 1
    path.parent.mkdir(parents=True, exist_ok=True)
    write_episode(path, episode)
    typer.echo(f"Written: {path}")
    return 0
