"""`puzzle-envs record`: render an episode as a video."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzle_agents.cli.arguments import (
    AgentArguments,
    CellPixels,
    Expansions,
    LevelText,
    Memory,
    PuzzleOptions,
    Seconds,
    options_typed,
    typed,
)
from puzzle_agents.defaults import MEMORY, SECONDS

if TYPE_CHECKING:
    from puzzle_agents.agent import Budget
    from puzzle_envs.env import PuzzleEnv

NAME = "record"

EXAMPLES = (
    "puzzle-envs record episode.json --output film.gif",
    "puzzle-envs record ZenGarden-v0 mixed/4 --agent astar --output film.mp4 --cell-pixels 64",
    "puzzle-envs record HuaRongDao-v0 classics/1 --output frames --frames-per-step 1 --theme dark",
)

AGENT = "astar"

Plan = Sequence[int]


def run(
    what: Annotated[
        str,
        typer.Argument(
            metavar="EPISODE.json|ENV",
            help="A saved episode, or the id of an environment to solve.",
        ),
    ],
    level: LevelText = None,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="A GIF (film.gif), an MP4 (film.mp4), or a new folder of PNGs (film).",
            show_default=False,
        ),
    ] = Path(),
    agent: Annotated[
        str | None,
        typer.Option(help="The agent that solves it; see `list agents`.", show_default=AGENT),
    ] = None,
    argument: AgentArguments = None,
    option: PuzzleOptions = None,
    seconds: Seconds = SECONDS,
    memory: Memory = MEMORY,
    expansions: Expansions = None,
    cell_pixels: CellPixels = 48,
    frames_per_second: Annotated[float, typer.Option(help="Frames per second.")] = 30.0,
    frames_per_step: Annotated[int, typer.Option(min=1, max=1000, help="Frames per action.")] = 6,
    theme: Annotated[str, typer.Option(help="light or dark.")] = "light",
) -> int:
    """Render a saved episode, or an agent's solution of a level, as a video.

    The first and last frames are held for half a second. GIF needs the extra bench, MP4 the extra
    video. Exit code 1: the agent found no solution, and nothing is written.
    """
    from puzzle_agents.agent import Budget
    from puzzle_agents.cli.output import check_writable
    from puzzle_agents.film import film
    from puzzle_envs.rendering.theme import theme_of
    from puzzle_envs.rendering.video import check_video, save_video

    if output == Path():
        raise ValueError("Give an output: --output film.gif, film.mp4, or a new folder.")
    chosen = theme_of(theme)
    check_video(output, frames_per_second)
    check_writable(output, "--output")
    if what.endswith(".json"):
        if level is not None or agent is not None or argument or option:
            raise ValueError(f"{what} is a saved episode; leave out LEVEL and the agent's options.")
        env, actions = _saved(Path(what))
    else:
        budget = Budget(seconds, memory, expansions)
        solved = _solved(what, level, agent or AGENT, argument or [], option or [], budget)
        if solved is None:
            print(f"{output} not written: no solution was found.", file=sys.stderr)
            return 1
        env, actions = solved
    hold = round(frames_per_second / 2)
    frames = film(env, actions, frames_per_step, cell_pixels, chosen, hold)
    save_video(output, frames, frames_per_second)
    print(f"Written: {output}", file=sys.stderr)
    return 0


def _saved(path: Path) -> tuple[PuzzleEnv, Plan]:
    """The initial state and the actions of a saved episode."""
    from puzzle_agents.episode import read_episode

    episode = read_episode(path)
    episode.replay()
    return episode.begin(), episode.actions


def _solved(
    id: str,
    level: str | None,
    agent: str,
    arguments: Sequence[str],
    options: Sequence[str],
    budget: Budget,
) -> tuple[PuzzleEnv, Plan] | None:
    """A level and an agent's solution; None if it finds none."""
    from puzzle_agents.cli.solve import check_plays
    from puzzle_agents.environments import level_of, make_env, puzzle_of
    from puzzle_agents.registry import class_of

    its_options = options_typed(options, id)
    made = class_of(agent)
    own = typed(arguments, made, f"'{agent}'", own=("budget",))
    puzzle, who = puzzle_of(id, **its_options), made(budget=budget, **own)
    chosen = level_of(puzzle, level)
    check_plays(who, puzzle, chosen)
    env = make_env(id, chosen, **its_options)
    result = who.solve(env)
    return (env, result.actions) if result.solved else None
