"""Whether a machine is too busy for meaningful timings."""

from __future__ import annotations

from puzzle_agents import machine

IDLE = 0.5
"""Load of an idle machine."""


def too_busy(load: float, cores: int) -> bool:
    """Whether the load exceeds this many cores."""
    return load > cores + IDLE


def warning(jobs: int) -> str | None:
    """The warning before a benchmark with this many parallel runs, if the machine is busy."""
    load, cores = machine.load(), machine.cores()
    if not too_busy(load, cores - jobs):
        return None
    return (
        f"This machine is busy: its load is {load:.1f}, and {jobs} of {cores} cores are requested. "
        "Timings will be unreliable (counts are unaffected); use fewer cores with --jobs."
    )
