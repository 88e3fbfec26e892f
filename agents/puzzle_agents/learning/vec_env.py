"""Adapter from PuzzleVectorEnv to Stable-Baselines3's vector environments."""

from __future__ import annotations

import puzzle_agents.learning.extra  # noqa: F401 (says what is missing)

# isort: split
from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from stable_baselines3.common.vec_env import VecEnv

from puzzle_agents.learning.legal import LegalPlanes
from puzzle_envs.common.arguments import shown
from puzzle_envs.vector import PuzzleVectorEnv

__all__ = ["PuzzleVecEnv", "to_sb3"]

Infos = list[dict[str, Any]]


def to_sb3(vector_env: VectorEnv[Any, Any, Any], legal: LegalPlanes | None = None) -> PuzzleVecEnv:
    """Adapt a vector environment of puzzle_envs to Stable-Baselines3.

    Args:
        vector_env: From `gymnasium.make_vec(id, num_envs, autoreset_mode="SameStep", ...)`.
        legal: For observations followed by planes of legal actions.
    """
    puzzle_env = getattr(vector_env, "unwrapped", vector_env)
    if not isinstance(puzzle_env, PuzzleVectorEnv):
        raise TypeError(
            f"to_sb3 takes a vector environment of puzzle_envs, not {shown(vector_env)}."
        )
    if puzzle_env.metadata["autoreset_mode"] != AutoresetMode.SAME_STEP:
        raise ValueError(
            "Stable-Baselines3 wants an episode's first observation in the step that ended the "
            'last one: make the vector environment with autoreset_mode="SameStep".'
        )
    return PuzzleVecEnv(puzzle_env, legal)


class PuzzleVecEnv(VecEnv):
    """The episodes of a PuzzleVectorEnv, as Stable-Baselines3 steps them.

    The info of a step that ends an episode is the single environment's, plus Stable-Baselines3's
    keys (`terminal_observation`, `TimeLimit.truncated`) and `is_success`. Those of other steps are
    empty, since Stable-Baselines3 never reads them.
    """

    def __init__(self, puzzle_env: PuzzleVectorEnv, legal: LegalPlanes | None = None) -> None:
        """Wrap an environment with same-step autoreset, as checked by `to_sb3`."""
        self.puzzle_env = puzzle_env
        self._legal = legal
        self._actions: npt.NDArray[np.int64] = np.zeros(puzzle_env.num_envs, np.int64)
        seen = puzzle_env.single_observation_space
        if legal is not None:
            planes, height, width = seen.shape or ()
            seen = spaces.MultiBinary((planes + legal.count, height, width))
        super().__init__(puzzle_env.num_envs, seen, puzzle_env.single_action_space)

    def seen(self, observations: np.ndarray, masks: npt.NDArray[Any]) -> np.ndarray:
        """Observations of the environment as they are seen here."""
        return observations if self._legal is None else self._legal.beside(observations, masks)

    # --- playing ------------------------------------------------------------------------------

    def reset(self) -> np.ndarray:
        """Start all episodes, with the seeds and options set since the last reset."""
        observations, info = self.puzzle_env.reset(
            seed=None if all(seed is None for seed in self._seeds) else list(self._seeds),
            options=self._merged_options(),
        )
        self.reset_infos = [_of_one(info, index) for index in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return self._seen_now(observations)

    def restart(self, which: npt.NDArray[np.bool_]) -> np.ndarray:
        """Start these episodes anew; return the observations of all."""
        return self._seen_now(self.puzzle_env.reset(options={"reset_mask": which})[0])

    def _seen_now(self, observations: Any) -> np.ndarray:
        if self._legal is None:
            return np.asarray(observations)
        return self._legal.beside(observations, self.puzzle_env.action_masks())

    def _merged_options(self) -> dict[str, Any]:
        """Merge the options of all episodes: a common `levels`, or a `level` for each."""
        if all(options == self._options[0] for options in self._options):
            return self._options[0]
        if any(options.keys() != {"level"} for options in self._options):
            raise ValueError("Episodes may have different options only if each has its own level.")
        return {"level": [options["level"] for options in self._options]}

    def step_async(self, actions: np.ndarray) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[np.ndarray, npt.NDArray[np.float32], npt.NDArray[np.bool_], Infos]:
        """Apply the actions."""
        observations, rewards, terminated, truncated, info = self.puzzle_env.step(self._actions)
        dones = terminated | truncated
        infos: Infos = [{} for _ in range(self.num_envs)]
        for index in np.flatnonzero(dones).tolist():
            last = _of_one(info["final_info"], index)
            final = info["final_obs"][index], np.asarray(last["action_mask"])
            last["terminal_observation"] = self.seen(*(one[None] for one in final))[0]
            last["TimeLimit.truncated"] = bool(truncated[index] and not terminated[index])
            last["is_success"] = last["solved"]
            infos[index] = last
        return self._seen_now(observations), rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """Close the vector environment."""
        self.puzzle_env.close()

    # --- what Stable-Baselines3 asks of each environment ----------------------------------------

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute shared by all episodes."""
        return [getattr(self.puzzle_env, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of all episodes; they share their attributes."""
        if len(self._chosen(indices)) != self.num_envs:
            raise ValueError("Episodes share their attributes; set them for all.")
        setattr(self.puzzle_env, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method that returns a value per episode, such as `action_masks`."""
        answers = getattr(self.puzzle_env, method_name)(*method_args, **method_kwargs)
        if not isinstance(answers, Sequence | np.ndarray) or len(answers) != self.num_envs:
            raise ValueError(f"{method_name} does not return a value per episode.")
        return [answers[index] for index in self._chosen(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """Return False: no episode has its own wrapper."""
        return [False] * len(self._chosen(indices))

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Draw a picture of each episode (render_mode="rgb_array")."""
        return self.puzzle_env.render() or [None] * self.num_envs

    def _chosen(self, indices: int | Iterable[int] | None) -> Sequence[int]:
        return list(self._get_indices(indices))


def _of_one(info: dict[str, Any], index: int) -> dict[str, Any]:
    """Extract the info of one episode."""
    return {
        key: _as_python(column[index])
        for key, column in info.items()
        if not key.startswith("_") and info[f"_{key}"][index]
    }


def _as_python(value: Any) -> Any:
    """Convert to Python's own numbers, as single environments return them."""
    return value.item() if isinstance(value, np.generic) else value
