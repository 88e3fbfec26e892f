"""What the arguments of genetic algorithms have to be."""

from __future__ import annotations

from puzzle_envs.common.arguments import number, whole

__all__ = ["check_counts", "check_limits", "check_rates"]

MOST = 10**9
"""More fits into no memory."""
MOST_OF = {"islands": 64, "rivals": 10_000, "tournament": 10_000}
"""More threads than any machine has cores for; more competitors than make a difference, of whom all
are drawn before anybody looks at the clock."""


def check_counts(**numbers: int) -> None:
    """Refuse what is no number from 1 on."""
    for name, count in numbers.items():
        whole(name, whole(name, count, least=1), most=MOST_OF.get(name, MOST))


def check_limits(**limits: int | None) -> None:
    """The same, for numbers that may be None: without a limit."""
    check_counts(**{name: limit for name, limit in limits.items() if limit is not None})


def check_rates(**rates: float) -> None:
    """Refuse what is no probability or share."""
    for name, rate in rates.items():
        number(name, rate, 0, 1)
