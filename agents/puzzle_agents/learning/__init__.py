"""Learning with Stable-Baselines3: training, model files, trained models as agents."""
