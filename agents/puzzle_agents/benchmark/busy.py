"""Whether a machine is too busy for times to mean anything."""

from __future__ import annotations

from puzzle_agents import machine

__all__ = ["too_busy", "warning"]

IDLE = 0.5
"""The load of a machine on which next to nothing is done."""


def too_busy(load: float, cores: int) -> bool:
    """Whether so many cores are too few for those that are at work."""
    return load > cores + IDLE


def warning(jobs: int) -> str | None:
    """What to say before so many runs begin side by side, where others are at work."""
    load, cores = machine.load(), machine.cores()
    if not too_busy(load, cores - jobs):
        return None
    return (
        f"This machine is busy: its load is {load:.1f}, and {jobs} of {cores} cores are wanted "
        "here. Times will say little, counts are not affected; --jobs takes fewer cores."
    )
