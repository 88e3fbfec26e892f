"""Engines: jobs that fail, processes that end, nodes that are not as they should be."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

import pytest

import puzzle_envs
from puzzle_agents.engines import this_machine
from puzzle_agents.engines.job import Failure, outputs_of
from puzzle_agents.engines.ray_cluster import _on_node, _warn_if_idle


@dataclass(frozen=True)
class Raises:
    """A job that tells a number and raises."""

    error: Exception
    name: str = "a job"
    cores: int = 1

    def run(self) -> Iterator[int]:
        yield 1
        raise self.error

    def after(self, told: int) -> Raises:
        return self


@pytest.mark.parametrize(
    ("error", "kind", "sentence"),
    [
        (ValueError("It is wrong."), ValueError, "a job: It is wrong."),
        (FileNotFoundError("It is not there."), ValueError, "a job: It is not there."),
        (ZeroDivisionError("by zero"), RuntimeError, "a job: ZeroDivisionError: by zero"),
    ],
)
def test_what_a_job_raises_is_told_last(
    error: Exception, kind: type[Exception], sentence: str
) -> None:
    first, failure = outputs_of(Raises(error))
    assert first == 1 and isinstance(failure, Failure)
    raised = failure.error()
    assert type(raised) is kind and str(raised) == sentence
    assert kind is ValueError or "in run" in raised.__notes__[0]  # where it arose


def test_a_process_that_is_ended_from_outside_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object) -> tuple[subprocess.Popen[bytes], Connection]:
        connection, other = Pipe()
        other.close()
        return subprocess.Popen([sys.executable, "-c", ""]), connection

    monkeypatch.setattr(this_machine, "start", start)
    with pytest.raises(ChildProcessError, match="worker process running a job was killed"):
        list(this_machine.local([Raises(ValueError())], 1))


def test_a_node_with_another_version_is_refused() -> None:
    (failure,) = _on_node(Raises(ValueError()), "0.0.0")
    assert failure.expected
    assert f"has puzzle-envs {puzzle_envs.__version__}, and this command 0.0.0;" in (
        failure.sentence
    )


def test_it_says_that_it_waits_for_a_node(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ray = pytest.importorskip("ray", reason="needs the ray extra")
    nodes: list[dict[str, Any]] = [
        {"Alive": True, "Resources": {"CPU": 2.0}},
        {"Alive": False, "Resources": {"CPU": 64.0}},
    ]
    monkeypatch.setattr(ray, "nodes", lambda: nodes)
    _warn_if_idle(2)
    assert capsys.readouterr().err == ""
    _warn_if_idle(4)
    assert capsys.readouterr().err == (
        "No node of the Ray cluster has 4 cores; waiting for one that has.\n"
    )
