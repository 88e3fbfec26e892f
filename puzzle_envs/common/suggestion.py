"""What somebody may have meant who typed a name that there is not."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["did_you_mean"]

NEAR = 0.6
"""How alike two words are at least (`difflib`); 1 is the same word."""


def did_you_mean(word: str, known: Iterable[str], most: int = 1) -> str:
    """A sentence, after a space, that names the nearest of the names that are known, if any is.

    Args:
        word: What was typed; capitals make no difference.
        known: Names of the one kind that was asked for.
        most: How many to name.
    """
    spelled = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower()[:100], spelled, n=most, cutoff=NEAR)
    return f" Did you mean {' or '.join(repr(spelled[one]) for one in near)}?" if near else ""
