"""`puzzle-envs play`: play a puzzle with the keyboard or the pointer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from puzzle_agents.cli.arguments import PuzzleOptions

NAME = "play"

EXAMPLES = (
    "puzzle-envs play HuaRongDao-v0",
    "puzzle-envs play ZenGarden-v0 rocks/3 --save mine.json",
    "puzzle-envs play Kwirk-v0 floors.txt --hints astar --theme dark",
)

SIZE = (1120, 760)


def run(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An environment id; see `list`.")],
    level: Annotated[
        str | None,
        typer.Argument(
            metavar="LEVEL",
            help="A name (easy/1), a set, a file, a level of a file (mine.txt/3), or a level's "
            "text in one line.",
            show_default="the level played last, or the environment's default",
        ),
    ] = None,
    level_option: Annotated[
        str | None, typer.Option("--level", hidden=True, help="The same as LEVEL.")
    ] = None,
    option: PuzzleOptions = None,
    hints: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="The agent that gives hints; see `list agents`.",
            show_default="an exact or anytime agent",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Write each solution to this file, as an episode."),
    ] = None,
    progress: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File that records solved levels.",
            show_default="PUZZLE_ENVS_PROGRESS, or a file in the user's state folder",
        ),
    ] = None,
    theme: Annotated[str, typer.Option(help="light or dark.")] = "light",
) -> int:
    """Play a puzzle in a window; press H for the keys.

    The levels of a set follow one another. Solved levels are remembered with their move counts.
    """
    from puzzle_agents.cli.arguments import options_typed
    from puzzle_agents.cli.output import check_writable
    from puzzle_agents.cli.solve import check_plays
    from puzzle_agents.environments import puzzle_of
    from puzzle_agents.player.remembered import Progress, progress_file
    from puzzle_agents.player.session import Session, levels_around
    from puzzle_agents.registry import entry_of, make
    from puzzle_envs.level import LevelError

    level = level or level_option
    if save is not None:
        check_writable(save, "--save")
    if progress is not None:
        check_writable(progress, "--progress", with_folders=True)
    if hints is not None:
        entry_of(hints)
    options = options_typed(option, env)
    puzzle = puzzle_of(env, **options)
    game = " ".join([env, *(f"{key}={value}" for key, value in sorted(options.items()))])
    kept = Progress(progress or progress_file(), game, puzzle.format)
    wanted = level or kept.last or puzzle.default_level
    try:
        levels, number = levels_around(puzzle.format, wanted)
    except LevelError:
        if level is not None:
            raise
        # The level played last was given as text, or its file is gone.
        levels, number = levels_around(puzzle.format, puzzle.default_level)
    if hints is not None:
        for one in levels:
            check_plays(make(hints), puzzle, one)

    from puzzle_agents.player.play_view import PlayView
    from puzzle_agents.player.screen import Screen, run
    from puzzle_agents.player.style import style_of
    from puzzle_envs.rendering.theme import theme_of

    style = style_of(theme_of(theme))
    with Screen(SIZE) as screen:
        session = Session(
            env, options, levels, kept, agent=hints, save=save, theme=theme, wake=screen.wake
        )
        try:
            session.go_to(session.first_unsolved if number is None else number)
            run(screen, PlayView(session, style))
        finally:
            session.hints.stop()
    return 0
