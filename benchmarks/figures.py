"""Fills measured figures into documents, from files that commands wrote.

A document marks a figure as <!-- speed :: ZenGarden-v0, steps/s :: ours -->136,093<!-- / -->: of
docs/measured/speed.json the row with that text in its name, and the column. Tests compare them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from benchmarks.measuring import KEPT
from puzzle_envs.common.files import write_whole

ROOT = KEPT.parent.parent
MARK = re.compile(r"(<!-- (\w+) :: (.+?) :: (.+?) -->)(.*?)(<!-- / -->)")


class NotMeasuredError(ValueError):
    """The file of a figure does not exist."""


def documents() -> list[Path]:
    """The documents that can contain such figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def filled(text: str, folder: Path = KEPT) -> str:
    """A document with all its figures updated from the files."""

    def entry(mark: re.Match[str]) -> str:
        begin, name, row, column, _, end = mark.groups()
        return f"{begin}{_figure(folder / f'{name}.json', row, column)}{end}"

    return MARK.sub(entry, text)


def _figure(path: Path, row: str, column: str) -> str:
    if not path.is_file():
        raise NotMeasuredError(
            f"There is no {path.name}; 'python -m benchmarks.{path.stem} --keep' writes it."
        )
    figures: dict[str, dict[str, str]] = json.loads(path.read_text("utf-8"))["figures"]
    found = [figures[row]] if row in figures else [
        cells for name, cells in figures.items() if row in name
    ]  # fmt: skip
    if len(found) != 1:
        raise ValueError(f"{path.name} has {len(found)} rows with '{row}' in their names.")
    if column not in found[0]:
        raise ValueError(f"The row '{row}' of {path.name} has no column '{column}'.")
    return found[0][column]


def main() -> None:
    """Fill in all documents."""
    for path in documents():
        before = path.read_text("utf-8")
        after = filled(before)
        if after != before:
            write_whole(path, after.encode())
            print(f"Written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
