"""The main job of a first visit: agents on bundled gardens, a table, and an episode as a GIF."""

from __future__ import annotations

from pathlib import Path

import gymnasium
from rich.console import Console
from rich.table import Table

import puzzle_envs
from puzzle_agents import Budget, Result, make
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.rendering.gif import save_gif

LEVELS = [
    "first-steps/1",
    "first-steps/8",
    "rocks/1",
    "rocks/6",
    "ornaments/3",
    "leaves/4",
    "mixed/4",
    "large/1",
]
AGENTS = ["random", "bfs"]
BUDGET = Budget(seconds=5, memory="1 GiB")
FILMED = "mixed/4"
FILM = Path("demo.gif")
FRAMES_PER_STEP = 12
FRAMES_PER_SECOND = 25


def main() -> None:
    """Solve, tabulate, film."""
    console = Console()
    console.print(f"puzzle-envs {puzzle_envs.__version__}: each agent has {BUDGET.seconds:.0f} s.")
    table = Table("level", "optimum", "agent", "status", "moves", "expanded", "seconds")
    for name in LEVELS:
        env = gymnasium.make("ZenGarden-v0", level=name)
        _, info = env.reset()
        optimum = str(info.get("optimum", "unknown"))
        for agent in AGENTS:
            console.print(f"  {name}: {agent} ...", highlight=False)
            table.add_row(name, optimum, *_row(agent, make(agent, BUDGET).solve(env)))
        table.add_section()
    console.print(table)
    console.print(f"Filming {FILMED}, as breadth-first search solves it ...")
    console.print(f"The episode is in {film(FILMED, FILM).resolve()}", soft_wrap=True)


def _row(agent: str, result: Result) -> list[str]:
    moves = "" if result.moves is None else f"{result.moves}{' *' * result.proved_optimal}"
    return [agent, result.status, moves, f"{result.expanded:,}", f"{result.seconds:.2f}"]


def film(level: str, path: Path, cell: int = 48) -> Path:
    """Save the breadth-first solution of a level as an animation."""
    env = gymnasium.make(
        "ZenGarden-v0", level=level, render_mode="rgb_array", cell_pixels=cell
    ).unwrapped
    assert isinstance(env, PuzzleEnv)
    env.reset()
    result = make("bfs", BUDGET).solve(env)
    frames = [env.render()] * FRAMES_PER_SECOND
    for action in result.actions:
        env.step(action)
        frames += env.motion(FRAMES_PER_STEP)
    return save_gif(path, frames, FRAMES_PER_SECOND)


if __name__ == "__main__":
    main()
