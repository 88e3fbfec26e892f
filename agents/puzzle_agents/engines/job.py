"""Jobs: what an engine runs elsewhere, and the messages it receives.

Only the requesting process writes results, so that nothing is written twice. Jobs can be sent, and
if one is lost (a machine fails), the rest of it is run again.
"""

from __future__ import annotations

import traceback
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

Output = TypeVar("Output")


class Job(Protocol[Output]):
    """A unit of work for any process: it is pickled and self-contained."""

    @property
    def name(self) -> str:
        """A readable name."""
        ...

    @property
    def cores(self) -> int:
        """Number of cores it uses."""
        ...

    def run(self) -> Iterator[Output]:
        """Run the job, yielding its messages."""
        ...

    def after(self, output: Output) -> Job[Output] | None:
        """The rest of the job after a message; None if it is done."""
        ...


class Engine(Protocol):
    """Runs jobs in parallel."""

    def __call__(self, jobs: Sequence[Job[Output]], places: int, /) -> Generator[Output]:
        """Run all jobs; yield their messages as they come.

        Args:
            jobs: The jobs.
            places: Number of parallel jobs, if the engine has no machines of its own.
        """
        ...


@dataclass(frozen=True)
class Failure:
    """The message of a job that raised an error: a sentence, and its origin."""

    sentence: str
    trace: str
    expected: bool
    """Whether it is for the user to fix, not a bug in this program."""

    def error(self) -> Exception:
        """An exception to raise here; not every exception can be sent."""
        if self.expected:
            return ValueError(self.sentence)
        error = RuntimeError(self.sentence)
        error.add_note(self.trace)
        return error


def outputs_of(job: Job[Any]) -> Iterator[Any]:
    """The messages of a job where it runs; last a Failure if it raises."""
    try:
        yield from job.run()
    except Exception as error:
        expected = isinstance(error, ImportError | OSError | ValueError)
        kind = "" if expected else f"{type(error).__name__}: "
        yield Failure(f"{job.name}: {kind}{error}", traceback.format_exc(), expected)
