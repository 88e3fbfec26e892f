"""Schemas of values from outside: types and bounds, with sentences for violations.

Kinds compose: a table's keys have kinds, and so do a list's members. The sentence names the place
inside, such as "'agents.quick.seeds[2]' must be an integer from 0 to 7, not 'x'."
"""

from __future__ import annotations

import dataclasses
import math
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import numpy as np

from puzzle_envs.common.suggestion import did_you_mean


def _nothing_inside(value: Any, place: str) -> Iterator[str]:
    return iter(())


@dataclasses.dataclass(frozen=True)
class Kind:
    """A type within its bounds."""

    wanted: str
    """In words: "an integer from 1 to 5"."""
    accepts: Callable[[Any], bool]
    """Whether a value is of this kind, ignoring its members."""
    inside: Callable[[Any, str], Iterator[str]] = _nothing_inside
    """Violations by the members of a value at a place."""

    def faults(self, value: object, place: str) -> Iterator[str]:
        """Sentences about the violations of a value."""
        if self.accepts(value):
            yield from self.inside(value, place)
        else:
            subject = f"'{place}'" if place else "It"
            yield f"{subject} must be {self.wanted}, not {reprlib.repr(value)}."

    def holds(self, value: object) -> bool:
        """Whether a value and its members are of this kind."""
        return next(self.faults(value, ""), None) is None


Fields: TypeAlias = Mapping[str, Kind]
"""The keys that a table may have."""


def check(parsed: object, kind: Kind, where: str = "") -> None:
    """Reject a value of another kind; the ValueError says what is wrong and where.

    Args:
        parsed: The value, such as the content of a file.
        kind: The kind required.
        where: Its place in the file, such as "trunk"; empty for the whole.
    """
    for fault in kind.faults(parsed, where):
        raise ValueError(fault)


# --- numbers and texts ------------------------------------------------------------------------


def whole(least: int | None = None, most: int | None = None) -> Kind:
    """An integer."""
    return Kind(
        f"an integer{_bounds(least, most)}",
        lambda value: _is(value, int | np.integer) and _within(value, least, most),
    )


def number(least: float | None = None, most: float | None = None) -> Kind:
    """A finite number."""
    return Kind(
        f"a number{_bounds(least, most)}",
        lambda value: (
            _is(value, int | float | np.integer | np.floating)
            and math.isfinite(value)
            and _within(value, least, most)
        ),
    )


def _bounds(least: float | None, most: float | None) -> str:
    said = "" if least is None else f" from {least:,}"
    return said if most is None else f"{said} to {most:,}"


def _within(value: float, least: float | None, most: float | None) -> bool:
    return (least is None or least <= value) and (most is None or value <= most)


def _is(value: object, kind: Any) -> bool:
    """Whether a value is a number of a type; booleans are not."""
    return isinstance(value, kind) and not isinstance(value, bool)


def text(longest: int = 1000) -> Kind:
    """A nonempty string."""
    return Kind(
        f"a string of 1 to {longest:,} characters",
        lambda value: type(value) is str and 0 < len(value) <= longest,
    )


def one_of(words: Iterable[str]) -> Kind:
    """One of some words."""
    known = tuple(words)
    return Kind(f"one of {', '.join(known)}", lambda value: type(value) is str and value in known)


truth = Kind("true or false", lambda value: type(value) is bool)
plain = Kind(
    "a number, a string, true or false",
    lambda value: (
        type(value) in (int, str, bool) or (type(value) is float and math.isfinite(value))
    ),
)
"""Values of arguments."""
ANYTHING = Kind("anything", lambda value: True)
NOTHING = Kind("none", lambda value: value is None)


# --- of other kinds ---------------------------------------------------------------------------


def _either(kinds: Sequence[Kind]) -> Kind:
    return Kind(
        " or ".join(kind.wanted for kind in kinds),
        lambda value: any(kind.holds(value) for kind in kinds),
    )


def optional(kind: Kind) -> Kind:
    """A kind, or none."""
    return _either((kind, NOTHING))


def list_of(kind: Kind, least: int = 1, most: int | None = 1000) -> Kind:
    """A list with members of a kind."""

    def inside(value: Sequence[Any], place: str) -> Iterator[str]:
        for index, one in enumerate(value, start=1):
            yield from kind.faults(one, f"{place}[{index}]")

    count = f" of {least:,} to {most:,}" if most is not None else ""
    return Kind(
        f"a list{count}, each {kind.wanted}",
        lambda value: isinstance(value, list | tuple) and _within(len(value), least, most),
        inside,
    )


def table_of(kind: Kind) -> Kind:
    """A table with any keys, and values of a kind."""
    return table({}, others=kind)


def table(known: Fields, needed: Iterable[str] = (), others: Kind | None = None) -> Kind:
    """A table of keys and values.

    Args:
        known: The keys and the kinds of their values.
        needed: Required keys.
        others: Kind of the values of unknown keys; None to reject them.
    """

    def inside(value: Mapping[Any, Any], place: str) -> Iterator[str]:
        within = f" in '{place}'" if place else ""
        for key, held in value.items():
            kind = known.get(key, others) if isinstance(key, str) else None
            if kind is None:
                key = str(key)[:60]
                there = f" Available: {', '.join(known)}." if known else " There are none."
                yield f"There is no key '{key}'{within}.{did_you_mean(key, known)}{there}"
            else:
                yield from kind.faults(held, f"{place}.{key}" if place else key)
        for key in needed:
            if key not in value:
                yield f"The key '{key}' is missing{within}."

    return Kind("a table of keys and values", lambda value: isinstance(value, Mapping), inside)


def of_type(hint: Any, least: int | None = None) -> Kind:
    """The kind of a type hint; a dataclass is a table with exactly its fields.

    Args:
        hint: The type.
        least: Lower bound of numbers, at any depth.
    """
    origin, parts = get_origin(hint), get_args(hint)
    if dataclasses.is_dataclass(hint):
        known = {key: of_type(one, least) for key, one in get_type_hints(hint).items()}
        return table(known, needed=known)
    if origin in (Union, UnionType):
        return _either([of_type(part, least) for part in parts])
    if origin is Literal:
        return one_of(parts)
    if origin is list:
        return list_of(of_type(parts[0], least), 0, None)
    if origin is dict:
        return table_of(of_type(parts[1], least))
    if hint in (int, float):
        return whole(least) if hint is int else number(least)
    return _SIMPLE.get(hint) or Kind("something else", lambda value: isinstance(value, hint))


_SIMPLE: Mapping[Any, Kind] = {
    Any: ANYTHING,
    NoneType: NOTHING,
    bool: truth,
    str: Kind("a string", lambda value: isinstance(value, str)),
}
