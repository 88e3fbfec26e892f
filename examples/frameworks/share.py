"""The share of levels that a policy solves, for the examples beside this file."""

import gymnasium as gym
import numpy as np

import puzzle_envs  # noqa: F401 (registers the environments)


def share_solved(choose, id, episodes=256, **options):
    """Play one episode each; `choose(observations, masks)` returns the actions."""
    venv = gym.make_vec(id, num_envs=episodes, **options)
    observations, infos = venv.reset(seed=1)
    solved = np.zeros(episodes, bool)
    ended = np.zeros(episodes, bool)
    while not ended.all():
        actions = np.asarray(choose(observations, infos["action_mask"]))
        observations, _, terminated, truncated, infos = venv.step(actions)
        solved |= infos["solved"] & ~ended
        ended |= terminated | truncated
    venv.close()
    return solved.mean()


def report(choose, id, **options):
    """Print what random legal actions solve, and what the trained policy does."""
    rng = np.random.default_rng(1)
    random = share_solved(
        lambda _, masks: (masks * rng.random(masks.shape)).argmax(1), id, **options
    )
    print(f"random: {random:.1%} solved, trained: {share_solved(choose, id, **options):.1%}")
