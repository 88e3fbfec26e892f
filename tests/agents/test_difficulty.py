"""The difficulty of levels: measured, kept in a file, listed and shown."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import difficulty
from puzzle_agents.cli.app import main
from puzzle_agents.difficulty import figures
from puzzle_agents.difficulty.figures import Figures, Measured, published, write
from puzzle_agents.difficulty.measuring import EPISODES, Limits, measure
from puzzle_agents.environments import ids, puzzle_of
from puzzle_envs.level import Level
from puzzle_envs.states.exploration import Exploration
from tests.agents.benchmark_rows import UNSOLVED, row, write_rows

LIMITS = Limits(expansions=2_000, states=20_000, actions=200, proof=500)


def garden(board: str, lines: str = "") -> Level:
    return puzzle_of("ZenGarden-v0").format.parse(f"; name: x\n{lines}{board}\n", "here")[0]


def test_a_row_of_sand_cannot_be_failed() -> None:
    found = measure("ZenGarden-v0", garden(".."), LIMITS)
    assert (found.episodes, found.fragility, found.irreversibility) == (1, 0.0, None)
    assert found.astar == found.greedy == 1 and found.states is not None
    assert found.branching > 0


def test_a_garden_that_a_wrong_move_spoils() -> None:
    """Of 4x4/1 random play solves no episode; each ends dead, and in vain for a part of it."""
    (level,) = puzzle_of("ZenGarden-v0").format.find("test/4x4/1")
    found = measure("ZenGarden-v0", level, LIMITS)
    assert (found.episodes, found.fragility) == (None, 1.0)
    assert found.irreversibility is not None and 0 < found.irreversibility < 1
    assert found == measure("ZenGarden-v0", level, LIMITS), "chance comes from the level's name"


def test_without_a_solution_play_has_no_figures() -> None:
    found = measure("ZenGarden-v0", garden("#.#\n###", "; optimum: none\n"), LIMITS)
    assert (found.episodes, found.fragility, found.irreversibility) == (None, None, None)
    assert found.astar is not None and found.states is not None


def test_reversible_puzzles_have_no_dead_ends_and_limits_hold() -> None:
    (level,) = puzzle_of("HuaRongDao-v0").format.find("test/81-138/1")
    found = measure("HuaRongDao-v0", level, LIMITS)
    assert (found.fragility, found.irreversibility) == (0.0, None)
    assert (found.states, found.astar) == (None, None)


def test_states_are_counted_to_the_end_of_the_optimum_s_layer() -> None:
    (level,) = puzzle_of("HuaRongDao-v0").format.find("test/1-10/1")
    assert level.optimum is not None
    found = measure("HuaRongDao-v0", level, LIMITS)
    puzzle = puzzle_of("HuaRongDao-v0")
    records = np.array([level.record])
    everything = Exploration(puzzle, records, pruned=False)
    everything.run(20_000, to_solution=False)
    assert found.states == sum(everything.layers[: level.optimum + 1])


SOME = Figures(12, 2.5, 3, 0.5, 0.25, 7, None)


def test_a_set_has_medians_and_means() -> None:
    other = Figures(None, 3.5, None, 1.0, 0.75, 9, None)
    unsolvable = Figures(14, 3.0, None, None, None, 9, 4)
    summary = Measured("", {"1": SOME, "2": other, "3": unsolvable}).summary()
    assert summary == {
        "measured": 3, "states": 14, "branching": 3.0, "random": 0.5, "fragility": 0.75,
        "irreversibility": 0.5, "astar": 9, "greedy": None,
    }  # fmt: skip


def test_the_command_measures_what_is_new_and_takes_over_coverage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "difficulty.json"
    asked = ["--levels", "2", "--expansions", "500", "--output", str(file)]
    difficulty.main(["--only", "ZenGarden-v0/test/4x4", *asked])
    first = published(file)["ZenGarden-v0"]["test/4x4"]
    assert list(first.levels) == ["1", "200"]
    rows = [row(level="test/4x4/1"), row(level="test/4x4/2", level_text="two", **UNSOLVED)]
    difficulty.main(["--rows", str(write_rows(tmp_path / "rows", rows)), "--output", str(file)])
    covered = published(file)["ZenGarden-v0"]["test/4x4"]
    assert covered.coverage == {"astar": 0.5} and covered.levels == first.levels
    difficulty.main(["--only", "ZenGarden-v0/test/4x4", *asked])
    assert published(file)["ZenGarden-v0"]["test/4x4"] == covered, "nothing has changed"
    difficulty.main(["--only", "ZenGarden-v0/test/4x4", *asked, "--seconds", "0"])
    assert "1 sets are left" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        difficulty.main(["--only", "Nowhere", *asked])


def test_figures_are_listed_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "difficulty.json"
    measured = Measured("", {"1": SOME}, {"astar": 0.25, "greedy": 0.75})
    write({"ZenGarden-v0": {"test/4x4": measured}}, file)
    monkeypatch.setattr(figures, "published", lambda: published(file))
    assert main(["list", "levels", "ZenGarden-v0", "--difficulty"]) == 0
    line = next(ln for ln in capsys.readouterr().out.splitlines() if ln.startswith("test/4x4"))
    assert line.split()[-9:] == ["12", "2.5", "100%", "50%", "25%", "7", "many", "greedy", "75%"]
    assert main(["list", "levels", "ZenGarden-v0", "--json"]) == 0
    sets = {found["set"]: found for found in map(json.loads, capsys.readouterr().out.splitlines())}
    assert list(sets) == puzzle_of("ZenGarden-v0").format.sets()
    assert sets["test/4x4"]["difficulty"]["astar"] == 7
    assert sets["test/4x4"]["coverage"] == {"astar": 0.25, "greedy": 0.75}
    assert sets["test/4x4"]["optimum"] == {"levels": 200, "min": 2, "median": 3, "max": 6}
    assert sets["test/16x16"]["known"]["levels"] == sets["test/16x16"]["levels"] == 100
    assert main(["show", "ZenGarden-v0", "test/4x4/1"]) == 0
    shown = capsys.readouterr().out
    assert "expansions of A*: 7\nexpansions of greedy search: many\n" in shown
    assert "fragility: 50% of random episodes end in a dead end\n" in shown
    assert main(["show", "ZenGarden-v0", "test/4x4/2"]) == 0
    assert "fragility" not in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--difficulty", "--json"])
def test_options_of_levels_alone(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "agents", option]) == 2
    assert f"{option} is for levels" in capsys.readouterr().err


def test_the_bundled_file_names_levels_that_there_are() -> None:
    found = published()
    assert set(found) <= set(ids())
    for id, sets in found.items():
        form = puzzle_of(id).format
        assert set(sets) <= set(form.sets())
        for name, one in sets.items():
            assert one.levels.keys() <= {level.name_in_file for level in form.find(name)}
            for level in one.levels.values():
                assert level.episodes is None or 1 <= level.episodes <= EPISODES
