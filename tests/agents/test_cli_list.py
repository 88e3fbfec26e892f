"""puzzle-envs list."""

from __future__ import annotations

from importlib import metadata

import pytest

from puzzle_agents import registry
from puzzle_agents.cli.app import WRONG_USAGE, main
from puzzle_agents.cli.listing import extras, use_for, uses_of
from puzzle_agents.environments import class_of, ids
from tests.agents.test_cli import error_of


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    """The rows of the tables, by their first cell."""
    assert main(["list", *arguments]) == 0
    rows = [line.split("│")[1:-1] for line in capsys.readouterr().out.splitlines() if "│" in line]
    return {row[0].strip(): " | ".join(cell.strip() for cell in row[1:]) for row in rows}


def test_environments(capsys: pytest.CaptureFixture[str]) -> None:
    rows = listed(capsys)
    assert list(rows) == ids()
    assert rows["ZenGarden-v0"].startswith("Zen Puzzle Garden | Rake all of the sand")
    assert list(listed(capsys, "environments", "Kwirk-v0")) == ["Kwirk-v0"]


def test_levels_with_their_counts_and_difficulty(capsys: pytest.CaptureFixture[str]) -> None:
    rows = listed(capsys, "levels", "ZenGarden-v0")
    assert list(rows) == class_of("ZenGarden-v0").puzzle.format.sets()
    assert rows["test/5x5"] == "200 | 5x5 | 3 to 6, median 4 | "
    assert rows["rocks"] == "24 | 4x4 to 8x8 | 4 to 12, median 6 | 1 without a solution"
    assert rows["large"].endswith("2 without a known optimum")
    assert listed(capsys, "levels", "Skyscraper-v0")["4x4"].endswith("7 easy, 7 average, 7 hard")
    assert main(["list", "levels", "KwirkSteps-v0"]) == 0
    assert "optimum (steps)" in capsys.readouterr().out


def test_agents_that_play_a_puzzle(capsys: pytest.CaptureFixture[str]) -> None:
    every = [name for name in listed(capsys, "agents") if name]  # others go on in a next line
    assert every == registry.names()
    pushes, keys = listed(capsys, "agents", "Kwirk-v0"), listed(capsys, "agents", "KwirkSteps-v0")
    assert {"astar", "kwirk-bfs-paper"} <= pushes.keys() and not {"zen-ga"} & pushes.keys()
    assert "astar" in keys and "kwirk-bfs-paper" not in keys and "frontier" not in keys
    assert "| the metric" in listed(capsys, "agents", "HuaRongDao-v0")["frontier"]


@pytest.mark.parametrize("name", registry.names())
def test_every_agent_says_of_every_environment_whether_it_plays_it(name: str) -> None:
    if "learning" in registry.CLASSES[name]:
        pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    uses = uses_of(registry.class_of(name))
    for id in ids():
        assert use_for(uses, id, class_of(id).puzzle.title) is not None, (name, id)


def test_an_agent_whose_extra_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = "It needs an extra: pip install 'puzzle-envs[rl]'."

    def class_of(name: str) -> type:
        raise ImportError(sentence)

    monkeypatch.setattr(registry, "names", lambda: ["clever"])
    monkeypatch.setattr(registry, "class_of", class_of)
    assert listed(capsys, "agents")["clever"].endswith(sentence)


def test_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    required = ["numpy>=1", "torch>=2; extra == 'rl'", "numpy>=1; extra == 'bench'",
                "no-such-package; extra == 'all'"]  # fmt: skip
    there = {"numpy": "2"}

    def version(package: str) -> str:
        if package not in there:
            raise metadata.PackageNotFoundError(package)
        return there[package]

    monkeypatch.setattr(metadata, "requires", lambda _: required)
    monkeypatch.setattr(metadata, "version", version)
    assert extras() == [
        "The extra rl: torch missing; pip install 'puzzle-envs[rl]'",
        "The extra bench: installed (numpy).",
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["everything"], "'everything' is not one of 'environments', 'levels', 'agents'"),
        (
            ["levels", "zengarden"],
            "There is no environment 'zengarden'. Did you mean 'ZenGarden-v0'",
        ),
        (["levels", "CartPole-v1"], "'CartPole-v1' is no environment of a puzzle"),
        (["levels", "Kwirk-v0", "easy"], "Got unexpected extra argument"),
    ],
)
def test_what_is_refused(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", *arguments]) == WRONG_USAGE
    assert expected in error_of(capsys)
