"""The report as a self-contained HTML page: no server, no network, no other files.

All texts of rows are escaped: in tables as HTML, in the data as JSON that the page's script only
shows as text. The content policy allows the page's own script and style, by their hashes, and
pictures inside the page.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from puzzle_agents.benchmark.report.episodes import Episodes
from puzzle_agents.benchmark.report.faults import Faults
from puzzle_agents.benchmark.report.plots import Plot
from puzzle_agents.benchmark.report.results import Results, holds
from puzzle_agents.benchmark.report.table import Table
from puzzle_envs.replay import Replay

__all__ = ["page"]


def page(
    results: Results,
    tables: Sequence[Table],
    plots: Sequence[Plot],
    episodes: Episodes,
    faults: Faults,
    circumstances: Sequence[str],
) -> str:
    """The page as HTML."""
    drawings = episodes.drawings
    style = "\n".join([_asset("page.css"), *(one.style for one in drawings.values())])
    script = "\n".join([_asset("tools.js"), *_drawings(drawings), _asset("page.js")])
    first, *others = circumstances
    parts = {
        "policy": _policy(style, script),
        "title": escape(first),
        "style": style,
        "summary": "<br>".join(map(escape, others)),
        "verdict": escape(verdict(faults)),
        "verdict_class": "wrong" if faults else "holds",
        "contents": "".join(_contents(tables)),
        "tables": "\n".join(
            f'<section id="table-{number}">{table.html()}</section>'
            for number, table in enumerate(tables)
        ),
        "plots": "".join(map(_figure, plots)),
        "footer": "Made by puzzle-envs report from rows.jsonl; rows.csv and scores.csv hold all "
        "figures unrounded.",
        "data": _json(_data(results, episodes, faults)),
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _asset("page.html"))


def verdict(faults: Faults) -> str:
    """Whether all claims hold, in a sentence."""
    if not faults:
        return "Every solution was verified, and no claim of an optimum was beaten."
    return f"✗ {len(faults)} of the runs have faults: see the first table."


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def _drawings(drawings: Mapping[str, Replay]) -> Iterator[str]:
    """The drawing of each puzzle, in a scope of its own."""
    for name, one in drawings.items():
        constants = "".join(
            f"const {key} = {_json(value)};\n" for key, value in one.constants.items()
        )
        yield (
            f"DRAWINGS[{_json(name)}] = (() => {{\n{constants}{one.script}\n"
            'return { draw, prepare: typeof prepare === "undefined" ? undefined : prepare };\n})();'
        )


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _contents(tables: Sequence[Table]) -> Iterator[str]:
    for number, table in enumerate(tables):
        yield f'<a href="#table-{number}">{escape(table.title)}</a>'
    yield '<a href="#plots">Plots</a><a href="#runs">Runs and replays</a>'


def _figure(plot: Plot) -> str:
    data = base64.b64encode(plot.svg).decode()
    title = escape(plot.title)
    return (
        f'<figure id="{plot.name}"><figcaption>{title}</figcaption>'
        f'<img class="plot" alt="{title}" src="data:image/svg+xml;base64,{data}"></figure>'
    )


def _json(data: Any) -> str:
    """JSON that is safe inside a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _data(results: Results, episodes: Episodes, faults: Faults) -> dict[str, Any]:
    rows = []
    for number, row in enumerate(results.rows):
        key = results.level_of(row)
        why = "too long for this page" if number in episodes.left_out else None
        rows.append(
            {
                "row": number + 1, "puzzle": key.puzzle, "level": row.level, "agent": row.agent,
                "seed": row.seed, "status": row.status, "error": row.error,
                "moves": row.moves if holds(row) else None, "best": results.best.get(key),
                "expanded": row.expanded, "generated": row.generated,
                "cpu_seconds": row.cpu_seconds, "faults": faults.get(number, []),
                "episode": episodes.of_row.get(number), "why": why,
            }
        )  # fmt: skip
    return {"rows": rows, "boards": episodes.boards, "episodes": episodes.episodes}
