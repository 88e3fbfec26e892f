"""Processes of this machine that do what they are sent, and end with the one that started them."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import IO

__all__ = ["die_with", "start", "to_parent"]

SET_DEATH_SIGNAL = 1
"""prctl's number for it, on Linux."""


def start(
    module: str, env: Mapping[str, str] | None = None, errors: IO[bytes] | None = None
) -> tuple[subprocess.Popen[bytes], Connection]:
    """Start a new Python, no fork of this one; return it and the connection to it.

    Args:
        module: What it runs; it begins with `to_parent`.
        env: Its environment variables; those of this process if there are none.
        errors: Where its stderr goes; to this one's if there is nothing.
    """
    connection, other = Pipe()
    with other:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, str(other.fileno()), str(os.getpid())],
            pass_fds=[other.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=errors, env=env,
        )  # fmt: skip
    return process, connection


def to_parent() -> Connection:
    """The connection of such a process to the one that started it, with which it ends."""
    die_with(int(sys.argv[2]))
    # Ctrl-C is for the parent, which ends this process; an agent would take it for its own end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return Connection(int(sys.argv[1]))


def die_with(parent: int) -> None:
    """Let the system end this process as soon as its parent ends (on Linux; elsewhere nothing)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before
            os._exit(1)
