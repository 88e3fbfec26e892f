"""Coverage by tier: of levels solved and of levels without a solution, as plots and as pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from puzzle_agents.benchmark.report.ladders import draw_ladders, ladder_of
from puzzle_agents.benchmark.report.results import Results, decides
from puzzle_agents.benchmark.report.scores import (
    first_cpu_seconds,
    first_transitions,
    score_of,
)
from puzzle_agents.cli.app import main
from tests.agents.benchmark_rows import UNSOLVED, row, write_rows

UNSOLVABLE = UNSOLVED | {"status": "unsolvable"}
ROWS = [
    row(level="test/12x12/1", level_text="a"),
    row(level="test/4x4/1", level_text="b"),
    row(level="test/4x4/2", level_text="c", **UNSOLVED),
    row(level="test/6x6-twins/1", level_text="d"),
    row(level="test/6x6-twins/2", level_text="e", solvable=False, **UNSOLVABLE),
    row(level="mine/1", level_text="f", **UNSOLVED),
    row(level="test/4x4/1", level_text="b", agent="greedy", name="greedy"),
]


@pytest.mark.parametrize(
    ("changes", "decided"),
    [
        ({}, True),
        ({"verified": False}, False),
        (UNSOLVED, False),
        (UNSOLVABLE | {"solvable": False}, True),
        (UNSOLVED | {"solvable": False}, False),
        (UNSOLVABLE | {"solvable": True}, False),
        (UNSOLVABLE, False),
    ],
)
def test_a_level_is_decided_by_a_solution_or_a_true_proof_that_it_has_none(
    changes: dict[str, object], decided: bool
) -> None:
    assert decides(row(**changes)) == decided


def test_tiers_come_in_the_order_of_the_generator_and_count_honest_proofs() -> None:
    results = Results(ROWS)
    ladder = ladder_of(results, "ZenGarden-v0")
    assert ladder.tiers == ["test/4x4", "test/12x12", "test/6x6-twins", "mine"]
    assert ladder.coverage["astar"] == {
        "test/4x4": 0.5, "test/12x12": 1.0, "test/6x6-twins": 1.0, "mine": 0.0,
    }  # fmt: skip
    assert ladder.coverage["greedy"] == {"test/4x4": 1.0}
    assert score_of(results, "ZenGarden-v0", "astar").coverage == 4


def test_plots_of_levels_solved_count_until_the_first_solution() -> None:
    improved = row(generated=500, seconds=8.0, cpu_seconds=6.0, found=((20, 2.0, 9), (40, 4.0, 7)))
    assert (first_transitions(improved), first_cpu_seconds(improved)) == (20, 1.5)
    plain = row(generated=500, seconds=8.0, cpu_seconds=6.0, found=())
    assert (first_transitions(plain), first_cpu_seconds(plain)) == (500, 6.0)


def test_a_puzzle_with_one_tier_has_no_ladder() -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    assert not draw_ladders(Results([row(level="test/4x4/1")]))
    (plot,) = draw_ladders(Results(ROWS))
    assert plot.name == "coverage-zengarden-v0" and b"<svg" in plot.svg
    (dark,) = draw_ladders(Results(ROWS), "dark")
    assert dark.png != plot.png


def test_the_command_draws_pictures_light_and_dark(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    folder = write_rows(tmp_path / "results", ROWS)
    images, document = tmp_path / "images", tmp_path / "docs" / "mine.md"
    document.parent.mkdir()
    document.write_text("<!-- tables begin --><!-- tables end -->", encoding="utf-8")
    command = ["report", str(folder), "--images", str(images), "--document", str(document)]
    assert main(command) in (0, 1)
    names = {path.name for path in images.iterdir()}
    plots = ("coverage-zengarden-v0", "cactus-transitions", "cactus-cpu")
    assert names == {f"{plot}-{theme}.png" for plot in plots for theme in ("light", "dark")}
    shown = re.findall(r'(?:srcset|src)="([^"]+)"', document.read_text("utf-8"))
    assert len(shown) == len(names)
    assert {(document.parent / path).resolve() for path in shown} == set(images.iterdir())
