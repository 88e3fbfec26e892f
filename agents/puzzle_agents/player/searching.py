"""Agents that search while somebody watches: each in a thread, at a pace that eyes can follow.

One agent works at a time, and the time in which it only waits to be seen is not counted; so the
seconds are each agent's own, though all go on side by side.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from puzzle_agents.agent import Agent, Budget, Result
from puzzle_agents.progress import Snapshot
from puzzle_envs.env import PuzzleEnv

__all__ = ["Attempt", "Pace"]

LOOKS = 30
"""How often in a second the searches stop to be seen."""
SLOWEST = 1.0
FIRST = 20.0
"""Expansions a second at the beginning."""
DOUBLED = 1.0
"""Seconds in which the pace doubles by itself, until somebody chooses one."""
AT_ONCE = 1e9
"""Expansions a second above which nobody waits."""
SHORT, LONG = 0.01, 0.04
"""Seconds of a slice at full speed."""
POINTS = 400
"""How much of the history is kept; then every other progress is dropped."""
PATIENCE = 5.0
"""Seconds to wait for a thread to end."""


class Pace:
    """How fast the searches go on: one for all that are watched together."""

    def __init__(self) -> None:
        """Slowly at first, then ever faster."""
        self._changed = threading.Condition()
        self.begin()

    def begin(self) -> None:
        """Begin anew."""
        self._rate, self._chosen = FIRST, False
        # When the first search began, or went on after a pause.
        self._since: float | None = None
        self.paused = False
        self._steps = 0

    @property
    def rate(self) -> float:
        """Expansions a second."""
        if self._chosen:
            return self._rate
        gone = 0.0 if self.paused or self._since is None else time.monotonic() - self._since
        return min(AT_ONCE, self._rate * 2 ** (gone / DOUBLED))

    def change(self, factor: float) -> None:
        """Choose a pace: so many times as fast as now."""
        with self._changed:
            self._rate, self._chosen = max(SLOWEST, min(AT_ONCE, self.rate * factor)), True
            self._changed.notify_all()

    def finish(self) -> None:
        """Go on as fast as possible."""
        self.paused = False
        self.change(AT_ONCE)

    def pause(self, paused: bool) -> None:
        """Stand still, or go on."""
        with self._changed:
            if not self._chosen:
                self._rate, self._since = self.rate, time.monotonic()
            self.paused = paused
            self._changed.notify_all()

    def step(self) -> None:
        """Stand still after one more progress."""
        with self._changed:
            self.paused = True
            self._steps += 1
            self._changed.notify_all()

    def wait(self, stopped: threading.Event) -> int | None:
        """Wait until it is time to go on; say for how many expansions, None: at full speed."""
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
    """An agent at work on a level."""

    def __init__(
        self,
        make: Callable[[Budget], Agent],
        budget: Budget,
        env: PuzzleEnv,
        pace: Pace,
        turn: threading.Lock,
    ) -> None:
        """Prepare; `start` begins.

        Args:
            make: Makes the agent with a budget.
            budget: What it may spend.
            env: Where it begins.
            pace: How fast it goes on.
            turn: Held by the one that works.
        """
        self._make, self._budget, self._env = make, budget, env.simulation()
        self._pace, self._turn = pace, turn
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._slice, self._resumed = 1 << 10, 0.0
        self._keep_every = 1
        self._looks = 0
        self.status = "waits for its turn"
        self.snapshot: Snapshot | None = None
        """What was seen last."""
        self.seconds = 0.0
        """Its own time."""
        self.history: list[tuple[int, float]] = []
        """How much was expanded, and how much waited then, or the best score so far."""
        self.result: Result | None = None
        self.failure = ""

    def start(self) -> None:
        """Begin, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Give up, soon."""
        self._stopped.set()

    def join(self) -> None:
        """Wait until it has given up; not for ever, for nothing stops a compilation."""
        if self._thread.is_alive():
            self._thread.join(PATIENCE)

    @property
    def is_over(self) -> bool:
        """Whether there is a result, or none will come."""
        return self.result is not None or bool(self.failure)

    # --- in the thread ------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            with self._turn:
                self.status = "gets ready"
                agent = self._make(self._budget)
                agent.watcher = self._warm_up
                agent.warm_up(self._env)
            with self._turn:
                self.status = "searches"
                agent = self._make(self._budget)
                agent.watcher = self._watch
                self._resumed = time.perf_counter()
                result = agent.solve(self._env)
                self.seconds, self.result = result.seconds, result
                self.status = str(result.status)
        except Exception as error:  # whatever it is, the others go on
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
