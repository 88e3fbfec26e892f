"""Processes on this machine that serve a parent and end with it."""

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

SET_DEATH_SIGNAL = 1
"""prctl's option number on Linux."""


def start(
    module: str, env: Mapping[str, str] | None = None, errors: IO[bytes] | None = None
) -> tuple[subprocess.Popen[bytes], Connection]:
    """Start a new Python, not a fork; return it and the connection to it.

    Args:
        module: The module to run; it starts with `to_parent`.
        env: Its environment variables; None for those of this process.
        errors: Where its stderr goes; None for this one's.
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
    """The connection of such a process to its parent, with which it ends."""
    die_with(int(sys.argv[2]), signal.SIGTERM)
    # Ctrl-C is for the parent, which ends this process; agents would take it as theirs.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return Connection(int(sys.argv[1]))


def die_with(parent: int, number: int = signal.SIGKILL) -> None:
    """Let the system end this process when its parent ends (on Linux only).

    Args:
        parent: Its process.
        number: The signal to end it with; SIGTERM where it has to clean up.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, number)
        if os.getppid() != parent:  # it has ended already
            os._exit(1)
