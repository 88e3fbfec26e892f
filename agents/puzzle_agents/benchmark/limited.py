"""A call in a process of its own, which the system ends where it takes too much.

The process is a fork, so what is loaded and compiled here is there as well, and nothing that
happens there happens here.
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

__all__ = ["Outcome", "call", "cpu_seconds"]

Value = TypeVar("Value")
Told: TypeAlias = tuple[Value | None, str, str | None]
"""A value, or the status and the sentence that say why there is none."""

CPU_GRACE = 1.1, 1.0
"""The limit of CPU seconds is so many times the budget and so much more: agents that keep to their
budget look at the clock now and then."""
WALL_GRACE = 2.0, 10.0
"""The same of seconds by the clock, which pass for a process that waits for a core, too."""
MEMORY_GRACE = 1.25, 2**28
"""The same of memory: a budget is that of an agent's tables, and they do not grow by the byte."""


@dataclass(frozen=True)
class Outcome(Generic[Value]):
    """What came of a call: a value, or why there is none."""

    value: Value | None
    status: str
    """If there is no value: `out of time`, `out of memory` or `error`."""
    error: str | None
    seconds: float
    cpu_seconds: float
    """Of the whole process."""
    peak_rss: int
    """By how many bytes it grew beyond what it began with."""


def cpu_seconds() -> float:
    """Those of this process; time.process_time goes by the system's tick under a limit of them."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def call(function: Callable[[], Value], limits: Limits) -> Outcome[Value]:
    """Call a function in a fork of this process, within limits."""
    receiver, sender = Pipe(duplex=False)
    here, began = os.getpid(), time.perf_counter()
    process = os.fork()
    if process == 0:
        _be_the_fork(function, limits, sender, here)
    sender.close()
    with receiver:
        told: Told[Value] | None
        held, told, late = _told(receiver, _graced(limits.seconds, WALL_GRACE))
    if late:
        os.kill(process, signal.SIGKILL)
    _, ended, used = os.wait4(process, 0)
    value, status, error = told or _why(ended, limits, late=late)
    peak = used.ru_maxrss * 1024 if held else 0
    return Outcome(
        value, status, error, time.perf_counter() - began, used.ru_utime + used.ru_stime,
        max(0, peak - held),
    )  # fmt: skip


def _graced(amount: float, grace: tuple[float, float]) -> float:
    return amount * grace[0] + grace[1]


def _told(receiver: Connection, seconds: float) -> tuple[int, Any, bool]:
    """What a fork sent: its memory at first, then what came of it; and whether it is late."""
    held = 0
    try:
        held = receiver.recv()
        return (held, receiver.recv(), False) if receiver.poll(seconds) else (held, None, True)
    except EOFError:
        return held, None, False


def _why(ended: int, limits: Limits, *, late: bool) -> tuple[None, str, str]:
    """Why a fork ended without a word."""
    budget = f"after more than the {limits.seconds:g} s that it had"
    if late:
        return None, Status.OUT_OF_TIME, f"The process was ended {budget}; it never came back."
    if not os.WIFSIGNALED(ended):
        return None, ERROR, f"The process ended by itself, with exit code {os.WEXITSTATUS(ended)}."
    number = os.WTERMSIG(ended)
    if number == signal.SIGXCPU:
        return None, Status.OUT_OF_TIME, f"The system ended the process {budget}."
    name = signal.Signals(number).name
    return None, ERROR, f"The process was ended by {name} ({signal.strsignal(number)})."


# --- in the fork ------------------------------------------------------------------------------


def _be_the_fork(
    function: Callable[[], Value], limits: Limits, sender: Connection, parent: int
) -> None:
    """Call the function, tell what came of it, and never return."""
    code = 1
    try:
        die_with(parent)
        _limit(limits)
        sender.send(_bytes()[1])
        sender.send(_outcome(function))
        code = 0
    finally:
        os._exit(code)


def _outcome(function: Callable[[], Value]) -> Told[Value]:
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
    """Set a limit, but raise none that is there already."""
    bound = resource.getrlimit(kind)[1]
    if bound != resource.RLIM_INFINITY:
        soft, hard = min(soft, bound), min(hard, bound)
    resource.setrlimit(kind, (soft, hard))


def _bytes() -> tuple[int, int]:
    """The addresses and the memory that this process has; zeros where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0, 0
    size = resource.getpagesize()
    return int(pages[0]) * size, int(pages[1]) * size
