"""The common part of planners: write a task, run a process that solves it, read its plan."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import tempfile
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import gymnasium

from puzzle_agents.agent import Agent, Result, Status, WrongPuzzleError
from puzzle_agents.engines.process import die_with
from puzzle_agents.export import plan_of, played, task_of
from puzzle_agents.progress import Progress
from puzzle_agents.progress_line import ProgressLine
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Level
from puzzle_envs.planning import Task
from puzzle_envs.puzzle import Puzzle

LOG = "log.txt"
NOWHERE = r"(?!)"
"""Matches nothing: for numbers that a planner does not report."""
NO_MEMORY = ("bad_alloc", "MemoryError", "failed to map segment")
"""How planners, Python and the system report a lack of memory."""
PAUSE = 0.02
"""Seconds between two checks of a process."""


class Ended(NamedTuple):
    """How a planner ended."""

    code: int | None
    """Its exit code; None if it was stopped."""
    log: str

    @property
    def lacked_memory(self) -> bool:
        """Whether it ran out of memory, perhaps already when it started."""
        killed = self.code is not None and self.code < 0 and not self.log.strip()
        return killed or any(words in self.log for words in NO_MEMORY)

    def count(self, pattern: str) -> int:
        """The last number in its log that a pattern matches; 0 if there is none."""
        found = re.findall(pattern, self.log)
        return int(found[-1]) if found else 0


def check_installed(agent: str, package: str) -> None:
    """Raise an error if a package is missing."""
    if find_spec(package) is None:
        raise ModuleNotFoundError(
            f"{agent} needs the extra planners: pip install 'puzzle-envs[planners]'.", name=package
        )


class Planner(Agent):
    """Solves a level as a planning task, in a separate process.

    Translating takes part of the budget's time. The process has the budget's memory, and is stopped
    when the time is over. The limit of expansions is checked afterwards: an attempt that has
    expanded more states gives up. Transitions are not limited, as operators of a task are not moves
    of the puzzle.
    """

    package: ClassVar[str]
    """The package it needs."""
    reads: ClassVar[str]
    """The name of the task's file, its input."""
    plans: ClassVar[str]
    """A pattern of its plans' files; better plans have higher numbers at the end."""
    expanded: ClassVar[str]
    """The pattern of the number of expansions in its log; the next two are such patterns too."""
    generated: ClassVar[str] = NOWHERE
    kilobytes: ClassVar[str] = NOWHERE
    last_line: ClassVar[str] = ""
    """A text that only completely written plans contain."""

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject puzzles without a translation, and a missing package."""
        super().check(puzzle, level)
        if puzzle.planning is None:
            raise WrongPuzzleError(f"{puzzle.title} has no translation for planners.")
        check_installed(self.name, self.package)

    def warm_up(self, env: gymnasium.Env[Any, Any]) -> None:
        """Load what translating and replaying need; planners are already compiled."""
        task_of(self._puzzle_env(env))

    @abstractmethod
    def _write(self, task: Task, folder: Path) -> None:
        """Write the task's files."""

    @abstractmethod
    def _command(self, task: Task, folder: Path) -> Sequence[str | Path]:
        """The command that reads the files of a folder and leaves a plan there."""

    @abstractmethod
    def _status(self, ended: Ended) -> Status:
        """How it ended, if it left no plan."""

    @abstractmethod
    def _is_optimal(self, task: Task, ended: Ended) -> bool:
        """Whether the plan is proved to be cheapest."""

    def _plan(self, env: PuzzleEnv) -> Result:
        task = task_of(env)
        with _folder() as folder:
            self._write(task, folder)
            preparing = self.clock.seconds
            ended, status = self._run(self._command(task, folder), folder)
            plan = self._found(folder)
        result = Result(
            Status.SOLVED if plan is not None else status or self._status(ended),
            expanded=ended.count(self.expanded),
            generated=ended.count(self.generated),
            peak_bytes=1024 * ended.count(self.kilobytes),
            preparing=preparing,
        )
        expansions = self.budget.expansions
        if expansions is not None and result.expanded > expansions:
            return replace(result, status=Status.GAVE_UP)
        if plan is None:
            return result
        actions, moves = played(env, task.actions_of(plan))
        optimal = status is None and self._is_optimal(task, ended)
        return replace(result, actions=actions, moves=moves, proved_optimal=optimal)

    def _run(self, command: Sequence[str | Path], folder: Path) -> tuple[Ended, Status | None]:
        """Run a process; the status is why it was stopped, None if it ended by itself."""
        log = folder / LOG
        with log.open("wb") as file, (folder / self.reads).open("rb") as stdin:
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=stdin,
                stdout=file,
                stderr=file,
                preexec_fn=partial(_prepare, os.getpid(), self.budget.bytes),
            )
        try:
            status = self._wait(process)
        finally:
            process.kill()
            process.wait()
        text = log.read_text(encoding="utf-8", errors="replace")
        return Ended(process.returncode, text), status

    def _wait(self, process: subprocess.Popen[bytes]) -> Status | None:
        """Until it ends or the time is over."""
        with ProgressLine(self.name) as line:
            while not self.clock.is_over():
                try:
                    process.wait(PAUSE)
                except subprocess.TimeoutExpired:
                    line.show(Progress(0))
                except KeyboardInterrupt:
                    return Status.GAVE_UP
                else:
                    return None
        return Status.OUT_OF_TIME

    def _found(self, folder: Path) -> list[str] | None:
        """The operators of the last completely written plan; None if there is none."""
        for path in sorted(folder.glob(self.plans), key=_number, reverse=True):
            text = path.read_text(encoding="ascii")
            if self.last_line in text:
                return plan_of(text)
        return None


@contextmanager
def _folder() -> Iterator[Path]:
    """A temporary folder. Another process removes it, also when this one is killed."""
    folder = tempfile.mkdtemp(prefix="puzzle-envs-")
    waiting = ["sh", "-c", 'read _; rm -rf "$0"', folder]
    with subprocess.Popen(waiting, stdin=subprocess.PIPE, start_new_session=True):
        yield Path(folder)


def _number(path: Path) -> int:
    return int(path.suffix[1:]) if path.suffix[1:].isdigit() else 0


def _prepare(parent: int, memory: int) -> None:
    """In the new process: it ends with the agent's, and has the budget's memory."""
    die_with(parent)
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
