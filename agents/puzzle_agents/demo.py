"""The main job of a first visit: agents on bundled levels, tables, and an episode as a GIF."""

from __future__ import annotations

from pathlib import Path

import gymnasium
from rich.console import Console
from rich.progress import track
from rich.table import Table

import puzzle_envs
from puzzle_agents import Budget, Result, make
from puzzle_agents.film import film
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.rendering.gif import save_gif

LEVELS = {
    "ZenGarden-v0": [
        "first-steps/1",
        "first-steps/14",
        "rocks/1",
        "rocks/24",
        "ornaments/5",
        "leaves/14",
        "mixed/4",
        "large/4",
    ],
    "HuaRongDao-v0": ["train/1-10/1", "classics/1", "classics/9", "classics/10"],
    "Kwirk-v0": ["easy/1", "average/14", "hard/12", "two/7", "proofs/1"],
    "KwirkSteps-v0": ["easy/1", "hard/1"],
    "Skyscraper-v0": ["4x4/hard-1", "6x6/hard-1", "9x9/hard-1", "sparse/9x9-1"],
}
AGENTS = {
    "ZenGarden-v0": ["random", "bfs", "astar"],
    "HuaRongDao-v0": ["random", "bfs", "astar", "hua-rong-dao-bfs"],
    "Kwirk-v0": ["random", "bfs", "astar"],
    "KwirkSteps-v0": ["random", "bfs", "astar"],
    "Skyscraper-v0": ["random", "astar", "skyscraper-exact"],
}
BUDGET = Budget(seconds=3, memory="1 GiB")
WARM_UP = Budget(seconds=60, expansions=1)
FILMED = "mixed/4"
FILM = Path("demo.gif")
FRAMES_PER_STEP = 12
FRAMES_PER_SECOND = 25


def main() -> None:
    """Solve, tabulate, film."""
    console = Console(width=100)
    console.print(f"puzzle-envs {puzzle_envs.__version__}: each agent has {BUDGET.seconds:.0f} s.")
    for id, levels in LEVELS.items():
        console.print(_table(id, levels))
    console.print("* proved optimal")
    console.print(f"Filming {FILMED}, as breadth-first search solves it ...")
    console.print(f"The episode is in {save_film(FILMED, FILM).resolve()}", soft_wrap=True)


def _table(id: str, levels: list[str]) -> Table:
    """What each agent makes of each level."""
    columns = ("level", "optimum", "agent", "status", "moves", "expanded", "seconds")
    table = Table(*columns, title=id)
    for name in track(levels, description=f"{id} ...", transient=True):
        env = gymnasium.make(id, level=name).unwrapped
        assert isinstance(env, PuzzleEnv)
        _, info = env.reset()
        optimum = "none" if env.level.solvable is False else str(info.get("optimum", "unknown"))
        for agent in AGENTS[id]:
            make(agent, WARM_UP).solve(env)  # compiles, so that the clock does not count it
            table.add_row(name, optimum, *_row(agent, make(agent, BUDGET).solve(env)))
        table.add_section()
    return table


def _row(agent: str, result: Result) -> list[str]:
    moves = "" if result.moves is None else f"{result.moves}{' *' * result.proved_optimal}"
    return [agent, result.status, moves, f"{result.expanded:,}", f"{result.seconds:.2f}"]


def save_film(level: str, path: Path) -> Path:
    """Save the breadth-first solution of a level as an animation."""
    env = gymnasium.make("ZenGarden-v0", level=level).unwrapped
    assert isinstance(env, PuzzleEnv)
    env.reset()
    actions = make("bfs", BUDGET).solve(env).actions
    frames = film(env, actions, FRAMES_PER_STEP, hold=FRAMES_PER_SECOND)
    return save_gif(path, frames, FRAMES_PER_SECOND)


if __name__ == "__main__":
    main()
