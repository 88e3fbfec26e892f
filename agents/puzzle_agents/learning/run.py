"""The training loop: levels, environments, network, evaluations and checkpoints."""

from __future__ import annotations

import itertools
import os
import shlex
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import gymnasium
import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

from puzzle_agents.learning.algorithms import build, check
from puzzle_agents.learning.asking import AskingVecEnv
from puzzle_agents.learning.card import Card, ModelError
from puzzle_agents.learning.card_file import MODEL
from puzzle_agents.learning.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from puzzle_agents.learning.cloning import learn, lessons, levels_to_show, teacher_of
from puzzle_agents.learning.config import DAGGER, TAUGHT, Config
from puzzle_agents.learning.curve import Point, write_curve
from puzzle_agents.learning.evaluation import Evaluation, evaluate
from puzzle_agents.learning.levels import PERIOD, Stage
from puzzle_agents.learning.memory import keep_freed_memory
from puzzle_agents.learning.model_file import Model, save_model
from puzzle_agents.learning.models import model_of
from puzzle_agents.learning.solutions import SolutionVecEnv
from puzzle_agents.learning.teaching import TeachingVecEnv
from puzzle_agents.learning.training_job import CHECKPOINT
from puzzle_agents.learning.vec_env import PuzzleVecEnv, to_sb3
from puzzle_agents.progress_bar import ProgressBar
from puzzle_envs.level import Level
from puzzle_envs.vector import PuzzleVectorEnv

WINDOW = 2_000
"""Number of episodes whose success is shown."""
GAIN = 0.01
"""A smaller gain in the share of validation levels solved is no progress."""


