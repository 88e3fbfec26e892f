"""Runs in the format of IOHprofiler, so that IOHanalyzer and IOHinspector read them.

The format is that of IOHexperimenter from version 0.3.3: for each algorithm a folder, with a JSON
file for each function and the data of its runs beside. Here an algorithm is an agent; a function is
a tier of a puzzle, an instance a level of it. Evaluations are transitions: genomes evaluated, or
successors generated. The value, to be minimised, is the moves over the fewest known; UNSOLVED
before there is a solution.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from puzzle_agents.benchmark.report.drawing import file_name
from puzzle_agents.benchmark.report.ladders import ladder_of
from puzzle_agents.benchmark.report.results import LevelKey, Results, holds
from puzzle_agents.benchmark.row import Row

VERSION = "0.3.18"
"""That of IOHexperimenter whose format this is."""
UNSOLVED = 1e6
HEADS = ("evaluations", "raw_y")
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest date of an archive, so that equal rows make equal files."""


class Function(NamedTuple):
    """A tier of a puzzle."""

    number: int
    name: str
    levels: Sequence[LevelKey]


def iohprofiler(results: Results) -> bytes:
    """A ZIP archive with the runs of all agents that count transitions."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _files(results):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _files(results: Results) -> Iterator[tuple[str, str]]:
    functions = list(_functions(results))
    for place, agent in enumerate(results.kinds, start=1):
        if not any(row.generated for row in results.rows if row.agent == agent):
            continue
        folder = f"{place:02d}-{file_name(agent)}"
        for function in functions:
            rows = [
                (instance, row)
                for instance, key in enumerate(function.levels, start=1)
                for row in results.runs(key.puzzle, agent).get(key, [])
            ]
            if rows:
                yield from _function(results, folder, agent, function, rows)


def _functions(results: Results) -> Iterator[Function]:
    number = 0
    for puzzle in results.puzzles:
        for tier, levels in ladder_of(results, puzzle).levels.items():
            number += 1
            yield Function(number, file_name(f"{puzzle} {tier}"), levels)


def _function(
    results: Results,
    folder: str,
    agent: str,
    function: Function,
    rows: Sequence[tuple[int, Row]],
) -> Iterator[tuple[str, str]]:
    """The two files of an agent's runs on a tier."""
    said, lines = [], []
    for instance, row in rows:
        points = points_of(row, results.best.get(results.level_of(row)))
        evaluations, best = points[-1]
        since = next(at for at, value in points if value == best)
        solution = {"evals": since, "y": best, "x": []}
        said.append({"instance": instance, "evals": evaluations, "best": solution})
        lines += [" ".join(HEADS), *(f"{at} {value:.6f}" for at, value in points)]
    data = f"data_f{function.number}_{function.name}/IOHprofiler_f{function.number}_DIM1.dat"
    card: dict[str, Any] = {
        "version": VERSION,
        "suite": rows[0][1].suite,
        "function_id": function.number,
        "function_name": function.name,
        "maximization": False,
        "algorithm": {"name": agent, "info": json.dumps(rows[0][1].arguments)},
        "attributes": list(HEADS),
        "scenarios": [{"dimension": 1, "path": data, "runs": said}],
    }
    name = f"IOHprofiler_f{function.number}_{function.name}.json"
    yield f"{folder}/{name}", json.dumps(card, indent=1)
    yield f"{folder}/{data}", "\n".join(lines) + "\n"


def points_of(row: Row, best: int | None) -> list[tuple[int, float]]:
    """Evaluations and the best value so far: of the first, of each better one and of the last."""
    values = {1: UNSOLVED}
    if holds(row):
        for transitions, _, moves in row.found:
            values[max(1, int(transitions))] = moves / best if best else 1.0
    points = sorted(values.items())
    last = max(row.generated, points[-1][0])
    return points if last == points[-1][0] else [*points, (last, points[-1][1])]
