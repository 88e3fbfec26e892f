"""What came of reproducing a paper: its tables, on the terminal, as Markdown and as JSON."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from puzzle_agents.machine import processor, versions
from puzzle_agents.papers.table import Claim, Table
from puzzle_agents.terminal import Cell as PrintedCell
from puzzle_agents.terminal import Column, console, say
from puzzle_agents.terminal import Table as Printed
from puzzle_envs.common.files import write_whole

__all__ = ["Circumstances", "Report", "circumstances"]

PACKAGES = ("puzzle-envs", "gymnasium", "numpy", "numba")


@dataclass(frozen=True)
class Circumstances:
    """What a figure has to come with."""

    command: str
    seed: int
    date: str
    seconds: float
    machine: str
    versions: dict[str, str]


def circumstances(command: str, seed: int, seconds: float) -> Circumstances:
    """Those of this process, now."""
    machine = f"{processor()}, {os.cpu_count()} cores, {platform.system()}"
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return Circumstances(command, seed, now, round(seconds, 1), machine, versions(PACKAGES))


@dataclass(frozen=True)
class Report:
    """A paper's tables beside ours."""

    name: str
    """The subcommand's word for the paper."""
    paper: str
    """Its title, and of whom."""
    tables: tuple[Table, ...]
    left_out: tuple[str, ...] = ()
    """Sentences: what was not run, and how to run it."""

    def broken(self) -> list[str]:
        """The claims that do not hold."""
        return [sentence for table in self.tables for sentence in table.broken()]

    # --- the terminal -------------------------------------------------------------------------

    def show(self) -> None:
        """Print everything."""
        say(self.paper, "bold")
        say("In each cell: the paper's figure / ours.\n")
        for table in self.tables:
            printed(table).print()
            for key, sentence in table.remarks.items():
                say(f"[{key}] {sentence}")
            console().print()
        for sentence in self._closing():
            say(sentence)

    def _closing(self) -> Iterator[str]:
        for sentence in self.left_out:
            yield f"Left out: {sentence}"
        broken = self.broken()
        if broken:
            yield "Not as it should be:"
            yield from (f"  {sentence}" for sentence in broken)
        elif any(
            column.claim is not Claim.NONE for table in self.tables for column in table.columns
        ):
            yield "Every figure that should be the paper's is."

    # --- files --------------------------------------------------------------------------------

    def markdown(self, how: Circumstances) -> str:
        """The report as a Markdown file."""
        lines = [f"# {self.paper}", "", "In each cell: the paper's figure / ours.", ""]
        for table in self.tables:
            lines += [f"## {table.title}", "", *_marked_down(table), ""]
        lines += [f"* {sentence}" for sentence in self._closing()]
        versions = ", ".join(f"{package} {number}" for package, number in how.versions.items())
        lines += [
            "",
            f"`{how.command}` on {how.date}, {how.seconds} s, seed {how.seed}; {how.machine}; "
            f"{versions}.",
        ]
        return "\n".join(lines) + "\n"

    def as_data(self, how: Circumstances) -> dict[str, Any]:
        """The report for a JSON file."""
        return {
            "name": self.name,
            "paper": self.paper,
            **asdict(how),
            "tables": [table.as_data() for table in self.tables],
            "left_out": list(self.left_out),
            "broken": self.broken(),
        }

    def write(self, folder: Path, how: Circumstances) -> list[Path]:
        """Write both files into a folder that is there; return their paths."""
        data = json.dumps(self.as_data(how), indent=1, ensure_ascii=False, allow_nan=False)
        files = {
            folder / f"{self.name}.md": self.markdown(how),
            folder / f"{self.name}.json": data + "\n",
        }
        for path, text in files.items():
            write_whole(path, text.encode())
        return list(files)


def _marked_down(table: Table) -> list[str]:
    heads = table.heads()
    lines = [_line(heads), "|" + "---|" * len(heads)]
    for row in table.rows:
        texts = [table.text(row, index) for index in range(len(table.columns))]
        for index, cell in enumerate(row.cells):
            if not cell.holds(table.columns[index].claim):
                texts[index] = f"**{texts[index]}**"
        lines.append(_line([row.label, *texts]))
    if table.remarks:
        lines.append("")
        lines += [f"* [{key}] {sentence}" for key, sentence in table.remarks.items()]
    return lines


def _line(texts: list[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def printed(table: Table) -> Printed:
    """A table for a terminal: what should be equal is green, or red."""
    first, *heads = table.heads()
    rows = []
    for row in table.rows:
        cells = [PrintedCell(row.label)]
        for index, (column, cell) in enumerate(zip(table.columns, row.cells, strict=True)):
            style = "" if cell.holds(column.claim) else "bold red"
            if cell.same and column.claim is not Claim.NONE:
                style = "green"
            cells.append(PrintedCell(table.text(row, index), style))
        rows.append(cells)
    columns = [Column(first, "prose"), *(Column(head, "figure") for head in heads)]
    return Printed(table.title, columns, rows)
