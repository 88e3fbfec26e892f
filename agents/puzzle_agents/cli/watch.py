"""`puzzle-envs watch`: agents searching side by side, and their solutions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzle_agents.cli.arguments import PuzzleOptions
from puzzle_agents.defaults import MEMORY, SECONDS

if TYPE_CHECKING:
    from puzzle_agents.player.searching import Pace
    from puzzle_agents.player.watch_view import Pane

NAME = "watch"

EXAMPLES = (
    "puzzle-envs watch ZenGarden-v0 rocks/3 --agent astar --agent zen-ga --agent beam",
    "puzzle-envs watch HuaRongDao-v0 classics/1 --agent bfs",
    "puzzle-envs watch mine.json astar.json",
)

SIZE = (1280, 800)
MOST = 6
"""Maximum number of panes."""


def run(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="ENV [LEVEL] | FILE.json ...",
            help="An environment id and a level as for `solve`, or saved episodes.",
        ),
    ],
    agent: Annotated[
        list[str] | None,
        typer.Option(
            help="An agent; see `list agents`. Repeatable, shown side by side.",
            show_default="astar",
        ),
    ] = None,
    option: PuzzleOptions = None,
    seconds: Annotated[float, typer.Option(help="Time limit per agent, in seconds.")] = SECONDS,
    memory: Annotated[str, typer.Option(help="Memory limit per agent.")] = MEMORY,
    theme: Annotated[str, typer.Option(help="light or dark.")] = "light",
) -> int:
    """Watch agents search a level, and then play their solutions, side by side.

    Searches start slowly and accelerate; press End to finish them at once. Agents take turns, and
    an agent's seconds are those of its own turns, without display pauses.
    """
    from puzzle_agents.player.searching import Pace
    from puzzle_envs.rendering.theme import theme_of

    drawn, pace = theme_of(theme), Pace()
    saved = [Path(one).suffix == ".json" for one in what]
    if any(saved) and not all(saved):
        raise ValueError("Give either episodes (FILE.json) or an id and a level.")
    if all(saved):
        if agent or option:
            raise ValueError(
                "Saved episodes have their agent and options; leave out --agent and --option."
            )
        panes = [_episode_pane(Path(one), theme) for one in what]
    else:
        panes = _agent_panes(what, agent or ["astar"], option or [], (seconds, memory), theme, pace)
    if len(panes) > MOST:
        raise ValueError(f"At most {MOST} panes fit into a window, not {len(panes)}.")

    from puzzle_agents.player.screen import Screen, run
    from puzzle_agents.player.style import style_of
    from puzzle_agents.player.watch_view import WatchView

    with Screen(SIZE) as screen:
        view = WatchView(panes, style_of(drawn), pace)
        try:
            view.begin()
            run(screen, view)
        finally:
            view.stop()
    return 0


def _episode_pane(path: Path, theme: str) -> Pane:
    from puzzle_agents.environments import make_env
    from puzzle_agents.episode import read_episode
    from puzzle_agents.player.game import Game
    from puzzle_agents.player.watch_view import Pane

    episode = read_episode(path)
    episode.replay()
    options: dict[str, Any] = dict(episode.options)
    env = make_env(episode.env, episode.begin().level, theme=theme, **options)
    game = Game(env, episode.actions)
    game.go_to(0)
    return Pane(f"{episode.level}, {episode.agent}", game)


def _agent_panes(
    what: list[str],
    agents: list[str],
    option: list[str],
    budget: tuple[float, str],
    theme: str,
    pace: Pace,
) -> list[Pane]:
    import threading

    from puzzle_agents.agent import Agent, Budget
    from puzzle_agents.cli.arguments import options_typed
    from puzzle_agents.cli.solve import check_plays
    from puzzle_agents.environments import level_of, make_env, puzzle_of
    from puzzle_agents.player.game import Game
    from puzzle_agents.player.searching import Attempt
    from puzzle_agents.player.watch_view import Pane
    from puzzle_agents.registry import class_of, make

    if len(what) > 2:
        raise ValueError(f"Give an id and one level, not {len(what) - 1} levels.")
    options: dict[str, Any] = options_typed(option, what[0])
    puzzle = puzzle_of(what[0], **options)
    level = level_of(puzzle, what[1] if len(what) > 1 else None)
    spent, turn = Budget(*budget), threading.Lock()
    for name in agents:
        check_plays(make(name, spent), puzzle, level)
    env = make_env(what[0], level, theme=theme, **options)

    def pane(name: str) -> Pane:
        chosen: type[Agent] = class_of(name)

        def search() -> Attempt:
            return Attempt(chosen, spent, env, pace, turn)

        return Pane(name, Game(env), search)

    return [pane(name) for name in agents]
