"""What a file may say: for each key a type and bounds, and a sentence where it says another."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from puzzle_envs.common.suggestion import did_you_mean

__all__ = [
    "Fields",
    "Kind",
    "check",
    "list_of",
    "number",
    "one_of",
    "plain",
    "text",
    "truth",
    "whole",
]


class Kind(NamedTuple):
    """A type within its bounds."""

    wanted: str
    """In words: "a whole number from 1 to 5"."""
    holds: Callable[[Any], bool]


Fields: TypeAlias = Mapping[str, Kind]
"""The keys that a table may have."""


def whole(least: int, most: int) -> Kind:
    """A whole number."""
    return Kind(
        f"a whole number from {least:,} to {most:,}",
        lambda value: _is(value, int | np.integer) and least <= value <= most,
    )


def number(least: float, most: float) -> Kind:
    """A number, whole or not, that is finite."""
    return Kind(
        f"a number from {least:,g} to {most:,g}",
        lambda value: _is(value, int | float | np.integer | np.floating) and least <= value <= most,
    )


def _is(value: object, kind: Any) -> bool:
    """Whether it is a number of a kind; true and false are none."""
    return isinstance(value, kind) and not isinstance(value, bool)


def text(longest: int = 1000) -> Kind:
    """A text that says something."""
    return Kind(
        f"a text of 1 to {longest:,} characters",
        lambda value: type(value) is str and 0 < len(value) <= longest,
    )


def one_of(words: Iterable[str]) -> Kind:
    """One of some words."""
    known = tuple(words)
    return Kind(f"one of {', '.join(known)}", lambda value: type(value) is str and value in known)


def list_of(kind: Kind, least: int = 1, most: int = 1000) -> Kind:
    """A list whose members are all of a kind."""
    return Kind(
        f"a list of at least {least}, each {kind.wanted}",
        lambda value: (
            isinstance(value, list | tuple)
            and least <= len(value) <= most
            and all(map(kind.holds, value))
        ),
    )


truth = Kind("true or false", lambda value: type(value) is bool)
plain = Kind(
    "a number, a text, true or false",
    lambda value: (
        type(value) in (int, str, bool) or (type(value) is float and math.isfinite(value))
    ),
)
"""What an argument can be."""


def check(
    told: object,
    known: Fields,
    where: str = "",
    *,
    needed: Iterable[str] = (),
    others: Kind | None = None,
) -> None:
    """Refuse keys that are not known, values of another kind, and what is missing.

    Args:
        told: What a file says.
        known: The keys and what each may hold.
        where: In the file, such as "trunk"; empty for all of it.
        needed: Keys that may not be missing.
        others: What keys that are not known may hold; None where there may be none.
    """
    if not isinstance(told, Mapping):
        place = f"'{where}' is" if where else "It holds"
        raise ValueError(f"{place} a table of keys and values, not {reprlib.repr(told)}.")
    inside = f" in '{where}'" if where else ""
    for key, value in told.items():
        kind = known.get(key, others) if isinstance(key, str) else None
        if kind is None:
            key = str(key)[:60]
            there = f" There are {', '.join(known)}." if known else " There are none."
            raise ValueError(f"There is no key '{key}'{inside}.{did_you_mean(key, known)}{there}")
        if not kind.holds(value):
            place = f"{where}.{key}" if where else key
            raise ValueError(f"'{place}' is {kind.wanted}, not {reprlib.repr(value)}.")
    for key in needed:
        if key not in told:
            raise ValueError(f"The key '{key}' is missing{inside}.")
