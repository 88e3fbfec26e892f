"""Steps shared among threads: the same results, no work while idle, an end with the environment."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_envs.episodes import workers
from puzzle_envs.vector import PuzzleVectorEnv


def make(count: int = 64, **options: Any) -> PuzzleVectorEnv:
    options = {"levels": "train/4x4", **options}
    venv = gymnasium.make_vec("ZenGarden-v0", count, **options)
    assert isinstance(venv, PuzzleVectorEnv)
    venv.reset(seed=0)
    return venv


def step(venv: PuzzleVectorEnv) -> tuple[Any, ...]:
    if venv.autoreset_mode == AutoresetMode.DISABLED and venv._batch.over().any():
        venv.reset(options={"reset_mask": venv._batch.over()})
    *shown, info = venv.step(venv.sample_legal())
    info.pop("final_obs", None)  # an array of arrays, which final_info's masks stand for
    return (*shown, dict(info))


def ours() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "puzzle-envs"]


def asleep(venv: PuzzleVectorEnv) -> bool:
    """Whether the workers sleep, or come to do so in a second."""
    pool = venv._batch._workers
    assert pool is not None and pool._team is not None
    for _ in range(100):
        if pool._team._asleep == len(pool._team._workers):
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(("count", "threads"), [(2, 2), (301, 2), (300, 3), (1500, 2)])
def test_results_are_the_same_bit_by_bit(mode: AutoresetMode, count: int, threads: int) -> None:
    options = {"levels": "mixed", "autoreset_mode": mode, "max_episode_steps": 30}
    alone, shared = make(count, **options), make(count, threads=threads, **options)
    for number in range(40):
        np.testing.assert_equal(step(shared), step(alone))
        if number % 10 == 5:
            assert asleep(shared)  # from time to time they have to be woken
    shared.close()


def test_workers_run_only_while_somebody_steps() -> None:
    venv = make(threads=2)
    step(venv)
    assert len(ours()) == 1
    assert asleep(venv)
    before = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - before < 0.1
    venv.close()


def test_workers_end_with_the_environment() -> None:
    assert not ours()
    closed, forgotten = make(threads=3), make(threads=2)
    assert not ours()  # those that never step start none
    step(closed)
    step(forgotten)
    assert len(ours()) == 3
    closed.close()
    closed.close()
    assert len(ours()) == 1
    del forgotten
    gc.collect()
    assert not ours()


def test_copies_have_workers_of_their_own() -> None:
    venv = make(threads=2)
    step(venv)
    copies = [copy.deepcopy(venv), pickle.loads(pickle.dumps(venv))]
    assert len(ours()) == 1
    expected = step(venv)
    for other in copies:
        np.testing.assert_equal(step(other), expected)
        other.close()
    venv.close()
    assert not ours()


def test_a_closed_environment_steps_on() -> None:
    venv, twin = make(threads=2), make()
    for _ in range(3):
        np.testing.assert_equal(step(venv), step(twin))
        venv.close_extras()
        assert not ours()


def test_nobody_is_woken_for_whom_there_is_no_core(monkeypatch: pytest.MonkeyPatch) -> None:
    venv, twin = make(threads=3), make()
    np.testing.assert_equal(step(venv), step(twin))
    assert asleep(venv)
    monkeypatch.setattr(workers, "cores", lambda: 1)
    spent = [_worker_seconds()]
    for _ in range(50):
        np.testing.assert_equal(step(venv), step(twin))
    spent.append(_worker_seconds())
    assert spent[0] == spent[1]
    venv.close()


def _worker_seconds() -> list[str]:
    """What the system says of each sleeping worker: its time, its waiting, how often it ran."""
    if not os.path.exists("/proc/self/schedstat"):
        pytest.skip("needs Linux")
    told: list[str] = []
    for _ in range(100):  # who says that he sleeps may still have to wait for a core to do so
        before, told = (
            told,
            [Path(f"/proc/self/task/{one.native_id}/schedstat").read_text() for one in ours()],
        )
        if told == before:
            break
        time.sleep(0.1)
    return told


@pytest.mark.parametrize(
    ("wanted", "cores", "count", "threads"),
    [
        ("auto", 8, 64, 1),
        ("auto", 8, 1024, 2),
        ("auto", 8, 100_000, 8),
        ("auto", 1, 100_000, 1),
        (5, 2, 64, 5),
        (5, 2, 3, 3),
    ],
)
def test_how_many_threads(
    monkeypatch: pytest.MonkeyPatch, wanted: Any, cores: int, count: int, threads: int
) -> None:
    monkeypatch.setattr(workers, "cores", lambda: cores)
    assert workers.threads_for(wanted, count) == threads


SCRIPT = """
import os, sys
import numpy as np
import tests.test_threads as t

venv, twin = t.make(threads=2), t.make()
t.step(venv), t.step(twin)
if sys.argv[1] == "fork":
    child = os.fork()
    for _ in range(5):
        np.testing.assert_equal(t.step(venv), t.step(twin))
    assert len(t.ours()) == 1
    if child:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print("done")
"""


@pytest.mark.parametrize("how", ["exit", "fork"])
def test_a_process_ends_and_forks_with_workers(how: str) -> None:
    if how == "fork" and not hasattr(os, "fork"):
        pytest.skip("there is no fork here")
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, how],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (ran.returncode, ran.stdout) == (0, "done\n" * (2 if how == "fork" else 1)), ran.stderr
