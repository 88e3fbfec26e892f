"""docs/playing.md says what the code does.

`python -m tests.player.test_playing_page` prints its tables.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzle_agents.environments import ids, puzzle_of
from puzzle_agents.player.commands import PLAYING, WATCHING, table

PAGE = Path(__file__).parents[2] / "docs" / "playing.md"


def tables() -> dict[str, str]:
    """Every table of keys by what it is about."""
    told = {"every puzzle": lines(table(None, PLAYING)), "watching": lines(table(None, WATCHING))}
    for id in ids():
        puzzle = puzzle_of(id)
        level = puzzle.format.find(puzzle.default_level)[0]
        controls = puzzle.controls(puzzle.format.shape(level.record))
        told[id] = lines(table(controls, ()))
    return told


def lines(rows: list[tuple[str, str]]) -> str:
    head = [("Key or gesture", "What it does"), ("---", "---")]
    return "\n".join(f"| {keys} | {meaning} |" for keys, meaning in [*head, *rows])


@pytest.mark.parametrize("subject", ["every puzzle", "watching", *ids()])
def test_the_page_has_each_table(subject: str) -> None:
    assert tables()[subject] in PAGE.read_text(encoding="utf-8")


if __name__ == "__main__":
    print("\n\n".join(f"## {subject}\n\n{lines}" for subject, lines in tables().items()))
