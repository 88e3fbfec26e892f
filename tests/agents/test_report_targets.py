"""When solutions were found: fixed-target curves, and the same in IOHprofiler's format."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from puzzle_agents.benchmark.report.iohprofiler import UNSOLVED as NOTHING
from puzzle_agents.benchmark.report.iohprofiler import iohprofiler, points_of
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.benchmark.report.targets import anytime_agents, curve, draw_targets
from tests.agents.benchmark_rows import UNSOLVED, row

GARDEN = "ZenGarden-v0"
GA: dict[str, Any] = {"agent": "ga", "name": "zen-ga", "kind": "evolution", "generated": 1000}
ROWS = [
    row(**GA, seed=0, level="test/4x4/1", moves=10, found=[[1, 0, 30], [50, 0, 11], [90, 0, 10]]),
    row(**GA, seed=1, level="test/4x4/1", moves=15, found=[[20, 0, 15]]),
    row(**GA, seed=0, level="test/4x4/2", level_text="b", **UNSOLVED),
    row(**GA, seed=0, level="test/4x4/3", level_text="c", solvable=False, **UNSOLVED),
    row(agent="astar", level="test/4x4/1", moves=10, found=[[300, 0, 10]]),
]


def test_the_share_of_runs_at_a_target_grows_as_solutions_are_found() -> None:
    results = Results(ROWS)
    assert curve(results, GARDEN, "ga", 1.0) == [(90, 1 / 3)]
    assert curve(results, GARDEN, "ga", 1.1) == [(50, 1 / 3)]
    assert curve(results, GARDEN, "ga", 1.5) == [(20, 1 / 3), (50, 2 / 3)]
    assert curve(Results([row(**GA, verified=False, found=[[1, 0, 4]])]), GARDEN, "ga", 2) == []


def test_agents_that_end_with_their_first_solution_have_no_curve() -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    results = Results(ROWS)
    assert anytime_agents(results, GARDEN) == ["ga"]
    (plot,) = draw_targets(results)
    assert plot.name == "fixed-targets"
    assert not draw_targets(Results(ROWS[-1:]))
    anytime = row(agent="anytime", found=[[1, 0, 9], [5, 0, 4]])
    assert anytime_agents(Results([anytime]), GARDEN) == ["anytime"]


@pytest.mark.parametrize(
    ("number", "best", "points"),
    [
        (0, 10, [(1, 3.0), (50, 1.1), (90, 1.0), (1000, 1.0)]),
        (1, 10, [(1, NOTHING), (20, 1.5), (1000, 1.5)]),
        (2, None, [(1, NOTHING), (1000, NOTHING)]),
    ],
)
def test_every_run_begins_at_one_evaluation_and_ends_with_its_last(
    number: int, best: int | None, points: list[tuple[int, float]]
) -> None:
    assert points_of(ROWS[number], best) == points


def test_the_archive_has_what_readers_of_the_format_need() -> None:
    data = iohprofiler(Results(ROWS))
    assert data == iohprofiler(Results(ROWS))
    archive = zipfile.ZipFile(io.BytesIO(data))
    (place,) = (name for name in archive.namelist() if name.startswith("02-ga/IOHprofiler_f1_"))
    card = json.loads(archive.read(place))
    # the keys that IOHinspector's Dataset.from_dict, Scenario and Solution require
    assert card.keys() >= {"version", "suite", "function_id", "function_name", "maximization",
                           "algorithm", "attributes", "scenarios"}  # fmt: skip
    assert card["algorithm"] == {"name": "ga", "info": "{}"} and not card["maximization"]
    (scenario,) = card["scenarios"]
    assert [run["instance"] for run in scenario["runs"]] == [1, 1, 2, 3]
    assert scenario["runs"][0] == {
        "instance": 1, "evals": 1000, "best": {"evals": 90, "y": 1.0, "x": []},
    }  # fmt: skip
    lines = archive.read(f"02-ga/{scenario['path']}").decode().splitlines()
    assert lines[:5] == ["evaluations raw_y", "1 3.000000", "50 1.100000", "90 1.000000",
                         "1000 1.000000"]  # fmt: skip
    assert sum(line.startswith("1 ") for line in lines) == len(scenario["runs"])


def test_agents_that_count_nothing_are_left_out_of_the_archive() -> None:
    archive = zipfile.ZipFile(io.BytesIO(iohprofiler(Results([row(generated=0)]))))
    assert archive.namelist() == []
