"""Hints: an agent's next move, found in a thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.defaults import MEMORY
from puzzle_agents.progress import Snapshot
from puzzle_agents.registry import AGENTS, make
from puzzle_envs.env import PuzzleEnv

OTHERWISE = "anytime"
"""The hint agent of puzzles that prefer no agent of their own."""
SECONDS = 20.0
FIRST = 20_000
"""Expansions of the first attempt, which has no time limit since it may have to compile."""
SLICE = 1 << 12
"""Expansions between checks for cancellation."""
PATIENCE = 5.0
"""Seconds to wait for the thread to end."""


class Hint(NamedTuple):
    """What an agent found for a state."""

    action: int | None
    """The next action; None if none was found."""
    left: int | None
    """Moves from here to the goal in its solution."""
    proved: bool
    """Whether that is proved optimal, or the state proved unsolvable."""


def hint_agent(env: PuzzleEnv) -> str:
    """The name of the default hint agent."""
    id = env.puzzle.format.id
    advisers = (name for name, one in AGENTS.items() if one.advises and id in one.plays)
    return next(advisers, OTHERWISE)


class Hints:
    """Hints for the states of one level; a solution serves all states along it."""

    def __init__(self, agent: str, wake: Callable[[], None] = lambda: None) -> None:
        """Set the agent that gives the hints.

        Args:
            agent: The agent's name.
            wake: Called by the thread when a hint has been found.
        """
        self._agent, self._wake = agent, wake
        self._known: dict[tuple[int, ...], Hint] = {}
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()
        self.failure = ""
        """Why the agent failed, if it did."""

    def known(self, env: PuzzleEnv) -> Hint | None:
        """The hint for an environment's state, if one has been found."""
        return self._known.get(env.get_state().words)

    @property
    def is_busy(self) -> bool:
        """Whether a search is running."""
        return self._thread is not None and self._thread.is_alive()

    def ask(self, env: PuzzleEnv) -> None:
        """Search for a hint for an environment's state, cancelling any other search."""
        self.stop()
        if self.known(env) is not None:
            return
        self.failure, self._stopped = "", threading.Event()
        arguments = (env.simulation(), self._stopped)
        self._thread = threading.Thread(target=self._look, args=arguments, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Cancel the search."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)
            self._thread = None

    # --- in the thread ------------------------------------------------------------------------

    def _look(self, env: PuzzleEnv, stopped: threading.Event) -> None:
        try:
            self._note(env, self._result(env, stopped), stopped)
        except Exception as error:  # the game goes on whatever fails
            self.failure = f"{self._agent} has no hint: {error}"
        self._wake()

    def _result(self, env: PuzzleEnv, stopped: threading.Event) -> Result:
        first = self._made(Budget(None, MEMORY, FIRST), stopped).solve(env)
        if first.status == Status.UNSOLVABLE or (first.solved and first.proved_optimal):
            return first
        more = self._made(Budget(SECONDS, MEMORY), stopped).solve(env)
        return more if more.solved or not first.solved else first

    def _made(self, budget: Budget, stopped: threading.Event) -> Agent:
        def watch(snapshot: Snapshot) -> int:
            if stopped.is_set():
                raise KeyboardInterrupt
            return SLICE

        agent = make(self._agent, budget)
        agent.watcher = watch
        return agent

    def _note(self, env: PuzzleEnv, result: Result, stopped: threading.Event) -> None:
        """Store the hint of each state along the solution."""
        here = env.get_state()
        if not result.solved:
            if not stopped.is_set():
                proved = result.status == Status.UNSOLVABLE
                self._known[here.words] = Hint(None, None, proved)
            return
        for action in result.actions:
            now = env.get_state()
            left = (result.moves or 0) - (now.moves - here.moves)
            self._known[now.words] = Hint(action, left, result.proved_optimal)
            env.step(action)
