"""The extra rl: importing this module raises an error if it is missing."""

from importlib.util import find_spec

if find_spec("sb3_contrib") is None:
    raise ImportError("Learning needs Stable-Baselines3: pip install 'puzzle-envs[rl]'.")
