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

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

from puzzle_agents.machine import processor, versions
from puzzle_agents.papers.table import Claim, Table
from puzzle_envs.files import write_whole

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

    def show(self, console: Console) -> None:
        """Print everything."""
        console.print(Text(self.paper, style="bold"))
        console.print("In each cell: the paper's figure / ours.\n", highlight=False)
        for table in self.tables:
            console.print(_drawn(table))
            console.print()
        for sentence in self._closing():
            console.print(escape(sentence), highlight=False)

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


def _drawn(table: Table) -> RenderableType:
    drawn = RichTable(title=escape(table.title), title_justify="left", title_style="bold")
    for number, head in enumerate(table.heads()):
        drawn.add_column(
            escape(head),
            justify="right" if number else "left",
            overflow="fold",
            no_wrap=number == 0,
        )
    for row in table.rows:
        texts = [Text(row.label)]
        for index, (column, cell) in enumerate(zip(table.columns, row.cells, strict=True)):
            style = "" if cell.holds(column.claim) else "bold red"
            if cell.same and column.claim is not Claim.NONE:
                style = "green"
            texts.append(Text(table.text(row, index), style=style))
        drawn.add_row(*texts)
    remarks = [Text(f"[{key}] {sentence}") for key, sentence in table.remarks.items()]
    return Group(drawn, *remarks)
