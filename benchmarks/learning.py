"""Actions per CPU second while MaskablePPO trains, by network, and the environments' share."""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import torch
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from benchmarks.measuring import add_keep, keep
from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.algorithms import build
from puzzle_agents.learning.config import Config
from puzzle_agents.learning.levels import levels_of
from puzzle_agents.learning.memory import keep_freed_memory
from puzzle_agents.learning.presets import PRESETS
from puzzle_agents.learning.vec_env import to_sb3

ENVS, STEPS = 64, 64
SETS = {
    "zen-garden-ladder": "train/5x5",
    "hua-rong-dao-ladder": "train/11-20",
    "kwirk-ladder": "train/1-3",
    "skyscraper-ladder": "train/5x5",
}
"""Presets, with levels that need not be generated."""
BOARD = {"channels": 48, "blocks": 3, "lines": 16}
"""The network of earlier presets: convolutions over neighbours, measured as in earlier versions,
which gave freed memory back."""


class TimedVecEnv(VecEnvWrapper):
    """Adds up the time spent in calls."""

    seconds = 0.0

    def reset(self) -> VecEnvObs:
        """Start all episodes."""
        return self.venv.reset()

    def step_async(self, actions: Any) -> None:
        """Store the actions."""
        began = time.process_time()
        self.venv.step_async(actions)
        self.seconds += time.process_time() - began

    def step_wait(self) -> VecEnvStepReturn:
        """Apply the actions."""
        began = time.process_time()
        answer = self.venv.step_wait()
        self.seconds += time.process_time() - began
        return answer

    def env_method(self, *arguments: Any, **more: Any) -> list[Any]:
        """Ask for the legal actions."""
        began = time.process_time()
        answer = self.venv.env_method(*arguments, **more)
        self.seconds += time.process_time() - began
        return answer


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=3, help="number of rollouts to train on")
    add_keep(parser, "learning")
    given = parser.parse_args()
    torch.set_num_threads(1)
    rollouts = given.rollouts
    before = {name: measure(PRESETS[name], one, "board", rollouts) for name, one in SETS.items()}
    keep_freed_memory()
    table = Table("preset, network", "actions/s", "ratio", "environments and adapter")
    for name, levels in SETS.items():
        measured = {"board": before[name]}
        for network in ("preset", "MlpPolicy"):
            measured[network] = measure(PRESETS[name], levels, network, rollouts)
        for network, (rate, share) in measured.items():
            ratio = f"{rate / before[name][0]:.2f}"
            table.add_row(f"{name}, {network}", f"{rate:,.0f}", ratio, f"{100 * share:.1f} %")
    Console().print(table)
    if given.keep:
        keep("learning", [table])


def measure(config: Config, levels: str, network: str, rollouts: int) -> tuple[float, float]:
    """Actions per CPU second in training, and the environments' share of that time.

    The network is "board", "preset" for the preset's own, or Stable-Baselines3's "MlpPolicy".
    """
    puzzle = puzzle_of(config.env).configured(**config.options)
    vector = gymnasium.make_vec(
        config.env,
        ENVS,
        levels=levels_of(puzzle, levels, 0),
        autoreset_mode="SameStep",
        max_episode_steps=config.longest,
        **config.options,
    )
    timed = TimedVecEnv(to_sb3(vector))
    model = _model(config, timed, network)
    model.learn(ENVS * STEPS)  # exclude one-time costs
    timed.seconds, began = 0.0, time.process_time()
    model.learn(rollouts * ENVS * STEPS)
    seconds = time.process_time() - began
    return rollouts * ENVS * STEPS / seconds, timed.seconds / seconds


def _model(config: Config, timed: TimedVecEnv, network: str) -> Any:
    if network == "MlpPolicy":
        return MaskablePPO(network, timed, n_steps=STEPS, seed=0, device="cpu")
    trunk = BOARD if network == "board" else config.trunk
    return build(
        "maskable-ppo", timed, puzzle_of(config.env).codec, trunk=trunk, half=config.half,
        arguments=config.arguments, seed=0,
    )  # fmt: skip


if __name__ == "__main__":
    main()
