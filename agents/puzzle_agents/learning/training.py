"""Training runs: one folder each, which goes on where it was when it is started again."""

from __future__ import annotations

import itertools
import sys
import time
from collections import deque
from dataclasses import replace
from pathlib import Path

import gymnasium
import numpy as np
import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

from puzzle_agents.learning.actions import places_of
from puzzle_agents.learning.algorithms import build, check
from puzzle_agents.learning.config import TAUGHT, Config, read_config, write_config
from puzzle_agents.learning.curve import Point, write_curve
from puzzle_agents.learning.evaluation import evaluate
from puzzle_agents.learning.levels import levels_of
from puzzle_agents.learning.model_file import Card, Model, puzzle_of, save_model
from puzzle_agents.learning.teaching import TaughtVecEnv
from puzzle_agents.learning.vec_env import PuzzleVecEnv, to_sb3
from puzzle_envs.files import whole_file
from puzzle_envs.vector import PuzzleVectorEnv

__all__ = ["MODEL", "Training", "resume", "train"]

CONFIG, CHECKPOINT, MODEL = "config.json", "checkpoint.pt", "policy.model"
WINDOW = 2_000
"""Episodes that have to be over on a stage before the next may begin."""


def train(config: Config, folder: Path, command: str = "") -> Path:
    """Train a model from scratch; return its file.

    Args:
        config: Everything that decides the run.
        folder: Where all of it is written; it may not hold a run yet.
        command: What a person typed, for the model's card.
    """
    if (folder / CONFIG).exists():
        raise FileExistsError(f"{folder} holds a run already: resume it, or name another folder.")
    training = Training(config, folder, command)  # what cannot be trained leaves no folder behind
    folder.mkdir(parents=True, exist_ok=True)
    write_config(folder / CONFIG, config)
    return training.run()


def resume(folder: Path, command: str = "") -> Path:
    """Go on with a run where its last checkpoint was; return the model's file.

    A checkpoint does not hold the transitions that dqn has in mind: it gathers new ones first.
    """
    return Training(read_config(folder / CONFIG), folder, command).run()


class Training:
    """A run, from its last checkpoint on if there is one."""

    def __init__(self, config: Config, folder: Path, command: str = "") -> None:
        """Draw the levels and make the model."""
        check(config.algorithm, config.arguments)  # before levels are made, which takes a while
        self.config, self.folder, self._command = config, folder, command
        self._puzzle = puzzle = puzzle_of(config.env).configured(**config.options)
        self._stages = [levels_of(puzzle, stage, config.seed) for stage in config.stages]
        self._validation = [
            level for name in config.validation for level in puzzle.format.find_all(name)
        ]
        self._levels = list(itertools.chain(*self._stages, self._validation))
        vector = self._environment()
        planes, height, width = vector.single_observation_space.shape or (0, 0, 0)
        self.card = Card(
            algorithm=config.algorithm,
            env=config.env,
            options=dict(config.options),
            planes=planes,
            height=height,
            width=width,
            actions=int(vector.single_action_space.n),
            trunk=dict(config.trunk),
        )
        self.vec_env = VecMonitor(self._rewarding(to_sb3(vector)))
        self.model = build(
            config.algorithm,
            self.vec_env,
            places_of(puzzle.format.puzzle, self.card.actions, height, width),
            trunk=config.trunk,
            half=config.half,
            arguments=config.arguments,
            seed=config.seed,
            tensorboard=str(folder / "tensorboard"),
        )
        self.stage = 0
        self.curve: list[Point] = []
        if (folder / CHECKPOINT).exists():
            self._take_up()
        self._began = time.perf_counter() - (self.curve[-1].seconds if self.curve else 0.0)

    def _rewarding(self, vec_env: PuzzleVecEnv) -> VecEnv:
        """The same episodes with the rewards of this run."""
        if self.config.reward != TAUGHT:
            return vec_env
        return TaughtVecEnv(vec_env, self._levels)

    def _environment(self) -> PuzzleVectorEnv:
        """Episodes whose spaces hold the levels of all stages and those of validation."""
        config = self.config
        vector = gymnasium.make_vec(
            config.env,
            config.envs,
            levels=self._levels,
            autoreset_mode="SameStep",
            max_episode_steps=config.longest,
            reward="sparse" if config.reward == TAUGHT else config.reward,
            **config.options,
        ).unwrapped
        assert isinstance(vector, PuzzleVectorEnv)
        return vector

    def run(self) -> Path:
        """Train to the end; return the model's file."""
        left = self.config.steps - self.model.num_timesteps
        if left > 0:
            with RunCallback(self) as callback:
                # With reset_num_timesteps=False Stable-Baselines3 adds what it has done before.
                self.model.learn(left, callback=callback, reset_num_timesteps=False)
            self.measure(float("nan"))
        return self.folder / MODEL

    def begin_stage(self, stage: int) -> None:
        """Draw levels from another stage from now on."""
        self.stage = stage
        self.vec_env.set_options({"levels": self._stages[stage]})

    @property
    def is_last_stage(self) -> bool:
        """Whether there is no harder one."""
        return self.stage + 1 == len(self._stages)

    def measure(self, training: float) -> None:
        """Play the validation levels, and write everything down."""
        model = Model(self.card)
        model.policy.load_state_dict(self.model.policy.state_dict())
        found = evaluate(
            model.scores,
            self._puzzle,
            self._validation,
            room=self.card.room,
            longest=self.config.longest,
        )
        steps, seconds = self.model.num_timesteps, time.perf_counter() - self._began
        self.curve.append(
            Point(steps, self.stage, training, found.rate(1), found.over_optimum, seconds)
        )
        self._write()

    def _write(self) -> None:
        """The model, the curve, and last the checkpoint that they belong to."""
        last = self.curve[-1]
        training = {
            "command": self._command,
            "seed": self.config.seed,
            "steps": last.steps,
            "seconds": round(last.seconds),
            "longest": self.config.longest,
            "validation": last.validation,
        }
        weights = self.model.policy.state_dict()
        save_model(self.folder / MODEL, replace(self.card, training=training), weights)
        write_curve(self.folder, self.curve)
        optimizer = self.model.policy.optimizer
        checkpoint = {
            "policy": weights,
            "optimizer": optimizer.state_dict(),
            "steps": last.steps,
            "stage": self.stage,
            "curve": [list(point) for point in self.curve],
        }
        with whole_file(self.folder / CHECKPOINT) as file:
            torch.save(checkpoint, file)

    def _take_up(self) -> None:
        """Go on where the last checkpoint was; it holds numbers only, and runs no code."""
        checkpoint = torch.load(self.folder / CHECKPOINT, weights_only=True)
        self.model.policy.load_state_dict(checkpoint["policy"])
        self.model.policy.optimizer.load_state_dict(checkpoint["optimizer"])
        self.model.num_timesteps = checkpoint["steps"]
        self.stage = checkpoint["stage"]
        self.curve = [Point(*values) for values in checkpoint["curve"]]
        # Other chance than at the beginning, or the run would see the same episodes again.
        self.model.set_random_seed(self.config.seed + checkpoint["steps"])


