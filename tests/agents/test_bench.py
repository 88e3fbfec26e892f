"""The command bench: run, stopped, gone on with; engines; exit codes."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from puzzle_agents import machine
from puzzle_agents.benchmark.busy import warning
from puzzle_agents.benchmark.report.folders import rows_of
from puzzle_agents.benchmark.row import Row, read_rows
from puzzle_agents.cli.app import main
from puzzle_agents.cli.bench import _first_use
from puzzle_agents.lock import held
from tests.agents.test_cli import COMMAND, error_of

pytest.importorskip("matplotlib", reason="needs the bench extra")

SEEDS = 12
SUITE = f"""
seeds = {list(range(SEEDS))}

[budget]
seconds = 60
memory = "256 MiB"
transitions = 2_000

[[environments]]
id = "ZenGarden-v0"
levels = ["first-steps/1", "test/4x4/1", "large/1"]
agents = ["random", "bfs"]
"""
RUNS = 3 * (SEEDS + 1)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("suite") / "small.toml"
    path.write_text(SUITE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def undisturbed(suite: Path) -> Path:
    """A folder with the results of a run from beginning to end."""
    folder = suite.parent / "undisturbed"
    done = subprocess.run(
        bench_command(suite, folder), capture_output=True, text=True, cwd=suite.parent, check=True
    )
    assert "Comparison of the agents" in done.stdout and "report.html" in done.stdout
    assert f"small: {RUNS} of {RUNS} runs" in done.stderr and "Traceback" not in done.stderr
    return folder


def bench_command(suite: Path, folder: Path, *more: str) -> list[str]:
    return [*COMMAND, "bench", str(suite), "--output", str(folder), "--jobs", "2", *more]


def rows_in(folder: Path) -> list[Row]:
    return read_rows(folder / "rows.jsonl")


def told(rows: Iterable[Row]) -> list[tuple[Any, ...]]:
    """What must be the same in every run, by key: all but times, sizes and loads."""
    return sorted(
        (row.key, row.level, row.agent, str(row.seed), row.status, row.moves, str(row.actions),
         row.verified, row.proved_optimal, row.expanded, row.generated, row.unique, row.evaluated)
        for row in rows
    )  # fmt: skip


def test_a_suite_is_run_from_beginning_to_end(undisturbed: Path) -> None:
    rows = rows_in(undisturbed)
    assert len(rows) == len({row.key for row in rows}) == RUNS
    assert all(row.verified for row in rows if row.solved)
    assert {row.status for row in rows} == {"solved", "gave up"}
    assert all(row.generated <= 2_000 + 100 for row in rows)
    assert (undisturbed / "report" / "report.html").is_file()


def test_what_is_done_is_not_done_again(
    suite: Path, undisturbed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (undisturbed / "rows.jsonl").read_bytes()
    assert main(["bench", str(suite), "--output", str(undisturbed)]) == 0
    assert (undisturbed / "rows.jsonl").read_bytes() == before
    assert f"{RUNS} of {RUNS} runs" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_killed_five_times_it_ends_with_the_rows_of_an_undisturbed_run(
    suite: Path, undisturbed: Path, tmp_path: Path
) -> None:
    _run_with_kills(suite, tmp_path / "killed", most_rows=2)
    assert told(rows_in(tmp_path / "killed")) == told(rows_in(undisturbed))
    assert len(rows_in(tmp_path / "killed")) == RUNS


@pytest.mark.skipif(os.environ.get("PUZZLE_ENVS_SLOW_TESTS") != "all", reason="Takes some minutes.")
def test_so_does_quick(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    quick = Path("quick")
    subprocess.run(bench_command(quick, tmp_path / "undisturbed"), capture_output=True, check=True)
    _run_with_kills(quick, tmp_path / "killed", most_rows=50)
    assert told(rows_in(tmp_path / "killed")) == told(rows_in(tmp_path / "undisturbed"))


def _run_with_kills(suite: Path, folder: Path, most_rows: int) -> None:
    """Kill a benchmark five times, alone or with all its processes, before it may end."""
    chance = random.Random(9)
    for kill in range(5):
        running = subprocess.Popen(
            bench_command(suite, folder), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        wait_for_rows(folder, running, chance.randint(0, most_rows))
        time.sleep(chance.uniform(0, 0.05))
        assert running.poll() is None, "it has ended before it could be killed"
        if kill % 2:
            os.killpg(running.pid, signal.SIGKILL)
        else:
            running.kill()
        running.wait()
        _wait_until_all_have_ended(running.pid)
    subprocess.run(bench_command(suite, folder), capture_output=True, check=True)


def wait_for_rows(folder: Path, running: subprocess.Popen[Any], more: int) -> None:
    """Until there are so many more rows, or some seconds have passed."""
    path, began = folder / "rows.jsonl", time.monotonic()
    size = path.stat().st_size if path.exists() else 0
    for _ in range(more):
        while not path.exists() or path.stat().st_size == size:
            if time.monotonic() - began > 30 or running.poll() is not None:
                return
            time.sleep(0.01)
        size = path.stat().st_size


def _wait_until_all_have_ended(session: int) -> None:
    """No process of a session is left: those of a killed benchmark end with it."""
    for _ in range(500):
        if not any(_session_of(process) == session for process in Path("/proc").glob("[0-9]*")):
            return
        time.sleep(0.02)
    raise AssertionError("Processes of the killed benchmark go on.")


def _session_of(process: Path) -> int | None:
    try:
        status = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return None if status[0] == "Z" else int(status[3])


def test_a_row_cut_short_is_done_again(suite: Path, undisturbed: Path, tmp_path: Path) -> None:
    lines = (undisturbed / "rows.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "rows.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:50])
    assert main(["bench", str(suite), "--output", str(tmp_path), "--jobs", "1"]) == 0
    assert told(rows_in(tmp_path)) == told(rows_in(undisturbed))


def test_results_of_another_suite_are_left_alone(
    suite: Path, undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.toml"
    other.write_text(SUITE.replace("2_000", "3_000"), encoding="utf-8")
    before = (undisturbed / "rows.jsonl").read_bytes()
    assert main(["bench", str(other), "--output", str(undisturbed), "--jobs", "1"]) == 2
    assert "results of another suite" in capsys.readouterr().err
    assert (undisturbed / "rows.jsonl").read_bytes() == before


def test_two_benchmarks_do_not_write_to_one_folder(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with held(tmp_path, "benchmark"):
        assert main(["bench", str(suite), "--output", str(tmp_path)]) == 2
    assert f"Another benchmark (process {os.getpid()}) is writing to" in capsys.readouterr().err
    assert not (tmp_path / "rows.jsonl").exists()


def test_a_wrong_claim_fails_the_run(
    suite: Path, undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in (undisturbed / "rows.jsonl").read_text().splitlines()]
    (claim,) = (row for row in rows if row["agent"] == "bfs" and row["level"] == "test/4x4/1")
    claim["optimum"] = claim["moves"] = claim["moves"] + 1
    (tmp_path / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert main(["bench", str(suite), "--output", str(tmp_path)]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "Faults" in shown and "have faults: see" in shown


def test_a_busy_machine_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "cores", lambda: 4)
    monkeypatch.setattr(machine, "load", lambda: 2.2)
    assert warning(2) is None
    said = warning(4)
    assert said is not None and "load is 2.2, and 4 of 4 cores" in said


def test_ctrl_c_stops_it_and_loses_nothing(suite: Path, tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    running = subprocess.Popen(
        bench_command(suite, folder), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        start_new_session=True,
    )  # fmt: skip
    wait_for_rows(folder, running, 1)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130 and "Stopped." in said and "Traceback" not in said, said
    assert all(row.status in ("solved", "gave up") for row in rows_in(folder))


def test_shards_merged_equal_one_run(
    suite: Path, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = []
    for shard in ("1/3", "2/3", "3/3"):
        assert main(["bench", str(suite), "--shard", shard, "--jobs", "1"]) == 0
        folders.append(tmp_path / "results" / f"small-{shard.replace('/', '-of-')}")
    assert [len(rows_in(folder)) for folder in folders] == [RUNS // 3] * 3
    merged = rows_of([*folders, folders[0]])  # which is there twice, and counts once
    assert told(merged) == told(rows_in(undisturbed))
    names = [str(folder) for folder in folders]
    assert main(["report", *names, "--output", "together"]) == 0
    assert main(["report", str(undisturbed), "--output", "alone"]) == 0
    assert _solved(Path("together")) == _solved(Path("alone"))


def _solved(report: Path) -> list[list[str]]:
    """What a report says of each agent, without times and memory."""
    rows = csv.DictReader((report / "scores.csv").read_text().splitlines())
    kept = ("puzzle", "agent", "levels", "runs", "solved_runs", "coverage", "optimal", "quality")
    return [[row[name] for name in kept] for row in rows]


def test_another_shard_wants_another_folder(
    suite: Path, undisturbed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (undisturbed / "rows.jsonl").read_bytes()
    assert main(["bench", str(suite), "--shard", "1/2", "--output", str(undisturbed)]) == 2
    assert "or of another shard" in capsys.readouterr().err
    assert (undisturbed / "rows.jsonl").read_bytes() == before


def test_ray_gives_the_same_rows(suite: Path, undisturbed: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="needs the ray extra")
    done = subprocess.run(
        bench_command(suite, tmp_path, "--engine", "ray"), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert told(rows_in(tmp_path)) == told(rows_in(undisturbed))


def test_without_ray_it_says_what_is_missing(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "ray" else name)
    assert main(["bench", str(suite), "--engine", "ray"]) == 2
    assert "pip install 'puzzle-envs[ray]'" in error_of(capsys)


@pytest.mark.parametrize(
    "address", ["127.0.0.1:1", "gibberish", "ray://127.0.0.1:1", ":", "a:99999"]
)
def test_an_address_where_no_cluster_answers_is_refused(
    address: str,
    suite: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("ray", reason="needs the ray extra")
    monkeypatch.setenv("RAY_ADDRESS", address)
    monkeypatch.chdir(tmp_path)
    assert main(["bench", str(suite), "--engine", "ray"]) == 2
    assert f"No Ray cluster answers at RAY_ADDRESS={address}; it is" in error_of(capsys)
    assert not list(tmp_path.iterdir())


def test_where_nothing_is_compiled_yet_it_says_that_this_takes_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzle_envs.kernels.kept.cache_folder", lambda: tmp_path)
    assert _first_use().endswith(f"off the clock (cached in {tmp_path})")
    (tmp_path / "kernel.bin").touch()
    assert _first_use() == ""
    monkeypatch.setattr("puzzle_envs.kernels.kept.cache_folder", lambda: None)
    assert _first_use().endswith("off the clock")
