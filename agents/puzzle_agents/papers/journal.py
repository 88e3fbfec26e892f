"""The outcomes so far of a command that takes hours, so that it can be interrupted."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from puzzle_agents.agent import Found, Result, Status
from puzzle_agents.papers.runs import Outcome, Run


class Journal:
    """A file with a line for each outcome; it is removed when all runs are done."""

    def __init__(self, path: Path) -> None:
        """Read the outcomes of an interrupted command; incomplete lines are ignored."""
        self.path = path
        self._known: dict[str, dict[str, Any]] = {}
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        for line in text.splitlines():
            with suppress(ValueError, TypeError, KeyError, AttributeError):
                entry = json.loads(line)
                given = dict(entry["result"], status=Status(entry["result"]["status"]))
                given["found"] = tuple(Found(*each) for each in given["found"])
                facts, seconds = dict(entry["facts"]), float(entry["cpu_seconds"])
                known = {"result": Result(**given), "facts": facts, "cpu_seconds": seconds}
                self._known[str(entry["run"])] = known
        self.resumed = len(self._known)

    def find(self, run: Run) -> Outcome | None:
        """The outcome of a run, if it is known."""
        known = self._known.get(_key(run))
        return None if known is None else Outcome(run, **known)

    def add(self, outcome: Outcome) -> None:
        """Record an outcome."""
        result, plain = asdict(outcome.result), {field.name for field in fields(Result)}
        entry = {
            "run": _key(outcome.run),
            "result": {name: value for name, value in result.items() if name in plain},
            "facts": dict(outcome.facts),
            "cpu_seconds": outcome.cpu_seconds,
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps(entry)}\n")  # not after an incomplete line

    def end(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)


def _key(run: Run) -> str:
    """All that determines a run."""
    trial = run.trial
    limits, arguments = (trial.budget, trial.cpu_seconds), sorted(trial.arguments.items())
    return repr((run.environment, run.level, trial.agent, limits, arguments))
