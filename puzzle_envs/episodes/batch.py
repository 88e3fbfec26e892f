"""A batch of episodes: the common part of single and vector environments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.codec import Shape
from puzzle_envs.common.arguments import one_of, several, shown, whole
from puzzle_envs.episodes import stepping
from puzzle_envs.episodes.bundles import End, Frame, Mode, Running
from puzzle_envs.episodes.sharing import Job
from puzzle_envs.episodes.workers import Workers
from puzzle_envs.level import Level, LevelError, LevelLike
from puzzle_envs.puzzle import Puzzle

REWARDS = ("moves", "sparse", "dense")
"""The rewards, in the order of their numbers in kernels."""

LARGEST_WORD, MOST_MOVES = 2**64 - 1, 2**31 - 1
"""The largest values that fit the kernels' types."""


class State(NamedTuple):
    """A state as `get_state` returns it: hashable, and complete.

    Illegal actions change nothing and are not counted.
    """

    level: int
    words: tuple[int, ...]
    moves: int
    effort: int = 0


class Batch:
    """Episodes of one puzzle in shared arrays, each on a level of a set."""

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
        """Size the spaces for the largest levels, and at least as large as `room`.

        The length of a state is at least `words`.
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
        self._mode = Mode(autoreset, REWARDS.index(reward), limit)
        self._states = np.zeros((count, self.words), np.uint64)
        self._episodes = np.zeros(count, stepping.EPISODE)
        planes = len(puzzle.codec.planes(self.shape))
        self.observed = (count, planes, self.shape.height, self.shape.width)
        """The shape of the observations of all episodes."""
        self._plane_bytes = math.prod(self.observed[1:])
        self._finals = Frame(*self._arrays(count if autoreset == stepping.SAME_STEP else 1))
        self._workers = Workers(threads, count) if threads > 1 else None
        self.use_levels(levels)

    # --- levels -------------------------------------------------------------------------------

    def use_levels(self, levels: Sequence[Level]) -> None:
        """Draw from these levels from now on; they must fit the spaces."""
        for level in levels:
            self._check_fit(level)
        records, templates = self._laid_out(levels)
        self._running = Running(records, templates, len(levels), self._episodes, self._states)
        self._numbers = {level.name: number for number, level in enumerate(levels)}
        self._guests: dict[tuple[str, bytes], int] = {}
        self.levels = list(levels)
        self.names = np.array([level.name for level in levels], dtype=object)
        """The names of the levels, by number."""
        self.optima = np.array([_optimum(level) for level in levels], np.int64)
        """Their optima; -1 for an unknown one."""

    def draw_from(self, levels: Sequence[Level]) -> None:
        """Draw future levels from these; running episodes keep theirs."""
        running = [self.levels[number] for number in self._episodes["level"].tolist()]
        drawn = set(map(id, levels))
        others = {id(level): level for level in running if id(level) not in drawn}
        together = [*levels, *others.values()]
        self.use_levels(together)
        self._running = self._running._replace(choices=len(levels))
        numbers = {id(level): number for number, level in enumerate(together)}
        self._episodes["level"] = [numbers[id(level)] for level in running]

    def _laid_out(self, levels: Sequence[Level]) -> tuple[np.ndarray, npt.NDArray[np.int8]]:
        """The arrays of levels for kernels: records, and the constant parts of observations."""
        records = np.array([level.record for level in levels], self.puzzle.format.dtype)
        self.puzzle.format.fit(records, self.shape)
        templates = np.empty((len(levels), self._plane_bytes), np.int8)
        stepping.paint_scenery(records, templates)
        return records, templates

    def numbers_of(self, wanted: Sequence[LevelLike | int]) -> list[int]:
        """The numbers of levels; levels outside the set are added, but never drawn."""
        return [
            found if isinstance(found, int) else self._number_of_guest(found)
            for found in [self._found(one) for one in wanted]  # all, before any is added
        ]

    def _found(self, wanted: Any) -> Level | int:
        """A level that fits, or the number of one in the set."""
        if isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool):
            if not 0 <= wanted < len(self.levels):
                raise LevelError(
                    f"Levels are numbered 0 to {len(self.levels) - 1}, not {shown(wanted)}."
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
            self._running = self._running._replace(
                levels=np.concatenate([self._running.levels, records]),
                templates=np.concatenate([self._running.templates, templates]),
            )
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
        """The level of an episode for the verbs: an array of one record."""
        number = self._episodes["level"][index]
        return self._running.levels[number : number + 1].copy()

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
        """Restart the random streams from which these episodes draw levels."""
        self._episodes["stream"][which] = np.array(streams, np.uint64)
        self._episodes["drawn"][which] = 0

    def begin(self, chosen: npt.NDArray[np.int64]) -> Frame:
        """Start episodes: each on a level's number, on a drawn one (DRAW), or not at all (KEEP)."""
        frame = self._arrays(self.count)
        end, mode = End.of(self.count), self._mode._replace(autoreset=stepping.CHOSEN)
        stepping.advance(*self._running, chosen, *frame, *end, *mode)
        return self._shaped(*frame)

    def begin_all(self, level: int | None) -> Frame:
        """Start every episode on this level, or each on a drawn one."""
        return self.begin(np.full(self.count, stepping.DRAW if level is None else level))

    def advance(self, actions: npt.NDArray[np.int64], end: End | None = None) -> Frame:
        """One step of every episode; rewards and ends are also written to `end`."""
        frame = self._arrays(self.count)
        end = End.of(self.count) if end is None else end
        if self._workers is not None:
            running, mode = self._running, self._mode
            self._workers.advance(Job(running, actions, Frame(*frame), end, self._finals, mode))
            return self._shaped(*frame)
        stepping.advance(*self._running, actions, *frame, *end, *self._mode)
        if self._mode.autoreset == stepping.SAME_STEP:
            stepping.begin_again(self._running, Frame(*frame), self._finals, 0, self.count)
        return self._shaped(*frame)

    def _shaped(self, planes: np.ndarray, masks: np.ndarray, outcomes: np.ndarray) -> Frame:
        """A frame for callers, with each episode's planes in their shape."""
        return Frame(planes.reshape(self.observed), masks, outcomes)

    def close(self) -> None:
        """End the worker threads; another step starts new ones."""
        if self._workers is not None:
            self._workers.close()

    def finals(self, ended: npt.NDArray[np.bool_]) -> Frame:
        """The last frame of the episodes that ended at this step (with SAME_STEP).

        There are planes for these episodes only; masks and outcomes have rows for all, 0 for the
        others.
        """
        planes, masks, outcomes = self._finals
        final = Frame(planes[ended], np.zeros_like(masks), np.zeros_like(outcomes))
        final.masks[ended], final.outcomes[ended] = masks[ended], outcomes[ended]
        return final._replace(planes=final.planes.reshape(-1, *self.observed[1:]))

    def legal(self, index: int) -> npt.NDArray[np.bool_]:
        """The legal actions of an episode."""
        mask = np.empty(self.shape.actions, np.int8)
        level = self._episodes[index]["level"]
        stepping.mark_legal(self._running.levels, level, self._states[index], mask)
        return mask.astype(np.bool_)

    def over(self) -> npt.NDArray[np.bool_]:
        """Which episodes have ended and not been restarted."""
        return self._episodes["over"].copy()

    def state(self, index: int) -> State:
        """The state of an episode."""
        episode = self._episodes[index]
        words = tuple(self._states[index].tolist())
        return State(int(episode["level"]), words, int(episode["moves"]), int(episode["effort"]))

    def key(self, index: int) -> bytes:
        """The canonical state of an episode as bytes, equal for equivalent states."""
        state: npt.NDArray[np.uint64] = self._states[index].copy()
        stepping.make_canonical(self._running.levels, self._episodes[index]["level"], state)
        return state.tobytes()

    def restore(self, index: int, state: State) -> Frame:
        """Set the state of an episode."""
        return self.restore_all({index: state})

    def restore_all(self, states: Mapping[int, State]) -> Frame:
        """Set the states of several episodes, by number."""
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
        """A valid state of one of the levels, as Python integers."""
        if not isinstance(state, (tuple, list)) or not 3 <= len(state) <= len(State._fields):
            raise TypeError(f"A state must come from get_state(), not {shown(state)}.")
        number, words, moves, effort = State(*state)
        number = whole("The level of a state", number)
        if not 0 <= number < len(self.levels):
            raise ValueError(f"This state is of level {number}; there are only {len(self.levels)}.")
        if not several(words):
            raise TypeError(f"The words of a state must be a tuple, not {shown(words)}.")
        words = tuple(whole("A word of a state", word, 0, LARGEST_WORD) for word in words)
        row = np.array(words, np.uint64)
        levels = self._running.levels
        if row.shape != (self.words,) or not stepping.is_valid(levels, number, row):
            raise ValueError(f"{shown(words)} is not a state of '{self.levels[number].name}'.")
        moves = whole("The moves of a state", moves, 0, MOST_MOVES)
        return State(number, words, moves, whole("The effort of a state", effort, 0, MOST_MOVES))

    def look(self) -> Frame:
        """The current frame of all episodes."""
        return self.begin(np.full(self.count, stepping.KEEP))

    def largest_boards(self) -> npt.NDArray[np.int8]:
        """The first planes of two episodes: on the tallest and on the widest level."""
        board = Batch(self.puzzle, self._largest, 2, room=self.shape, words=self.words)
        return board.begin(np.arange(2)).planes

    def _arrays(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Arrays for a frame, with each episode's planes as one row, as kernels take them."""
        return (
            np.empty((count, self._plane_bytes), np.int8),
            np.empty((count, self.shape.actions), np.int8),
            np.empty(count, stepping.OUTCOME),
        )


def _optimum(level: Level) -> int:
    return -1 if level.optimum is None else level.optimum
