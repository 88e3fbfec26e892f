"""Fills measured figures into documents, from files that commands wrote.

A document marks what it shows of docs/measured/speed.json. Tests compare the two. A name with a
slash, such as reproduced/kwirk, is a file elsewhere in docs. `python -m benchmarks.figures` also
writes the pages of benchmarks.pages, those of the benchmarks with `--benchmarks`.

    <!-- speed :: ZenGarden-v0, steps/s :: ours -->136,093<!-- / -->   the row whose name has this
                                                                       text, and a column
    <!-- speed :: table 2 :: 15-puzzle :: moves -->53<!-- / -->        the same of the second table
    <!-- speed :: table 1 --> ... <!-- / -->                           the first table
    <!-- speed :: tables --> ... <!-- / -->                            all, under their titles
    <!-- speed :: circumstances --> ... <!-- / -->                     command, date and machine
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measuring import KEPT
from benchmarks.pages import BENCHMARKS, PAGES
from puzzle_agents.table import escaped
from puzzle_envs.common.files import write_whole

ROOT = KEPT.parent.parent
MARK = re.compile(r"(<!-- ([\w/-]+) :: (.+?) -->)(.*?)(<!-- / -->)", re.DOTALL)


class NotMeasuredError(ValueError):
    """The file of a figure does not exist."""


def documents() -> list[Path]:
    """The documents that can contain such figures; not the report that `make docs` makes."""
    pages = sorted((ROOT / "docs").rglob("*.md"))
    return [ROOT / "README.md", *(page for page in pages if page.parent.name != "report")]


def filled(text: str, folder: Path = KEPT) -> str:
    """A document with all its figures updated from the files."""

    def entry(mark: re.Match[str]) -> str:
        begin, name, what, _, end = mark.groups()
        place = folder.parent if "/" in name else folder
        return f"{begin}{_shown(place / f'{name}.json', what)}{end}"

    return MARK.sub(entry, text)


def _shown(path: Path, what: str) -> str:
    if not path.is_file():
        raise NotMeasuredError(
            f"There is no {path.name}; "
            f"'python -m benchmarks.{path.stem.partition('-')[0]} --keep' writes it."
        )
    kept = json.loads(path.read_text("utf-8"))
    if what == "circumstances":
        return f"`{kept['command']}`, {kept['date']} ({kept['circumstances']})"
    tables = kept.get("shown", kept.get("tables", []))
    if what == "tables":
        return (
            "".join(f"\n\n### {table['title']}{_table(table).rstrip()}" for table in tables)
            + "\n\n"
        )
    if number := re.match(r"table (\d+)(?: :: )?", what):
        tables, what = [tables[int(number[1]) - 1]], what.removeprefix(number[0])
        if not what:
            return _table(tables[0])
    return _figure(path, tables, *what.split(" :: "))


def _table(table: dict[str, Any]) -> str:
    """A table as Markdown; figures, which begin with a digit in every row, go to the right."""
    aligned = ["---"] * len(table["heads"])
    for place, cells in enumerate(zip(*table["rows"], strict=True)):
        if place and all(cell == "" or cell[0].isdigit() for cell in cells):
            aligned[place] = "--:"
    lines = [map(escaped, table["heads"]), aligned]
    lines += [map(escaped, row) for row in table["rows"]]
    return "\n\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n\n"


def _figure(path: Path, tables: list[dict[str, Any]], row: str, column: str) -> str:
    rows = {
        cells[0]: dict(zip(table["heads"], cells, strict=True))
        for table in reversed(tables)
        for cells in reversed(table["rows"])
    }
    found = [rows[row]] if row in rows else [rows[name] for name in rows if row in name]
    if len(found) != 1:
        raise ValueError(f"{path.name} has {len(found)} rows with '{row}' in their names.")
    if column not in found[0]:
        raise ValueError(f"The row '{row}' of {path.name} has no column '{column}'.")
    return str(found[0][column])


def main() -> None:
    """Fill in all documents, and write the pages that kept results make up."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--benchmarks",
        action="store_true",
        help="also the tables from docs/results, which takes minutes",
    )
    chosen = parser.parse_args()
    writers: dict[Path, Callable[[], str]] = {
        path: partial(_filled_in, path) for path in documents() if path not in PAGES
    }
    for path, write in (*writers.items(), *PAGES.items()):
        _rewrite(path, write)
    for path, write in BENCHMARKS.items() if chosen.benchmarks else ():
        _rewrite(path, write)


def _filled_in(path: Path) -> str:
    return filled(path.read_text("utf-8"))


def _rewrite(path: Path, write: Callable[[], str]) -> None:
    before, after = path.read_text("utf-8"), write()
    if after != before:
        write_whole(path, after.encode())
        print(f"Written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
