"""puzzle-envs list."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec

import pytest

from puzzle_agents import registry
from puzzle_agents.agent import WrongPuzzleError
from puzzle_agents.benchmark.suite import bundled, outline, read_suite
from puzzle_agents.cli.app import main
from puzzle_agents.cli.listing import extras
from puzzle_agents.environments import class_of, ids, known_ids, puzzle_of
from puzzle_agents.parameters import parameters


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    """The rows of the table, by their first cell: columns are where every line has a gap."""
    assert main(["list", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    rule = next(number for number, line in enumerate(lines) if line.startswith("───"))
    lines = [line.ljust(len(lines[rule])) for line in lines[rule - 1 :] if not line.startswith("─")]
    lines = [line for line in lines if not line.startswith("The extra ")]
    full = "".join(
        " " if not "".join(letters).strip() else "x" for letters in zip(*lines, strict=True)
    )
    spans = [match.span() for match in re.finditer(r"x+(?: x+)*", full)]
    rows = [[line[begin:end].strip() for begin, end in spans] for line in lines[1:]]
    return {row[0]: " | ".join(row[1:]) for row in rows}


def test_environments(capsys: pytest.CaptureFixture[str]) -> None:
    rows = listed(capsys)
    assert list(rows) == known_ids() and {*ids()} <= {*rows}
    assert rows["ZenGarden-v0"].startswith("Zen Puzzle Garden | Rake all of the sand")
    assert list(listed(capsys, "environments", "Kwirk-v0")) == ["Kwirk-v0"]


def test_an_imported_puzzle_is_listed_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--import", "tests.sliding_tiles", "list"]) == 0
    assert "SlidingTiles-v0" in capsys.readouterr().out
    assert main(["list", "levels", "SlidingTiles-v0"]) == 0
    assert capsys.readouterr().out.startswith("SlidingTiles-v0 has no bundled levels; ")


def test_levels_with_their_counts_and_difficulty(capsys: pytest.CaptureFixture[str]) -> None:
    rows = listed(capsys, "levels", "ZenGarden-v0")
    assert list(rows) == class_of("ZenGarden-v0").puzzle.format.sets()
    assert rows["test/5x5"] == "200 | 5x5 | 3 to 6, median 4 | "
    assert rows["rocks"] == "24 | 4x4 to 8x8 | 4 to 12, median 6 | 1 unsolvable"
    assert rows["large"].endswith("2 without known optimum")
    assert listed(capsys, "levels", "Skyscraper-v0")["4x4"].endswith("7 easy, 7 average, 7 hard")
    assert main(["list", "levels", "KwirkSteps-v0"]) == 0
    assert "optimum (steps)" in capsys.readouterr().out


def test_agents_that_play_a_puzzle(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(listed(capsys, "agents")) == registry.names()
    pushes, keys = listed(capsys, "agents", "Kwirk-v0"), listed(capsys, "agents", "KwirkSteps-v0")
    assert {"astar", "kwirk-bfs-paper"} <= pushes.keys() and not {"zen-ga"} & pushes.keys()
    assert "astar" in keys and "kwirk-bfs-paper" not in keys and "frontier" not in keys
    boxes = listed(capsys, "agents", "HuaRongDao-v0")["frontier"]
    assert "states have one word" in boxes and "in each metric" in boxes


@pytest.mark.parametrize("name", registry.names())
def test_what_the_registry_says_of_an_agent_is_so(name: str) -> None:
    """It refuses what it is not said to play, takes a seed where it is said to, and is in docs."""
    entry = registry.entry_of(name)
    if entry.kind == "learning":
        pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    if entry.kind == "planner" and find_spec("up_fast_downward") is None:
        pytest.skip("needs the planners extra")
    assert ("seed" in parameters(registry.class_of(name))) == entry.seeded
    assert set(entry.plays) <= {registry.ALL, *ids()}
    agent = registry.make(name)
    for id in {*ids()} - {"SlidingTiles-v0"}:
        puzzle = puzzle_of(id)
        (level,) = puzzle.format.find(puzzle.default_level)
        if entry.condition(id) is None:
            with pytest.raises(WrongPuzzleError):
                agent.check(puzzle, level)
        elif not entry.condition(id):
            agent.check(puzzle, level)


def test_what_agents_are_counted_as_is_said_and_not_guessed() -> None:
    """A textbook search is one, wherever it stands; a solver of one puzzle is none."""
    kinds = {name: registry.entry_of(name).kind for name in registry.names()}
    assert kinds["kwirk-layers-astar"] == kinds["kwirk-layers-fringe"] == "exact"
    assert kinds["zen-astar-paper"] == kinds["kwirk-astar-paper"] == kinds["astar"] == "search"
    assert kinds["zen-ga-paper"] == kinds["skyscraper-ga"] == "evolution"


@pytest.mark.parametrize("what", [["agents"], ["agents", "Kwirk-v0"], ["suites"]])
def test_agents_and_suites_are_listed_without_what_they_need(what: list[str]) -> None:
    """Not even an extra: within half a second of CPU, on a machine that is not too slow."""
    code = (
        "import sys, time\n"
        "for name in ('numba', 'torch', 'stable_baselines3', 'sb3_contrib', 'matplotlib'):\n"
        "    sys.modules[name] = None\n"
        "from puzzle_agents.cli.app import main\n"
        f"assert main(['list', *{what!r}]) == 0\n"
        "print(time.process_time(), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stderr) < 2, "four times what it is to be, on the machine of the figures"


def test_suites_that_are_listed_have_as_many_runs_as_when_all_is_checked() -> None:
    pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    if find_spec("up_fast_downward") is None:  # importing it needs more than the planner does
        pytest.skip("needs the planners extra")
    for name in bundled():
        listed, checked = outline(name), read_suite(name)
        assert (listed.runs, listed.about) == (len(checked.tasks), checked.about)
        assert listed.limits == checked.tasks[0].budget


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


@pytest.mark.parametrize("id", [*ids(), "SlidingTiles-v0"])
def test_messages_name_the_id_and_no_folder(id: str) -> None:
    form = puzzle_of(id).format
    assert form.id == id
    with pytest.raises(ValueError, match=f"^{id} has no level or set 'nowhere'"):
        form.find("nowhere")
    with pytest.raises(TypeError) as caught:
        puzzle_of(id, colour="red").format  # noqa: B018
    assert "_" not in str(caught.value).replace("cell_pixels", "")
