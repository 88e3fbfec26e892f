"""A job: what an engine has done elsewhere, and what it hears of it.

Only the process that asks for jobs writes down what they tell, so that nothing is written twice. A
job can be sent, and where it is lost (a machine fails) what is left of it is done again.
"""

from __future__ import annotations

import traceback
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

__all__ = ["Engine", "Failure", "Job", "told_by"]

Told = TypeVar("Told")


class Job(Protocol[Told]):
    """Something to do, anywhere: it is pickled, and depends on nothing that is not in it."""

    @property
    def name(self) -> str:
        """What a person calls it."""
        ...

    @property
    def cores(self) -> int:
        """How many it keeps busy."""
        ...

    def run(self) -> Iterator[Told]:
        """Do it, and tell what comes of it, as it comes."""
        ...

    def after(self, told: Told) -> Job[Told] | None:
        """What is left to do after this was heard of it; None if that was all."""
        ...


class Engine(Protocol):
    """Does jobs, side by side."""

    def __call__(self, jobs: Sequence[Job[Told]], places: int, /) -> Generator[Told]:
        """Do all of them; give what they tell, as it comes.

        Args:
            jobs: What to do.
            places: How many side by side, where the engine has no machines of its own.
        """
        ...


@dataclass(frozen=True)
class Failure:
    """Told of a job that raised: what a person reads, and where it arose."""

    sentence: str
    trace: str
    expected: bool
    """Whether it is for the person to mend, and no fault of this program."""

    def error(self) -> Exception:
        """The same to be raised here; not every exception can be sent as it is."""
        if self.expected:
            return ValueError(self.sentence)
        error = RuntimeError(self.sentence)
        error.add_note(self.trace)
        return error


def told_by(job: Job[Any]) -> Iterator[Any]:
    """What a job tells, where it is done; a Failure at last if it raises."""
    try:
        yield from job.run()
    except Exception as error:
        expected = isinstance(error, ImportError | OSError | ValueError)
        kind = "" if expected else f"{type(error).__name__}: "
        yield Failure(f"{job.name}: {kind}{error}", traceback.format_exc(), expected)
