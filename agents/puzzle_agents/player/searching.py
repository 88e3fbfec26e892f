"""Agents that search while being watched: one thread each, at a pace that eyes can follow.

Agents take turns, and time spent waiting to be shown is not counted, so each agent's seconds are
its own although all run side by side.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from puzzle_agents.agent import Agent, Budget, Result
from puzzle_agents.progress import Snapshot
from puzzle_envs.env import PuzzleEnv

LOOKS = 30
"""Updates per second."""
SLOWEST = 1.0
FIRST = 20.0
"""Initial expansions per second."""
DOUBLED = 1.0
"""Seconds in which the pace doubles, until the user sets one."""
AT_ONCE = 1e9
"""Expansions per second from which the search runs at full speed."""
SHORT, LONG = 0.01, 0.04
"""Bounds of the seconds per slice at full speed."""
POINTS = 400
"""Maximum length of the history; when exceeded, every other point is dropped."""
PATIENCE = 5.0
"""Seconds to wait for a thread to end."""


class Pace:
    """The pace of the searches, shared by all that are watched together."""

    def __init__(self) -> None:
        """Start slowly, then accelerate."""
        self._changed = threading.Condition()
        self.begin()

    def begin(self) -> None:
        """Start over."""
        self._rate, self._chosen = FIRST, False
        # When the first search started or was resumed.
        self._since: float | None = None
        self.paused = False
        self._steps = 0

    @property
    def rate(self) -> float:
        """Expansions per second."""
        if self._chosen:
            return self._rate
        gone = 0.0 if self.paused or self._since is None else time.monotonic() - self._since
        return min(AT_ONCE, self._rate * 2 ** (gone / DOUBLED))

    def change(self, factor: float) -> None:
        """Multiply the pace by a factor."""
        with self._changed:
            self._rate, self._chosen = max(SLOWEST, min(AT_ONCE, self.rate * factor)), True
            self._changed.notify_all()

    def finish(self) -> None:
        """Run at full speed."""
        self.paused = False
        self.change(AT_ONCE)

    def pause(self, paused: bool) -> None:
        """Pause or resume."""
        with self._changed:
            if not self._chosen:
                self._rate, self._since = self.rate, time.monotonic()
            self.paused = paused
            self._changed.notify_all()

    def step(self) -> None:
        """Pause after one more update."""
        with self._changed:
            self.paused = True
            self._steps += 1
            self._changed.notify_all()

    def wait(self, stopped: threading.Event) -> int | None:
        """Wait for the next slice; return its number of expansions, None for full speed."""
        with self._changed:
            if self._since is None:
                self._since = time.monotonic()
            steps = self._steps
            while self.paused and self._steps == steps and not stopped.is_set():
                self._changed.wait(0.1)
            if self.paused:
                return 1
            rate = self.rate
            if rate >= AT_ONCE:
                return None
            expansions = max(1, round(rate / LOOKS))
            self._changed.wait(expansions / rate)
            return expansions


class Attempt:
    """An agent solving a level in a thread."""

    def __init__(
        self,
        make: Callable[[Budget], Agent],
        budget: Budget,
        env: PuzzleEnv,
        pace: Pace,
        turn: threading.Lock,
    ) -> None:
        """Prepare an attempt; `start` runs it.

        Args:
            make: Creates the agent with a budget.
            budget: Limits of the attempt.
            env: The environment to solve, from its current state.
            pace: The shared pace.
            turn: Lock held by the agent at work.
        """
        self._make, self._budget, self._env = make, budget, env.simulation()
        self._pace, self._turn = pace, turn
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._slice, self._resumed = 1 << 10, 0.0
        self._keep_every = 1
        self._looks = 0
        self.status = "waiting"
        self.snapshot: Snapshot | None = None
        """The last snapshot."""
        self.seconds = 0.0
        """Seconds of its own turns."""
        self.history: list[tuple[int, float]] = []
        """Points of the chart: expansions; size of the open list, or best score so far."""
        self.result: Result | None = None
        self.failure = ""

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Cancel the search."""
        self._stopped.set()

    def join(self) -> None:
        """Wait for it to stop, with a time limit, since compilation cannot be interrupted."""
        if self._thread.is_alive():
            self._thread.join(PATIENCE)

    @property
    def is_over(self) -> bool:
        """Whether it has a result or has failed."""
        return self.result is not None or bool(self.failure)

    # --- in the thread ------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            with self._turn:
                self.status = "warming up"
                agent = self._make(self._budget)
                agent.watcher = self._warm_up
                agent.warm_up(self._env)
            with self._turn:
                self.status = "searching"
                agent = self._make(self._budget)
                agent.watcher = self._watch
                self._resumed = time.perf_counter()
                result = agent.solve(self._env)
                self.seconds, self.result = result.seconds, result
                self.status = str(result.status)
        except Exception as error:  # the other agents go on whatever fails
            self.failure, self.status = str(error), "failed"

    def _warm_up(self, snapshot: Snapshot) -> int:
        if self._stopped.is_set():
            raise KeyboardInterrupt
        return Agent.warming

    def _watch(self, snapshot: Snapshot) -> int:
        spent = time.perf_counter() - self._resumed
        self.seconds += spent
        self.snapshot = snapshot
        self._note(snapshot)
        self._turn.release()
        try:
            expansions = self._pace.wait(self._stopped)
        finally:
            self._turn.acquire()
            self._resumed = time.perf_counter()
        if self._stopped.is_set():
            raise KeyboardInterrupt
        if expansions is not None:
            return expansions
        if spent < SHORT:
            self._slice *= 2
        elif spent > LONG and self._slice > 1:
            self._slice //= 2
        return self._slice

    def _note(self, snapshot: Snapshot) -> None:
        height = snapshot.progress.best if snapshot.waiting is None else snapshot.waiting
        if height is None or not math.isfinite(height):
            return
        self._looks += 1
        if self._looks % self._keep_every == 0:
            self.history = [*self.history, (snapshot.progress.expanded, float(height))]
        if len(self.history) > POINTS:
            self.history = self.history[::2]
            self._keep_every *= 2
