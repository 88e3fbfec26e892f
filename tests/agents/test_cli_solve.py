"""puzzle-envs solve."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from puzzle_agents.agent import Budget, Result
from puzzle_agents.cli.app import STOPPED, WRONG_USAGE, main
from puzzle_agents.cli.arguments import typed
from puzzle_agents.cli.solve import moves_text
from puzzle_agents.environments import make_env
from puzzle_agents.episode import read_episode
from puzzle_agents.search.best_first import AStar
from puzzle_envs.env import PuzzleEnv
from tests.agents.test_cli import error_of
from tests.walks import replayed


def test_a_solution_in_the_puzzle_s_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "ZenGarden-v0", "first-steps/1"]) == 0
    head, optimum, took, solution = capsys.readouterr().out.splitlines()
    assert head == "ZenGarden-v0 first-steps/1, astar: solved in 3 moves (proved optimal)"
    assert optimum == "optimum in the level file: 3"
    assert took.startswith("took: expanded ") and took.endswith(" MiB")
    assert solution.startswith("solution: ") and solution.count(";") == 2


def test_json_that_can_be_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--agent", "weighted-astar", "--argument", "weight=1.5"]
    assert main(["solve", "ZenGarden-v0", "rocks/1", *arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["arguments"] == {"weight": 1.5} and told["status"] == "solved"
    assert (told["level"], told["optimum"]) == ("rocks/1", 4)
    assert len(told["solution"]) == told["moves"] >= 4
    env = make_env("ZenGarden-v0", "rocks/1")
    assert replayed(env, told["actions"])["moves"] == told["moves"]


def test_a_saved_episode(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "episode.json"
    assert main(["solve", "ZenGarden-v0", "first-steps/2", "--save", str(file)]) == 0
    shown = capsys.readouterr()
    assert shown.err == f"Written: {file}\n"
    episode = read_episode(file)
    assert (episode.env, episode.level, episode.agent) == ("ZenGarden-v0", "first-steps/2", "astar")
    episode.replay()
    assert [path.name for path in tmp_path.iterdir()] == ["episode.json"]


def test_what_is_not_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "episode.json"
    assert main(["solve", "ZenGarden-v0", "rocks/24", "--save", str(file)]) == 1
    shown = capsys.readouterr()
    assert (
        "astar: proved unsolvable" in shown.out and "optimum in the level file: none" in shown.out
    )
    assert shown.err == f"{file} not written: no solution was found.\n"
    assert not file.exists()
    assert main(["solve", "ZenGarden-v0", "mixed/4", "--expansions", "5"]) == 1
    assert "astar: gave up (proved lower bound: " in capsys.readouterr().out


def test_each_level_of_a_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.txt"
    texts = ["; name: a\n...\n...\n", "; name: b\n; optimum: none\n...\n.#.\n#.#\n.#.\n"]
    file.write_text("\n".join(texts), encoding="utf-8")
    assert main(["solve", "ZenGarden-v0", "--all-levels", str(file)]) == 1
    head, _, one, other, sum_ = capsys.readouterr().out.splitlines()
    assert head.split() == ["level", "status", "moves", "optimum", "expanded", "seconds"]
    assert one.split()[:2] == ["a", "solved"] and one.split()[2].endswith("*")
    assert other.split()[:3] == ["b", "unsolvable", "none"]
    assert sum_ == "1 of 2 solved."
    assert main(["solve", "ZenGarden-v0", "--all-levels", "first-steps", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["level"] for row in rows] == [f"first-steps/{n}" for n in range(1, 15)]
    assert all(row["moves"] == row["optimum"] for row in rows)


def test_ctrl_c_ends_a_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solved: list[str] = []
    plainly = AStar.solve

    def solve(agent: AStar, env: Any) -> Result:
        solved.append(env.unwrapped.level.name)
        if len(solved) == 3:  # warming up, the first level, and now
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
        return plainly(agent, env)

    monkeypatch.setattr(AStar, "solve", solve)
    assert main(["solve", "ZenGarden-v0", "--all-levels", "first-steps"]) == STOPPED
    shown = capsys.readouterr()
    assert solved == ["first-steps/1", "first-steps/1", "first-steps/2"]
    assert shown.err == "Stopped.\n" and "of 14 solved" not in shown.out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("move", ["5,1 right, 5,2 right", "3,1 down"]),
        ("step", ["5,1 right", "5,2 right", "3,1 down"]),
    ],
)
def test_moves_in_words(metric: str, expected: list[str]) -> None:
    env = make_env("HuaRongDao-v0", "classics/1", metric=metric)
    before = env.get_state()
    assert moves_text(env, [65, 69, 34]) == expected
    assert env.get_state() == before


def test_actions_in_words() -> None:
    def words(env: PuzzleEnv, *actions: int) -> list[str]:
        shape = env.puzzle.format.shape(env.level.record)
        return [env.puzzle.codec.action_text(action, shape) for action in actions]

    garden = make_env("ZenGarden-v0", "...\n...\n")
    assert words(garden, 0, 9, 10, 11, 12) == ["1", "10", "push", "left", "right"]
    assert words(make_env("HuaRongDao-v0"), 4 * 6 + 3) == ["2,3 left"]
    assert words(make_env("KwirkSteps-v0"), 0, 4) == ["up", "switch"]
    floor = make_env("Kwirk-v0", "two/1")
    cells = (floor.observation_space.shape or (0, 0, 0))[1:]
    aside = 5 * cells[0] * cells[1] + cells[1] + 2
    assert words(floor, 4 * (cells[1] + 2) + 1, aside) == ["2,3 right", "2,3 2 aside"]
    assert words(make_env("Skyscraper-v0"), (2 * 5 + 1) * 5 + 3) == ["3,2=4"]
    assert words(make_env("SlidingTiles-v0"), 2) == ["2"]


def test_a_folder_that_cannot_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert main(["solve", "ZenGarden-v0", "--save", str(tmp_path / "e.json")]) == WRONG_USAGE
    assert "is not writable; name another folder with --save." in error_of(capsys)


class Base:
    def __init__(
        self, budget: Budget | None = None, *, width: int | None = 3, name: str = ""
    ) -> None:
        pass


class Made(Base):
    def __init__(self, rate: float = 0.5, table: str | int = "1 MiB", **more: Any) -> None:
        super().__init__(**more)


def test_arguments_by_the_types_that_are_wanted() -> None:
    pairs = ["rate=1", "table=5", "width=none", "name=7"]
    assert typed(pairs, Made, "it", own=("budget",)) == {
        "rate": 1.0, "table": 5, "width": None, "name": "7",
    }  # fmt: skip
    assert typed(["table=2 GiB", "width=-4"], Made, "it") == {"table": "2 GiB", "width": -4}
    for pair, expected in (
        ("rate=none", "a number, not 'none'"),
        ("rate=nan", "a number, not 'nan'"),
        ("width=1.5", "an integer or none, not '1.5'"),
        ("wide=2", "Did you mean 'width'"),
        ("self=2", "has no argument 'self'"),
    ):
        with pytest.raises(ValueError, match=expected):
            typed([pair], Made, "it")
    with pytest.raises(ValueError, match="given twice"):
        typed(["rate=1", "rate=2"], Made, "it")
