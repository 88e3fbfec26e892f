"""The oracle against search, and the counts that are known of all layouts."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import numpy as np
import pytest

from puzzle_envs.hua_rong_dao import PUZZLE
from puzzle_envs.hua_rong_dao.generator import (
    BINS,
    generate,
    hardest,
    split_levels,
    tight_piece_sets,
)
from puzzle_envs.hua_rong_dao.keys import PieceSet, key_of_pieces, piece_set_of, piece_sets
from puzzle_envs.hua_rong_dao.level import FORMAT, METRICS, BoxFormat, pieces_of
from puzzle_envs.hua_rong_dao.oracle import NEVER, Oracle, components, layouts, symmetric
from puzzle_envs.level import Level
from puzzle_envs.states.exploration import Exploration

STANDARD = PieceSet(4, 1, 4)


def key_of(name: str) -> int:
    return key_of_pieces(pieces_of(FORMAT.find(name)[0].record))


@pytest.mark.parametrize("metric", METRICS)
def test_every_classic_has_the_optimum_that_is_written(metric: str) -> None:
    oracle = Oracle(metric)
    for level in BoxFormat(metric).find("classics"):
        key = key_of_pieces(pieces_of(level.record))
        assert oracle.optimum(key) == level.optimum


@pytest.mark.parametrize("metric", METRICS)
def test_distances_are_those_of_forward_search(metric: str) -> None:
    """Generic breadth-first search over the verbs is another engine on another representation."""
    random = np.random.default_rng(5)
    oracle = Oracle(metric)
    choices = list(piece_sets())
    for _ in range(60):
        pieces = choices[random.integers(len(choices))]
        keys = layouts(pieces)
        key = int(keys[random.integers(keys.size)])
        level = _level(key, metric)
        search = Exploration(PUZZLE.configured(metric=metric), np.array([level.record]))
        search.run()
        assert oracle.optimum(key) == (search.moves if search.solved else None)


def _level(key: int, metric: str) -> Level:
    from puzzle_envs.hua_rong_dao.generator import level_of_key

    return level_of_key(key, Oracle(metric))


def test_best_moves_go_down_to_the_goal() -> None:
    oracle = Oracle()
    key, distance = key_of("classics/1"), 81
    while distance:
        better = oracle.best_moves(key)
        assert better
        key, distance = better[0], distance - 1
        assert oracle.optimum(key) == distance
    assert oracle.best_moves(key) == []
    assert oracle.best_moves(key_of("classics/10")) == []


def test_samples_are_at_their_distance() -> None:
    oracle, random = Oracle("straight"), np.random.default_rng(0)
    for distance in (0, 1, 20, 80):
        key = oracle.sample(STANDARD, distance, random)
        assert oracle.optimum(key) == distance
        assert piece_set_of(key) == STANDARD
    with pytest.raises(ValueError, match=r"is 200 moves \(straight\) away"):
        oracle.sample(STANDARD, 200, random)


def test_generated_levels_carry_their_optimum() -> None:
    random = np.random.default_rng(3)
    for bounds in BINS.values():
        level = generate(random, bounds)
        assert level.optimum in bounds
        assert Oracle().optimum(key_of_pieces(pieces_of(level.record))) == level.optimum
    again = generate(np.random.default_rng(3), BINS["1-10"])
    assert again.name == generate(np.random.default_rng(3), BINS["1-10"]).name
    with pytest.raises(ValueError, match="away"):
        generate(random, 139)


def test_hardest_of_a_few_piece_sets() -> None:
    assert Oracle("move").hardest(PieceSet(3, 2, 4))[0] == 138
    assert Oracle("straight").hardest(PieceSet(3, 2, 4))[0] == 150
    assert Oracle("step").hardest(PieceSet(3, 2, 4))[0] == 179


def test_the_environment_asks_the_oracle() -> None:
    for code, optimum in (("1A9BF0C00", 90), ("1ADEF8000", 79), ("1AAEF0C00", None)):
        env = gymnasium.make("HuaRongDao-v0", level=code, metric="straight", oracle=True)
        _, info = env.reset()
        assert info.get("optimum") == optimum
        assert info["metric"] == "straight"
    _, info = gymnasium.make("HuaRongDao-v0", level="1A9BF0C00").reset()
    assert "optimum" not in info
    with pytest.raises(TypeError, match="unexpected keyword argument 'metrics'"):
        gymnasium.make("HuaRongDao-v0", metrics="move")


def test_components_of_the_standard_pieces() -> None:
    """The standard layout's own part is known to have 25,955 layouts."""
    count, largest = components(STANDARD)
    assert count > 1
    assert largest == 25_955


def test_there_are_203_piece_sets() -> None:
    assert sum(1 for _ in piece_sets()) == 203
    assert len(tight_piece_sets()) == 35


def test_a_store_is_whole_or_rebuilt(tmp_path: Path) -> None:
    pieces = PieceSet(1, 1, 10)
    expected = Oracle("step", tmp_path).distances(pieces)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    np.testing.assert_array_equal(Oracle("step", tmp_path).distances(pieces), expected)
    for damaged in (b"", whole[: len(whole) // 2], b"something else" * 100):
        file.write_bytes(damaged)
        with pytest.warns(UserWarning, match="is damaged or not a table"):
            found = Oracle("step", tmp_path).distances(pieces)
        np.testing.assert_array_equal(found, expected)
        assert file.read_bytes() == whole
    with pytest.raises(ValueError, match="metric must be one of"):
        Oracle("steps")


def test_the_bundled_sets_are_what_the_generator_writes() -> None:
    """The hardest layouts and a tenth of the splits, which take all 203 piece sets."""
    bundled = {level.name: level for level in FORMAT.find("hardest")}
    for level in hardest():
        assert bundled[f"hardest/{level.name}"].record == level.record
        assert bundled[f"hardest/{level.name}"].optimum == level.optimum
    written = split_levels()
    for name in ("train/1-10", "validation/21-40", "test/81-138"):
        stored = FORMAT.find(name)
        assert [one.record for one in stored] == [one.record for one in written[name]]
        assert [one.optimum for one in stored] == [one.optimum for one in written[name]]


def test_all_layouts_there_are() -> None:
    """29,334,498 layouts, counting mirror images; the greatest distance in moves is 138."""
    oracle = Oracle()
    total = solvable = goals = greatest = parts = largest = 0
    for pieces in piece_sets():
        keys, distances = layouts(pieces), oracle.distances(pieces)
        weight = 2 - symmetric(keys).astype(np.int64)
        total += weight.sum()
        solvable += weight[distances != NEVER].sum()
        goals += weight[distances == 0].sum()
        greatest = max(greatest, int(distances[distances != NEVER].max(initial=0)))
        count, size = components(pieces)
        parts, largest = parts + count, max(largest, size)
    assert (parts, largest) == (25_422, 964_656)
    assert (total, solvable, goals, greatest) == (29_334_498, 28_913_089, 2_260_392, 138)