class RunCallback(BaseCallback):
    """Moves on from stage to stage, measures, and shows how far the run has come."""

    def __init__(self, training: Training) -> None:
        """Belong to a run."""
        super().__init__()
        self._run = training
        self._solved: deque[bool] = deque(maxlen=WINDOW)
        self._next = self._due(training.model.num_timesteps)
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(),
            console=Console(stderr=True), disable=not sys.stderr.isatty(),
        )  # fmt: skip
        self._promoted = False
        self._task = self._progress.add_task("", total=training.config.steps)

    def _due(self, steps: int) -> int:
        every = self._run.config.evaluate_every
        return (steps // every + 1) * every

    def __enter__(self) -> RunCallback:
        """Show the bar."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take it away."""
        self._progress.stop()

    def _on_training_start(self) -> None:
        self._begin_stage(self._run.stage)

    def _begin_stage(self, stage: int) -> None:
        """Start all episodes anew, on the levels of this stage."""
        self._run.begin_stage(stage)
        self._solved.clear()
        self.model._last_obs = self.training_env.reset()  # type: ignore[assignment]
        self.model._last_episode_starts = np.ones(self.training_env.num_envs, np.bool_)

    def _on_step(self) -> bool:
        self._solved += [info["is_success"] for info in self.locals["infos"] if info]
        return True

    @property
    def success(self) -> float:
        """The share of the last episodes that were solved."""
        return sum(self._solved) / len(self._solved) if self._solved else float("nan")

    def _on_rollout_end(self) -> None:
        run = self._run
        enough = len(self._solved) == WINDOW and self.success >= run.config.threshold
        if self.num_timesteps >= self._next:
            run.measure(self.success)
            self._next = self._due(self.num_timesteps)
        self.logger.record("rollout/solved", self.success)
        self.logger.record("curriculum/stage", run.stage)
        self._progress.update(
            self._task,
            completed=self.num_timesteps,
            description=f"stage {run.stage + 1}, {self.success:.0%} of episodes solved",
        )
        self._promoted = enough and not run.is_last_stage

    def _on_rollout_start(self) -> None:
        if self._promoted:
            self._promoted = False
            self._begin_stage(self._run.stage + 1)
