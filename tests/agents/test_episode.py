"""Episodes in files: written whole, read strictly, replayed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from puzzle_agents.episode import Episode, EpisodeError, read_episode, write_episode

TEXT = "; name: long\n...\n"
LONG = Episode("ZenGarden-v0", {}, "gardens/long", TEXT, (0, 1, 2), 3, "me")
"""Three walks down through a garden of one row."""


def told(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_episode(tmp_path / "episode.json", LONG)
    return tmp_path / "episode.json"


def test_what_is_written_is_read(file: Path) -> None:
    assert told(file)["format"] == 1 and told(file)["level_text"] == TEXT
    episode = read_episode(file)
    assert episode == LONG
    episode.replay()
    env = episode.begin(render_mode="rgb_array")
    assert env.level.name == "gardens/long" and env.render().ndim == 3
    moved = replace(LONG, env="HuaRongDao-v0", options={"metric": "step"}, level_text="VB*V\n^**^\n"
                    "VH<V\n^SS^\nS..S\n")  # fmt: skip
    write_episode(file, moved)
    assert read_episode(file).begin().puzzle.format.facts == {"metric": "step"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"actions": (0, 1)}, "is not solved"),
        ({"actions": (0, 0, 1, 2)}, r"Action 2 \(0\) is illegal"),
        ({"actions": (0, 1, 2, 2)}, "solved before action 4"),
        ({"moves": 2}, "take 3 moves, not 2"),
    ],
)
def test_what_does_not_solve_the_level(changes: dict[str, Any], expected: str) -> None:
    with pytest.raises(EpisodeError, match=expected):
        replace(LONG, **changes).replay()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"format": 2, "version": "9.0"}, "'format' is not 1, .*from version 9.0"),
        ({"env": "Chess-v0"}, "There is no environment 'Chess-v0'"),
        ({"env": "os:system"}, "There is no environment 'os:system'"),
        ({"env": "CartPole-v1"}, "'CartPole-v1' is not an? "),
        ({"env": 5}, "'env' must be a string of 1 to 1,000 characters, not 5"),
        ({"agent": ""}, "'agent' must be a string"),
        ({"options": {"metric": "step"}}, "has no argument 'metric'"),
        (
            {"options": {"metric": ["step"]}},
            r"'options.metric' must be a number, a string, .*not \['step'\]",
        ),
        ({"options": None}, "'options' must be a table of keys and values, not None"),
        ({"level_text": "....\n.x..\n"}, "level_text:2:2"),
        ({"level_text": "; name: a\n.\n\n; name: b\n.\n"}, "holds 2 levels"),
        ({"level_text": "/etc/passwd"}, "level_text"),
        ({"actions": [0, -1]}, r"'actions\[2\]' must be an integer from 0 .*not -1"),
        ({"actions": [True]}, r"'actions\[1\]' must be an integer"),
        ({"actions": [1.0]}, r"'actions\[1\]' must be an integer"),
        ({"actions": "012"}, "'actions' must be a list, each an integer .*not '012'"),
        ({"actions": [0, 11]}, "Action 2 is 11, and 'gardens/long' has 11 actions"),
        ({"moves": None}, "'moves' must be an integer"),
        ({"evil": 1}, "There is no key 'evil'"),
    ],
)
def test_what_is_no_episode(file: Path, changes: dict[str, Any], expected: str) -> None:
    file.write_text(json.dumps(told(file) | changes), encoding="utf-8")
    with pytest.raises(EpisodeError, match=expected):
        read_episode(file)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "or it is damaged"),
        (b'{"format": 1, "env"', "or it is damaged"),
        (b"\xff\xfe\xff", "or it is damaged"),
        (b"[" * 100_000, "or it is damaged"),
        (b"[]", "'format' is not 1"),
        (b'{"format": 1}', "The key 'env' is missing"),
        (b'{"format": 1, "format": 1}', "Duplicate key"),
        (b'{"format": 1, "moves": NaN}', "NaN is not a number"),
        (b" " * ((1 << 24) + 1), "larger than 16 MiB"),
    ],
)
def test_damaged_files(tmp_path: Path, data: bytes, expected: str) -> None:
    file = tmp_path / "episode.json"
    with pytest.raises(EpisodeError, match="There is no episode file"):
        read_episode(file)
    file.write_bytes(data)
    with pytest.raises(EpisodeError, match=expected):
        read_episode(file)
