"""Learning with Stable-Baselines3: training, model files, trained models as agents."""

from importlib.util import find_spec

if find_spec("sb3_contrib") is None:
    raise ImportError("Learning needs Stable-Baselines3: pip install 'puzzle-envs[rl]'.")
