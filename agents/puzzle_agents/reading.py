"""JSON and TOML from untrusted files, with limits on size, nesting and numbers.

Errors are ValueErrors with a sentence about the content; callers prepend the file's name.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from pathlib import Path
from typing import Any

LARGEST = 1 << 24
"""Default limit of a file's size in bytes."""
DEEPEST = 50
"""Maximum nesting of lists and tables."""
PARTS = 20
"""Maximum parts of a dotted TOML key: parsing takes quadratic time."""
WHOLE = 1 << 63
"""Bound of integers, so that they fit anywhere."""

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
    """The bytes of a file within the size limit; an OSError if it cannot be read."""
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"It is larger than {largest >> 20} MiB.")
    return data


def text_of_file(path: Path) -> str:
    """The text of a file; a ValueError names the file if it is not text."""
    try:
        return _text(bytes_of_file(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def json_of(data: bytes) -> Any:
    """Parse JSON, rejecting duplicate keys and NaN."""
    try:
        parsed = json.loads(
            _text(data),
            object_pairs_hook=_without_duplicates,
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
    _check_depth(parsed)
    return parsed


def toml_of(data: bytes) -> dict[str, Any]:
    """Parse TOML. Infinite numbers are allowed; readers of the fields reject them."""
    text = _text(data)
    for key in _DOTTED.finditer(_TEXT_OR_REMARK.sub(_placeholder, text)):
        if key[0].count(".") >= PARTS:
            raise ValueError(f"A key has more than {PARTS} parts: {key[0][:40]}...")
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"It is not TOML: {error}.") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:  # thousands of digits, an invalid date
        digits = "integer string conversion" in str(error)
        raise ValueError("A number has too many digits." if digits else f"{error}.") from None
    _check_depth(parsed)
    _check_wholes(parsed)
    return parsed


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("It is not text in UTF-8.") from None


def _placeholder(found: re.Match[str]) -> str:
    """Replace quoted parts of keys by one word, and drop comments."""
    return "" if found[0].startswith("#") else "_"


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    parsed = dict(pairs)
    if len(parsed) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in parsed if keys.count(key) > 1)
        raise ValueError(f"Duplicate key: '{twice[:40]}'.")
    return parsed


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number.")


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"The number {text[:40]} is too large.")
    return number


def _whole(text: str) -> int:
    if len(text) > len(str(WHOLE)) + 1 or not -WHOLE <= (number := int(text)) < WHOLE:
        raise ValueError(f"The number {text[:40]}{'...' * (len(text) > 40)} is too large.")
    return number


def _check_depth(parsed: Any) -> None:
    inner = [parsed]
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


def _check_wholes(parsed: Any) -> None:
    """Reject integers that are too large; nesting has been checked."""
    for part in parsed.values() if isinstance(parsed, dict) else parsed:
        if isinstance(part, dict | list):
            _check_wholes(part)
        elif isinstance(part, int) and not isinstance(part, bool):
            _whole(str(part))
