"""A puzzle from outside the package needs nothing but its own folder, and gets everything."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest

from puzzle_agents.agent import Budget
from puzzle_agents.benchmark.report.episodes import record
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.benchmark.row import read_rows
from puzzle_agents.cli.app import main
from puzzle_agents.environments import check_imported, class_of, make_env
from puzzle_agents.episode import read_episode
from puzzle_agents.player.game import Game
from puzzle_agents.player.searching import Attempt, Pace
from puzzle_agents.player.style import style_of
from puzzle_agents.player.watch_view import Pane, WatchView
from puzzle_agents.search.best_first import AStar
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.rendering.theme import LIGHT
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.testing import check_puzzle
from tests.agents.benchmark_rows import real_rows
from tests.agents.test_cli import COMMAND
from tests.browser import Browser, chromium
from tests.sliding_tiles import PUZZLE

ID = "tests.sliding_tiles:SlidingTiles-v0"
"""As gymnasium.make takes it: the package is imported first."""
ROOT = Path(__file__).parent.parent


def test_it_passes_every_check() -> None:
    check_puzzle("SlidingTiles-v0")
    check_puzzle("SlidingTiles-v0", levels=["123/456/7.8", "1.3/426/758", "123/4.6/758"])


def test_it_is_explored_whole() -> None:
    """Half of the 9! arrangements, at most 31 moves apart."""
    level = PUZZLE.format.find("123/456/78.")[0]
    search = Exploration(PUZZLE, np.array([level.record]))
    search.run(to_solution=False)
    assert search.unique == 181_440
    assert search.layers[:5] == [1, 2, 4, 8, 16]
    assert (len(search.layers) - 1, search.layers[-1]) == (31, 2)


def test_levels_are_generated_and_solved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "boards.txt"
    generate = ["generate", ID, "--bin", "near", "--count", "5", "--output", str(file)]
    assert main(generate) == 0
    levels = PUZZLE.format.find_all(str(file))
    assert len({level.record["start"] for level in levels}) == 5
    assert main(["solve", ID, "--all-levels", str(file), "--agent", "astar"]) == 0
    assert capsys.readouterr().out.count("near-") >= 5


def test_a_puzzle_without_a_generator(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Puzzle, "generator", None)
    assert main(["generate", ID]) == 2
    assert "Sliding tiles has no generator." in capsys.readouterr().err


def test_it_is_watched(tmp_path: Path) -> None:
    """What was done as an episode, and an agent at its search, side by side."""
    file, board = tmp_path / "episode.json", "1.3/426/758"
    assert main(["solve", ID, board, "--agent", "bfs", "--save", str(file)]) == 0
    episode = read_episode(file)
    env = episode.begin()
    game, pace = Game(env, episode.actions), Pace()
    game.go_to(0)

    def search() -> Attempt:
        return Attempt(AStar, Budget(60.0), env, pace, threading.Lock())

    panes = [Pane("episode", game), Pane("astar", Game(env), search)]
    view = WatchView(panes, style_of(LIGHT), pace)
    view.resize(800, 600)
    view.begin()
    pace.finish()
    begun = time.monotonic()
    while any(pane.is_searching for pane in panes) and time.monotonic() - begun < 300:
        view.advance(time.perf_counter())
    view.advance(time.perf_counter() + 1)
    view.key("end")
    view.draw(pygame.Surface((800, 600)))
    assert [pane.game.now.info["solved"] for pane in panes] == [True, True]
    view.stop()


SUITE = f"""
seeds = [0]

[budget]
seconds = 60
memory = "256 MiB"
transitions = 2_000

[[environments]]
id = "{ID}"
levels = ["123/456/7.8", "1.3/426/758"]
agents = ["bfs", "random"]
"""


@pytest.mark.parametrize(
    ("imports", "id"), [([], ID), (["--import", "tests.sliding_tiles"], "SlidingTiles-v0")]
)
def test_it_is_benchmarked_and_replayed(
    imports: list[str], id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    (tmp_path / "tiles.toml").write_text(SUITE.replace(ID, id))
    folder = tmp_path / "results"
    bench = [*COMMAND, *imports, "bench", str(tmp_path / "tiles.toml"), "--output", str(folder)]
    subprocess.run([*bench, "--jobs", "1"], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    results = Results(read_rows(folder / "rows.jsonl"))
    assert {*record(results).drawings} == {"tests.sliding_tiles"}
    with monkeypatch.context() as without:
        without.setattr(Puzzle, "replay", None)
        recorded = record(results)
        assert not recorded.faults and not recorded.drawings
        assert recorded.boards[0]["text"] == "123\n456\n708"
        assert recorded.episodes[0]["steps"][-1] == "123\n456\n780"
    page = folder / "report" / "report.html"
    program = chromium()
    if program is None:
        pytest.skip("there is no Chromium here (apt-get install chromium)")
    browser = Browser(program)
    browser.open(page)
    buttons = browser.run("document.querySelectorAll('#rows button').length")
    assert buttons >= 2
    for number in range(buttons):
        browser.run(f"document.querySelectorAll('#rows button')[{number}].click()")
        browser.run("show(replay.states.length - 1)")
        tiles = "[...document.querySelectorAll('#scene text')].map((one) => one.textContent)"
        assert browser.run(tiles) == list("12345678")
        browser.run("document.getElementById('close').click()")
    assert not browser.seen("Runtime.exceptionThrown", "Log.entryAdded")
    browser.close()


def test_it_is_trained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    from puzzle_agents.learning.config import Config
    from puzzle_agents.learning.policy_agent import PolicyAgent
    from puzzle_agents.learning.training import train

    board = "123/456/7.8"
    config = Config(
        env=ID, stages=("20 new near",), validation=(board,), steps=512, envs=8, longest=20,
        trunk={"channels": 8, "blocks": 1, "lines": 4}, arguments={"n_steps": 32},
    )  # fmt: skip
    model = train(config, tmp_path / "run", threads=1)
    result = PolicyAgent(model=model, seed=0).solve(make_env(ID, board))
    assert result.solved and result.moves is not None
    assert main(["evaluate", str(tmp_path / "run"), "--levels", board]) == 0
    assert board in capsys.readouterr().out


@pytest.mark.parametrize(
    ("id", "fault"),
    [
        ("no.such.package:Tiles-v0", "The package 'no.such.package' cannot be imported"),
        ("tests.sliding_tiles:Tiles-v0", "There is no environment"),
        ("..:SlidingTiles-v0", "There is no environment"),
    ],
)
def test_an_id_of_a_package_that_is_not_there(id: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        class_of(id)


def test_what_a_file_says_imports_nothing() -> None:
    """An id in somebody's file names what is imported already, or is refused."""
    check_imported(ID)
    with pytest.raises(ValueError, match="is not an environment of an imported puzzle"):
        check_imported("this:Tiles-v0")
    row = replace(real_rows()[0], env="this:Tiles-v0")
    assert "`puzzle-envs --import this`" in record(Results([row])).faults[0]
    assert "this" not in sys.modules


def test_the_command_imports_what_it_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_puzzles.py").write_text("BROUGHT_IN = True")
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["--import", "my_puzzles", "list", "agents"]) == 0
    assert sys.modules.pop("my_puzzles").BROUGHT_IN
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "__init__.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path not in ("", str(tmp_path))])
    for wrong, fault in (
        ("no_puzzles", "cannot be imported: No module named 'no_puzzles'.\n"),
        ("here", "It is in this folder: set PYTHONPATH=. first."),
        ("a b", "is not a package name"),
    ):
        assert main(["--import", wrong, "list", "agents"]) == 2
        assert fault in capsys.readouterr().err
