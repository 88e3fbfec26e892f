"""The vector environment, the same for every puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from puzzle_envs.common.arguments import (
    need_reset,
    one_of,
    options_of,
    several,
    shown,
    whole,
    whole_or_none,
)
from puzzle_envs.infos import Columns, Infos
from puzzle_envs.level import Level, LevelLike
from puzzle_envs.observation import Observation, Planes, form_of
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.rendering.picture import LARGEST_CELL, SMALLEST_CELL
from puzzle_envs.rendering.theme import theme_of

if TYPE_CHECKING:
    from puzzle_envs.episodes.batch import Batch, State
    from puzzle_envs.episodes.bundles import Frame
    from puzzle_envs.rendering.picture import Picture

__all__ = ["PuzzleVectorEnv"]

Flags = npt.NDArray[np.bool_]


BEGIN, KEEP = -1, -2
"""What a picture follows if it is not an action."""


class PuzzleVectorEnv(VectorEnv[Observation, npt.NDArray[np.int64], np.ndarray]):
    """Many episodes of a puzzle, stepped together by one kernel.

    Episode i behaves like a single environment seeded with seed + i: it draws its levels from its
    own random stream, independent of the other episodes.

    The info has the same keys as that of a single environment, with arrays of one entry per
    episode; `level` holds names. With SAME_STEP, `final_obs` and `final_info` describe the
    episodes that ended at this step, as in Gymnasium.
    """

    puzzle: Puzzle
    metadata: dict[str, Any] = {
        "render_modes": ["rgb_array", "ansi"],
        "render_fps": 30,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | None = None,
        level: LevelLike | None = None,
        levels: LevelLike | Iterable[LevelLike] | None = None,
        reward: str = "moves",
        render_mode: str | None = None,
        cell_pixels: int = 48,
        theme: str = "light",
        observation: str = "planes",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | str = 1,
        **options: Any,
    ) -> None:
        """Make the episodes.

        Args:
            num_envs: Number of episodes.
            max_episode_steps: Number of steps after which an episode is truncated; None or -1 for
                no limit.
            level: A level's name, file or text, or a Level.
            levels: The name of a set, a file, or several levels.
            reward: "moves", "sparse" or "dense".
            render_mode: "rgb_array", "ansi" or None.
            cell_pixels: The size of a cell in pictures.
            theme: The theme of pictures, "light" or "dark".
            observation: The form of observations, as for a single environment. With "image", each
                step draws the episodes one after another, which takes far longer than the step.
            autoreset_mode: What happens when an episode ends.
            threads: Number of threads that share a step; useful from a thousand episodes on. With
                "auto", one per core, if there are enough episodes. `close` ends them.
            options: Puzzle-specific arguments.
        """
        from puzzle_envs.episodes import stepping
        from puzzle_envs.episodes.batch import Batch
        from puzzle_envs.episodes.workers import threads_for

        one_of("render_mode", render_mode, (*self.metadata["render_modes"], None))
        if not isinstance(autoreset_mode, AutoresetMode):
            one_of("autoreset_mode", autoreset_mode, [mode.value for mode in AutoresetMode])
        mode = AutoresetMode(autoreset_mode)
        num_envs = whole("num_envs", num_envs, 1)
        if max_episode_steps != -1:
            max_episode_steps = whole_or_none("max_episode_steps", max_episode_steps, 1)
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.cell_pixels = whole("cell_pixels", cell_pixels, SMALLEST_CELL, LARGEST_CELL)
        self.theme = theme_of(theme)
        self.autoreset_mode = mode
        self.puzzle = self.puzzle.made_with(type(self), options)
        self._batch: Batch = Batch(
            self.puzzle,
            self.puzzle.choose(level, levels),
            num_envs,
            reward=reward,
            autoreset=getattr(stepping, mode.name),
            limit=max_episode_steps or 0,
            threads=threads_for(threads, num_envs),
        )
        actions = self._batch.shape.actions
        self.single_action_space: Any = spaces.Discrete(actions)
        self.single_observation_space, self._converted = form_of(
            observation, self._batch, cell_pixels, self.theme
        )
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._actions = actions
        self._masks = np.zeros((num_envs, actions), np.int8)
        self._samples = 0
        self._begun = False
        self._pictures: list[Picture] = []

    # --- playing ------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all episodes, or those marked in `options["reset_mask"]`.

        Args:
            seed: Episode i is seeded with seed + i, or with the i-th of a sequence.
            options: `reset_mask` (n booleans, at least one true); `level` (one for all, or a list
                of n); `levels` (replaces the set). Other options are an error. After an error the
                episodes are unchanged.
        """
        from puzzle_envs.episodes import stepping

        seeds = self._seeds(seed)
        given = options_of(options, ("reset_mask", "level", "levels"))
        marked = self._reset_mask(given.get("reset_mask"))
        if not marked.all():
            need_reset(self._begun, "resetting some episodes: the first reset starts all of them")
        wanted, levels = given.get("level"), given.get("levels")
        self.puzzle.refuse_both(wanted, levels)
        chosen = np.full(self.num_envs, stepping.DRAW, np.int64)
        if wanted is not None:
            chosen[:] = self._level_numbers(wanted)
        chosen[~marked] = stepping.KEEP
        if levels is not None:
            if not marked.all():
                raise ValueError("levels= changes the set of every episode: reset all of them.")
            self._batch.use_levels(self.puzzle.choose(None, levels))
        self._seed(seeds, marked)
        frame = self._batch.begin(chosen)
        info = self._info(frame, marked)
        self._draw(frame, np.where(marked, BEGIN, KEEP))
        return self._observed(frame.planes), info

    def _reset_mask(self, mask: Any) -> Flags:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(
                f"options['reset_mask'] must be a NumPy array of booleans, not {shown(mask)}."
            )
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"options['reset_mask'] must have {self.num_envs} entries, at least one of them "
                f"true, not {shown(mask)}."
            )
        return mask

    def _level_numbers(self, wanted: Any) -> list[int]:
        if several(wanted):
            if len(wanted) != self.num_envs:
                raise ValueError(
                    f"options['level'] names {len(wanted)} levels for {self.num_envs} episodes."
                )
            return self._batch.numbers_of(wanted)
        return self._batch.numbers_of([wanted]) * self.num_envs

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """The seed of each episode."""
        if seed is None:
            return [None] * self.num_envs
        if not several(seed):
            first = whole("seed", seed, 0)
            return [first + index for index in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"There are {len(seed)} seeds for {self.num_envs} episodes.")
        return [whole_or_none("A seed", one, 0) for one in seed]

    def _seed(self, seeds: list[int | None], marked: Flags) -> None:
        seeded = [
            bool(marked[index]) and (one is not None or not self._begun)
            for index, one in enumerate(seeds)
        ]
        streams = [
            int(seeding.np_random(one)[0].integers(1 << 63))
            for index, one in enumerate(seeds)
            if seeded[index]
        ]
        self._batch.seed(streams, np.array(seeded))
        self._begun = True

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observation, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Take one action in each episode, as a single environment does."""
        from puzzle_envs.episodes.bundles import End

        chosen = self._checked(actions)
        if self.autoreset_mode == AutoresetMode.DISABLED:
            self._refuse_finished()
        began = self._batch.over() if self.render_mode is not None else None
        end = End.of(self.num_envs)
        frame = self._batch.advance(chosen, end)
        terminated, truncated = end.flags
        if began is not None:
            if self.autoreset_mode == AutoresetMode.SAME_STEP:
                began = terminated | truncated
            self._draw(frame, np.where(began, BEGIN, chosen))
        shown = self._observed(frame.planes)
        info = self._info(frame)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and end.flags.any():
            info.update(self._finals(terminated | truncated))
        return shown, end.rewards, terminated, truncated, info

    def _checked(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        from puzzle_envs.episodes import stepping

        need_reset(self._begun, "step()")
        try:
            given = np.asarray(actions)
        except (TypeError, ValueError):  # nested lists of different lengths
            given = np.empty(0)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            kind = ValueError if given.dtype.kind in "iu" else TypeError
            raise kind(f"step() takes {self.num_envs} integers, not {shown(actions)}.")
        chosen = np.ascontiguousarray(given, np.int64)
        if (
            not chosen.flags.carray
        ):  # a read-only array has another type, for which numba would compile again
            chosen = chosen.copy()
        wrong = stepping.first_outside(chosen, self._actions)
        if wrong >= 0:
            raise ValueError(
                f"Action {given[wrong]} of episode {wrong} is outside Discrete({self._actions})."
            )
        return chosen

    def _refuse_finished(self) -> None:
        over = np.flatnonzero(self._batch.over())
        if over.size:
            raise ValueError(
                f"Episodes {over.tolist()} are over; start new ones with "
                "reset(options={'reset_mask': ...})."
            )

    def draw_from(self, levels: LevelLike | Iterable[LevelLike]) -> None:
        """Draw future levels from these; running episodes keep theirs.

        Args:
            levels: The name of a set, a file, or several levels; they must fit the spaces.
        """
        self._batch.draw_from(self.puzzle.choose(None, levels))

    @property
    def level_names(self) -> npt.NDArray[np.object_]:
        """The name of each episode's level."""
        need_reset(self._begun, "asking for the names of its levels")
        return self._batch.level_names()

    def situation(self, index: int) -> tuple[Level, State]:
        """An episode's level, and its state for an environment with the same spaces.

        That environment goes on from there after `reset(options={"levels": [level]})` and
        `set_state(state)`.
        """
        need_reset(self._begun, "situation()")
        state = self._batch.state(whole("index", index, 0, self.num_envs - 1))
        return self._batch.levels[state.level], state._replace(level=0)

    def action_masks(self) -> Flags:
        """The legal actions of every episode, (n, actions)."""
        need_reset(self._begun, "action_masks()")
        return self._masks.astype(np.bool_)

    def sample_legal(self) -> npt.NDArray[np.int64]:
        """A uniformly random legal action for each episode (0 where none is legal)."""
        from puzzle_envs.episodes import stepping

        need_reset(self._begun, "sample_legal()")
        actions = np.empty(self.num_envs, np.int64)
        self._samples = stepping.sample_legal(self._masks, self._samples, actions)
        return actions

    # --- infos --------------------------------------------------------------------------------

    def _observed(self, planes: Planes) -> Observation:
        return planes if self._converted is None else self._converted(planes)

    def _info(self, frame: Frame, included: Flags | None = None) -> Infos:
        """The info of all episodes, or of those in `included`."""
        self._masks = frame.masks
        return Infos(Columns(self._batch, frame, included))

    def _finals(self, ended: Flags) -> dict[str, Any]:
        """The last observation and info of the episodes that ended at this step."""
        finals = self._batch.finals(ended)
        observations = np.full(self.num_envs, None, dtype=object)
        last = self._observed(finals.planes)
        for index, one in zip(np.flatnonzero(ended), last, strict=True):
            observations[index] = one
        return {
            "final_obs": observations,
            "_final_obs": ended,
            "final_info": Infos(Columns(self._batch, finals, ended)),
            "_final_info": ended.copy(),
        }

    def close_extras(self, **kwargs: Any) -> None:
        """End the worker threads."""
        self._batch.close()

    # --- pictures -----------------------------------------------------------------------------

    def render(self) -> tuple[Any, ...] | None:
        """One picture for each episode."""
        need_reset(self._begun, "render()")
        if self.render_mode == "rgb_array":
            return tuple(picture.paint(self.cell_pixels) for picture in self._pictures)
        if self.render_mode == "ansi":
            return tuple(picture.text() for picture in self._pictures)
        return None

    def _draw(self, frame: Frame, followed: npt.NDArray[np.int64]) -> None:
        if self.render_mode is None:
            return
        if not self._pictures:
            self._pictures = [
                self.puzzle.picture(self._actions, self.theme) for _ in range(self.num_envs)
            ]
        for picture, action, planes in zip(self._pictures, followed, frame.planes, strict=True):
            if action == BEGIN:
                picture.begin(planes)
            elif action != KEEP:
                picture.follow(int(action), planes)
