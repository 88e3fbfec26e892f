"""Whether agents come in the same order on validation and on test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import measuring
from benchmarks.agreement import SPLITS, kendall, main, of_seed, of_split, over_the_ladder
from benchmarks.separation import separation
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.benchmark.row import Row
from tests.agents.benchmark_rows import UNSOLVED, row, write_rows


@pytest.mark.parametrize(
    ("one", "other", "tau"),
    [
        ([1, 2, 3], [4, 5, 6], 1.0),
        ([1, 2, 3], [6, 5, 4], -1.0),
        ([1, 2, 3, 4], [1, 3, 2, 4], 4 / 6),
        ([1, 1, 2], [1, 2, 3], 2 / 6**0.5),
        ([1, 1, 1], [1, 2, 3], None),
        ([1], [1], None),
    ],
)
def test_kendall_s_tau_b(one: list[float], other: list[float], tau: float | None) -> None:
    assert kendall(one, other) == (None if tau is None else pytest.approx(tau))


def rows_on(split: str, solved: dict[str, str]) -> list[Row]:
    """Rows of agents on the tiers 4x4 (a level) and 5x5 (two); those that are solved by letter."""
    found = []
    for agent, letters in solved.items():
        for letter, level in zip("abc", ("4x4/1", "5x5/1", "5x5/2"), strict=True):
            changes: dict[str, Any] = {} if letter in letters else UNSOLVED
            text = f"{split} {letter}"
            level_name = f"{split}/{level}"
            found.append(row(agent=agent, name=agent, level=level_name, level_text=text, **changes))
    return found


TEST = rows_on("test", {"astar": "abc", "greedy": "ab", "bfs": "a", "random": ""})
VALIDATION = rows_on("validation", {"astar": "abc", "greedy": "a", "bfs": "ab", "random": ""})
ALONE = [row(agent="beam", name="beam", level="test/4x4/1", level_text="test a")]


def test_tiers_count_alike_and_an_agent_plays_all_or_is_left_out() -> None:
    results = Results([*TEST, *VALIDATION, *ALONE])
    sides = [of_split(results, "ZenGarden-v0", split) for split in SPLITS]
    assert over_the_ladder(*sides) == {
        "astar": (1.0, 1.0), "greedy": (0.5, 0.75), "bfs": (0.75, 0.5), "random": (0.0, 0.0),
    }  # fmt: skip


def test_the_command_compares_results_of_two_suites(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    test = write_rows(tmp_path / "test", TEST)
    validation = write_rows(
        tmp_path / "validation", [row(**{**vars(one), "suite": "validation"}) for one in VALIDATION]
    )
    assert main([str(test), str(validation)]) == 0
    assert "Kendall's tau 0.67" in capsys.readouterr().out
    assert main([str(test)]) == 1
    assert "no two agents differ in coverage on validation and test" in capsys.readouterr().out


def test_the_command_compares_two_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seeded = [
        row(**{**vars(one), "agent": "types", "name": "types", "seed": seed, **changes})
        for one in rows_on("test", {"types": "abc"})
        for seed, changes in ((0, {}), (1, UNSOLVED))
    ]
    results = Results([*TEST, *seeded])
    sides = [of_split(of_seed(results, seed), "ZenGarden-v0", "test") for seed in (0, 1)]
    coverage = over_the_ladder(*sides)
    assert coverage["types"] == (1.0, 0.0) and coverage["greedy"] == (0.75, 0.75)
    folder = write_rows(tmp_path / "test", results.rows)
    assert main([str(folder), "--seeds", "0", "1"]) == 0
    said = capsys.readouterr().out
    assert "Kendall's tau 0.44" in said and "seed 1" in said


@pytest.mark.parametrize(
    ("options", "name", "tau"),
    [([], "agreement", "0.67"), (["--seeds", "0", "0"], "agreement-seeds", "1.00")],
)
def test_what_is_kept(
    options: list[str], name: str, tau: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "KEPT", tmp_path / "measured")
    folder = write_rows(tmp_path / "rows", [*TEST, *VALIDATION])
    assert main([str(folder), *options, "--keep"]) == 0
    kept = json.loads((tmp_path / "measured" / f"{name}.json").read_text("utf-8"))
    assert kept["command"].endswith(" ".join([str(folder), *options, "--keep"]))
    assert kept["tables"][0]["rows"] == [["ZenGarden-v0", tau, "4"]]


def test_tiers_that_separate_agents() -> None:
    table = separation(Results([*TEST, *ALONE]))
    rows = [*zip(*(column.cells for column in table.columns), strict=True)]
    assert rows == [("test/5x5", "ZenGarden-v0", "100", "25", "75", "astar")]


def test_a_folder_without_results_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "has no rows.jsonl" in capsys.readouterr().err
