"""Options that several subcommands share: levels, agents and budgets, and key=value arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args

import typer

from puzzle_agents.parameters import parameters

MOST = 10**15
"""Limit of integers on the command line; counters take a month to get there."""

LevelText = Annotated[
    str | None,
    typer.Argument(
        metavar="LEVEL",
        help="A name (easy/1), a file, a level of a file (mine.txt/3), or a level's text in one "
        "line.",
        show_default="the environment's default",
    ),
]
AgentArguments = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="An argument of the agent. Repeatable."),
]
PuzzleOptions = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="A puzzle-specific environment argument. Repeatable."),
]
Seconds = Annotated[float, typer.Option(help="Time limit per level, in seconds.")]
Memory = Annotated[str, typer.Option(help="Memory limit.")]
Expansions = Annotated[
    int | None, typer.Option(max=MOST, help="Limit of states expanded.", show_default="none")
]

LevelFile = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE.txt", help="Output file.", show_default="stdout"),
]
CellPixels = Annotated[int, typer.Option(min=4, max=512, help="Size of a cell in pixels.")]


def folder_option(help: str, default: str | bool = True) -> Any:
    """The option --output of a command that writes to a folder."""
    return typer.Option("--output", "-o", metavar="FOLDER", help=help, show_default=default)


TYPED = {int, float, bool, NoneType}
"""Types to which texts are converted; other types take the text itself."""


def options_typed(pairs: Sequence[str] | None, id: str) -> dict[str, Any]:
    """Parse `key=value` pairs as puzzle-specific arguments of an environment."""
    from puzzle_agents.environments import options_of

    return _typed(pairs or (), options_of(id), id)


def typed(
    pairs: Sequence[str] | None, made: type, whose: str, own: Iterable[str] = ()
) -> dict[str, Any]:
    """Parse `key=value` pairs by the types of a class's parameters.

    Args:
        pairs: The pairs as typed.
        made: The class that takes the arguments.
        whose: Its name in messages.
        own: Parameters that cannot be given.
    """
    hints = {key: hint for key, hint in parameters(made).items() if key not in own}
    return _typed(pairs or (), hints, whose)


def _typed(pairs: Sequence[str], hints: Mapping[str, Any], whose: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        key = key.strip().replace("-", "_")
        if not equals:
            raise ValueError(f"Argument '{key}' of {whose} has no value; write {key}=VALUE.")
        if key not in hints:
            raise ValueError(f"{whose} has no argument '{key}'.{_there(key, list(hints))}")
        if key in arguments:
            raise ValueError(f"Argument '{key}' is given twice.")
        arguments[key] = _value(key, text.strip(), hints[key], whose)
    return arguments


def _there(key: str, known: Sequence[str]) -> str:
    from puzzle_envs.common.suggestion import did_you_mean  # not needed for --help

    there = f" It has {', '.join(known)}." if known else " It has none."
    return did_you_mean(key, known) + there


def _value(key: str, text: str, hint: Any, whose: str) -> Any:
    """Convert a text to the type wanted."""
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
        raise ValueError(f"Argument '{key}' of {whose} must be {_wanted(hint)}, not '{text}'.")
    return text


def _wanted(hint: Any) -> str:
    from puzzle_agents.fields import of_type  # not needed for --help

    return of_type(hint).wanted


def _whole(key: str, text: str, whose: str) -> int:
    if len(text) > len(str(MOST)) or abs(int(text)) > MOST:
        raise ValueError(f"Argument '{key}' of {whose} must be at most {MOST:,}, not '{text:.40}'.")
    number = int(text)
    if key == "seed" and number < 0:
        raise ValueError(f"Argument 'seed' of {whose} must be at least 0, not {number}.")
    return number


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
