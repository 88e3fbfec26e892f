"""The report of a reproduction: its tables on the terminal, as Markdown and as JSON."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzle_agents.machine import processor, versions
from puzzle_agents.papers.comparison import Comparison
from puzzle_agents.table import Table, escaped
from puzzle_agents.terminal import console, say, show
from puzzle_envs.common.files import write_whole

PACKAGES = ("puzzle-envs", "gymnasium", "numpy", "numba")


def circumstances(command: str, seed: int, seconds: float, resumed: int = 0) -> dict[str, Any]:
    """The circumstances of figures that this process has just measured, but for those resumed."""
    return {
        "command": command, "seed": seed,
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1), "resumed": resumed,
        "machine": f"{processor()}, {os.cpu_count()} cores, {platform.system()}",
        "versions": versions(PACKAGES),
    }  # fmt: skip


def markdown(data: dict[str, Any]) -> str:
    """The Markdown file of a reproduction, from the data of its JSON file."""
    versions = ", ".join(" ".join(package) for package in data["versions"].items())
    parts = [f"# {escaped(data['paper'])}\n", "In each cell: the paper's figure / ours.\n"]
    parts += [Table.from_data(shown).markdown() for shown in data["shown"]]
    parts += [f"* {escaped(sentence)}" for sentence in data["closing"]]
    before = f", resumed after {data['resumed']} runs" if data["resumed"] else ""
    parts.append(
        f"\n`{data['command']}` on {data['date']}, {data['seconds']} s{before}, "
        f"seed {data['seed']}; {data['machine']}; {versions}.\n"
    )
    return "\n".join(parts)


@dataclass(frozen=True)
class Report:
    """A paper's figures next to ours."""

    name: str
    """The paper's name on the command line."""
    paper: str
    """Its authors and title."""
    tables: tuple[Comparison, ...]
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
        for table in (comparison.table() for comparison in self.tables):
            show(table)
            for remark in table.remarks:
                say(remark)
            console().print()
        for sentence in self._closing():
            say(sentence)

    def _closing(self) -> Iterator[str]:
        for sentence in self.left_out:
            yield f"Left out: {sentence}"
        broken = self.broken()
        if broken:
            yield "Figures that should match but do not:"
            yield from (f"  {sentence}" for sentence in broken)
        elif any(table.has_claims for table in self.tables):
            yield "Every figure expected to match the paper does."

    # --- files --------------------------------------------------------------------------------

    def as_data(self, how: dict[str, Any]) -> dict[str, Any]:
        """The report for a JSON file."""
        return {
            "name": self.name, "paper": self.paper, **how,
            "tables": [table.as_data() for table in self.tables],
            "shown": [comparison.table().as_data() for comparison in self.tables],
            "left_out": list(self.left_out), "broken": self.broken(),
            "closing": list(self._closing()),
        }  # fmt: skip

    def write(self, folder: Path, how: dict[str, Any]) -> list[Path]:
        """Write both files into an existing folder; return their paths."""
        data = self.as_data(how)
        text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False)
        files = {
            folder / f"{self.name}.md": markdown(data),
            folder / f"{self.name}.json": text + "\n",
        }
        for path, text in files.items():
            write_whole(path, text.encode())
        return list(files)