class Run:
    """A training run, resumed from its last checkpoint if there is one."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        command: str,
        threads: int | None,
        say: Callable[[str], None],
    ) -> None:
        """Create the levels and the model."""
        check(
            config.algorithm, config.arguments
        )  # fail before generating levels, which takes a while
        if threads is not None:
            torch.set_num_threads(threads)
        keep_freed_memory()
        self.config, self.folder, self.say = config, folder, say
        self._command, self._threads = command, threads
        self._puzzle = puzzle = config.puzzle
        resumed = (folder / CHECKPOINT).exists()
        start = None if resumed or config.start is None else start_of(config)
        self._stages = [Stage(puzzle, stage, config.seed) for stage in config.stages]
        self._levels: list[Level] = []
        for number, stage in enumerate(self._stages, start=1):
            say(f"Generating the levels of stage {number} of {len(self._stages)}: {stage.text}.")
            self._levels += stage.levels(0)
        self._sets = {name: puzzle.format.find_all(name) for name in config.validation}
        self._validation = list(itertools.chain(*self._sets.values()))
        self._levels += self._validation
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
        self._vector = vector
        self._teacher = None if config.teacher is None else teacher_of(config)
        self._taught: TeachingVecEnv | None = None
        self._episodes = to_sb3(vector, self.card.legal_planes)
        self.vec_env = VecMonitor(self._rewarding(self._episodes))
        self.model = build(
            config.algorithm,
            self.vec_env,
            self.card.puzzle.codec,
            trunk=config.trunk,
            half=config.half,
            arguments=config.arguments,
            seed=config.seed,
            tensorboard=str(folder / "tensorboard"),
        )
        self.stage = 0
        self.curve: list[Point] = []
        self._began = time.perf_counter()
        self._before = 0
        if start is not None:
            self._begin_with(start)
        if resumed:
            self._take_up()

    def _rewarding(self, vec_env: PuzzleVecEnv) -> VecEnv:
        """The same episodes with the run's rewards."""
        if self.config.reward == TAUGHT:
            self._taught = SolutionVecEnv(vec_env, self._levels)
        elif self.config.algorithm == DAGGER and self._teacher is not None:
            self._taught = AskingVecEnv(vec_env, self._teacher, self._levels)
        return self._taught or vec_env

    def _environment(self) -> PuzzleVectorEnv:
        """Episodes with spaces that fit the levels of all stages and of validation."""
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

    def to_the_end(self) -> Path:
        """Train; return the model's file. Signals take effect after a checkpoint."""
        with _waiting_signals() as signals:
            for _ in self.points(signals, bar=True):
                pass
            if self.model.num_timesteps >= self.config.steps:
                signals.clear()  # it is at its end
        return self.folder / MODEL

    def points(self, signals: Sequence[int] = (), *, bar: bool = False) -> Iterator[Point]:
        """Train from one measurement to the next; yield each after everything is saved.

        Each stretch begins as it would in a new process that resumes from the last checkpoint, so
        an interrupted run gives the same model as an uninterrupted one.

        Args:
            signals: Signals received; if there are any, training ends after a checkpoint.
            bar: Whether to show a progress bar.
        """
        total, model = self.config.steps, self.model
        if model.num_timesteps >= total:
            self.say(f"The run is complete: {model.num_timesteps:,} of {total:,} actions.")
            if not (self.folder / MODEL).exists():
                self._write(model.num_timesteps)
            return
        self.say(
            f"Training {self.config.algorithm} from action {model.num_timesteps:,} to "
            f"{total:,}, in {self.folder}."
        )
        clones = self._teacher is not None and self.config.algorithm != DAGGER
        if clones and model.num_timesteps == 0:
            if not self._clone(signals):
                return
            yield self.measure(float("nan"))
        with RunCallback(self, signals, bar) as callback:
            while model.num_timesteps < total:
                # With reset_num_timesteps=False Stable-Baselines3 adds the steps done before.
                left = total - model.num_timesteps
                model.learn(left, callback=callback, reset_num_timesteps=False)
                model.num_timesteps = callback.learned_from
                if signals and model.num_timesteps < total:
                    self._save_on_signal(callback.learned_from)
                    return
                yield self.measure(callback.success)

    def _clone(self, signals: Sequence[int]) -> bool:
        """Learn from the teacher; return False if a signal interrupted it."""
        config, model, teacher = self.config, self.model, self._teacher
        assert teacher is not None
        model.set_random_seed(config.seed)
        random = np.random.default_rng(config.seed)
        discount = float(getattr(model, "gamma", 1.0))
        parts = lessons(
            teacher,
            self._puzzle,
            levels_to_show(config),
            config,
            room=self.card.room,
            discount=discount,
        )
        for pairs in parts:
            if signals:
                self.say("Stopped while learning from the teacher; a resumed run starts over.")
                return False
            pairs = pairs._replace(planes=self._episodes.seen(pairs.planes, pairs.masks))
            learn(model, pairs, random, valued=config.reward != TAUGHT)
            model.num_timesteps += len(pairs.actions)
        teacher.costs["demonstrated"] = model.num_timesteps
        self.say(
            f"Learned from {model.num_timesteps:,} actions of {config.teacher}, which solved "
            f"{teacher.costs['solved']:,} levels and failed on {teacher.costs['failed']:,}."
        )
        return True

    def _save_on_signal(self, steps: int) -> None:
        """Save a checkpoint; actions of an unfinished rollout are repeated."""
        self._write(steps)
        threads = [] if self._threads is None else ["--threads", str(self._threads)]
        again = shlex.join(["puzzle-envs", "train", "--resume", str(self.folder), *threads])
        self.say(f"Saved after {steps:,} of {self.config.steps:,} actions. Resume with: {again}")

    def begin(self) -> None:
        """Draw from the current levels of the stage."""
        levels = self._levels_now()
        self.vec_env.set_options({"levels": levels})

    def renew(self) -> None:
        """Replace levels of the stage that are due; running episodes continue."""
        if self._stages[self.stage].moves:
            self._vector.draw_from(self._levels_now())

    def _levels_now(self) -> list[Level]:
        levels = self._stages[self.stage].levels(self.model.num_timesteps)
        if self._taught is not None:
            self._taught.teach(levels)
        return levels

    def measure(self, training: float) -> Point:
        """Evaluate on the validation levels, climb, and save everything."""
        model = Model(self.card)
        model.policy.load_state_dict(self.model.policy.state_dict())
        found = evaluate(
            model.scores,
            self._puzzle,
            self._validation,
            room=self.card.room,
            longest=self.config.longest,
        )
        shares = self._shares(found)
        steps, seconds = self.model.num_timesteps, time.perf_counter() - self._began
        point = Point(
            steps,
            self.stage,
            training,
            found.rate(1),
            self._climbed(shares, self.stage),
            found.over_optimum,
            seconds,
        )
        self.curve.append(point)
        listed = ", ".join(f"{share:.0%} of {name}" for name, share in shares.items())
        self.say(f"{steps:,} of {self.config.steps:,} actions, stage {self.stage + 1}: {listed}.")
        self._climb(shares)
        self._write(steps)
        return point

    def _shares(self, found: Evaluation) -> dict[str, float]:
        """The share solved of each validation set."""
        ends = np.cumsum([len(levels) for levels in self._sets.values()])
        parts = np.split(found.solved[:, 0], ends[:-1])
        return {name: float(part.mean()) for name, part in zip(self._sets, parts, strict=True)}

    def _climbed(self, shares: Mapping[str, float], stage: int) -> float:
        """The share solved of the sets that decide when a stage is over."""
        bin = self._stages[stage].climbed
        own = [share for name, share in shares.items() if name.partition("/")[2] == bin]
        return float(np.mean(own or list(shares.values())))

    def _climb(self, shares: Mapping[str, float]) -> None:
        """Advance to the next stages if these are solved well enough, or no longer improve."""
        last = len(self._stages) - 1
        if self.stage < last and self._stands_still():
            self.stage += 1
        while self.stage < last and self._climbed(shares, self.stage) >= self.config.threshold:
            self.stage += 1

    def _stands_still(self) -> bool:
        """Whether the measurements on this stage have shown no progress for long."""
        since, best = 0, -1.0
        for point in self.curve:
            if point.stage != self.stage:
                continue
            since = 0 if point.climbed >= best + GAIN else since + 1
            best = max(best, point.climbed)
        return since >= self.config.patience

    def _write(self, steps: int) -> None:
        """Write the model, the curve and, last, their checkpoint."""
        seconds = time.perf_counter() - self._began
        training = {
            "command": self._command,
            "seed": self.config.seed,
            "steps": steps,
            "seconds": round(seconds),
            "longest": self.config.longest,
            "stages": [stage.text for stage in self._stages[: self.stage + 1]],
            "validation": self.curve[-1].validation if self.curve else None,
        }
        if self._teacher is not None:
            training["teacher"] = {"agent": self.config.teacher, **self._teacher.costs}
        if self._before:
            training["start"] = {"model": self.config.start, "steps": self._before}
        policy = self.model.policy
        weights = policy.state_dict()
        save_model(self.folder / MODEL, replace(self.card, training=training), weights)
        write_curve(self.folder, self.curve)
        write_checkpoint(
            self.folder / CHECKPOINT,
            Checkpoint(
                weights,
                policy.optimizer.state_dict(),
                steps,
                self.stage,
                self.curve,
                seconds,
                {} if self._teacher is None else self._teacher.costs,
                self._before,
            ),
        )

    def _begin_with(self, start: Model) -> None:
        """Take the weights of a model, the time of whose training counts as this run's."""
        if not start.card.fits_all_sizes and start.card.room != self.card.room:
            raise ModelError(
                f"'start': {self.config.start} is for boards of {start.card.width} by "
                f"{start.card.height}, and these levels need {self.card.width} by "
                f'{self.card.height}; only networks of the kind "relative" fit all sizes.'
            )
        self.model.policy.load_state_dict(start.policy.state_dict())
        training = start.card.training
        self._began -= training.get("seconds", 0)
        self._before = training.get("steps", 0) + training.get("start", {}).get("steps", 0)

    def _take_up(self) -> None:
        """Resume from the last checkpoint."""
        policy = self.model.policy
        found = read_checkpoint(self.folder / CHECKPOINT, policy, len(self._stages))
        policy.load_state_dict(found.policy)
        policy.optimizer.load_state_dict(found.optimizer)
        self.model.num_timesteps, self.stage, self.curve = found.steps, found.stage, found.curve
        self._began -= found.seconds
        self._before = found.before
        if self._teacher is not None:
            self._teacher.costs.update(found.teaching)


