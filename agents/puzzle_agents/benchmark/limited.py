"""Function calls in a forked process with resource limits enforced by the system.

A fork has everything that is loaded and compiled here, and has no effects here.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from puzzle_agents.agent import Status
from puzzle_agents.benchmark.row import ERROR, Limits
from puzzle_agents.engines.process import die_with

Value = TypeVar("Value")
Reported: TypeAlias = tuple[Value | None, str, str | None]
"""A value, or the status and message that explain its absence."""

CPU_GRACE = 1.1, 1.0
"""Factor and offset of the limit of CPU seconds over the budget, since agents check the clock only
now and then."""
WALL_GRACE = 2.0, 10.0
"""The same for wall-clock seconds, which also pass while waiting for a core."""
MEMORY_GRACE = 1.25, 2**28
"""The same for memory: a budget covers an agent's tables, which grow in large steps."""


@dataclass(frozen=True)
class Outcome(Generic[Value]):
    """The outcome of a call: a value, or why there is none."""

    value: Value | None
    status: str
    """If there is no value: `out of time`, `out of memory` or `error`."""
    error: str | None
    seconds: float
    cpu_seconds: float
    """CPU seconds of the whole process."""
    peak_rss: int
    """Growth in memory, in bytes."""


def cpu_seconds() -> float:
    """CPU seconds of this process and those that it ended.

    time.process_time is coarser under a CPU limit.
    """
    own, others = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def call(function: Callable[[], Value], limits: Limits) -> Outcome[Value]:
    """Call a function in a fork of this process, within limits."""
    receiver, sender = Pipe(duplex=False)
    here, began = os.getpid(), time.perf_counter()
    process = os.fork()
    if process == 0:
        _run_fork(function, limits, sender, here)
    sender.close()
    with receiver:
        reported: Reported[Value] | None
        held, reported, late = _received(receiver, _graced(limits.seconds, WALL_GRACE))
    if late:
        os.kill(process, signal.SIGKILL)
    _, ended, used = os.wait4(process, 0)
    value, status, error = reported or _why(ended, limits, late=late)
    peak = used.ru_maxrss * 1024 if held else 0
    return Outcome(
        value, status, error, time.perf_counter() - began, used.ru_utime + used.ru_stime,
        max(0, peak - held),
    )  # fmt: skip


def _graced(amount: float, grace: tuple[float, float]) -> float:
    return amount * grace[0] + grace[1]


def _received(receiver: Connection, seconds: float) -> tuple[int, Any, bool]:
    """Receive a fork's initial memory and its result, and whether it timed out."""
    held = 0
    try:
        held = receiver.recv()
        return (held, receiver.recv(), False) if receiver.poll(seconds) else (held, None, True)
    except EOFError:
        return held, None, False


def _why(ended: int, limits: Limits, *, late: bool) -> tuple[None, str, str]:
    """Why a fork ended without a result."""
    budget = f"after exceeding its {limits.seconds:g} s"
    if late:
        return None, Status.OUT_OF_TIME, f"The process was killed {budget} without returning."
    if not os.WIFSIGNALED(ended):
        return None, ERROR, f"The process exited with code {os.WEXITSTATUS(ended)}."
    number = os.WTERMSIG(ended)
    if number == signal.SIGXCPU:
        return None, Status.OUT_OF_TIME, f"The system ended the process {budget}."
    name = signal.Signals(number).name
    return None, ERROR, f"The process was killed by {name} ({signal.strsignal(number)})."


# --- in the fork ------------------------------------------------------------------------------


def _run_fork(
    function: Callable[[], Value], limits: Limits, sender: Connection, parent: int
) -> None:
    """Call the function, send the outcome, and exit."""
    code = 1
    try:
        die_with(parent)
        _limit(limits)
        sender.send(_bytes()[1])
        sender.send(_outcome(function))
        code = 0
    finally:
        os._exit(code)


def _outcome(function: Callable[[], Value]) -> Reported[Value]:
    try:
        return function(), "", None
    except MemoryError:
        return None, Status.OUT_OF_MEMORY, "The system refused memory beyond the limit."
    except Exception as error:
        text = " ".join(str(error).split())
        return None, ERROR, f"{type(error).__name__}: {text}" if text else type(error).__name__


def _limit(limits: Limits) -> None:
    cpu = math.ceil(_graced(limits.seconds, CPU_GRACE) + cpu_seconds())
    _lower(resource.RLIMIT_CPU, cpu, cpu + 5)
    _lower(resource.RLIMIT_CORE, 0, 0)
    if addresses := _bytes()[0]:
        most = addresses + int(_graced(limits.memory, MEMORY_GRACE))
        _lower(resource.RLIMIT_AS, most, most)


def _lower(kind: int, soft: int, hard: int) -> None:
    """Set a limit, but never raise an existing one."""
    bound = resource.getrlimit(kind)[1]
    if bound != resource.RLIM_INFINITY:
        soft, hard = min(soft, bound), min(hard, bound)
    resource.setrlimit(kind, (soft, hard))


def _bytes() -> tuple[int, int]:
    """The address space and memory of this process; zeros if unknown."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0, 0
    size = resource.getpagesize()
    return int(pages[0]) * size, int(pages[1]) * size
