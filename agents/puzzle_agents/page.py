"""Pages of measured tables, whose data are kept beside the document.

A page has a heading and sections by name. A command that measures writes its sections and keeps the
others: `docs/pretrained.md` is made from `docs/measured/pretrained.json`, and a test compares them.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from puzzle_agents.table import Table
from puzzle_envs.common.files import write_whole

Part: TypeAlias = str | Table
"""A paragraph of Markdown, or a table."""


def update(document: Path, heading: str, sections: Mapping[str, Sequence[Part]]) -> None:
    """Write sections into a document and its data; sections measured before stay."""
    data = data_of(document)
    kept = json.loads(data.read_text("utf-8"))["sections"] if data.is_file() else {}
    kept |= {name: [_plain(part) for part in parts] for name, parts in sections.items()}
    whole = {"heading": heading, "sections": kept}
    data.parent.mkdir(exist_ok=True)
    write_whole(data, (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())
    write_whole(document, shown(document).encode())


def shown(document: Path) -> str:
    """The document that its data make."""
    whole = json.loads(data_of(document).read_text("utf-8"))
    parts = [whole["heading"]]
    for name, section in whole["sections"].items():
        parts += [f"## {name}", *map(_markdown, section)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def command_of(module: str, without: Collection[str] = ()) -> str:
    """The command line of this process, in Markdown."""
    arguments = [one for one in sys.argv[1:] if one not in without]
    return f"`{shlex.join(['python', '-m', module, *arguments])}`"


def data_of(document: Path) -> Path:
    """The file of a document's data."""
    return document.parent / "measured" / f"{document.stem}.json"


def _plain(part: Part) -> Any:
    return part if isinstance(part, str) else part.as_data()


def _markdown(part: Any) -> str:
    return part if isinstance(part, str) else f"#{Table.from_data(part).markdown()}"
