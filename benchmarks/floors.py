"""What an agent makes of a folder of Kwirk floors: the table of docs/kwirk_frontier.md.

    python -m benchmarks.floors FOLDER --agent portfolio --seconds 900

Each solution is played by keys in KwirkSteps-v0 before it is printed.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import gymnasium
from rich.console import Console

from puzzle_agents.agent import Agent, Budget, Result
from puzzle_agents.environments import make_env
from puzzle_agents.registry import make
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kwirk.codec import SWITCH
from puzzle_envs.kwirk.presses import key_presses

HEAD = ("floor", "status", "solved by", "CPU s", "pushes", "steps (switches)", "states", "MB")


class Attempt(NamedTuple):
    """A row of the table."""

    floor: str
    status: str
    solved_by: str
    seconds: float
    pushes: int | None
    keys: int
    """Steps and switches of the same solution."""
    switches: int
    states: int
    bytes: int

    def cells(self) -> tuple[str, ...]:
        """The row as texts."""
        steps = str(self.keys - self.switches or "")
        return (
            self.floor, self.status, self.solved_by, f"{self.seconds:.2f}", str(self.pushes or ""),
            f"{steps} ({self.switches})" if self.switches else steps, f"{self.states:,}",
            f"{self.bytes / 1e6:.1f}",
        )  # fmt: skip


def attempt(agent: Agent, path: Path) -> Attempt:
    """Let an agent solve a floor by pushes, and play what it found by keys."""
    env = make_env("Kwirk-v0", path)
    agent.warm_up(env)
    began = time.process_time()
    result = agent.solve(env)
    seconds = time.process_time() - began
    keys = _keys(env, path, result) if result.solved else []
    return Attempt(
        path.stem, result.status, getattr(result, "solved_by", ""), seconds, result.moves,
        len(keys), keys.count(SWITCH), result.unique, result.peak_bytes,
    )  # fmt: skip


def _keys(env: PuzzleEnv, path: Path, result: Result) -> list[int]:
    """The solution by keys, which solve the floor."""
    keys = key_presses(env.record, env.get_state().words, result.actions)
    played = gymnasium.make("KwirkSteps-v0", level=path, max_episode_steps=len(keys))
    played.reset()
    for key in keys:
        *_, info = played.step(key)
        if info["illegal"]:
            raise RuntimeError(f"{path}: the key {key} is illegal.")
    if not info["solved"]:
        raise RuntimeError(f"{path}: the keys do not solve the floor.")
    return keys


def main() -> None:
    """Print a table as Markdown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="level files, one floor each")
    parser.add_argument("--agent", default="portfolio", help="the agent's name")
    parser.add_argument("--seconds", type=float, default=900.0, help="limit of each attempt")
    parser.add_argument("--memory", default="4 GiB", help="limit of its tables")
    chosen = parser.parse_args()
    agent = make(chosen.agent, Budget(seconds=chosen.seconds, memory=chosen.memory))
    console = Console(soft_wrap=True)
    console.print(f"| {' | '.join(HEAD)} |", f"|{'---|' * len(HEAD)}", sep="\n", markup=False)
    for path in sorted(chosen.folder.glob("*.txt")):
        console.print(f"| {' | '.join(attempt(agent, path).cells())} |", markup=False)


if __name__ == "__main__":
    main()
