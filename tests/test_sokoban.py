"""Sokoban, from outside the package: its rules, and learned search on known levels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import puzzle_agents
from puzzle_agents import Budget
from puzzle_agents.environments import make_env
from puzzle_agents.search.learned.config import Config
from puzzle_agents.search.learned.measuring import UNIFORM, found_on
from puzzle_agents.search.learned.model import load_model
from puzzle_agents.search.learned.run import train
from puzzle_envs.level import LevelError
from puzzle_envs.testing import check_puzzle
from tests.sokoban import PUZZLE

ID = "tests.sokoban:Sokoban-v0"
BOXOBAN = Path(__file__).parents[2] / "shared" / "levels" / "boxoban"
FLOORS = [
    "######\n#@ $.#\n# $ .#\n#    #\n######",
    "#######\n#. @  #\n# $$  #\n#  #. #\n#######",
    "########\n#   .  #\n# $#$  #\n# .@ * #\n#      #\n########",
]
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def test_it_passes_every_check() -> None:
    check_puzzle("Sokoban-v0", levels=FLOORS[:1])
    check_puzzle("Sokoban-v0", levels=FLOORS[2:])


class Twin:
    """The same rules on sets of places."""

    def __init__(self, text: str) -> None:
        marks = {
            (row, column): mark
            for row, line in enumerate(text.splitlines())
            for column, mark in enumerate(line)
        }
        self.floor = {place for place, mark in marks.items() if mark != "#"}
        self.goals = {place for place, mark in marks.items() if mark in ".*+"}
        self.boxes = frozenset(place for place, mark in marks.items() if mark in "$*")
        self.player = next(place for place, mark in marks.items() if mark in "@+")

    def reached(self) -> set[tuple[int, int]]:
        found = [self.player]
        for row, column in found:
            for down, right in STEPS:
                near = row + down, column + right
                if near in self.floor and near not in self.boxes and near not in found:
                    found.append(near)
        return set(found)

    def pushes(self) -> Iterator[tuple[tuple[int, int], int]]:
        reached = self.reached()
        for row, column in sorted(self.boxes):
            for way, (down, right) in enumerate(STEPS):
                ahead = row + down, column + right
                if (row - down, column - right) in reached and ahead in self.floor - self.boxes:
                    yield (row, column), way

    def push(self, box: tuple[int, int], way: int) -> None:
        ahead = box[0] + STEPS[way][0], box[1] + STEPS[way][1]
        self.boxes, self.player = self.boxes - {box} | {ahead}, box


@pytest.mark.parametrize("text", FLOORS)
def test_the_rules_are_those_of_their_twin(text: str) -> None:
    chance = np.random.default_rng(0)
    env = make_env(ID, text)
    for _ in range(20):
        _, info = env.reset()
        twin = Twin(text)
        width = len(text.splitlines()[0])
        for _ in range(15):
            legal = [4 * (row * width + column) + way for (row, column), way in twin.pushes()]
            if twin.boxes == twin.goals:
                break
            assert np.flatnonzero(info["action_mask"]).tolist() == sorted(legal)
            if not legal:
                break
            box, way = list(twin.pushes())[int(chance.integers(len(legal)))]
            planes, _, ended, _, info = env.step(4 * (box[0] * width + box[1]) + way)
            twin.push(box, way)
            seen = {tuple(place) for place in np.argwhere(planes[3]).tolist()}
            assert seen == twin.reached()
            assert {tuple(place) for place in np.argwhere(planes[2]).tolist()} == twin.boxes
            assert info["solved"] == (twin.boxes == twin.goals)
            assert ended == (info["solved"] or not list(twin.pushes()))


@pytest.mark.parametrize("text", FLOORS)
def test_the_estimate_and_the_dead_ends_hide_no_optimum(text: str) -> None:
    env = make_env(ID, text)
    env.reset()
    best = puzzle_agents.make("bfs", Budget(seconds=60)).solve(env)
    astar = puzzle_agents.make("astar", Budget(seconds=60)).solve(env)
    assert best.solved and astar.moves == best.moves


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("####\n#@.#\n####", "1 to 8 boxes"),
        ("#####\n#@$ #\n#####", "a goal for each box"),
        ("#####\n@ $.#\n#####", "at the edge"),
        ("#####\n#@$x#\n#####", "is none of"),
    ],
)
def test_what_is_no_floor_is_refused(text: str, rule: str) -> None:
    with pytest.raises(LevelError, match=rule):
        PUZZLE.format.find(text)


def test_learned_search_needs_fewer_expansions_on_boxoban(tmp_path: Path) -> None:
    """300 levels to learn from, 100 others to search."""
    if not BOXOBAN.exists():
        pytest.skip("The Boxoban levels are not next to the checkout, at ../shared/levels/boxoban.")
    boards = (BOXOBAN / "train.txt").read_text().strip().split("\n\n")[:400]
    for name, part in (("train", boards[:300]), ("new", boards[300:])):
        numbered = [re.sub("^;.*", f"; name: {n}", one) for n, one in enumerate(part, start=1)]
        (tmp_path / f"{name}.txt").write_text("\n\n".join(numbered) + "\n")
    new = str(tmp_path / "new.txt")
    config = replace(CONFIG, levels=(str(tmp_path / "train.txt"),), validation=(new,))
    model = load_model(train(config, tmp_path / "run"))
    guided = found_on(config, new, "phs", "phs", {"model": model})
    uniform = found_on(config, new, "uniform", "phs", UNIFORM)
    assert len(guided.solved) == 100
    spent = [sum(result.expanded for result in one.results) for one in (guided, uniform)]
    assert spent[0] < 0.8 * spent[1]


CONFIG = Config(
    env=ID,
    levels=(),
    validation=(),
    tilings=("cell", "plus", "square", "large", "square after", "large after", "square in place"),
    steps=200_000,
)
