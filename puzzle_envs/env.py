"""The single environment, the same for every puzzle."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, SupportsIndex

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from puzzle_envs.common.arguments import need_reset, one_of, options_of, shown, whole, whole_or_none
from puzzle_envs.level import Level, LevelLike
from puzzle_envs.observation import Observation, Planes, form_of
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.rendering.picture import LARGEST_CELL, SMALLEST_CELL, cell_that_fits
from puzzle_envs.rendering.theme import theme_of

if TYPE_CHECKING:
    from puzzle_envs.episodes.batch import Batch, State
    from puzzle_envs.episodes.bundles import Frame
    from puzzle_envs.rendering.picture import Picture
    from puzzle_envs.rendering.window import Window

__all__ = ["PuzzleEnv"]

SLIDE_FRAMES = 8
"""Number of frames in which the window shows a step."""


class PuzzleEnv(gymnasium.Env[Observation, int]):
    """A puzzle as a Gymnasium environment; a subclass names the puzzle and documents it."""

    puzzle: Puzzle
    metadata: dict[str, Any] = {
        "render_modes": ["human", "rgb_array", "ansi"],
        "render_fps": 30,
    }

    def __init__(
        self,
        level: LevelLike | None = None,
        levels: LevelLike | Iterable[LevelLike] | None = None,
        reward: str = "moves",
        render_mode: str | None = None,
        cell_pixels: int = 48,
        theme: str = "light",
        observation: str = "planes",
        **options: Any,
    ) -> None:
        """Make an environment for one level, or for a set to draw from at each reset.

        Args:
            level: A level's name, file or text, or a Level.
            levels: The name of a set, a file, or several levels.
            reward: "moves", "sparse" or "dense".
            render_mode: "human", "rgb_array", "ansi" or None.
            cell_pixels: The size of a cell in pictures.
            theme: The theme of pictures, "light" or "dark".
            observation: "planes" (int8), "box" (a Box of uint8), "float" (a Box of float32), "flat"
                (the same, flattened) or "image" (drawn with `cell_pixels` and `theme`).
            options: Puzzle-specific arguments.
        """
        from puzzle_envs.episodes.batch import Batch
        from puzzle_envs.episodes.bundles import End

        one_of("render_mode", render_mode, (*self.metadata["render_modes"], None))
        self.render_mode = render_mode
        self.cell_pixels = whole("cell_pixels", cell_pixels, SMALLEST_CELL, LARGEST_CELL)
        self.theme = theme_of(theme)
        self.puzzle = self.puzzle.made_with(type(self), options)
        chosen = self.puzzle.choose(level, levels)
        self._batch: Batch = Batch(self.puzzle, chosen, 1, reward=reward)
        actions = self._batch.shape.actions
        self.action_space: Any = spaces.Discrete(actions)
        self._observe(observation)
        self._playable = 0
        """Number of actions; 0 before the first reset."""
        self._counts = self.puzzle.codec.counts
        self._action, self._end = np.zeros(1, np.int64), End.of(1)
        self._picture: Picture | None = None
        self._window: Window | None = None
        self._closed = False

    def _observe(self, observation: str) -> None:
        """Choose the form of observations."""
        self.observation_space, self._converted = form_of(
            observation, self._batch, self.cell_pixels, self.theme
        )

    # --- playing ------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode on a level of the set.

        Args:
            seed: Restarts the random stream from which levels are drawn; without it, the stream
                continues.
            options: `level` (a number in the set, a name, file, text or Level) chooses the level;
                `levels` replaces the set. Both must fit the spaces. Other options are an error.
                After an error the environment is unchanged.
        """
        seed = whole_or_none("seed", seed, 0)
        chosen = options_of(options, ("level", "levels"))
        wanted, levels = chosen.get("level"), chosen.get("levels")
        self.puzzle.refuse_both(wanted, levels)
        number = None if wanted is None else self._batch.numbers_of([wanted])[0]
        if levels is not None:
            self._batch.use_levels(self.puzzle.choose(None, levels))
        super().reset(seed=seed)
        if seed is not None or not self.begun:
            self._batch.seed([int(self.np_random.integers(1 << 63))], np.ones(1, np.bool_))
        self._playable = self._batch.shape.actions
        observation, _, _, info = self._show(self._batch.begin_all(number), action=None)
        return observation, info

    @property
    def begun(self) -> bool:
        """Whether reset() has been called."""
        return self._playable > 0

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action, an integer of any type.

        An illegal action changes nothing. With reward="moves" its reward is -1; the info counts it
        in `illegal_moves`, not in `moves`.
        """
        if type(action) is not int:  # spaces sample np.int64
            action = int(action) if type(action) is np.int64 else whole("An action", action)
        if not 0 <= action < self._playable:
            raise self._refusal(action)
        self._action[0] = action
        frame = self._batch.advance(self._action, self._end)
        observation, reward, terminated, info = self._show(frame, action)
        return observation, reward, terminated, False, info

    def _refusal(self, action: int) -> ValueError:
        need_reset(self.begun, "step()")
        return ValueError(f"Action {shown(action)} is outside Discrete({self._playable}).")

    def _show(
        self, frame: Frame, action: int | None
    ) -> tuple[Observation, float, bool, dict[str, Any]]:
        """The observation, reward, end and info of a frame; the picture shows it too."""
        planes = frame.planes[0]
        (
            reward, fitness, moves, effort, illegal_moves, number, terminated, _,
            solved, lost, illegal,
        ) = frame.outcomes.item()  # fmt: skip
        level = self._batch.levels[number]
        info = {
            "action_mask": frame.masks[0],
            "solved": solved,
            "lost": lost,
            "illegal": illegal,
            "moves": moves,
            "illegal_moves": illegal_moves,
            "fitness": fitness,
            "level": level.name,
            **self.puzzle.format.facts,
        }
        if self._counts:
            info |= zip(self._counts, (moves, effort), strict=True)
        if level.optimum is not None:
            info["optimum"] = level.optimum
        if self.render_mode is not None:
            self._draw(planes, action)
        if self._converted is not None:
            return self._converted(frame.planes)[0], reward, terminated, info
        return planes, reward, terminated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, for MaskablePPO."""
        need_reset(self.begun, "action_masks()")
        return self._batch.legal(0)

    def get_keys_to_action(self) -> dict[tuple[str | int, ...], int]:
        """The action of each key, for `gymnasium.utils.play`; the manual page has a table."""
        from puzzle_envs.rendering.keys import codes

        keys = self.puzzle.codec.keys_to_action(self._batch.shape)
        return {codes(together): action for together, action in keys.items()}

    # --- planning -----------------------------------------------------------------------------

    @property
    def level(self) -> Level:
        """The current level."""
        need_reset(self.begun, "asking for its level")
        return self._batch.levels[self._batch.state(0).level]

    @property
    def record(self) -> np.ndarray:
        """The current level for the verbs: an array of one record."""
        need_reset(self.begun, "asking for its record")
        return self._batch.record(0)

    @property
    def planes(self) -> Planes:
        """The planes of the current state, whatever the form of observations."""
        need_reset(self.begun, "asking for its planes")
        planes: Planes = self._batch.look().planes[0]
        return planes

    def get_state(self) -> State:
        """The current state: a small hashable tuple for `set_state`."""
        need_reset(self.begun, "get_state()")
        return self._batch.state(0)

    def set_state(self, state: State) -> tuple[Observation, dict[str, Any]]:
        """Continue from a state of this environment, as if legal actions had just reached it."""
        need_reset(self.begun, "set_state()")
        observation, _, _, info = self._show(self._batch.restore(0, state), action=None)
        return observation, info

    def simulation(
        self, render_mode: str | None = None, observation: str | None = None
    ) -> PuzzleEnv:
        """A copy for trying out actions, without a window.

        Args:
            render_mode: The render mode of the copy; without one, steps are fast.
            observation: The form of the copy's observations; by default that of this environment.
        """
        need_reset(self.begun, "simulation()")
        one_of("render_mode", render_mode, (*self.metadata["render_modes"], None))
        other = copy.copy(self)
        other.render_mode, other._picture, other._window = render_mode, None, None
        other = copy.deepcopy(other)
        if observation is not None:
            other._observe(observation)
        return other

    def state_key(self) -> bytes:
        """A key that is equal for equivalent states of a level, however they were reached."""
        need_reset(self.begun, "state_key()")
        return self._batch.key(0)

    # --- pictures -----------------------------------------------------------------------------

    def render(self) -> Any:
        """The picture in the render mode; with "human", each step shows it automatically."""
        need_reset(self.begun, "render()")
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() does nothing without a render mode; make the environment with "
                'render_mode="rgb_array", "ansi" or "human".'
            )
            return None
        if self._picture is None:
            raise gymnasium.error.ResetNeeded("Call reset() or set_state() for a picture.")
        if self.render_mode == "ansi":
            return self._picture.text()
        if self.render_mode == "rgb_array":
            return self._picture.paint(self.cell_pixels)
        if self._window is not None:
            self._window.show(self._picture.paint(self._cell_in(self._window)))
        return None

    def motion(self, frames: int) -> list[Any]:
        """The last step as an animation of this many frames; needs a render mode."""
        if self._picture is None:
            raise gymnasium.error.ResetNeeded("A film needs a render mode and a reset().")
        return list(self._picture.slide(self.cell_pixels, whole("frames", frames, 1)))

    def _draw(self, planes: Planes, action: int | None) -> None:
        if self._picture is None:
            self._picture = self.puzzle.picture(self._playable, self.theme)
        if action is None:
            self._picture.begin(planes)
        else:
            self._picture.follow(action, planes)
        if self.render_mode == "human" and not self._closed:
            self._show_window(moving=action is not None)

    def _show_window(self, *, moving: bool) -> None:
        from puzzle_envs.rendering.window import Window

        assert self._picture is not None
        if self._window is None:
            self._window = Window(self.puzzle.title, beside=self.theme.beside)
        frames = SLIDE_FRAMES if moving else 1
        for frame in self._picture.slide(self._cell_in(self._window), frames):
            self._window.show(frame)

    def _cell_in(self, window: Window) -> int:
        """The size of a cell in a window, which opens with cells of `cell_pixels`."""
        assert self._picture is not None
        room = window.room(*self._picture.size(self.cell_pixels))
        return cell_that_fits(self._picture, *room) if room else self.cell_pixels

    def close(self) -> None:
        """Close the window for good."""
        self._closed = True
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}
