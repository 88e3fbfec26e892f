"""Short best-first searches, which judge levels while they are made."""

from __future__ import annotations

import numpy as np
import pytest

from puzzle_agents.environments import puzzle_of
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.certificates import moves_of
from puzzle_envs.states.paths import actions_through, beginning
from puzzle_envs.states.probe import Order, Probe

WIDTH = Order(moves=0, heuristic=1, novel=True)
TYPES = Order(moves=0, heuristic=1, types=True)


@pytest.mark.parametrize(
    ("order", "id", "name"),
    [
        (WIDTH, "HuaRongDao-v0", "test/8x8/1"),
        (WIDTH, "HuaRongDao-v0", "test/5x6/1"),
        (WIDTH, "ZenGarden-v0", "test/12x12/1"),
        (WIDTH, "Kwirk-v0", "test/20-39/1"),
        (TYPES, "HuaRongDao-v0", "test/5x6/1"),
        (TYPES, "Kwirk-v0", "test/10-19/1"),
    ],
)
def test_a_search_by_atoms_or_by_random_types_finds_a_way(order: Order, id: str, name: str) -> None:
    """By default the atoms are cells of the planes, for which there must be room."""
    puzzle = puzzle_of(id)
    (level,) = puzzle.format.find(name)
    probe = Probe(puzzle, 50_000)
    records, findings = np.array([level.record]), puzzle.findings(level.record)
    met = [probe.states(records, findings, order) for _ in range(2)]
    path = probe.path()
    assert met[0] == met[1] < 50_000 and path is not None
    plan = actions_through(Instance.plain(records), beginning(puzzle, records), path)
    assert moves_of(puzzle, level, plan) is not None


def test_a_search_by_random_types_ends_where_there_is_no_way() -> None:
    puzzle = puzzle_of("HuaRongDao-v0")
    level = next(level for level in puzzle.format.find("test/twins") if level.solvable is False)
    probe = Probe(puzzle, 200_000)
    assert probe.states(np.array([level.record]), puzzle.findings(level.record), TYPES) == 200_000
    assert probe.path() is None
