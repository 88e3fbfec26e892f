"""What the arguments of genetic algorithms have to be."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["check_choice", "check_counts", "check_rates"]

MOST = 10**9


def check_counts(**numbers: int | None) -> None:
    """Refuse numbers below 1, and such as fit into no memory; None is no number."""
    for name, number in numbers.items():
        if number is not None and number < 1:
            raise ValueError(f"{name} is {number}; give at least 1.")
        if number is not None and number > MOST:
            raise ValueError(f"{name} is {number:.6g}; give at most {MOST:,}.")


def check_rates(**rates: float) -> None:
    """Refuse what is no probability or share."""
    for name, rate in rates.items():
        if not 0 <= rate <= 1:
            raise ValueError(f"{name} is {rate}; give a number from 0 to 1.")


def check_choice(name: str, value: object, choices: Sequence[object]) -> None:
    """Refuse a reading that there is not."""
    if value not in choices:
        raise ValueError(f"{name} is {value!r}; give one of {', '.join(map(repr, choices))}.")
