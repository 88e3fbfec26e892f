"""Trained policies as agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

import puzzle_agents.learning.extra  # noqa: F401 (says what is missing)
from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.learning.card import check_fits
from puzzle_agents.learning.card_file import file_for
from puzzle_agents.learning.evaluation import temperatures
from puzzle_agents.learning.model_file import Model
from puzzle_agents.learning.models import model_of, pretrained_for
from puzzle_agents.progress import Progress
from puzzle_envs.codec import Shape
from puzzle_envs.common.arguments import number, one_of, shown, whole, whole_or_none
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.episodes.batch import Batch, State
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle

__all__ = ["MODES", "PolicyAgent"]

MODES = ("sample", "greedy", "beam")
LONGEST = 1000
"""Default episode length limit in actions."""
COLDEST = 1e-6
"""Lower bound of temperatures, where sampling is deterministic."""


class PolicyAgent(Agent):
    """Follows a trained policy network, whichever algorithm trained it.

    "greedy" plays the best action each time; "sample" plays several episodes, sampling actions from
    the policy (later episodes at higher temperatures, up to `hottest`, and in other symmetric views
    of the board), and returns the shortest solution; "beam" keeps the most likely action sequences,
    without duplicate states, and stops at the first solution. Use it to compare learning with
    search under equal budgets.

    Guarantees nothing: no solution, no length, never a proof of `unsolvable`. `expanded` counts
    actions taken.
    """

    name: ClassVar[str] = "maskable-ppo"
    warming: ClassVar[int] = 500

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        model: str | Path | Model | None = None,
        mode: str = "sample",
        width: int = 10,
        hottest: float | None = None,
        longest: int | None = None,
        seed: int | None = 0,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            model: A run's folder, a file, a pretrained model's name, or a loaded model; None for
                the pretrained one that fits the environment.
            mode: "sample", "greedy" or "beam".
            width: Number of sampled episodes, or beam width.
            hottest: Temperature of the last of several samples; the first has 1. None for the
                model's own.
            longest: Episode length limit in actions; None for that of training.
            seed: Random seed of samples; None draws one from the system.
        """
        super().__init__(budget)
        one_of("mode", mode, MODES)
        self.mode, self.width = mode, whole("width", width, 1, 10**12)
        self.longest = whole_or_none("longest", longest, 1, 10**12)
        self.seed = whole_or_none("seed", seed, 0)
        if hottest is not None:
            number("hottest", hottest, COLDEST, 1 / COLDEST)
        self.hottest = hottest
        if not isinstance(model, str | Path | Model | None):
            raise TypeError(
                f"model must be a folder, a file, a name or a Model, not {shown(model)}."
            )
        self._model = model_of(str(model)) if isinstance(model, str | Path) else model

    def model_for(self, env: PuzzleEnv) -> Model:
        """The model given, or the pretrained one that fits."""
        if self._model is not None:
            return self._model.for_levels([env.level])
        return pretrained_for(env.puzzle, env.level)

    def training_for(self, env: PuzzleEnv) -> Mapping[str, Any]:
        """What the card of the model that plays says."""
        return self.model_for(env).card.training

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject puzzles and boards that the model does not support."""
        super().check(puzzle, level)
        if self._model is None:
            file_for(puzzle, level)
            return
        card = self._model.card
        form = card.puzzle_for(puzzle).format
        card.check_plays(form, [level])

    def _plan(self, env: PuzzleEnv) -> Result:
        model = self.model_for(env)
        beam, width = self.mode == "beam", 1 if self.mode == "greedy" else self.width
        if model.card.bytes_of(width) > self.budget.bytes:
            return Result(Status.OUT_OF_MEMORY)
        hottest = self.hottest or model.card.hottest
        play = _Play(env, model, width, hottest, distinct=beam)
        longest = self.longest or model.card.longest(LONGEST)
        random = np.random.default_rng(self.seed)

        def run(_: int) -> Status | None:
            if (beam and play.solution is not None) or not play.courses or play.steps == longest:
                return Status.GAVE_UP if play.solution is None else Status.SOLVED
            scores, most = play.scores(), self._left(play.taken)
            if beam:
                chosen = play.likeliest(scores, most)
            else:
                if self.mode == "sample":
                    scores = scores / play.heat() + random.gumbel(size=scores.shape)
                best = scores.argmax(axis=1)[:most]
                chosen = [_Choice(course, action) for course, action in enumerate(best.tolist())]
            play.go_on(chosen)
            return None

        status = self._in_slices(run, lambda: Progress(play.taken, generated=play.taken))
        if play.solution is None:
            return Result(status, expanded=play.taken, generated=play.taken)
        plan, moves = play.solution
        actions = in_own_actions(env, model, plan)
        return Result(Status.SOLVED, actions, moves, expanded=play.taken, generated=play.taken)

    def _left(self, taken: int) -> int | None:
        """Number of actions left in the budget; None for no limit."""
        limit = self.budget.steps
        return None if limit is None else limit - taken


class _Choice(NamedTuple):
    """An action to take in one of the sequences."""

    course: int
    action: int
    likelihood: float = 0.0


class _Course(NamedTuple):
    """A sequence of actions from the environment's state."""

    state: State
    actions: tuple[int, ...]
    likelihood: float
    """Log probability of the sequence."""
    planes: npt.NDArray[np.int8]
    mask: npt.NDArray[np.int8]
    heat: float
    """Its temperature."""
    side: int
    """Its view of the board."""


