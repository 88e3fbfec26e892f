"""Checks of the arguments of genetic algorithms."""

from __future__ import annotations

from puzzle_envs.common.arguments import number, whole

MOST = 10**9
"""Larger counts do not fit into memory."""
MOST_OF = {"islands": 64, "rivals": 10_000, "tournament": 10_000}
"""More threads than any machine has cores; tournaments larger than make a difference, which are
drawn without checking the clock."""


def check_counts(**numbers: int) -> None:
    """Reject anything but whole numbers from 1."""
    for name, count in numbers.items():
        whole(name, whole(name, count, least=1), most=MOST_OF.get(name, MOST))


def check_limits(**limits: int | None) -> None:
    """As `check_counts`, but None is allowed and means no limit."""
    check_counts(**{name: limit for name, limit in limits.items() if limit is not None})


def check_rates(**rates: float) -> None:
    """Reject anything but probabilities."""
    for name, rate in rates.items():
        number(name, rate, 0, 1)
