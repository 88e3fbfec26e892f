"""The extra rl: importing this module says so where it is missing."""

from importlib.util import find_spec

if find_spec("sb3_contrib") is None:
    raise ImportError("Learning needs Stable-Baselines3: pip install 'puzzle-envs[rl]'.")
