"""What the examples share: a Dict with the mask, and the share of levels that a policy solves."""

import gymnasium as gym
import numpy as np

import puzzle_envs  # noqa: F401 (registers the environments)


class Masked(gym.ObservationWrapper):
    def __init__(self, env):
        super().__init__(env)
        mask = gym.spaces.Box(0, 1, (env.action_space.n,), np.float32)
        parts = {"observations": env.observation_space, "action_mask": mask}
        self.observation_space = gym.spaces.Dict(parts)

    def observation(self, observation):
        mask = self.unwrapped.action_masks().astype(np.float32)
        return {"observations": observation, "action_mask": mask}


def share_solved(choose, id, episodes=256, **options):
    venv = gym.make_vec(id, num_envs=episodes, **options)
    observations, infos = venv.reset(seed=1)
    solved, ended = np.zeros((2, episodes), bool)
    while not ended.all():
        actions = np.asarray(choose(observations, infos["action_mask"]))
        observations, _, terminated, truncated, infos = venv.step(actions)
        solved |= infos["solved"] & ~ended
        ended |= terminated | truncated
    return solved.mean()


def report(choose, id, **options):
    rng = np.random.default_rng(1)
    legal = share_solved(lambda _, mask: (mask * rng.random(mask.shape)).argmax(1), id, **options)
    print(f"random: {legal:.1%} solved, trained: {share_solved(choose, id, **options):.1%}")
