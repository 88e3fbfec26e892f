"""Where tasks are done: in processes of this machine (joblib's loky), or on a Ray cluster."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from puzzle_agents.benchmark.limited import die_with
from puzzle_agents.benchmark.row import Row
from puzzle_agents.benchmark.task import Task
from puzzle_agents.benchmark.warm import attempt_warm

__all__ = ["ENGINES", "Engine"]

Engine = Callable[[Sequence[Task], int], Iterator[Row]]
"""Does tasks, so many side by side; gives their rows as they come."""

SENT_AHEAD = 2
"""Tasks sent for each place where one can run, so that none waits for its next."""


def local(tasks: Sequence[Task], jobs: int) -> Iterator[Row]:
    """In so many processes of this machine, which end with this one."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    side_by_side = Parallel(
        n_jobs=jobs, backend="loky", return_as="generator_unordered", batch_size=1,
        pre_dispatch=SENT_AHEAD * jobs,
    )  # fmt: skip
    here = os.getpid()
    try:
        yield from side_by_side(delayed(_in_worker)(task, here) for task in tasks)
    except TerminatedWorkerError:
        raise ChildProcessError(
            "A process of the benchmark was ended from outside, perhaps for want of memory; the "
            "same command goes on where it was."
        ) from None


def _in_worker(task: Task, parent: int) -> Row:
    if os.getpid() != parent:  # joblib does a single job in the process itself
        die_with(parent)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    return attempt_warm(task)


def on_ray(tasks: Sequence[Task], jobs: int) -> Iterator[Row]:
    """On the cluster that RAY_ADDRESS names, as many as it has cores; else on one of this machine.

    Args:
        tasks: What to do.
        jobs: How many cores a cluster of this machine has.
    """
    import ray

    if "RAY_ADDRESS" in os.environ:
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    else:
        ray.init(
            num_cpus=jobs,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    try:
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        places = int(resources["CPU"])
        remote: Any = ray.remote(attempt_warm)
        waiting, running = list(reversed(tasks)), list[Any]()
        while waiting or running:
            while waiting and len(running) < SENT_AHEAD * places:
                running.append(remote.remote(waiting.pop()))
            done, running = ray.wait(running)
            yield from ray.get(done)
    finally:
        ray.shutdown()


ENGINES: dict[str, Engine] = {"local": local, "ray": on_ray}
"""By the name that the command takes."""
