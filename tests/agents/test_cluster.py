"""Jobs on a Ray cluster, one of whose nodes is killed while it is in the midst of one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="needs the ray extra")

from puzzle_agents.cli.app import main
from tests.agents.cluster import ThreeNodes, three_nodes
from tests.agents.test_bench import (
    SEEDS,
    SUITE,
    bench_command,
    rows_in,
    told,
    wait_for_rows,
)
from tests.agents.test_cli import COMMAND


@pytest.fixture(scope="module")
def _cluster() -> Iterator[ThreeNodes]:
    with three_nodes() as cluster:
        yield cluster


@pytest.fixture
def cluster(_cluster: ThreeNodes) -> ThreeNodes:
    """All of its nodes are up."""
    _cluster.start_workers()
    return _cluster


def test_a_benchmark_loses_nothing_and_repeats_nothing(cluster: ThreeNodes, tmp_path: Path) -> None:
    """Its runs take so long that each worker is in the midst of one when it is killed."""
    suite, alone, folder = tmp_path / "long.toml", tmp_path / "alone", tmp_path / "cluster"
    suite.write_text(
        SUITE.replace("2_000", "40_000")
        .replace('"first-steps/1", "test/4x4/1", "large/1"', '"large/16"')
        .replace('"random", "bfs"', '"random"'),
        encoding="utf-8",
    )
    assert main(["bench", str(suite), "--output", str(alone)]) == 0
    running = subprocess.Popen(
        bench_command(suite, folder, "--engine", "ray"), env=cluster.env, text=True,
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    wait_for_rows(folder, running, 3)
    cluster.kill_one()
    before = len(rows_in(folder))
    _, said = running.communicate(timeout=60)
    assert running.returncode == 0 and "Traceback" not in said, said
    assert 0 < before <= SEEDS - 3
    assert told(rows_in(folder)) == told(rows_in(alone))


def test_a_sweep_gives_the_models_of_one_that_was_not_disturbed(
    cluster: ThreeNodes, tmp_path: Path
) -> None:
    pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    from tests.agents.test_sweep import SWEEP, results

    one_each = [word.replace("n_steps=16,32", "n_steps=16") for word in SWEEP]
    alone, folder = tmp_path / "alone", tmp_path / "cluster"
    assert main([*one_each, "--output", str(alone)]) == 0
    running = subprocess.Popen(
        [*COMMAND, *one_each, "--output", str(folder), "--engine", "ray"], env=cluster.env,
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert running.stderr is not None
    said = ""
    while "actions" not in said:  # a checkpoint is there
        said = running.stderr.readline()
        assert said, "it ended before"
    cluster.kill_one()
    _, said = running.communicate(timeout=120)
    assert running.returncode == 0 and "Traceback" not in said, said
    assert "2 of 2 runs are done." in said
    assert results(folder) == results(alone)