class _Play:
    """Parallel action sequences, on a board of the model's size."""

    def __init__(
        self, env: PuzzleEnv, model: Model, width: int, hottest: float, *, distinct: bool
    ) -> None:
        self._model, self._width, self._distinct = model, width, distinct
        self._batch = board_of(env, model, width)
        start = env.get_state()._replace(level=0)
        self._moves_before = start.moves
        samples = 1 if distinct else width
        sides = model.sides(env.level, samples)
        frame = self._batch.restore_all(dict.fromkeys(range(width), start))
        self.courses = [
            _Course(start, (), 0.0, frame.planes[0], frame.masks[0], heat, side)
            for heat, side in zip(
                temperatures(samples, hottest).tolist(), sides.tolist(), strict=True
            )
        ]
        self.taken = self.steps = 0
        """Actions taken in all sequences; length of the longest sequence."""
        self.solution: tuple[tuple[int, ...], int] | None = None
        """Actions and number of moves of the best solution."""
        if frame.outcomes["solved"][0]:
            self.courses, self.solution = [], ((), 0)

    def scores(self) -> npt.NDArray[np.float64]:
        """Log probabilities of each sequence's actions."""
        planes = np.stack([course.planes for course in self.courses])
        masks = np.stack([course.mask for course in self.courses])
        sides = np.array([course.side for course in self.courses])
        return self._model.scores(planes, masks, sides)

    def heat(self) -> npt.NDArray[np.float64]:
        """Temperature of each sequence."""
        return np.array([course.heat for course in self.courses])[:, None]

    def likeliest(self, scores: npt.NDArray[np.float64], most: int | None) -> list[_Choice]:
        """The most likely continuations of all sequences, at most the beam width."""
        before = np.array([course.likelihood for course in self.courses])
        together = (before[:, None] + scores).ravel()
        order = np.argsort(-together, kind="stable")[: self._width][:most]
        chosen = order[np.isfinite(together[order])]
        return [
            _Choice(number // scores.shape[1], number % scores.shape[1], together[number])
            for number in chosen.tolist()
        ]

    def go_on(self, chosen: Sequence[_Choice]) -> None:
        """Take these actions; their results replace all sequences."""
        before = [self.courses[choice.course] for choice in chosen]
        self._batch.restore_all({index: course.state for index, course in enumerate(before)})
        actions = np.zeros(self._width, np.int64)
        actions[: len(chosen)] = [choice.action for choice in chosen]
        frame = self._batch.advance(actions)
        self.courses, seen = [], set()
        for index, (course, choice) in enumerate(zip(before, chosen, strict=True)):
            outcome, plan = frame.outcomes[index], (*course.actions, choice.action)
            key = self._batch.key(index)
            if outcome["solved"]:
                self._note_solution(plan, int(outcome["moves"]) - self._moves_before)
            elif frame.masks[index].any() and not (self._distinct and key in seen):
                seen.add(key)
                state = self._batch.state(index)
                self.courses.append(
                    _Course(
                        state,
                        plan,
                        choice.likelihood,
                        frame.planes[index],
                        frame.masks[index],
                        course.heat,
                        course.side,
                    )
                )
        self.taken += len(chosen)
        self.steps += 1

    def _note_solution(self, actions: tuple[int, ...], moves: int) -> None:
        if self.solution is None or moves < self.solution[1]:
            self.solution = actions, moves


def board_of(env: PuzzleEnv, model: Model, width: int) -> Batch:
    """Episodes on the environment's level, padded to the model's board."""
    puzzle, words = model.card.puzzle_for(env.puzzle), len(env.get_state().words)
    check_fits(model.card.room, puzzle.format, [env.level])
    return Batch(puzzle, [env.level], width, room=model.card.room, words=words)


def in_own_actions(env: PuzzleEnv, model: Model, actions: Sequence[int]) -> list[int]:
    """Translate actions on the model's board to the environment's numbering."""
    codec, room = model.card.puzzle_for(env.puzzle).codec, model.card.room
    shape = env.puzzle.format.shape(env.level.record)
    _, height, width = env.planes.shape
    own = Shape(int(env.action_space.n), height, width)
    numbers = dict(zip(codec.numbers_in(room, shape), codec.numbers_in(own, shape), strict=True))
    return [int(numbers[action]) for action in actions]
