"""JSON and TOML from files that anybody may have written: bounded in size, nesting and numbers.

What a file holds is refused with a ValueError whose text is a sentence about the file; who knows
the file's name puts it in front.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from pathlib import Path
from typing import Any

__all__ = ["LARGEST", "bytes_of_file", "json_of", "text_of_file", "toml_of"]

LARGEST = 1 << 24
"""Bytes of a file, where its reader asks for no other limit."""
DEEPEST = 50
"""Lists and tables inside one another."""
PARTS = 20
"""Names in a dotted key of TOML: reading takes time by the square of their number."""
WHOLE = 1 << 63
"""Whole numbers are smaller than this, so that they fit wherever they go."""

_TEXT_OR_REMARK = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|'
    r"'''.*?'''|"
    r'"(?:[^"\\\n]|\\.)*"|'
    r"'[^'\n]*'|"
    r"#[^\n]*",
    re.DOTALL,
)
_DOTTED = re.compile(r"(?<![\w.-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++)++")


def bytes_of_file(path: Path, largest: int = LARGEST) -> bytes:
    """What a file holds, if that is not too much; an OSError where it cannot be read."""
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"It is larger than {largest >> 20} MiB.")
    return data


def text_of_file(path: Path) -> str:
    """What a file of text holds; a ValueError names the file where it holds something else."""
    try:
        return _text(bytes_of_file(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def json_of(data: bytes) -> Any:
    """What a text in JSON says; the same thing said twice, and what is no number, is refused."""
    try:
        told = json.loads(
            _text(data),
            object_pairs_hook=_without_doublets,
            parse_constant=_refused,
            parse_float=_number,
            parse_int=_whole,
        )
    except json.JSONDecodeError as error:
        raise ValueError(
            f"It is not JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from None
    except RecursionError:
        raise _too_deep() from None
    _check_depth(told)
    return told


def toml_of(data: bytes) -> dict[str, Any]:
    """What a text in TOML says. Numbers may be infinite there; who reads them refuses that."""
    text = _text(data)
    for key in _DOTTED.finditer(_TEXT_OR_REMARK.sub(_placeholder, text)):
        if key[0].count(".") >= PARTS:
            raise ValueError(f"A key has more than {PARTS} parts: {key[0][:40]}...")
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"It is not TOML: {error}.") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:  # a number of thousands of digits, a date that is none
        digits = "integer string conversion" in str(error)
        raise ValueError("A number has too many digits." if digits else f"{error}.") from None
    _check_depth(told)
    _check_wholes(told)
    return told


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("It is not text in UTF-8.") from None


def _placeholder(found: re.Match[str]) -> str:
    """A quoted part of a key is one word; what a remark says is no key."""
    return "" if found[0].startswith("#") else "_"


def _without_doublets(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in told if keys.count(key) > 1)
        raise ValueError(f"It says one thing twice: '{twice[:40]}'.")
    return told


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no number.")


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"The number {text[:40]} is too large.")
    return number


def _whole(text: str) -> int:
    if len(text) > len(str(WHOLE)) + 1 or not -WHOLE <= (number := int(text)) < WHOLE:
        raise ValueError(f"The number {text[:40]}{'...' * (len(text) > 40)} is too large.")
    return number


def _check_depth(told: Any) -> None:
    inner = [told]
    for _ in range(DEEPEST):
        inner = [
            part
            for one in inner
            if isinstance(one, dict | list)
            for part in (one.values() if isinstance(one, dict) else one)
        ]
        if not inner:
            return
    raise _too_deep()


def _too_deep() -> ValueError:
    return ValueError(f"It is nested more than {DEEPEST} deep.")


def _check_wholes(told: Any) -> None:
    """Refuse whole numbers that are too large; what they stand in is not nested deeply."""
    for part in told.values() if isinstance(told, dict) else told:
        if isinstance(part, dict | list):
            _check_wholes(part)
        elif isinstance(part, int) and not isinstance(part, bool):
            _whole(str(part))
