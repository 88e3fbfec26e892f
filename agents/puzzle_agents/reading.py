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

__all__ = ["bytes_of_file", "json_of", "toml_of"]

LARGEST = 1 << 24
"""Bytes of a file, where its reader asks for no other limit."""
DEEPEST = 50
"""Lists and tables inside one another."""
PARTS = 20
"""Names in a dotted key of TOML: reading takes time by the square of their number."""
WHOLE = 1 << 63
DIGITS = 20
"""Whole numbers are smaller than this, so that they fit wherever they go; with their sign they have
no more digits."""

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
    _check(told)
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
        raise (_too_large() if digits else ValueError(f"{error}.")) from None
    _check(told)
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
        raise _too_large()
    return number


def _whole(text: str) -> int:
    if len(text) > DIGITS:
        raise _too_large()
    return int(text)


def _check(told: Any) -> None:
    """Refuse what is nested too deeply, and whole numbers that fit nowhere."""
    inner = [told]
    for _ in range(DEEPEST):
        if any(isinstance(one, int) and not -WHOLE <= one < WHOLE for one in inner):
            raise _too_large()
        inner = [
            part
            for one in inner
            if isinstance(one, dict | list)
            for part in (one.values() if isinstance(one, dict) else one)
        ]
        if not inner:
            return
    raise _too_deep()


def _too_large() -> ValueError:
    return ValueError("A number has too many digits.")


def _too_deep() -> ValueError:
    return ValueError(f"It is nested more than {DEEPEST} deep.")
