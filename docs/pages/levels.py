"""All bundled levels: their counts for the data card, and the archive of a release."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.pages.environments import table
from docs.pages.links import DOCS, online
from puzzle_agents.environments import ids, puzzle_of
from puzzle_envs.level import Level, levels_folder

CARD = DOCS / "data_card.md"


def summary() -> str:
    """The table of the data card: the number of levels, and what is known about them."""
    rows = []
    for id in ids():
        form = puzzle_of(id).format
        levels = [level for name in form.sets() for level in form.find_all(name)]
        proved = sum(level.optimum is not None for level in levels)
        unsolvable = sum(level.solvable is False for level in levels)
        known = sum(level.known is not None for level in levels)
        rest = len(levels) - proved - unsolvable - known
        counts = (len(form.sets()), len(levels), proved, known, unsolvable, rest)
        rows.append((id, *(f"{count:,}" for count in counts)))
    heads = ("Environment", "Sets", "Levels", "Optimum proved", "Solution known")
    return table((*heads, "Proved unsolvable", "Nothing known"), rows)


def entries() -> Iterator[dict[str, Any]]:
    """The metadata of each level, as an object of plain values."""
    for id in ids():
        form = puzzle_of(id).format
        for name in form.sets():
            for level in form.find_all(name):
                shape = form.shape(level.record)
                yield {
                    "environment": id,
                    "set": name,
                    "name": level.name,
                    "file": f"levels/{form.puzzle}/{name}.txt",
                    "width": shape.width,
                    "height": shape.height,
                    "counted_in": form.optimum_key,
                    **_certificate(level),
                    "notes": dict(level.notes),
                }


def _certificate(level: Level) -> dict[str, Any]:
    return {
        "solvable": level.solvable,
        "optimum": level.optimum,
        "known": level.known,
        "bound": level.bound,
    }


def archive(file: Path) -> None:
    """Write all level files with their metadata, the difficulty figures and the data card."""
    folder = levels_folder()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".txt", ".json"):
                packed.write(path, f"levels/{path.relative_to(folder).as_posix()}")
        lines = [json.dumps(entry, ensure_ascii=False) for entry in entries()]
        packed.writestr("levels.jsonl", "\n".join(lines) + "\n")
        card = CARD.read_text().replace("<!-- site: levels -->", summary())
        packed.writestr("README.md", online(card, CARD))
        packed.write(folder.parent / "LICENSE", "LICENSE")
