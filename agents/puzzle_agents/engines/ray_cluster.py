"""Jobs on a Ray cluster, whose nodes may come and go."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import puzzle_envs
from puzzle_agents.engines.job import Failure, Job, outputs_of

Output = TypeVar("Output")

SENT_AHEAD = 2
"""Jobs sent per available slot, so that none is idle."""
MOST_LOSSES = 5
"""A job lost this often without a message is at fault itself, not its nodes."""
ANSWERED = 5.0
"""Timeout of the cluster's answers, in seconds."""
SILENCE = 60.0
"""Seconds without a message before checking for available nodes."""


class _Begun(NamedTuple):
    """The rest of a job, and its losses since the last message."""

    job: Job[Any]
    losses: int = 0


def on_ray(jobs: Sequence[Job[Output]], places: int, /) -> Generator[Output]:
    """Run jobs on the cluster at RAY_ADDRESS, or else on one on this machine.

    If a node or process ends, the rest of its job is sent again; messages already received are not
    repeated.

    Args:
        jobs: The jobs.
        places: Number of parallel jobs on a cluster on this machine; another has its own cores.
    """
    import ray
    from ray.exceptions import RayError, RayTaskError

    if not jobs:
        return
    cores = max(job.cores for job in jobs)
    _connect(places * cores)
    try:
        waiting = deque(_Begun(job) for job in jobs)
        running: dict[Any, _Begun] = {}
        while waiting or running:
            while waiting and len(running) < SENT_AHEAD * _places(cores):
                begun = waiting.popleft()
                running[_sent(begun.job)] = begun
            ready, _ = ray.wait(list(running), num_returns=1, timeout=SILENCE, fetch_local=False)
            if not ready:
                _warn_if_idle(cores)
                continue
            stream: Any = ready[0]
            job, losses = running.pop(stream)
            try:
                output: Any = ray.get(next(stream))
            except RayTaskError as error:  # the package is missing, or of another version
                raise RuntimeError(f"{job.name}: {error.cause}") from error
            except (RayError, StopIteration):
                if losses == MOST_LOSSES:
                    raise ChildProcessError(
                        f"{job.name} was lost {losses + 1} times with its process, perhaps for "
                        "lack of memory; the same command resumes."
                    ) from None
                waiting.appendleft(_Begun(job, losses + 1))
                continue
            if isinstance(output, Failure):
                raise output.error()
            if (left := job.after(output)) is not None:
                running[stream] = _Begun(left)
            yield output
    finally:
        ray.shutdown()


def check_cluster() -> None:
    """Reject a RAY_ADDRESS that does not answer; Ray itself would wait for minutes."""
    address = _address()
    if address in ("", "auto"):
        return
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWERED).close()
    except (OSError, OverflowError, ValueError):
        raise _nobody_at(address) from None


def _connect(cores: int) -> None:
    """Join the cluster, or start one with this many cores."""
    import ray

    address = _address()
    usual: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if not address:
        ray.init("local", num_cpus=cores, include_dashboard=False, **usual)
        return
    try:
        ray.init(address, **usual)
    except (ConnectionError, RuntimeError, ValueError):
        raise _nobody_at(address) from None


def _address() -> str:
    """Address of the cluster; empty for one on this machine."""
    address = os.environ.get("RAY_ADDRESS", "")
    return "" if address == "local" else address


def _nobody_at(address: str) -> ValueError:
    return ValueError(
        f"No Ray cluster answers at RAY_ADDRESS={address:.100}; it is HOST:PORT of a cluster that "
        "`ray start --head` has begun. Unset it to use this machine."
    )


def _sent(job: Job[Any]) -> Any:
    """Send a job; return the stream of its messages. Ray itself retries nothing."""
    import ray

    remote: Any = ray.remote(_on_node)
    options = {"num_cpus": job.cores, "num_returns": "streaming", "max_retries": 0}
    return remote.options(**options).remote(job, puzzle_envs.__version__)


def _on_node(job: Job[Any], version: str) -> Iterator[Any]:
    """Run a job if this node has the same version as the requesting process."""
    if puzzle_envs.__version__ == version:
        yield from outputs_of(job)
    else:
        sentence = (
            f"The node {os.uname().nodename} has puzzle-envs {puzzle_envs.__version__}, and this "
            f"command {version}; install the same version everywhere."
        )
        yield Failure(sentence, "", expected=True)


def _places(cores: int) -> int:
    """Number of jobs that the cluster can run now, at least one, which waits for a node."""
    import ray

    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(1, int(resources.get("CPU", 0)) // cores)


def _warn_if_idle(cores: int) -> None:
    """Report a job that waits for a suitable node."""
    import ray

    nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    if not any(node["Alive"] and node["Resources"].get("CPU", 0) >= cores for node in nodes):
        print(
            f"No node of the Ray cluster has {cores} cores; waiting for one that has.",
            file=sys.stderr,
            flush=True,
        )
