"""Episodes side by side: the part that single and vector environments have in common."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.codec import Shape
from puzzle_envs.common.arguments import one_of, several, shown, whole
from puzzle_envs.episodes import stepping
from puzzle_envs.episodes.sharing import Job
from puzzle_envs.episodes.workers import Workers
from puzzle_envs.level import Level, LevelError, LevelLike
from puzzle_envs.puzzle import Puzzle

__all__ = ["REWARDS", "Batch", "End", "Frame", "State"]

REWARDS = ("moves", "sparse", "dense")
"""The rewards, in the order of their numbers in the kernels."""

LARGEST_WORD, MOST_MOVES = 2**64 - 1, 2**31 - 1
"""What kernels have room for."""


class State(NamedTuple):
    """A state as `get_state` gives it: hashable, and enough to go on from.

    Illegal actions change nothing, so it does not count them.
    """

    level: int
    words: tuple[int, ...]
    moves: int
    effort: int = 0


class Frame(NamedTuple):
    """What a step shows of every episode, in arrays of its own: none is ever written again."""

    planes: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    outcomes: np.ndarray


class End(NamedTuple):
    """What a step earned and ended, in columns."""

    rewards: npt.NDArray[np.float64]
    flags: npt.NDArray[np.bool_]
    """What has terminated, and below it what is truncated."""

    @classmethod
    def of(cls, count: int) -> End:
        """Room for so many episodes."""
        return cls(np.empty(count), np.empty((2, count), np.bool_))


class Batch:
    """Episodes of one puzzle, each on a level of a set, all in the same arrays."""

    def __init__(
        self,
        puzzle: Puzzle,
        levels: Sequence[Level],
        count: int,
        *,
        reward: str = "moves",
        autoreset: int = stepping.DISABLED,
        limit: int = 0,
        threads: int = 1,
        room: Shape | None = None,
        words: int = 0,
    ) -> None:
        """Take the spaces from the largest of the levels, or from `room` where that is larger.

        So with the length of a state, and `words`.
        """
        one_of("reward", reward, REWARDS)
        puzzle.load_rules()
        self.puzzle, self.count = puzzle, count
        shapes = [puzzle.format.shape(level.record) for level in levels]
        sides = ([shape.height for shape in shapes], [shape.width for shape in shapes])
        self._largest = [levels[side.index(max(side))] for side in sides]
        if room is not None:
            shapes.append(room)
        self.shape = puzzle.format.joint_shape(shapes)
        self.words = max(words, *(puzzle.format.words(level.record) for level in levels))
        self._rewarded = REWARDS.index(reward)
        self._autoreset, self._limit = autoreset, limit
        self._states = np.zeros((count, self.words), np.uint64)
        self._episodes = np.zeros(count, stepping.EPISODE)
        planes = len(puzzle.codec.planes(self.shape))
        self.observed = (count, planes, self.shape.height, self.shape.width)
        """The shape of the observations of all episodes."""
        self._plane_bytes = math.prod(self.observed[1:])
        self._finals = self._arrays(count if autoreset == stepping.SAME_STEP else 1)
        self._workers = Workers(threads, count) if threads > 1 else None
        self.use_levels(levels)

    # --- levels -------------------------------------------------------------------------------

    def use_levels(self, levels: Sequence[Level]) -> None:
        """Draw from these levels from now on; they have to fit the spaces."""
        for level in levels:
            self._check_fit(level)
        records, templates = self._laid_out(levels)
        self._records, self._templates = records, templates
        self._drawable = len(levels)
        self._numbers = {level.name: number for number, level in enumerate(levels)}
        self._guests: dict[tuple[str, bytes], int] = {}
        self.levels = list(levels)
        self.names = np.array([level.name for level in levels], dtype=object)
        """The names of the levels by their numbers."""
        self.optima = np.array([_optimum(level) for level in levels], np.int64)
        """Their optima; -1 where one is not known."""

    def _laid_out(self, levels: Sequence[Level]) -> tuple[np.ndarray, npt.NDArray[np.int8]]:
        """Levels as kernels take them: records, and observations of what never changes."""
        records = np.array([level.record for level in levels], self.puzzle.format.dtype)
        self.puzzle.format.fit(records, self.shape)
        templates = np.empty((len(levels), self._plane_bytes), np.int8)
        stepping.paint_scenery(records, templates)
        return records, templates

    def numbers_of(self, wanted: Sequence[LevelLike | int]) -> list[int]:
        """The numbers of levels; those not in the set become guests: shown, not drawn."""
        return [
            found if isinstance(found, int) else self._number_of_guest(found)
            for found in [self._found(one) for one in wanted]  # all, before any becomes a guest
        ]

    def _found(self, wanted: Any) -> Level | int:
        """A level that fits, or its number if it is in the set."""
        if isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool):
            if not 0 <= wanted < len(self.levels):
                raise LevelError(
                    f"There are levels 0 to {len(self.levels) - 1}, not {shown(wanted)}."
                )
            return int(wanted)
        if isinstance(wanted, str) and wanted in self._numbers:
            return self._numbers[wanted]
        level = self.puzzle.choose(wanted, None)[0]
        self._check_fit(level)
        return level

    def _number_of_guest(self, level: Level) -> int:
        guest = (level.name, level.record.tobytes())
        if guest not in self._guests:
            records, templates = self._laid_out([level])
            self._records = np.concatenate([self._records, records])
            self._templates = np.concatenate([self._templates, templates])
            self.names = np.append(self.names, level.name)
            self.optima = np.append(self.optima, _optimum(level))
            self._guests[guest] = len(self.levels)
            self.levels.append(level)
        return self._guests[guest]

    def level_names(self) -> npt.NDArray[np.object_]:
        """The name of each episode's level."""
        names: npt.NDArray[np.object_] = self.names[self._episodes["level"]]
        return names

    def record(self, index: int) -> np.ndarray:
        """The level of an episode as the rules see it: an array of one record."""
        number = self._episodes["level"][index]
        return self._records[number : number + 1].copy()

    def _check_fit(self, level: Level) -> None:
        needed = self.puzzle.format.shape(level.record)
        fits = all(one <= room for one, room in zip(needed, self.shape, strict=True))
        if not fits or self.puzzle.format.words(level.record) > self.words:
            raise LevelError(
                f"'{level.name}' ({needed.width} by {needed.height}) does not fit an environment "
                f"made for levels up to {self.shape.width} by {self.shape.height}; make one with "
                "a set that holds it."
            )

    # --- episodes -----------------------------------------------------------------------------

    def seed(self, streams: Sequence[int], which: npt.NDArray[np.bool_]) -> None:
        """Begin the streams from which the levels of these episodes are drawn."""
        self._episodes["stream"][which] = np.array(streams, np.uint64)
        self._episodes["drawn"][which] = 0

    def begin(self, chosen: npt.NDArray[np.int64]) -> Frame:
        """Start episodes: a level's number, DRAW for a drawn one, KEEP to leave one running."""
        frame = self._arrays(self.count)
        stepping.begin(
            self._records, self._templates, self._drawable, chosen, self._episodes, self._states,
            *frame,
        )  # fmt: skip
        return self._frame(*frame)

    def begin_all(self, level: int | None) -> Frame:
        """Start every episode, on this level or on a drawn one."""
        return self.begin(np.full(self.count, stepping.DRAW if level is None else level))

    def advance(self, actions: npt.NDArray[np.int64], end: End | None = None) -> Frame:
        """One step of every episode; what it earned and ended is written to `end` as well."""
        frame = self._arrays(self.count)
        end = End.of(self.count) if end is None else end
        if self._workers is not None:
            self._workers.advance(
                Job(
                    self._records, self._templates, self._drawable, actions, self._episodes,
                    self._states, *frame, *end, *self._finals,
                    self._autoreset, self._rewarded, self._limit,
                )
            )  # fmt: skip
            return self._frame(*frame)
        stepping.advance(
            self._records, self._templates, self._drawable, actions, self._episodes, self._states,
            *frame, *end, self._autoreset, self._rewarded, self._limit,
        )  # fmt: skip
        if self._autoreset == stepping.SAME_STEP:
            stepping.begin_again(
                self._records, self._templates, self._drawable, self._episodes, self._states,
                *frame, *self._finals, 0, self.count,
            )  # fmt: skip
        return self._frame(*frame)

    def _frame(self, planes: np.ndarray, masks: np.ndarray, outcomes: np.ndarray) -> Frame:
        return Frame(planes.reshape(self.observed), masks, outcomes)

    def close(self) -> None:
        """End the threads that share the work; another step starts new ones."""
        if self._workers is not None:
            self._workers.close()

    def finals(self, ended: npt.NDArray[np.bool_]) -> Frame:
        """How the episodes that ended at the last step stood then (with SAME_STEP).

        Planes are theirs alone; masks and outcomes have rows for all episodes, 0 for the others.
        """
        planes, masks, outcomes = self._finals
        told = Frame(planes[ended], np.zeros_like(masks), np.zeros_like(outcomes))
        told.masks[ended], told.outcomes[ended] = masks[ended], outcomes[ended]
        return told._replace(planes=told.planes.reshape(-1, *self.observed[1:]))

    def legal(self, index: int) -> npt.NDArray[np.bool_]:
        """The legal actions of an episode."""
        mask = np.empty(self.shape.actions, np.int8)
        stepping.mark_legal(
            self._records, self._episodes[index]["level"], self._states[index], mask
        )
        return mask.astype(np.bool_)

    def over(self) -> npt.NDArray[np.bool_]:
        """Which episodes have ended and not begun anew."""
        return self._episodes["over"].copy()

    def state(self, index: int) -> State:
        """Where an episode stands."""
        episode = self._episodes[index]
        words = tuple(self._states[index].tolist())
        return State(int(episode["level"]), words, int(episode["moves"]), int(episode["effort"]))

    def key(self, index: int) -> bytes:
        """Where an episode stands, equal for states that differ in nothing that matters."""
        state: npt.NDArray[np.uint64] = self._states[index].copy()
        stepping.make_canonical(self._records, self._episodes[index]["level"], state)
        return state.tobytes()

    def restore(self, index: int, state: State) -> Frame:
        """Put an episode where another one stood."""
        return self.restore_all({index: state})

    def restore_all(self, states: Mapping[int, State]) -> Frame:
        """The same for several episodes by their numbers."""
        checked = {index: self._checked(state) for index, state in states.items()}
        chosen = np.full(self.count, stepping.KEEP)
        for index, state in checked.items():
            chosen[index] = state.level
        self.begin(chosen)  # fitness is measured from the beginning of a level
        for index, (_, words, moves, effort) in checked.items():
            self._states[index] = words
            episode = self._episodes[index : index + 1]
            episode["moves"], episode["effort"] = moves, effort
            chosen[index] = stepping.RESUME
        return self.begin(chosen)

    def _checked(self, state: object) -> State:
        """A state of one of the levels, in numbers of Python's own."""
        if not isinstance(state, (tuple, list)) or not 3 <= len(state) <= len(State._fields):
            raise TypeError(f"A state is what get_state() gives, not {shown(state)}.")
        number, words, moves, effort = State(*state)
        number = whole("The level of a state", number)
        if not 0 <= number < len(self.levels):
            raise ValueError(f"This state is of level {number}; there are {len(self.levels)}.")
        if not several(words):
            raise TypeError(f"The words of a state are a tuple, not {shown(words)}.")
        words = tuple(whole("A word of a state", word, 0, LARGEST_WORD) for word in words)
        row = np.array(words, np.uint64)
        if row.shape != (self.words,) or not stepping.is_valid(self._records, number, row):
            raise ValueError(f"{shown(words)} is not a state of '{self.levels[number].name}'.")
        moves = whole("The moves of a state", moves, 0, MOST_MOVES)
        return State(number, words, moves, whole("The effort of a state", effort, 0, MOST_MOVES))

    def look(self) -> Frame:
        """How every episode stands."""
        return self.begin(np.full(self.count, stepping.KEEP))

    def largest_boards(self) -> npt.NDArray[np.int8]:
        """The planes with which two episodes begin: on the tallest level and on the widest."""
        board = Batch(self.puzzle, self._largest, 2, room=self.shape, words=self.words)
        return board.begin(np.arange(2)).planes

    def _arrays(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Room for what a kernel shows; it takes each episode's planes as one row."""
        return (
            np.empty((count, self._plane_bytes), np.int8),
            np.empty((count, self.shape.actions), np.int8),
            np.empty(count, stepping.OUTCOME),
        )


def _optimum(level: Level) -> int:
    return -1 if level.optimum is None else level.optimum
