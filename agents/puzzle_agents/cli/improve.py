"""`puzzle-envs improve`: make a saved solution shorter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from puzzle_agents.cli.arguments import Expansions, Memory, Seconds
from puzzle_agents.defaults import MEMORY, SECONDS

NAME = "improve"

STOPPED = 130

EXAMPLES = (
    "puzzle-envs improve episode.json --save shorter.json",
    "puzzle-envs improve episode.json --seconds 600 --memory '4 GiB' --seed 1",
)


def run(
    episode: Annotated[
        Path, typer.Argument(metavar="EPISODE.json", help="A saved episode that solves its level.")
    ],
    seconds: Seconds = SECONDS,
    memory: Memory = MEMORY,
    expansions: Expansions = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Write the solution as an episode, for replay."),
    ] = None,
) -> int:
    """Shorten a saved solution, and print it with a lower bound.

    It ends when the solution is proved optimal, or with the limits. Compilation finishes before the
    time starts. Ctrl-C ends it early and keeps what was found.
    """
    from puzzle_agents.agent import Budget
    from puzzle_agents.cli.output import check_writable
    from puzzle_agents.cli.solve import Report, catching_ctrl_c, save_episode
    from puzzle_agents.episode import read_episode
    from puzzle_agents.search.improve import Improver

    if save is not None:
        check_writable(save, "--save")
    budget = Budget(seconds, memory, expansions)
    saved = read_episode(episode)
    saved.replay()
    env, options = saved.begin(), dict(saved.options)
    agent = Improver(saved.actions, budget, seed=seed)
    with catching_ctrl_c() as stopped:
        agent.warm_up(env)
        if stopped:
            return STOPPED
        result = agent.solve(env)
    Report(saved.env, options, NAME, {"seed": seed}, as_json).one(env, result)
    if save is not None:
        save_episode(save, saved.env, options, env, NAME, result)
    return 0