def start_of(config: Config) -> Model:
    """The model that a run begins with; a ModelError if its network is another."""
    assert config.start is not None
    model = model_of(config.start)
    for name in ("env", "options", "algorithm", "trunk"):
        own, other = getattr(config, name), getattr(model.card, name)
        if own != other:
            raise ModelError(
                f"'start': '{name}' of {config.start} is {other!r:.80}, and that of this run is "
                f"{own!r:.80}."
            )
    return model


@contextmanager
def _waiting_signals() -> Iterator[list[int]]:
    """Collect Ctrl-C and SIGTERM until the end; a second one acts at once."""
    signals: list[int] = []
    before: dict[int, Any] = {}

    def note(number: int, _: FrameType | None) -> None:
        if signals:
            signal.signal(number, before[number])
            signal.raise_signal(number)
        signals.append(number)
        with suppress(OSError):  # print might be in the middle of a line
            os.write(2, b"Stopping as soon as a checkpoint is saved; again: at once, without it.\n")

    if (
        threading.current_thread() is threading.main_thread()
    ):  # only the main thread may set handlers
        for one in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(one) not in (signal.SIG_IGN, None):
                before[one] = signal.signal(one, note)
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if signals:
        signal.raise_signal(signals[0])


class RunCallback(BaseCallback):
    """Ends a stretch of training, replaces levels, shows the progress of the run."""

    def __init__(self, run: Run, signals: Sequence[int], bar: bool) -> None:
        """Attach to a run; end it on a signal."""
        super().__init__()
        self._run, self._signals = run, signals
        self.learned_from = run.model.num_timesteps
        """Actions that the network has learned from: all before the current rollout."""
        self.success = float("nan")
        """The share of the last episodes that were solved, when the last rollout ended."""
        self._solved: deque[bool] = deque(maxlen=WINDOW)
        self._bar = ProgressBar(shown=bar)
        self._stopped = False
        self._period = 0
        self._log: Logger | None = None

    def __enter__(self) -> RunCallback:
        """Show the progress bar."""
        self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the progress bar; close the log, also if training ends early."""
        self._bar.__exit__()
        if self._log is not None:
            self._log.close()

    def _on_training_start(self) -> None:
        self._log = self.logger  # each stretch has its own
        steps, every = self.num_timesteps, self._run.config.evaluate_every
        self._next = (steps // every + 1) * every
        self._stopped, self.success = False, float("nan")
        # Each stretch has its own seeds, or it would see the same episodes as the one before.
        self.model.set_random_seed((self._run.config.seed + steps) % 2**32)
        self._period = steps // PERIOD
        self._run.begin()
        self._solved.clear()
        self.model._last_obs = self.training_env.reset()  # type: ignore[assignment]
        self.model._last_episode_starts = np.ones(self.training_env.num_envs, np.bool_)

    def _on_rollout_start(self) -> None:
        self.learned_from = self.num_timesteps
        if self.num_timesteps // PERIOD != self._period:
            self._period = self.num_timesteps // PERIOD
            self._run.renew()

    def _on_step(self) -> bool:
        self._solved += [info["is_success"] for info in self.locals["infos"] if info]
        self._stopped = bool(self._signals) or self.learned_from >= self._next
        return not self._stopped

    def _on_rollout_end(self) -> None:
        run = self._run
        if self._solved:
            self.success = sum(self._solved) / len(self._solved)
        self.logger.record("rollout/solved", self.success)
        self.logger.record("curriculum/stage", run.stage)
        solved = f"stage {run.stage + 1}, {self.success:.0%} of episodes solved"
        self._bar.show("steps", self.num_timesteps, run.config.steps, solved)

    def _on_training_end(self) -> None:
        self.logger.close()
        if not self._stopped:
            self.learned_from = self.num_timesteps
