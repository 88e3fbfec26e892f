"""Solutions entered by hand: played, compared with what is known, recorded whole or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import puzzle_agents
from puzzle_agents.cli.app import main
from puzzle_agents.environments import make_env
from puzzle_agents.episode import read_episode, write_episode
from puzzle_agents.submission import compared, record_path
from puzzle_envs.level import Level

LEVEL = ["ZenGarden-v0", "first-steps/1"]
SHORT = "0,2,1"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_record_is_an_episode_and_gives_way_to_shorter_ones_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = Path("records/ZenGarden-v0/first-steps-1.json")
    assert main(["submit", *LEVEL, SHORT, "--by", "A. Monk"]) == 0
    episode = read_episode(path)
    episode.replay()
    assert (episode.moves, episode.agent, episode.level) == (3, "A. Monk", "first-steps/1")
    assert "solved in 3 moves. This is the optimum." in capsys.readouterr().out
    before = path.read_bytes()
    assert main(["submit", *LEVEL, SHORT]) == 1
    assert "is unchanged: its solution takes 3 moves." in capsys.readouterr().out
    assert path.read_bytes() == before
    assert main(["submit", *LEVEL, str(path), "--records", "others"]) == 0
    assert read_episode(Path("others") / path.relative_to("records")).agent == "unknown"


def test_a_longer_record_is_replaced() -> None:
    garden = ["ZenGarden-v0", "mixed/4"]
    found = [puzzle_agents.make(name).solve(make_env(*garden)) for name in ("dfs", "astar")]
    assert (found[0].moves or 0) > (found[1].moves or 0)
    for result in found:
        assert main(["submit", *garden, " ".join(map(str, result.actions))]) == 0
    recorded = read_episode(Path("records/ZenGarden-v0/mixed-4.json"))
    assert list(recorded.actions) == found[1].actions


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"env": "Kwirk-v0"}, "no episode that can be replayed"),
        ({"level_text": "...\n.#.\n...\n"}, "is an episode on"),
        ({"options": {"x": 1}}, "no episode that can be replayed"),
        ({"actions": [0, 2]}, "does not solve"),
    ],
)
def test_episodes_of_something_else_are_refused(
    changes: dict[str, object], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["submit", *LEVEL, SHORT]) == 0
    parsed = json.loads(Path("records/ZenGarden-v0/first-steps-1.json").read_text("utf-8"))
    Path("other.json").write_text(json.dumps(parsed | changes), encoding="utf-8")
    assert main(["submit", *LEVEL, "other.json", "--records", "none"]) == 2
    assert words in capsys.readouterr().err
    assert not Path("none").exists()


def test_the_record_of_another_level_or_a_damaged_one_is_not_replaced(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["submit", "ZenGarden-v0", "first-steps/1", SHORT]) == 0
    path = Path("records/ZenGarden-v0/first-steps-1.json")
    other = replace(read_episode(path), level_text="...\n...\n")
    write_episode(path, other)
    assert main(["submit", *LEVEL, SHORT]) == 2
    assert "is an episode on" in capsys.readouterr().err
    path.write_text("{", encoding="utf-8")
    assert main(["submit", *LEVEL, SHORT]) == 2
    assert "not an episode, or it is damaged" in capsys.readouterr().err
    assert path.read_text("utf-8") == "{"


@pytest.mark.parametrize("name", ["../../etc/passwd", "...", "禅", "a/b c", "x" * 500, ""])
def test_a_level_of_any_name_has_a_file_within_the_folder(name: str) -> None:
    assert main(["submit", *LEVEL, SHORT]) == 0
    episode = read_episode(Path("records/ZenGarden-v0/first-steps-1.json"))
    path = record_path(Path("records"), replace(episode, level=name))
    assert path.parent == Path("records/ZenGarden-v0") and len(path.name) < 120
    assert not path.name.startswith(".")


@pytest.mark.parametrize(
    ("known", "moves", "words"),
    [
        ({"optimum": 7}, 7, "This is the optimum."),
        ({"optimum": 7}, 9, "The optimum is 7."),
        ({"optimum": 7}, 6, "the level file is wrong"),
        ({"solvable": False}, 6, "the level file is wrong"),
        ({"known": 9, "bound": 4}, 8, "shortest known; it was 9. At least 4 are needed."),
        ({"known": 9, "bound": 4}, 9, "as many. At least 4"),
        ({"known": 9, "bound": 4}, 10, "The shortest known has 9."),
        ({"known": 9, "bound": 4}, 4, "so it is the optimum"),
        ({"known": 9, "bound": 4}, 3, "the level file is wrong"),
        ({}, 3, "No solution was known."),
    ],
)
def test_it_is_compared_with_what_is_known(known: dict[str, int], moves: int, words: str) -> None:
    level = make_env("ZenGarden-v0", "first-steps/1").level
    bare = Level(level.name, level.record)
    assert words in compared(replace(bare, **known), moves)  # type: ignore[arg-type]


def test_open_problems_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "open", "Skyscraper-v0"]) == 0
    assert "x" not in capsys.readouterr().out.split("lower bounds")[-1]
    assert main(["list", "open", "HuaRongDao-v0"]) == 0
    out = capsys.readouterr().out
    assert "test/8x8" in out and "100 of 100" in out and "test/1-10" not in out
