"""Suggestions for mistyped names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

NEAR = 0.6
"""Minimum similarity (`difflib`); 1 means equal."""
PART = 3
"""Minimum length of a word that is looked for within names, as ppo in maskable-ppo."""


def did_you_mean(word: str, known: Iterable[str], most: int = 1) -> str:
    """A sentence, after a space, that names the most similar known names; empty if there are none.

    If none is similar, it names those that contain the word.

    Args:
        word: The name as typed; case is ignored.
        known: Known names of the same kind.
        most: Maximum number of suggestions.
    """
    spelled = {name.lower(): name for name in known}
    word = word.lower()[:100]
    near = difflib.get_close_matches(word, spelled, n=most, cutoff=NEAR)
    if not near and len(word) >= PART:
        near = [name for name in spelled if word in name][:most]
    return f" Did you mean {' or '.join(repr(spelled[one]) for one in near)}?" if near else ""
