"""What several subcommands take: levels, agents and budgets, and arguments typed key=value."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
from typing import Annotated, Any, get_args

import typer

from puzzle_agents.parameters import parameters

__all__ = [
    "AgentArguments", "CellPixels", "Expansions", "LevelText", "Memory", "PuzzleOptions", "Seconds",
    "options_typed", "typed",
]  # fmt: skip

MOST = 10**15
"""Whole numbers that people type are not larger; machines count so far in a month."""

LevelText = Annotated[
    str | None,
    typer.Argument(
        metavar="LEVEL",
        help="A name such as easy/1, a file, one of a file's levels (mine.txt/3), or a text in "
        "one line.",
        show_default="the environment's own",
    ),
]
AgentArguments = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="An argument of the agent. Several times: each."),
]
PuzzleOptions = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="An environment argument of the puzzle's own."),
]
Seconds = Annotated[float, typer.Option(help="The most time for a level.")]
Memory = Annotated[str, typer.Option(help="The most memory.")]
Expansions = Annotated[
    int | None, typer.Option(max=MOST, help="The most states expanded.", show_default="any number")
]

CellPixels = Annotated[int, typer.Option(min=4, max=512, help="The size of a cell in a picture.")]

TYPED = {int, float, bool, NoneType}
"""Types that a text is read as; of any other it is the value itself."""


def options_typed(pairs: Sequence[str] | None, id: str) -> dict[str, Any]:
    """What `key=value` means to an environment, as an argument of its puzzle's own."""
    from puzzle_agents.environments import options_of

    return _typed(pairs or (), options_of(id), id)


def typed(
    pairs: Sequence[str] | None, made: type, whose: str, own: Iterable[str] = ()
) -> dict[str, Any]:
    """What `key=value` means to a class, by the types that its parameters have.

    Args:
        pairs: As they were typed.
        made: What takes the arguments.
        whose: Its name for people.
        own: Parameters that are not for the person to give.
    """
    hints = {key: hint for key, hint in parameters(made).items() if key not in own}
    return _typed(pairs or (), hints, whose)


def _typed(pairs: Sequence[str], hints: Mapping[str, Any], whose: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        key = key.strip().replace("-", "_")
        if not equals:
            raise ValueError(f"'{pair}' is no argument of {whose}; write key=value.")
        if key not in hints:
            raise ValueError(f"{whose} has no argument '{key}'.{_there(key, list(hints))}")
        if key in arguments:
            raise ValueError(f"The argument '{key}' is given twice; give it once.")
        arguments[key] = _value(key, text.strip(), hints[key], whose)
    return arguments


def _there(key: str, known: Sequence[str]) -> str:
    from puzzle_envs.common.suggestion import did_you_mean  # which help does without

    there = f" It has {', '.join(known)}." if known else " It has none."
    return did_you_mean(key, known) + there


def _value(key: str, text: str, hint: Any, whose: str) -> Any:
    """The value that a text stands for where a type is wanted."""
    types = set(get_args(hint)) or {hint}
    if bool in types and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if int in types and re.fullmatch(r"[+-]?[0-9]+", text):
        return _whole(key, text, whose)
    if float in types and _is_number(text):
        return float(text)
    if types <= TYPED:
        if NoneType in types and text.lower() == "none":
            return None
        raise ValueError(f"The argument '{key}' of {whose} is {_wanted(hint)}, not '{text}'.")
    return text


def _wanted(hint: Any) -> str:
    from puzzle_agents.fields import of_type  # which help does without

    return of_type(hint).wanted


def _whole(key: str, text: str, whose: str) -> int:
    if len(text) > len(str(MOST)) or abs(int(text)) > MOST:
        raise ValueError(f"The argument '{key}' of {whose} is at most {MOST:,}, not '{text:.40}'.")
    number = int(text)
    if key == "seed" and number < 0:
        raise ValueError(f"The argument 'seed' of {whose} is a number from 0, not {number}.")
    return number


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
