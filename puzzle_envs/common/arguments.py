"""What arguments have to be, said in the same words by everything that takes them.

What is of the wrong kind is a TypeError; what is of the right kind, but none of the values that
there are, is a ValueError. True and False are no numbers.
"""

from __future__ import annotations

import numbers
import operator
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, TypeGuard

import gymnasium
import numpy as np

from puzzle_envs.common.suggestion import did_you_mean

__all__ = [
    "flag",
    "need_reset",
    "number",
    "one_of",
    "options_of",
    "several",
    "shown",
    "text",
    "whole",
    "whole_or_none",
]

LONGEST = 80
"""Characters of a value in an error."""


def shown(value: object) -> str:
    """A value in an error: as Python writes it, in one line, and not all of it if it is long."""
    try:
        written = " ".join(repr(value).split())
    except Exception:  # numbers of more than 4,300 digits, and whatever a class of yours does
        return f"a value of type {type(value).__name__}"
    return written if len(written) <= LONGEST else f"{written[: LONGEST - 1]}…"


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """A whole number of any kind, as Python's own."""
    if isinstance(value, bool):
        raise TypeError(f"{name} is a whole number, not {value}.")
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {shown(value)}.") from None
    if (least is not None and count < least) or (most is not None and count > most):
        if least is None:
            bounds = f"at most {most}"
        else:
            bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is {bounds}, not {shown(count)}.")
    return count


def whole_or_none(
    name: str, value: object, least: int | None = None, most: int | None = None
) -> int | None:
    """A whole number, or None."""
    return None if value is None else whole(name, value, least, most)


def number(
    name: str,
    value: object,
    least: float | None = None,
    most: float | None = None,
    *,
    above: float | None = None,
) -> float:
    """A finite number, from `least` to `most` or more than `above`."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} is a number, not {shown(value)}.")
    try:
        taken = float(value)
    except OverflowError:
        taken = np.inf
    if not np.isfinite(taken):
        raise ValueError(f"{name} is a finite number, not {shown(value)}.")
    if above is not None and not taken > above:
        raise ValueError(f"{name} is more than {above}, not {shown(value)}.")
    if least is not None and most is not None and not least <= taken <= most:
        raise ValueError(f"{name} is a number from {least} to {most}, not {shown(value)}.")
    return taken


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is True or False, not {shown(value)}.")
    return bool(value)


def several(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether it is a sequence of values, and no string."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def text(name: str, value: object) -> str:
    """A string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a string, not {shown(value)}.")
    return value


def one_of(name: str, value: object, choices: Iterable[object]) -> None:
    """Refuse what is none of these names and numbers; None is one where it is among them."""
    there = tuple(choices)
    plain = isinstance(value, (str, int, NoneType)) and not isinstance(value, bool)
    if not plain or value not in there:
        near = did_you_mean(value, map(str, there)) if isinstance(value, str) else ""
        names = ", ".join(map(str, there))
        raise ValueError(f"{name} is one of {names}, not {shown(value)}.{near}")


def need_reset(begun: bool, what: str) -> None:
    """Refuse what an environment can only do after its first reset."""
    if not begun:
        raise gymnasium.error.ResetNeeded(f"Call reset() before {what}.")


def options_of(options: object, known: Sequence[str]) -> Mapping[str, Any]:
    """The options of a reset; there are no others than those that are known."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options is a dict such as {{'level': ...}}, not {shown(options)}.")
    for key in options:
        if key not in known:
            near = did_you_mean(key, known) if isinstance(key, str) else ""
            raise ValueError(
                f"reset() has no option {shown(key)}.{near} It has {', '.join(known)}."
            )
    return options
