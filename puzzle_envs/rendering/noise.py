"""Noise that repeats without a seam, for sand, moss and stone."""

import numpy as np

from puzzle_envs.rendering.shapes import Field


def periodic_noise(shape: tuple[int, ...], grain: float, seed: int) -> Field:
    """Smooth noise of mean 0 and deviation 1 whose edges meet; `grain` is its size in pixels."""
    height, width = shape
    white = np.random.default_rng(seed).standard_normal((height, width))
    down = np.fft.fftfreq(height)[:, None]
    across = np.fft.rfftfreq(width)[None, :]
    keep = np.exp(-2 * (np.pi * grain) ** 2 * (down**2 + across**2))
    keep[0, 0] = 0
    noise = np.fft.irfft2(np.fft.rfft2(white) * keep, s=(height, width))
    return np.asarray(noise / max(float(noise.std()), 1e-9), np.float32)
