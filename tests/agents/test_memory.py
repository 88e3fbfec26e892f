"""Freed memory is kept for the next tensors."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

FAULTS = """
import resource
from puzzle_agents.learning.memory import keep_freed_memory
{}
def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    [b"x" * (16 << 20) for _ in range(5)]
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
faults()
print(min(faults() for _ in range(5)))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs the GNU C library")
def test_freed_memory_is_not_asked_for_again() -> None:
    pages = [
        int(subprocess.check_output([sys.executable, "-c", FAULTS.format(call)], text=True))
        for call in ("", "keep_freed_memory()")
    ]
    assert pages[0] > 1000 > 10 > pages[1]
