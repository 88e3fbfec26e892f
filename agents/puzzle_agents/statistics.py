"""Confidence intervals of measured shares and means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

NORMAL = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations."""

AT_ONCE = 4_000_000
"""Numbers that the bootstrap holds in memory at a time."""


def wilson(hits: float, trials: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share.

    A trial composed of several, some of them hits, counts as a fraction.
    """
    if trials == 0:
        return 0.0, 1.0
    share, square = hits / trials, NORMAL**2
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    reach = NORMAL * sqrt(share * (1 - share) / trials + square / (4 * trials**2))
    reach /= 1 + square / trials
    return max(0.0, middle - reach), min(1.0, middle + reach)


def mean(values: Numbers) -> Numbers:
    """The mean along the last axis."""
    return np.asarray(values.mean(axis=-1))


def iqm(values: npt.ArrayLike) -> Numbers:
    """The interquartile mean along the last axis: the mean of the middle half.

    Of n numbers n // 4 are left out at either end, as in rliable and in SciPy's `trim_mean`.
    """
    ordered = np.sort(np.asarray(values, np.float64), axis=-1)
    cut = ordered.shape[-1] // 4
    kept: Numbers = ordered[..., cut : ordered.shape[-1] - cut]
    return np.asarray(kept.mean(axis=-1))


def better(ours: npt.ArrayLike, theirs: npt.ArrayLike) -> Numbers:
    """The probability that one of ours is larger than one of theirs; ties count half.

    Along the last axis, over all pairs (Mann-Whitney).
    """
    difference = np.asarray(ours)[..., :, None] - np.asarray(theirs)[..., None, :]
    return np.asarray((0.5 * (1 + np.sign(difference))).mean(axis=(-1, -2)))


def improvement(
    ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]
) -> tuple[float, float, float]:
    """The probability of improvement over several tasks, with its 95 % bootstrap interval.

    As in rliable: the mean over the tasks of the probability that a run of ours on a task is better
    than one of theirs.

    Args:
        ours: For each task the results of our runs.
        theirs: The same of other runs on the same tasks.
    """
    strata = [part for pair in zip(ours, theirs, strict=True) for part in pair]
    ends = np.cumsum([len(stratum) for stratum in strata])[:-1]

    def statistic(drawn: Numbers) -> Numbers:
        parts = np.split(drawn, ends, axis=-1)
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return np.asarray(np.mean([better(*pair) for pair in pairs], axis=0))

    return with_interval(strata, statistic)


def with_interval(
    strata: Sequence[Sequence[float]], statistic: Callable[[Numbers], Numbers]
) -> tuple[float, float, float]:
    """A statistic of all numbers, with its bootstrap interval."""
    measured = np.concatenate([np.asarray(stratum, np.float64) for stratum in strata])
    return float(statistic(measured)), *bootstrap(strata, statistic)


def bootstrap(
    strata: Sequence[Sequence[float]],
    statistic: Callable[[Numbers], Numbers],
    *,
    repetitions: int = 2000,
    seed: int = 0,
) -> tuple[float, float]:
    """The 95 % stratified percentile bootstrap interval of a statistic.

    Each repetition draws, with replacement, as many numbers from each stratum as it has.

    Args:
        strata: The numbers measured, a stratum (the seeds of one level) at a time.
        statistic: From the numbers of many repetitions (last axis) to one number for each.
        repetitions: Number of resamples.
        seed: Random seed.
    """
    numbers = np.concatenate([np.asarray(stratum, np.float64) for stratum in strata])
    sizes = np.array([len(stratum) for stratum in strata])
    size = np.repeat(sizes, sizes)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    random = np.random.default_rng(seed)
    found = []
    step = max(1, AT_ONCE // len(numbers))
    for begin in range(0, repetitions, step):
        draws = random.random((min(step, repetitions - begin), len(numbers)))
        found.append(statistic(numbers[first + (draws * size).astype(np.int64)]))
    low, high = np.quantile(np.concatenate(found), [0.025, 0.975])
    return float(low), float(high)
