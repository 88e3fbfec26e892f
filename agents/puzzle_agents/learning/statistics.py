"""How sure a share is that was counted."""

from __future__ import annotations

from math import sqrt

__all__ = ["wilson"]

NORMAL = 1.959963984540054
"""Of a normal distribution, 95 % lie within so many standard deviations."""


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """The Wilson interval: where the true share lies, with 95 % confidence."""
    if trials == 0:
        return 0.0, 1.0
    share, square = hits / trials, NORMAL**2
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    reach = NORMAL * sqrt(share * (1 - share) / trials + square / (4 * trials**2))
    reach /= 1 + square / trials
    return max(0.0, middle - reach), min(1.0, middle + reach)
