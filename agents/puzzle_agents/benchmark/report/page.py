"""The report as a self-contained HTML page: no server, no network, no other files.

The templates escape all texts: as HTML, and in the data as JSON that the page's script only shows
as text. The content policy allows the page's own script and style, by their hashes, and pictures
inside the page.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from puzzle_agents.benchmark.report.drawing import Plot
from puzzle_agents.benchmark.report.episodes import Episodes
from puzzle_agents.benchmark.report.faults import Faults
from puzzle_agents.benchmark.report.results import Results, holds
from puzzle_agents.table import Table
from puzzle_envs.replay import Replay

if TYPE_CHECKING:
    from jinja2 import Environment


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
    title, *summary = circumstances
    return _templates().get_template("page.html").render(
        policy=_policy(style, script), title=title, style=style, summary=summary,
        verdict=verdict(faults), faults=faults, tables=tables, plots=plots,
        data=_data(results, episodes, faults), script=script,
    )  # fmt: skip


def table_html(table: Table) -> str:
    """The HTML of a table."""
    return _templates().get_template("table.html").render(table=table)


@cache
def _templates() -> Environment:
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError:
        raise ImportError(
            "The page of a report needs jinja2: pip install 'puzzle-envs[bench]'"
        ) from None
    made = Environment(
        loader=FunctionLoader(_asset), autoescape=True, undefined=StrictUndefined,
        keep_trailing_newline=True,
    )  # fmt: skip
    made.filters["base64"] = _base64
    made.policies["json.dumps_kwargs"] = {
        "ensure_ascii": False, "separators": (",", ":"), "allow_nan": False,
    }  # fmt: skip
    return made


def verdict(faults: Faults) -> str:
    """Whether all claims hold, in a sentence."""
    if not faults:
        return "Every solution was verified, and no claimed optimum was beaten."
    have = "run has" if len(faults) == 1 else "runs have"
    return f"✗ {len(faults):,} {have} faults: see the first table."


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def _drawings(drawings: Mapping[str, Replay]) -> Iterator[str]:
    """The drawing code of each puzzle, in its own scope."""
    for name, one in drawings.items():
        constants = "".join(
            f"const {key} = {json.dumps(value)};\n" for key, value in one.constants.items()
        )
        yield (
            f"DRAWINGS[{json.dumps(name)}] = (() => {{\n{constants}{one.script}\n"
            'return { draw, prepare: typeof prepare === "undefined" ? undefined : prepare };\n})();'
        )


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{_base64(hashlib.sha256(text.encode()).digest())}'"


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


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
