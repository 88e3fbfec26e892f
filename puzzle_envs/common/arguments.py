"""Checks of arguments, with the same messages everywhere.

A wrong type is a TypeError; a wrong value of the right type is a ValueError. True and False are not
numbers.
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

LONGEST = 80
"""Maximum length of a value in an error."""


def shown(value: object) -> str:
    """The repr of a value for an error: on one line, truncated if long."""
    try:
        written = " ".join(repr(value).split())
    except Exception:  # integers of more than 4,300 digits, and faulty classes
        return f"a value of type {type(value).__name__}"
    return written if len(written) <= LONGEST else f"{written[: LONGEST - 1]}…"


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Check an integer of any type; return it as an int."""
    if isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {value}.")
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {shown(value)}.") from None
    if (least is not None and count < least) or (most is not None and count > most):
        if least is None:
            bounds = f"at most {most}"
        else:
            bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be {bounds}, not {shown(count)}.")
    return count


def whole_or_none(
    name: str, value: object, least: int | None = None, most: int | None = None
) -> int | None:
    """Check an integer or None."""
    return None if value is None else whole(name, value, least, most)


def number(
    name: str, value: object, least: float | None = None, most: float | None = None
) -> float:
    """Check a finite number, from `least` to `most`."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, not {shown(value)}.")
    try:
        taken = float(value)
    except OverflowError:
        taken = np.inf
    if not np.isfinite(taken):
        raise ValueError(f"{name} must be a finite number, not {shown(value)}.")
    if least is not None and most is not None and not least <= taken <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {shown(value)}.")
    return taken


def flag(name: str, value: object) -> bool:
    """Check a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {shown(value)}.")
    return bool(value)


def several(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether it is a sequence of values, not a string."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def text(name: str, value: object) -> str:
    """Check a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {shown(value)}.")
    return value


def one_of(name: str, value: object, choices: Iterable[object]) -> None:
    """Reject a value that is not among these names, numbers or None."""
    known = tuple(choices)
    plain = isinstance(value, (str, int, NoneType)) and not isinstance(value, bool)
    if not plain or value not in known:
        near = did_you_mean(value, map(str, known)) if isinstance(value, str) else ""
        names = ", ".join(map(str, known))
        raise ValueError(f"{name} must be one of {names}, not {shown(value)}.{near}")


def need_reset(begun: bool, what: str) -> None:
    """Reject what an environment can only do after its first reset."""
    if not begun:
        raise gymnasium.error.ResetNeeded(f"Call reset() before {what}.")


def options_of(options: object, known: Sequence[str]) -> Mapping[str, Any]:
    """Check the options of a reset."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options must be a dict such as {{'level': ...}}, not {shown(options)}.")
    for key in options:
        if key not in known:
            near = did_you_mean(key, known) if isinstance(key, str) else ""
            raise ValueError(
                f"reset() has no option {shown(key)}.{near} It has {', '.join(known)}."
            )
    return options
